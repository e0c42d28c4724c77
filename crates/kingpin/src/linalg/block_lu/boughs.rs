//! The trunk bough by bough: what separates two halves of some sub-domains, once both are eliminated.
//!
//! A rank that has all sub-domains behind a bough does it alone; all ranks do the others, with what they are told of
//! those. What parts leave at their borders is added up along the tree, whoever did them: ranks change no bit.

use super::border::DomainBorder;
use super::numeric::SpanFactor;
use super::scalar::Unknown;
use super::team::DomainTeam;
use super::{BlockFactor, BlockLu, PivotScalar, SingularBlock};
use std::ops::Range;

/// A part of the trunk.
#[derive(Clone, Debug)]
pub(crate) struct Bough {
    /// Its columns in the order of elimination.
    pub columns: Range<usize>,
    /// Sub-domains behind it.
    pub domains: Range<usize>,
    /// What grows out of it: sub-domains by their numbers, boughs counted behind them.
    pub children: Vec<usize>,
    pub border: DomainBorder,
    /// For each node of the border of each child, where it is in the border of the bough, if it is not in the bough.
    passes: Vec<Vec<Option<usize>>>,
}

impl Bough {
    pub(super) fn new(
        lu: &BlockLu,
        (columns, domains): (Range<usize>, Range<usize>),
        order: &[usize],
        children: Vec<(usize, &DomainBorder)>,
    ) -> Self {
        let borders: Vec<&DomainBorder> = children.iter().map(|child| child.1).collect();
        let border = DomainBorder::new(lu, columns.clone(), (columns.end, order), &borders);
        let place = |position: usize| {
            let own = border.nodes.binary_search_by_key(&position, |node| node.position).ok()?;
            Some(border.nodes[own].at)
        };
        let passes = borders.iter().map(|child| child.nodes.iter().map(|n| place(n.position)).collect());
        let passes = passes.collect();
        Self { columns, domains, children: children.iter().map(|child| child.0).collect(), border, passes }
    }

    /// Adds what a child leaves at its border: to the values of the bough, which begin at `base`, or to what it leaves
    /// itself.
    fn take<T: PivotScalar>(
        &self,
        (child, place): (&DomainBorder, usize),
        part: &[T],
        (values, base): (&mut [T], usize),
        left: &mut [T],
    ) {
        let (passes, mut targets) = (&self.passes[place], child.targets.iter());
        for (row, to_row) in child.nodes.iter().zip(passes) {
            for (column, to_column) in child.nodes.iter().zip(passes) {
                let (target, [rows, columns]) = (targets.next(), [row.extent, column.extent]);
                let from = &part[row.at * child.size + column.at..];
                if let (Some(to_row), Some(to_column)) = (to_row, to_column) {
                    for i in 0..rows {
                        let to = &mut left[(to_row + i) * self.border.size + to_column..][..columns];
                        let from = &from[i * child.size..][..columns];
                        to.iter_mut().zip(from).for_each(|(to, x)| *to = to.plus(*x));
                    }
                } else if let Some(Some(target)) = target {
                    let [by_row, by_column] = [target.by_row, target.by_column].map(|by| by as usize);
                    for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
                        let (x, at) =
                            (from[i * child.size + j], target.at - base + i * by_row + j * by_column);
                        // two nodes may be coupled with less of each other than the child sees of them
                        if x != T::ZERO {
                            values[at] = values[at].plus(x);
                        }
                    }
                }
            }
        }
    }

    /// The same of a right side: `outer` has the rows of the trunk.
    fn take_right<T: Unknown>(
        &self,
        (child, place): (&DomainBorder, usize),
        part: &[T],
        outer: &mut [T],
        left: &mut [T],
    ) {
        for (node, pass) in child.nodes.iter().zip(&self.passes[place]) {
            let to = match pass {
                Some(at) => &mut left[*at..*at + node.extent],
                None => &mut outer[node.row..node.row + node.extent],
            };
            to.iter_mut().zip(&part[node.at..]).for_each(|(to, x)| *to = to.plus(*x));
        }
    }
}

/// What parts leave at their borders that others have done and told.
type Told<T> = Vec<Option<Vec<T>>>;

impl BlockLu {
    /// Factors the trunk, its values written, with what sub-domains of this rank leave there and what became of them: the
    /// least pivot of all, or of several that fail the first.
    pub(super) fn factor_boughs<T: PivotScalar>(
        &self,
        team: &DomainTeam,
        to: &mut BlockFactor<T>,
        own: impl Iterator<Item = Result<f64, SingularBlock>>,
        threshold: f64,
    ) -> Result<f64, SingularBlock> {
        let (mut found, none) = (vec![None; team.parts()], vec![None; team.parts()]);
        team.own().zip(own).for_each(|(domain, report)| found[domain] = Some(report));
        for bough in team.boughs_done(true) {
            self.factor_bough(team, (bough, threshold), to, &none, &mut found);
        }
        if team.cut.ranks.ranks() > 1 {
            team.share_reports(&mut found);
            let left = |part: usize| team.left_by(part, &to.borders, &to.boughs);
            let told = team.share_tops(|part| left(part).to_vec(), |border| border.size.pow(2));
            for bough in team.boughs_done(false) {
                self.factor_bough(team, (bough, threshold), to, &told, &mut found);
            }
        }
        found.into_iter().flatten().try_fold(f64::INFINITY, |least, own| Ok(least.min(own?)))
    }

