//! How sub-domains hang together: halves of halves, with a bough between any two.
//!
//! What separates two halves is eliminated when both have been, so that a rank that has all of both does it alone. The
//! tree follows from the number of sub-domains, which bisection numbers half by half.

use std::ops::Range;

/// Sub-domains, numbered from zero, and boughs behind them, each behind those that grow out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainTree {
    /// How many sub-domains there are.
    pub domains: usize,
    /// The bough that each sub-domain and each bough grows out of; none for the last.
    parents: Vec<Option<usize>>,
    /// The sub-domains behind each of them.
    behind: Vec<Range<usize>>,
}

impl DomainTree {
    /// Halves of halves of so many sub-domains.
    pub fn halving(domains: usize) -> Self {
        let mut tree = Self {
            domains,
            parents: vec![None; domains],
            behind: (0..domains).map(|domain| domain..domain + 1).collect(),
        };
        if domains == 1 {
            // one that nothing separates may have something beside it all the same
            tree.join(&[0], 0..1);
        } else if domains > 1 {
            tree.grow(0..domains);
        }
        tree
    }

    fn grow(&mut self, all: Range<usize>) -> usize {
        if all.len() == 1 {
            return all.start;
        }
        let middle = all.start + all.len() / 2;
        let halves = [self.grow(all.start..middle), self.grow(middle..all.end)];
        self.join(&halves, all)
    }

    fn join(&mut self, parts: &[usize], behind: Range<usize>) -> usize {
        let bough = self.parents.len();
        parts.iter().for_each(|&part| self.parents[part] = Some(bough));
        self.parents.push(None);
        self.behind.push(behind);
        bough
    }

    /// Sub-domains and boughs.
    pub fn parts(&self) -> usize {
        self.parents.len()
    }

    /// The bough that a part grows out of.
    pub fn parent(&self, part: usize) -> Option<usize> {
        self.parents[part]
    }

    /// The sub-domains of a part.
    pub fn domains_of(&self, part: usize) -> Range<usize> {
        self.behind[part].clone()
    }

    /// The parts that grow out of a bough, in order.
    pub fn children(&self, bough: usize) -> impl Iterator<Item = usize> + '_ {
        (0..bough).filter(move |&part| self.parents[part] == Some(bough))
    }

    /// Whether a part grows out of another, perhaps with others between them.
    pub fn is_behind(&self, part: usize, other: usize) -> bool {
        let mut next = self.parents[part];
        while let Some(bough) = next.filter(|&bough| bough != other) {
            next = self.parents[bough];
        }
        next.is_some()
    }

    /// The first part that both grow out of, or are.
    fn meeting(&self, a: usize, b: usize) -> usize {
        let mut at = a;
        while at != b && !self.is_behind(b, at) {
            match self.parents[at] {
                Some(bough) => at = bough,
                None => return at,
            }
        }
        at
    }

    /// The part that each node goes to: its sub-domain, or, where it has none, the first bough such that nodes that have to
    /// do with each other are in one part or in parts of which one grows out of the other. Nodes that `after` names come
    /// before those that they are named by. O(pairs times the height of the tree) as a rule
    pub fn place(&self, domain: &[Option<usize>], pairs: &[[usize; 2]], after: &[Vec<usize>]) -> Vec<usize> {
        let mut part = domain.to_vec();
        let outside: Vec<[usize; 2]> =
            pairs.iter().copied().filter(|pair| pair.iter().any(|&node| domain[node].is_none())).collect();
        // what the sub-domains that it has to do with ask for; then what nodes ask for that have to do with none
        for last in [false, true] {
            let known = if last { part.clone() } else { domain.to_vec() };
            for [a, b] in outside.iter().flat_map(|&[a, b]| [[a, b], [b, a]]) {
                let is_open = domain[a].is_none() && (!last || known[a].is_none());
                if let (true, Some(other)) = (is_open, known[b]) {
                    let bough =
                        |part: usize| if part < self.domains { self.parents[part] } else { Some(part) };
                    let met = part[a].map_or(other, |own| self.meeting(own, other));
                    part[a] = bough(met);
                }
            }
        }
        let root = self.parts().saturating_sub(1);
        let mut part: Vec<usize> = part.into_iter().map(|part| part.unwrap_or(root)).collect();
        let mut settled = false;
        while !settled {
            settled = true;
            let mut raise = |part: &mut Vec<usize>, node: usize, to: usize| {
                settled = settled && part[node] == to;
                part[node] = to;
            };
            for &[a, b] in &outside {
                let met = self.meeting(part[a], part[b]);
                if met != part[a] && met != part[b] {
                    raise(&mut part, if domain[b].is_none() { b } else { a }, met);
                }
            }
            for (node, list) in after.iter().enumerate().filter(|(node, _)| domain[*node].is_none()) {
                let met = list.iter().fold(part[node], |met, &first| self.meeting(met, part[first]));
                raise(&mut part, node, met);
            }
        }
        part
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_halves_meet() {
        let tree = DomainTree::halving(5);
        // 0 1 | 2 3 4: boughs 5 = (0 1), 6 = (3 4), 7 = (2 6), 8 = all
        assert_eq!((tree.parts(), tree.domains_of(7), tree.domains_of(8)), (9, 2..5, 0..5));
        assert_eq!(tree.children(7).collect::<Vec<_>>(), [2, 6]);
        assert_eq!(
            [tree.meeting(0, 1), tree.meeting(3, 2), tree.meeting(6, 4), tree.meeting(1, 4)],
            [5, 7, 6, 8]
        );
        assert!(tree.is_behind(3, 7) && !tree.is_behind(0, 7) && !tree.is_behind(7, 7));
        assert_eq!(DomainTree::halving(0).parts(), 0);
        assert_eq!(DomainTree::halving(1).parts(), 2);
    }

    #[test]
    fn nodes_go_where_they_separate() {
        // four sub-domains in a row with a node between each two, and one node that hangs on the middle one alone
        let domain = [Some(0), None, Some(1), None, Some(2), None, Some(3), None];
        let pairs = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [3, 7]];
        let tree = DomainTree::halving(4);
        assert_eq!(tree.place(&domain, &pairs, &[]), [0, 4, 1, 6, 2, 5, 3, 6]);
        // two separators of different halves that have to do with each other
        let crossed = tree.place(&domain, &[&pairs[..], &[[1, 5]]].concat(), &[]);
        assert_eq!((crossed[1], crossed[5]), (4, 6));
        // one that must come behind a node of the last bough
        let after = [vec![], vec![3], vec![]];
        assert_eq!(tree.place(&domain, &pairs, &after)[1], 6);
    }
}
