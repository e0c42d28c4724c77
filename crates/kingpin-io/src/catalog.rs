//! The sections of a model file and the kinds of items in them, gathered from the described records.
//!
//! Reader, schema and reference page all walk these lists; none of them knows any element by name.

use kingpin::element::driver::DriverKind;
use kingpin::element::force::ForceKind;
use kingpin::element::joint::JointKind;
use kingpin::element::measure::MeasureKind;
use kingpin::element::road::RoadKind;
use kingpin::element::shape::ShapeKind;
use kingpin::model::describe::{Described, Field, FieldValues, Kind, Range, Spaces};
use kingpin::model::list::ElementEntry;
use kingpin::model::value::Value;
use kingpin::model::{
    Beam, Body, ControllerKind, EndsKind, Event, Fitting, Input, LongCable, Marker, Model, Simulation, Start,
    StateVariable, StructureFields, Subject, Substructure, SuperelementFields,
};
use std::sync::OnceLock;

mod apart;
mod build;
pub(crate) use apart::{Apart, items};
pub(crate) use build::{Parts, add_blank, add_item};

/// A list of items in a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Section {
    Body,
    Beam,
    Cable,
    Superelement,
    Structure,
    Marker,
    Joint,
    Driver,
    Force,
    Measure,
    State,
    Controller,
    Event,
    Input,
    Substructure,
    Road,
    Shape,
}

/// The part of an item a field belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The name of an element.
    Name,
    /// Where it is attached.
    Ends,
    /// What it starts from.
    Start,
    /// What it is fitted with.
    Fitting,
    /// The record itself.
    Own,
}

/// One kind of item: what `type` says, and the fields it takes.
pub(crate) struct ItemKind {
    /// The word behind `type =`; empty if the section has no types.
    pub tag: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// In which models it makes sense.
    pub spaces: Spaces,
    /// All keys but `type`.
    pub fields: Vec<(Part, Field)>,
    /// The values its own fields have if they are not given.
    pub defaults: FieldValues,
}

impl ItemKind {
    /// The field of that name.
    pub fn field(&self, part: Part, name: &str) -> Option<&Field> {
        self.fields.iter().find(|(p, field)| *p == part && field.name == name).map(|(_, field)| field)
    }

    /// The fields that a table of this name holds: those whose names begin with its own, behind which the rest stands.
    pub fn table(&self, name: &str) -> Vec<(&'static str, &Field)> {
        let rest = |field: &Field| field.name.strip_prefix(name).and_then(|rest| rest.strip_prefix('_'));
        let own = self.fields.iter().filter(|(part, _)| *part == Part::Fitting);
        own.filter_map(|(_, field)| Some((rest(field)?, field))).collect()
    }

    /// The names of its tables.
    pub fn tables(&self) -> Vec<&'static str> {
        let mut all: Vec<&'static str> = Vec::new();
        for (_, field) in self.fields.iter().filter(|(part, _)| *part == Part::Fitting) {
            let end = |word: &&str| Some(field.name.find(&format!("{word}_"))? + word.len());
            let table = TABLES.iter().find_map(end).map(|end| &field.name[..end]);
            all.extend(table.filter(|table| !all.contains(table)));
        }
        all
    }

    /// The value that a field of the record itself has if it is not given.
    pub fn default_of(&self, name: &str) -> Option<&Value> {
        let field = self.field(Part::Own, name)?;
        let default = self.defaults.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
        default.filter(|_| !field.required)
    }

    /// Whether a file need not say that a field of the record itself has this value.
    pub fn goes_without_saying(&self, name: &str, value: &Value) -> bool {
        let field = self.field(Part::Own, name);
        let may_be_absent = field.is_some_and(|field| !field.required || !field.unless.is_empty());
        may_be_absent && self.defaults.iter().any(|(key, default)| *key == name && default == value)
    }
}

/// Words that several fields of joints begin with: these may be given as tables.
const TABLES: [&str; 2] = ["stops", "friction"];

/// The name of an element, which the elements themselves do not hold.
const NAME: Field = Field {
    name: "name",
    kind: Kind::Name,
    required: true,
    unless: "",
    range: Range::Any,
    spaces: Spaces::Both,
    doc: " Its name.\n",
    default: "",
};

