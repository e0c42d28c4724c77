//! What the library can say about a model some items of which could not be read.

use crate::catalog::{Apart, Part, Section, items};
use kingpin::model::describe::{FieldValues, Kind, Target};
use kingpin::model::value::Value;
use kingpin::model::{Finding, GROUND, Mat3, Model, Severity, Subject};
use kingpin::system::System;
use std::collections::HashSet;

/// An item that others may refer to: its section and name.
type Id = (Section, String);

/// The errors of a model that have nothing to do with its failed items, which stand in it with their names
/// alone. With a failed item without a name, nobody knows which references are wrong, and nothing is said.
pub(crate) fn independent_findings(model: &Model, failed: &[(Section, usize)]) -> Vec<Finding> {
    let sections: Vec<Vec<Item>> = Section::ALL.into_iter().map(|section| gather(model, section)).collect();
    let nameless = |(section, index): &(Section, usize)| {
        section.has_names() && sections[*section as usize].get(*index).is_none_or(|item| item.name.is_empty())
    };
    if failed.iter().any(nameless) {
        return Vec::new();
    }
    let Err(findings) = System::compile(&weighed(model)) else { return Vec::new() };
    // structures have no cells yet, and no points by name
    let structures = (0..model.structures.len()).map(|k| (Section::Structure, k));
    let failed: HashSet<(Section, usize)> = failed.iter().copied().chain(structures).collect();
    let (bad, names) = (spoilt(&sections, &failed), all_names(&sections));
    let independent = |finding: &Finding| {
        let Some((section, index)) = place(&finding.subject) else { return true };
        let Some(item) = sections[section as usize].get(index) else { return false };
        if failed.contains(&(section, index)) {
            return false;
        }
        // a name that nobody has is wrong whatever else is
        let unknown = |(field, id): &(&str, Id)| *field == finding.field && !names.contains(id);
        !bad.contains(&(section, index)) || item.refers.iter().any(unknown)
    };
    let errors = findings.into_iter().filter(|finding| finding.severity == Severity::Error);
    errors.filter(independent).collect()
}

/// Elements of a beam or cable that show what is wrong with it.
const ENOUGH: usize = 50;

/// The model with some mass of bodies that have it of shapes: these may be what failed, and meshes are not read yet. Beams and
/// cables have no more elements than it takes: what is wrong with them does not depend on how many there are.
fn weighed(model: &Model) -> Model {
    let mut model = model.clone();
    model.beams.iter_mut().for_each(|beam| beam.elements = beam.elements.min(ENOUGH));
    model.cables.iter_mut().for_each(|cable| cable.elements = cable.elements.min(ENOUGH));
    for body in model.bodies.iter_mut().filter(|body| body.density.is_some() || body.material.is_some()) {
        (body.density, body.material) = (None, None);
        (body.mass, body.inertia) = (1.0, if body.point { Mat3::zeros() } else { Mat3::identity() });
    }
    model
}

