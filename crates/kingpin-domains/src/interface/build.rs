//! Copies of freedoms and what goes to other ranks, from the nodes that sub-domains share.

use super::Interface;
use super::classes::classes;
use crate::DomainError;
use crate::communicate::{Communicator, Neighbour, gather_lists};
use crate::piece::Piece;
use std::collections::BTreeMap;

/// Freedoms on interfaces of the sub-domains here: by node number, their places in a broken vector.
type Known = Vec<BTreeMap<u64, Vec<u32>>>;

impl Interface {
    /// From the sub-domains of this rank, a range of all in increasing order.
    pub fn of(pieces: &[Piece], communicator: &dyn Communicator) -> Result<Interface, DomainError> {
        let (numbers, per_rank) =
            gather_lists(communicator, &pieces.iter().map(|piece| piece.number as f64).collect::<Vec<_>>());
        let (ranks, domains) = (communicator.ranks(), numbers.len());
        if per_rank.contains(&0) {
            return Err(if domains == 0 {
                DomainError::Empty
            } else {
                DomainError::TooManyRanks { ranks, domains }
            });
        }
        let in_order = numbers.iter().enumerate().all(|(k, &number)| number == k as f64);
        if !in_order {
            let what = "numbers of sub-domains, in the order of ranks";
            return Err(DomainError::WrongSize { what, expected: domains, given: pieces.len() });
        }
        let first = pieces[0].number;
        let own = first..first + pieces.len();
        let (starts, known) = places(pieces);
        let classes = pieces.iter().map(classes).collect();
        let mut interface = Interface {
            domains,
            own,
            per_rank,
            starts,
            classes,
            copy_starts: vec![0],
            copies: Vec::new(),
            copy_owners: Vec::new(),
            first: Vec::new(),
            sent: Vec::new(),
            neighbours: Vec::new(),
            ghosts: 0,
        };
        let ghosts = interface.plan(pieces, &known);
        interface.list_copies(pieces, &known, &ghosts);
        Ok(interface)
    }

    /// The rank that holds a sub-domain.
    fn rank_of(&self, domain: usize) -> usize {
        let mut sum = 0;
        for (rank, &count) in self.per_rank.iter().enumerate() {
            sum += count;
            if domain < sum {
                return rank;
            }
        }
        self.per_rank.len()
    }

    /// What goes to other ranks: for each pair of a sub-domain here and one there the freedoms they share, by node
    /// numbers; pairs in the order of the sender's, then the receiver's sub-domain. Returns where in a broken vector the
    /// numbers that a sub-domain there has for a sub-domain here begin.
    fn plan(&mut self, pieces: &[Piece], known: &Known) -> BTreeMap<(usize, usize), BTreeMap<u64, u32>> {
        // shared node numbers by pair (here, there)
        let mut pairs: BTreeMap<(usize, usize), Vec<u64>> = BTreeMap::new();
        for piece in pieces {
            for shared in &piece.shared {
                for &other in shared.owners.iter().filter(|&&other| !self.own.contains(&other)) {
                    pairs.entry((piece.number, other)).or_default().push(piece.nodes[shared.node]);
                }
            }
        }
        let mut by_rank: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        pairs
            .keys()
            .for_each(|&(here, there)| by_rank.entry(self.rank_of(there)).or_default().push((here, there)));
        let mut ghosts = BTreeMap::new();
        for (rank, mut list) in by_rank {
            let (send, receive) = (self.sent.len(), self.ghosts);
            // sent in the order of ours, then theirs
            for &(here, there) in &list {
                let own = &known[here - self.own.start];
                for node in &pairs[&(here, there)] {
                    self.sent.extend(own.get(node).into_iter().flatten());
                }
            }
            // received in the order of theirs, then ours
            list.sort_by_key(|&(here, there)| (there, here));
            for &(here, there) in &list {
                let own = &known[here - self.own.start];
                let mut begin = BTreeMap::new();
                for node in &pairs[&(here, there)] {
                    begin.insert(*node, (self.len() + self.ghosts) as u32);
                    self.ghosts += own.get(node).map_or(0, Vec::len);
                }
                ghosts.insert((here, there), begin);
            }
            let neighbour = Neighbour { rank, send: send..self.sent.len(), receive: receive..self.ghosts };
            self.neighbours.push(neighbour);
        }
        ghosts
    }

    fn list_copies(
        &mut self,
        pieces: &[Piece],
        known: &Known,
        ghosts: &BTreeMap<(usize, usize), BTreeMap<u64, u32>>,
    ) {
        for piece in pieces {
            for shared in &piece.shared {
                let node = piece.nodes[shared.node];
                let own = known[piece.number - self.own.start].get(&node).map_or(0, Vec::len);
                for k in 0..own {
                    for &owner in &shared.owners {
                        let copy = match owner.checked_sub(self.own.start).and_then(|at| known.get(at)) {
                            Some(here) => here.get(&node).and_then(|list| list.get(k)).copied(),
                            None => ghosts[&(piece.number, owner)].get(&node).map(|begin| begin + k as u32),
                        };
                        if let Some(copy) = copy {
                            self.copies.push(copy);
                            self.copy_owners.push(owner as u32);
                        }
                    }
                    self.copy_starts.push(self.copies.len() as u32);
                    self.first.push(if shared.owners[0] == piece.number { 1.0 } else { 0.0 });
                }
            }
        }
    }
}

/// Where the freedoms of nodes on interfaces stand in a broken vector: those of a node one behind the other, nodes in
/// their order.
fn places(pieces: &[Piece]) -> (Vec<usize>, Known) {
    let (mut starts, mut known) = (vec![0], Vec::new());
    for piece in pieces {
        let (mut next, mut own) = (starts[starts.len() - 1], BTreeMap::<u64, Vec<u32>>::new());
        for freedom in piece.boundary() {
            own.entry(piece.node_of(freedom)).or_default().push(next as u32);
            next += 1;
        }
        starts.push(next);
        known.push(own);
    }
    (starts, known)
}
