//! What a panel does to those behind it: products of its blocks of L and U, scattered by runs of rows.

use super::product::{BROAD, DEEP, PackedColumns, PackedRows, ROWS, negative_product};
use super::{PivotPanel, RowRun};
use crate::linalg::block_lu::border::DomainBorder;
use crate::linalg::block_lu::{BlockLu, PivotScalar};
use crate::linalg::lanes::Lanes;
use crate::threads::join;
use std::ops::Range;

/// Multiplications that are worth another thread.
const HEAVY: usize = 4_000_000;

/// Columns of packed ones that follow each other in a target, too.
#[derive(Clone, Copy, Default)]
struct Stretch {
    /// First of the packed columns, and how many.
    from: usize,
    len: usize,
    /// The first in a row of the target, and whether this is that of its diagonal block.
    to: usize,
    diagonal: bool,
}

/// The targets of some packed columns.
struct Stretches {
    each: [Stretch; BROAD],
    count: usize,
}

impl Stretches {
    fn new() -> Self {
        Self { each: [Stretch::default(); BROAD], count: 0 }
    }

    #[inline(always)]
    fn push(&mut self, stretch: Stretch) {
        self.each[self.count] = stretch;
        self.count += 1;
    }

    fn iter(&self) -> impl Iterator<Item = &Stretch> {
        self.each[..self.count].iter()
    }
}

/// Which of the two blocks of a target gets something: that of U with the diagonal block, or the transposed one of L.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TargetBlock {
    Upper,
    Lower,
}

impl BlockLu {
    /// Takes products of a factored panel from those behind it that have some of its runs; `behind` are values from a place
    /// on. Each target is written by one thread, in the same order whichever it is.
    pub(in crate::linalg::block_lu) fn update_behind<T: PivotScalar>(
        &self,
        (panel, own): (&PivotPanel, &[T]),
        runs: Range<usize>,
        (behind, base): (&mut [T], usize),
    ) {
        let list = &self.runs[panel.runs.clone()];
        let work = |run: &RowRun| panel.width * run.len as usize * 2 * (panel.reach - run.at as usize);
        let total: usize = list[runs.clone()].iter().map(work).sum();
        let mut done = 0;
        let half = list[runs.clone()].iter().position(|run| {
            done += work(run);
            2 * done > total
        });
        // whole panels on either side
        let middle = half.map(|half| {
            let panel = list[runs.start + half].panel;
            let first = list[runs.clone()].partition_point(|run| run.panel < panel);
            runs.start
                + if first > 0 { first } else { list[runs.clone()].partition_point(|run| run.panel <= panel) }
        });
        match middle.filter(|&middle| total > HEAVY && middle < runs.end) {
            None if total > 0 => T::update_panel(self, (panel, own), runs, (behind, base)),
            None => {}
            Some(middle) => {
                let cut = self.panels[list[middle].panel as usize].at;
                let (first, second) = behind.split_at_mut(cut - base);
                join(
                    || self.update_behind((panel, own), runs.start..middle, (first, base)),
                    || self.update_behind((panel, own), middle..runs.end, (second, cut)),
                );
            }
        }
    }

    /// Where columns of a panel, those at some places, are in rows of another that it reaches.
    #[inline(always)]
    fn stretches(
        &self,
        list: &[RowRun],
        target: (usize, &PivotPanel),
        places: Range<usize>,
        first: usize,
    ) -> Stretches {
        let mut out = Stretches::new();
        let (number, target) = target;
        let mut behind = self.runs[target.runs.clone()].iter().peekable();
        let begin = list.partition_point(|run| run.places().end <= places.start);
        for run in list[begin..].iter().take_while(|run| run.places().start < places.end) {
            let own = run.places();
            let (start, end) = (own.start.max(places.start), own.end.min(places.end));
            let row = run.row + start - own.start;
            let diagonal = run.panel as usize == number;
            let to = if diagonal {
                row - target.start
            } else {
                while behind.next_if(|other| other.row + other.len as usize <= row).is_some() {}
                match behind.peek() {
                    Some(other) if other.row <= row => other.at as usize + row - other.row,
                    _ => continue,
                }
            };
            out.push(Stretch { from: start - first, len: end - start, to, diagonal });
        }
        out
    }
}

