//! What bodies, joints and forces are called in reports.

use crate::words::{many, plain};
use kingpin::model::{GROUND, Model, Space, Subject};
use kingpin::system::System;

/// Such as «door: spatial, 1 body, 2 joints, 1 force».
pub fn title(model: &Model) -> String {
    // what is made of beams and cables is counted by these
    let mut parts = Vec::new();
    if model.own_bodies() > 0 || !model.has_parts() {
        parts.push(many(model.own_bodies(), "body"));
    }
    if !model.beams.is_empty() {
        parts.push(many(model.beams.len(), "beam"));
    }
    if !model.cables.is_empty() {
        parts.push(many(model.cables.len(), "cable"));
    }
    if !model.superelements.is_empty() {
        parts.push(many(model.superelements.len(), "superelement"));
    }
    if !model.structures.is_empty() {
        parts.push(many(model.structures.len(), "structure"));
    }
    parts.push(many(model.own_joints(), "joint"));
    let others =
        [(model.drivers.len(), "driver"), (model.own_forces(), "force"), (model.events.len(), "event")];
    for (n, noun) in others {
        if n > 0 {
            parts.push(many(n, noun));
        }
    }
    format!("{}: {}, {}", plain(&model.name), space(model), parts.join(", "))
}

/// `planar` or `spatial`.
pub fn space(model: &Model) -> &'static str {
    if model.space == Space::Planar { "planar" } else { "spatial" }
}

/// The type of a joint or driver, as the model file says it.
pub fn type_of(model: &Model, subject: &Subject) -> String {
    match subject {
        Subject::Joint(k) => model.joints[*k].kind.tag().into(),
        Subject::Driver(k) => format!("{} driver", model.drivers[*k].kind.tag()),
        _ => String::new(),
    }
}

/// A body by its number; what is beyond all bodies is ground.
pub fn body_name(system: &System, body: usize) -> &str {
    system.body_names.get(body).map_or(GROUND, String::as_str)
}

/// The bodies that a group of equations is about, ground included.
pub fn bodies_of(system: &System, group: usize) -> Vec<&str> {
    let group = &system.layout.groups[group];
    let places = match group.subject {
        Subject::Joint(k) => system.joint_places[k].as_ref(),
        _ => None,
    };
    match places {
        Some(places) => places.iter().map(|place| body_name(system, place.body)).collect(),
        None => {
            let blocks = &system.layout.blocks[group.blocks.clone()];
            blocks.iter().map(|block| body_name(system, block.body)).collect()
        }
    }
}

/// A setting as an option of the command line: `` `--h-max 0.1` ``.
pub fn option(name: &str, value: &str) -> String {
    let name = match name {
        "rtol" => "tol".into(),
        "most_steps" => "max-steps".into(),
        other => other.replace('_', "-"),
    };
    format!("`--{name} {value}`")
}
