//! What a panel is factored by: its diagonal block, node by node, then its blocks of U and of L.

use super::PivotPanel;
use crate::linalg::block_lu::kernel::{exchanges, subtract};
use crate::linalg::block_lu::sizes::BlockSizes;
use crate::linalg::block_lu::{BlockLu, PivotScalar, SingularBlock};
use crate::linalg::lanes::Lanes;

/// Rows and columns of a node whose sizes are known.
const WIDEST: usize = 36;

/// Columns that are done at once: as many sums as registers hold.
const STRIP: usize = 32;

/// A node in a panel: its first row and its size, and the length of rows of the diagonal block.
#[derive(Clone, Copy)]
struct PanelNode {
    at: usize,
    size: usize,
    length: usize,
}

/// Some columns of a matrix with rows of a length.
struct ColumnStrip<'a, T> {
    values: &'a mut [T],
    length: usize,
    columns: std::ops::Range<usize>,
}

/// Factors a panel, whose values these are, but for what it does to those behind it; the least pivot.
#[inline(always)]
pub(in crate::linalg::block_lu) fn factor_panel<L: Lanes, T: PivotScalar>(
    lanes: L,
    lu: &BlockLu,
    panel: &PivotPanel,
    (values, exchange): (&mut [T], &mut [u32]),
    threshold: f64,
) -> Result<f64, SingularBlock> {
    let [lower, ..] = panel.parts();
    let (d, rest) = values.split_at_mut(lower);
    let (lower, upper) = rest.split_at_mut(panel.width * panel.reach);
    let mut least = f64::INFINITY;
    for (k, node) in nodes(lu, panel).enumerate() {
        let came = &mut exchange[node.at..node.at + node.size];
        let pivot = factor_node(lanes, node, d, came, threshold);
        let singular = |(unknown, pivot)| lu.singular(panel.columns.start + k, unknown, pivot);
        least = least.min(pivot.map_err(singular)?);
        eliminate_node(lanes, node, d, came);
    }
    for first in (0..panel.reach).step_by(STRIP) {
        let columns = first..(first + STRIP).min(panel.reach);
        let mut strip = ColumnStrip { values: &mut *upper, length: panel.reach, columns: columns.clone() };
        for node in nodes(lu, panel) {
            let came = &exchange[node.at..node.at + node.size];
            strip.take_away(lanes, node, |i, m| d[i * panel.width + m]);
            strip.divide(lanes, node, (d, came));
        }
        let mut strip = ColumnStrip { values: &mut *lower, length: panel.reach, columns };
        for node in nodes(lu, panel) {
            strip.take_away(lanes, node, |i, m| d[m * panel.width + i]);
        }
    }
    Ok(least)
}

fn nodes<'a>(lu: &'a BlockLu, panel: &PivotPanel) -> impl Iterator<Item = PanelNode> + 'a {
    let (length, start) = (panel.width, panel.start);
    let columns = lu.columns[panel.columns.clone()].iter();
    columns.map(move |column| PanelNode { at: column.start - start, size: column.size, length })
}

/// Factors the diagonal block of a node in place, as a block by itself is.
#[inline(always)]
fn factor_node<L: Lanes, T: PivotScalar>(
    lanes: L,
    PanelNode { at, size, length }: PanelNode,
    d: &mut [T],
    came: &mut [u32],
    threshold: f64,
) -> Result<f64, (usize, f64)> {
    let row = |i: usize| (at + i) * length + at..(at + i) * length + at + size;
    let (sizes, mut least) = (BlockSizes::<WIDEST>::of_rows((0..size).map(|i| &d[row(i)])), f64::INFINITY);
    came.iter_mut().enumerate().for_each(|(k, came)| *came = k as u32);
    for k in 0..size {
        let (mut p, mut pivot) = (k, 0.0);
        for i in k..size {
            let candidate = d[row(i).start + k].magnitude();
            // what is no number is taken, and found out below
            if candidate > pivot || candidate.is_nan() {
                (p, pivot) = (i, candidate);
            }
        }
        if sizes.vanishes(pivot, [came[p] as usize, k], threshold) {
            return Err((k, pivot / sizes.largest));
        }
        least = f64::min(least, pivot);
        let (above, below) = d.split_at_mut(row(k).end);
        let own = &mut above[row(k).start..];
        let below_at = |i: usize| row(i).start - row(k).end..row(i).end - row(k).end;
        if p != k {
            came.swap(k, p);
            own.swap_with_slice(&mut below[below_at(p)]);
        }
        let inverse = own[k].inverse();
        own[k] = inverse;
        for i in k + 1..size {
            let other = &mut below[below_at(i)];
            if other[k] != T::ZERO {
                let l = other[k].times(inverse);
                other[k] = l;
                subtract(lanes, l, &own[k + 1..], &mut other[k + 1..]);
            }
        }
    }
    Ok(least / sizes.largest)
}

