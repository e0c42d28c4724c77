//! Substitutions with panels, for one right side or several at once.

use super::PivotPanel;
use crate::linalg::FourWide;
use crate::linalg::block_lu::border::DomainBorder;
use crate::linalg::block_lu::kernel::exchanges;
use crate::linalg::block_lu::{BlockFactor, BlockLu, PivotScalar};
use crate::linalg::lanes::Lanes;

/// Rows that are done at once.
const STRIP: usize = 8;
const ROWS: usize = 4;

/// What numbers of a factor are multiplied with.
pub(in crate::linalg::block_lu) trait Substituted<T>: Copy + Default {
    /// `self - a x`.
    fn minus<L: Lanes>(self, lanes: L, a: T, x: Self) -> Self;
    fn scaled(self, a: T) -> Self;
}

impl<T: PivotScalar> Substituted<T> for T {
    #[inline(always)]
    fn minus<L: Lanes>(self, lanes: L, a: T, x: T) -> T {
        self.less(lanes, a, x)
    }

    #[inline(always)]
    fn scaled(self, a: T) -> T {
        self.times(a)
    }
}

impl Substituted<f64> for FourWide {
    #[inline(always)]
    fn minus<L: Lanes>(self, lanes: L, a: f64, x: FourWide) -> FourWide {
        lanes.store4(lanes.mul_add4(lanes.splat4(-a), lanes.load4(x), lanes.load4(self)))
    }

    #[inline(always)]
    fn scaled(self, a: f64) -> FourWide {
        self.map(|x| x * a)
    }
}

/// `y -= B^T x` for some columns of a matrix with rows of a length, as many as y has.
#[inline(always)]
fn spread<L: Lanes, T: PivotScalar, X: Substituted<T>>(
    lanes: L,
    (block, length): (&[T], usize),
    first: usize,
    x: &[X],
    y: &mut [X],
) {
    let (whole, rest) = y.as_chunks_mut::<STRIP>();
    for (k, y) in whole.iter_mut().enumerate() {
        let (at, mut sum) = (first + k * STRIP, *y);
        for (x, row) in x.iter().zip(block.chunks_exact(length)) {
            if let Some(row) = row[at..].first_chunk::<STRIP>() {
                (0..STRIP).for_each(|j| sum[j] = sum[j].minus(lanes, row[j], *x));
            }
        }
        *y = sum;
    }
    let at = first + whole.len() * STRIP;
    for (x, row) in x.iter().zip(block.chunks_exact(length)) {
        rest.iter_mut().zip(&row[at..]).for_each(|(y, b)| *y = y.minus(lanes, *b, *x));
    }
}

/// `(L + D) y = b` of a panel, whose unknowns `own` are; `behind` are those from row `base` on, up to the column `end`.
#[inline(always)]
pub(in crate::linalg::block_lu) fn forward_panel<L: Lanes, T: PivotScalar, X: Substituted<T>>(
    lanes: L,
    lu: &BlockLu,
    (panel, end): (&PivotPanel, usize),
    with: &BlockFactor<T>,
    own: &mut [X],
    (behind, base): (&mut [X], usize),
) {
    let width = panel.width;
    let d = &with.values[panel.at..][..width * width];
    for column in &lu.columns[panel.columns.clone()] {
        let (at, size) = (column.start - panel.start, column.size);
        let (before, node) = own.split_at_mut(at);
        let node = &mut node[..size];
        for (row, x) in d[at * width..].chunks_exact(width).zip(&mut *node) {
            *x = row.iter().zip(&*before).fold(*x, |sum, (l, x)| sum.minus(lanes, *l, *x));
        }
        let row = |i: usize| &d[(at + i) * width + at..][..size];
        exchanges(&with.exchange[column.start..][..size]).for_each(|(k, from)| node.swap(k, from));
        for i in 1..size {
            node[i] = (0..i).fold(node[i], |sum, j| sum.minus(lanes, row(i)[j], node[j]));
        }
        for i in (0..size).rev() {
            let left = (i + 1..size).rev().fold(node[i], |sum, j| sum.minus(lanes, row(i)[j], node[j]));
            node[i] = left.scaled(row(i)[i]);
        }
    }
    let runs = &lu.runs[panel.runs.clone()][..lu.runs_before(panel, end)];
    let lower = lower(panel, with);
    for run in runs {
        let y = &mut behind[run.row - base..][..run.len as usize];
        spread(lanes, (lower, panel.reach.max(1)), run.at as usize, own, y);
    }
}

