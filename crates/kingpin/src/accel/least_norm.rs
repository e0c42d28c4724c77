//! Redundant constraints: accelerations are exact, multipliers are the ones of least norm.

use super::elimination::Elimination;
use super::problem::{Gathered, Problem};
use crate::linalg::{Arithmetic, BlockPattern, DenseCholesky, Entry, ZeroPivot};
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
    /// Y^T Y.
    gram: Gram,
    scratch: Scratch,
}

/// A dense matrix of inner products, and the room for its factor.
#[derive(Clone, Debug)]
struct Gram {
    cholesky: DenseCholesky,
    place: Option<Entry>,
    values: Vec<f64>,
    /// Right side, then weights of the relations.
    weights: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Scratch {
    x: Vec<f64>,
    y: Vec<f64>,
    rows: Vec<f64>,
    kept: Vec<f64>,
}

impl LeastNorm {
    /// For the rows of a system that were left out of `problem`.
    pub fn new(problem: &Problem) -> LeastNorm {
        let kept = problem.kept.as_ref().map_or(&[][..], |kept| &kept.row);
        let list: Vec<usize> = (0..problem.all_rows).filter(|r| kept.binary_search(r).is_err()).collect();
        let velocities = problem.nodes.velocities();
        LeastNorm {
            elimination: Elimination::new(problem, problem.plan(false)),
            relations: vec![0.0; list.len() * problem.all_rows],
            gram: Gram::new(list.len(), problem.arithmetic),
            redundant: list,
            gathered: Gathered::default(),
            scratch: Scratch {
                x: vec![0.0; velocities],
                y: vec![0.0; velocities],
                rows: vec![0.0; problem.all_rows],
                kept: vec![0.0; problem.rows],
            },
        }
    }

    /// Replaces multipliers by those of least norm; fails where the kept rows depend on each other. No allocation after
    /// the first call; O(redundant^2 rows).
    pub fn apply(
        &mut self,
        system: &System,
        problem: &Problem,
        work: &Work,
        lam: &mut [f64],
    ) -> Result<(), ZeroPivot> {
        let numbers = problem.gather(work, &mut self.gathered);
        self.elimination.refactor(problem, numbers.phi_v)?;
        let rows = lam.len();
        let relations = self.relations.chunks_exact_mut(rows);
        for (&row, relation) in self.redundant.iter().zip(relations) {
            relate(system, problem, work, row, &mut self.elimination, &mut self.scratch, relation);
        }
        // lam - Y (Y^T Y)^-1 Y^T lam
        self.gram.solve(&self.relations, lam)?;
        for (relation, weight) in self.relations.chunks_exact(rows).zip(&self.gram.weights) {
            lam.iter_mut().zip(relation).for_each(|(l, y)| *l -= weight * y);
        }
        Ok(())
    }
}

/// The relation that a redundant row takes part in.
fn relate(
    system: &System,
    problem: &Problem,
    work: &Work,
    row: usize,
    elimination: &mut Elimination,
    scratch: &mut Scratch,
    relation: &mut [f64],
) {
    let Scratch { x, y, rows, kept } = scratch;
    // y = M^-1 (row r)^T
    x.fill(0.0);
    let group = &system.layout.groups[system.layout.group_of(row)];
    for block in &system.layout.blocks[group.blocks.clone()] {
        x[block.columns()].copy_from_slice(&work.phi_v[block.row(row - group.rows.start)]);
    }
    system.inverse_mass_times(x, y);
    system.jacobian_times(work, y, rows);
    kept.iter_mut().enumerate().for_each(|(k, x)| *x = -rows[problem.system_row(k)]);
    elimination.solve_again(kept);
    problem.scatter(kept, relation);
    relation[row] = 1.0;
}

impl Gram {
    fn new(count: usize, arithmetic: Arithmetic) -> Gram {
        let cholesky = DenseCholesky::analyse(&BlockPattern::new(vec![count], &[]).with(arithmetic));
        Gram {
            place: cholesky.locate(0, 0),
            values: vec![0.0; cholesky.len()],
            weights: vec![0.0; count],
            cholesky,
        }
    }

    /// weights = (Y^T Y)^-1 Y^T lam. Every relation has a row of its own, so the matrix is definite.
    fn solve(&mut self, relations: &[f64], lam: &[f64]) -> Result<(), ZeroPivot> {
        let Some(place) = self.place else { return Ok(()) };
        let relation = |k: usize| &relations[k * lam.len()..(k + 1) * lam.len()];
        let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        for i in 0..self.weights.len() {
            for j in 0..=i {
                self.values[place.index(i, j)] = inner(relation(i), relation(j));
            }
            self.weights[i] = inner(relation(i), lam);
        }
        self.cholesky.factor(&mut self.values, 0.0)?;
        self.cholesky.solve(&self.values, &mut self.weights);
        Ok(())
    }
}
