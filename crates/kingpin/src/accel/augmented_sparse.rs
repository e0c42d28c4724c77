//! The augmented matrix in sparse storage.

use super::accelerator::{NoSolution, Solve};
use super::augmented::{constant_entries, failed_at, jacobian_entries, load, unload};
use super::method::{self, SolverEntry};
use super::problem::{Numbers, Problem};
use kingpin_sparse::{SparseError, SparseLdlt, SparseLu};

/// Where each number of M and Phi_v goes in the value array of a matrix.
#[derive(Clone, Debug)]
struct MatrixPlaces {
    /// The values that never change: M, and zeros.
    base: Vec<f64>,
    /// For each number of Phi_v: its places.
    phi_v: Vec<[usize; 2]>,
}

/// A number that has no place in one of the two triangles.
const NOWHERE: usize = usize::MAX;

impl MatrixPlaces {
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
fn sparse(
    problem: &Problem,
    keep: impl Fn(usize, usize) -> bool,
) -> (usize, Vec<usize>, Vec<usize>, MatrixPlaces) {
    // entries as (column, row), sorted: their places are the numbering
    let n = problem.nodes.velocities() + problem.rows;
    let mut list: Vec<(usize, usize)> = constant_entries(problem).iter().map(|e| (e.1, e.0)).collect();
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
    for (r, c, x) in constant_entries(problem) {
        if let Some(place) = base.get_mut(find(r, c)) {
            *place = x;
        }
    }
    let phi_v = jacobian_entries(problem).map(|(r, c)| [find(r, c), find(c, r)]).collect();
    (n, columns, list.iter().map(|e| e.1).collect(), MatrixPlaces { base, phi_v })
}

/// The failure of a factorisation: at the row or column where it shows, or in its own words.
fn told(problem: &Problem, error: &SparseError) -> NoSolution {
    match error {
        SparseError::ZeroPivot { index } => failed_at(problem, *index).into(),
        SparseError::Singular { column } => failed_at(problem, *column).into(),
        SparseError::SolutionNotFinite { .. } | SparseError::ValueNotFinite { .. } => NoSolution::NotFinite,
        other => NoSolution::GaveUp(other.to_string()),
    }
}

/// Sparse LU with pivoting.
pub struct AugmentedLu {
    lu: Result<SparseLu, SparseError>,
    places: MatrixPlaces,
    values: Vec<f64>,
    x: Vec<f64>,
}

impl AugmentedLu {
    /// Symbolic phase.
    pub fn new(problem: &Problem) -> AugmentedLu {
        let (n, columns, rows, places) = sparse(problem, |_, _| true);
        let lu = SparseLu::analyse(n, &columns, &rows);
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
    ) -> Result<(), NoSolution> {
        let lu = self.lu.as_mut().map_err(|e| told(problem, e))?;
        self.places.fill(n.phi_v, &mut self.values);
        lu.factor(&self.values).map_err(|e| told(problem, &e))?;
        load(n, &mut self.x);
        lu.solve(&mut self.x).map_err(|e| told(problem, &e))?;
        unload(&self.x, acc, lam);
        Ok(())
    }
}

/// Sparse LDL^T without pivoting.
///
/// The fill-reducing order can meet a zero pivot on a regular matrix, or one so small that digits are lost: the
/// residual tells. Then, once and for all, the order is changed to all bodies before all multipliers, in which only
/// dependent constraints have zero pivots.
pub struct AugmentedLdlt {
    ldlt: Result<SparseLdlt, SparseError>,
    pattern: (Vec<usize>, Vec<usize>),
    safe: bool,
    places: MatrixPlaces,
    values: Vec<f64>,
    x: Vec<f64>,
    /// A x - b, and the sum of the sizes of its terms.
    residual: Vec<[f64; 2]>,
}

/// Residual, relative to its terms, above which a solution is not accepted.
const INACCURATE: f64 = 1e-11;

impl AugmentedLdlt {
    /// Symbolic phase.
    pub fn new(problem: &Problem) -> AugmentedLdlt {
        let (n, columns, rows, places) = sparse(problem, |r, c| r <= c);
        let ldlt = SparseLdlt::analyse(n, &columns, &rows, None);
        let (values, x) = (vec![0.0; places.base.len()], vec![0.0; n]);
        let residual = vec![[0.0; 2]; n];
        AugmentedLdlt { ldlt, pattern: (columns, rows), safe: false, values, x, places, residual }
    }

