//! Forward and backward substitution with several right-hand sides at once.
//!
//! Right-hand sides are the columns of a row-major matrix, so a row of it is contiguous; they are taken four
//! at a time, the rest as one group of one to three.

use super::lanes::{Lanes, RowLanes};
use super::schedule::{BlockColumn, Lower, Schedule};

/// `x = L^-1 x` for the `width` columns of `x`.
#[inline(always)]
pub(super) fn forward_columns<L: Lanes>(
    lanes: L,
    schedule: &Schedule,
    values: &[f64],
    x: &mut [f64],
    width: usize,
) {
    let mut lowers = &schedule.lowers[..];
    for k in &schedule.columns {
        let mine;
        (mine, lowers) = lowers.split_at(k.lowers as usize);
        let column = ColumnPart { column: &values[k.start as usize..], k, lowers: mine, width };
        for first in (0..width).step_by(4) {
            match width - first {
                1 => column.forward::<L, 1>(lanes, x, first),
                2 => column.forward::<L, 2>(lanes, x, first),
                3 => column.forward::<L, 3>(lanes, x, first),
                _ => column.forward::<L, 4>(lanes, x, first),
            }
        }
    }
}

/// `x = L^-T D^-1 x` for the `width` columns of `x`.
#[inline(always)]
pub(super) fn backward_columns<L: Lanes>(
    lanes: L,
    schedule: &Schedule,
    values: &[f64],
    x: &mut [f64],
    width: usize,
) {
    let mut lowers = &schedule.lowers[..];
    for k in schedule.columns.iter().rev() {
        let mine;
        (lowers, mine) = lowers.split_at(lowers.len() - k.lowers as usize);
        let column = ColumnPart { column: &values[k.start as usize..], k, lowers: mine, width };
        for first in (0..width).step_by(4) {
            match width - first {
                1 => column.backward::<L, 1>(lanes, x, first),
                2 => column.backward::<L, 2>(lanes, x, first),
                3 => column.backward::<L, 3>(lanes, x, first),
                _ => column.backward::<L, 4>(lanes, x, first),
            }
        }
    }
}

/// A block column and the shape of the right-hand sides.
struct ColumnPart<'a> {
    column: &'a [f64],
    k: &'a BlockColumn,
    lowers: &'a [Lower],
    width: usize,
}

impl ColumnPart<'_> {
    /// `R` right-hand sides of scalar row `row`, from column `first` of `x`.
    #[inline(always)]
    fn load<L: Lanes, const R: usize>(
        &self,
        lanes: L,
        x: &[f64],
        row: usize,
        first: usize,
    ) -> RowLanes<L, R> {
        match x[row * self.width + first..].first_chunk() {
            Some(part) => RowLanes::load(lanes, part),
            None => panic!("right-hand sides outside the matrix"),
        }
    }

    #[inline(always)]
    fn store<L: Lanes, const R: usize>(&self, rows: RowLanes<L, R>, x: &mut [f64], row: usize, first: usize) {
        if let Some(part) = x[row * self.width + first..].first_chunk_mut() {
            rows.store_from(0, part);
        }
    }

    #[inline(always)]
    fn forward<L: Lanes, const R: usize>(&self, lanes: L, x: &mut [f64], first: usize) {
        let (n, top) = (self.k.size as usize, self.k.x as usize);
        let (r, blocks) = self.column.split_at(n);
        let (l, mut below) = blocks.split_at(n * n);
        // z = L_kk^-1 x
        for i in 1..n {
            let mut z: RowLanes<L, R> = self.load(lanes, x, top + i, first);
            for j in 0..i {
                z = z.plus(self.load(lanes, x, top + j, first), l[j * n + i]);
            }
            self.store(z, x, top + i, first);
        }
        // x_i -= W_ik D^-1 z
        for lower in self.lowers {
            let m = lower.rows as usize;
            let (w, rest) = below.split_at(m * n);
            for i in 0..m {
                let mut y: RowLanes<L, R> = self.load(lanes, x, lower.x as usize + i, first);
                for c in 0..n {
                    y = y.plus(self.load(lanes, x, top + c, first), w[c * m + i] * r[c]);
                }
                self.store(y, x, lower.x as usize + i, first);
            }
            below = rest;
        }
    }

    #[inline(always)]
    fn backward<L: Lanes, const R: usize>(&self, lanes: L, x: &mut [f64], first: usize) {
        let (n, top) = (self.k.size as usize, self.k.x as usize);
        let (r, blocks) = self.column.split_at(n);
        let (l, below) = blocks.split_at(n * n);
        // D^-1 (z - W_ik^T x_i)
        for c in 0..n {
            let mut t: RowLanes<L, R> = self.load(lanes, x, top + c, first).times(-1.0);
            let mut start = 0;
            for lower in self.lowers {
                let m = lower.rows as usize;
                for (i, &w_ic) in below[start + c * m..][..m].iter().enumerate() {
                    t = t.plus(self.load(lanes, x, lower.x as usize + i, first), w_ic);
                }
                start += m * n;
            }
            self.store(t.times(r[c]), x, top + c, first);
        }
        // x = L_kk^-T of it
        for j in (0..n).rev() {
            let mut z: RowLanes<L, R> = self.load(lanes, x, top + j, first);
            for i in j + 1..n {
                z = z.plus(self.load(lanes, x, top + i, first), l[j * n + i]);
            }
            self.store(z, x, top + j, first);
        }
    }
}
