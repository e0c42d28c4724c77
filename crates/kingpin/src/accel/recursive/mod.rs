//! Accelerations in joint coordinates: recursion along a spanning tree, equations outside it by multipliers
//! [thesis, section 3.4.3].
//!
//! Bodies are numbered from the ground outward; each has the coordinates that its inboard joint leaves free.
//! [`Recursive`] eliminates them without forming a matrix, in time proportional to the bodies and to the cube of
//! the equations outside the tree.

mod articulated;
mod articulation;
mod cut;
mod kernel;
mod multipliers;
mod null_space;
mod pose;
mod tree;

use super::accelerator::Solve;
use super::elimination::VANISHING;
use super::problem::{Numbers, Problem};
use crate::linalg::ZeroPivot;
use crate::linalg::lanes::{Lanes, Machine, on_machine};
use crate::spatial::{add, apply_t};
use crate::system::System;
use articulated::Weightless;
use articulation::Articulation;
use cut::{Cut, CutWork};
use kernel::{Column, centrifugal, motion_at, pack, unpack};
use multipliers::dependent;
use null_space::Split;
use pose::Node;
use tree::{Link, Tree};

/// Articulated bodies along the tree, dense Cholesky for the equations outside it.
pub(super) struct Recursive<const N: usize> {
    motion: Motion<N>,
    work: CutWork,
    wrench: Vec<[f64; N]>,
    needs: Vec<usize>,
    machine: Machine,
}

/// The tree at an instant.
#[derive(Clone, Debug)]
struct Motion<const N: usize> {
    tree: Tree,
    cut: Cut,
    nodes: Vec<Node<N>>,
    columns: Vec<Column<N>>,
    /// Null spaces of algebraic joints, in the order of links.
    splits: Vec<Split<N>>,
}

impl<const N: usize> Motion<N> {
    fn new(system: &System, problem: &Problem) -> Motion<N> {
        let tree = Tree::new(system, problem);
        let cut = Cut::new(problem, &tree);
        let mut columns = vec![Column::ZERO; tree.columns];
        for link in &tree.links {
            // columns along the axes of space stay what they are
            for (k, column) in columns[link.columns.clone()].iter_mut().rev().enumerate() {
                column.h[N - 1 - k] = 1.0;
            }
        }
        let algebraic = |link: &&Link| link.articulation == Articulation::Algebraic;
        let splits = vec![Split::ZERO; tree.links.iter().filter(algebraic).count()];
        Motion { nodes: vec![Node::ZERO; tree.links.len()], columns, splits, cut, tree }
    }

    /// Groups whose equations accelerations depend on.
    fn needs(&self) -> Vec<usize> {
        let algebraic = |link: &Link| {
            link.hold.filter(|_| link.articulation == Articulation::Algebraic).map(|hold| hold.group)
        };
        self.tree.links.iter().filter_map(algebraic).chain(self.tree.cuts.iter().copied()).collect()
    }

    /// Places all links at an instant.
    #[inline(always)]
    fn place(&mut self, problem: &Problem, n: &Numbers) -> Result<(), ZeroPivot> {
        let links = &self.tree.links;
        let mut splits = self.splits.iter_mut();
        for (k, link) in links.iter().enumerate() {
            let (before, rest) = self.nodes.split_at_mut(k);
            let Some(node) = rest.first_mut() else { continue };
            let body = &n.bodies[link.body];
            let mut split = None;
            if let (Articulation::Algebraic, Some(hold)) = (&link.articulation, &link.hold) {
                let block = &n.phi_v[hold.before * N..(hold.before + hold.rows) * N];
                let found = Split::of(block, &body.a, VANISHING).map_err(|e| dependent(hold, &e))?;
                split = splits.next().map(|room| &*{
                    *room = found;
                    room
                });
            }
            let inboard = pose::inboard(link, links, n.bodies, before);
            let columns = &mut self.columns[link.columns.clone()];
            pose::place(link, n.bodies, inboard, n.gamma, split, node, columns);
            let force = &n.force[link.body * N..(link.body + 1) * N];
            pose::load(&problem.inertia[link.body], force, body, node);
        }
        Ok(())
    }

    /// Accelerations of centres of mass, turning in the axes of the bodies.
    #[inline(always)]
    fn unload<L: Lanes>(&self, lanes: L, n: &Numbers, acc: &mut [f64]) {
        for (link, node) in self.tree.links.iter().zip(&self.nodes) {
            let at_centre = motion_at(lanes, &node.a, &node.rho);
            let (lin, ang) = unpack::<N>(&at_centre);
            let lin = add(&lin, &centrifugal(&node.w, &node.rho));
            let ang = if N == 6 { apply_t(&n.bodies[link.body].a, &ang) } else { ang };
            acc[link.body * N..(link.body + 1) * N].copy_from_slice(&pack::<N>(&lin, &ang));
        }
    }

