//! The same for elements of beams of several orders: curved and twisted at rest, with nodes off the centres of mass of
//! their bodies, with coupled sections, with and without damping; two of them share a node.

use super::common::{Random, random_body};
use super::{SPACES, gauntlet_of};
use kingpin::model::{Model, Space, Span};

const STATES: usize = 12;

/// A section that couples everything.
fn section(random: &mut Random) -> [[f64; 6]; 6] {
    let root: [[f64; 6]; 6] = std::array::from_fn(|_| std::array::from_fn(|_| random.signed()));
    let mut c = [[0.0; 6]; 6];
    for i in 0..6 {
        for j in 0..6 {
            c[i][j] = (0..6).map(|k| root[i][k] * root[j][k]).sum();
        }
        c[i][i] += 0.5;
    }
    c
}

fn beam(space: Space, order: usize, random: &mut Random) -> Model {
    let mut model = Model::new("beam", space);
    for k in 0..=order + 1 {
        let mut body = random_body(&format!("n{k}"), space, random);
        if random.below(3) == 0 {
            body.com = None;
        }
        model.body(body);
    }
    let mut span = |name: &str, bodies: Vec<String>| {
        let damping = [0.0, random.between(0.1, 1.0)][random.below(2)];
        let (length, sections) = (random.between(0.5, 3.0), [1, bodies.len() - 1][random.below(2)]);
        let stiffness = (0..sections).map(|_| section(random)).collect();
        model.span(Span { name: name.into(), bodies, length, stiffness, damping });
    };
    // from the far end, so that the order of bodies is not that of nodes
    span("beam.1", (1..=order + 1).rev().map(|k| format!("n{k}")).collect());
    span("beam.2", vec!["n0".into(), "n1".into()]);
    model
}

#[test]
fn every_order() {
    for space in SPACES {
        for order in 1..=4 {
            let mut random = Random::new(41 + order as u64);
            let what = format!("beam of order {order} ({space:?})");
            gauntlet_of(STATES, &what, &mut random, |random| beam(space, order, random));
        }
    }
}
