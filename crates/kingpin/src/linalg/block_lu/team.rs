//! Who has which sub-domains, and how ranks tell each other what they have found.

use super::border::DomainBorder;
use super::boughs::Bough;
use super::interface::InterfacePlan;
use super::scalar::Spoken;
use super::{BlockCoupling, BlockLu, SingularBlock};
use crate::linalg::{DomainTree, InterfaceWay, NodeSite, Subdivision};
use crate::ranks::{share, shares};
use std::ops::Range;

/// The sub-domains of a matrix, one for each branch of its elimination, and the ranks that share them.
#[derive(Clone, Debug)]
pub(crate) struct DomainTeam {
    pub cut: Subdivision,
    way: InterfaceWay,
    pub borders: Vec<DomainBorder>,
    /// What the trunk consists of, where it is eliminated: each behind those that grow out of it.
    pub boughs: Vec<Bough>,
    /// Where the trunk begins in the order of elimination.
    pub trunk: usize,
    /// Who shares what at interfaces, where they are solved by iterations.
    pub plan: Option<InterfacePlan>,
    /// Directions of space that each node moves along, in the order of elimination.
    pub directions: Vec<u8>,
    /// First sub-domain of each rank, and the end of all.
    starts: Vec<usize>,
    /// Of sub-domains and boughs that one rank does, those that grow out of one that all do.
    tops: Vec<usize>,
}

impl DomainTeam {
    /// For a structure whose branches are the sub-domains; `order` names its nodes in the order of elimination, and `ends`
    /// tells where those of sub-domains and boughs of the tree end.
    pub(super) fn new(
        lu: &BlockLu,
        couplings: &[BlockCoupling],
        (order, ends): (&[usize], &[usize]),
        (tree, sites): (&DomainTree, &[NodeSite]),
        cut: &Subdivision,
    ) -> Self {
        let (domains, trunk) = (lu.branches.len(), lu.trunk());
        let columns = |domain: usize| lu.columns_of(&(domain..domain + 1));
        let border = |domain: usize| DomainBorder::new(lu, columns(domain), (trunk, order), &[]);
        let borders: Vec<DomainBorder> = (0..domains).map(border).collect();
        let mut boughs: Vec<Bough> = Vec::new();
        for part in domains..tree.parts() {
            let child = |part: usize| {
                let bough = part.checked_sub(domains).map(|bough| &boughs[bough].border);
                bough.unwrap_or_else(|| &borders[part])
            };
            let children = tree.children(part).map(|part| (part, child(part))).collect();
            let own = (ends[part - 1]..ends[part], tree.domains_of(part));
            boughs.push(Bough::new(lu, own, order, children));
        }
        let work = |domain: usize| columns(domain).map(|k| lu.column_work(k)[0]).sum::<f64>();
        let starts = shares(&(0..domains).map(work).collect::<Vec<f64>>(), cut.ranks.ranks());
        cut.tally.note_size(domains, lu.rows - lu.columns[trunk].start);
        let plan = |way| InterfacePlan::new(lu, couplings, (order, sites), &borders, way);
        let (way, plan) = match cut.way {
            _ if domains < 2 => (InterfaceWay::Interface, None),
            InterfaceWay::Auto => {
                let balancing = plan(InterfaceWay::Bddc);
                let way = cut.tally.choose([lu.trunk_work(), balancing.work()]);
                (way, Some(balancing).filter(|_| way.iterates()))
            }
            way => (way, way.iterates().then(|| plan(way))),
        };
        let mut team = Self {
            cut: cut.clone(),
            way,
            trunk,
            plan,
            directions: order.iter().map(|&node| sites[node].directions as u8).collect(),
            borders,
            boughs,
            starts,
            tops: Vec::new(),
        };
        let is_top = |part: usize| {
            let common = |bough: usize| team.rank_of(bough).is_none();
            team.rank_of(part).is_some() && tree.parent(part).is_some_and(common)
        };
        let mut tops: Vec<usize> = (0..tree.parts()).filter(|&part| is_top(part)).collect();
        tops.sort_by_key(|&part| (team.rank_of(part), part));
        team.tops = tops;
        team
    }

    /// Sub-domains.
    pub fn domains(&self) -> usize {
        self.borders.len()
    }

    /// Sub-domains and boughs.
    pub fn parts(&self) -> usize {
        self.borders.len() + self.boughs.len()
    }

    /// Sub-domains of this rank.
    pub fn own(&self) -> Range<usize> {
        share(&self.starts, self.cut.ranks.rank())
    }

    pub fn way(&self) -> InterfaceWay {
        self.way
    }

    /// The rank that has all sub-domains of a part.
    fn rank_of(&self, part: usize) -> Option<usize> {
        let all = part.checked_sub(self.domains()).map_or(part..part + 1, |b| self.boughs[b].domains.clone());
        let rank = self.starts.partition_point(|&start| start <= all.start) - 1;
        (all.end <= self.starts[rank + 1]).then_some(rank)
    }

    /// Whether a bough is done here, by this rank alone or by all: unless another has all that is behind it.
    pub fn does(&self, bough: &Bough) -> bool {
        let rank = self.starts.partition_point(|&start| start <= bough.domains.start) - 1;
        rank == self.cut.ranks.rank() || bough.domains.end > self.starts[rank + 1]
    }

    /// Sub-domains of a rank.
    pub fn share_of(&self, rank: usize) -> Range<usize> {
        share(&self.starts, rank)
    }