    /// Factors a bough, unless what grows out of it has failed.
    fn factor_bough<T: PivotScalar>(
        &self,
        team: &DomainTeam,
        (number, threshold): (usize, f64),
        to: &mut BlockFactor<T>,
        told: &Told<T>,
        found: &mut [Option<Result<f64, SingularBlock>>],
    ) {
        let bough = &team.boughs[number];
        if bough.children.iter().any(|&child| !matches!(found[child], Some(Ok(_)))) {
            return;
        }
        let [first, end] = [bough.columns.start, bough.columns.end].map(|k| &self.columns[k]);
        let mut left = std::mem::take(&mut to.boughs[number]);
        left.fill(T::ZERO);
        let values = &mut to.values[first.at..end.at];
        for (place, &child) in bough.children.iter().enumerate() {
            let own = || team.left_by(child, &to.borders, &to.boughs);
            let part = told[child].as_deref().unwrap_or_else(own);
            bough.take((team.border(child), place), part, (values, first.at), &mut left);
        }
        let span = SpanFactor { values: &mut *values, exchange: &mut to.exchange[first.start..end.start] };
        let least = T::factor(self, bough.columns.clone(), span, threshold);
        if least.is_ok() {
            T::complement(self, &bough.border, (values, first.at), &mut left);
        }
        to.boughs[number] = left;
        found[team.domains() + number] = Some(least);
    }

    /// Solves for the trunk, but for boughs of other ranks: `borders` are what sub-domains of this rank leave of a right
    /// side, `outer` has the rows of the trunk.
    pub(super) fn solve_boughs<T: Unknown>(
        &self,
        team: &DomainTeam,
        with: &BlockFactor<T::Number>,
        borders: &[Vec<T>],
        outer: &mut [T],
    ) {
        let room = |bough: &Bough| vec![T::default(); if team.does(bough) { bough.border.size } else { 0 }];
        let mut boughs: Vec<Vec<T>> = team.boughs.iter().map(room).collect();
        let none = vec![None; team.parts()];
        for bough in team.boughs_done(true) {
            self.ascend(team, bough, with, (borders, &mut boughs, &none), outer);
        }
        if team.cut.ranks.ranks() > 1 {
            let left = |part: usize| team.left_by(part, borders, &boughs).to_vec();
            let told = team.share_tops(left, |border| border.size);
            for bough in team.boughs_done(false) {
                self.ascend(team, bough, with, (borders, &mut boughs, &told), outer);
            }
        }
        let order = team.boughs_done(false).collect::<Vec<_>>().into_iter().rev();
        let own = team.boughs_done(true).collect::<Vec<_>>().into_iter().rev();
        for bough in order.chain(own) {
            self.descend(&team.boughs[bough], with, outer);
        }
    }

    /// Rows of a bough among those of the trunk.
    pub(super) fn rows_of_bough(&self, bough: &Bough) -> Range<usize> {
        let row = |k: usize| self.columns[k].start - self.columns[self.trunk()].start;
        row(bough.columns.start)..row(bough.columns.end)
    }

    fn ascend<T: Unknown>(
        &self,
        team: &DomainTeam,
        number: usize,
        with: &BlockFactor<T::Number>,
        (borders, boughs, told): (&[Vec<T>], &mut [Vec<T>], &Told<T>),
        outer: &mut [T],
    ) {
        let bough = &team.boughs[number];
        let mut left = std::mem::take(&mut boughs[number]);
        for (place, &child) in bough.children.iter().enumerate() {
            let own = || team.left_by(child, borders, boughs);
            let part = told[child].as_deref().unwrap_or_else(own);
            bough.take_right((team.border(child), place), part, outer, &mut left);
        }
        if !bough.columns.is_empty() {
            let own = &mut outer[self.rows_of_bough(bough)];
            T::forward(self, bough.columns.clone(), with, own);
            let first = self.columns[bough.columns.start].start;
            T::forward_border(self, &bough.border, with, (own, first), &mut left);
        }
        boughs[number] = left;
    }

    fn descend<T: Unknown>(&self, bough: &Bough, with: &BlockFactor<T::Number>, outer: &mut [T]) {
        if !bough.columns.is_empty() {
            let rows = self.rows_of_bough(bough);
            let (own, outside) = outer.split_at_mut(rows.end);
            let own = &mut own[rows.start..];
            T::backward(self, bough.columns.clone(), with, (own, (outside, bough.columns.end)));
        }
    }
}
