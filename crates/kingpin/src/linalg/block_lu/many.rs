//! Solutions for four right sides at a time.

use super::kernel::{each_place, exchanges, of_length};
use super::numeric::diagonal;
use super::panels::{backward_panel, forward_panel, forward_panel_outside};
use super::scalar::UnknownsAndBehind;
use super::{BlockFactor, BlockLu};
use crate::linalg::FourWide;
use crate::linalg::lanes::Lanes;
use std::ops::Range;

/// `sum + a x` of all four.
#[inline(always)]
fn more<L: Lanes>(lanes: L, sum: L::Four, a: f64, x: L::Four) -> L::Four {
    lanes.mul_add4(lanes.splat4(a), x, sum)
}

/// Takes `N` of a list, with the opposite sign.
#[inline(always)]
fn opposite<L: Lanes, const N: usize>(lanes: L, x: &[FourWide]) -> [L::Four; N] {
    std::array::from_fn(|k| lanes.mul4(lanes.load4(x[k]), lanes.splat4(-1.0)))
}

/// `x = D^-1 x` with the factor of D, of N unknowns.
#[inline(always)]
fn divide<L: Lanes, const N: usize>(lanes: L, (d, came): (&[f64], &[u32]), x: &mut [FourWide]) {
    let (d, came, x) = (&d[..N * N], &came[..N], &mut x[..N]);
    let mut y: [L::Four; N] = std::array::from_fn(|k| lanes.load4(x[came[k] as usize]));
    each_place!(up N, k, {
        let known = lanes.mul4(y[k], lanes.splat4(-1.0));
        (k + 1..N).for_each(|i| y[i] = more(lanes, y[i], d[i * N + k], known));
    });
    each_place!(down N, k, {
        y[k] = lanes.mul4(y[k], lanes.splat4(d[k * N + k]));
        let known = lanes.mul4(y[k], lanes.splat4(-1.0));
        (0..k).for_each(|i| y[i] = more(lanes, y[i], d[i * N + k], known));
    });
    (0..N).for_each(|k| x[k] = lanes.store4(y[k]));
}

#[inline(always)]
fn divide_any<L: Lanes>(size: usize, lanes: L, (d, came): (&[f64], &[u32]), x: &mut [FourWide]) {
    let less =
        |sum: FourWide, a: f64, x: FourWide| lanes.store4(more(lanes, lanes.load4(sum), -a, lanes.load4(x)));
    exchanges(came).for_each(|(k, from)| x.swap(k, from));
    for (i, row) in d.chunks_exact(size.max(1)).enumerate() {
        x[i] = row[..i].iter().zip(&x[..i]).fold(x[i], |own, (l, x)| less(own, *l, *x));
    }
    for (i, row) in d.chunks_exact(size.max(1)).enumerate().rev() {
        let own = row[i + 1..].iter().zip(&x[i + 1..]).rev().fold(x[i], |own, (u, x)| less(own, *u, *x));
        x[i] = lanes.store4(lanes.mul4(lanes.load4(own), lanes.splat4(row[i])));
    }
}

/// `y -= B^T x` for a block of rows of length N.
#[inline(always)]
fn spread<L: Lanes, const N: usize>(lanes: L, block: &[f64], x: &[FourWide], y: &mut [FourWide]) {
    let mut sum: [L::Four; N] = std::array::from_fn(|k| lanes.load4(y[k]));
    for (x, row) in x.iter().zip(block.as_chunks::<N>().0) {
        let [x] = opposite::<L, 1>(lanes, std::slice::from_ref(x));
        (0..N).for_each(|k| sum[k] = more(lanes, sum[k], row[k], x));
    }
    (0..N).for_each(|k| y[k] = lanes.store4(sum[k]));
}

#[inline(always)]
fn spread_any<L: Lanes>(n: usize, lanes: L, block: &[f64], x: &[FourWide], y: &mut [FourWide]) {
    for (x, row) in x.iter().zip(block.chunks_exact(n)) {
        let [x] = opposite::<L, 1>(lanes, std::slice::from_ref(x));
        y[..n].iter_mut().zip(row).for_each(|(y, b)| *y = lanes.store4(more(lanes, lanes.load4(*y), *b, x)));
    }
}

/// `y -= B^T x` for a block of rows of length n.
#[inline(always)]
pub(super) fn take_away<L: Lanes>(lanes: L, n: usize, block: &[f64], x: &[FourWide], y: &mut [FourWide]) {
    of_length!(n, spread, spread_any, (lanes, block, x, y), L);
}

/// `x -= B y` for a block of rows of length N.
#[inline(always)]
fn collect<L: Lanes, const N: usize>(lanes: L, block: &[f64], x: &mut [FourWide], y: &[FourWide]) {
    let y = opposite::<L, N>(lanes, y);
    for (x, row) in x.iter_mut().zip(block.as_chunks::<N>().0) {
        let sum = (0..N).fold(lanes.load4(*x), |sum, k| more(lanes, sum, row[k], y[k]));
        *x = lanes.store4(sum);
    }
}

#[inline(always)]
fn collect_any<L: Lanes>(n: usize, lanes: L, block: &[f64], x: &mut [FourWide], y: &[FourWide]) {
    for (x, row) in x.iter_mut().zip(block.chunks_exact(n)) {
        let sum = row
            .iter()
            .zip(&y[..n])
            .fold(lanes.load4(*x), |sum, (b, y)| more(lanes, sum, -b, lanes.load4(*y)));
        *x = lanes.store4(sum);
    }
}

/// `(L + D) y = b` of columns; `x` has their unknowns.
#[inline(always)]
pub(super) fn forward<L: Lanes>(
    lanes: L,
    lu: &BlockLu,
    columns: Range<usize>,
    with: &BlockFactor<f64>,
    x: &mut [FourWide],
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
        of_length!(column.size, divide, divide_any, (lanes, diagonal(column, with), own), L);
        let (list, inside) = lu.reach(k, columns.end);
        for neighbour in &list[..inside] {
            let (n, at) = (neighbour.extent as usize, lu.columns[neighbour.position as usize].start);
            let block = &with.values[neighbour.lower..][..column.size * n];
            take_away(lanes, n, block, own, &mut behind[at - column.start - column.size..][..n]);
        }
    }
}

/// The same for what the trunk gets of the branches; `x` has all unknowns.
#[inline(always)]
pub(super) fn forward_outside<L: Lanes>(
    lanes: L,
    lu: &BlockLu,
    trunk: usize,
    with: &BlockFactor<f64>,
    x: &mut [FourWide],
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
            take_away(lanes, n, block, own, &mut behind[at - base..][..n]);
        }
    }
}

/// `U x = y` of columns; `x` has their unknowns, `outside` those of the trunk.
#[inline(always)]
pub(super) fn backward<L: Lanes>(
    lanes: L,
    lu: &BlockLu,
    columns: Range<usize>,
    with: &BlockFactor<f64>,
    (x, (outside, trunk)): UnknownsAndBehind<FourWide>,
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
            let from = if i < inside {
                &behind[at - column.start - column.size..][..n]
            } else {
                &outside[at - first..][..n]
            };
            of_length!(n, collect, collect_any, (lanes, block, own, from), L);
        }
    }
}
