//! The static schedule of a block factorisation: what the numeric phase walks, in storage order.
//!
//! Column layout, all column-major: `n` negative inverse pivots, the `n x n` diagonal block, then the blocks below
//! it in elimination order. Columns follow one another in elimination order, so every column reads only
//! what lies before it and writes only itself (left-looking).

use super::pattern::BlockPattern;
use super::symbolic::FactorStructure;

/// One block column: its place, its unknowns, and the lengths of its lists.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockColumn {
    /// Offset of the column in the values.
    pub start: u32,
    /// Scalar columns.
    pub size: u32,
    /// First scalar unknown, in natural order.
    pub x: u32,
    /// Block in natural order.
    pub block: u32,
    /// Number of sources; they follow those of the previous column.
    pub sources: u32,
    /// Number of blocks below the diagonal; they follow those of the previous column.
    pub lowers: u32,
    /// For a block of negative pivots, the number of sources with positive ones, which come first; else [`POSITIVE`].
    pub turn: u32,
}

/// Marks columns of positive pivots.
pub(super) const POSITIVE: u32 = u32::MAX;

impl BlockColumn {
    /// Its unknowns.
    #[inline(always)]
    pub fn range(&self) -> std::ops::Range<usize> {
        self.x as usize..(self.x + self.size) as usize
    }
}

/// An earlier column j that updates the current column k.
#[derive(Debug, Clone, Copy)]
pub(super) struct UpdateSource {
    /// Offset of block (k, j); the blocks (i, j) with i > k follow it without gaps.
    pub block: u32,
    /// Offset of the inverse pivots of column j.
    pub pivots: u32,
    /// Scalar columns of j.
    pub size: u32,
    /// Number of targets (i, k), i > k; they follow those of the previous source.
    pub targets: u32,
}

/// A block (i, k) that a source updates.
#[derive(Debug, Clone, Copy)]
pub(super) struct UpdateTarget {
    /// Offset within column k.
    pub offset: u32,
    /// Scalar rows of i.
    pub rows: u32,
}

/// A block below the diagonal of a column; blocks follow one another without gaps.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lower {
    /// Scalar rows.
    pub rows: u32,
    /// First scalar unknown of its rows, in natural order.
    pub x: u32,
}

impl Lower {
    /// The unknowns of its rows.
    #[inline(always)]
    pub fn range(&self) -> std::ops::Range<usize> {
        self.x as usize..(self.x + self.rows) as usize
    }
}

/// Lists walked by the numeric phase.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    pub columns: Vec<BlockColumn>,
    pub sources: Vec<UpdateSource>,
    pub targets: Vec<UpdateTarget>,
    pub lowers: Vec<Lower>,
    /// Offset in the values of each lower block, parallel to `lowers`.
    pub offsets: Vec<u32>,
    /// End of the last column.
    pub end: usize,
    /// Scalar rows.
    pub rows: usize,
    /// Largest block.
    pub largest: usize,
}

/// Where some columns begin in the lists.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ScheduleMark {
    pub column: usize,
    pub source: usize,
    pub target: usize,
    pub lower: usize,
}

/// Columns that follow each other, with their lists.
#[derive(Clone, Copy)]
pub(super) struct ScheduleSpan<'a> {
    pub columns: &'a [BlockColumn],
    pub sources: &'a [UpdateSource],
    pub targets: &'a [UpdateTarget],
    pub lowers: &'a [Lower],
    /// The first column.
    pub first: usize,
    /// Offset of the first of the values that sources are found in.
    pub base: usize,
}

