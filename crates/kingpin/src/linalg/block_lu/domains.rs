//! Factors and solutions sub-domain by sub-domain, each rank those of its own.
//!
//! What sub-domains leave at their borders is kept apart and added up in their order: numbers are the same whoever did
//! which. The trunk, the unknowns at interfaces, is eliminated bough by bough, or solved by iterations.

use super::border::DomainBorder;
use super::interface::{InterfaceFactor, inner_sums};
use super::numeric::SpanFactor;
use super::scalar::Unknown;
use super::team::DomainTeam;
use super::{BlockFactor, BlockLu, PivotBlock, PivotScalar, SingularBlock};
use crate::threads::{Divide, in_pieces, join};
use std::ops::Range;
use std::sync::Arc;

/// Room for what sub-domains of a rank make: values and exchanges, and each its border and its report.
struct DomainRoom<'a, T> {
    lu: &'a BlockLu,
    first: usize,
    span: SpanFactor<'a, T>,
    borders: &'a mut [Vec<T>],
    reports: &'a mut [DomainReport<T>],
}

/// What became of a sub-domain: its least pivot or why there is none, and sums of its blocks with its border, where they
/// are asked for.
struct DomainReport<T> {
    least: Result<f64, SingularBlock>,
    sums: Vec<T>,
}

impl<T: Send> Divide for DomainRoom<'_, T> {
    fn divide(self, domain: usize) -> (Self, Self) {
        let DomainRoom { lu, first, span, borders, reports } = self;
        let ([from, to], count) = ([lu.branch_start(first), lu.branch_start(domain)], domain - first);
        let values = span.values.split_at_mut(lu.columns[to].at - lu.columns[from].at);
        let exchange = span.exchange.split_at_mut(lu.columns[to].start - lu.columns[from].start);
        let (borders, reports) = (borders.split_at_mut(count), reports.split_at_mut(count));
        let half = |first, values, exchange, borders, reports| DomainRoom {
            lu,
            first,
            span: SpanFactor { values, exchange },
            borders,
            reports,
        };
        (
            half(first, values.0, exchange.0, borders.0, reports.0),
            half(domain, values.1, exchange.1, borders.1, reports.1),
        )
    }
}

/// Unknowns of sub-domains of a rank, and each its border.
struct UnknownsRoom<'a, T> {
    lu: &'a BlockLu,
    first: usize,
    x: &'a mut [T],
    borders: &'a mut [Vec<T>],
}

impl<T: Send> Divide for UnknownsRoom<'_, T> {
    fn divide(self, domain: usize) -> (Self, Self) {
        let UnknownsRoom { lu, first, x, borders } = self;
        let row = |domain: usize| lu.columns[lu.branch_start(domain)].start;
        let x = x.split_at_mut(row(domain) - row(first));
        let borders = borders.split_at_mut((domain - first).min(borders.len()));
        (
            UnknownsRoom { lu, first, x: x.0, borders: borders.0 },
            UnknownsRoom { lu, first: domain, x: x.1, borders: borders.1 },
        )
    }
}

impl BlockLu {
    /// The first column of a branch, or the first behind all.
    pub(super) fn branch_start(&self, branch: usize) -> usize {
        branch.checked_sub(1).map_or(0, |before| self.branches[before])
    }

    /// Columns of some branches, or of none.
    pub(super) fn columns_in(&self, branches: &Range<usize>) -> Range<usize> {
        self.branch_start(branches.start)..self.branch_start(branches.end)
    }

    /// Rows of some branches.
    fn rows_of(&self, branches: &Range<usize>) -> Range<usize> {
        let row = |branch: usize| self.columns[self.branch_start(branch)].start;
        row(branches.start)..row(branches.end)
    }

