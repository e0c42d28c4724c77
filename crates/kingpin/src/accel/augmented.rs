//! The augmented matrix [M Phi_v^T; Phi_v 0]: the usual approach, done well, to compare with.

use super::accelerator::{NoSolution, Solve};
use super::method::SolverEntry;
use super::problem::{Numbers, Problem};
use crate::linalg::{DenseLu, ZeroPivot};

/// Entries of the augmented matrix that never change: (row, column, value), both triangles of the mass matrix, and
/// what rows that yield have on the diagonal.
pub(super) fn constant_entries(problem: &Problem) -> Vec<(usize, usize, f64)> {
    let n = problem.nodes.velocities();
    let mut entries: Vec<_> = problem.compliance.iter().map(|&(row, c)| (n + row, n + row, -c)).collect();
    for (node, inertia) in problem.nodes.iter().zip(&problem.inertia) {
        let (first, d) = (node.v, node.places);
        entries.extend((0..d).map(|k| (first + k, first + k, inertia.mass)));
        for i in d..node.nv {
            for j in d..node.nv {
                let x = inertia.tensor[i - d][j - d];
                if x != 0.0 || i == j {
                    entries.push((first + i, first + j, x));
                }
            }
        }
    }
    entries
}

/// Row and column of each number of Phi_v in the lower left part of the augmented matrix.
pub(super) fn jacobian_entries(problem: &Problem) -> impl Iterator<Item = (usize, usize)> + '_ {
    let n = problem.nodes.velocities();
    problem.blocks.iter().flat_map(move |b| {
        let first = n + problem.groups[b.group].start;
        (0..b.rows).flat_map(move |r| b.columns().map(move |column| (first + r, column)))
    })
}

/// Right side (Q, gamma), then the solution split into accelerations and multipliers.
pub(super) fn load(n: &Numbers, x: &mut [f64]) {
    let (top, bottom) = x.split_at_mut(n.force.len());
    top.copy_from_slice(n.force);
    bottom.copy_from_slice(n.gamma);
}

pub(super) fn unload(x: &[f64], acc: &mut [f64], lam: &mut [f64]) {
    acc.copy_from_slice(&x[..acc.len()]);
    lam.copy_from_slice(&x[acc.len()..]);
}

/// The pivot of an augmented matrix that failed at `index`; among the bodies it belongs to no joint.
pub(super) fn failed_at(problem: &Problem, index: usize) -> ZeroPivot {
    let n = problem.nodes.velocities();
    let joint = index.checked_sub(n).map(|row| (problem.groups.partition_point(|g| g.end <= row), row));
    let (block, row) = joint.map_or((usize::MAX, 0), |(k, row)| (k, row - problem.groups[k].start));
    ZeroPivot { block, row, pivot: 0.0, scale: 1.0 }
}

/// Dense LU with partial pivoting.
pub struct AugmentedDense {
    lu: DenseLu,
    base: Vec<f64>,
    phi_v: Vec<[usize; 2]>,
    values: Vec<f64>,
    exchange: Vec<usize>,
    x: Vec<f64>,
}

impl AugmentedDense {
    /// Set-up.
    pub fn new(problem: &Problem) -> AugmentedDense {
        let n = problem.nodes.velocities() + problem.rows;
        let lu = DenseLu::new(n);
        let mut base = vec![0.0; lu.len()];
        for (r, c, x) in constant_entries(problem) {
            base[r + c * n] = x;
        }
        let phi_v = jacobian_entries(problem).map(|(r, c)| [r + c * n, c + r * n]).collect();
        AugmentedDense { values: base.clone(), lu, base, phi_v, exchange: vec![0; n], x: vec![0.0; n] }
    }
}

impl Solve for AugmentedDense {
    fn solve(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        acc: &mut [f64],
        lam: &mut [f64],
    ) -> Result<(), NoSolution> {
        self.values.copy_from_slice(&self.base);
        for (&[a, b], &x) in self.phi_v.iter().zip(n.phi_v) {
            (self.values[a], self.values[b]) = (x, x);
        }
        self.lu
            .factor(&mut self.values, &mut self.exchange, 1e-15)
            .map_err(|e| failed_at(problem, e.column))?;
        load(n, &mut self.x);
        self.lu.solve(&self.values, &self.exchange, &mut self.x);
        unload(&self.x, acc, lam);
        Ok(())
    }
}

/// Mass and constraints as one dense matrix.
pub(super) const DENSE: SolverEntry = SolverEntry {
    name: "augmented-dense",
    about: "dense LU of the augmented matrix",
    dense: true,
    storage: |problem| ((problem.rows + problem.nodes.velocities()) as u64).pow(2),
    build: |_, problem| Box::new(AugmentedDense::new(problem)),
    explained: "\
augmented-dense
Solves for accelerations and multipliers with one dense matrix of masses and
constraints. The textbook approach, for comparison and small mechanisms.
$ kingpin accelerations four_bar.toml --solver augmented-dense
> augmented-sparse, reduced-dense",
};
