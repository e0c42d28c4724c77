//! The tree of pieces of one body, in the form the search changes.

use super::random::Random;
use super::small::{Mask, bit};
use super::split::BodyTree;

/// A tree whose leaves are the joints of a body and whose inner nodes are its pieces.
///
/// Nodes `0..joints.len()` are leaves. Every piece has at least three neighbours, unless it is the only one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SplitShape {
    /// The joint of each leaf.
    joints: Vec<usize>,
    /// The neighbours of each node.
    links: Vec<Vec<usize>>,
}

impl SplitShape {
    /// The body in one piece.
    pub(super) fn whole(joints: Vec<usize>) -> Self {
        let k = joints.len();
        let mut links = vec![vec![k]; k];
        links.push((0..k).collect());
        Self { joints, links }
    }

    /// The shape of a valid tree.
    pub(super) fn from_tree(tree: &BodyTree) -> Self {
        let joints: Vec<usize> = tree.pieces.iter().flatten().copied().collect();
        let k = joints.len();
        let mut links = vec![Vec::new(); k + tree.pieces.len()];
        let mut leaf = 0;
        for (piece, carried) in tree.pieces.iter().enumerate() {
            for _ in carried {
                join(&mut links, leaf, k + piece);
                leaf += 1;
            }
        }
        tree.links.iter().for_each(|&(a, b)| join(&mut links, k + a, k + b));
        Self { joints, links }
    }

    /// The tree with pieces in the order of their lowest joints, so that equal shapes look equal.
    pub(super) fn to_tree(&self, body: usize) -> BodyTree {
        let k = self.joints.len();
        let carried = |node: usize| {
            let mut joints: Vec<usize> =
                self.links[node].iter().filter(|&&n| n < k).map(|&n| self.joints[n]).collect();
            joints.sort_unstable();
            joints
        };
        let mut nodes: Vec<usize> = (k..self.links.len()).collect();
        nodes.sort_by_key(|&node| (carried(node).first().copied().unwrap_or(usize::MAX), node));
        let mut rank = vec![0; self.links.len()];
        nodes.iter().enumerate().for_each(|(r, &node)| rank[node] = r);
        let mut links: Vec<(usize, usize)> =
            self.inner_links().map(|(a, b)| (rank[a].min(rank[b]), rank[a].max(rank[b]))).collect();
        links.sort_unstable();
        BodyTree { body, pieces: nodes.into_iter().map(carried).collect(), links }
    }

    /// The number of fixed joints.
    pub(super) fn fixed(&self) -> usize {
        self.links.len() - self.joints.len() - 1
    }

    fn is_piece(&self, node: usize) -> bool {
        node >= self.joints.len()
    }

    fn inner_links(&self) -> impl Iterator<Item = (usize, usize)> {
        let k = self.joints.len();
        (k..self.links.len())
            .flat_map(move |a| self.links[a].iter().filter(move |&&b| b > a).map(move |&b| (a, b)))
    }

    /// Appends the set of joints of each piece, fixed joints numbered from `next`.
    pub(super) fn cliques(&self, next: &mut usize, cliques: &mut Vec<Mask>) {
        let k = self.joints.len();
        let first = cliques.len();
        cliques.extend(
            self.links[k..]
                .iter()
                .map(|row| row.iter().filter(|&&n| n < k).fold(0, |set, &n| set | bit(self.joints[n]))),
        );
        for (a, b) in self.inner_links() {
            cliques[first + a - k] |= bit(*next);
            cliques[first + b - k] |= bit(*next);
            *next += 1;
        }
    }

    /// A random neighbouring shape: two pieces made one, one made two, or a branch hung elsewhere.
    pub(super) fn changed(&self, random: &mut Random) -> Option<Self> {
        match random.below(10) {
            0 | 1 => self.contracted(random),
            2 | 3 => self.expanded(random),
            _ => self.regrafted(random),
        }
    }

    /// Two linked pieces become one.
    fn contracted(&self, random: &mut Random) -> Option<Self> {
        let links: Vec<_> = self.inner_links().collect();
        let &(a, b) = links.get(random.below(links.len()))?;
        let mut shape = self.clone();
        shape.contract(a, b);
        Some(shape)
    }

