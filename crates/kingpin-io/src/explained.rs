//! Words of model files explained one by one: sections, types, fields, functions, constants, units and materials.

use crate::catalog::{self, ItemKind, Part, Section};
use crate::read::TOP;
use crate::reference::{holds, meaning, note, paragraphs, shown_default};
use crate::suggest::{listed, meant};
use crate::vectors::FUNCTIONS as VECTOR_FUNCTIONS;
use kingpin::element::shape::material::MATERIALS;
use kingpin::expr::{CONSTANTS, FUNCTIONS, units};
use kingpin::model::describe::Field;

/// A word of model files and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// What it is: `revolute, a type of [[joint]]`.
    pub head: String,
    /// Sentences.
    pub text: String,
    /// What it holds, a row for each field: its name and what is to be said of it.
    pub rows: Vec<(String, String)>,
}

/// All that a word means in model files; a field is named behind its item and a dot or a space, or by itself:
/// `revolute.axis`, `body mass`, `joint.revolute.axis`, `com`.
pub fn explained(term: &str) -> Vec<Explained> {
    let term = term.split_whitespace().collect::<Vec<_>>().join(".").to_lowercase();
    if let Some((item, field)) = term.rsplit_once('.') {
        let whole = owners(&term);
        if !whole.is_empty() {
            return whole.iter().map(Owner::explained).collect();
        }
        if item == "assembly" {
            let found = ASSEMBLY.iter().find(|own| own.name == field);
            return found
                .map(|own| word(format!("{field}, a field of [[assembly]]"), &bare(own)))
                .into_iter()
                .collect();
        }
        let fields = owners_of_fields(item).into_iter().filter_map(|owner| owner.field(field)).collect();
        return without_twins(fields);
    }
    let mut all: Vec<Explained> = owners(&term).iter().map(Owner::explained).collect();
    all.extend(Section::ALL.into_iter().filter(|own| own.has_types() && own.word() == term).map(types));
    all.extend(FUNCTIONS.iter().filter(|own| own.name == term).map(|own| {
        word(format!("{}({}), a function of expressions", own.name, own.shown_arguments()), own.about)
    }));
    all.extend(
        VECTOR_FUNCTIONS
            .iter()
            .filter(|(name, ..)| *name == term)
            .map(|(_, call, about)| word(format!("{call}, a function of expressions of vectors"), about)),
    );
    let constants = CONSTANTS.iter().filter(|(name, _)| *name == term);
    all.extend(constants.map(|(name, x)| word(format!("{name}, a constant of expressions"), &x.to_string())));
    all.extend(MATERIALS.iter().filter(|own| own.name == term).map(|own| {
        let about = if own.about.is_empty() { String::new() } else { format!(" ({})", own.about) };
        word(format!("{}, a material of bodies", own.name), &format!("{} kg/m^3{about}", own.density))
    }));
    all.extend(FORMS.iter().filter(|(name, ..)| *name == term).map(|(name, head, text)| {
        let fields = ASSEMBLY.iter().filter(|_| *name == "assembly");
        let rows = fields.map(|own| (own.name.to_string(), bare(own))).collect();
        Explained { head: (*head).into(), text: (*text).into(), rows }
    }));
    if all.is_empty() {
        all.extend(field_of_all(&term));
    }
    all
}

/// The fields of assemblies.
const ASSEMBLY: &[Field] = &crate::assembly::FIELDS;

