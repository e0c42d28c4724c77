//! Cholesky factorisation by rows of a symmetric matrix stored as row profiles: what the envelope, band and
//! dense solvers share.
//!
//! Row i holds the columns `first(i)..=i`, contiguous. The factor `L L^T` replaces the matrix, except that
//! the diagonal keeps `1 / L_ii`.

use super::entry::ZeroPivot;
use super::lanes::Lanes;
use super::pattern::BlockPattern;

/// Where the rows are.
pub(super) trait RowProfile: Copy {
    /// Number of rows.
    fn count(self) -> usize;
    /// First stored column of row `i`, and the index of its value.
    fn row(self, i: usize) -> (usize, usize);
}

/// A row whose pivot failed.
pub(super) struct FailedRow {
    pub row: usize,
    pub pivot: f64,
    pub scale: f64,
}

/// `sum a_i b_i` in two groups of four partial sums.
#[inline(always)]
pub(super) fn dot<L: Lanes>(lanes: L, a: &[f64], b: &[f64]) -> f64 {
    let ((a4, a1), (b4, b1)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    let mut tail = 0.0;
    for (x, y) in a1.iter().zip(b1) {
        tail = lanes.mul_add(*x, *y, tail);
    }
    if a4.is_empty() {
        return tail;
    }
    let (mut even, mut odd) = (lanes.splat4(0.0), lanes.splat4(0.0));
    for (i, (x, y)) in a4.iter().zip(b4).enumerate() {
        let sum = if i % 2 == 0 { &mut even } else { &mut odd };
        *sum = lanes.mul_add4(lanes.load4(*x), lanes.load4(*y), *sum);
    }
    let (even, odd) = (lanes.store4(even), lanes.store4(odd));
    (even[0] + even[1]) + (even[2] + even[3]) + ((odd[0] + odd[1]) + (odd[2] + odd[3])) + tail
}

/// The pivot of a row with `d` left of its diagonal element: `1 / L_ii`, or its failure.
#[inline(always)]
pub(super) fn pivot(row: usize, d: f64, scale: f64, threshold: f64) -> Result<f64, FailedRow> {
    if d > threshold * scale { Ok(1.0 / d.sqrt()) } else { Err(FailedRow { row, pivot: d, scale }) }
}

/// Factors in place, row by row: L_ij = (A_ij - L_i . L_j) / L_jj over the columns that both rows have, and
/// L_ii^2 = A_ii - L_i . L_i. All inner loops are products of two contiguous rows.
#[inline(always)]
pub(super) fn factor<L: Lanes, P: RowProfile>(
    lanes: L,
    profile: P,
    values: &mut [f64],
    threshold: f64,
) -> Result<(), FailedRow> {
    for i in 0..profile.count() {
        let (first_i, start_i) = profile.row(i);
        let (done, row) = values.split_at_mut(start_i);
        let (row, diagonal) = row[..=i - first_i].split_at_mut(i - first_i);
        for j in first_i..i {
            let (first_j, start_j) = profile.row(j);
            let from = first_i.max(first_j);
            let known = &row[from - first_i..j - first_i];
            let l_j = &done[start_j + from - first_j..][..=known.len()];
            let s = row[j - first_i] - dot(lanes, known, &l_j[..known.len()]);
            row[j - first_i] = s * l_j[known.len()];
        }
        let scale = diagonal[0];
        diagonal[0] = pivot(i, scale - dot(lanes, row, row), scale, threshold)?;
    }
    Ok(())
}

/// Solves in place, `x` in the order of the rows: `x = L^-1 x` by products with rows, then [`backward`].
#[inline(always)]
pub(super) fn solve<L: Lanes, P: RowProfile>(lanes: L, profile: P, values: &[f64], x: &mut [f64]) {
    for i in 0..profile.count() {
        let (first, start) = profile.row(i);
        let (row, diagonal) = values[start..][..=i - first].split_at(i - first);
        x[i] = (x[i] - dot(lanes, row, &x[first..i])) * diagonal[0];
    }
    backward(lanes, profile, values, x);
}

/// `X = L^-1 X` for the `width` columns of a row-major matrix.
#[inline(always)]
pub(super) fn forward_many<L: Lanes, P: RowProfile>(
    lanes: L,
    profile: P,
    values: &[f64],
    x: &mut [f64],
    width: usize,
) {
    for i in 0..profile.count() {
        let (first, start) = profile.row(i);
        let (row, diagonal) = values[start..][..=i - first].split_at(i - first);
        let (done, own) = x.split_at_mut(i * width);
        let own = &mut own[..width];
        for (&l, known) in row.iter().zip(done[first * width..].chunks_exact(width.max(1))) {
            for (x, k) in own.iter_mut().zip(known) {
                *x = lanes.mul_add(-l, *k, *x);
            }
        }
        own.iter_mut().for_each(|x| *x *= diagonal[0]);
    }
}

/// `x = L^-T x`: a column of L^T is a row of L, so each unknown is taken out of those before it.
#[inline(always)]
pub(super) fn backward<L: Lanes, P: RowProfile>(lanes: L, profile: P, values: &[f64], x: &mut [f64]) {
    for i in (0..profile.count()).rev() {
        let (first, start) = profile.row(i);
        let (row, diagonal) = values[start..][..=i - first].split_at(i - first);
        x[i] *= diagonal[0];
        let x_i = -x[i];
        for (x_j, &l_ij) in x[first..i].iter_mut().zip(row) {
            *x_j = lanes.mul_add(l_ij, x_i, *x_j);
        }
    }
}

/// The blocks of a matrix in elimination order: the rows of each, in that order and in the natural one.
#[derive(Debug, Clone)]
pub(super) struct Ordering {
    /// Natural block at each position.
    order: Vec<usize>,
    /// First row of each position, and the number of rows as the last element.
    pub start: Vec<usize>,
    /// First natural row of each position.
    natural: Vec<usize>,
}

impl Ordering {
    pub fn new(pattern: &BlockPattern, order: &[usize]) -> Self {
        Self {
            start: super::pattern::prefix_sums(order.iter().map(|&block| pattern.sizes()[block])),
            natural: order.iter().map(|&block| pattern.offsets()[block]).collect(),
            order: order.to_vec(),
        }
    }

    /// Number of scalar rows.
    pub fn rows(&self) -> usize {
        self.start[self.order.len()]
    }

    /// Rows of position `p`.
    pub fn size(&self, p: usize) -> usize {
        self.start[p + 1] - self.start[p]
    }

    /// Copies `x` from natural order into elimination order.
    pub fn gather(&self, x: &[f64], ordered: &mut [f64]) {
        for (p, &natural) in self.natural.iter().enumerate() {
            ordered[self.start[p]..self.start[p + 1]].copy_from_slice(&x[natural..natural + self.size(p)]);
        }
    }

    /// Copies `x` back.
    pub fn scatter(&self, ordered: &[f64], x: &mut [f64]) {
        for (p, &natural) in self.natural.iter().enumerate() {
            x[natural..natural + self.size(p)].copy_from_slice(&ordered[self.start[p]..self.start[p + 1]]);
        }
    }

    /// The failure in terms of natural blocks.
    pub fn zero_pivot(&self, failure: FailedRow) -> ZeroPivot {
        let FailedRow { row, pivot, scale } = failure;
        let p = self.start.partition_point(|&start| start <= row) - 1;
        ZeroPivot { block: self.order[p], row: row - self.start[p], pivot, scale }
    }
}
