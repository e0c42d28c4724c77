//! Dense Cholesky factorisation: `row_cholesky` on whole rows, four at a time.

use super::entry::{Entry, ZeroPivot};
use super::lanes::{Lanes, Machine, on_machine};
use super::pattern::BlockPattern;
use super::row_cholesky::{self, FailedRow, Ordering, RowProfile, dot, pivot};

/// Factorisation `L L^T` of a dense symmetric positive definite matrix, lower triangle packed by block rows:
/// each block row is a row-major rectangle from the first column to the end of its diagonal block.
/// O(rows^3 / 3).
#[derive(Debug, Clone)]
pub struct DenseCholesky {
    ordering: Ordering,
    /// Start of each scalar row in the values, and the length as the last element.
    start: Vec<usize>,
    machine: Machine,
}

/// Starts of the rows, all of which begin at column 0.
#[derive(Clone, Copy)]
struct Packed<'a>(&'a [usize]);

impl RowProfile for Packed<'_> {
    fn count(self) -> usize {
        self.0.len() - 1
    }
    #[inline(always)]
    fn row(self, i: usize) -> (usize, usize) {
        (0, self.0[i])
    }
}

impl DenseCholesky {
    /// Lays out a full matrix with the block sizes of `pattern`, in natural order.
    pub fn analyse(pattern: &BlockPattern) -> Self {
        let order: Vec<usize> = (0..pattern.blocks()).collect();
        let ordering = Ordering::new(pattern, &order);
        let widths =
            (0..order.len()).flat_map(|p| std::iter::repeat_n(ordering.start[p + 1], ordering.size(p)));
        let start = super::pattern::prefix_sums(widths);
        Self { start, machine: pattern.machine(), ordering }
    }

    /// Length of the value array.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.start[self.rows()]
    }

    /// Scalar rows of the matrix.
    pub fn rows(&self) -> usize {
        self.ordering.rows()
    }

    /// Where to assemble block (`i`, `j`), or `None` if there is no such block.
    pub fn locate(&self, i: usize, j: usize) -> Option<Entry> {
        if i < j {
            return self.locate(j, i).map(Entry::transposed);
        }
        let (&left, &end) = (self.ordering.start.get(j)?, self.ordering.start.get(i + 1)?);
        let top = self.ordering.start[i];
        Some(Entry {
            offset: self.start[top] + left,
            rows: self.ordering.size(i),
            cols: self.ordering.size(j),
            row_stride: end,
            col_stride: 1,
        })
    }

    /// Factors in place; a pivot not above `threshold` times its original diagonal element is an error.
    ///
    /// # Panics
    /// If `values` is not [`len`](Self::len) long.
    pub fn factor(&self, values: &mut [f64], threshold: f64) -> Result<(), ZeroPivot> {
        assert_eq!(values.len(), self.len(), "length of the value array");
        let start = &self.start[..];
        on_machine!(self.machine, factor,
            (start: &[usize], values: &mut [f64], threshold: f64) -> Result<(), FailedRow>)
        .map_err(|failure| self.ordering.zero_pivot(failure))
    }

    /// Solves in place.
    ///
    /// # Panics
    /// If a length is wrong.
    pub fn solve(&self, values: &[f64], x: &mut [f64]) {
        assert_eq!(
            (values.len(), x.len()),
            (self.len(), self.rows()),
            "lengths of the values and the vector"
        );
        let packed = Packed(&self.start);
        on_machine!(self.machine, row_cholesky::solve, (packed: Packed, values: &[f64], x: &mut [f64]));
    }

    /// First half of a solution for the `width` columns of a row-major matrix: `X = L^-1 X`.
    ///
    /// # Panics
    /// If a length is wrong.
    pub fn forward_many(&self, values: &[f64], x: &mut [f64], width: usize) {
        assert_eq!((values.len(), x.len()), (self.len(), self.rows() * width), "lengths of the matrices");
        let packed = Packed(&self.start);
        on_machine!(self.machine, row_cholesky::forward_many,
            (packed: Packed, values: &[f64], x: &mut [f64], width: usize));
    }

    /// Second half of a solution: `x = L^-T x`.
    ///
    /// # Panics
    /// If a length is wrong.
    pub fn backward(&self, values: &[f64], x: &mut [f64]) {
        assert_eq!(
            (values.len(), x.len()),
            (self.len(), self.rows()),
            "lengths of the values and the vector"
        );
        let packed = Packed(&self.start);
        on_machine!(self.machine, row_cholesky::backward, (packed: Packed, values: &[f64], x: &mut [f64]));
    }
}

/// `sum x_i a_i` for four rows a at once, so that x is read once.
#[inline(always)]
fn dot4<L: Lanes>(lanes: L, x: &[f64], rows: [&[f64]; 4]) -> [f64; 4] {
    let (x4, x1) = x.as_chunks::<4>();
    let parts = rows.map(|row| row[..x.len()].as_chunks::<4>());
    let mut sums = [lanes.splat4(0.0); 4];
    for (i, x) in x4.iter().enumerate() {
        let x = lanes.load4(*x);
        for (sum, part) in sums.iter_mut().zip(&parts) {
            *sum = lanes.mul_add4(x, lanes.load4(part.0[i]), *sum);
        }
    }
    std::array::from_fn(|r| {
        let s = lanes.store4(sums[r]);
        let tail = x1.iter().zip(parts[r].1).fold(0.0, |tail, (x, a)| lanes.mul_add(*x, *a, tail));
        (s[0] + s[1]) + (s[2] + s[3]) + tail
    })
}

/// Row by row, four columns at a time.
#[inline(always)]
fn factor<L: Lanes>(lanes: L, start: &[usize], values: &mut [f64], threshold: f64) -> Result<(), FailedRow> {
    for i in 0..start.len() - 1 {
        let (done, row) = values.split_at_mut(start[i]);
        let l = |j: usize| &done[start[j]..][..=j];
        let mut j = 0;
        while j + 4 <= i {
            let (known, unknown) = row.split_at_mut(j);
            let rows = [l(j), l(j + 1), l(j + 2), l(j + 3)];
            let s = dot4(lanes, known, rows);
            // the 4 x 4 triangle among the columns themselves
            for c in 0..4 {
                let mut v = unknown[c] - s[c];
                for b in 0..c {
                    v = lanes.mul_add(-rows[c][j + b], unknown[b], v);
                }
                unknown[c] = v * rows[c][j + c];
            }
            j += 4;
        }
        for j in j..i {
            let l_j = l(j);
            row[j] = (row[j] - dot(lanes, &row[..j], &l_j[..j])) * l_j[j];
        }
        let scale = row[i];
        row[i] = pivot(i, scale - dot(lanes, &row[..i], &row[..i]), scale, threshold)?;
    }
    Ok(())
}
