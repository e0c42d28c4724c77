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
    /// Assembles all parts: `fill` writes the values of one. No allocation.
    pub fn assemble(&self, values: &mut [f64], fill: &(impl Fn(usize, &mut [f64]) + Sync)) {
        self.fill_parts(0..self.fills.len() - 1, &mut values[..self.inner.schedule.end], fill);
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
        self.factor_with(values, threshold, fill, None)
    }

    /// The same, and solves `S x = b` in place, `x` in natural order; `room` is as long. The solution begins while the
    /// matrix is factored. No allocation.
    ///
    /// # Panics
    /// If `values`, `x` or `room` has the wrong length.
    pub fn factor_and_solve(
        &self,
        values: &mut [f64],
        threshold: f64,
        fill: &(impl Fn(usize, &mut [f64]) + Sync),
        (x, room): (&mut [f64], &mut [f64]),
    ) -> Result<(), ZeroPivot> {
        assert!(x.len() == self.rows() && room.len() == x.len(), "length of the vectors");
        self.factor_with(values, threshold, fill, Some((x, room)))?;
        self.backward(values, room);
        self.scatter(room, x);
        Ok(())
    }

    fn factor_with(
        &self,
        values: &mut [f64],
        threshold: f64,
        fill: &(impl Fn(usize, &mut [f64]) + Sync),
        side: Option<(&[f64], &mut [f64])>,
    ) -> Result<(), ZeroPivot> {
        assert_eq!(values.len(), self.len(), "length of the value array");
        self.factor_pieces(values, threshold, fill, side).map_err(|failure| {
            let failed = self.inner.zero_pivot(values, &failure);
            ZeroPivot { block: self.order[failed.block], ..failed }
        })
    }

    /// Writes some parts of the matrix, whose values these are.
    fn fill_parts(
        &self,
        parts: Range<usize>,
        values: &mut [f64],
        fill: &(impl Fn(usize, &mut [f64]) + Sync),
    ) {
        let room = PartValues { starts: &self.fills, values, part: parts.start };
        in_pieces(parts, 1, room, &|part, room: PartValues| fill(part.start, room.values));
    }

    /// The parts of a piece.
    fn parts(&self, piece: usize) -> Range<usize> {
        self.first_fill[piece]..self.first_fill[piece + 1]
    }

    fn factor_pieces(
        &self,
        values: &mut [f64],
        threshold: f64,
        fill: &(impl Fn(usize, &mut [f64]) + Sync),
        mut side: Option<(&[f64], &mut [f64])>,
    ) -> Result<(), FailedPivot> {
        let (outer, rest) = values.split_at_mut(self.value(self.branches));
        let first = &mut rest[..self.value(self.branches + 1) - outer.len()];
        let branches = PieceValues { of: self, values: outer, piece: 0 };
        let given = side.as_ref().map(|side| side.0);
        let rows = side.as_mut().map(|side| PieceRows { of: self, x: self.outer(side.1), piece: 0 });
        join(
            || self.factor_branches(0..self.branches, (branches, rows), (threshold, given), fill),
            || self.fill_parts(self.parts(self.branches), first, fill),
        )
        .0?;
        let mut trunk = side.map(|(given, room)| self.begin_trunk(values, given, room));
        let mut solved = self.branches;
        for piece in self.branches..self.pieces() {
            let (done, rest) = values.split_at_mut(self.value(piece + 1));
            let (known, own) = done.split_at_mut(self.bases[piece]);
            let next = (piece + 1 < self.pieces()).then(|| self.value(piece + 2) - self.value(piece + 1));
            // pieces that this one does not read
            let before = (solved..piece).take_while(|&other| self.value(other + 1) <= known.len()).count();
            let ready = solved..solved + before;
            solved = ready.end;
            let mut pivoting = Pivoting::Definite { threshold };
            let beside = || {
                join(
                    || next.map(|len| self.fill_parts(self.parts(piece + 1), &mut rest[..len], fill)),
                    || trunk.as_mut().map(|x| self.forward_trunk(ready, known, x)),
                )
            };
            join(|| factor(self.inner.machine, self.span(piece..piece + 1), own, &mut pivoting), beside).0?;
        }
        if let Some(x) = trunk {
            self.forward_trunk(solved..self.pieces(), values, x);
        }
        Ok(())
    }

    /// Factors branches, and solves for their right side if there is one; of several that fail, the first says why.
    fn factor_branches(
        &self,
        some: Range<usize>,
        (room, rows): (PieceValues, Option<PieceRows>),
        (threshold, given): (f64, Option<&[f64]>),
        fill: &(impl Fn(usize, &mut [f64]) + Sync),
    ) -> Result<(), FailedPivot> {
        if some.len() < 2 {
            let Some(piece) = some.into_iter().next() else { return Ok(()) };
            self.fill_parts(self.parts(piece), room.values, fill);
            let mut pivoting = Pivoting::Definite { threshold };
            factor(self.inner.machine, self.span(piece..piece + 1), room.values, &mut pivoting)?;
            if let (Some(given), Some(rows)) = (given, rows) {
                self.forward_branch(piece, (room.values, self.value(piece)), given, rows.x);
            }
            return Ok(());
        }
        let middle = some.start + some.len() / 2;
        let (before, behind) = (room, rows).divide(middle);
        let (a, b) = join(
            || self.factor_branches(some.start..middle, before, (threshold, given), fill),
            || self.factor_branches(middle..some.end, behind, (threshold, given), fill),
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
        let given = &*x;
        let forward = |piece: Range<usize>, room: PieceRows| {
            self.forward_branch(piece.start, (values, 0), given, room.x);
        };
        let rows = PieceRows { of: self, x: self.outer(room), piece: 0 };
        in_pieces(0..self.branches, 1, rows, &unless_none(&forward));
        let trunk = self.begin_trunk(values, given, room);
        self.forward_trunk(self.branches..self.pieces(), values, trunk);
        self.backward(values, room);
        self.scatter(room, x);
    }

    /// The unknowns of all branches.
    fn outer<'x>(&self, room: &'x mut [f64]) -> &'x mut [f64] {
        &mut room[..self.ordered[self.trunk()]]
    }

    /// Takes the unknowns of a branch from a right side and solves with its part of L; `values` begin at `first`.
    fn forward_branch(&self, piece: usize, (values, first): (&[f64], usize), given: &[f64], x: &mut [f64]) {
        let span = self.span(piece..piece + 1);
        self.gather(&span, given, x);
        let inside = &self.inside[span.first..];
        on_machine!(self.inner.machine, substitution::forward_branch,
            (span: ScheduleSpan, inside: &[u32], values: &[f64], first: usize, x: &mut [f64]));
    }

    /// Takes the unknowns of the trunk from a right side and subtracts what branches, which are solved, have for them.
    fn begin_trunk<'x>(&self, values: &[f64], given: &[f64], room: &'x mut [f64]) -> &'x mut [f64] {
        let (outer, trunk) = room.split_at_mut(self.ordered[self.trunk()]);
        self.gather(&self.span(self.branches..self.pieces()), given, trunk);
        self.forward_into_trunk(values, outer, trunk);
        trunk
    }

    /// Solves with L over pieces of the trunk.
    fn forward_trunk(&self, pieces: Range<usize>, values: &[f64], x: &mut [f64]) {
        if !pieces.is_empty() {
            let (span, first) = (self.span(pieces), 0);
            let inside = &self.inside[span.first..];
            on_machine!(self.inner.machine, substitution::forward_branch,
                (span: ScheduleSpan, inside: &[u32], values: &[f64], first: usize, x: &mut [f64]));
        }
    }

    /// Solves with D L^T.
    fn backward(&self, values: &[f64], room: &mut [f64]) {
        let machine = self.inner.machine;
        let (outer, trunk) = room.split_at_mut(self.ordered[self.trunk()]);
        let (all, inside) = (self.span(self.branches..self.pieces()), &self.inside[self.trunk()..]);
        {
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

/// The values of some parts that are assembled at once.
struct PartValues<'a> {
    starts: &'a [usize],
    values: &'a mut [f64],
    part: usize,
}

impl Divide for PartValues<'_> {
    fn divide(self, part: usize) -> (Self, Self) {
        let PartValues { starts, values, part: first } = self;
        let (before, behind) = values.split_at_mut(starts[part] - starts[first]);
        (PartValues { starts, values: before, part: first }, PartValues { starts, values: behind, part })
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
