//! The spanning tree that the recursive solvers follow, and the equations that it leaves out.

use super::super::problem::Problem;
use super::hold::Hold;
use super::mobility::Mobility;
use super::stages::Stages;
use crate::linalg::{Branches, NO_PARENT};
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
    /// Branches of the tree that threads can do at once: where each begins, in order, and the end of all. The trunk
    /// comes before them. Empty where there are none.
    pub branches: Vec<usize>,
    /// Pieces of the trunk.
    pub stages: Stages,
    /// Links of a piece of work, at most.
    pub grain: usize,
}

impl LinkTree {
    /// The tree of a problem, compiled for its system.
    pub fn new(system: &System, problem: &Problem, spanning: &SpanningTree) -> LinkTree {
        let (link_of, grain) = (vec![GROUND; problem.bodies() + 1], system.grain);
        let mut tree = LinkTree { link_of, grain, ..LinkTree::default() };
        let cut = branches(spanning, grain);
        let order = if cut.ends.is_empty() {
            (0..).zip(&spanning.order).map(|(k, _)| k).collect()
        } else {
            cut.order
        };
        for body in order.iter().rev().map(|&k| spanning.order[k as usize]) {
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
        // what is eliminated last is inboard of all others
        tree.branches = cut.ends.iter().rev().map(|end| tree.links.len() - end).collect();
        tree.branches.extend((!cut.ends.is_empty()).then_some(tree.links.len()));
        tree.stages = Stages::new(&tree.links, &tree.link_of, tree.trunk(), grain);
        tree.cuts = spanning.cut.iter().copied().filter(|&g| !problem.groups[g].is_empty()).collect();
        tree
    }

    /// Links of the trunk: all of them if there are no branches.
    pub fn trunk(&self) -> usize {
        self.branches.first().copied().unwrap_or(self.links.len())
    }

    /// The branches.
    pub fn all_branches(&self) -> Range<usize> {
        0..self.branches.len().saturating_sub(1)
    }
}

/// Branches of a spanning tree, along its order of elimination.
fn branches(spanning: &SpanningTree, grain: usize) -> Branches {
    let mut place = vec![NO_PARENT; spanning.inboard.len()];
    spanning.order.iter().enumerate().for_each(|(k, &body)| place[body] = k as u32);
    let parent = |&body: &usize| spanning.inboard[body].map_or(NO_PARENT, |inboard| place[inboard]);
    let parents: Vec<u32> = spanning.order.iter().map(parent).collect();
    Branches::cut(&parents, &vec![1.0; parents.len()], grain)
}
