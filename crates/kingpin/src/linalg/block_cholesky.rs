//! Sparse block Cholesky factorisation with a fixed pattern.

use super::entry::{Entry, ZeroPivot};
use super::factor::{FailedPivot, factor};
use super::lanes::{Machine, Portable, on_machine};
use super::null_vector::{self, FactorTree};
use super::pattern::{BlockPattern, positions};
use super::pivoting::{Pivoting, Semidefinite};
use super::schedule::Schedule;
use super::symbolic::FactorStructure;
use super::{substitution, substitution_many};

/// Factorisation `S = L D L^T` of a symmetric positive (semi)definite matrix of small dense blocks, in a
/// given elimination order.
///
/// [`analyse`](Self::analyse) does the symbolic work once; the numeric phase walks its schedule over a value
/// array of [`len`](Self::len) numbers owned by the caller, and allocates nothing. The array holds S before
/// `factor` (zeroed, then assembled at the places of [`locate`](Self::locate)) and the factor after it.
///
/// The root-free form replaces `L L^T` because square roots would lengthen the chain of dependent operations
/// that bounds the speed on chains of blocks; it exists for the same matrices. Chains run faster still if
/// the order alternates between independent branches (for one chain: between its two ends), which gives the
/// processor two chains of dependent operations to interleave.
///
/// The arithmetic uses AVX2 and fused multiply-add if the processor has them: results are the same for any
/// number of threads, but may differ in the last bits from those of a processor without
/// (see [`portable`](Self::portable)).
#[derive(Debug, Clone)]
pub struct BlockCholesky {
    pub(super) schedule: Schedule,
    pub(super) tree: FactorTree,
    /// Rows of each column, in elimination positions, parallel to the schedule's lower blocks.
    pub(super) rows: Vec<u32>,
    /// Elimination position of each block.
    position: Vec<usize>,
    pub(super) machine: Machine,
}

impl BlockCholesky {
    /// Symbolic phase: fill, storage layout and schedule for eliminating block `order[0]` first, then
    /// `order[1]` and so on. Time and memory are proportional to the number of block operations of a
    /// factorisation.
    ///
    /// # Panics
    /// If `order` is not a permutation of the blocks, or the factor has more than `u32::MAX` numbers.
    pub fn analyse(pattern: &BlockPattern, order: &[usize]) -> Self {
        let position = positions(order, pattern.blocks());
        let elimination = FactorStructure::new(pattern, order, &position);
        let schedule = Schedule::new(pattern, order, &elimination);
        let (child_first, children) = elimination.children();
        let tree = FactorTree { first: elimination.first, child_first, children };
        Self { schedule, tree, rows: elimination.rows, position, machine: pattern.machine() }
    }

    /// Symbolic phase for a saddle-point matrix `[A B^T; B -C]`, A definite and C semidefinite: the last `negative`
    /// blocks, eliminated last, are those of B. Their pivots are negative; a row of B that depends on others
    /// stops the factorisation like a row of a definite matrix, measured against `B A^-1 B^T`.
    ///
    /// # Panics
    /// If `order` is not a permutation of the blocks that has those of B last, or the factor is too large.
    pub fn analyse_saddle(pattern: &BlockPattern, order: &[usize], negative: usize) -> Self {
        let from = pattern.blocks() - negative;
        assert!(order[from..].iter().all(|&block| block >= from), "blocks of B are eliminated last");
        let position = positions(order, pattern.blocks());
        let elimination = FactorStructure::new(pattern, order, &position);
        let mut schedule = Schedule::new(pattern, order, &elimination);
        schedule.turn_negative(&elimination, from);
        let (child_first, children) = elimination.children();
        let tree = FactorTree { first: elimination.first, child_first, children };
        Self { schedule, tree, rows: elimination.rows, position, machine: pattern.machine() }
    }

    /// The same factorisation restricted to the instructions of the compilation target: the same bits on
    /// every processor of an architecture, at some cost in speed.
    pub fn portable(mut self) -> Self {
        self.machine = Machine::Portable(Portable);
        self
    }

