//! Ranks as threads of one process.

use super::{Communicator, Exchange, Neighbour};
use std::sync::{Barrier, Mutex, PoisonError};

/// What the ranks of a crew have in common.
struct Deck {
    barrier: Barrier,
    /// what each rank has to say, with the ranges of what it sends to others
    said: Vec<Mutex<(Vec<f64>, Vec<Neighbour>)>>,
}

/// One of several threads.
struct Hand<'a> {
    deck: &'a Deck,
    rank: usize,
}

/// Does the same on several threads, each a rank; returns what comes of it in their order.
pub fn crew<R: Send>(ranks: usize, what: impl Fn(&dyn Communicator) -> R + Sync) -> Vec<R> {
    let ranks = ranks.max(1);
    let said = (0..ranks).map(|_| Mutex::new((Vec::new(), Vec::new()))).collect();
    let deck = Deck { barrier: Barrier::new(ranks), said };
    let hands: Vec<Hand> = (0..ranks).map(|rank| Hand { deck: &deck, rank }).collect();
    std::thread::scope(|scope| {
        let started: Vec<_> = hands.iter().map(|hand| scope.spawn(|| what(hand))).collect();
        let ended = started.into_iter().map(|thread| thread.join());
        ended.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}

impl Hand<'_> {
    /// Says something, lets others be heard, and waits until all have heard.
    fn meet(&self, own: &[f64], neighbours: &[Neighbour], mut hear: impl FnMut(usize, &[f64], &[Neighbour])) {
        {
            let mut said = self.deck.said[self.rank].lock().unwrap_or_else(PoisonError::into_inner);
            said.0.clear();
            said.0.extend_from_slice(own);
            said.1.clear();
            said.1.extend_from_slice(neighbours);
        }
        self.deck.barrier.wait();
        for (rank, other) in self.deck.said.iter().enumerate() {
            let other = other.lock().unwrap_or_else(PoisonError::into_inner);
            hear(rank, &other.0, &other.1);
        }
        self.deck.barrier.wait();
    }
}

impl Exchange for Hand<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.deck.said.len()
    }

    fn gather(&self, own: &[f64], counts: &[usize], all: &mut [f64]) {
        let mut start = 0;
        self.meet(own, &[], |rank, said, _| {
            all[start..start + counts[rank]].copy_from_slice(said);
            start += counts[rank];
        });
    }
}

impl Communicator for Hand<'_> {
    fn exchange(&self, neighbours: &[Neighbour], send: &[f64], receive: &mut [f64]) {
        self.meet(send, neighbours, |rank, said, theirs| {
            let mine = neighbours.iter().find(|neighbour| neighbour.rank == rank);
            let to_me = theirs.iter().find(|neighbour| neighbour.rank == self.rank);
            if let (Some(mine), Some(to_me)) = (mine, to_me) {
                receive[mine.receive.clone()].copy_from_slice(&said[to_me.send.clone()]);
            }
        });
    }
}
