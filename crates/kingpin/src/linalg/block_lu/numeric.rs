//! The numeric phase: factors and solutions. No allocation.

use super::kernel::{
    self, collect, collect_any, divide, divide_any, of_length, spread, spread_any, update, update_any,
};
use super::{BlockFactor, BlockLu, PivotBlock, PivotScalar, SingularBlock};
use crate::linalg::lanes::Lanes;

impl BlockLu {
    /// Factors the values in place; the least pivot of all blocks, as a part of the largest number of its block. A
    /// pivot not above `threshold` times that is an error. O(work)
    pub(crate) fn factor<T: PivotScalar>(
        &self,
        to: &mut BlockFactor<T>,
        threshold: f64,
    ) -> Result<f64, SingularBlock> {
        T::factor(self, to, threshold)
    }

    /// Solves `A x = b` in place. O(len)
    pub(crate) fn solve<T: PivotScalar>(&self, with: &BlockFactor<T>, x: &mut [T]) {
        T::solve(self, with, x);
    }
}

/// The factor of a diagonal block.
#[inline(always)]
fn diagonal<'f, T>(column: &PivotBlock, with: &'f BlockFactor<T>) -> (usize, &'f [T], &'f [u32]) {
    let PivotBlock { at, size, start, .. } = *column;
    (size, &with.values[at..at + size * size], &with.exchange[start..start + size])
}

#[inline(always)]
pub(super) fn factor<L: Lanes, T: PivotScalar>(
    lanes: L,
    lu: &BlockLu,
    to: &mut BlockFactor<T>,
    threshold: f64,
) -> Result<f64, SingularBlock> {
    let mut least = f64::INFINITY;
    for k in 0..lu.position.len() {
        let PivotBlock { at, size, start, updates, .. } = lu.columns[k];
        let end = lu.columns[k + 1].at;
        // numbers of this column, and those of the columns behind it
        let (own, behind) = to.values[at..].split_at_mut(end - at);
        let (d, blocks) = own.split_at_mut(size * size);
        let exchange = &mut to.exchange[start..start + size];
        let pivot = kernel::factor(lanes, size, d, exchange, threshold);
        least = least.min(pivot.map_err(|(unknown, pivot)| lu.singular(k, unknown, pivot))?);
        let (list, first) = (lu.neighbours_of(k), at + size * size);
        for neighbour in list {
            let n = neighbour.extent as usize;
            let u = &mut blocks[neighbour.upper - first..][..size * n];
            of_length!(n, divide, divide_any, (lanes, (size, d, exchange), u));
        }
        let mut targets = lu.updates[updates..].iter();
        for row in list {
            let rows = row.extent as usize;
            let lower = &blocks[row.lower - first..][..size * rows];
            for (column, target) in list.iter().zip(&mut targets) {
                let n = column.extent as usize;
                let both = (lower, &blocks[column.upper - first..][..size * n]);
                let strides = (target.by_row as usize, target.by_column as usize);
                let target = &mut behind[target.at - end..];
                of_length!(n, update, update_any, (lanes, rows, both, target, strides));
            }
        }
    }
    Ok(least)
}

impl BlockLu {
    #[cold]
    fn singular(&self, k: usize, unknown: usize, pivot: f64) -> SingularBlock {
        let node = self.position.iter().position(|&p| p as usize == k).unwrap_or(0);
        SingularBlock { node, unknown, pivot }
    }
}

#[inline(always)]
pub(super) fn solve<L: Lanes, T: PivotScalar>(lanes: L, lu: &BlockLu, with: &BlockFactor<T>, x: &mut [T]) {
    let nodes = lu.position.len();
    // (L + D) y = b
    for k in 0..nodes {
        let column = &lu.columns[k];
        let (own, behind) = x.split_at_mut(column.start + column.size);
        let own = &mut own[column.start..];
        kernel::solve(lanes, diagonal(column, with), own);
        for neighbour in lu.neighbours_of(k) {
            let (n, at) = (neighbour.extent as usize, lu.columns[neighbour.position as usize].start);
            let block = &with.values[neighbour.lower..][..column.size * n];
            let to = &mut behind[at - column.start - column.size..];
            of_length!(n, spread, spread_any, (lanes, block, own, to));
        }
    }
    // U x = y
    for k in (0..nodes).rev() {
        let column = &lu.columns[k];
        let (own, behind) = x.split_at_mut(column.start + column.size);
        let own = &mut own[column.start..];
        for neighbour in lu.neighbours_of(k) {
            let (n, at) = (neighbour.extent as usize, lu.columns[neighbour.position as usize].start);
            let block = &with.values[neighbour.upper..][..column.size * n];
            let from = &behind[at - column.start - column.size..];
            of_length!(n, collect, collect_any, (lanes, block, own, from));
        }
    }
}
