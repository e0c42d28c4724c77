//! Redundant constraints: accelerations are exact, multipliers are the ones of least norm.

use super::elimination::{Elimination, plan};
use super::problem::{Gathered, Problem};
use crate::system::{System, Work};

/// Turns multipliers of kept rows (zero in redundant ones) into those of least norm.
///
/// Each redundant row r gives a relation y with Phi_v^T y = 0, y_r = 1: on kept rows
/// S y = -Phi_v M^-1 (row r)^T. Then lam - Y (Y^T Y)^-1 Y^T lam has least norm and the same constraint forces.
#[derive(Clone, Debug)]
pub struct LeastNorm {
    elimination: Elimination,
    redundant: Vec<usize>,
    gathered: Gathered,
    /// Relations, one after the other, over all rows of the system.
    relations: Vec<f64>,
    gram: nalgebra::DMatrix<f64>,
}

impl LeastNorm {
    /// For a system whose rows marked in `redundant` were left out of `problem`.
    pub fn new(problem: &Problem, redundant: &[bool]) -> LeastNorm {
        let list: Vec<usize> = (0..redundant.len()).filter(|&r| redundant[r]).collect();
        LeastNorm {
            elimination: Elimination::new(problem, &plan(problem, false)),
            relations: vec![0.0; list.len() * redundant.len()],
            gram: nalgebra::DMatrix::zeros(list.len(), list.len()),
            redundant: list,
            gathered: Gathered::default(),
        }
    }

    /// Replaces multipliers by those of least norm. O(redundant * rows).
    pub fn apply(&mut self, system: &System, problem: &Problem, work: &Work, lam: &mut [f64]) {
        let (rows, nv) = (lam.len(), system.nv());
        let numbers = problem.gather(work, &mut self.gathered);
        if self.elimination.refactor(problem, numbers.phi_v).is_err() {
            return;
        }
        let (mut x, mut y) = (vec![0.0; system.velocities()], vec![0.0; system.velocities()]);
        let mut b = vec![0.0; rows];
        for (k, &row) in self.redundant.iter().enumerate() {
            // x = M^-1 (row r)^T
            x.fill(0.0);
            let group = &system.layout.groups[system.layout.group_of(row)];
            for block in &system.layout.blocks[group.blocks.clone()] {
                let from = (block.before + row - group.rows.start) * nv;
                x[block.body * nv..(block.body + 1) * nv].copy_from_slice(&work.phi_v[from..from + nv]);
            }
            system.inverse_mass_times(&x, &mut y);
            system.jacobian_times(work, &y, &mut b);
            let mut kept: Vec<f64> = (0..problem.rows).map(|r| -b[problem.system_row(r)]).collect();
            self.elimination.solve_again(&mut kept);
            let relation = &mut self.relations[k * rows..(k + 1) * rows];
            problem.scatter(&kept, relation);
            relation[row] = 1.0;
        }
        let relation = |k: usize| &self.relations[k * rows..(k + 1) * rows];
        let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let count = self.redundant.len();
        for i in 0..count {
            for j in 0..count {
                self.gram[(i, j)] = inner(relation(i), relation(j));
            }
        }
        let right = nalgebra::DVector::from_fn(count, |i, _| inner(relation(i), lam));
        if let Some(factor) = self.gram.clone().cholesky() {
            let weights = factor.solve(&right);
            for k in 0..count {
                lam.iter_mut().zip(relation(k)).for_each(|(l, y)| *l -= weights[k] * y);
            }
        }
    }
}
