//! Balanced trees of pieces, built in linear time from what hangs together elsewhere.

use super::graph::JointGraph;
use super::split::BodyTree;

/// The trees that split every body with more than `arity + 1` joints into pieces with at most that many.
pub(super) fn balanced_trees(graph: &JointGraph, arity: usize) -> Vec<BodyTree> {
    balanced_trees_by(graph, |_| arity)
}

/// The trees that split bodies, each by its own arity, into pieces with at most `arity + 1` joints.
///
/// Joints of a hub that hang together without the hubs are kept together: first the joints of each such
/// group are gathered `arity` at a time, then the groups. For a star and arity 2 this is the balanced cubic
/// tree of Negrut, Fig. 3. Linear in the number of (joint, body) pairs, apart from sorting.
pub(super) fn balanced_trees_by(graph: &JointGraph, arity: impl Fn(usize) -> usize) -> Vec<BodyTree> {
    let arity: Vec<usize> = (0..graph.bodies()).map(|body| arity(body).max(2)).collect();
    let is_hub: Vec<bool> =
        (0..graph.bodies()).map(|b| graph.joint_index(b).saturating_sub(1) > arity[b]).collect();
    let group = groups(graph, &is_hub);
    let hubs = (0..graph.bodies()).filter(|&b| is_hub[b]);
    hubs.map(|body| Gathering::new(body, arity[body]).tree(graph.joints_on(body), &group)).collect()
}

/// For every joint, its group when the hubs are taken away and its place in a depth-first walk of it.
fn groups(graph: &JointGraph, is_hub: &[bool]) -> Vec<(usize, usize)> {
    const UNSEEN: (usize, usize) = (usize::MAX, 0);
    let mut found = vec![UNSEEN; graph.joints()];
    let mut opened = is_hub.to_vec();
    let mut stack = Vec::new();
    let mut place = 0;
    for joint in 0..graph.joints() {
        stack.push(joint);
        while let Some(next) = stack.pop() {
            if found[next] != UNSEEN {
                continue;
            }
            found[next] = (joint, place);
            place += 1;
            for &body in graph.bodies_of(next) {
                if !std::mem::replace(&mut opened[body], true) {
                    stack.extend(graph.joints_on(body).iter().rev());
                }
            }
        }
    }
    found
}

/// What is gathered: a joint, or a piece that already holds some.
#[derive(Clone, Copy)]
enum Item {
    Joint(usize),
    Piece(usize),
}

struct Gathering {
    tree: BodyTree,
    arity: usize,
}

impl Gathering {
    fn new(body: usize, arity: usize) -> Self {
        Self { tree: BodyTree { body, pieces: Vec::new(), links: Vec::new() }, arity }
    }

    fn tree(mut self, joints: &[usize], group: &[(usize, usize)]) -> BodyTree {
        let mut sorted = joints.to_vec();
        sorted.sort_unstable_by_key(|&j| (group[j], j));
        let groups = sorted.chunk_by(|&a, &b| group[a].0 == group[b].0);
        let mut items = Vec::new();
        for members in groups {
            let members = members.iter().map(|&j| Item::Joint(j)).collect();
            items.extend(self.gather(members, 1));
        }
        // The last piece needs no link upwards, so it can hold one thing more.
        let items = self.gather(items, self.arity + 1);
        match items[..] {
            [Item::Piece(a), Item::Piece(b)] => self.tree.links.push((a, b)),
            [Item::Piece(piece), Item::Joint(joint)] | [Item::Joint(joint), Item::Piece(piece)] => {
                self.tree.pieces[piece].push(joint);
            }
            [Item::Piece(_)] => {}
            _ => {
                self.piece(&items);
            }
        }
        self.tree
    }

    /// Rounds of gathering neighbours in even lots until at most `most` items are left.
    fn gather(&mut self, mut items: Vec<Item>, most: usize) -> Vec<Item> {
        while items.len() > most {
            let lots = items.len().div_ceil(self.arity).max(1);
            let count = items.len();
            let bounds = (0..lots).map(|lot| lot * count / lots..(lot + 1) * count / lots);
            items = bounds
                .map(|range| match &items[range] {
                    [single] => *single,
                    lot => self.piece(lot),
                })
                .collect();
        }
        items
    }

    /// A new piece that holds the items.
    fn piece(&mut self, items: &[Item]) -> Item {
        let piece = self.tree.pieces.len();
        self.tree.pieces.push(Vec::new());
        for item in items {
            match *item {
                Item::Joint(joint) => self.tree.pieces[piece].push(joint),
                Item::Piece(other) => self.tree.links.push((other, piece)),
            }
        }
        Item::Piece(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{hmmwv, random_graph, rosette, star};
    use super::super::metrics::Metrics;
    use super::super::minimum_degree::minimum_degree;
    use super::super::split::Split;
    use super::*;

    /// Negrut, Table I, right half: M = A = 10(N - 2) and I = NNZ = 5N - 9 without fill.
    #[test]
    fn table_1_after_index_reduction() {
        for n in [4, 5, 6, 7, 8, 16, 1_000] {
            let graph = star(n);
            let split = Split::new(&graph, &balanced_trees(&graph, 2), 6).unwrap();
            assert_eq!(split.graph().topology_index(), 3);
            assert_eq!(split.fixed_joints().len(), n - 3);
            let metrics = Metrics::new(split.graph(), &minimum_degree(split.graph()));
            let (c, n) = (metrics.counts, n as u64);
            assert_eq!((c.additions, c.multiplications), (10 * (n - 2), 10 * (n - 2)));
            assert_eq!((c.inversions, c.nonzeros, c.fill), (5 * n - 9, 5 * n - 9, 0));
        }
        // With three joints there is nothing to reduce, and the closed forms still hold.
        let graph = star(3);
        assert!(balanced_trees(&graph, 2).is_empty());
        assert_eq!(Metrics::new(&graph, &minimum_degree(&graph)).counts.multiplications, 10);
    }

    #[test]
    fn any_graph_and_arity_gives_a_valid_split_of_the_promised_index() {
        for seed in 0..60 {
            let graph = random_graph(seed, 40, 6);
            for arity in [2, 3, 5, 8] {
                let split = Split::new(&graph, &balanced_trees(&graph, arity), 6).unwrap();
                assert!(split.graph().topology_index() <= arity + 1);
            }
        }
    }

    #[test]
    fn what_hangs_together_stays_together() {
        // Every loop of a rosette meets the hub in two joints, which end up on one piece.
        let graph = rosette(20);
        for tree in balanced_trees(&graph, 2) {
            for piece in tree.pieces.iter().filter(|piece| !piece.is_empty()) {
                assert_eq!(piece.iter().map(|&j| j / 4).collect::<Vec<_>>(), vec![piece[0] / 4; 2]);
            }
        }
        let vehicle = hmmwv();
        let split = Split::new(&vehicle, &balanced_trees(&vehicle, 2), 6).unwrap();
        let metrics = Metrics::new(split.graph(), &minimum_degree(split.graph()));
        assert!(metrics.counts.multiplications < 469);
    }

    #[test]
    fn a_hundred_thousand_joints_on_one_body() {
        let graph = star(100_000);
        let split = Split::new(&graph, &balanced_trees(&graph, 2), 6).unwrap();
        let metrics = Metrics::new(split.graph(), &minimum_degree(split.graph()));
        assert_eq!(metrics.counts.multiplications, 10 * (100_000 - 2));
        assert!(metrics.tree_height < 200_000);
    }
}