    /// A piece with four or more neighbours passes some of them to a new one.
    fn expanded(&self, random: &mut Random) -> Option<Self> {
        let wide: Vec<usize> =
            (self.joints.len()..self.links.len()).filter(|&n| self.links[n].len() >= 4).collect();
        let &node = wide.get(random.below(wide.len()))?;
        let mut shape = self.clone();
        let mut row = shape.links[node].clone();
        for i in (1..row.len()).rev() {
            row.swap(i, random.below(i + 1));
        }
        row.truncate(2 + random.below(row.len() - 3));
        let new = shape.links.len();
        shape.links.push(Vec::new());
        for other in row {
            cut(&mut shape.links, node, other);
            join(&mut shape.links, new, other);
        }
        join(&mut shape.links, new, node);
        Some(shape)
    }

    /// A leaf or a branch is cut off and hung on another piece or on a new one inside a link.
    fn regrafted(&self, random: &mut Random) -> Option<Self> {
        let branch = random.below(self.links.len());
        let old = self.links[branch][random.below(self.links[branch].len())];
        if !self.is_piece(old) {
            return None;
        }
        let mut shape = self.clone();
        cut(&mut shape.links, branch, old);
        // The ends of every link and the pieces on the side that stays.
        let mut stays = vec![old];
        let mut from = vec![usize::MAX; shape.links.len()];
        let mut at = 0;
        while at < stays.len() {
            let node = stays[at];
            for &next in &shape.links[node] {
                if next != from[node] {
                    from[next] = node;
                    stays.push(next);
                }
            }
            at += 1;
        }
        let target = stays[random.below(stays.len())];
        if target != old && (random.below(10) < 7 || !shape.is_piece(target)) {
            // Into the link above the target.
            let new = shape.links.len();
            shape.links.push(Vec::new());
            let above = from[target];
            cut(&mut shape.links, target, above);
            join(&mut shape.links, new, target);
            join(&mut shape.links, new, above);
            join(&mut shape.links, new, branch);
        } else {
            join(&mut shape.links, target, branch);
        }
        shape.tidy();
        (shape != *self).then_some(shape)
    }

    /// Removes the pieces that hold fewer than three things together.
    fn tidy(&mut self) {
        let k = self.joints.len();
        while let Some(thin) = (k..self.links.len()).find(|&n| self.links[n].len() < 3) {
            let Some(&keep) = self.links[thin].iter().find(|&&n| n >= k) else { return };
            self.contract(keep, thin);
        }
    }

    /// Piece `gone` becomes part of piece `keep`; the last node takes its number.
    fn contract(&mut self, keep: usize, gone: usize) {
        cut(&mut self.links, keep, gone);
        for other in std::mem::take(&mut self.links[gone]) {
            let back = self.links[other].iter_mut().find(|n| **n == gone);
            back.into_iter().for_each(|n| *n = keep);
            self.links[keep].push(other);
        }
        self.links.swap_remove(gone);
        let moved = self.links.len();
        if gone < moved {
            for at in 0..self.links[gone].len() {
                let other = self.links[gone][at];
                let back = self.links[other].iter_mut().find(|n| **n == moved);
                back.into_iter().for_each(|n| *n = gone);
            }
        }
    }
}

fn join(links: &mut [Vec<usize>], a: usize, b: usize) {
    links[a].push(b);
    links[b].push(a);
}

fn cut(links: &mut [Vec<usize>], a: usize, b: usize) {
    links[a].retain(|&n| n != b);
    links[b].retain(|&n| n != a);
}

#[cfg(test)]
mod tests {
    use super::super::examples::{hmmwv, hmmwv_split};
    use super::super::split::Split;
    use super::*;

    #[test]
    fn a_tree_survives_the_round_trip() {
        let tree = hmmwv_split("S1");
        let shape = SplitShape::from_tree(&tree);
        assert_eq!(shape.fixed(), 4);
        let back = shape.to_tree(0);
        assert_eq!(SplitShape::from_tree(&back).to_tree(0), back);
        assert_eq!(
            Split::new(&hmmwv(), &[back], 6).unwrap().graph().edges(),
            Split::new(&hmmwv(), &[tree], 6).unwrap().graph().edges()
        );
    }

    #[test]
    fn changes_keep_a_valid_tree_and_reach_many_shapes() {
        let mut random = Random::new(3);
        let mut shape = SplitShape::whole((10..21).collect());
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..5_000 {
            if let Some(next) = shape.changed(&mut random) {
                shape = next;
            }
            let tree = shape.to_tree(0);
            Split::new(&hmmwv(), std::slice::from_ref(&tree), 6).unwrap();
            let thin = shape.links[11..].iter().filter(|row| row.len() < 3).count();
            assert_eq!(thin, 0, "{tree:?}");
            assert!(shape.fixed() <= 8);
            seen.insert(format!("{tree:?}"));
        }
        assert!(seen.len() > 3_000, "{}", seen.len());
    }
}
