//! Accelerations in joint coordinates: recursion along a spanning tree, equations outside it by multipliers
//! [thesis, section 3.4.3].
//!
//! Bodies are numbered from the ground outward; each has the coordinates that its inboard joint leaves free.
//! [`Recursive`] eliminates them without forming a matrix, in time proportional to the bodies and to the cube of
//! the equations outside the tree. [`InJoints`] forms the composite inertia matrix first, sparse or dense.

mod articulated;
mod articulation;
mod composite;
mod cut;
mod equations;
mod in_joints;
mod kernel;
mod matrix;
mod motion;
mod multipliers;
mod null_space;
mod pose;
mod tree;

use super::accelerator::Solve;
use super::problem::{Numbers, Problem};
use crate::linalg::ZeroPivot;
use crate::linalg::lanes::{Lanes, Machine, on_machine};
use crate::system::System;
pub(super) use articulation::is_holding;
use cut::CutWork;
pub use equations::JointEquations;
use in_joints::InJoints;
use motion::Motion;

/// The two passes of a solver, compiled for what the machine has.
macro_rules! passes {
    ($solver:ident, $($n:literal)*) => {$(
        impl Solve for $solver<$n> {
            fn solve(
                &mut self,
                problem: &Problem,
                n: &Numbers,
                acc: &mut [f64],
                lam: &mut [f64],
            ) -> Result<(), ZeroPivot> {
                #[inline(always)]
                fn react<L: Lanes>(
                    lanes: L,
                    this: &mut $solver<$n>,
                    problem: &Problem,
                    n: &Numbers,
                    acc: &[f64],
                    lam: &mut [f64],
                ) -> Result<(), ZeroPivot> {
                    this.react(lanes, problem, n, acc, lam)
                }
                self.accelerate(problem, n, acc, lam)?;
                let (this, acc) = (self, &*acc);
                on_machine!(this.machine, react, (this: &mut $solver<$n>, problem: &Problem, n: &Numbers,
                    acc: &[f64], lam: &mut [f64]) -> Result<(), ZeroPivot>)
            }

            fn accelerate(
                &mut self,
                problem: &Problem,
                n: &Numbers,
                acc: &mut [f64],
                _: &mut [f64],
            ) -> Result<(), ZeroPivot> {
                #[inline(always)]
                fn run<L: Lanes>(
                    lanes: L,
                    this: &mut $solver<$n>,
                    problem: &Problem,
                    n: &Numbers,
                    acc: &mut [f64],
                ) -> Result<(), ZeroPivot> {
                    this.run(lanes, problem, n, acc)
                }
                let this = self;
                on_machine!(this.machine, run, (this: &mut $solver<$n>, problem: &Problem, n: &Numbers,
                    acc: &mut [f64]) -> Result<(), ZeroPivot>)
            }

            fn needs(&self) -> Option<&[usize]> {
                Some(&self.needs)
            }
        }
    )*};
}
use passes;

/// Articulated bodies along the tree, dense Cholesky for the equations outside it.
pub(super) struct Recursive<const N: usize> {
    motion: Motion<N>,
    work: CutWork,
    wrench: Vec<[f64; N]>,
    needs: Vec<usize>,
    machine: Machine,
}

impl<const N: usize> Recursive<N> {
    /// Symbolic phase.
    pub fn new(system: &System, problem: &Problem) -> Recursive<N> {
        let motion = Motion::new(system, problem);
        Recursive {
            work: CutWork::new(&motion.cut, problem.arithmetic),
            wrench: vec![[0.0; N]; motion.tree.links.len()],
            needs: motion.needs(),
            machine: problem.arithmetic.machine(),
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
        let m = self.motion.placed(problem, n)?;
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

passes!(Recursive, 3 6);

/// Articulated bodies for a system.
pub(super) fn recursive(system: &System, problem: &Problem) -> Box<dyn Solve> {
    if problem.nv == 6 {
        Box::new(Recursive::<6>::new(system, problem))
    } else {
        Box::new(Recursive::<3>::new(system, problem))
    }
}

/// The matrix of joint coordinates for a system, sparse or dense.
pub(super) fn in_joints(system: &System, problem: &Problem, dense: bool) -> Box<dyn Solve> {
    if problem.nv == 6 {
        Box::new(InJoints::<6>::new(system, problem, dense))
    } else {
        Box::new(InJoints::<3>::new(system, problem, dense))
    }
}