/// What else model files hold: a word, what it is, what it means.
const FORMS: [(&str, &str, &str); 6] = [
    (
        "assembly",
        "[[assembly]], a section of model files",
        "Model files that are used several times, each time with its own name and position: a \
             corner of a car, the leg of a robot. `include` is an array of files; `parameters = { \
             length = \"2 m\" }` and `points = { foot = [...] }` override parameters and points of \
             these files. Names of items get the name of the assembly and a dot as a prefix: `left.hub`.",
    ),
    (
        "override",
        "[override], new values of single fields",
        "`[override.body.chassis]` with `mass = 3` or `com.z = \"10 cm\"` below changes single \
             fields of an item of an included file or of an assembly (`[override.body.left.hub]`).",
    ),
    (
        "parameters",
        "[parameters], named numbers",
        "Named numbers and expressions, which all expressions of the file can use: `width = \"0.9 \
             m\"`, `area = \"width*height\"`. `--set width=1` changes one for a command.",
    ),
    (
        "points",
        "[points], named points and vectors",
        "An array of numbers and expressions, or an expression of other points. All vectors of the \
             file can be given as expressions of points: `at = \"A + 0.5*(B - A)\"`, `axis = \"B - \
             A\"`. Components are `A.x`, `A.y`, `A.z`.",
    ),
    (
        "include",
        "include, a field at the top of model files",
        "An array of model files, relative to the file; their items come first.",
    ),
    (
        "pattern",
        "[[pattern]], repeated items",
        "Repeats items for each value of its `index` (default `i`), from `from` (default 1) to \
             `to`. It contains lists of items like the top level. Their expressions can use the index; \
             in names and references, an expression in braces such as `{i - 1}` is replaced by its \
             value.",
    ),
];

/// What a field without an owner of the catalogue holds, and its meaning.
fn bare(field: &Field) -> String {
    let default =
        if field.default.is_empty() { String::new() } else { format!("; default `{}`", field.default) };
    format!("{}{default}. {}", holds(field), meaning(field))
}

/// A field by its name alone: what it means in all that have it, one row for those that say the same.
fn field_of_all(name: &str) -> Option<Explained> {
    let kinds =
        Section::ALL.into_iter().flat_map(|own| own.kinds().iter().map(move |kind| (Some(own), kind)));
    let all = kinds.chain([(None, catalog::simulation())]).map(|(section, kind)| Owner { section, kind });
    let mut rows: Vec<(Vec<String>, String)> = Vec::new();
    let mut add = |owner: String, said: String| match rows.iter_mut().find(|(_, own)| *own == said) {
        Some((owners, _)) => owners.push(owner),
        None => rows.push((vec![owner], said)),
    };
    for owner in all {
        let found = owner.kind.fields.iter().find(|(_, field)| field.name == name);
        if let Some((_, field)) = found {
            add(owner.name(), owner.said(field));
        }
    }
    let others: [(&[Field], &str); 2] = [(ASSEMBLY, "[[assembly]]"), (&TOP, "the model")];
    for (fields, owner) in others {
        fields.iter().filter(|own| own.name == name).for_each(|own| add(owner.into(), bare(own)));
    }
    let shown = |owners: &[String]| match owners.len() {
        0..=3 => owners.join(", "),
        n => format!("{} and {} others", owners[..2].join(", "), n - 2),
    };
    let rows: Vec<(String, String)> =
        rows.iter().map(|(owners, said)| (shown(owners), said.clone())).collect();
    match &rows[..] {
        [] => None,
        [(owner, said)] => Some(word(format!("{name}, a field of {owner}"), said)),
        _ => {
            let text = format!("Its meaning depends on the item: see `kingpin explain ITEM.{name}`.");
            Some(Explained { head: format!("{name}, a field"), text, rows })
        }
    }
}

/// The unit of that name, which cases tell apart: `mm`, `MN`.
pub fn explained_unit(term: &str) -> Option<Explained> {
    units().find_map(|unit| {
        let (prefix, name) = term.split_at_checked(term.len().checked_sub(unit.name.len())?)?;
        let prefixed = prefix.chars().count() == 1 && unit.prefixes.contains(prefix);
        if name != unit.name || !(prefix.is_empty() || prefixed) {
            return None;
        }
        let size = kingpin::expr::Unit::parse(term).map_or(unit.factor, |own| own.to_si(1.0));
        let text = format!("{size} in SI units. It measures: {}.", unit.noun());
        Some(word(format!("{term}, a unit"), &text))
    })
}

