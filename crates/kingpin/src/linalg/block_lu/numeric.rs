//! The numeric phase over some columns that follow each other: a branch, the trunk, or all. No allocation.
//!
//! Columns from the end of the span on are outside of it. What a branch does to them waits until all branches are done,
//! and is done then in the order of the columns: numbers are those of all columns one after the other.

use super::kernel::{
    collect, collect_any, divide, divide_any, factor as factor_block, factor_any, of_length, solve,
    solve_any, spread, spread_any, update, update_any,
};
use super::panels::{backward_panel, factor_panel, forward_panel, forward_panel_outside};
use super::scalar::UnknownsAndBehind;
use super::{BlockFactor, BlockLu, Neighbour, PivotBlock, PivotScalar, SingularBlock};
use crate::linalg::lanes::Lanes;
use std::ops::Range;

/// The values and exchanges of some columns.
pub(crate) struct SpanFactor<'a, T> {
    pub(super) values: &'a mut [T],
    pub(super) exchange: &'a mut [u32],
}

/// The factor of a diagonal block.
#[inline(always)]
pub(super) fn diagonal<'f, T>(column: &PivotBlock, with: &'f BlockFactor<T>) -> (&'f [T], &'f [u32]) {
    let PivotBlock { at, size, start, .. } = *column;
    (&with.values[at..at + size * size], &with.exchange[start..start + size])
}

impl BlockLu {
    /// The neighbours of a column, and how many of them come before the place `end`.
    #[inline(always)]
    pub(super) fn reach(&self, k: usize, end: usize) -> (&[Neighbour], usize) {
        let list = self.neighbours_of(k);
        let all = end == self.position.len();
        (list, if all { list.len() } else { list.partition_point(|n| (n.position as usize) < end) })
    }

    #[cold]
    pub(super) fn singular(&self, k: usize, unknown: usize, pivot: f64) -> SingularBlock {
        let node = self.position.iter().position(|&p| p as usize == k).unwrap_or(0);
        SingularBlock { node, unknown, pivot }
    }
}

