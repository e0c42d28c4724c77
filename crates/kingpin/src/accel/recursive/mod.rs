//! Accelerations in joint coordinates: recursion along a spanning tree, equations outside it by multipliers
//! [Negrut 1998, section 3.4.3].
//!
//! Bodies are numbered from the ground outward; each has the coordinates that its inboard joint leaves free.
//! [`Recursive`] eliminates them without forming a matrix, in time proportional to the bodies and to the cube of
//! the equations outside the tree. [`InJoints`] forms the composite inertia matrix first, sparse or dense.

mod articulated;
mod branches;
mod composite;
mod cut;
mod equations;
mod hold;
mod in_joints;
mod kernel;
mod matrix;
mod mobility;
mod motion;
mod multipliers;
mod null_space;
mod pose;
mod stages;
mod tree;

use super::accelerator::{NoSolution, Solve};
use super::method::SolverEntry;
use super::problem::{Numbers, Problem};
use crate::linalg::ZeroPivot;
use crate::linalg::lanes::{Lanes, Machine, on_machine};
use crate::system::System;
use cut::CutWork;
pub use equations::JointEquations;
pub(super) use hold::is_holding;
use in_joints::InJoints;
use motion::TreeMotion;

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
            ) -> Result<(), NoSolution> {
                #[inline(always)]
                fn react<L: Lanes>(
                    lanes: L,
                    this: &mut $solver<$n>,
                    problem: &Problem,
                    n: &Numbers,
                    acc: &[f64],
                    lam: &mut [f64],
                ) -> Result<(), ZeroPivot> {
                    let (m, mut wrench) = (&this.motion, std::mem::take(&mut this.wrench));
                    let (structure, cut) = ((&m.tree, &m.cut), this.cut_multipliers());
                    let done =
                        multipliers::fill(lanes, problem, structure, n, &m.nodes, cut, acc, &mut wrench, lam);
                    this.wrench = wrench;
                    done
                }
                self.accelerate(problem, n, acc, lam)?;
                let (this, acc) = (self, &*acc);
                let done = on_machine!(this.machine, react, (this: &mut $solver<$n>, problem: &Problem, n: &Numbers,
                    acc: &[f64], lam: &mut [f64]) -> Result<(), ZeroPivot>);
                done.map_err(NoSolution::from)
            }

            fn accelerate(
                &mut self,
                problem: &Problem,
                n: &Numbers,
                acc: &mut [f64],
                _: &mut [f64],
            ) -> Result<(), NoSolution> {
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
                if let Some(done) = this.in_branches(problem, n, acc) {
                    return done.map_err(NoSolution::from);
                }
                let done = on_machine!(this.machine, run, (this: &mut $solver<$n>, problem: &Problem, n: &Numbers,
                    acc: &mut [f64]) -> Result<(), ZeroPivot>);
                done.map_err(NoSolution::from)
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
    motion: TreeMotion<N>,
    work: CutWork,
    wrench: Vec<[f64; N]>,
    needs: Vec<usize>,
    machine: Machine,
}

