//! Accelerations by the matrix of joint coordinates [Negrut 1998, Algorithm 4].

use super::super::accelerator::{NoSolution, Solve};
use super::super::problem::{Numbers, Problem};
use super::composite::{self, CompositePlaces, links_between};
use super::matrix::Matrix;
use super::motion::TreeMotion;
use super::multipliers;
use crate::linalg::ZeroPivot;
use crate::linalg::lanes::{Lanes, Machine, on_machine};
use crate::system::System;

/// Composite inertia matrix and equations of the cut, formed and solved.
pub(super) struct InJoints<const N: usize> {
    pub motion: TreeMotion<N>,
    pub matrix: Matrix,
    places: CompositePlaces,
    pub values: Vec<f64>,
    /// Forces on the coordinates and right sides of the equations; then their accelerations and multipliers.
    pub x: Vec<f64>,
    carry: Vec<[f64; N]>,
    wrench: Vec<[f64; N]>,
    needs: Vec<usize>,
    machine: Machine,
}

impl<const N: usize> InJoints<N> {
    /// Symbolic phase.
    pub fn new(system: &System, problem: &Problem, dense: bool) -> InJoints<N> {
        let motion = TreeMotion::new(system, problem);
        let (tree, cut) = (&motion.tree, &motion.cut);
        let matrix = if dense {
            Matrix::dense(tree, cut, problem.arithmetic)
        } else {
            let links = |group| links_between(system, problem, tree, group);
            Matrix::sparse(tree, cut, problem.arithmetic, &links)
        };
        let places = CompositePlaces::new(
            system,
            problem,
            (tree, cut),
            &|i, j| matrix.inertia(tree, i, j),
            &|group, link| matrix.equation(tree, cut, group, link),
        );
        let most = cut.groups.iter().map(|g| g.rows.len()).max().unwrap_or(0);
        InJoints {
            values: vec![0.0; matrix.len()],
            x: vec![0.0; tree.columns + cut.rows],
            carry: vec![[0.0; N]; places.longest() * most],
            wrench: vec![[0.0; N]; tree.links.len()],
            needs: motion.needs(system),
            machine: problem.arithmetic.machine(),
            places,
            matrix,
            motion,
        }
    }

    /// Forms the matrix and the right side.
    #[inline(always)]
    fn form<L: Lanes>(&mut self, lanes: L, problem: &Problem, n: &Numbers) -> Result<(), ZeroPivot> {
        let TreeMotion { tree, cut, nodes, columns, .. } = self.motion.placed(problem, n)?;
        let (places, values) = (&self.places, &mut self.values[..]);
        values.fill(0.0);
        let (force, right) = self.x.split_at_mut(tree.columns);
        composite::bias(lanes, &tree.links, nodes);
        composite::equations(lanes, (tree, cut, places), n, nodes, columns, &mut self.carry, values, right);
        composite::inertias(lanes, (tree, places), nodes, columns, values, force);
        Ok(())
    }

    #[inline(always)]
    fn run<L: Lanes>(
        &mut self,
        lanes: L,
        problem: &Problem,
        n: &Numbers,
        acc: &mut [f64],
    ) -> Result<(), ZeroPivot> {
        self.form(lanes, problem, n)?;
        let m = &mut self.motion;
        self.matrix.solve(&m.tree, &m.cut, &mut self.values, &mut self.x)?;
        composite::recover(lanes, &m.tree.links, &mut m.nodes, &m.columns, &self.x[..m.tree.columns]);
        m.unload(lanes, n, acc);
        Ok(())
    }

    /// It has one matrix for all branches.
    fn in_branches(&mut self, _: &Problem, _: &Numbers, _: &mut [f64]) -> Option<Result<(), ZeroPivot>> {
        None
    }

    /// Multipliers of the joints outside the tree, as the last solution has them.
    fn cut_multipliers(&self) -> &[f64] {
        &self.x[self.motion.tree.columns..]
    }
}

/// Forms the equations alone.
macro_rules! forming {
    ($($n:literal)*) => {$(
        impl InJoints<$n> {
            /// Forms matrix and right side at an instant.
            pub fn form_here(&mut self, problem: &Problem, n: &Numbers) -> Result<(), ZeroPivot> {
                #[inline(always)]
                fn form<L: Lanes>(
                    lanes: L,
                    this: &mut InJoints<$n>,
                    problem: &Problem,
                    n: &Numbers,
                ) -> Result<(), ZeroPivot> {
                    this.form(lanes, problem, n)
                }
                let this = self;
                on_machine!(this.machine, form, (this: &mut InJoints<$n>, problem: &Problem, n: &Numbers)
                    -> Result<(), ZeroPivot>)
            }
        }
    )*};
}
forming!(3 6);
super::passes!(InJoints, 3 6);