impl Section {
    /// All sections, in the order of documentation.
    pub const ALL: [Section; 17] = [
        Section::Body,
        Section::Beam,
        Section::Cable,
        Section::Superelement,
        Section::Structure,
        Section::Marker,
        Section::Joint,
        Section::Driver,
        Section::Force,
        Section::Measure,
        Section::State,
        Section::Controller,
        Section::Event,
        Section::Input,
        Section::Substructure,
        Section::Road,
        Section::Shape,
    ];

    /// The section that is called `word`.
    pub fn named(word: &str) -> Option<Section> {
        Section::ALL.into_iter().find(|section| section.word() == word)
    }

    /// Its key in a model file.
    pub fn word(self) -> &'static str {
        match self {
            Section::Body => "body",
            Section::Beam => "beam",
            Section::Cable => "cable",
            Section::Superelement => "superelement",
            Section::Structure => "structure",
            Section::Marker => "marker",
            Section::Joint => "joint",
            Section::Driver => "driver",
            Section::Force => "force",
            Section::Measure => "measure",
            Section::State => "state",
            Section::Controller => "controller",
            Section::Event => "event",
            Section::Input => "input",
            Section::Substructure => "substructure",
            Section::Road => "road",
            Section::Shape => "shape",
        }
    }

    /// One sentence on its items.
    pub fn doc(self) -> &'static str {
        match self {
            Section::Body => "Rigid bodies; `ground` always exists.",
            Section::Beam => "Beams: slender bodies that bend, twist, shear and stretch.",
            Section::Cable => "Cables: chains of tension-only elements.",
            Section::Superelement => {
                "Superelements: flexible bodies with small deformation and large motion, reduced \
                     from meshes, matrices or beams."
            }
            Section::Structure => {
                "Structures: membranes and solids of finite elements with large deformation."
            }
            Section::Marker => "Named points with axes, which several elements can share.",
            Section::Joint => "Joints: constraint equations between bodies.",
            Section::Driver => "Drivers: prescribed motions.",
            Section::Force => "Forces and torques.",
            Section::Measure => {
                "Measured quantities, which expressions can use: the value by its name, the rate as \
                     `NAME.rate`."
            }
            Section::State => {
                "First-order states: variables given by their rate and integrated with the \
                     mechanism; expressions use them by name."
            }
            Section::Controller => "Controllers: expressions use their outputs by name.",
            Section::Event => "Events: actions at the zero crossings of functions.",
            Section::Input => {
                "Inputs: variables that functions can read and that a program can change between steps."
            }
            Section::Substructure => "Substructures: groups of bodies that form a sub-domain.",
            Section::Road => "Road profiles for tyres.",
            Section::Shape => {
                "Shapes to draw; they also define the mass of bodies with a `density` or `material`."
            }
        }
    }

    /// Whether its items have a `type`.
    pub fn has_types(self) -> bool {
        !matches!(
            self,
            Section::Body
                | Section::Beam
                | Section::Cable
                | Section::Superelement
                | Section::Structure
                | Section::Marker
                | Section::State
                | Section::Event
                | Section::Input
                | Section::Substructure
        )
    }

    /// Whether its items have a name.
    pub fn has_names(self) -> bool {
        self != Section::Shape
    }

    /// Its kinds of items.
    pub fn kinds(self) -> &'static [ItemKind] {
        static KINDS: OnceLock<Vec<Vec<ItemKind>>> = OnceLock::new();
        &KINDS.get_or_init(|| Section::ALL.into_iter().map(gather).collect())[self as usize]
    }

    /// Item number `index` of the section in a model.
    pub fn subject(self, index: usize) -> Subject {
        match self {
            Section::Body => Subject::Body(index),
            Section::Beam => Subject::Beam(index),
            Section::Cable => Subject::Cable(index),
            Section::Superelement => Subject::Superelement(index),
            Section::Structure => Subject::Structure(index),
            Section::Marker => Subject::Marker(index),
            Section::Joint => Subject::Joint(index),
            Section::Driver => Subject::Driver(index),
            Section::Force => Subject::Force(index),
            Section::Measure => Subject::Measure(index),
            Section::State => Subject::State(index),
            Section::Controller => Subject::Controller(index),
            Section::Event => Subject::Event(index),
            Section::Input => Subject::Input(index),
            Section::Substructure => Subject::Substructure(index),
            Section::Road => Subject::Road(index),
            Section::Shape => Subject::Shape(index),
        }
    }

    /// How many items a model has.
    pub fn count(self, model: &Model) -> usize {
        match self {
            Section::Body => model.bodies.len(),
            Section::Beam => model.beams.len(),
            Section::Cable => model.cables.len(),
            Section::Superelement => model.superelements.len(),
            Section::Structure => model.structures.len(),
            Section::Marker => model.markers.len(),
            Section::Joint => model.joints.len(),
            Section::Driver => model.drivers.len(),
            Section::Force => model.forces.len(),
            Section::Measure => model.measures.len(),
            Section::State => model.states.len(),
            Section::Controller => model.controllers.len(),
            Section::Event => model.events.len(),
            Section::Input => model.inputs.len(),
            Section::Substructure => model.substructures.len(),
            Section::Road => model.roads.len(),
            Section::Shape => model.shapes.len(),
        }
    }
}

