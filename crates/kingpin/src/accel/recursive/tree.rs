//! The spanning tree that the recursive solvers follow, and the equations that it leaves out.

use super::super::problem::Problem;
use super::articulation::{Articulation, Hold, articulation, hold, is_holding, pair};
use crate::model::finding::Subject;
use crate::system::System;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Marks ground as inboard body.
pub(super) const GROUND: usize = usize::MAX;

/// A body with the joint that holds it.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// The body.
    pub body: usize,
    /// The link inboard, or [`GROUND`]; it comes earlier.
    pub inboard: usize,
    /// The joint, unless the body floats.
    pub hold: Option<Hold>,
    /// What the joint leaves free.
    pub articulation: Articulation,
    /// Its coordinates among all.
    pub columns: Range<usize>,
}

/// Bodies from the ground outward, every body after the one that carries it: eliminated backwards, the
/// composite inertia matrix has no fill [thesis, Lemma 2].
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub links: Vec<Link>,
    /// The link of each body.
    pub link_of: Vec<usize>,
    /// Groups of equations outside the tree.
    pub cuts: Vec<usize>,
    /// Coordinates in all.
    pub columns: usize,
}

/// Joints with many equations first, then those near the ground, then in order.
type Candidate = (usize, Reverse<usize>, Reverse<usize>, usize);

impl Tree {
    /// The tree with the fewest coordinates, as shallow as that allows. O(joints log joints).
    pub fn new(system: &System, problem: &Problem) -> Tree {
        let bodies = system.bodies();
        // joints of each body, ground last; `None` where a group cannot hold a body
        let mut on: Vec<Vec<usize>> = vec![Vec::new(); bodies + 1];
        let ends: Vec<Option<[usize; 2]>> = (0..problem.groups.len())
            .map(|g| {
                let joint = matches!(system.layout.groups[g].subject, Subject::Joint(_));
                pair(system, g).filter(|_| joint && is_holding(system, problem, g))
            })
            .collect();
        for (g, ends) in ends.iter().enumerate() {
            ends.iter().flatten().for_each(|&b| on[b].push(g));
        }
        let mut parent: Vec<Option<(usize, usize)>> = vec![None; bodies];
        let mut depth = vec![usize::MAX; bodies + 1];
        let mut holds = vec![false; problem.groups.len()];
        let mut hubs: Vec<usize> = (0..bodies).collect();
        hubs.sort_by_key(|&b| Reverse(on[b].len()));
        let mut heap: BinaryHeap<Candidate> = BinaryHeap::new();
        let mut outward: Vec<Vec<usize>> = vec![Vec::new(); bodies + 1];
        for root in std::iter::once(bodies).chain(hubs) {
            if depth[root] != usize::MAX {
                continue;
            }
            depth[root] = 0;
            let offer = |heap: &mut BinaryHeap<Candidate>, body: usize, depth: &[usize]| {
                heap.extend(
                    on[body].iter().map(|&g| (problem.groups[g].len(), Reverse(depth[body]), Reverse(g), body)),
                );
            };
            offer(&mut heap, root, &depth);
            while let Some((_, _, Reverse(g), from)) = heap.pop() {
                let Some([i, j]) = ends[g] else { continue };
                let to = if i == from { j } else { i };
                if depth[to] != usize::MAX {
                    continue;
                }
                (depth[to], parent[to], holds[g]) = (depth[from] + 1, Some((from, g)), true);
                outward[from].push(to);
                offer(&mut heap, to, &depth);
            }
            if root != bodies {
                outward[bodies].push(root);
            }
        }
        let mut tree = Tree { link_of: vec![GROUND; bodies + 1], ..Tree::default() };
        // depth first, so that the bodies carried by one are its neighbours
        let mut stack: Vec<usize> = outward[bodies].iter().rev().copied().collect();
        while let Some(body) = stack.pop() {
            tree.add(system, problem, body, parent[body]);
            stack.extend(outward[body].iter().rev());
        }
        tree.cuts = (0..holds.len()).filter(|&g| !holds[g] && !problem.groups[g].is_empty()).collect();
        tree
    }

    fn add(&mut self, system: &System, problem: &Problem, body: usize, parent: Option<(usize, usize)>) {
        let n = problem.nv;
        let hold = parent.and_then(|(_, g)| hold(system, problem, g, body));
        let articulation =
            hold.map_or(Articulation::Free, |h| articulation(system, problem, h.group, body));
        let inboard = parent.map_or(GROUND, |(from, _)| self.link_of[from]);
        let first = self.columns;
        self.columns += articulation.freedoms(n, hold.map_or(0, |h| h.rows));
        self.link_of[body] = self.links.len();
        self.links.push(Link { body, inboard, hold, articulation, columns: first..self.columns });
    }

    /// Equations outside the tree.
    pub fn cut_rows(&self, problem: &Problem) -> usize {
        self.cuts.iter().map(|&g| problem.groups[g].len()).sum()
    }
}
