//! The numeric phase, piece by piece. No allocation.

use super::BranchedCholesky;
use crate::linalg::entry::ZeroPivot;
use crate::linalg::factor::{FailedPivot, factor};
use crate::linalg::lanes::on_machine;
use crate::linalg::pivoting::Pivoting;
use crate::linalg::schedule::{Lower, ScheduleSpan};
use crate::linalg::substitution;
use crate::threads::{Divide, in_pieces, join};
use std::ops::Range;

impl BranchedCholesky {
    /// Assembles all pieces: `fill` writes the values of one. No allocation.
    pub fn assemble(&self, values: &mut [f64], fill: &(impl Fn(usize, &mut [f64]) + Sync)) {
        let room = PieceValues { of: self, values: &mut values[..self.inner.schedule.end], piece: 0 };
        in_pieces(0..self.pieces(), 1, room, &|piece, room: PieceValues| fill(piece.start, room.values));
    }

    /// Assembles and factors piece by piece; a pivot not above `threshold` times the diagonal element it started from is an
    /// error.
    ///
    /// # Panics
    /// If `values` is not [`len`](Self::len) long.
    pub fn factor(
        &self,
        values: &mut [f64],
        threshold: f64,
        fill: &(impl Fn(usize, &mut [f64]) + Sync),
    ) -> Result<(), ZeroPivot> {
        assert_eq!(values.len(), self.len(), "length of the value array");
        self.factor_pieces(values, threshold, fill).map_err(|failure| {
            let failed = self.inner.zero_pivot(values, &failure);
            ZeroPivot { block: self.order[failed.block], ..failed }
        })
    }

    fn factor_pieces(
        &self,
        values: &mut [f64],
        threshold: f64,
        fill: &(impl Fn(usize, &mut [f64]) + Sync),
    ) -> Result<(), FailedPivot> {
        let (outer, rest) = values.split_at_mut(self.value(self.branches));
        let first = &mut rest[..self.value(self.branches + 1) - outer.len()];
        let branches = PieceValues { of: self, values: outer, piece: 0 };
        join(
            || self.factor_branches(0..self.branches, branches, threshold, fill),
            || fill(self.branches, first),
        )
        .0?;
        for piece in self.branches..self.pieces() {
            let (done, rest) = values.split_at_mut(self.value(piece + 1));
            let next = (piece + 1 < self.pieces()).then(|| self.value(piece + 2) - done.len());
            let mut pivoting = Pivoting::Definite { threshold };
            join(
                || factor(self.inner.machine, self.span(piece..piece + 1), done, &mut pivoting),
                || next.map(|len| fill(piece + 1, &mut rest[..len])),
            )
            .0?;
        }
        Ok(())
    }

    /// Factors branches; of several that fail, the first says why.
    fn factor_branches(
        &self,
        some: Range<usize>,
        room: PieceValues,
        threshold: f64,
        fill: &(impl Fn(usize, &mut [f64]) + Sync),
    ) -> Result<(), FailedPivot> {
        if some.len() < 2 {
            let Some(piece) = some.into_iter().next() else { return Ok(()) };
            fill(piece, room.values);
            let mut pivoting = Pivoting::Definite { threshold };
            return factor(self.inner.machine, self.span(piece..piece + 1), room.values, &mut pivoting);
        }
        let middle = some.start + some.len() / 2;
        let (before, behind) = room.divide(middle);
        let (a, b) = join(
            || self.factor_branches(some.start..middle, before, threshold, fill),
            || self.factor_branches(middle..some.end, behind, threshold, fill),
        );
        a.and(b)
    }

    /// Solves `S x = b` in place, `x` in natural order; `room` is as long. No allocation.
    ///
    /// # Panics
    /// If `values`, `x` or `room` has the wrong length.
    pub fn solve(&self, values: &[f64], x: &mut [f64], room: &mut [f64]) {
        assert_eq!(values.len(), self.len(), "length of the value array");
        assert!(x.len() == self.rows() && room.len() == x.len(), "length of the vectors");
        let rows = self.ordered[self.trunk()];
        let (given, machine) = (&*x, self.inner.machine);
        let (outer, trunk) = room.split_at_mut(rows);
        let forward = |pieces: Range<usize>, room: PieceRows| {
            let (span, x) = (self.span(pieces), room.x);
            self.gather(&span, given, x);
            let inside = &self.inside[span.first..];
            on_machine!(machine, substitution::forward_branch,
                (span: ScheduleSpan, inside: &[u32], values: &[f64], x: &mut [f64]));
        };
        in_pieces(0..self.branches, 1, PieceRows { of: self, x: outer, piece: 0 }, &unless_none(&forward));
        let (all, inside) = (self.span(self.branches..self.pieces()), &self.inside[self.trunk()..]);
        self.gather(&all, given, trunk);
        self.forward_into_trunk(values, outer, trunk);
        {
            let x = &mut *trunk;
            on_machine!(machine, substitution::forward_branch,
                (all: ScheduleSpan, inside: &[u32], values: &[f64], x: &mut [f64]));
            let (x, outside) = (&mut *trunk, &[][..]);
            on_machine!(machine, substitution::backward_branch,
                (all: ScheduleSpan, inside: &[u32], values: &[f64], x: &mut [f64], outside: &[f64]));
        }
        let outside = &*trunk;
        let backward = |pieces: Range<usize>, room: PieceRows| {
            let (span, x) = (self.span(pieces), room.x);
            let inside = &self.inside[span.first..];
            on_machine!(machine, substitution::backward_branch,
                (span: ScheduleSpan, inside: &[u32], values: &[f64], x: &mut [f64], outside: &[f64]));
        };
        in_pieces(0..self.branches, 1, PieceRows { of: self, x: outer, piece: 0 }, &unless_none(&backward));
        self.scatter(room, x);
    }

