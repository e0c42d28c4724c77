//! Elements of beams from the spans of a model.

use super::{Nodes, State, in_space};
use crate::element::beam::{BeamElement, BeamRule, Six};
use crate::element::place::Given;
use crate::model::{Model, Space, Span};
use crate::spatial::{BodyState, Coords};
use std::collections::HashMap;
use std::sync::Arc;

/// The entries of a section that models in the plane have: axial, shear y, bending z.
const PLANAR: [usize; 3] = [0, 1, 5];

/// Elements of a model that is known to be sound; its start is their pose without stress.
pub(super) fn compiled(model: &Model, given: &Given, nodes: &Nodes, start: &State) -> Vec<BeamElement> {
    if model.spans.is_empty() {
        return Vec::new();
    }
    in_space!(model.space, C => relaxed::<C>(model, given, nodes, start))
}

fn relaxed<C: Coords>(model: &Model, given: &Given, nodes: &Nodes, start: &State) -> Vec<BeamElement> {
    let placed: Vec<BodyState> = nodes.iter().map(|node| node.state::<C>(&start.q, &start.v)).collect();
    let mut rules: HashMap<usize, Arc<BeamRule>> = HashMap::new();
    let mut element = |span: &Span| {
        let bodies: Vec<usize> = span.bodies.iter().map(|name| given.names.bodies[name]).collect();
        let order = bodies.len() - 1;
        let mut element = BeamElement {
            name: span.name.clone(),
            offsets: bodies.iter().map(|&body| (-model.bodies[body].centre()).into()).collect(),
            rule: rules.entry(order).or_insert_with(|| Arc::new(BeamRule::new(order))).clone(),
            half: 0.5 * span.length,
            stiffness: span.stiffness.iter().map(|own| section(own, model.space)).collect(),
            damping: span.damping,
            rest: Vec::new(),
            bodies,
        };
        element.relax::<C>(&placed);
        element
    };
    model.spans.iter().map(&mut element).collect()
}

/// The stiffness of a section in the numbers of the space.
pub(crate) fn section(all: &[[f64; 6]; 6], space: Space) -> [Six<f64>; 6] {
    if space == Space::Spatial {
        return *all;
    }
    let mut own = [[0.0; 6]; 6];
    for (row, i) in own.iter_mut().zip(PLANAR) {
        row.iter_mut().zip(PLANAR).for_each(|(c, j)| *c = all[i][j]);
    }
    own
}

/// Where the nodes of each element begin, with the end; and the nodes that each body is.
pub(super) fn places<'a>(
    elements: impl Iterator<Item = &'a [usize]>,
    bodies: usize,
) -> (Vec<usize>, (Vec<u32>, Vec<u32>)) {
    let mut starts = vec![0];
    let mut of_bodies = vec![Vec::new(); bodies];
    for nodes in elements {
        let first = starts[starts.len() - 1];
        starts.push(first + nodes.len());
        nodes.iter().enumerate().for_each(|(k, &body)| of_bodies[body].push((first + k) as u32));
    }
    let mut body_starts = vec![0];
    for own in &of_bodies {
        body_starts.push(body_starts[body_starts.len() - 1] + own.len() as u32);
    }
    (starts, (of_bodies.concat(), body_starts))
}
