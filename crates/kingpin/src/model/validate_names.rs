//! Names of items.

use super::finding::{Finding, Subject};
use super::{GROUND, Model};
use std::collections::HashMap;

/// Names must be there, be unique, and not be `ground`.
pub(super) fn errors(model: &Model, findings: &mut Vec<Finding>) {
    let mut check = |(what, all): (&str, &str), items: &mut dyn Iterator<Item = (Subject, &String)>| {
        let mut seen: HashMap<&String, Subject> = HashMap::new();
        for (subject, name) in items {
            if name.is_empty() {
                findings.push(Finding::error(subject, "name", format!("{what} must have a name")));
            } else if matches!(subject, Subject::Body(_)) && name == GROUND {
                let message = "`ground` is the fixed body; it always exists and needs no entry";
                findings.push(Finding::error(subject, "name", message));
            } else if let Some(first) = seen.get(name) {
                let message = format!("there are two {all} called `{name}`");
                findings.push(
                    Finding::error(subject, "name", message).related(first.clone(), "the first one is here"),
                );
            } else {
                seen.insert(name, subject);
            }
        }
    };
    check(
        ("a body", "bodies"),
        &mut model.bodies.iter().enumerate().map(|(k, x)| (Subject::Body(k), &x.name)),
    );
    check(("a beam", "beams"), &mut model.beams.iter().enumerate().map(|(k, x)| (Subject::Beam(k), &x.name)));
    let flexible = model.superelements.iter().enumerate();
    check(
        ("a superelement", "superelements"),
        &mut flexible.map(|(k, x)| (Subject::Superelement(k), &x.fields.name)),
    );
    let structures = model.structures.iter().enumerate();
    check(
        ("a structure", "structures"),
        &mut structures.map(|(k, x)| (Subject::Structure(k), &x.fields.name)),
    );
    check(
        ("a cable", "cables"),
        &mut model.cables.iter().enumerate().map(|(k, x)| (Subject::Cable(k), &x.name)),
    );
    check(
        ("a marker", "markers"),
        &mut model.markers.iter().enumerate().map(|(k, x)| (Subject::Marker(k), &x.name)),
    );
    let joints = model.joints.iter().enumerate().map(|(k, x)| (Subject::Joint(k), &x.name));
    let drivers = model.drivers.iter().enumerate().map(|(k, x)| (Subject::Driver(k), &x.name));
    check(("a joint or driver", "joints or drivers"), &mut joints.chain(drivers));
    check(
        ("a force", "forces"),
        &mut model.forces.iter().enumerate().map(|(k, x)| (Subject::Force(k), &x.name)),
    );
    check(
        ("a measure", "measures"),
        &mut model.measures.iter().enumerate().map(|(k, x)| (Subject::Measure(k), &x.name)),
    );
    check(
        ("an event", "events"),
        &mut model.events.iter().enumerate().map(|(k, x)| (Subject::Event(k), &x.name)),
    );
    check(
        ("an input", "inputs"),
        &mut model.inputs.iter().enumerate().map(|(k, x)| (Subject::Input(k), &x.name)),
    );
    check(
        ("a state", "states"),
        &mut model.states.iter().enumerate().map(|(k, x)| (Subject::State(k), &x.name)),
    );
    check(
        ("a controller", "controllers"),
        &mut model.controllers.iter().enumerate().map(|(k, x)| (Subject::Controller(k), &x.name)),
    );
    check(
        ("a substructure", "substructures"),
        &mut model.substructures.iter().enumerate().map(|(k, x)| (Subject::Substructure(k), &x.name)),
    );
    check(("a road", "roads"), &mut model.roads.iter().enumerate().map(|(k, x)| (Subject::Road(k), &x.name)));
}
