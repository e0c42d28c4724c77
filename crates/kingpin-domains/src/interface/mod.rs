//! Interfaces of the sub-domains that a rank holds: copies of freedoms, classes of nodes, sums over owners.
//!
//! A vector over interfaces is broken: each sub-domain has its own numbers for its freedoms there, one sub-domain behind
//! the other. Behind them come numbers of sub-domains on other ranks, one for each freedom and each sub-domain here that
//! shares it.

mod build;
mod classes;

pub use classes::{Class, Primal};

use crate::communicate::{Communicator, Neighbour};
use std::ops::Range;

/// Who shares what.
#[derive(Clone, Debug)]
pub struct Interface {
    /// Sub-domains of all ranks.
    pub domains: usize,
    /// Those of this rank.
    pub own: Range<usize>,
    /// How many sub-domains each rank has.
    pub per_rank: Vec<usize>,
    /// Where each sub-domain here begins in a broken vector, and the end.
    pub starts: Vec<usize>,
    /// Classes of the nodes of each sub-domain here: nodes that the same sub-domains have.
    pub classes: Vec<Vec<Class>>,
    /// for each freedom where its copies begin, in the order of sub-domains, its own included
    copy_starts: Vec<u32>,
    copies: Vec<u32>,
    /// sub-domain of each copy
    copy_owners: Vec<u32>,
    /// one for the first copy of each freedom, zero for the others: what is counted
    first: Vec<f64>,
    /// what is sent, and to whom
    sent: Vec<u32>,
    neighbours: Vec<Neighbour>,
    ghosts: usize,
}

impl Interface {
    /// Numbers of a broken vector here.
    pub fn len(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// Whether no sub-domain here has an interface.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many freedoms of interfaces this rank counts: those whose first owner it holds.
    pub fn counted(&self) -> usize {
        self.first.iter().filter(|&&first| first > 0.0).count()
    }

    /// Ranks that this one exchanges numbers with, and how many it sends to each.
    pub fn messages(&self) -> Vec<usize> {
        self.neighbours.iter().map(|neighbour| neighbour.send.len()).collect()
    }

    /// Copies of a freedom: place in a broken vector with what has come from other ranks, and the sub-domain.
    pub fn copies(&self, freedom: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let range = self.copy_starts[freedom] as usize..self.copy_starts[freedom + 1] as usize;
        range.map(|k| (self.copies[k] as usize, self.copy_owners[k] as usize))
    }

    /// Room for a broken vector and what comes from other ranks.
    pub fn room(&self) -> Vec<f64> {
        vec![0.0; self.len() + self.ghosts]
    }

    /// Fetches what other ranks have to the end of a broken vector. `send` is memory.
    pub fn fetch(&self, communicator: &dyn Communicator, broken: &mut [f64], send: &mut Vec<f64>) {
        if self.neighbours.is_empty() {
            return;
        }
        send.clear();
        send.extend(self.sent.iter().map(|&k| broken[k as usize]));
        let (_, ghosts) = broken.split_at_mut(self.len());
        communicator.exchange(&self.neighbours, send, ghosts);
    }

    /// Sums over the owners of the freedoms from `begin` on, in the order of sub-domains; the same numbers for all owners.
    /// What other ranks have must have been fetched. O(copies)
    pub fn sums(&self, broken: &[f64], begin: usize, to: &mut [f64]) {
        for (to, ends) in to.iter_mut().zip(self.copy_starts[begin..].windows(2)) {
            let mut sum = 0.0;
            self.copies[ends[0] as usize..ends[1] as usize].iter().for_each(|&k| sum += broken[k as usize]);
            *to = sum;
        }
    }

    /// Products of two vectors that are equal on all owners, each freedom counted once: one number for each sub-domain.
    pub fn partial_products(&self, a: &[f64], b: &[f64], to: &mut [f64]) {
        for (k, to) in to.iter_mut().enumerate() {
            let range = self.starts[k]..self.starts[k + 1];
            *to = counted_dot(&self.first[range.clone()], &a[range.clone()], &b[range]);
        }
    }
}

/// Sum of products with weights, four sums at a time.
pub(crate) fn counted_dot(weights: &[f64], a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (w, wr) = weights.as_chunks::<4>();
    let (x, xr) = a.as_chunks::<4>();
    let (y, yr) = b.as_chunks::<4>();
    for ((w, x), y) in w.iter().zip(x).zip(y) {
        for k in 0..4 {
            sums[k] += w[k] * x[k] * y[k];
        }
    }
    let tail: f64 = wr.iter().zip(xr).zip(yr).map(|((w, x), y)| w * x * y).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}

/// The sum over all sub-domains of one number or several of each, in their order, on all ranks. `all` is memory.
pub(crate) fn total<const N: usize>(
    interface: &Interface,
    communicator: &dyn Communicator,
    own: &[[f64; N]],
    all: &mut Vec<f64>,
) -> [f64; N] {
    let mut sum = [0.0; N];
    if communicator.ranks() == 1 {
        own.iter().for_each(|own| (0..N).for_each(|k| sum[k] += own[k]));
        return sum;
    }
    all.clear();
    all.resize(N * interface.domains, 0.0);
    let counts: Vec<usize> = interface.per_rank.iter().map(|count| N * count).collect();
    communicator.gather(own.as_flattened(), &counts, all);
    all.chunks(N).for_each(|own| (0..N).for_each(|k| sum[k] += own[k]));
    sum
}