/// The word of model files that may be meant by another.
pub fn meant_word(term: &str) -> Option<String> {
    let term = term.trim().to_lowercase();
    if let Some((item, field)) = term.rsplit_once('.') {
        let known = owners_of_fields(item);
        let fields: Vec<&str> = known.iter().flat_map(Owner::names).collect();
        let field = if fields.contains(&field) { field } else { meant(field, fields.iter().copied())? };
        return Some(format!("{item}.{field}"));
    }
    meant(&term, words()).map(String::from)
}

/// All words but units.
fn words() -> Vec<&'static str> {
    let tags = Section::ALL.into_iter().flat_map(|own| own.kinds().iter().map(|kind| kind.tag));
    let sections = Section::ALL.into_iter().map(Section::word);
    let functions = FUNCTIONS.iter().map(|own| own.name).chain(VECTOR_FUNCTIONS.iter().map(|own| own.0));
    let materials = MATERIALS.iter().map(|own| own.name);
    let kinds = Section::ALL.into_iter().flat_map(|own| own.kinds()).chain([catalog::simulation()]);
    let fields = kinds.flat_map(|kind| kind.fields.iter().map(|(_, field)| field.name));
    let others = ASSEMBLY.iter().chain(&TOP).map(|own| own.name).chain(FORMS.iter().map(|(name, ..)| *name));
    let all = tags.chain(sections).chain(functions).chain(materials).chain(fields).chain(others);
    all.filter(|word| !word.is_empty()).collect()
}

fn word(head: String, text: &str) -> Explained {
    Explained { head, text: text.to_string(), rows: Vec::new() }
}

/// A section with types, by its types.
fn types(section: Section) -> Explained {
    let row = |kind: &ItemKind| (kind.tag.to_string(), paragraphs(kind.doc).join(" "));
    let head = format!("[[{}]], a section of model files, by the types of its items", section.word());
    Explained { head, text: section.doc().into(), rows: section.kinds().iter().map(row).collect() }
}

/// Something with fields.
struct Owner {
    /// The section; `None` for the settings of a simulation.
    section: Option<Section>,
    kind: &'static ItemKind,
}

/// What has fields under a name: `body`, `revolute`, `joint.revolute`, `simulation`.
fn owners(name: &str) -> Vec<Owner> {
    let (outer, inner) = name.split_once('.').unwrap_or(("", name));
    let mut all = Vec::new();
    for section in Section::ALL.into_iter().filter(|own| outer.is_empty() || own.word() == outer) {
        let whole = section.word() == inner && outer.is_empty();
        let own = section.kinds().iter().filter(|kind| kind.tag == inner || whole && !section.has_types());
        all.extend(own.map(|kind| Owner { section: Some(section), kind }));
    }
    if name == "simulation" {
        all.push(Owner { section: None, kind: catalog::simulation() });
    }
    all
}

/// What may have a field: all types of a section too.
fn owners_of_fields(name: &str) -> Vec<Owner> {
    match (owners(name), Section::named(name)) {
        (all, Some(section)) if all.is_empty() => {
            section.kinds().iter().map(|kind| Owner { section: Some(section), kind }).collect()
        }
        (all, _) => all,
    }
}

