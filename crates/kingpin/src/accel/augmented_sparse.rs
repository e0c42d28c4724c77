//! The augmented matrix in sparse storage.

use super::accelerator::Solve;
use super::augmented::{failed_at, jacobian_entries, load, mass_entries, unload};
use super::problem::{Numbers, Problem};
use crate::linalg::ZeroPivot;
use kingpin_sparse::{SparseError, SparseLdlt, SparseLu};

/// Where each number of M and Phi_v goes in the value array of a matrix.
#[derive(Clone, Debug)]
struct Places {
    /// The values that never change: M, and zeros.
    base: Vec<f64>,
    /// For each number of Phi_v: its places.
    phi_v: Vec<[usize; 2]>,
}

/// A number that has no place in one of the two triangles.
const NOWHERE: usize = usize::MAX;

impl Places {
    fn fill(&self, phi_v: &[f64], values: &mut [f64]) {
        values.copy_from_slice(&self.base);
        for (&[a, b], &x) in self.phi_v.iter().zip(phi_v) {
            if a != NOWHERE {
                values[a] = x;
            }
            if b != NOWHERE {
                values[b] = x;
            }
        }
    }
}

/// Pattern by columns, and the places of the numbers in it; `keep` chooses the triangle(s).
fn sparse(problem: &Problem, keep: impl Fn(usize, usize) -> bool) -> (usize, Vec<usize>, Vec<usize>, Places) {
    let n = problem.bodies() * problem.nv + problem.rows;
    let mut list: Vec<(usize, usize)> = mass_entries(problem).iter().map(|e| (e.1, e.0)).collect();
    for ((r, c), _) in jacobian_entries(problem).zip(&problem.nonzero).filter(|(_, nonzero)| **nonzero) {
        list.extend([(c, r), (r, c)]);
    }
    list.retain(|&(c, r)| keep(r, c));
    list.sort_unstable();
    list.dedup();
    let mut columns = vec![0; n + 1];
    list.iter().for_each(|e| columns[e.0 + 1] += 1);
    for c in 0..n {
        columns[c + 1] += columns[c];
    }
    let find = |r: usize, c: usize| list.binary_search(&(c, r)).unwrap_or(NOWHERE);
    let mut base = vec![0.0; list.len()];
    for (r, c, x) in mass_entries(problem) {
        if let Some(place) = base.get_mut(find(r, c)) {
            *place = x;
        }
    }
    let phi_v = jacobian_entries(problem).map(|(r, c)| [find(r, c), find(c, r)]).collect();
    (n, columns, list.iter().map(|e| e.1).collect(), Places { base, phi_v })
}

/// The row or column at which a factorisation failed, where it has one.
fn pivot_of(error: &SparseError) -> Option<usize> {
    match error {
        SparseError::ZeroPivot { index } | SparseError::SolutionNotFinite { index } => Some(*index),
        SparseError::Singular { column } => Some(*column),
        _ => None,
    }
}

/// Sparse LU with pivoting.
pub struct AugmentedLu {
    lu: Option<SparseLu>,
    places: Places,
    values: Vec<f64>,
    x: Vec<f64>,
}

impl AugmentedLu {
    /// Symbolic phase.
    pub fn new(problem: &Problem) -> AugmentedLu {
        let (n, columns, rows, places) = sparse(problem, |_, _| true);
        let lu = SparseLu::analyse(n, &columns, &rows).ok();
        AugmentedLu { lu, values: vec![0.0; places.base.len()], x: vec![0.0; n], places }
    }
}

impl Solve for AugmentedLu {
    fn solve(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        acc: &mut [f64],
        lam: &mut [f64],
    ) -> Result<(), ZeroPivot> {
        let Some(lu) = &mut self.lu else { return Err(failed_at(problem, None)) };
        self.places.fill(n.phi_v, &mut self.values);
        lu.factor(&self.values).map_err(|e| failed_at(problem, pivot_of(&e)))?;
        load(n, &mut self.x);
        lu.solve(&mut self.x).map_err(|e| failed_at(problem, pivot_of(&e)))?;
        unload(&self.x, acc, lam);
        Ok(())
    }
}

/// Sparse LDL^T without pivoting.
///
/// The fill-reducing order can meet a zero pivot on a regular matrix. Then, once and for all, the order is
/// changed to all bodies before all multipliers, in which only dependent constraints have zero pivots.
pub struct AugmentedLdlt {
    ldlt: Option<SparseLdlt>,
    pattern: (Vec<usize>, Vec<usize>),
    safe: bool,
    places: Places,
    values: Vec<f64>,
    x: Vec<f64>,
}

impl AugmentedLdlt {
    /// Symbolic phase.
    pub fn new(problem: &Problem) -> AugmentedLdlt {
        let (n, columns, rows, places) = sparse(problem, |r, c| r <= c);
        let ldlt = SparseLdlt::analyse(n, &columns, &rows, None).ok();
        let (values, x) = (vec![0.0; places.base.len()], vec![0.0; n]);
        AugmentedLdlt { ldlt, pattern: (columns, rows), safe: false, values, x, places }
    }

    fn factor(&mut self) -> Result<(), SparseError> {
        let Some(ldlt) = &mut self.ldlt else { return Err(SparseError::NotFactored) };
        let outcome = ldlt.factor(&self.values);
        if self.safe || !matches!(outcome, Err(SparseError::ZeroPivot { .. })) {
            return outcome;
        }
        // bodies first, then joints in the order given
        self.safe = true;
        let order: Vec<usize> = (0..self.x.len()).collect();
        let (columns, rows) = &self.pattern;
        ldlt.clone_from(&SparseLdlt::analyse(self.x.len(), columns, rows, Some(&order))?);
        ldlt.factor(&self.values)
    }
}

impl Solve for AugmentedLdlt {
    fn solve(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        acc: &mut [f64],
        lam: &mut [f64],
    ) -> Result<(), ZeroPivot> {
        self.places.fill(n.phi_v, &mut self.values);
        let failed = |e: SparseError| failed_at(problem, pivot_of(&e));
        self.factor().map_err(failed)?;
        load(n, &mut self.x);
        if let Some(ldlt) = &mut self.ldlt {
            ldlt.solve(&mut self.x).map_err(failed)?;
        }
        unload(&self.x, acc, lam);
        Ok(())
    }
}
