//! Beams as the page draws them.

use super::data::Beam;
use crate::scene::{self, SceneBeam};
use kingpin::model::{self, Orientation, Space};

/// All beams, those with corners in parts.
pub(super) fn beams(model: &model::Model) -> Vec<Beam> {
    let page = |(number, beam): (usize, SceneBeam)| {
        let outline = beam.outlines[0].clone();
        let same = beam.outlines.iter().all(|other| *other == outline);
        Beam {
            name: beam.name,
            rest: beam.nodes.iter().map(|&node| pose(&model.bodies[node], model.space)).collect(),
            nodes: beam.nodes,
            order: beam.order,
            outline,
            outlines: if same { Vec::new() } else { beam.outlines },
            modulus: beam.modulus,
            colour: model.beams[number].colour.clone(),
        }
    };
    scene::beams(model).into_iter().map(page).collect()
}

/// A pose as channels have it.
fn pose(body: &model::Body, space: Space) -> Vec<f64> {
    match (space, body.orientation) {
        (Space::Planar, _) => vec![body.position.x, body.position.y, body.angle],
        (_, Orientation::EulerParameters(p)) => body.position.iter().copied().chain(p).collect(),
        _ => Vec::new(),
    }
}
