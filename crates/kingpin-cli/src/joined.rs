//! Bodies of several nodes, and mass that couples nodes: what reports say of them.

use crate::naming::body_name;
use crate::report::entry;
use crate::words::{count, many, names, plain};
use kingpin::model::Model;
use kingpin::system::System;
use serde::Serialize;

/// Lines of the report, none for rigid bodies and points alone.
pub fn text(out: &mut String, model: &Model, system: &System) {
    // beams are listed elsewhere
    let own = |body: &kingpin::system::JoinedBody| body.nodes.iter().any(|&node| node < model.own_bodies());
    let mut bodies = system.joined_bodies();
    bodies.retain(own);
    if let [first, ..] = &bodies[..] {
        let nodes: Vec<String> = first.nodes.iter().map(|&k| body_name(system, k).into()).collect();
        let mut remark = format!("{}, connected by {}", plain(&names(&nodes)), elements(model, first));
        if bodies.len() > 1 {
            remark += &format!("; and {} more", count(bodies.len() - 1));
        }
        entry(out, "joined bodies", &count(bodies.len()), &remark);
    }
    if !system.inertances.is_empty() {
        let remark = format!("inertia that couples two nodes, of {}", plain(&names(&sharing(system))));
        entry(out, "inertances", &count(system.inertances.len()), &remark);
    }
}

/// Such as «3 bars».
fn elements(model: &Model, body: &kingpin::system::JoinedBody) -> String {
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    let forces = body.elements.iter().map(|&k| model.forces[k].kind.tag());
    for tag in forces.chain(body.beams.iter().map(|_| "element")) {
        match kinds.iter_mut().find(|(kind, _)| *kind == tag) {
            Some((_, number)) => *number += 1,
            None => kinds.push((tag, 1)),
        }
    }
    kinds.iter().map(|(kind, number)| many(*number, kind)).collect::<Vec<_>>().join(", ")
}

/// The forces that have inertances.
fn sharing(system: &System) -> Vec<String> {
    system
        .forces
        .iter()
        .filter(|force| !force.inertances.is_empty())
        .map(|force| force.name.clone())
        .collect()
}

/// The same as JSON.
#[derive(Serialize)]
pub struct Joined<'a> {
    joined_bodies: Vec<JoinedBody<'a>>,
    inertances: usize,
}

#[derive(Serialize)]
struct JoinedBody<'a> {
    nodes: Vec<&'a str>,
    elements: Vec<&'a str>,
}

/// What is known of a system.
pub fn json(system: &System) -> Joined<'_> {
    let body = |body: &kingpin::system::JoinedBody| JoinedBody {
        nodes: body.nodes.iter().map(|&k| body_name(system, k)).collect(),
        elements: (body.elements.iter().map(|&k| system.forces[k].name.as_str()))
            .chain(body.beams.iter().map(|&k| system.beams[k].name.as_str()))
            .collect(),
    };
    Joined {
        joined_bodies: system.joined_bodies().iter().map(body).collect(),
        inertances: system.inertances.len(),
    }
}