    /// The joint at which a coordinate without inertia shows.
    fn weightless(&self, e: &Weightless) -> ZeroPivot {
        let block = self.tree.links[e.link].hold.map_or(usize::MAX, |hold| hold.group);
        ZeroPivot { block, row: 0, pivot: e.pivot, scale: 1.0 }
    }
}

impl<const N: usize> Recursive<N> {
    /// Symbolic phase.
    pub fn new(system: &System, problem: &Problem) -> Recursive<N> {
        let motion = Motion::new(system, problem);
        Recursive {
            work: CutWork::new(&motion.cut),
            wrench: vec![[0.0; N]; motion.tree.links.len()],
            needs: motion.needs(),
            machine: Machine::detect(),
            motion,
        }
    }

    #[inline(always)]
    fn run<L: Lanes>(
        &mut self,
        lanes: L,
        problem: &Problem,
        n: &Numbers,
        acc: &mut [f64],
    ) -> Result<(), ZeroPivot> {
        self.motion.place(problem, n)?;
        let m = &mut self.motion;
        articulated::inward(lanes, &m.tree.links, &mut m.nodes, &mut m.columns)
            .map_err(|e| self.motion.weightless(&e))?;
        let m = &mut self.motion;
        if m.cut.rows > 0 {
            self.work.carry(lanes, (&m.tree, &m.cut), n, &m.nodes, &m.columns);
            self.work.solve(&m.cut)?;
            self.work.apply(lanes, &m.tree, &m.cut, &mut m.columns);
        }
        articulated::outward(lanes, &m.tree.links, &mut m.nodes, &m.columns);
        m.unload(lanes, n, acc);
        Ok(())
    }

    #[inline(always)]
    fn react<L: Lanes>(
        &mut self,
        lanes: L,
        problem: &Problem,
        n: &Numbers,
        acc: &[f64],
        lam: &mut [f64],
    ) -> Result<(), ZeroPivot> {
        let m = &self.motion;
        let (structure, cut_lam) = ((&m.tree, &m.cut), &self.work.lam);
        multipliers::fill(lanes, problem, structure, n, &m.nodes, cut_lam, acc, &mut self.wrench, lam)
    }
}

/// The two passes compiled for what the machine has.
macro_rules! passes {
    ($($n:literal)*) => {$(
        impl Solve for Recursive<$n> {
            fn solve(&mut self, problem: &Problem, n: &Numbers, acc: &mut [f64], lam: &mut [f64]) -> Result<(), ZeroPivot> {
                self.accelerate(problem, n, acc, lam)?;
                let this = self;
                let acc = &*acc;
                fn react<L: Lanes>(lanes: L, this: &mut Recursive<$n>, problem: &Problem, n: &Numbers, acc: &[f64], lam: &mut [f64]) -> Result<(), ZeroPivot> {
                    this.react(lanes, problem, n, acc, lam)
                }
                on_machine!(this.machine, react,
                    (this: &mut Recursive<$n>, problem: &Problem, n: &Numbers, acc: &[f64], lam: &mut [f64]) -> Result<(), ZeroPivot>)
            }

            fn accelerate(&mut self, problem: &Problem, n: &Numbers, acc: &mut [f64], _: &mut [f64]) -> Result<(), ZeroPivot> {
                let this = self;
                #[inline(always)]
                fn run<L: Lanes>(lanes: L, this: &mut Recursive<$n>, problem: &Problem, n: &Numbers, acc: &mut [f64]) -> Result<(), ZeroPivot> {
                    this.run(lanes, problem, n, acc)
                }
                on_machine!(this.machine, run,
                    (this: &mut Recursive<$n>, problem: &Problem, n: &Numbers, acc: &mut [f64]) -> Result<(), ZeroPivot>)
            }

            fn needs(&self) -> Option<&[usize]> {
                Some(&self.needs)
            }
        }
    )*};
}
passes!(3 6);

/// The solver for a system, by its velocities per body.
pub(super) fn recursive(system: &System, problem: &Problem) -> Box<dyn Solve> {
    if problem.nv == 6 {
        Box::new(Recursive::<6>::new(system, problem))
    } else {
        Box::new(Recursive::<3>::new(system, problem))
    }
}
