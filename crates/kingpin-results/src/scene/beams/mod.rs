//! Beams as they are drawn: nodes from end to end, and a section along them.

mod line;
mod section;
mod skin;

pub(crate) use skin::{Skin, SkinCorner};

use super::{colour, plane_turn};
use kingpin::element::shape::colour as colours;
use kingpin::model::{BeamPart, Model, Orientation, Space};
use line::{Line, Ring};

/// Origin and Euler parameters.
pub(crate) type Pose = ([f64; 3], [f64; 4]);

/// A beam, or a part of it between two corners.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneBeam {
    /// Its name; parts of one beam have the same.
    pub name: String,
    /// Bodies at its nodes, from end to end; x is along the beam.
    pub nodes: Vec<usize>,
    /// Order of its elements.
    pub order: usize,
    /// A closed polygon around the section at each node, [y, z].
    pub outlines: Vec<Vec<[f64; 2]>>,
    /// Places and Euler parameters of its nodes without strain.
    pub rest: Vec<([f64; 3], [f64; 4])>,
    /// Young's modulus, if there is one.
    pub modulus: Option<f64>,
    /// Red, green and blue, 0 to 255.
    pub colour: [u8; 3],
    /// Whether its nodes turn in the plane alone.
    pub planar: bool,
}

/// All beams, those with corners in parts, each with the number of its beam in the model.
pub(crate) fn beams(model: &Model) -> Vec<(usize, SceneBeam)> {
    let mut all = Vec::new();
    for (number, (beam, part)) in model.beams.iter().zip(model.parts()).enumerate() {
        let places = places(model, part);
        let chosen = beam.colour.as_deref().and_then(colours::parse);
        for nodes in runs(model, part) {
            let outline = |&node: &usize| beam.outline(model.space, places[node - part.bodies.start]);
            let Some(outlines) = nodes.iter().map(outline).collect::<Option<Vec<_>>>() else { continue };
            let own = SceneBeam {
                name: beam.name.clone(),
                rest: nodes.iter().map(|&node| pose(model, node)).collect(),
                order: part.order,
                outlines,
                modulus: beam.youngs_modulus,
                colour: chosen.unwrap_or_else(|| colour::of_body(part.bodies.start)),
                planar: model.space == Space::Planar,
                nodes,
            };
            all.push((number, own));
        }
    }
    all
}

/// Parts of the length at which the nodes are, as chords tell it.
fn places(model: &Model, part: &BeamPart) -> Vec<f64> {
    let bodies = &model.bodies[part.bodies.clone()];
    let mut sums = vec![0.0];
    for pair in bodies.windows(2) {
        sums.push(sums[sums.len() - 1] + (pair[1].position - pair[0].position).norm());
    }
    let length = sums.last().copied().filter(|length| *length > 0.0).unwrap_or(1.0);
    sums.into_iter().map(|s| s / length).collect()
}

/// Nodes of the elements that share nodes: from corner to corner.
fn runs(model: &Model, part: &BeamPart) -> Vec<Vec<usize>> {
    let mut runs: Vec<Vec<usize>> = Vec::new();
    let mut next = part.bodies.start;
    for span in &model.spans[part.spans.clone()] {
        let last = runs.last().and_then(|run| run.last()).map(|&node| model.bodies[node].name.as_str());
        let goes_on = last.is_some() && last == span.bodies.first().map(String::as_str);
        if !goes_on {
            runs.push(Vec::new());
        }
        let new = span.bodies.len() - usize::from(goes_on);
        if let Some(run) = runs.last_mut() {
            run.extend(next..next + new);
        }
        next += new;
    }
    runs
}

/// Where a node is at rest.
fn pose(model: &Model, node: usize) -> Pose {
    let body = &model.bodies[node];
    let p = match (model.space, body.orientation) {
        (Space::Spatial, Orientation::EulerParameters(p)) => p,
        (Space::Spatial, _) => [1.0, 0.0, 0.0, 0.0],
        (Space::Planar, _) => plane_turn(body.angle),
    };
    (body.position.into(), p)
}
