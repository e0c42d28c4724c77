//! Block Cholesky factorisation of a large matrix, in pieces for several threads.

mod numeric;

use super::block_cholesky::BlockCholesky;
use super::branches::Branches;
use super::entry::Entry;
use super::pattern::{BlockPattern, positions};
use super::schedule::{ScheduleMark, ScheduleSpan};
use super::symbolic::FactorStructure;
use std::ops::Range;

/// [`BlockCholesky`] of a positive definite matrix in branches of its elimination tree, which threads factor and solve at
/// once, and the trunk behind them, in pieces one after the other. What is cut follows from pattern and order alone, so
/// numbers have the same bits for any number of threads.
///
/// The matrix is assembled piece by piece as well, each right before it is factored: while a piece of the trunk is
/// factored, the next one is assembled, and a right side is solved for with those before.
#[derive(Clone, Debug)]
pub(crate) struct BranchedCholesky {
    /// The factor, its blocks numbered in the order of elimination. Its schedule speaks of values and unknowns of branches
    /// as if there were no others.
    inner: BlockCholesky,
    /// Place of each block in the order of elimination.
    position: Vec<u32>,
    /// First row of each block in the natural order, and the number of rows behind them; the same in the order of
    /// elimination.
    natural: Vec<usize>,
    ordered: Vec<usize>,
    /// Natural block of each column.
    order: Vec<usize>,
    /// Where pieces begin and the last ends, and how many of them are branches.
    marks: Vec<ScheduleMark>,
    branches: usize,
    /// Where the values begin that each piece reads and writes.
    bases: Vec<usize>,
    /// Where parts begin that are assembled at once and the last ends, and the first of them of each piece.
    fills: Vec<usize>,
    first_fill: Vec<usize>,
    /// How many blocks of each column belong to its branch, or to the trunk if it does; the columns that have others.
    inside: Vec<u32>,
    bordering: Vec<u32>,
    grain: usize,
}

/// Pieces of the trunk, at most, columns of each, at least, in units of the grain, and parts that are assembled at once.
const PIECES: usize = 16;
const LEAST: usize = 4;
const PARTS: usize = 4;

impl BranchedCholesky {
    /// Whether a matrix of so many blocks is worth pieces.
    pub fn is_worth_it(blocks: usize, grain: usize) -> bool {
        Branches::are_worth_it(blocks, grain)
    }

    /// Symbolic phase: the order is changed so that branches follow each other, which changes neither fill nor work.
    ///
    /// # Panics
    /// If `order` is not a permutation of the blocks, or the factor has more than `u32::MAX` numbers.
    pub fn analyse(pattern: &BlockPattern, order: &[usize], grain: usize) -> Self {
        let position = positions(order, pattern.blocks());
        let tree = FactorStructure::new(pattern, order, &position);
        let size = |p: usize| pattern.sizes()[order[p]] as f64;
        let work = |p: usize| {
            let below: f64 = tree.column(p).iter().map(|&i| size(i as usize)).sum();
            size(p) * (size(p) * size(p) / 3.0 + size(p) * below + below * below)
        };
        let work: Vec<f64> = (0..order.len()).map(work).collect();
        let cut = Branches::cut(&tree.parent, &work, grain);
        let order = if cut.ends.is_empty() {
            order.to_vec()
        } else {
            cut.order.iter().map(|&p| order[p as usize]).collect()
        };
        Self::along(pattern, order, &cut.ends, grain)
    }

    /// The same for an order in which branches that end at `ends` follow each other.
    fn along(pattern: &BlockPattern, order: Vec<usize>, ends: &[usize], grain: usize) -> Self {
        let position = positions(&order, pattern.blocks());
        let sizes: Vec<usize> = order.iter().map(|&block| pattern.sizes()[block]).collect();
        let pairs: Vec<_> = pattern.lower().map(|(i, j)| (position[i], position[j])).collect();
        let own = BlockPattern::new(sizes, &pairs).with_machine_of(pattern);
        let all: Vec<usize> = (0..order.len()).collect();
        let inner = BlockCholesky::analyse(&own, &all);
        let trunk = ends.last().copied().unwrap_or(0);
        let count = ((order.len() - trunk) / grain.max(1).saturating_mul(LEAST)).clamp(1, PIECES);
        let stages = (1..=count).map(|k| trunk + (order.len() - trunk) * k / count);
        let mut branched = BranchedCholesky {
            marks: marks(&inner, ends.iter().copied().chain(stages)),
            inner,
            position: position.iter().map(|&p| p as u32).collect(),
            natural: pattern.offsets().to_vec(),
            ordered: own.offsets().to_vec(),
            order,
            branches: ends.len(),
            bases: Vec::new(),
            fills: Vec::new(),
            first_fill: Vec::new(),
            inside: Vec::new(),
            bordering: Vec::new(),
            grain,
        };
        branched.set_parts();
        (0..branched.pieces()).for_each(|piece| branched.localise(piece));
        branched
    }