impl<const N: usize> Recursive<N> {
    /// Symbolic phase.
    pub fn new(system: &System, problem: &Problem) -> Recursive<N> {
        let motion = TreeMotion::new(system, problem);
        Recursive {
            work: CutWork::new(&motion.cut, problem.arithmetic),
            wrench: vec![[0.0; N]; motion.tree.links.len()],
            needs: motion.needs(system),
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
        articulated::inward(lanes, &m.tree.links, 0, &mut m.nodes, &mut m.columns)
            .map_err(|e| self.motion.weightless(&e))?;
        let m = &mut self.motion;
        if m.cut.rows > 0 {
            self.work.carry(lanes, (&m.tree, &m.cut), n, &m.nodes, &m.columns);
            self.work.solve(&m.cut)?;
            self.work.apply(lanes, &m.tree, &m.cut, &mut m.columns);
        }
        articulated::outward(lanes, &m.tree.links, (&[], 0), &mut m.nodes, &m.columns);
        m.unload(lanes, n, acc);
        Ok(())
    }

    /// The same branch by branch, if it is large and no joint is outside the tree.
    fn in_branches(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        acc: &mut [f64],
    ) -> Option<Result<(), ZeroPivot>> {
        let m = &mut self.motion;
        let large = m.tree.links.len() > m.tree.grain && m.cut.rows == 0 && m.is_articulated();
        if !large {
            return None;
        }
        let done = branches::accelerate(self.machine, problem, n, m, acc);
        Some(done.map_err(|e| self.motion.weightless(&e)))
    }

    /// Multipliers of the joints outside the tree, as the last solution has them.
    fn cut_multipliers(&self) -> &[f64] {
        &self.work.lam
    }
}

passes!(Recursive, 3 6);

/// Articulated bodies for a system.
pub(super) fn recursive(system: &System, problem: &Problem) -> Box<dyn Solve> {
    if problem.nodes.dimensions() == 3 {
        Box::new(Recursive::<6>::new(system, problem))
    } else {
        Box::new(Recursive::<3>::new(system, problem))
    }
}

/// The matrix of joint coordinates for a system, sparse or dense.
pub(super) fn in_joints(system: &System, problem: &Problem, dense: bool) -> Box<dyn Solve> {
    if problem.nodes.dimensions() == 3 {
        Box::new(InJoints::<6>::new(system, problem, dense))
    } else {
        Box::new(InJoints::<3>::new(system, problem, dense))
    }
}

/// Articulated bodies along the tree.
pub(super) const ARTICULATED: SolverEntry = SolverEntry {
    name: "recursive",
    about: "articulated body algorithm in joint coordinates",
    dense: false,
    storage: |problem| {
        // rows of the equations outside the tree at every body they pass, zeros among them
        let tree = problem.spanning();
        let (m, nv) = (tree.cut_equations as u64, problem.nodes.widest() as u64);
        each(problem) + (nv + 1) * tree.work.sparse.residual.multiply_adds.max(m) + m * m
    },
    build: recursive,
    explained: "\
recursive = articulated body algorithm, ABA, Featherstone, order n
The articulated body algorithm in joint coordinates: one inward and one outward
recursion along the spanning tree. Cost and memory are proportional to the number of
bodies, so it is the fastest solver for chains and trees. Cut joints are closed by a
dense system of their equations.
$ kingpin run chain50.toml --solver recursive
> spanning tree, cut joint, solver",
};

/// Composite inertia matrix without fill.
pub(super) const SPARSE: SolverEntry = SolverEntry {
    name: "recursive-sparse",
    about: "sparse mass matrix of joint coordinates without fill",
    dense: false,
    storage: |problem| {
        // the schedule lists block operations: at most one for each multiply-add
        let (tree, steps) = (problem.spanning(), problem.spanning().work.sparse);
        let m = tree.cut_equations as u64;
        let listed = steps.factor.multiply_adds + steps.loops.multiply_adds + steps.product.multiply_adds;
        each(problem) + listed + m * m
    },
    build: |system, problem| in_joints(system, problem, false),
    explained: "\
recursive-sparse = composite rigid body algorithm, CRBA
Factors the mass matrix of joint coordinates, computed by the composite rigid body
algorithm, from the outer bodies inward, which causes no fill. The equations of cut
joints are part of the same sparse factorisation. Often the fastest solver for vehicles
and machines with several loops.
$ kingpin accelerations hmmwv14.toml --solver recursive-sparse
> spanning tree, fill, mass matrix, solver",
};

/// Dense composite inertia matrix.
pub(super) const DENSE: SolverEntry = SolverEntry {
    name: "recursive-dense",
    about: "dense mass matrix of joint coordinates",
    dense: true,
    storage: |problem| {
        let tree = problem.spanning();
        let (n, m) = (tree.coordinates() as u64, tree.cut_equations as u64);
        each(problem) + n * n + n * m + m * m
    },
    build: |system, problem| in_joints(system, problem, true),
    explained: "\
recursive-dense
The mass matrix of joint coordinates as a dense matrix, with a dense system for the
equations of cut joints. Suitable for few coordinates only: the time grows with their
cube.
$ kingpin accelerations four_bar.toml --solver recursive-dense
> recursive-sparse, solver",
};

/// What all of them hold for each body.
fn each(problem: &Problem) -> u64 {
    let nv = problem.nodes.widest() as u64;
    problem.bodies() as u64 * nv * (nv + 4)
}