    /// Boughs that this rank does alone, or those that all do, in order.
    pub fn boughs_done(&self, alone: bool) -> impl Iterator<Item = usize> + '_ {
        let by = alone.then(|| self.cut.ranks.rank());
        (0..self.boughs.len()).filter(move |&bough| self.rank_of(self.domains() + bough) == by)
    }

    /// Boughs that a rank does alone.
    pub fn boughs_of(&self, rank: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.boughs.len()).filter(move |&bough| self.rank_of(self.domains() + bough) == Some(rank))
    }

    /// The border of a sub-domain or a bough.
    pub fn border(&self, part: usize) -> &DomainBorder {
        part.checked_sub(self.domains()).map_or_else(|| &self.borders[part], |b| &self.boughs[b].border)
    }

    /// What a part leaves at its border that was done here, among what those of this rank and what boughs leave.
    pub fn left_by<'a, T>(&self, part: usize, borders: &'a [Vec<T>], boughs: &'a [Vec<T>]) -> &'a [T] {
        match part.checked_sub(self.domains()) {
            Some(bough) => &boughs[bough],
            None => &borders[part - self.own().start],
        }
    }

    /// Numbers of all ranks in their order, of each as many as `counts` says.
    pub fn tell<T: Spoken>(&self, own: impl IntoIterator<Item = T>, counts: &[usize]) -> Vec<T> {
        if self.cut.ranks.ranks() == 1 {
            return own.into_iter().collect();
        }
        let counts: Vec<usize> = counts.iter().map(|count| T::WIDTH * count).collect();
        let mut said = Vec::with_capacity(counts[self.cut.ranks.rank()]);
        own.into_iter().for_each(|number| number.say(&mut said));
        let mut all = vec![0.0; counts.iter().sum()];
        self.cut.ranks.gather(&said, &counts, &mut all);
        all.chunks_exact(T::WIDTH).map(T::heard).collect()
    }

    /// What all sub-domains have, one behind the other, where each has as many as `length` says.
    pub fn gather<T: Spoken>(
        &self,
        own: impl IntoIterator<Item = T>,
        length: impl Fn(usize) -> usize,
    ) -> Vec<T> {
        let count = |ends: &[usize]| (ends[0]..ends[1]).map(&length).sum::<usize>();
        let counts: Vec<usize> = self.starts.windows(2).map(count).collect();
        self.tell(own, &counts)
    }

    /// What parts that one rank does have for boughs that all do, of each as much as `length` makes of its border.
    pub fn share_tops<T: Spoken>(
        &self,
        left: impl Fn(usize) -> Vec<T>,
        length: impl Fn(&DomainBorder) -> usize,
    ) -> Vec<Option<Vec<T>>> {
        let (ranks, rank) = (self.cut.ranks.ranks(), self.cut.ranks.rank());
        let of =
            |rank: usize| self.tops.iter().copied().filter(move |&part| self.rank_of(part) == Some(rank));
        let size = |part: usize| length(self.border(part));
        let counts: Vec<usize> = (0..ranks).map(|rank| of(rank).map(size).sum()).collect();
        let all = self.tell(of(rank).flat_map(left), &counts);
        let (mut told, mut rest) = (vec![None; self.parts()], &all[..]);
        for &part in &self.tops {
            let (own, behind) = rest.split_at(size(part));
            told[part] = Some(own.to_vec());
            rest = behind;
        }
        told
    }

    /// Completes what became of parts, where each is done by one rank, by what others have found.
    pub fn share_reports(&self, found: &mut [Option<Result<f64, SingularBlock>>]) {
        let rank = self.cut.ranks.rank();
        let done = |by: usize| (0..self.parts()).filter(move |&part| self.rank_of(part) == Some(by));
        let counts: Vec<usize> = (0..self.cut.ranks.ranks()).map(|by| REPORT * done(by).count()).collect();
        let own: Vec<f64> = done(rank).flat_map(|part| said(found[part])).collect();
        let all = self.tell(own, &counts);
        let parts = (0..self.cut.ranks.ranks()).flat_map(done);
        parts.zip(all.chunks_exact(REPORT)).for_each(|(part, report)| found[part] = heard(report));
    }

    /// The least pivot of all sub-domains, or the first failure, from what those of this rank have found.
    pub fn agree(&self, own: impl Iterator<Item = Result<f64, SingularBlock>>) -> Result<f64, SingularBlock> {
        let all = self.gather(own.flat_map(|report| said(Some(report))), |_| REPORT);
        let mut each = all.chunks_exact(REPORT).filter_map(heard);
        each.try_fold(f64::INFINITY, |least, own| Ok(least.min(own?)))
    }
}

/// Numbers of what became of a part.
const REPORT: usize = 4;

fn said(report: Option<Result<f64, SingularBlock>>) -> [f64; REPORT] {
    match report {
        Some(Ok(least)) => [0.0, 0.0, 0.0, least],
        Some(Err(SingularBlock { node, unknown, pivot })) => [1.0, node as f64, unknown as f64, pivot],
        None => [2.0, 0.0, 0.0, 0.0],
    }
}

fn heard(report: &[f64]) -> Option<Result<f64, SingularBlock>> {
    let failure = SingularBlock { node: report[1] as usize, unknown: report[2] as usize, pivot: report[3] };
    match report[0] {
        0.0 => Some(Ok(report[3])),
        1.0 => Some(Err(failure)),
        _ => None,
    }
}