    /// Finds what each piece reads, and cuts it into parts for those who assemble it.
    fn set_parts(&mut self) {
        for piece in 0..self.pieces() {
            let [a, b] = [self.marks[piece], self.marks[piece + 1]];
            let sources = &self.inner.schedule.sources[a.source..b.source];
            let own = self.value(piece);
            self.bases.push(sources.iter().map(|source| source.pivots as usize).fold(own, usize::min));
            let parts = if piece < self.branches { 1 } else { PARTS };
            let columns = &self.inner.schedule.columns;
            self.first_fill.push(self.fills.len());
            for part in 0..parts {
                let column = a.column + (b.column - a.column) * part / parts;
                self.fills.push(columns.get(column).map_or(self.inner.schedule.end, |k| k.start as usize));
            }
        }
        self.first_fill.push(self.fills.len());
        self.fills.push(self.inner.schedule.end);
    }

    /// Makes the schedule of a piece speak of the values that it reads and of the unknowns of its branch, or of the trunk.
    fn localise(&mut self, piece: usize) {
        let (trunk, is_branch) = (self.trunk(), piece < self.branches);
        let [a, b] = [self.marks[piece], self.marks[piece + 1]];
        let (from, to) = if is_branch { (a.column, b.column) } else { (trunk, self.order.len()) };
        let (base, row) = (self.bases[piece] as u32, self.ordered[from] as u32);
        let (outer, schedule) = (self.ordered[trunk] as u32, &mut self.inner.schedule);
        for source in &mut schedule.sources[a.source..b.source] {
            source.block -= base;
            source.pivots -= base;
        }
        for k in a.column..b.column {
            schedule.columns[k].x -= row;
            let slots = self.inner.tree.first[k]..self.inner.tree.first[k + 1];
            let inside = self.inner.rows[slots.clone()].partition_point(|&i| (i as usize) < to);
            for (index, lower) in schedule.lowers[slots.clone()].iter_mut().enumerate() {
                lower.x -= if index < inside { row } else { outer };
            }
            self.inside.push(inside as u32);
            if inside < slots.len() {
                self.bordering.push(k as u32);
            }
        }
    }

    /// Pieces in all.
    pub fn pieces(&self) -> usize {
        self.marks.len() - 1
    }

    /// Length of the value array.
    pub fn len(&self) -> usize {
        self.inner.len()
    }

    /// Scalar rows of the matrix.
    pub fn rows(&self) -> usize {
        self.inner.rows()
    }

    /// Where to assemble block (`i`, `j`) of the matrix, or `None` if the factor has no such block.
    pub fn locate(&self, i: usize, j: usize) -> Option<Entry> {
        self.inner.locate(*self.position.get(i)? as usize, *self.position.get(j)? as usize)
    }

    /// Where the values of each part begin that is assembled at once, and the end of the last.
    pub fn cuts(&self) -> &[usize] {
        &self.fills
    }

    /// The diagonal elements of all rows in the order of elimination.
    pub fn diagonals<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        self.inner.diagonals(values)
    }

    /// First value of a piece; the end of all behind the last.
    fn value(&self, piece: usize) -> usize {
        let columns = &self.inner.schedule.columns;
        columns.get(self.marks[piece].column).map_or(self.inner.schedule.end, |k| k.start as usize)
    }

    /// First column of the trunk.
    fn trunk(&self) -> usize {
        self.marks[self.branches].column
    }

    fn span(&self, pieces: Range<usize>) -> ScheduleSpan<'_> {
        let (a, b) = (&self.marks[pieces.start], &self.marks[pieces.end]);
        self.inner.schedule.between(a, b, self.bases.get(pieces.start).copied().unwrap_or(0))
    }
}

/// Where columns begin in the lists of the schedule: the first of all, and those behind each of `ends`.
fn marks(inner: &BlockCholesky, ends: impl Iterator<Item = usize>) -> Vec<ScheduleMark> {
    let (schedule, mut mark) = (&inner.schedule, ScheduleMark::default());
    let mut marks = vec![mark];
    for end in ends {
        for column in &schedule.columns[mark.column..end] {
            let sources = &schedule.sources[mark.source..][..column.sources as usize];
            mark.target += sources.iter().map(|s| s.targets as usize).sum::<usize>();
            mark.source += column.sources as usize;
            mark.lower += column.lowers as usize;
        }
        mark.column = end;
        marks.push(mark);
    }
    marks
}
