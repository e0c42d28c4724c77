//! Items of a model, taken apart for those who write or look at them.

use super::{ItemKind, Section};
use kingpin::model::describe::{Described, FieldValues};
use kingpin::model::{Ends, Model};

/// One item of a model, taken apart.
pub(crate) struct Apart<'m> {
    pub kind: &'static ItemKind,
    /// The name, unless it is among the fields of the record.
    pub name: Option<&'m str>,
    pub ends: FieldValues,
    pub start: FieldValues,
    pub fitting: FieldValues,
    pub own: FieldValues,
}

/// All items of a section of a model, taken apart. Costs a copy of the items.
pub(crate) fn items(model: &Model, section: Section) -> Vec<Apart<'_>> {
    let kinds = section.kinds();
    let apart = |tag: &str, name, ends: Option<&Ends>, own: FieldValues| Apart {
        kind: kinds.iter().find(|kind| kind.tag == tag).unwrap_or(&kinds[0]),
        name,
        ends: ends.map(Described::values).unwrap_or_default(),
        start: FieldValues::new(),
        fitting: FieldValues::new(),
        own,
    };
    // what was made of cables and beams is said by these
    macro_rules! elements {
        ($list:ident, $own:expr) => {
            model.$list[..$own]
                .iter()
                .map(|x| apart(x.kind.tag(), Some(&x.name), Some(&x.ends), x.kind.values()))
                .collect()
        };
    }
    match section {
        Section::Beam => model.beams.iter().map(|x| apart("", None, None, x.values())).collect(),
        Section::Structure => {
            model.structures.iter().map(|x| apart("", None, None, x.fields.values())).collect()
        }
        Section::Cable => model.cables.iter().map(|x| apart("", None, None, x.values())).collect(),
        Section::Superelement => {
            model.superelements.iter().map(|x| apart("", None, None, x.fields.values())).collect()
        }
        Section::Body => {
            model.bodies[..model.own_bodies()].iter().map(|x| apart("", None, None, x.values())).collect()
        }
        Section::Marker => model.markers.iter().map(|x| apart("", None, None, x.values())).collect(),
        Section::Joint => {
            let joints: Vec<Apart<'_>> = elements!(joints, model.own_joints());
            let more = model.joints.iter().map(|joint| {
                let coordinates = joint.kind.element().coordinates();
                (joint.start.values(), joint.fittings.values(coordinates))
            });
            let with = |(apart, (start, fitting))| Apart { start, fitting, ..apart };
            joints.into_iter().zip(more).map(with).collect()
        }
        Section::Driver => elements!(drivers, model.drivers.len()),
        Section::Force => elements!(forces, model.own_forces()),
        Section::Measure => elements!(measures, model.measures.len()),
        Section::State => model.states.iter().map(|x| apart("", None, None, x.values())).collect(),
        Section::Controller => {
            let all = model.controllers.iter();
            all.map(|x| apart(x.kind.tag(), Some(&x.name), None, x.kind.values())).collect()
        }
        Section::Event => model.events.iter().map(|x| apart("", None, None, x.values())).collect(),
        Section::Input => model.inputs.iter().map(|x| apart("", None, None, x.values())).collect(),
        Section::Substructure => {
            model.substructures.iter().map(|x| apart("", None, None, x.values())).collect()
        }
        Section::Road => {
            model.roads.iter().map(|x| apart(x.kind.tag(), Some(&x.name), None, x.kind.values())).collect()
        }
        Section::Shape => model.shapes[..model.own_shapes()]
            .iter()
            .map(|x| apart(x.kind.tag(), None, Some(&x.ends), x.kind.values()))
            .collect(),
    }
}
