//! Minimum degree elimination order of a graph of nodes, some of which must wait for others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Two nodes of a graph and how much of each the other sees: as much counts in the degree of the other.
#[derive(Clone, Copy, Debug)]
pub struct SeenEdge {
    /// The nodes.
    pub nodes: [usize; 2],
    /// How much of each is seen.
    pub extents: [usize; 2],
}

/// An elimination order of `n` nodes with little fill: always a node that sees least of others, among those that wait for
/// no other; ties go to the lower node. `edges` may name a pair more than once; `after` lists, for each node, those
/// that must go before it and never wait themselves in a circle.
///
/// Almost linear where degrees stay small, whatever hubs there are. O(sum of squares of the degrees at elimination)
pub fn waiting_minimum_degree(
    n: usize,
    edges: impl IntoIterator<Item = SeenEdge>,
    after: &[Vec<usize>],
) -> Vec<usize> {
    staged_minimum_degree(n, edges, after, |_| false)
}

/// The same where some nodes come behind all others.
pub fn staged_minimum_degree(
    n: usize,
    edges: impl IntoIterator<Item = SeenEdge>,
    after: &[Vec<usize>],
    last: impl Fn(usize) -> bool,
) -> Vec<usize> {
    minimum_degree_within(n, edges, after, last, usize::MAX).unwrap_or_default()
}

/// The same, given up once as many pairs of neighbours would be visited.
pub(super) fn minimum_degree_within(
    n: usize,
    edges: impl IntoIterator<Item = SeenEdge>,
    after: &[Vec<usize>],
    last: impl Fn(usize) -> bool,
    most: usize,
) -> Option<Vec<usize>> {
    let mut graph = Shrinking::new(n, edges);
    let mut waits: Vec<usize> = (0..n).map(|v| after.get(v).map_or(0, Vec::len)).collect();
    let mut released = vec![Vec::new(); n];
    for (node, list) in after.iter().enumerate() {
        list.iter().for_each(|&first| released[first].push(node));
    }
    let mut queue: BinaryHeap<Reverse<(bool, usize, usize)>> =
        (0..n).filter(|&v| waits[v] == 0).map(|v| Reverse((last(v), graph.degree[v], v))).collect();
    let mut order = Vec::with_capacity(n);
    let (mut changed, mut visits) = (Vec::new(), 0);
    while let Some(Reverse((_, degree, node))) = queue.pop() {
        if graph.gone[node] || degree != graph.degree[node] {
            continue;
        }
        order.push(node);
        graph.eliminate(node, &mut changed);
        visits += changed.len() * changed.len();
        if visits > most {
            return None;
        }
        for &next in &released[node] {
            waits[next] -= 1;
            if waits[next] == 0 {
                changed.push(next);
            }
        }
        let free = changed.drain(..).filter(|&v| waits[v] == 0);
        queue.extend(free.map(|v| Reverse((last(v), graph.degree[v], v))));
    }
    Some(order)
}

/// A neighbour of a node.
#[derive(Clone, Copy)]
struct SeenNode {
    node: usize,
    /// What is seen of it, and what it sees of the node.
    extents: [usize; 2],
}

/// What is left of a graph.
struct Shrinking {
    /// Neighbours; some may be gone.
    lists: Vec<Vec<SeenNode>>,
    /// What is seen of the neighbours that are left.
    degree: Vec<usize>,
    gone: Vec<bool>,
    /// Round in which a node was last seen, and its place in the list looked at then.
    seen: Vec<(usize, usize)>,
    round: usize,
}

impl Shrinking {
    fn new(n: usize, edges: impl IntoIterator<Item = SeenEdge>) -> Self {
        let mut lists: Vec<Vec<SeenNode>> = vec![Vec::new(); n];
        for SeenEdge { nodes: [a, b], extents: [of_a, of_b] } in edges {
            if a != b {
                lists[a].push(SeenNode { node: b, extents: [of_b, of_a] });
                lists[b].push(SeenNode { node: a, extents: [of_a, of_b] });
            }
        }
        for list in &mut lists {
            list.sort_unstable_by_key(|sight| sight.node);
            list.dedup_by(|other, first| {
                let same = other.node == first.node;
                if same {
                    (0..2).for_each(|k| first.extents[k] = first.extents[k].max(other.extents[k]));
                }
                same
            });
        }
        let degree = lists.iter().map(|list| list.iter().map(|sight| sight.extents[0]).sum()).collect();
        Self { lists, degree, gone: vec![false; n], seen: vec![(0, 0); n], round: 0 }
    }

