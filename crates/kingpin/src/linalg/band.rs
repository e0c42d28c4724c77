//! Band Cholesky factorisation: `row_cholesky` on rows of one length, as wide as the furthest pair of
//! coupled blocks.

use super::entry::{Entry, ZeroPivot};
use super::lanes::{Machine, on_machine};
use super::pattern::{BlockPattern, positions};
use super::row_cholesky::{self, FailedRow, Ordering, RowProfile};

/// Factorisation `L L^T` of a symmetric positive definite matrix within its band. O(rows bandwidth^2).
#[derive(Debug, Clone)]
pub struct Band {
    ordering: Ordering,
    position: Vec<usize>,
    shape: BandShape,
    machine: Machine,
}

/// Rows of equal length: `half` columns left of the diagonal, and behind it room for the upper triangle of
/// the largest diagonal block, so that a caller may assemble whole blocks.
#[derive(Debug, Clone, Copy)]
struct BandShape {
    rows: usize,
    half: usize,
    stride: usize,
}

impl BandShape {
    /// Index of element (i, j); may only be formed for elements inside a row.
    fn index(self, i: usize, j: usize) -> usize {
        i * self.stride + self.half + j - i
    }
}

impl RowProfile for BandShape {
    fn count(self) -> usize {
        self.rows
    }
    #[inline(always)]
    fn row(self, i: usize) -> (usize, usize) {
        let first = i.saturating_sub(self.half);
        (first, self.index(i, first))
    }
}

impl Band {
    /// Symbolic phase: the bandwidth of `pattern` in the given order. O(blocks + pairs).
    ///
    /// # Panics
    /// If `order` is not a permutation of the blocks.
    pub fn analyse(pattern: &BlockPattern, order: &[usize]) -> Self {
        let position = positions(order, pattern.blocks());
        let ordering = Ordering::new(pattern, order);
        let largest = pattern.sizes().iter().copied().max().unwrap_or(0);
        let reach = |(i, j): (usize, usize)| {
            let (p, q) = (position[i].max(position[j]), position[i].min(position[j]));
            (ordering.start[p + 1] - ordering.start[q]).saturating_sub(1)
        };
        let half = pattern.lower().map(reach).max().unwrap_or(0).max(largest.saturating_sub(1));
        let shape = BandShape { rows: ordering.rows(), half, stride: half + largest };
        Self { position, shape, machine: pattern.machine(), ordering }
    }

    /// Length of the value array.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.shape.rows * self.shape.stride
    }

    /// Scalar rows of the matrix.
    pub fn rows(&self) -> usize {
        self.shape.rows
    }

    /// Columns left of the diagonal.
    pub fn half_bandwidth(&self) -> usize {
        self.shape.half
    }

    /// Where to assemble block (`i`, `j`), or `None` if it does not lie within the band.
    pub fn locate(&self, i: usize, j: usize) -> Option<Entry> {
        let (p, q) = (*self.position.get(i)?, *self.position.get(j)?);
        if p < q {
            return self.locate(j, i).map(Entry::transposed);
        }
        let (top, left) = (self.ordering.start[p], self.ordering.start[q]);
        let (rows, cols) = (self.ordering.size(p), self.ordering.size(q));
        let inside = (top + rows).saturating_sub(1) <= left + self.shape.half;
        inside.then(|| Entry {
            offset: self.shape.index(top, left),
            rows,
            cols,
            row_stride: self.shape.stride - 1,
            col_stride: 1,
        })
    }

    /// Factors in place; a pivot not above `threshold` times its original diagonal element is an error.
    ///
    /// # Panics
    /// If `values` is not [`len`](Self::len) long.
    pub fn factor(&self, values: &mut [f64], threshold: f64) -> Result<(), ZeroPivot> {
        assert_eq!(values.len(), self.len(), "length of the value array");
        let shape = self.shape;
        on_machine!(self.machine, row_cholesky::factor,
            (shape: BandShape, values: &mut [f64], threshold: f64) -> Result<(), FailedRow>)
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
        let (shape, ordered) = (self.shape, &mut scratch[..]);
        on_machine!(self.machine, row_cholesky::solve, (shape: BandShape, values: &[f64], ordered: &mut [f64]));
        self.ordering.scatter(scratch, x);
    }
}
