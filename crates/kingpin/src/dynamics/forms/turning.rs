//! Stiffness that turns with what it belongs to.
//!
//! A beam is stiff along itself. Where it turns in a step, so does that direction, and a matrix made at the start would have
//! stages move along directions that are stiff by now: the iteration of a stage that has turned by a tenth of a radian
//! diverges. Turned with each node, the matrix stays what it was, whatever turn a step makes. So forces that a stage lacks
//! are turned back to the axes of the start, and changes solved for there are turned forth with the node.

use super::chart::Chart;
use crate::spatial::{apply, apply_t};
use crate::system::System;

/// The nodes whose stiffness turns with them.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct Turning {
    nodes: Vec<usize>,
    /// Where the velocities of each begin.
    starts: Vec<usize>,
    d: usize,
}

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Back,
    Forth,
}

impl Turning {
    /// Nodes of beams, frames and interfaces of flexible bodies.
    pub fn new(system: &System) -> Self {
        let mut nodes: Vec<usize> =
            system.beams.iter().flat_map(|beam| beam.bodies.iter().copied()).collect();
        for body in &system.floating {
            let own = body.interfaces.iter().copied().chain([body.frame]);
            nodes.extend(own.filter(|&node| system.nodes[node].turns()));
        }
        nodes.sort_unstable();
        nodes.dedup();
        let starts = nodes.iter().map(|&node| system.nodes[node].v).collect();
        Self { nodes, starts, d: system.dimensions() }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Those of which all coordinates are among some of all.
    pub fn among(&self, some: &[usize]) -> Self {
        let own = if self.d == 2 { 3 } else { 6 };
        let all = |at: usize| (at..at + own).all(|c| some.binary_search(&c).is_ok());
        let kept = self.nodes.iter().zip(&self.starts).filter(|(_, at)| all(**at));
        let (nodes, starts) = kept.map(|(&node, &at)| (node, at)).unzip();
        Self { nodes, starts, d: self.d }
    }

    /// Forces on the coordinates x of a stage as forces on those of the start, in place. O(nodes of beams).
    pub fn back(&self, chart: &Chart, x: [&[f64]; 2], force: &mut [f64]) {
        self.turn(chart, x, force, Way::Back);
    }

    /// Changes of the coordinates of the start as changes of those of a stage. O(nodes of beams).
    pub fn forth(&self, chart: &Chart, x: [&[f64]; 2], change: &mut [f64]) {
        self.turn(chart, x, change, Way::Forth);
    }

    fn turn(&self, chart: &Chart, [start, stage]: [&[f64]; 2], list: &mut [f64], way: Way) {
        for (&node, &at) in self.nodes.iter().zip(&self.starts) {
            if self.d == 2 {
                let angle = stage[at + 2] - start[at + 2];
                let (sine, cosine) = if way == Way::Forth { angle } else { -angle }.sin_cos();
                let [x, y] = [list[at], list[at + 1]];
                (list[at], list[at + 1]) = (cosine * x - sine * y, sine * x + cosine * y);
                continue;
            }
            let Some((global, own)) = chart.turned(node, stage) else { continue };
            let (place, turn) = list[at..at + 6].split_at_mut(3);
            let (p, w) = ([place[0], place[1], place[2]], [turn[0], turn[1], turn[2]]);
            let (p, w) = match way {
                Way::Forth => (apply(&global, &p), own.solve(&w)),
                Way::Back => (apply_t(&global, &p), own.solve_transposed(&w)),
            };
            place.copy_from_slice(&p);
            turn.copy_from_slice(&w);
        }
    }
}