    /// Unknowns of some columns in the order of elimination.
    fn gather(&self, span: &ScheduleSpan, from: &[f64], to: &mut [f64]) {
        let blocks = &self.order[span.first..span.first + span.columns.len()];
        for (column, &block) in span.columns.iter().zip(blocks) {
            to[column.range()].copy_from_slice(&from[self.natural[block]..self.natural[block + 1]]);
        }
    }

    /// All unknowns back into the natural order.
    fn scatter(&self, from: &[f64], to: &mut [f64]) {
        let room = BlockRows { starts: &self.natural, x: to, block: 0 };
        in_pieces(0..self.order.len(), self.grain, room, &|blocks, room: BlockRows| {
            let mut rest = room.x;
            for block in blocks {
                let (own, behind) = rest.split_at_mut(self.natural[block + 1] - self.natural[block]);
                own.copy_from_slice(&from[self.ordered[self.position[block] as usize]..][..own.len()]);
                rest = behind;
            }
        });
    }

    /// What columns of branches do to unknowns of the trunk, in their order.
    fn forward_into_trunk(&self, values: &[f64], outer: &[f64], trunk: &mut [f64]) {
        let (schedule, first) = (&self.inner.schedule, &self.inner.tree.first);
        for k in self.bordering.iter().map(|&k| k as usize) {
            let (column, from) = (&schedule.columns[k], first[k] + self.inside[k] as usize);
            let (lowers, n) = (&schedule.lowers[from..first[k + 1]], column.size as usize);
            let below = &values[schedule.offsets[from] as usize..];
            let (r, z) = (&values[column.start as usize..][..n], &outer[self.ordered[k]..][..n]);
            let x = &mut *trunk;
            on_machine!(self.inner.machine, substitution::forward_outside,
                (r: &[f64], z: &[f64], lowers: &[Lower], below: &[f64], x: &mut [f64]));
        }
    }
}

/// Does something to a piece unless there is none.
fn unless_none<'a, R>(what: &'a (impl Fn(Range<usize>, R) + Sync)) -> impl Fn(Range<usize>, R) + Sync + 'a {
    move |pieces, room| {
        if !pieces.is_empty() {
            what(pieces, room)
        }
    }
}

/// The values of some pieces.
struct PieceValues<'a> {
    of: &'a BranchedCholesky,
    values: &'a mut [f64],
    piece: usize,
}

impl Divide for PieceValues<'_> {
    fn divide(self, piece: usize) -> (Self, Self) {
        let at = self.of.value(piece) - self.of.value(self.piece);
        let (before, behind) = self.values.split_at_mut(at);
        let PieceValues { of, piece: first, .. } = self;
        (PieceValues { of, values: before, piece: first }, PieceValues { of, values: behind, piece })
    }
}

/// The unknowns of some branches.
struct PieceRows<'a> {
    of: &'a BranchedCholesky,
    x: &'a mut [f64],
    piece: usize,
}

impl Divide for PieceRows<'_> {
    fn divide(self, piece: usize) -> (Self, Self) {
        let start = |piece: usize| self.of.ordered[self.of.marks[piece].column];
        let (before, behind) = self.x.split_at_mut(start(piece) - start(self.piece));
        let PieceRows { of, piece: first, .. } = self;
        (PieceRows { of, x: before, piece: first }, PieceRows { of, x: behind, piece })
    }
}

/// The unknowns of some blocks in natural order.
struct BlockRows<'a> {
    starts: &'a [usize],
    x: &'a mut [f64],
    block: usize,
}

impl Divide for BlockRows<'_> {
    fn divide(self, block: usize) -> (Self, Self) {
        let (before, behind) = self.x.split_at_mut(self.starts[block] - self.starts[self.block]);
        let BlockRows { starts, block: first, .. } = self;
        (BlockRows { starts, x: before, block: first }, BlockRows { starts, x: behind, block })
    }
}
