//! What nodes bodies have, and the state that a model gives them.

use super::{NodeKind, State};
use crate::element::carrier::Carrier;
use crate::element::place::Given;
use crate::model::{Body, Model, Space};
use crate::spatial::V3;

/// The nodes of all bodies; states are the last.
pub(super) fn node_kinds(model: &Model) -> impl Iterator<Item = NodeKind> {
    let masses = model.bodies.len() - model.state_parts().len();
    let kind = move |(k, body)| if k < masses { node_of(body) } else { NodeKind::State };
    model.bodies.iter().enumerate().map(kind)
}

/// The node that a body has.
fn node_of(body: &Body) -> NodeKind {
    match Carrier::of(body) {
        Carrier::Rigid | Carrier::Ground => NodeKind::Frame,
        Carrier::Point if body.scalar => NodeKind::Scalar,
        Carrier::Point => NodeKind::Point,
    }
}

/// Coordinates of the centre of mass, and its velocity, from those of the body frame.
pub(super) fn initial_state(model: &Model, given: &Given, turns: Vec<f64>) -> State {
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for (k, body) in model.bodies.iter().enumerate() {
        let pose = &given.poses[k];
        let w = body.angular_velocity;
        let velocity: V3 = (body.velocity + given.rotations[k] * w.cross(&body.centre())).into();
        if body.point {
            let d = if body.scalar { 1 } else { dimensions(model.space) };
            q.extend(&pose.r[..d]);
            v.extend(&velocity[..d]);
        } else if model.space == Space::Planar {
            q.extend([pose.r[0], pose.r[1], pose.p[0]]);
            v.extend([velocity[0], velocity[1], w.z]);
        } else {
            q.extend(pose.r);
            q.extend(pose.p);
            v.extend(velocity);
            v.extend([w.x, w.y, w.z]);
        }
    }
    let inputs = model.inputs.iter().map(|input| input.value).collect();
    State { t: 0.0, q, v, turns, pieces: Vec::new(), inputs }
}

/// Dimensions of space.
fn dimensions(space: Space) -> usize {
    if space == Space::Planar { 2 } else { 3 }
}

/// One flag per velocity of a body.
pub(super) fn flags(words: &[String], body: &Body, space: Space) -> Vec<bool> {
    let has = |word: &str| words.iter().any(|w| w == word || w == "all");
    let (x, y, z, turn) = (has("x"), has("y"), has("z"), has("rotation"));
    let mut all = match space {
        Space::Planar => vec![x, y, turn],
        Space::Spatial => vec![x, y, z, turn, turn, turn],
    };
    if body.point {
        all.truncate(if body.scalar { 1 } else { dimensions(space) });
    }
    all
}
