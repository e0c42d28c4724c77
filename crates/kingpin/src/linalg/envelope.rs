//! Skyline Cholesky factorisation: each block row stored from its first nonzero block to the diagonal.

use super::entry::{Entry, ZeroPivot};
use super::lanes::{Machine, on_machine};
use super::pattern::{BlockPattern, positions, prefix_sums};
use super::row_cholesky::{self, FailedRow, Ordering, RowProfile};

/// Factorisation `L L^T` of a symmetric positive definite matrix within its envelope [Jennings 1966].
///
/// All rows of a block start at the same column. Fill stays within the envelope, so the cost is that of the
/// order's profile: O(sum of squared row lengths).
#[derive(Debug, Clone)]
pub struct Envelope {
    ordering: Ordering,
    position: Vec<usize>,
    /// First scalar column of each position's rows.
    first: Vec<usize>,
    /// Start of each position's rows in the values.
    base: Vec<usize>,
    /// First column and start of each scalar row.
    rows: Vec<(usize, usize)>,
    machine: Machine,
}

impl RowProfile for &[(usize, usize)] {
    fn count(self) -> usize {
        self.len()
    }
    #[inline(always)]
    fn row(self, i: usize) -> (usize, usize) {
        self[i]
    }
}

impl Envelope {
    /// Symbolic phase: the profile of `pattern` in the given order. O(blocks + pairs + rows).
    ///
    /// # Panics
    /// If `order` is not a permutation of the blocks.
    pub fn analyse(pattern: &BlockPattern, order: &[usize]) -> Self {
        let position = positions(order, pattern.blocks());
        let ordering = Ordering::new(pattern, order);
        let first: Vec<usize> = (0..order.len())
            .map(|p| {
                let neighbours = pattern.neighbours(order[p]).iter().map(|&block| position[block]);
                ordering.start[neighbours.min().map_or(p, |q| q.min(p))]
            })
            .collect();
        let width = |p: usize| ordering.start[p + 1] - first[p];
        let base = prefix_sums((0..order.len()).map(|p| width(p) * ordering.size(p)));
        let rows = (0..order.len())
            .flat_map(|p| (0..ordering.size(p)).map(move |row| (p, row)))
            .map(|(p, row)| (first[p], base[p] + row * width(p)))
            .collect();
        Self { first, base, rows, position, machine: pattern.machine(), ordering }
    }

    /// Length of the value array.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.base[self.first.len()]
    }

    /// Scalar rows of the matrix.
    pub fn rows(&self) -> usize {
        self.ordering.rows()
    }

    /// Where to assemble block (`i`, `j`), or `None` if it lies outside the envelope.
    pub fn locate(&self, i: usize, j: usize) -> Option<Entry> {
        let (p, q) = (*self.position.get(i)?, *self.position.get(j)?);
        if p < q {
            return self.locate(j, i).map(Entry::transposed);
        }
        let start = &self.ordering.start;
        let column = start[q].checked_sub(self.first[p])?;
        Some(Entry {
            offset: self.base[p] + column,
            rows: self.ordering.size(p),
            cols: self.ordering.size(q),
            row_stride: start[p + 1] - self.first[p],
            col_stride: 1,
        })
    }

    /// Factors in place; a pivot not above `threshold` times its original diagonal element is an error.
    ///
    /// # Panics
    /// If `values` is not [`len`](Self::len) long.
    pub fn factor(&self, values: &mut [f64], threshold: f64) -> Result<(), ZeroPivot> {
        assert_eq!(values.len(), self.len(), "length of the value array");
        let rows = &self.rows[..];
        on_machine!(self.machine, row_cholesky::factor,
            (rows: &[(usize, usize)], values: &mut [f64], threshold: f64) -> Result<(), FailedRow>)
        .map_err(|failure| self.ordering.zero_pivot(failure))
    }

    /// Solves in place, `x` in natural order; `scratch` has the length of `x`.
    ///
    /// # Panics
    /// If a length is wrong.
    pub fn solve(&self, values: &[f64], x: &mut [f64], scratch: &mut [f64]) {
        assert_eq!(
            (values.len(), x.len()),
            (self.len(), self.rows()),
            "lengths of the values and the vector"
        );
        self.ordering.gather(x, scratch);
        let (rows, ordered) = (&self.rows[..], &mut scratch[..]);
        on_machine!(self.machine, row_cholesky::solve,
            (rows: &[(usize, usize)], values: &[f64], ordered: &mut [f64]));
        self.ordering.scatter(scratch, x);
    }
}
