//! `P A Q = L U` of a square matrix, with pivoting.

use crate::gilbert_peierls::Factors;
use crate::pattern::{Pattern, check_length, check_solution, checked_order};
use crate::postpone::postpone_empty_diagonals;
use crate::{SparseError, analysis};

/// The diagonal is the pivot where it is at least this part of the largest candidate, as in KLU.
const DIAGONAL_TOLERANCE: f64 = 1e-3;

/// Kept pivots may be this much weaker than chosen ones.
const SLACK: f64 = 0.1;

/// `L U` of a square matrix with threshold partial pivoting.
///
/// The columns are eliminated in a fixed order of little fill for the symmetric pattern of `A + A^T`. The pivot
/// of a column is its diagonal unless that is less than a thousandth of the largest candidate, so a symmetric
/// matrix keeps the fill of its symmetric factor wherever the diagonal allows.
#[derive(Clone, Debug)]
pub struct SparseLu {
    pattern: Pattern,
    order: Vec<u32>,
    factors: Factors,
    factored: bool,
    permuted: Vec<f64>,
}

/// Where the pivots of a factorisation come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pivots {
    /// From the factorisation before.
    Kept,
    /// Chosen anew.
    Chosen,
}

impl SparseLu {
    /// Reads the pattern: column `j` holds the rows `rows[columns[j]..columns[j + 1]]`, strictly increasing.
    ///
    /// The columns are eliminated in the minimum degree order; if the pattern is symmetric, those of empty
    /// diagonal are put off until they can have a pivot on it.
    pub fn analyse(n: usize, columns: &[usize], rows: &[usize]) -> Result<SparseLu, SparseError> {
        let pattern = Pattern::checked(n, columns, rows)?;
        let mut order = analysis::minimum_degree_order(&pattern);
        if pattern.is_symmetric() {
            order = postpone_empty_diagonals(&pattern, &order);
        }
        Ok(SparseLu::with_order(pattern, order))
    }

    /// As [`analyse`](SparseLu::analyse), with the caller's order: `order[k]` is the column eliminated at step `k`.
    pub fn analyse_in_order(
        n: usize,
        columns: &[usize],
        rows: &[usize],
        order: &[usize],
    ) -> Result<SparseLu, SparseError> {
        let pattern = Pattern::checked(n, columns, rows)?;
        let order = checked_order(order, n)?;
        Ok(SparseLu::with_order(pattern, order))
    }

    fn with_order(pattern: Pattern, order: Vec<u32>) -> SparseLu {
        let factors = Factors::new(&pattern);
        SparseLu { factors, factored: false, permuted: vec![0.0; order.len()], pattern, order }
    }

    /// Factors the matrix with these values, in the order of the pattern, choosing the pivots anew: the result
    /// depends on the values alone. Allocates only if there is more fill than in any factorisation before.
    /// O(multiplications)
    ///
    /// # Errors
    /// [`SparseError::Singular`] if a column depends to rounding on those before it. A dependence that is blurred
    /// by many roundings can pass unnoticed.
    pub fn factor(&mut self, values: &[f64]) -> Result<(), SparseError> {
        self.pattern.check_values(values)?;
        self.factored = false;
        self.factors.eliminate(&self.pattern, &self.order, values, DIAGONAL_TOLERANCE)?;
        self.factored = true;
        Ok(())
    }

    /// Factors the matrix with new values and the pivots of the last factorisation, four to five times faster than
    /// [`factor`](SparseLu::factor) because nothing is searched for. Where a kept pivot has become too weak, or
    /// there is none, the pivots are chosen anew. Allocates nothing if they are kept. O(multiplications)
    pub fn refactor(&mut self, values: &[f64]) -> Result<Pivots, SparseError> {
        self.pattern.check_values(values)?;
        let tolerance = SLACK * DIAGONAL_TOLERANCE;
        if self.factored && self.factors.repeat(&self.pattern, &self.order, values, tolerance) {
            return Ok(Pivots::Kept);
        }
        self.factor(values).map(|()| Pivots::Chosen)
    }

    /// Replaces the right side `x` by the solution of `A x = b`. Allocates nothing. O(entries of the factors)
    pub fn solve(&mut self, x: &mut [f64]) -> Result<(), SparseError> {
        self.ready(x)?;
        let Factors { lower, upper, inverse_pivots, step_of_row, .. } = &self.factors;
        let y = &mut self.permuted[..];
        for (&step, &x) in step_of_row.iter().zip(x.iter()) {
            y[step as usize] = x;
        }
        for k in 0..y.len() {
            lower.subtract_column(k, y[k], y);
        }
        for k in (0..y.len()).rev() {
            let yk = y[k] * inverse_pivots[k];
            upper.subtract_column(k, yk, y);
            x[self.order[k] as usize] = yk;
        }
        check_solution(x)
    }

    /// Replaces the right side `x` by the solution of `A^T x = b`. Allocates nothing. O(entries of the factors)
    pub fn solve_transposed(&mut self, x: &mut [f64]) -> Result<(), SparseError> {
        self.ready(x)?;
        let Factors { lower, upper, inverse_pivots, step_of_row, .. } = &self.factors;
        let y = &mut self.permuted[..];
        for k in 0..y.len() {
            y[k] = (x[self.order[k] as usize] - upper.column_times(k, y)) * inverse_pivots[k];
        }
        for k in (0..y.len()).rev() {
            y[k] -= lower.column_times(k, y);
        }
        for (&step, x) in step_of_row.iter().zip(x.iter_mut()) {
            *x = y[step as usize];
        }
        check_solution(x)
    }

    /// The column eliminated at each step.
    pub fn order(&self) -> impl Iterator<Item = usize> {
        self.order.iter().map(|&c| c as usize)
    }

    /// How many numbers the factors hold, the diagonal of `U` included; 0 before the first factorisation.
    pub fn factor_entries(&self) -> usize {
        if !self.factored {
            return 0;
        }
        self.factors.lower.rows.len() + self.factors.upper.rows.len() + self.order.len()
    }

    fn ready(&self, x: &[f64]) -> Result<(), SparseError> {
        check_length(x.len(), self.order.len())?;
        if self.factored { Ok(()) } else { Err(SparseError::NotFactored) }
    }
}