impl Schedule {
    /// All columns.
    pub fn all(&self) -> ScheduleSpan<'_> {
        let Schedule { columns, sources, targets, lowers, .. } = self;
        ScheduleSpan { columns, sources, targets, lowers, first: 0, base: 0 }
    }

    /// The columns between two marks.
    pub fn between(&self, a: &ScheduleMark, b: &ScheduleMark, base: usize) -> ScheduleSpan<'_> {
        ScheduleSpan {
            columns: &self.columns[a.column..b.column],
            sources: &self.sources[a.source..b.source],
            targets: &self.targets[a.target..b.target],
            lowers: &self.lowers[a.lower..b.lower],
            first: a.column,
            base,
        }
    }

    /// Lays out the factor of `pattern` eliminated in `order`. O(number of block updates).
    ///
    /// # Panics
    /// If the factor has more than `u32::MAX` numbers.
    pub fn new(pattern: &BlockPattern, order: &[usize], tree: &FactorStructure) -> Self {
        let mut schedule = Self::lay_out(pattern, order, tree);
        schedule.list_updates(tree);
        schedule
    }

    /// Offsets of columns and of their blocks.
    fn lay_out(pattern: &BlockPattern, order: &[usize], tree: &FactorStructure) -> Self {
        let sizes = pattern.sizes();
        let mut lowers = Vec::with_capacity(tree.rows.len());
        let mut offsets = Vec::with_capacity(tree.rows.len());
        let mut columns = Vec::with_capacity(order.len());
        let mut end = 0;
        for (p, &block) in order.iter().enumerate() {
            // inverse pivots, diagonal block, then the blocks below it in the order of elimination
            let (start, size) = (end, sizes[block]);
            end += size + size * size;
            for &i in tree.column(p) {
                let below = order[i as usize];
                lowers.push(Lower { rows: sizes[below] as u32, x: pattern.offsets()[below] as u32 });
                offsets.push(end as u32);
                end += sizes[below] * size;
            }
            columns.push(BlockColumn {
                start: start as u32,
                size: size as u32,
                x: pattern.offsets()[block] as u32,
                block: block as u32,
                sources: 0,
                lowers: tree.column(p).len() as u32,
                turn: POSITIVE,
            });
        }
        assert!(u32::try_from(end).is_ok(), "a factor of {end} numbers exceeds the 32-bit schedule");
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let (sources, targets) = (Vec::with_capacity(lowers.len()), Vec::new());
        Self { columns, sources, targets, lowers, offsets, end, rows: pattern.rows(), largest }
    }

    /// Marks the columns from position `from` on as those of negative pivots.
    pub fn turn_negative(&mut self, tree: &FactorStructure, from: usize) {
        let (row_first, row_entries) = tree.by_rows();
        for k in from..self.columns.len() {
            let sources = &row_entries[row_first[k]..row_first[k + 1]];
            self.columns[k].turn = sources.partition_point(|&(j, _)| (j as usize) < from) as u32;
        }
    }

    /// For each column, the earlier columns that update it and the blocks they update.
    fn list_updates(&mut self, tree: &FactorStructure) {
        let (row_first, row_entries) = tree.by_rows();
        let mut place = vec![0; self.columns.len()];
        for k in 0..self.columns.len() {
            let start = self.columns[k].start;
            // where block (i, k) lies within column k
            for (slot, &i) in (tree.first[k]..).zip(tree.column(k)) {
                place[i as usize] = self.offsets[slot] - start;
            }
            for &(j, index) in &row_entries[row_first[k]..row_first[k + 1]] {
                let column = self.columns[j as usize];
                let (slot, end) = (tree.first[j as usize] + index as usize, tree.first[j as usize + 1]);
                for (&i, lower) in tree.rows[slot + 1..end].iter().zip(&self.lowers[slot + 1..end]) {
                    self.targets.push(UpdateTarget { offset: place[i as usize], rows: lower.rows });
                }
                self.sources.push(UpdateSource {
                    block: self.offsets[slot],
                    pivots: column.start,
                    size: column.size,
                    targets: (end - slot - 1) as u32,
                });
            }
            self.columns[k].sources = (row_first[k + 1] - row_first[k]) as u32;
        }
    }
}