    /// Length of the value array, scratch included.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.schedule.end + self.schedule.largest * (self.schedule.largest + 1)
    }

    /// Scalar rows of the matrix.
    pub fn rows(&self) -> usize {
        self.schedule.rows
    }

    /// Number of blocks of the factor, diagonal included.
    pub fn blocks(&self) -> usize {
        self.rows.len() + self.position.len()
    }

    /// Number of block updates (products of blocks) of one factorisation.
    pub fn updates(&self) -> usize {
        self.schedule.sources.len() + self.schedule.targets.len()
    }

    /// Where to assemble block (`i`, `j`) of S, or `None` if the factor has no such block.
    /// O(log of the blocks in a column); meant for set-up, not for each evaluation.
    pub fn locate(&self, i: usize, j: usize) -> Option<Entry> {
        let (p, q) = (*self.position.get(i)?, *self.position.get(j)?);
        if p < q {
            return self.locate(j, i).map(Entry::transposed);
        }
        let column = &self.schedule.columns[q];
        let cols = column.size as usize;
        let (offset, rows) = if p == q {
            (column.start as usize + cols, cols)
        } else {
            let span = self.tree.first[q]..self.tree.first[q + 1];
            let index = self.rows[span.clone()].binary_search(&(p as u32)).ok()? + span.start;
            (self.schedule.offsets[index] as usize, self.schedule.lowers[index].rows as usize)
        };
        Some(Entry { offset, rows, cols, row_stride: 1, col_stride: rows })
    }

    /// Factors a positive definite S in place. A pivot not above `threshold` times the diagonal element it
    /// started from stops the factorisation; so does one that is not a number.
    ///
    /// # Panics
    /// If `values` is not [`len`](Self::len) long.
    pub fn factor(&self, values: &mut [f64], threshold: f64) -> Result<(), ZeroPivot> {
        let (values, _) = self.split(values);
        factor(self.machine, self.schedule.all(), values, &mut Pivoting::Definite { threshold })
            .map_err(|failure| self.zero_pivot(values, &failure))
    }

    /// Factors a positive semidefinite S in place and returns the number of rows it drops because they
    /// depend on others. `dropped`, one flag per scalar row in natural order, says which.
    ///
    /// A dropped row takes no part in the factorisation: its column of L and its inverse pivot are zero, and
    /// [`solve`](Self::solve) returns zero there and solves the equations of the remaining rows. Which rows
    /// are dropped:
    ///
    /// - Blocks are eliminated in the given order, so rows depending on earlier blocks are dropped in favour
    ///   of those.
    /// - If, taken in order, every row of a block retains more than `sqrt(tolerance)` of its original
    ///   diagonal element, the block is kept whole.
    /// - Otherwise its rows are chosen by largest remaining fraction of the original diagonal element, ties
    ///   to the earlier row, until none retains more than `tolerance`; the others are dropped. This keeps a
    ///   row with little left of it from being divided by before a better one, which would drown the
    ///   decision about the next in rounding errors.
    ///
    /// An error means that the matrix held a number that is not finite.
    ///
    /// # Panics
    /// If `values` is not [`len`](Self::len) or `dropped` not [`rows`](Self::rows) long.
    pub fn factor_semidefinite(
        &self,
        values: &mut [f64],
        tolerance: f64,
        dropped: &mut [bool],
    ) -> Result<usize, ZeroPivot> {
        assert_eq!(dropped.len(), self.rows(), "one flag per row");
        let (values, scratch) = self.split(values);
        dropped.fill(false);
        let rule = Semidefinite { tolerance, comfort: tolerance.sqrt(), dropped, count: 0, scratch };
        let mut pivoting = Pivoting::Semidefinite(rule);
        factor(self.machine, self.schedule.all(), values, &mut pivoting)
            .map_err(|failure| self.zero_pivot(values, &failure))?;
        Ok(pivoting.dropped())
    }

    /// Solves `S x = b` in place; `x` is in natural order, block i at the sum of the sizes before it.
    ///
    /// # Panics
    /// If `values` or `x` has the wrong length; so do the other solving functions.
    pub fn solve(&self, values: &[f64], x: &mut [f64]) {
        self.forward(values, x);
        self.backward(values, x);
    }

    /// First half of [`solve`](Self::solve): `x = L^-1 x`.
    pub fn forward(&self, values: &[f64], x: &mut [f64]) {
        self.check(values, x, 1);
        let schedule = &self.schedule;
        on_machine!(self.machine, substitution::forward_columns,
            (schedule: &Schedule, values: &[f64], x: &mut [f64]));
    }

    /// Second half of [`solve`](Self::solve): `x = L^-T D^-1 x`.
    pub fn backward(&self, values: &[f64], x: &mut [f64]) {
        self.check(values, x, 1);
        let schedule = &self.schedule;
        on_machine!(self.machine, substitution::backward_columns,
            (schedule: &Schedule, values: &[f64], x: &mut [f64]));
    }

    /// Solves `S X = B` in place for `width` right-hand sides, the columns of the row-major matrix `x`.
    pub fn solve_many(&self, values: &[f64], x: &mut [f64], width: usize) {
        self.check(values, x, width);
        let schedule = &self.schedule;
        on_machine!(self.machine, substitution_many::forward_columns,
            (schedule: &Schedule, values: &[f64], x: &mut [f64], width: usize));
        on_machine!(self.machine, substitution_many::backward_columns,
            (schedule: &Schedule, values: &[f64], x: &mut [f64], width: usize));
    }

    /// The pivots D of a block's rows; what was left of a dropped row is included.
    pub fn pivots<'a>(&self, values: &'a [f64], block: usize) -> impl Iterator<Item = f64> + 'a {
        let column = &self.schedule.columns[self.position[block]];
        let n = column.size as usize;
        let diagonal = &values[column.start as usize + n..][..n * n];
        (0..n).map(move |row| diagonal[row * n + row])
    }

    /// The diagonal elements of all rows in the order of elimination: of the matrix before it is factored, the
    /// pivots D afterwards.
    pub fn diagonals<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        self.schedule.columns.iter().flat_map(move |column| {
            let (start, n) = (column.start as usize, column.size as usize);
            (0..n).map(move |row| values[start + n + row * n + row])
        })
    }

    /// After [`factor_semidefinite`](Self::factor_semidefinite), the vector y with `S y = 0` that belongs to
    /// the dropped row `row` of block `block`: one there, zero in every other dropped row, and otherwise
    /// nonzero only in rows eliminated before and in kept rows of the same block.
    ///
    /// `y` (natural order) must be zero on entry, so that a sequence of calls costs no more than the blocks
    /// they visit: `support` receives those, the block itself first, and nothing else of `y` is touched. A
    /// component that cancels to less than `negligible` times the sum of its terms' magnitudes is set to
    /// zero, and where that empties a branch of the elimination tree the branch is not visited; 1e-12 is a
    /// good value, zero keeps everything.
    pub fn null_vector(
        &self,
        values: &[f64],
        (block, row): (usize, usize),
        negligible: f64,
        y: &mut [f64],
        support: &mut Vec<usize>,
    ) {
        self.check(values, y, 1);
        let start = (self.position[block], row);
        null_vector::trace(&self.schedule, &self.tree, values, start, negligible, y, support);
        for p in support {
            *p = self.schedule.columns[*p].block as usize;
        }
    }

    fn split<'a>(&self, values: &'a mut [f64]) -> (&'a mut [f64], &'a mut [f64]) {
        assert_eq!(values.len(), self.len(), "length of the value array");
        values.split_at_mut(self.schedule.end)
    }

    fn check(&self, values: &[f64], x: &[f64], width: usize) {
        assert_eq!(values.len(), self.len(), "length of the value array");
        assert_eq!(x.len(), self.rows() * width, "length of the vector");
    }

    pub(super) fn zero_pivot(&self, values: &[f64], failure: &FailedPivot) -> ZeroPivot {
        let column = &self.schedule.columns[failure.column];
        let (start, n, row) = (column.start as usize, column.size as usize, failure.row);
        let (pivot, scale) = (values[start + n + row * n + row], values[start + row]);
        ZeroPivot { block: column.block as usize, row, pivot, scale }
    }
}