impl Owner {
    fn names(&self) -> impl Iterator<Item = &'static str> {
        self.kind.fields.iter().map(|(_, field)| field.name)
    }

    /// Its name in model files.
    fn name(&self) -> String {
        match self.section {
            None => "[simulation]".into(),
            Some(section) if section.has_types() => self.kind.tag.into(),
            Some(section) => format!("[[{}]]", section.word()),
        }
    }

    fn explained(&self) -> Explained {
        let of = match self.section {
            None => ", the settings of a run".into(),
            Some(section) if section.has_types() => format!(", a type of [[{}]]", section.word()),
            Some(_) => ", a section of model files".into(),
        };
        let head = format!("{}{of}{}", self.name(), note(self.kind.spaces));
        let (own, others): (Vec<_>, Vec<_>) =
            self.kind.fields.iter().partition(|(part, _)| matches!(part, Part::Own | Part::Name));
        let mut rows: Vec<(String, String)> =
            own.iter().map(|(_, field)| (field.name.to_string(), self.said(field))).collect();
        for (part, what) in [(Part::Ends, "Places"), (Part::Start, "Start"), (Part::Fitting, "Fittings")] {
            let names: Vec<&str> =
                others.iter().filter(|(own, _)| *own == part).map(|(_, field)| field.name).collect();
            if !names.is_empty() {
                rows.push((what.into(), listed(names, "and")));
            }
        }
        Explained { head, text: paragraphs(self.kind.doc).join(" "), rows }
    }

    /// What a field holds, its default and its meaning.
    fn said(&self, field: &Field) -> String {
        let default = match shown_default(field, self.kind.default_of(field.name)) {
            text if text.is_empty() => String::new(),
            text if field.required => format!("; {text}"),
            text => format!("; default {text}"),
        };
        format!("{}{default}. {}", holds(field), meaning(field))
    }

    fn field(&self, name: &str) -> Option<Explained> {
        let (_, field) = self.kind.fields.iter().find(|(_, field)| field.name == name)?;
        let of = match self.section {
            Some(section) if section.has_types() => format!(" (type of [[{}]])", section.word()),
            _ => String::new(),
        };
        Some(word(format!("{}, a field of {}{of}", field.name, self.name()), &self.said(field)))
    }
}

/// One for all that say the same.
fn without_twins(all: Vec<Explained>) -> Vec<Explained> {
    let mut kept: Vec<Explained> = Vec::new();
    for own in all {
        let Some(same) = kept.iter_mut().find(|other| other.text == own.text) else {
            kept.push(own);
            continue;
        };
        if let Some((_, of)) = own.head.split_once(", a field of ") {
            same.head += &format!(", {of}");
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_and_every_field_is_explained() {
        for section in Section::ALL {
            assert!(!explained(section.word()).is_empty(), "{}", section.word());
            for kind in section.kinds() {
                let name = if section.has_types() { kind.tag } else { section.word() };
                assert!(!explained(name).is_empty(), "{name}");
                for (_, field) in &kind.fields {
                    let term = format!("{name}.{}", field.name);
                    assert!(explained(&term).iter().all(|own| own.text.len() > 5), "{term}");
                    assert!(!explained(&term).is_empty(), "{term}");
                }
            }
        }
        for name in words() {
            assert!(!explained(name).is_empty(), "{name}");
            assert!(explained(name).iter().all(|own| !own.text.is_empty()), "{name}");
        }
        for pair in ["body mass", "joint revolute", "assembly mirror", "Joint  Revolute axis"] {
            assert_eq!(explained(pair).len(), 1, "{pair}");
        }
        for unit in units() {
            assert!(explained_unit(unit.name).is_some(), "{}", unit.name);
        }
        assert!(explained_unit("kN").is_some_and(|own| own.text.starts_with("1000 in SI units")));
        assert_eq!(
            (explained("xyzzy"), explained("body.xyzzy"), explained_unit("xyzzy")),
            (vec![], vec![], None)
        );
    }

    #[test]
    fn words_that_are_nearly_right_are_known() {
        for (wrong, right) in [
            ("revolut", "revolute"),
            ("revolute.axes", "revolute.axis"),
            ("body.mas", "body.mass"),
            ("smoth5", "smooth5"),
            ("unilaterl", "unilateral"),
            ("miror", "mirror"),
            ("overide", "override"),
        ] {
            assert_eq!(meant_word(wrong).as_deref(), Some(right));
        }
        assert_eq!(meant_word("xyzzy"), None);
    }
}
