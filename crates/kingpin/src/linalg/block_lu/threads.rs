//! Factors and solutions, branch by branch where there are threads for it. No allocation.

use super::numeric::SpanFactor;
use super::scalar::Unknown;
use super::{BlockFactor, BlockLu, PivotScalar, SingularBlock};
use crate::threads::{Divide, in_pieces, join};
use std::ops::Range;

impl BlockLu {
    /// Factors values that are written on the way: `fill` writes those of a piece, branches right before they are factored.
    /// The least pivot of all blocks, as a part of the largest number of its block; one not above `threshold` times that is
    /// an error, unless its row and column are as small. O(work)
    pub(crate) fn factor_filled<T: PivotScalar>(
        &self,
        to: &mut BlockFactor<T>,
        threshold: f64,
        fill: &(impl Fn(usize, &mut [T]) + Sync),
    ) -> Result<f64, SingularBlock> {
        if let Some(team) = &self.team {
            return self.factor_domains(team, to, threshold, fill);
        }
        let (all, trunk) = (self.position.len(), self.trunk());
        let [values, rows] = [self.columns[trunk].at, self.columns[trunk].start];
        let (outer, rest) = to.values.split_at_mut(values);
        let branches = SpanFactor { values: outer, exchange: &mut to.exchange[..rows] };
        let (least, ()) = join(
            || self.factor_branches(0..self.branches.len(), branches, threshold, fill),
            || self.fill_trunk(rest, fill),
        );
        let least = least?;
        if trunk == all {
            return Ok(least);
        }
        if trunk > 0 {
            T::factor_outside(self, &mut to.values, trunk);
        }
        let own = SpanFactor { values: &mut to.values[values..], exchange: &mut to.exchange[rows..] };
        Ok(least.min(T::factor(self, trunk..all, own, threshold)?))
    }

    /// Writes the values of the trunk, piece by piece.
    pub(super) fn fill_trunk<T: PivotScalar>(
        &self,
        values: &mut [T],
        fill: &(impl Fn(usize, &mut [T]) + Sync),
    ) {
        let (first, pieces) = (self.branches.len(), self.cuts.len().saturating_sub(1));
        let room = FillRoom { cuts: &self.cuts, values, piece: first };
        in_pieces(first..pieces, 1, room, &|piece, room: FillRoom<T>| {
            if !piece.is_empty() {
                fill(piece.start, room.values);
            }
        });
    }

    /// Solves `A x = b` in place, for one right side or for several at once. O(len)
    pub(crate) fn solve<T: Unknown>(&self, with: &BlockFactor<T::Number>, x: &mut [T]) {
        if let Some(team) = &self.team {
            return self.solve_domains(team, with, x);
        }
        let (all, trunk) = (self.position.len(), self.trunk());
        if trunk == 0 {
            T::forward(self, 0..all, with, x);
            T::backward(self, 0..all, with, (x, (&[], all)));
            return;
        }
        let (rows, branches) = (self.columns[trunk].start, 0..self.branches.len());
        self.forward_branches(branches.clone(), with, &mut x[..rows]);
        if trunk < all {
            T::forward_outside(self, trunk, with, x);
            T::forward(self, trunk..all, with, &mut x[rows..]);
            T::backward(self, trunk..all, with, (&mut x[rows..], (&[], all)));
        }
        let (own, outside) = x.split_at_mut(rows);
        self.backward_branches(branches, with, (own, (outside, trunk)));
    }

    /// Where the trunk begins; zero if there are no branches.
    pub(super) fn trunk(&self) -> usize {
        self.branches.last().copied().unwrap_or(0)
    }

    /// The columns of some branches.
    pub(super) fn columns_of(&self, branches: &Range<usize>) -> Range<usize> {
        let first = branches.start.checked_sub(1).map_or(0, |before| self.branches[before]);
        first..self.branches[branches.end - 1]
    }

    /// Branches in two halves, and the column between them; `None` for a single one.
    fn halves(&self, branches: &Range<usize>) -> Option<(Range<usize>, Range<usize>, usize)> {
        let middle = branches.start + branches.len() / 2;
        (branches.len() > 1)
            .then(|| (branches.start..middle, middle..branches.end, self.branches[middle - 1]))
    }

    /// Factors branches; of several that fail, the first says why.
    fn factor_branches<T: PivotScalar>(
        &self,
        branches: Range<usize>,
        to: SpanFactor<T>,
        threshold: f64,
        fill: &(impl Fn(usize, &mut [T]) + Sync),
    ) -> Result<f64, SingularBlock> {
        if branches.is_empty() {
            return Ok(f64::INFINITY);
        }
        let columns = self.columns_of(&branches);
        let Some((first, second, middle)) = self.halves(&branches) else {
            fill(branches.start, to.values);
            return T::factor(self, columns, to, threshold);
        };
        let (from, to_column) = (&self.columns[columns.start], &self.columns[middle]);
        let values = to.values.split_at_mut(to_column.at - from.at);
        let exchange = to.exchange.split_at_mut(to_column.start - from.start);
        let (a, b) = join(
            || {
                let to = SpanFactor { values: values.0, exchange: exchange.0 };
                self.factor_branches(first, to, threshold, fill)
            },
            || {
                let to = SpanFactor { values: values.1, exchange: exchange.1 };
                self.factor_branches(second, to, threshold, fill)
            },
        );
        Ok(a?.min(b?))
    }

    fn forward_branches<T: Unknown>(
        &self,
        branches: Range<usize>,
        with: &BlockFactor<T::Number>,
        x: &mut [T],
    ) {
        let columns = self.columns_of(&branches);
        let Some((first, second, middle)) = self.halves(&branches) else {
            return T::forward(self, columns, with, x);
        };
        let (a, b) = x.split_at_mut(self.columns[middle].start - self.columns[columns.start].start);
        join(|| self.forward_branches(first, with, a), || self.forward_branches(second, with, b));
    }

    fn backward_branches<T: Unknown>(
        &self,
        branches: Range<usize>,
        with: &BlockFactor<T::Number>,
        (x, outside): (&mut [T], (&[T], usize)),
    ) {
        let columns = self.columns_of(&branches);
        let Some((first, second, middle)) = self.halves(&branches) else {
            return T::backward(self, columns, with, (x, outside));
        };
        let (a, b) = x.split_at_mut(self.columns[middle].start - self.columns[columns.start].start);
        join(
            || self.backward_branches(first, with, (a, outside)),
            || self.backward_branches(second, with, (b, outside)),
        );
    }
}

/// The values of some pieces.
struct FillRoom<'a, T> {
    cuts: &'a [usize],
    values: &'a mut [T],
    piece: usize,
}

impl<T: Send> Divide for FillRoom<'_, T> {
    fn divide(self, piece: usize) -> (Self, Self) {
        let FillRoom { cuts, values, piece: first } = self;
        let (before, behind) = values.split_at_mut(cuts[piece] - cuts[first]);
        (FillRoom { cuts, values: before, piece: first }, FillRoom { cuts, values: behind, piece })
    }
}