/// Takes products of a factored panel from those behind it that have some of its runs.
#[inline(always)]
pub(in crate::linalg::block_lu) fn update_panel<L: Lanes, T: PivotScalar>(
    lanes: L,
    lu: &BlockLu,
    (panel, own): (&PivotPanel, &[T]),
    runs: Range<usize>,
    (behind, base): (&mut [T], usize),
) {
    let (list, [lower, upper, end]) = (&lu.runs[panel.runs.clone()], panel.parts());
    let (lower, upper) = (&own[lower..upper], &own[upper..end]);
    let (mut columns, mut rows, mut out) =
        (PackedColumns::new(), PackedRows::new(), [[T::ZERO; BROAD]; ROWS]);
    let Some(begin) = list.get(runs.start).map(|run| run.places().start) else { return };
    for (block, left, right) in [(TargetBlock::Upper, lower, upper), (TargetBlock::Lower, upper, lower)] {
        for (left, right) in left.chunks(DEEP * panel.reach).zip(right.chunks(DEEP * panel.reach)) {
            for first in (begin..panel.reach).step_by(BROAD) {
                let last = (first + BROAD).min(panel.reach);
                columns.take(right.chunks_exact(panel.reach), first..last);
                for group in list[runs.clone()].chunk_by(|a, b| a.panel == b.panel) {
                    let ends = [group[0].places().start, group[group.len() - 1].places().end];
                    let from = first.max(ends[usize::from(block == TargetBlock::Lower)]);
                    if from >= last {
                        break;
                    }
                    let number = group[0].panel as usize;
                    let target = &lu.panels[number];
                    let stretches = lu.stretches(list, (number, target), from..last, first);
                    let to = TargetRows::new(target, block, base);
                    for some in (ends[0]..ends[1]).step_by(ROWS) {
                        let places = some..(some + ROWS).min(ends[1]);
                        rows.take(left.chunks_exact(panel.reach), places.clone());
                        if rows.any {
                            negative_product(lanes, &rows, &columns, from - first, &mut out);
                            to.add(group, places, (&out, &stretches), behind);
                        }
                    }
                }
            }
        }
    }
}

/// Where rows of a target begin: of its diagonal block and of one of the others, with their lengths.
struct TargetRows {
    start: usize,
    diagonal: (usize, usize),
    other: (usize, usize),
}

impl TargetRows {
    fn new(target: &PivotPanel, block: TargetBlock, base: usize) -> Self {
        let [lower, upper, _] = target.parts();
        let at = target.at - base;
        let other = if block == TargetBlock::Upper { upper } else { lower };
        Self { start: target.start, diagonal: (at, target.width), other: (at + other, target.reach) }
    }

    /// Adds products to the rows at some places, which some runs have.
    #[inline(always)]
    fn add<T: PivotScalar>(
        &self,
        group: &[RowRun],
        places: Range<usize>,
        (out, stretches): (&[[T; BROAD]; ROWS], &Stretches),
        behind: &mut [T],
    ) {
        let mut runs = group.iter().peekable();
        for (place, from) in places.zip(out) {
            while runs.next_if(|run| run.places().end <= place).is_some() {}
            let Some(run) = runs.peek() else { return };
            let row = run.row + place - run.places().start - self.start;
            for stretch in stretches.iter() {
                let (at, length) = if stretch.diagonal { self.diagonal } else { self.other };
                let to = &mut behind[at + row * length + stretch.to..][..stretch.len];
                add(&from[stretch.from..][..stretch.len], to);
            }
        }
    }
}

#[inline(always)]
fn add<T: PivotScalar>(from: &[T], to: &mut [T]) {
    to.iter_mut().zip(from).for_each(|(to, x)| *to = to.plus(*x));
}

/// Takes products of a factored panel, whose values begin at `base`, from a square matrix over a border; `first` is its
/// first place in the border's list.
#[inline(always)]
pub(in crate::linalg::block_lu) fn complement_panel<L: Lanes, T: PivotScalar>(
    lanes: L,
    lu: &BlockLu,
    panel: &PivotPanel,
    (border, first): (&DomainBorder, usize),
    (values, base): (&[T], usize),
    out: &mut [T],
) {
    let [lower, upper, end] = panel.parts().map(|part| panel.at - base + part);
    let (lower, upper) = (&values[lower..upper], &values[upper..end]);
    let (list, inside) = lu.reach(panel.columns.start, border.end);
    let joined = || lu.joined(panel, &list[inside..], &border.places[first..]);
    let Some([begin, ..]) = joined().next() else { return };
    let (mut columns, mut rows, mut sums) =
        (PackedColumns::new(), PackedRows::new(), [[T::ZERO; BROAD]; ROWS]);
    for (left, right) in lower.chunks(DEEP * panel.reach).zip(upper.chunks(DEEP * panel.reach)) {
        for first in (begin..panel.reach).step_by(BROAD) {
            let last = (first + BROAD).min(panel.reach);
            columns.take(right.chunks_exact(panel.reach), first..last);
            let mut stretches = Stretches::new();
            for [at, to, len] in joined().filter(|[at, _, len]| *at < last && at + len > first) {
                let (start, end) = (at.max(first), (at + len).min(last));
                stretches.push(Stretch {
                    from: start - first,
                    len: end - start,
                    to: to + start - at,
                    diagonal: false,
                });
            }
            for [at, place, len] in joined() {
                for some in (at..at + len).step_by(ROWS) {
                    let places = some..(some + ROWS).min(at + len);
                    rows.take(left.chunks_exact(panel.reach), places.clone());
                    if !rows.any {
                        continue;
                    }
                    negative_product(lanes, &rows, &columns, 0, &mut sums);
                    for (row, from) in places.zip(&sums) {
                        let to = &mut out[(place + row - at) * border.size..][..border.size];
                        for Stretch { from: column, len, to: at, .. } in stretches.iter() {
                            add(&from[*column..][..*len], &mut to[*at..][..*len]);
                        }
                    }
                }
            }
        }
    }
}