    /// As [`factor_filled`](Self::factor_filled), by sub-domains.
    pub(super) fn factor_domains<T: PivotScalar>(
        &self,
        team: &DomainTeam,
        to: &mut BlockFactor<T>,
        threshold: f64,
        fill: &(impl Fn(usize, &mut [T]) + Sync),
    ) -> Result<f64, SingularBlock> {
        let (own, trunk, all) = (team.own(), self.trunk(), self.position.len());
        let (base, rows) = (self.columns[trunk].at, self.rows_of(&own));
        let [first, end] = [own.start, own.end].map(|branch| self.columns[self.branch_start(branch)].at);
        let plan = team.plan.as_ref().filter(|_| to.iterating);
        let BlockFactor { values, exchange, borders, .. } = &mut *to;
        let (inner, outer) = values.split_at_mut(base);
        let report = |_| DomainReport { least: Ok(f64::INFINITY), sums: Vec::new() };
        let mut reports: Vec<DomainReport<T>> = own.clone().map(report).collect();
        let span = SpanFactor { values: &mut inner[first..end], exchange: &mut exchange[rows] };
        let room = DomainRoom { lu: self, first: own.start, span, borders, reports: &mut reports };
        join(
            || {
                in_pieces(own.clone(), 1, room, &|domain, room: DomainRoom<T>| {
                    if !domain.is_empty() {
                        let border = &team.borders[domain.start];
                        let directions = plan.map(|_| &team.directions[..]);
                        self.factor_domain(border, room, (threshold, directions), fill);
                    }
                });
            },
            || self.fill_trunk(outer, fill),
        );
        let own = reports.iter().map(|report| report.least);
        let Some(plan) = plan else {
            return self.factor_boughs(team, to, own.collect::<Vec<_>>().into_iter(), threshold);
        };
        let least = team.agree(own)?;
        if trunk < all {
            let sums: Vec<Vec<T>> = reports.into_iter().map(|report| report.sums).collect();
            let made = InterfaceFactor::new(self, team, plan, (outer, base), (borders, &sums));
            to.interface = Some(Arc::new(made));
        }
        Ok(least)
    }

    /// Factors the trunk.
    pub(super) fn factor_trunk<T: PivotScalar>(
        &self,
        to: &mut BlockFactor<T>,
        columns: Range<usize>,
        threshold: f64,
    ) -> Result<f64, SingularBlock> {
        let PivotBlock { at, start, .. } = self.columns[columns.start];
        let span = SpanFactor { values: &mut to.values[at..], exchange: &mut to.exchange[start..] };
        T::factor(self, columns, span, threshold)
    }

    /// Solves for the unknowns of the trunk with its factor.
    pub(super) fn solve_trunk<T: Unknown>(&self, with: &BlockFactor<T::Number>, x: &mut [T]) {
        let (trunk, all) = (self.trunk(), self.position.len());
        T::forward(self, trunk..all, with, x);
        T::backward(self, trunk..all, with, (x, (&[], all)));
    }

    /// Factors one sub-domain, and finds what it leaves at its border.
    fn factor_domain<T: PivotScalar>(
        &self,
        border: &DomainBorder,
        room: DomainRoom<T>,
        (threshold, directions): (f64, Option<&[u8]>),
        fill: &(impl Fn(usize, &mut [T]) + Sync),
    ) {
        let DomainRoom { first: domain, span, borders, reports, .. } = room;
        let columns = self.columns_of(&(domain..domain + 1));
        let base = self.columns[columns.start].at;
        fill(domain, span.values);
        let SpanFactor { values, exchange } = span;
        if let Some(directions) = directions {
            reports[0].sums = inner_sums(self, border, (values, base), directions);
        }
        reports[0].least = T::factor(self, columns, SpanFactor { values: &mut *values, exchange }, threshold);
        borders[0].fill(T::ZERO);
        if reports[0].least.is_ok() {
            T::complement(self, border, (values, base), &mut borders[0]);
        }
    }

    /// Adds what all sub-domains leave at their borders to the trunk, in their order.
    pub(super) fn add_complements<T: PivotScalar>(&self, team: &DomainTeam, to: &mut BlockFactor<T>) {
        let size = |domain: usize| team.borders[domain].size.pow(2);
        let base = self.columns[self.trunk()].at;
        let trunk = &mut to.values[base..];
        if team.cut.ranks.ranks() == 1 {
            let each = team.borders.iter().zip(&to.borders);
            return each.for_each(|(border, part)| border.add_complement(part, base, trunk));
        }
        let all = team.gather(to.borders.iter().flatten().copied(), size);
        let mut rest = &all[..];
        for (domain, border) in team.borders.iter().enumerate() {
            let (part, behind) = rest.split_at(size(domain));
            border.add_complement(part, base, trunk);
            rest = behind;
        }
    }