/// Divides what is right of a factored node in the diagonal block by it, and takes it from the rows below.
#[inline(always)]
fn eliminate_node<L: Lanes, T: PivotScalar>(lanes: L, node: PanelNode, d: &mut [T], came: &[u32]) {
    let PanelNode { at, size, length } = node;
    let end = at + size;
    if end == length {
        return;
    }
    // its own block is beside what is divided
    for (k, from) in exchanges(came).filter(|(k, from)| k != from) {
        let (above, below) = d.split_at_mut((at + from) * length);
        above[(at + k) * length + end..(at + k + 1) * length].swap_with_slice(&mut below[end..length]);
    }
    for i in 1..size {
        let (above, own) = d.split_at_mut((at + i) * length);
        let (coefficients, own) = own[at..length].split_at_mut(size);
        for (l, other) in coefficients[..i].iter().zip(above[at * length..].chunks_exact(length)) {
            subtract(lanes, *l, &other[end..], own);
        }
    }
    for i in (0..size).rev() {
        let (above, below) = d.split_at_mut((at + i + 1) * length);
        let (coefficients, own) = above[(at + i) * length + at..].split_at_mut(size);
        for (x, other) in coefficients[i + 1..].iter().zip(below.chunks_exact(length)) {
            subtract(lanes, *x, &other[end..], own);
        }
        own.iter_mut().for_each(|x| *x = x.times(coefficients[i]));
    }
    let (above, below) = d.split_at_mut(end * length);
    for row in below.chunks_exact_mut(length) {
        let (l, own) = row.split_at_mut(end);
        for (l, pivots) in l[at..].iter().zip(above[at * length..].chunks_exact(length)) {
            if *l != T::ZERO {
                subtract(lanes, *l, &pivots[end..], own);
            }
        }
    }
}

impl<T: PivotScalar> ColumnStrip<'_, T> {
    /// Takes multiples of the rows before a node from those of the node.
    #[inline(always)]
    fn take_away<L: Lanes>(&mut self, lanes: L, node: PanelNode, coefficient: impl Fn(usize, usize) -> T) {
        let (first, width) = (self.columns.start, self.columns.len());
        for i in node.at..node.at + node.size {
            let (above, own) = self.values.split_at_mut(i * self.length);
            let own = &mut own[self.columns.clone()];
            let rows = above.chunks_exact(self.length).take(node.at).map(|row| &row[first..first + width]);
            match own.first_chunk_mut::<STRIP>() {
                Some(own) => {
                    let mut sum = *own;
                    for (m, row) in rows.enumerate() {
                        let (a, Some(row)) = (coefficient(i, m), row.first_chunk::<STRIP>()) else {
                            continue;
                        };
                        (0..STRIP).for_each(|j| sum[j] = sum[j].less(lanes, a, row[j]));
                    }
                    *own = sum;
                }
                None => rows.enumerate().for_each(|(m, row)| subtract(lanes, coefficient(i, m), row, own)),
            }
        }
    }

    /// Divides rows of a node by its factored block.
    #[inline(always)]
    fn divide<L: Lanes>(&mut self, lanes: L, node: PanelNode, (d, came): (&[T], &[u32])) {
        let PanelNode { at, size, length } = node;
        let row =
            |i: usize| (at + i) * self.length + self.columns.start..(at + i) * self.length + self.columns.end;
        let coefficient = |i: usize, j: usize| d[(at + i) * length + at + j];
        for (k, from) in exchanges(came).filter(|(k, from)| k != from) {
            let (above, below) = self.values.split_at_mut(row(from).start);
            above[row(k)].swap_with_slice(&mut below[..self.columns.len()]);
        }
        for i in 1..size {
            let (above, own) = self.values.split_at_mut(row(i).start);
            let own = &mut own[..self.columns.len()];
            (0..i).for_each(|j| subtract(lanes, coefficient(i, j), &above[row(j)], own));
        }
        for i in (0..size).rev() {
            let (above, below) = self.values.split_at_mut(row(i).end);
            let own = &mut above[row(i).start..];
            for j in i + 1..size {
                let other = row(j).start - row(i).end;
                subtract(lanes, coefficient(i, j), &below[other..other + own.len()], own);
            }
            own.iter_mut().for_each(|x| *x = x.times(coefficient(i, i)));
        }
    }
}
