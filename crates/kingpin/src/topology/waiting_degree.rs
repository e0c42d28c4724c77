//! Minimum degree elimination order of a graph of nodes, some of which must wait for others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An elimination order of little fill: always a node of the least degree among those that wait for no other, degrees
/// counted by `weights`; ties go to the lower node. `edges` may name a pair more than once; `after` lists, for each
/// node, those that must go before it and never wait themselves in a circle.
///
/// Almost linear where degrees stay small, whatever hubs there are. O(sum of squares of the degrees at elimination)
pub fn waiting_minimum_degree(
    weights: &[usize],
    edges: impl IntoIterator<Item = [usize; 2]>,
    after: &[Vec<usize>],
) -> Vec<usize> {
    let n = weights.len();
    let mut graph = Shrinking::new(weights, edges);
    let mut waits: Vec<usize> = (0..n).map(|v| after.get(v).map_or(0, Vec::len)).collect();
    let mut released = vec![Vec::new(); n];
    for (node, list) in after.iter().enumerate() {
        list.iter().for_each(|&first| released[first].push(node));
    }
    let mut queue: BinaryHeap<Reverse<(usize, usize)>> =
        (0..n).filter(|&v| waits[v] == 0).map(|v| Reverse((graph.degree[v], v))).collect();
    let mut order = Vec::with_capacity(n);
    let mut changed = Vec::new();
    while let Some(Reverse((degree, node))) = queue.pop() {
        if graph.gone[node] || degree != graph.degree[node] {
            continue;
        }
        order.push(node);
        graph.eliminate(node, &mut changed);
        for &next in &released[node] {
            waits[next] -= 1;
            if waits[next] == 0 {
                changed.push(next);
            }
        }
        let free = changed.drain(..).filter(|&v| waits[v] == 0);
        queue.extend(free.map(|v| Reverse((graph.degree[v], v))));
    }
    order
}

/// What is left of a graph.
struct Shrinking {
    weights: Vec<usize>,
    /// Neighbours; some may be gone.
    lists: Vec<Vec<usize>>,
    /// Weight of the neighbours that are left.
    degree: Vec<usize>,
    gone: Vec<bool>,
    /// Round in which a node was last seen.
    seen: Vec<usize>,
    round: usize,
}

impl Shrinking {
    fn new(weights: &[usize], edges: impl IntoIterator<Item = [usize; 2]>) -> Self {
        let n = weights.len();
        let mut lists = vec![Vec::new(); n];
        for [a, b] in edges {
            if a != b {
                lists[a].push(b);
                lists[b].push(a);
            }
        }
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
        }
        let degree = lists.iter().map(|list| list.iter().map(|&v| weights[v]).sum()).collect();
        Self { weights: weights.to_vec(), lists, degree, gone: vec![false; n], seen: vec![0; n], round: 0 }
    }

    /// Takes a node away; its neighbours, all of which are coupled with each other then, into `changed`.
    fn eliminate(&mut self, node: usize, changed: &mut Vec<usize>) {
        self.gone[node] = true;
        changed.clear();
        changed.extend(std::mem::take(&mut self.lists[node]).into_iter().filter(|&v| !self.gone[v]));
        for &v in &*changed {
            self.degree[v] -= self.weights[node];
            if changed.len() == 1 {
                break;
            }
            self.round += 1;
            let (list, gone) = (&mut self.lists[v], &self.gone);
            list.retain(|&u| !gone[u]);
            list.iter().for_each(|&u| self.seen[u] = self.round);
            for &u in changed.iter().filter(|&&u| u != v) {
                if self.seen[u] != self.round {
                    list.push(u);
                    self.degree[v] += self.weights[u];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let order = waiting_minimum_degree(&vec![3; n], edges.iter().copied(), &[]);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..n).collect::<Vec<_>>());
            assert_eq!(fill(n, &edges, &order), 0);
        }
    }

    /// A loop of bodies whose closing joint, the last node, comes behind all of them.
    #[test]
    fn who_waits_comes_later() {
        let n = 20;
        let edges: Vec<_> = (0..n).map(|k| [k, (k + 1) % n]).collect();
        let mut after = vec![Vec::new(); n];
        after[n - 1] = (0..n - 1).collect();
        let order = waiting_minimum_degree(&vec![1; n], edges.iter().copied(), &after);
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
        let order = waiting_minimum_degree(&vec![1; n], edges.iter().copied(), &[]);
        assert_eq!(order.len(), n);
        assert!(fill(n, &edges, &order) < fill(n, &edges, &(0..n).collect::<Vec<_>>()) * 2 / 3);
    }
}