/// The transposed block of L of a panel.
fn lower<'a, T>(panel: &PivotPanel, with: &'a BlockFactor<T>) -> &'a [T] {
    let [lower, upper, _] = panel.parts();
    &with.values[panel.at + lower..panel.at + upper]
}

/// What the trunk, which begins at a place, gets of a panel of the branches; `behind` are its unknowns.
#[inline(always)]
pub(in crate::linalg::block_lu) fn forward_panel_outside<L: Lanes, T: PivotScalar, X: Substituted<T>>(
    lanes: L,
    lu: &BlockLu,
    (panel, trunk): (&PivotPanel, usize),
    with: &BlockFactor<T>,
    own: &[X],
    behind: &mut [X],
) {
    let base = lu.columns[trunk].start;
    for run in &lu.runs[panel.runs.clone()][lu.runs_before(panel, trunk)..] {
        let y = &mut behind[run.row - base..][..run.len as usize];
        spread(lanes, (lower(panel, with), panel.reach), run.at as usize, own, y);
    }
}

/// The same for the border of a sub-domain; `first` is the first place of the panel in its list.
#[inline(always)]
pub(in crate::linalg::block_lu) fn forward_panel_border<L: Lanes, T: PivotScalar, X: Substituted<T>>(
    lanes: L,
    lu: &BlockLu,
    panel: &PivotPanel,
    (border, first): (&DomainBorder, usize),
    with: &BlockFactor<T>,
    own: &[X],
    out: &mut [X],
) {
    let (list, inside) = lu.reach(panel.columns.start, border.end);
    for [at, place, len] in lu.joined(panel, &list[inside..], &border.places[first..]) {
        spread(lanes, (lower(panel, with), panel.reach), at, own, &mut out[place..][..len]);
    }
}

/// Unknowns, and the row of the first.
type RowsFrom<'a, X> = (&'a [X], usize);

/// `U x = y` of a panel, whose unknowns `own` are; `behind` are those from row `base` on up to the column `end`, `outside`
/// those from row `first` on behind it.
#[inline(always)]
pub(in crate::linalg::block_lu) fn backward_panel<L: Lanes, T: PivotScalar, X: Substituted<T>>(
    lanes: L,
    lu: &BlockLu,
    (panel, end): (&PivotPanel, usize),
    with: &BlockFactor<T>,
    own: &mut [X],
    ((behind, base), (outside, first)): (RowsFrom<X>, RowsFrom<X>),
) {
    let (width, [_, upper, all]) = (panel.width, panel.parts());
    let inside = lu.runs_before(panel, end);
    let upper = &with.values[panel.at + upper..panel.at + all];
    let length = (ROWS * panel.reach).max(1);
    for (rows, block) in own.chunks_mut(ROWS).zip(upper.chunks(length)) {
        let mut sums = [X::default(); ROWS];
        sums[..rows.len()].copy_from_slice(rows);
        for (k, run) in lu.runs[panel.runs.clone()].iter().enumerate() {
            let known = if k < inside { &behind[run.row - base..] } else { &outside[run.row - first..] };
            let known = &known[..run.len as usize];
            let row = |i: usize| &block[i * panel.reach + run.at as usize..][..known.len()];
            if rows.len() == ROWS {
                let four: [&[T]; ROWS] = std::array::from_fn(row);
                for (j, x) in known.iter().enumerate() {
                    (0..ROWS).for_each(|i| sums[i] = sums[i].minus(lanes, four[i][j], *x));
                }
            } else {
                for (i, sum) in sums[..rows.len()].iter_mut().enumerate() {
                    *sum = row(i).iter().zip(known).fold(*sum, |sum, (u, x)| sum.minus(lanes, *u, *x));
                }
            }
        }
        rows.copy_from_slice(&sums[..rows.len()]);
    }
    let d = &with.values[panel.at..][..width * width];
    for column in lu.columns[panel.columns.clone()].iter().rev() {
        let at = column.start - panel.start;
        let end = at + column.size;
        let (node, behind) = own.split_at_mut(end);
        for (row, x) in d[at * width..].chunks_exact(width).zip(&mut node[at..]) {
            *x = row[end..].iter().zip(&*behind).fold(*x, |sum, (u, x)| sum.minus(lanes, *u, *x));
        }
    }
}
