//! Ranks that hold sub-domains and exchange numbers.
//!
//! Sub-domains are numbered, and a rank holds those of a range; ranges follow one another. Numbers of different
//! sub-domains are always added in the order of sub-domains, so results have the same bits for any number of ranks.

mod crew;
#[cfg(feature = "mpi")]
mod message_passing;

pub use crew::crew;
#[cfg(feature = "mpi")]
pub use message_passing::Processes;

pub use kingpin::ranks::{Alone, Exchange};

use std::ops::Range;

/// What goes to another rank and comes from it: ranges of the numbers sent and received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The other rank.
    pub rank: usize,
    /// Among the numbers sent.
    pub send: Range<usize>,
    /// Among the numbers received.
    pub receive: Range<usize>,
}

/// One of several ranks that send numbers to their neighbours.
pub trait Communicator: Exchange {
    /// Sends numbers to neighbours and receives theirs.
    fn exchange(&self, neighbours: &[Neighbour], send: &[f64], receive: &mut [f64]);
}

impl Communicator for Alone {
    fn exchange(&self, _: &[Neighbour], _: &[f64], _: &mut [f64]) {}
}

/// Lists of different lengths from all ranks, one behind the other, and how long each is.
pub fn gather_lists(communicator: &dyn Communicator, own: &[f64]) -> (Vec<f64>, Vec<usize>) {
    let ranks = communicator.ranks();
    let mut lengths = vec![0.0; ranks];
    communicator.gather(&[own.len() as f64], &vec![1; ranks], &mut lengths);
    let counts: Vec<usize> = lengths.iter().map(|&length| length as usize).collect();
    let mut all = vec![0.0; counts.iter().sum()];
    communicator.gather(own, &counts, &mut all);
    (all, counts)
}

/// The sub-domains of a rank where all ranks have nearly equal numbers of them.
pub fn share(domains: usize, rank: usize, ranks: usize) -> Range<usize> {
    rank * domains / ranks..(rank + 1) * domains / ranks
}
