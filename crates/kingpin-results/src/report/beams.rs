//! Beams as the page draws them.

use super::data::Beam;
use kingpin::model::{self, Orientation, Space};

/// All beams, those with corners in parts.
pub(super) fn beams(model: &model::Model) -> Vec<Beam> {
    let mut all = Vec::new();
    for (beam, part) in model.beams.iter().zip(model.parts()) {
        let places = places(model, part);
        for nodes in runs(model, part) {
            let outlines: Vec<Vec<[f64; 2]>> = nodes
                .iter()
                .filter_map(|&node| beam.outline(model.space, places[node - part.bodies.start]))
                .collect();
            let Some(outline) = outlines.first().cloned().filter(|_| outlines.len() == nodes.len()) else {
                continue;
            };
            let same = outlines.iter().all(|other| *other == outline);
            all.push(Beam {
                name: beam.name.clone(),
                rest: nodes.iter().map(|&node| pose(&model.bodies[node], model.space)).collect(),
                nodes,
                order: part.order,
                outline,
                outlines: if same { Vec::new() } else { outlines },
                modulus: beam.youngs_modulus,
                colour: beam.colour.clone(),
            });
        }
    }
    all
}

/// Parts of the length at which the nodes are, as chords tell it.
fn places(model: &model::Model, part: &model::BeamPart) -> Vec<f64> {
    let bodies = &model.bodies[part.bodies.clone()];
    let mut sums = vec![0.0];
    for pair in bodies.windows(2) {
        sums.push(sums[sums.len() - 1] + (pair[1].position - pair[0].position).norm());
    }
    let length = sums.last().copied().filter(|length| *length > 0.0).unwrap_or(1.0);
    sums.into_iter().map(|s| s / length).collect()
}

/// Nodes of the elements that share nodes: from corner to corner.
fn runs(model: &model::Model, part: &model::BeamPart) -> Vec<Vec<usize>> {
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

/// A pose as channels have it.
fn pose(body: &model::Body, space: Space) -> Vec<f64> {
    match (space, body.orientation) {
        (Space::Planar, _) => vec![body.position.x, body.position.y, body.angle],
        (_, Orientation::EulerParameters(p)) => body.position.iter().copied().chain(p).collect(),
        _ => Vec::new(),
    }
}
