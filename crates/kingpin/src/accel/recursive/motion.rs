//! The tree at an instant: what all recursive solvers share.

use super::super::elimination::VANISHING;
use super::super::problem::{Numbers, Problem};
use super::articulated::Weightless;
use super::cut::Cut;
use super::kernel::{JointColumn, centrifugal, motion_at, pack, put_narrow, unpack, wide};
use super::mobility::Mobility;
use super::multipliers::dependent;
use super::null_space::NullSpace;
use super::pose::{self, LinkState};
use super::tree::{LinkTree, TreeLink};
use crate::linalg::ZeroPivot;
use crate::linalg::lanes::Lanes;
use crate::spatial::{add, apply_t};
use crate::system::System;

/// The tree at an instant.
#[derive(Clone, Debug)]
pub(super) struct TreeMotion<const N: usize> {
    pub tree: LinkTree,
    pub cut: Cut,
    pub nodes: Vec<LinkState<N>>,
    pub columns: Vec<JointColumn<N>>,
    /// Null spaces of algebraic joints, in the order of links.
    splits: Vec<NullSpace<N>>,
}

impl<const N: usize> TreeMotion<N> {
    pub fn new(system: &System, problem: &Problem) -> TreeMotion<N> {
        let tree = LinkTree::new(system, problem, problem.spanning());
        let cut = Cut::new(problem, &tree);
        let mut columns = vec![JointColumn::ZERO; tree.columns];
        for link in &tree.links {
            // columns along the axes of space stay what they are: the last for joints, the first for points
            let point = link.mobility == Mobility::Point;
            for (k, column) in columns[link.columns.clone()].iter_mut().rev().enumerate() {
                column.h[if point { link.width } else { N } - 1 - k] = 1.0;
            }
        }
        let algebraic = |link: &&TreeLink| link.mobility == Mobility::Algebraic;
        let splits = vec![NullSpace::ZERO; tree.links.iter().filter(algebraic).count()];
        TreeMotion { nodes: vec![LinkState::ZERO; tree.links.len()], columns, splits, cut, tree }
    }

    /// Whether all joints are known by their articulation, and none by the null space of its equations.
    pub fn is_articulated(&self) -> bool {
        self.splits.is_empty()
    }

    /// Groups of the system whose equations accelerations depend on.
    pub fn needs(&self, system: &System) -> Vec<usize> {
        let algebraic = |link: &TreeLink| {
            link.hold.filter(|_| link.mobility == Mobility::Algebraic).map(|hold| hold.group)
        };
        // inertances come behind all joints
        let cuts = self.tree.cuts.iter().copied().filter(|&group| group < system.layout.groups.len());
        self.tree.links.iter().filter_map(algebraic).chain(cuts).collect()
    }

    /// Places all links at an instant, outward: reference points, free motions h and biases c from joints, or from the null
    /// space of their blocks; inertias and forces about the reference points.
    #[inline(always)]
    pub fn placed(&mut self, problem: &Problem, n: &Numbers) -> Result<&mut Self, ZeroPivot> {
        let links = &self.tree.links;
        let (mut splits, mut room) = (self.splits.iter_mut(), [0.0; N]);
        for (k, link) in links.iter().enumerate() {
            let (before, rest) = self.nodes.split_at_mut(k);
            let Some(node) = rest.first_mut() else { continue };
            let body = &n.bodies[link.body];
            let mut split = None;
            if let (Mobility::Algebraic, Some(hold)) = (&link.mobility, &link.hold) {
                let block = &n.phi_v[hold.at..hold.at + hold.rows * N];
                let found = NullSpace::of(block, &body.a, VANISHING).map_err(|e| dependent(hold, &e))?;
                split = splits.next().map(|room| &*{
                    *room = found;
                    room
                });
            }
            let inboard = pose::inboard(link, links, n.bodies, before);
            let columns = &mut self.columns[link.columns.clone()];
            pose::place(link, n.bodies, inboard, n.gamma, split, node, columns);
            let force = wide(n.force, link.v, link.width, &mut room);
            pose::load(&problem.inertia[link.body], force, body, node);
        }
        Ok(self)
    }

    /// Accelerations of centres of mass, turning in the axes of the bodies.
    #[inline(always)]
    pub fn unload<L: Lanes>(&self, lanes: L, n: &Numbers, acc: &mut [f64]) {
        for (link, node) in self.tree.links.iter().zip(&self.nodes) {
            put_narrow(&at_centre(lanes, n, link, node), &mut acc[link.v..link.v + link.width]);
        }
    }

    /// The joint at which a coordinate without inertia shows.
    pub fn weightless(&self, e: &Weightless) -> ZeroPivot {
        let block = self.tree.links[e.link].hold.map_or(usize::MAX, |hold| hold.group);
        ZeroPivot { block, row: 0, pivot: e.pivot, scale: 1.0 }
    }
}

/// The acceleration of the centre of mass of a link, turning in the axes of the body.
#[inline(always)]
pub(super) fn at_centre<L: Lanes, const N: usize>(
    lanes: L,
    n: &Numbers,
    link: &TreeLink,
    node: &LinkState<N>,
) -> [f64; N] {
    let at_centre = motion_at(lanes, &node.a, &node.rho);
    let (lin, ang) = unpack::<N>(&at_centre);
    let lin = add(&lin, &centrifugal::<N>(&node.w, &node.rho));
    let ang = if N == 6 { apply_t(&n.bodies[link.body].a, &ang) } else { ang };
    pack::<N>(&lin, &ang)
}