    /// Takes a node away; its neighbours, each of which sees of the others what it saw, into `changed`.
    fn eliminate(&mut self, node: usize, changed: &mut Vec<usize>) {
        self.gone[node] = true;
        let mut left = std::mem::take(&mut self.lists[node]);
        left.retain(|sight| !self.gone[sight.node]);
        for own in &left {
            let v = own.node;
            self.degree[v] -= own.extents[1];
            if left.len() == 1 {
                break;
            }
            self.round += 1;
            let (list, gone) = (&mut self.lists[v], &self.gone);
            list.retain(|sight| !gone[sight.node]);
            for (place, sight) in list.iter().enumerate() {
                self.seen[sight.node] = (self.round, place);
            }
            for other in left.iter().filter(|other| other.node != v) {
                let now = [other.extents[0], own.extents[0]];
                if self.seen[other.node].0 == self.round {
                    let known = &mut list[self.seen[other.node].1].extents;
                    self.degree[v] += now[0].saturating_sub(known[0]);
                    *known = [known[0].max(now[0]), known[1].max(now[1])];
                } else {
                    list.push(SeenNode { node: other.node, extents: now });
                    self.degree[v] += now[0];
                }
            }
        }
        changed.clear();
        changed.extend(left.iter().map(|sight| sight.node));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges between nodes that see each other whole.
    fn whole(edges: &[[usize; 2]]) -> impl Iterator<Item = SeenEdge> + '_ {
        edges.iter().map(|&nodes| SeenEdge { nodes, extents: [3, 3] })
    }

    /// Edges between later neighbours that an order adds.
    fn fill(n: usize, edges: &[[usize; 2]], order: &[usize]) -> usize {
        let mut joined = vec![vec![false; n]; n];
        edges.iter().for_each(|&[a, b]| (joined[a][b], joined[b][a]) = (true, true));
        let (mut gone, mut added) = (vec![false; n], 0);
        for &v in order {
            gone[v] = true;
            let left: Vec<usize> = (0..n).filter(|&u| !gone[u] && joined[v][u]).collect();
            for (k, &a) in left.iter().enumerate() {
                for &b in &left[..k] {
                    added += usize::from(!joined[a][b]);
                    (joined[a][b], joined[b][a]) = (true, true);
                }
            }
        }
        added
    }

    #[test]
    fn chains_trees_and_stars_do_not_fill() {
        let n = 50;
        let chain: Vec<_> = (1..n).map(|k| [k - 1, k]).collect();
        let tree: Vec<_> = (1..n).map(|k| [(k - 1) / 2, k]).collect();
        let star: Vec<_> = (1..n).map(|k| [0, k]).collect();
        for edges in [chain, tree, star] {
            let order = waiting_minimum_degree(n, whole(&edges), &[]);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..n).collect::<Vec<_>>());
            assert_eq!(fill(n, &edges, &order), 0);
        }
    }

    /// Each node of a chain sees less of the one before it than that sees of it: the last goes first.
    #[test]
    fn a_chain_goes_where_less_is_seen() {
        let n = 30;
        let edges = (1..n).map(|k| SeenEdge { nodes: [k - 1, k], extents: [6, 11] });
        let order = waiting_minimum_degree(n, edges, &[]);
        assert_eq!(order, (0..n).rev().collect::<Vec<_>>());
    }

    /// A loop of bodies whose closing joint, the last node, comes behind all of them.
    #[test]
    fn who_waits_comes_later() {
        let n = 20;
        let edges: Vec<_> = (0..n).map(|k| [k, (k + 1) % n]).collect();
        let mut after = vec![Vec::new(); n];
        after[n - 1] = (0..n - 1).collect();
        let order = waiting_minimum_degree(n, whole(&edges), &after);
        assert_eq!(order.last(), Some(&(n - 1)));
        assert_eq!(fill(n, &edges, &order), n - 3);
    }

    #[test]
    fn a_grid_fills_less_than_row_by_row() {
        let side = 12;
        let at = |i: usize, j: usize| i * side + j;
        let across = (0..side).flat_map(|i| (1..side).map(move |j| [at(i, j - 1), at(i, j)]));
        let down = (1..side).flat_map(|i| (0..side).map(move |j| [at(i - 1, j), at(i, j)]));
        let edges: Vec<_> = across.chain(down).collect();
        let n = side * side;
        let order = waiting_minimum_degree(n, whole(&edges), &[]);
        assert_eq!(order.len(), n);
        assert!(fill(n, &edges, &order) < fill(n, &edges, &(0..n).collect::<Vec<_>>()) * 2 / 3);
    }
}