    /// As [`solve`](Self::solve), by sub-domains.
    pub(super) fn solve_domains<T: Unknown>(
        &self,
        team: &DomainTeam,
        with: &BlockFactor<T::Number>,
        x: &mut [T],
    ) {
        let (own, trunk, all) = (team.own(), self.trunk(), self.position.len());
        let (rows, first) = (self.rows_of(&own), self.columns[trunk].start);
        let size = |domain: usize| team.borders[domain].size;
        let mut borders: Vec<Vec<T>> = own.clone().map(|domain| vec![T::default(); size(domain)]).collect();
        let room =
            UnknownsRoom { lu: self, first: own.start, x: &mut x[rows.clone()], borders: &mut borders };
        in_pieces(own.clone(), 1, room, &|domain, room: UnknownsRoom<T>| {
            if !domain.is_empty() {
                let columns = self.columns_of(&domain);
                let base = self.columns[columns.start].start;
                T::forward(self, columns, with, &mut *room.x);
                let border = &team.borders[domain.start];
                T::forward_border(self, border, with, (room.x, base), &mut room.borders[0]);
            }
        });
        let (inner, outer) = x.split_at_mut(first);
        match &with.interface {
            Some(interface) if trunk < all => {
                let given = team.gather(borders.into_iter().flatten(), size);
                let rows = team.borders.iter().flat_map(DomainBorder::rows);
                rows.zip(given).for_each(|(row, by)| outer[row] = outer[row].plus(by));
                T::one_by_one(outer, &mut |x| interface.solve(self, team, with, x));
            }
            _ => self.solve_boughs(team, with, &borders, outer),
        }
        let room = UnknownsRoom { lu: self, first: own.start, x: &mut inner[rows.clone()], borders: &mut [] };
        let seen = &*outer;
        in_pieces(own.clone(), 1, room, &|domain, room: UnknownsRoom<T>| {
            if !domain.is_empty() {
                T::backward(self, self.columns_of(&domain), with, (room.x, (seen, trunk)));
            }
        });
        if team.cut.ranks.ranks() > 1 {
            self.share_solution(team, with.interface.is_none(), (inner, outer));
        }
    }

    /// Tells all ranks what each has found: unknowns of its sub-domains and of boughs that it did alone, if these were.
    fn share_solution<T: Unknown>(
        &self,
        team: &DomainTeam,
        with_boughs: bool,
        (inner, outer): (&mut [T], &mut [T]),
    ) {
        let boughs = |rank: usize| team.boughs_of(rank).filter(move |_| with_boughs);
        let (ranks, rank) = (team.cut.ranks.ranks(), team.cut.ranks.rank());
        let rows = |bough: usize| self.rows_of_bough(&team.boughs[bough]);
        let count = |rank: usize| {
            self.rows_of(&team.share_of(rank)).len()
                + boughs(rank).map(|bough| rows(bough).len()).sum::<usize>()
        };
        let counts: Vec<usize> = (0..ranks).map(count).collect();
        let own = inner[self.rows_of(&team.own())].iter();
        let own = own.chain(boughs(rank).flat_map(|bough| &outer[rows(bough)])).copied();
        let found = team.tell(own.collect::<Vec<T>>(), &counts);
        let mut rest = &found[..];
        let mut hear = |to: &mut [T]| {
            let (own, behind) = rest.split_at(to.len());
            to.copy_from_slice(own);
            rest = behind;
        };
        for rank in 0..ranks {
            hear(&mut inner[self.rows_of(&team.share_of(rank))]);
            boughs(rank).for_each(|bough| hear(&mut outer[rows(bough)]));
        }
    }
}