    /// Factors and solves in the order at hand.
    fn attempt(&mut self, n: &Numbers) -> Result<(), SparseError> {
        let ldlt = self.ldlt.as_mut().map_err(|e| e.clone())?;
        ldlt.factor(&self.values)?;
        load(n, &mut self.x);
        ldlt.solve(&mut self.x)
    }

    /// Bodies first, then joints in the order given.
    fn reorder(&mut self) {
        self.safe = true;
        let order: Vec<usize> = (0..self.x.len()).collect();
        let (columns, rows) = &self.pattern;
        // a failure is told by the next attempt
        self.ldlt = SparseLdlt::analyse(self.x.len(), columns, rows, Some(&order));
    }

    /// Whether forces balance and constraints hold, each to their own scale.
    fn is_accurate(&mut self, n: &Numbers) -> bool {
        // residual of each row, and the sum of the sizes of its terms, from the stored triangle
        let rights = n.force.iter().chain(n.gamma);
        self.residual.iter_mut().zip(rights).for_each(|(r, b)| *r = [-b, b.abs()]);
        let (columns, rows) = &self.pattern;
        let mut add = |row: usize, term: f64| {
            self.residual[row][0] += term;
            self.residual[row][1] += term.abs();
        };
        for c in 0..self.x.len() {
            for k in columns[c]..columns[c + 1] {
                add(rows[k], self.values[k] * self.x[c]);
                if rows[k] != c {
                    add(c, self.values[k] * self.x[rows[k]]);
                }
            }
        }
        let accurate = |part: &[[f64; 2]]| {
            let greatest = |k: usize| part.iter().fold(0.0_f64, |m, r| m.max(r[k].abs()));
            greatest(0) <= INACCURATE * greatest(1)
        };
        let (forces, constraints) = self.residual.split_at(n.force.len());
        accurate(forces) && accurate(constraints)
    }
}

impl Solve for AugmentedLdlt {
    fn is_safe(&self) -> bool {
        self.safe
    }

    fn make_safe(&mut self) {
        self.reorder();
    }

    fn solve(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        acc: &mut [f64],
        lam: &mut [f64],
    ) -> Result<(), NoSolution> {
        // a quick order may put an empty diagonal first; the safe one, bodies before joints, never does
        self.places.fill(n.phi_v, &mut self.values);
        let mut outcome = self.attempt(n);
        let suspect = |solver: &mut AugmentedLdlt| match &outcome {
            Ok(()) => !solver.is_accurate(n),
            Err(error) => {
                matches!(error, SparseError::ZeroPivot { .. } | SparseError::SolutionNotFinite { .. })
            }
        };
        if !self.safe && suspect(self) {
            self.reorder();
            outcome = self.attempt(n);
        }
        outcome.map_err(|error| told(problem, &error))?;
        unload(&self.x, acc, lam);
        Ok(())
    }
}

/// Sparse LDL^T without pivoting.
pub(super) const LDLT: SolverEntry = SolverEntry {
    name: "augmented-ldlt",
    about: "sparse LDL^T of the augmented matrix, no pivoting",
    dense: false,
    storage: method::sparse,
    build: |_, problem| Box::new(AugmentedLdlt::new(problem)),
    explained: "\
augmented-ldlt = KKT, saddle point
LDL^T factorisation of one sparse symmetric matrix of masses and constraints, without
pivoting. It requires independent equations; redundant ones are left out before.
$ kingpin accelerations hmmwv14.toml --solver augmented-ldlt
> augmented-sparse, elimination",
};

/// Sparse LU with pivoting.
pub(super) const LU: SolverEntry = SolverEntry {
    name: "augmented-sparse",
    about: "sparse LU of the augmented matrix with pivoting, the usual approach",
    dense: false,
    storage: method::sparse,
    build: |_, problem| Box::new(AugmentedLu::new(problem)),
    explained: "\
augmented-sparse
LU factorisation with pivoting of one sparse matrix of masses and constraints, by a
general solver: the approach of most programs.
$ kingpin accelerations hmmwv14.toml --solver augmented-sparse
> augmented-ldlt, elimination",
};
