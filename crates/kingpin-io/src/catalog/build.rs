//! Items of a model, put together from what was read of them.

use super::Section;
use kingpin::element::driver::DriverKind;
use kingpin::element::force::ForceKind;
use kingpin::element::joint::JointKind;
use kingpin::element::measure::MeasureKind;
use kingpin::element::road::RoadKind;
use kingpin::element::shape::ShapeKind;
use kingpin::model::describe::{Described, FieldValues};
use kingpin::model::{
    Beam, Body, Controller, ControllerKind, Driver, Ends, Event, Fittings, Force, Input, Joint, LongCable,
    Marker, Measure, MeshStructure, Model, Road, Shape, Start, StateVariable, StructureFields, Substructure,
    Superelement, SuperelementFields,
};

/// The values of one item, by part.
#[derive(Default)]
pub(crate) struct Parts {
    pub name: String,
    pub ends: FieldValues,
    pub start: FieldValues,
    pub fitting: FieldValues,
    pub own: FieldValues,
}

/// Adds an item to the model; `None` if the values do not fit the kind.
pub(crate) fn add_item(model: &mut Model, section: Section, kind: usize, parts: &mut Parts) -> Option<()> {
    let name = std::mem::take(&mut parts.name);
    let mut ends = || Ends::from_values(&mut parts.ends);
    let own = &mut parts.own;
    match section {
        Section::Body => model.bodies.push(Body::from_values(own)?),
        Section::Beam => model.beams.push(Beam::from_values(own)?),
        Section::Cable => model.cables.push(LongCable::from_values(own)?),
        Section::Superelement => {
            let fields = SuperelementFields::from_values(own)?;
            model.superelements.push(Superelement { fields, reduced: None });
        }
        Section::Structure => {
            let fields = StructureFields::from_values(own)?;
            model.structures.push(MeshStructure { fields, mesh: None });
        }
        Section::Marker => model.markers.push(Marker::from_values(own)?),
        Section::Joint => {
            let (ends, start) = (ends()?, Start::from_values(&mut parts.start)?);
            let kind = (JointKind::LIST[kind].build)(own)?;
            let fittings = Fittings::from_values(kind.element().coordinates(), &parts.fitting)?;
            model.joints.push(Joint { name, ends, start, fittings, kind });
        }
        Section::Driver => {
            model.drivers.push(Driver { name, ends: ends()?, kind: (DriverKind::LIST[kind].build)(own)? });
        }
        Section::Force => {
            model.forces.push(Force { name, ends: ends()?, kind: (ForceKind::LIST[kind].build)(own)? });
        }
        Section::Measure => {
            model.measures.push(Measure { name, ends: ends()?, kind: (MeasureKind::LIST[kind].build)(own)? });
        }
        Section::State => model.states.push(StateVariable::from_values(own)?),
        Section::Controller => {
            model.controllers.push(Controller { name, kind: (ControllerKind::LIST[kind].build)(own)? });
        }
        Section::Event => model.events.push(Event::from_values(own)?),
        Section::Input => model.inputs.push(Input::from_values(own)?),
        Section::Substructure => model.substructures.push(Substructure::from_values(own)?),
        Section::Road => model.roads.push(Road { name, kind: (RoadKind::LIST[kind].build)(own)? }),
        Section::Shape => {
            model.shapes.push(Shape { ends: ends()?, kind: (ShapeKind::LIST[kind].build)(own)? });
        }
    }
    Some(())
}

/// Adds an item that could not be read, so that its name stays known.
pub(crate) fn add_blank(model: &mut Model, section: Section, kind: usize, name: &str) {
    let (name, ends) = (name.to_string(), Ends::default());
    match section {
        Section::Body => model.bodies.push(Body { name, ..Body::default() }),
        Section::Beam => model.beams.push(Beam { name, ..Beam::default() }),
        Section::Cable => model.cables.push(LongCable { name, ..LongCable::default() }),
        Section::Superelement => {
            let fields = SuperelementFields { name, ..SuperelementFields::default() };
            model.superelements.push(Superelement { fields, reduced: None });
        }
        Section::Structure => {
            let fields = StructureFields { name, ..StructureFields::default() };
            model.structures.push(MeshStructure { fields, mesh: None });
        }
        Section::Marker => model.markers.push(Marker { name, ..Marker::default() }),
        Section::Joint => {
            let (start, fittings) = (Start::default(), Fittings::default());
            model.joints.push(Joint { name, ends, start, fittings, kind: (JointKind::LIST[kind].blank)() });
        }
        Section::Driver => model.drivers.push(Driver { name, ends, kind: (DriverKind::LIST[kind].blank)() }),
        Section::Force => model.forces.push(Force { name, ends, kind: (ForceKind::LIST[kind].blank)() }),
        Section::Measure => {
            model.measures.push(Measure { name, ends, kind: (MeasureKind::LIST[kind].blank)() });
        }
        Section::State => model.states.push(StateVariable { name, ..StateVariable::default() }),
        Section::Controller => {
            model.controllers.push(Controller { name, kind: (ControllerKind::LIST[kind].blank)() });
        }
        // with a variable, so that nobody is blamed for using it
        Section::Event => model.events.push(Event { name, action: "switch".into(), ..Event::default() }),
        Section::Input => model.inputs.push(Input { name, ..Input::default() }),
        Section::Substructure => {
            model.substructures.push(Substructure { name, ..Substructure::default() });
        }
        Section::Road => model.roads.push(Road { name, kind: (RoadKind::LIST[kind].blank)() }),
        Section::Shape => model.shapes.push(Shape { ends, kind: (ShapeKind::LIST[kind].blank)() }),
    }
}
