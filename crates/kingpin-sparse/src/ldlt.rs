//! `P A P^T = L D L^T` of a symmetric matrix, without pivoting.

use crate::pattern::{Pattern, accumulate, check_length, check_solution, checked_order};
use crate::postpone::postpone_empty_diagonals;
use crate::triangle::Triangle;
use crate::{ROUNDING, SparseError, analysis};

/// `L D L^T` of a symmetric, possibly indefinite matrix in a fixed order, `D` diagonal.
///
/// Half the work of [`SparseLu`](crate::SparseLu), but the pivots are whatever the order makes them: a regular
/// matrix can have a zero pivot, and small pivots cost digits. With a positive definite `M` no pivot of the
/// augmented matrix is zero if, at every step, the equations whose multipliers are eliminated are independent on
/// the coordinates that are eliminated. Multipliers after all coordinates of their equations is one such order;
/// the order found without the caller's has this property for almost all values, not for all.
#[derive(Clone, Debug)]
pub struct SparseLdlt {
    entries: Pattern,
    order: Vec<u32>,
    upper: Pattern,
    /// place of the value of each entry of `upper` in the caller's pattern
    sources: Vec<u32>,
    lower: Triangle,
    /// entries of `lower` by rows, columns increasing: row k is `row_entries[row_starts[k]..row_starts[k + 1]]`
    row_starts: Vec<u32>,
    row_entries: Vec<RowEntry>,
    inverse_pivots: Vec<f64>,
    factored: bool,
    /// zero outside `factor`
    column: Vec<f64>,
    permuted: Vec<f64>,
}

/// An entry of `L` seen from its row.
#[derive(Clone, Copy, Debug, Default)]
struct RowEntry {
    column: u32,
    position: u32,
}

impl SparseLdlt {
    /// Reads the pattern of the upper triangle with the diagonal: column `j` holds the rows
    /// `rows[columns[j]..columns[j + 1]]`, strictly increasing and at most `j`. Leave diagonal entries out that are
    /// always zero, those of the multipliers.
    ///
    /// `order[k]` is the index eliminated at step `k`. Without an order it is the minimum degree order, with
    /// indices of empty diagonal put off until they can have a pivot. O(entries log entries + entries of the factor)
    pub fn analyse(
        n: usize,
        columns: &[usize],
        rows: &[usize],
        order: Option<&[usize]>,
    ) -> Result<SparseLdlt, SparseError> {
        let entries = Pattern::checked(n, columns, rows)?;
        entries.check_upper()?;
        let order = match order {
            Some(order) => checked_order(order, n)?,
            None => postpone_empty_diagonals(&entries, &analysis::minimum_degree_order(&entries)),
        };
        let (upper, sources) = entries.permuted_upper(&order);
        let lower = analysis::factor_pattern(&upper)?;
        let (row_starts, row_entries) = by_rows(&lower);
        Ok(SparseLdlt {
            entries,
            order,
            upper,
            sources,
            lower,
            row_starts,
            row_entries,
            inverse_pivots: vec![0.0; n],
            factored: false,
            column: vec![0.0; n],
            permuted: vec![0.0; n],
        })
    }

    /// Factors the matrix with these values, in the order of the pattern. Allocates nothing.
    /// O(sum of squares of the column counts of the factor)
    ///
    /// # Errors
    /// [`SparseError::ZeroPivot`] if a pivot is zero to rounding; the matrix may still be regular. A dependence that
    /// is blurred by many roundings can pass unnoticed.
    pub fn factor(&mut self, values: &[f64]) -> Result<(), SparseError> {
        self.entries.check_values(values)?;
        self.factored = false;
        for k in 0..self.upper.n {
            if !self.eliminate(k, values) {
                return Err(SparseError::ZeroPivot { index: self.order[k] as usize });
            }
        }
        self.factored = true;
        Ok(())
    }

    /// Row `k` of `L` and pivot `k` from the rows before (up-looking, [Davis 2005]); says whether the pivot
    /// has a correct digit. Leaves `column` zero.
    #[inline]
    fn eliminate(&mut self, k: usize, values: &[f64]) -> bool {
        let x = &mut self.column[..];
        for entry in self.upper.column(k) {
            x[self.upper.rows[entry] as usize] = values[self.sources[entry] as usize];
        }
        let mut pivot = x[k];
        let mut terms = pivot.abs();
        x[k] = 0.0;
        // solve with the rows before: x_j is final when its turn comes
        for &RowEntry { column, position } in
            &self.row_entries[self.row_starts[k] as usize..self.row_starts[k + 1] as usize]
        {
            let (j, position) = (column as usize, position as usize);
            let xj = x[j];
            x[j] = 0.0;
            let above = self.lower.starts[j] as usize..position;
            for (&row, &value) in self.lower.rows[above.clone()].iter().zip(&self.lower.values[above]) {
                x[row as usize] -= value * xj;
            }
            // l_kj = x_j / d_j,  d_k = a_kk - sum_j l_kj^2 d_j
            let l = xj * self.inverse_pivots[j];
            self.lower.values[position] = l;
            pivot -= l * xj;
            terms += (l * xj).abs();
        }
        self.inverse_pivots[k] = 1.0 / pivot;
        pivot.abs() > ROUNDING * terms
    }

    /// Replaces the right side `x` by the solution. Allocates nothing. O(entries of the factor)
    pub fn solve(&mut self, x: &mut [f64]) -> Result<(), SparseError> {
        check_length(x.len(), self.order.len())?;
        if !self.factored {
            return Err(SparseError::NotFactored);
        }
        let y = &mut self.permuted[..];
        for (y, &index) in y.iter_mut().zip(&self.order) {
            *y = x[index as usize];
        }
        for k in 0..y.len() {
            self.lower.subtract_column(k, y[k], y);
        }
        for k in (0..y.len()).rev() {
            y[k] = y[k] * self.inverse_pivots[k] - self.lower.column_times(k, y);
            x[self.order[k] as usize] = y[k];
        }
        check_solution(x)
    }

    /// How many numbers the factor holds, diagonal included.
    pub fn factor_entries(&self) -> usize {
        self.lower.rows.len() + self.order.len()
    }
}

/// The entries of a triangle by rows, columns increasing.
fn by_rows(lower: &Triangle) -> (Vec<u32>, Vec<RowEntry>) {
    let mut starts = vec![0; lower.starts.len()];
    for &row in &lower.rows {
        starts[row as usize + 1] += 1;
    }
    accumulate(&mut starts);
    let mut next = starts.clone();
    let mut entries = vec![RowEntry::default(); lower.rows.len()];
    for column in 0..lower.starts.len() - 1 {
        for position in lower.column(column) {
            let next = &mut next[lower.rows[position] as usize];
            entries[*next as usize] = RowEntry { column: column as u32, position: position as u32 };
            *next += 1;
        }
    }
    (starts, entries)
}
