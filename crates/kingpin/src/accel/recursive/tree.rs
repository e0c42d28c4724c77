//! The spanning tree that the recursive solvers follow, and the equations that it leaves out.

use super::super::problem::Problem;
use super::hold::Hold;
use super::mobility::Mobility;
use crate::system::System;
use crate::topology::SpanningTree;
use std::ops::Range;

/// Marks ground as inboard body.
pub(super) const GROUND: usize = usize::MAX;

/// A body with the joint that holds it.
#[derive(Clone, Debug)]
pub(super) struct TreeLink {
    /// The body.
    pub body: usize,
    /// The link inboard, or [`GROUND`]; it comes earlier.
    pub inboard: usize,
    /// The joint, unless the body floats.
    pub hold: Option<Hold>,
    /// What the joint leaves free.
    pub mobility: Mobility,
    /// Its coordinates among all.
    pub columns: Range<usize>,
    /// First velocity of the body.
    pub v: usize,
    /// Its velocities.
    pub width: usize,
}

/// Bodies from the ground outward, every body after the one that carries it: eliminated backwards, the
/// composite inertia matrix has no fill [Negrut 1998, Lemma 2].
#[derive(Clone, Debug, Default)]
pub(super) struct LinkTree {
    pub links: Vec<TreeLink>,
    /// The link of each body, ground last.
    pub link_of: Vec<usize>,
    /// Groups of equations outside the tree.
    pub cuts: Vec<usize>,
    /// Coordinates in all.
    pub columns: usize,
}

impl LinkTree {
    /// The tree of a problem, compiled for its system.
    pub fn new(system: &System, problem: &Problem, spanning: &SpanningTree) -> LinkTree {
        let mut tree = LinkTree { link_of: vec![GROUND; problem.bodies() + 1], ..LinkTree::default() };
        for &body in spanning.order.iter().rev() {
            let hold = spanning.link[body].and_then(|group| Hold::of(system, problem, group, body));
            let node = &problem.nodes[body];
            let free = if node.turns() { Mobility::Free } else { Mobility::Point };
            let mobility = hold.map_or(free, |h| Mobility::of(system, problem, h.group, body));
            let inboard = spanning.inboard[body].map_or(GROUND, |from| tree.link_of[from]);
            let first = tree.columns;
            tree.columns += mobility.freedoms(node.nv, hold.map_or(0, |h| h.rows));
            tree.link_of[body] = tree.links.len();
            let columns = first..tree.columns;
            tree.links.push(TreeLink { body, inboard, hold, mobility, columns, v: node.v, width: node.nv });
        }
        tree.cuts = spanning.cut.iter().copied().filter(|&g| !problem.groups[g].is_empty()).collect();
        tree
    }
}
