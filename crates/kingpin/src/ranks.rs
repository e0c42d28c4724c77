//! Ranks: processes, or threads in their place, that do the same and share work by sub-domains.
//!
//! Every rank holds the same numbers of an instant and calls the same functions in the same order. What a rank does alone
//! for its sub-domains it tells the others ([`Exchange::gather`]); numbers of sub-domains are added in the order of
//! sub-domains, so results have the same bits for any number of ranks.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Barrier, Mutex, PoisonError};

/// One of several ranks. All ranks call the same functions in the same order.
pub trait Exchange: Send + Sync {
    /// Which one this is, from 0.
    fn rank(&self) -> usize;
    /// How many there are.
    fn ranks(&self) -> usize;
    /// What all ranks have, in their order, on all of them; `counts` tells how many numbers each has.
    fn gather(&self, own: &[f64], counts: &[usize], all: &mut [f64]);
}

impl fmt::Debug for dyn Exchange {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "rank {} of {}", self.rank(), self.ranks())
    }
}

/// The only rank.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Exchange for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn ranks(&self) -> usize {
        1
    }

    fn gather(&self, own: &[f64], _: &[usize], all: &mut [f64]) {
        all.copy_from_slice(own);
    }
}

/// What the ranks of a crew have in common.
struct Deck {
    barrier: Barrier,
    /// What each rank has to say.
    said: Vec<Mutex<Vec<f64>>>,
}

/// One of several threads that are ranks.
pub struct Hand {
    deck: Arc<Deck>,
    rank: usize,
}

/// Ranks for so many threads of one process, one for each.
pub fn crew(ranks: usize) -> Vec<Hand> {
    let said = (0..ranks.max(1)).map(|_| Mutex::default()).collect();
    let deck = Arc::new(Deck { barrier: Barrier::new(ranks.max(1)), said });
    (0..ranks.max(1)).map(|rank| Hand { deck: deck.clone(), rank }).collect()
}

impl Exchange for Hand {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.deck.said.len()
    }

    fn gather(&self, own: &[f64], counts: &[usize], all: &mut [f64]) {
        {
            let mut said = self.deck.said[self.rank].lock().unwrap_or_else(PoisonError::into_inner);
            said.clear();
            said.extend_from_slice(own);
        }
        self.deck.barrier.wait();
        let mut start = 0;
        for (other, count) in self.deck.said.iter().zip(counts) {
            let other = other.lock().unwrap_or_else(PoisonError::into_inner);
            all[start..start + count].copy_from_slice(&other);
            start += count;
        }
        self.deck.barrier.wait();
    }
}

/// Sub-domains that follow one another, shared among ranks so that each has about as much work: the first of each rank,
/// and the end of all. Every rank has one, if there are enough.
pub fn shares(work: &[f64], ranks: usize) -> Vec<usize> {
    let (domains, total) = (work.len(), work.iter().sum::<f64>());
    let (mut starts, mut sum, mut next) = (vec![0], 0.0, 0);
    for rank in 1..ranks.max(1) {
        let wanted = total * rank as f64 / ranks as f64;
        // the one in the middle goes where it exceeds less
        while next < domains && sum + 0.5 * work[next] < wanted {
            sum += work[next];
            next += 1;
        }
        // at least one for each rank before and behind
        let least = (starts[rank - 1] + 1).min(domains);
        let most = domains.saturating_sub(ranks - rank).max(least);
        let cut = next.clamp(least, most);
        while next < cut {
            sum += work[next];
            next += 1;
        }
        while next > cut {
            next -= 1;
            sum -= work[next];
        }
        starts.push(cut);
    }
    starts.push(domains);
    starts
}

/// Sub-domains of one rank.
pub fn share(starts: &[usize], rank: usize) -> Range<usize> {
    starts[rank]..starts[rank + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_shared_in_order() {
        assert_eq!(shares(&[1.0; 8], 2), [0, 4, 8]);
        assert_eq!(shares(&[5.0, 1.0, 1.0, 1.0, 1.0, 1.0], 2), [0, 1, 6]);
        assert_eq!(shares(&[1.0, 9.0], 2), [0, 1, 2]);
        assert_eq!(shares(&[1.0; 5], 3), [0, 2, 3, 5]);
        assert_eq!(shares(&[9.0, 1.0, 1.0], 3), [0, 1, 2, 3]);
        assert_eq!(shares(&[1.0; 3], 1), [0, 3]);
        // more ranks than work: some have none
        assert_eq!(shares(&[1.0; 2], 4), [0, 1, 2, 2, 2]);
    }

    #[test]
    fn a_crew_hears_all() {
        let hear = |hand: Hand| {
            let own = vec![hand.rank as f64; hand.rank + 1];
            let mut all = vec![0.0; 6];
            hand.gather(&own, &[1, 2, 3], &mut all);
            hand.gather(&own, &[1, 2, 3], &mut all);
            all
        };
        let heard: Vec<Vec<f64>> = std::thread::scope(|scope| {
            let started: Vec<_> = crew(3).into_iter().map(|hand| scope.spawn(move || hear(hand))).collect();
            started.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(heard.iter().all(|all| *all == [0.0, 1.0, 1.0, 2.0, 2.0, 2.0]));
    }
}