/// An item with all it refers to, field by field.
struct Item {
    name: String,
    refers: Vec<(&'static str, Id)>,
}

fn gather(model: &Model, section: Section) -> Vec<Item> {
    items(model, section).into_iter().map(|apart| item(model, apart)).collect()
}

fn item(model: &Model, apart: Apart<'_>) -> Item {
    let own_name = apart.own.iter().find_map(|(key, value)| match value {
        Value::Text(name) if *key == "name" => Some(name.clone()),
        _ => None,
    });
    let name = apart.name.map(String::from).or(own_name).unwrap_or_default();
    let refer = |part: Part, values: &FieldValues| -> Vec<(&'static str, Id)> {
        let target = |key: &str| match apart.kind.field(part, key)?.kind {
            Kind::Refer(target) => Some(section_of(target)),
            _ => None,
        };
        let found = values.iter().filter_map(|(key, value)| match value {
            Value::Text(text) => Some((*key, held(model, target(key)?, text))),
            _ => None,
        });
        found.collect()
    };
    let mut refers = refer(Part::Ends, &apart.ends);
    refers.extend(refer(Part::Own, &apart.own));
    Item { name, refers }
}

/// The item that a name of a section refers to: a beam, cable, superelement or structure, for one of its bodies.
fn held(model: &Model, section: Section, name: &str) -> Id {
    if section != Section::Body || model.bodies.iter().any(|body| body.name == name) {
        return (section, name.into());
    }
    let of = name.rsplit_once('.').map_or(name, |(of, _)| of);
    if of != name && model.beams.iter().any(|own| own.name == of) {
        (Section::Beam, of.into())
    } else if of != name && model.cables.iter().any(|own| own.name == of) {
        (Section::Cable, of.into())
    } else if model.superelements.iter().any(|own| own.fields.name == of) {
        (Section::Superelement, of.into())
    } else if let Some(own) = model.structures.iter().find(|own| of_structure(name, &own.fields.name)) {
        (Section::Structure, own.fields.name.clone())
    } else {
        (section, name.into())
    }
}

/// Whether a name is that of a point of a structure.
fn of_structure(name: &str, structure: &str) -> bool {
    name.strip_prefix(structure).is_some_and(|rest| rest.starts_with('.'))
}

pub(crate) fn section_of(target: Target) -> Section {
    match target {
        Target::Body => Section::Body,
        Target::Marker => Section::Marker,
        Target::Joint => Section::Joint,
        Target::Driver => Section::Driver,
        Target::Road => Section::Road,
    }
}

fn all_names(sections: &[Vec<Item>]) -> HashSet<Id> {
    let of =
        |section: Section| sections[section as usize].iter().map(move |item| (section, item.name.clone()));
    Section::ALL.into_iter().flat_map(of).chain([(Section::Body, GROUND.to_string())]).collect()
}

/// The failed items and all that depend on them through references.
fn spoilt(sections: &[Vec<Item>], failed: &HashSet<(Section, usize)>) -> HashSet<(Section, usize)> {
    let mut bad = failed.clone();
    loop {
        let named =
            |&(section, index): &(Section, usize)| (section, sections[section as usize][index].name.clone());
        let names: HashSet<Id> = bad.iter().map(named).collect();
        let before = bad.len();
        for section in Section::ALL {
            for (index, item) in sections[section as usize].iter().enumerate() {
                if item.refers.iter().any(|(_, id)| names.contains(id)) {
                    bad.insert((section, index));
                }
            }
        }
        if bad.len() == before {
            return bad;
        }
    }
}

/// Section and index of a numbered item.
fn place(subject: &Subject) -> Option<(Section, usize)> {
    Section::ALL.into_iter().find_map(|section| match *subject {
        Subject::Body(k)
        | Subject::Beam(k)
        | Subject::Cable(k)
        | Subject::Superelement(k)
        | Subject::Structure(k)
        | Subject::Marker(k)
        | Subject::Joint(k)
        | Subject::Driver(k)
        | Subject::Force(k)
        | Subject::Measure(k)
        | Subject::State(k)
        | Subject::Controller(k)
        | Subject::Event(k)
        | Subject::Input(k)
        | Subject::Substructure(k)
        | Subject::Road(k)
        | Subject::Shape(k)
            if section.subject(k) == *subject =>
        {
            Some((section, k))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use crate::{Overrides, read_text};

    fn said(text: &str) -> Vec<String> {
        let loaded = read_text("a.toml", text, ".", &Overrides::none());
        loaded.diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect()
    }

    const BODY: &str = "[[body]]\nname = 'rod'\ninertia = [1, 1, 1]\n";

    #[test]
    fn names_of_failed_items_stay_known() {
        let joint = "[[joint]]\ntype = 'spherical'\nname = 'ball'\nbody1 = 'rod'\nbody2 = 'ground'\n";
        assert_eq!(said(&format!("{BODY}mass = 0\n{joint}")), ["`mass` must be greater than zero, but is 0"]);
    }

    #[test]
    fn unknown_names_are_found_beside_other_errors() {
        let joint = "[[joint]]\ntype = 'spherical'\nname = 'ball'\nbody1 = 'rod'\nbody2 = 'grund'\n";
        let found = said(&format!("{BODY}mass = 0\n{joint}"));
        assert_eq!(found.len(), 2);
        assert_eq!(found[1], "there is no body called `grund`");
    }

    #[test]
    fn nothing_is_guessed_where_names_are_missing() {
        let joint = "[[joint]]\ntype = 'spherical'\nname = 'ball'\nbody1 = 'rod'\nbody2 = 'bob'\n";
        assert_eq!(said(&format!("[[body]]\nname = 3\nmass = 1\ninertia = [1, 1, 1]\n{joint}")).len(), 1);
        assert_eq!(said(&format!("include = ['nowhere.toml']\n{joint}")).len(), 1);
        assert_eq!(said(&format!("name = \n{joint}")).len(), 1);
    }
}
