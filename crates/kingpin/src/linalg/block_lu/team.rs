//! Who has which sub-domains, and how ranks tell each other what they have found.

use super::border::DomainBorder;
use super::interface::InterfacePlan;
use super::scalar::Spoken;
use super::{BlockCoupling, BlockLu, SingularBlock};
use crate::linalg::{InterfaceWay, NodeSite, Subdivision};
use crate::ranks::{share, shares};
use std::ops::Range;

/// The sub-domains of a matrix, one for each branch of its elimination, and the ranks that share them.
#[derive(Clone, Debug)]
pub(crate) struct DomainTeam {
    pub cut: Subdivision,
    pub borders: Vec<DomainBorder>,
    /// Where the trunk begins in the order of elimination.
    pub trunk: usize,
    /// Who shares what at interfaces, where they are solved by iterations.
    pub plan: Option<InterfacePlan>,
    /// Directions of space that each node moves along, in the order of elimination.
    pub directions: Vec<u8>,
    /// First sub-domain of each rank, and the end of all.
    starts: Vec<usize>,
}

impl DomainTeam {
    /// For a structure whose branches are the sub-domains; `order` names its nodes in the order of elimination.
    pub(super) fn new(
        lu: &BlockLu,
        couplings: &[BlockCoupling],
        (order, sites): (&[usize], &[NodeSite]),
        cut: &Subdivision,
    ) -> Self {
        let (domains, trunk) = (lu.branches.len(), lu.trunk());
        let columns = |domain: usize| lu.columns_of(&(domain..domain + 1));
        let borders: Vec<DomainBorder> =
            (0..domains).map(|domain| DomainBorder::new(lu, columns(domain), trunk, order)).collect();
        let work = |domain: usize| columns(domain).map(|k| lu.column_work(k)[0]).sum::<f64>();
        let starts = shares(&(0..domains).map(work).collect::<Vec<f64>>(), cut.ranks.ranks());
        cut.tally.note_size(domains, lu.rows - lu.columns[trunk].start);
        let at = (order, sites);
        let plan = || InterfacePlan::new(lu, couplings, at, &borders, cut.way);
        Self {
            cut: cut.clone(),
            trunk,
            plan: (cut.way.iterates() && domains > 1).then(plan),
            directions: order.iter().map(|&node| sites[node].directions as u8).collect(),
            borders,
            starts,
        }
    }

    /// Sub-domains of this rank.
    pub fn own(&self) -> Range<usize> {
        share(&self.starts, self.cut.ranks.rank())
    }

    pub fn way(&self) -> InterfaceWay {
        self.cut.way
    }

    /// What all sub-domains have, one behind the other, where each has as many as `length` says.
    pub fn gather<T: Spoken>(
        &self,
        own: impl IntoIterator<Item = T>,
        length: impl Fn(usize) -> usize,
    ) -> Vec<T> {
        if self.cut.ranks.ranks() == 1 {
            return own.into_iter().collect();
        }
        let count = |ends: &[usize]| T::WIDTH * (ends[0]..ends[1]).map(&length).sum::<usize>();
        let counts: Vec<usize> = self.starts.windows(2).map(count).collect();
        let mut said = Vec::with_capacity(counts[self.cut.ranks.rank()]);
        own.into_iter().for_each(|number| number.say(&mut said));
        let mut all = vec![0.0; counts.iter().sum()];
        self.cut.ranks.gather(&said, &counts, &mut all);
        all.chunks_exact(T::WIDTH).map(T::heard).collect()
    }

    /// The least pivot of all sub-domains, or the first failure, from what those of this rank have found.
    pub fn agree(&self, own: impl Iterator<Item = Result<f64, SingularBlock>>) -> Result<f64, SingularBlock> {
        const REPORT: usize = 4;
        let told = own.flat_map(|report| match report {
            Ok(least) => [0.0, 0.0, 0.0, least],
            Err(SingularBlock { node, unknown, pivot }) => [1.0, node as f64, unknown as f64, pivot],
        });
        let all = self.gather(told, |_| REPORT);
        let mut least = f64::INFINITY;
        for report in all.chunks_exact(REPORT) {
            if report[0] != 0.0 {
                let [node, unknown] = [report[1] as usize, report[2] as usize];
                return Err(SingularBlock { node, unknown, pivot: report[3] });
            }
            least = least.min(report[3]);
        }
        Ok(least)
    }
}