/// Factors columns; the least pivot of them. What two outside get of them is left.
#[inline(always)]
pub(super) fn factor<L: Lanes, T: PivotScalar>(
    lanes: L,
    lu: &BlockLu,
    columns: Range<usize>,
    to: SpanFactor<T>,
    threshold: f64,
) -> Result<f64, SingularBlock> {
    let (mut least, base, row) =
        (f64::INFINITY, lu.columns[columns.start].at, lu.columns[columns.start].start);
    let mut next = columns.start;
    while next < columns.end {
        let k = next;
        if let Some(panel) = lu.panel_of(&lu.columns[k]) {
            let (own, behind) = to.values[panel.at - base..].split_at_mut(panel.parts()[2]);
            let exchange = &mut to.exchange[panel.start - row..][..panel.width];
            least = least.min(factor_panel(lanes, lu, panel, (own, exchange), threshold)?);
            let (inside, end) = (lu.runs_before(panel, columns.end), panel.at + own.len());
            lu.update_behind((panel, own), 0..inside, (behind, end));
            next = panel.columns.end;
            continue;
        }
        next += 1;
        let PivotBlock { at, size, start, updates, .. } = lu.columns[k];
        let end = lu.columns[k + 1].at;
        // numbers of this column, and those of the columns behind it
        let (own, behind) = to.values[at - base..].split_at_mut(end - at);
        let (d, blocks) = own.split_at_mut(size * size);
        let exchange = &mut to.exchange[start - row..start - row + size];
        let pivot = of_length!(size, factor_block, factor_any, (lanes, d, exchange, threshold));
        least = least.min(pivot.map_err(|(unknown, pivot)| lu.singular(k, unknown, pivot))?);
        let ((list, inside), first) = (lu.reach(k, columns.end), at + size * size);
        for neighbour in list {
            let n = neighbour.extent as usize;
            let u = &mut blocks[neighbour.upper - first..][..size * n];
            of_length!(n, divide, divide_any, (lanes, (size, d, exchange), u));
        }
        for (i, other) in list.iter().enumerate() {
            let rows = other.extent as usize;
            let lower = &blocks[other.lower - first..][..size * rows];
            let reached = if i < inside { list } else { &list[..inside] };
            for (column, target) in reached.iter().zip(&lu.updates[updates + i * list.len()..]) {
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

/// Gives the trunk, which begins at the place `trunk`, what the branches have for it.
#[inline(always)]
pub(super) fn factor_outside<L: Lanes, T: PivotScalar>(
    lanes: L,
    lu: &BlockLu,
    values: &mut [T],
    trunk: usize,
) {
    let base = lu.columns[trunk].at;
    let (branches, behind) = values.split_at_mut(base);
    for &k in &lu.bordering {
        let PivotBlock { size, updates, .. } = lu.columns[k as usize];
        if let Some(panel) = lu.panel_of(&lu.columns[k as usize]) {
            let own = &branches[panel.at..panel.at + panel.parts()[2]];
            let outside = lu.runs_before(panel, trunk)..panel.runs.len();
            lu.update_behind((panel, own), outside, (&mut *behind, base));
            continue;
        }
        let (list, inside) = lu.reach(k as usize, trunk);
        for (i, other) in list.iter().enumerate().skip(inside) {
            let rows = other.extent as usize;
            let lower = &branches[other.lower..][..size * rows];
            let targets = &lu.updates[updates + i * list.len() + inside..];
            for (column, target) in list[inside..].iter().zip(targets) {
                let n = column.extent as usize;
                let both = (lower, &branches[column.upper..][..size * n]);
                let strides = (target.by_row as usize, target.by_column as usize);
                let target = &mut behind[target.at - base..];
                of_length!(n, update, update_any, (lanes, rows, both, target, strides));
            }
        }
    }
}

/// `(L + D) y = b` of columns; `x` has their unknowns.
#[inline(always)]
pub(super) fn forward<L: Lanes, T: PivotScalar>(
    lanes: L,
    lu: &BlockLu,
    columns: Range<usize>,
    with: &BlockFactor<T>,
    x: &mut [T],
) {
    let (base, mut next) = (lu.columns[columns.start].start, columns.start);
    while next < columns.end {
        let (k, column) = (next, &lu.columns[next]);
        if let Some(panel) = lu.panel_of(column) {
            let (own, behind) = x[panel.start - base..].split_at_mut(panel.width);
            let row = panel.start + panel.width;
            forward_panel(lanes, lu, (panel, columns.end), with, own, (behind, row));
            next = panel.columns.end;
            continue;
        }
        next += 1;
        let (own, behind) = x.split_at_mut(column.start + column.size - base);
        let own = &mut own[column.start - base..];
        of_length!(column.size, solve, solve_any, (lanes, diagonal(column, with), own));
        let (list, inside) = lu.reach(k, columns.end);
        for neighbour in &list[..inside] {
            let (n, at) = (neighbour.extent as usize, lu.columns[neighbour.position as usize].start);
            let block = &with.values[neighbour.lower..][..column.size * n];
            let to = &mut behind[at - column.start - column.size..];
            of_length!(n, spread, spread_any, (lanes, block, own, to));
        }
    }
}

/// The same for what the trunk gets of the branches; `x` has all unknowns.
#[inline(always)]
pub(super) fn forward_outside<L: Lanes, T: PivotScalar>(
    lanes: L,
    lu: &BlockLu,
    trunk: usize,
    with: &BlockFactor<T>,
    x: &mut [T],
) {
    let base = lu.columns[trunk].start;
    let (branches, behind) = x.split_at_mut(base);
    for &k in &lu.bordering {
        let column = &lu.columns[k as usize];
        if let Some(panel) = lu.panel_of(column) {
            let own = &branches[panel.start..panel.start + panel.width];
            forward_panel_outside(lanes, lu, (panel, trunk), with, own, &mut *behind);
            continue;
        }
        let own = &branches[column.start..column.start + column.size];
        let (list, inside) = lu.reach(k as usize, trunk);
        for neighbour in &list[inside..] {
            let (n, at) = (neighbour.extent as usize, lu.columns[neighbour.position as usize].start);
            let block = &with.values[neighbour.lower..][..column.size * n];
            let to = &mut behind[at - base..];
            of_length!(n, spread, spread_any, (lanes, block, own, to));
        }
    }
}

/// `U x = y` of columns; `x` has their unknowns, `outside` those behind them.
#[inline(always)]
pub(super) fn backward<L: Lanes, T: PivotScalar>(
    lanes: L,
    lu: &BlockLu,
    columns: Range<usize>,
    with: &BlockFactor<T>,
    (x, (outside, trunk)): UnknownsAndBehind<T>,
) {
    let (base, first) = (lu.columns[columns.start].start, lu.columns[trunk].start);
    let mut next = columns.end;
    while next > columns.start {
        let (k, column) = (next - 1, &lu.columns[next - 1]);
        if let Some(panel) = lu.panel_of(column) {
            let (own, behind) = x[panel.start - base..].split_at_mut(panel.width);
            let row = panel.start + panel.width;
            let known = ((&*behind, row), (outside, first));
            backward_panel(lanes, lu, (panel, columns.end), with, own, known);
            next = panel.columns.start;
            continue;
        }
        next = k;
        let (own, behind) = x.split_at_mut(column.start + column.size - base);
        let own = &mut own[column.start - base..];
        let (list, inside) = lu.reach(k, columns.end);
        for (i, neighbour) in list.iter().enumerate() {
            let (n, at) = (neighbour.extent as usize, lu.columns[neighbour.position as usize].start);
            let block = &with.values[neighbour.upper..][..column.size * n];
            let from =
                if i < inside { &behind[at - column.start - column.size..] } else { &outside[at - first..] };
            of_length!(n, collect, collect_any, (lanes, block, own, from));
        }
    }
}