/// The kinds of a section.
fn gather(section: Section) -> Vec<ItemKind> {
    match section {
        Section::Body => vec![record::<Body>()],
        Section::Beam => vec![record::<Beam>()],
        Section::Cable => vec![record::<LongCable>()],
        Section::Superelement => vec![record::<SuperelementFields>()],
        Section::Structure => vec![record::<StructureFields>()],
        Section::Marker => vec![record::<Marker>()],
        Section::Joint => joints(elements(section, JointKind::LIST, JointKind::values, |k| {
            (k.element().ends(), k.element().spaces())
        })),
        Section::Driver => {
            elements(section, DriverKind::LIST, DriverKind::values, |k| (k.element().ends(), Spaces::Both))
        }
        Section::Force => elements(section, ForceKind::LIST, ForceKind::values, |k| {
            (k.element().ends(), k.element().spaces())
        }),
        Section::Measure => elements(section, MeasureKind::LIST, MeasureKind::values, |k| {
            (k.element().ends(), k.element().spaces())
        }),
        Section::State => vec![record::<StateVariable>()],
        Section::Controller => elements(section, ControllerKind::LIST, ControllerKind::values, |_| {
            (EndsKind::None, Spaces::Both)
        }),
        Section::Event => vec![record::<Event>()],
        Section::Input => vec![record::<Input>()],
        Section::Substructure => vec![record::<Substructure>()],
        Section::Road => {
            elements(section, RoadKind::LIST, RoadKind::values, |_| (EndsKind::None, Spaces::Both))
        }
        Section::Shape => {
            elements(section, ShapeKind::LIST, ShapeKind::values, |_| (EndsKind::One, Spaces::Both))
        }
    }
}

/// A section whose items are one described record.
fn record<T: Described + Default>() -> ItemKind {
    let fields = T::fields().iter().map(|field| (Part::Own, *field)).collect();
    ItemKind { tag: "", doc: T::doc(), spaces: Spaces::Both, fields, defaults: T::default().values() }
}

/// A section with a list of kinds; `about` tells ends and spaces of a kind.
fn elements<K>(
    section: Section,
    list: &'static [ElementEntry<K>],
    values: fn(&K) -> FieldValues,
    about: fn(&K) -> (EndsKind, Spaces),
) -> Vec<ItemKind> {
    let kind = |entry: &ElementEntry<K>| {
        let blank = (entry.blank)();
        let (ends, spaces) = about(&blank);
        let name = section.has_names().then_some((Part::Name, NAME));
        let ends = ends.fields().into_iter().map(|field| (Part::Ends, field));
        let own = (entry.fields)().iter().map(|field| (Part::Own, *field));
        ItemKind {
            tag: entry.tag,
            doc: (entry.doc)(),
            spaces,
            fields: name.into_iter().chain(ends).chain(own).collect(),
            defaults: values(&blank),
        }
    };
    list.iter().map(kind).collect()
}

/// Joints take initial values of their coordinates besides, and springs, dampers and stops on them.
fn joints(mut kinds: Vec<ItemKind>) -> Vec<ItemKind> {
    for (kind, entry) in kinds.iter_mut().zip(JointKind::LIST) {
        let start = Start::fields_for((entry.blank)().element().starts());
        kind.fields.extend(start.into_iter().map(|field| (Part::Start, field)));
        let fitting = Fitting::fields_for((entry.blank)().element().coordinates());
        kind.fields.extend(fitting.into_iter().map(|field| (Part::Fitting, field)));
    }
    kinds
}

/// The simulation settings, described like an item.
pub(crate) fn simulation() -> &'static ItemKind {
    static KIND: OnceLock<ItemKind> = OnceLock::new();
    KIND.get_or_init(record::<Simulation>)
}

#[cfg(test)]
mod tests;
