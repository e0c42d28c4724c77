//! The equations of motion in joint coordinates, for those who want to see or solve them another way.

use super::super::problem::{Numbers, Problem};
use super::in_joints::InJoints;
use super::matrix::Matrix;
use crate::linalg::ZeroPivot;
use crate::system::System;

/// [M Phi^T; Phi 0] (q'', lam) = (Q, tau) with q the joint coordinates of a spanning tree and Phi the equations
/// outside it [Negrut 1998, Eq 3.147], solved by blocks without fill (Algorithm 4 there).
pub struct JointEquations {
    inner: Inner,
    formed: Vec<f64>,
    right: Vec<f64>,
}

enum Inner {
    Planar(InJoints<3>),
    Spatial(InJoints<6>),
}

/// Evaluates `$body` with `$x` the solver of either size.
macro_rules! either {
    ($inner:expr, $x:ident => $body:expr) => {
        match $inner {
            Inner::Planar($x) => $body,
            Inner::Spatial($x) => $body,
        }
    };
}

impl JointEquations {
    /// Symbolic phase.
    pub fn new(system: &System, problem: &Problem) -> JointEquations {
        let inner = if problem.nodes.dimensions() == 3 {
            Inner::Spatial(InJoints::new(system, problem, false))
        } else {
            Inner::Planar(InJoints::new(system, problem, false))
        };
        let (values, rows) = either!(&inner, x => (x.values.len(), x.x.len()));
        JointEquations { inner, formed: vec![0.0; values], right: vec![0.0; rows] }
    }

    /// Joint coordinates.
    pub fn coordinates(&self) -> usize {
        either!(&self.inner, x => x.motion.tree.columns)
    }

    /// Equations outside the tree.
    pub fn equations(&self) -> usize {
        either!(&self.inner, x => x.motion.cut.rows)
    }

    /// Forms matrix and right side at an instant. No allocation after the first call.
    pub fn form(&mut self, problem: &Problem, numbers: &Numbers) -> Result<(), ZeroPivot> {
        either!(&mut self.inner, x => {
            x.form_here(problem, numbers)?;
            self.formed.copy_from_slice(&x.values);
            self.right.copy_from_slice(&x.x);
        });
        Ok(())
    }

    /// Solves the equations formed last by Alg-S; `out` gets q'', then lam. No allocation.
    pub fn solve(&mut self, out: &mut [f64]) -> Result<(), ZeroPivot> {
        either!(&mut self.inner, x => {
            x.values.copy_from_slice(&self.formed);
            out.copy_from_slice(&self.right);
            let m = &x.motion;
            x.matrix.solve(&m.tree, &m.cut, &mut x.values, out)
        })
    }

    /// Pairs of bodies that the factor of the inertia matrix holds and the matrix does not: none (Lemma 2).
    pub fn fill(&self) -> usize {
        either!(&self.inner, x => match &x.matrix {
            Matrix::Sparse(sparse) => sparse.inertia_fill(&x.motion.tree),
            Matrix::Dense(_) => 0,
        })
    }

    /// The whole matrix formed last, dense by columns, and the right side.
    pub fn dense(&self) -> (Vec<f64>, &[f64]) {
        let order = self.right.len();
        let mut matrix = vec![0.0; order * order];
        either!(&self.inner, x => {
            let (tree, cut) = (&x.motion.tree, &x.motion.cut);
            let mut put = |row: usize, column: usize, value: f64| {
                matrix[row + column * order] = value;
                matrix[column + row * order] = value;
            };
            for (i, outer) in tree.links.iter().enumerate() {
                for (j, inner) in tree.links[..=i].iter().enumerate() {
                    let Some(entry) = x.matrix.inertia(tree, i, j) else { continue };
                    for r in 0..outer.columns.len() {
                        for c in (0..inner.columns.len()).filter(|&c| i != j || c <= r) {
                            let value = self.formed[entry.index(r, c)];
                            put(outer.columns.start + r, inner.columns.start + c, value);
                        }
                    }
                }
                for (g, group) in cut.groups.iter().enumerate() {
                    let Some(entry) = x.matrix.equation(tree, cut, g, i) else { continue };
                    for r in 0..group.rows.len() {
                        for c in 0..outer.columns.len() {
                            let row = tree.columns + group.rows.start + r;
                            put(row, outer.columns.start + c, self.formed[entry.index(r, c)]);
                        }
                    }
                }
            }
        });
        (matrix, &self.right)
    }
}
