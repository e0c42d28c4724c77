//! Minimum fill (minimum deficiency) elimination order on explicit neighbour lists.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::JointGraph;
use super::lists::Lists;
use super::minimum_degree::minimum_degree;
use super::permutation::Permutation;

/// Eliminates next the joint that creates the fewest new pairs; ties go to the smaller degree, then the
/// lower joint.
///
/// The deficiencies are exact, which costs more than minimum degree: about the cube of the degree per
/// elimination that fills, and quadratic memory in a hub. A graph too large to keep its adjacency is
/// ordered by minimum degree instead.
pub fn minimum_fill(graph: &JointGraph) -> Permutation {
    within(graph, u64::MAX).unwrap_or_else(|| minimum_degree(graph))
}

/// The minimum fill order if it takes at most so many visits of list entries.
pub(super) fn within(graph: &JointGraph, most_steps: u64) -> Option<Permutation> {
    let mut elimination = FillGraph::new(graph.adjacency()?);
    let mut order = Vec::with_capacity(graph.joints());
    while let Some(pivot) = elimination.pop() {
        elimination.eliminate(pivot);
        order.push(pivot);
        if elimination.steps > most_steps {
            return None;
        }
    }
    Some(Permutation::from_valid(order))
}

/// The graph of the joints that remain, with the deficiency of each.
pub(super) struct FillGraph {
    neighbours: Vec<Vec<usize>>,
    deficiency: Vec<usize>,
    gone: Vec<bool>,
    mark: Vec<usize>,
    stamp: usize,
    heap: BinaryHeap<Reverse<(usize, usize, usize)>>,
    /// List entries visited.
    steps: u64,
}

impl FillGraph {
    pub(super) fn new(adjacency: &Lists) -> Self {
        let n = adjacency.len();
        let mut graph = Self {
            neighbours: adjacency.rows().map(<[usize]>::to_vec).collect(),
            deficiency: vec![0; n],
            gone: vec![false; n],
            mark: vec![0; n],
            stamp: 0,
            heap: BinaryHeap::new(),
            steps: 0,
        };
        (0..n).for_each(|joint| graph.refresh(joint));
        graph
    }

    /// The joint to eliminate next.
    fn pop(&mut self) -> Option<usize> {
        while let Some(Reverse((deficiency, degree, joint))) = self.heap.pop() {
            let current = (self.deficiency[joint], self.neighbours[joint].len());
            if !self.gone[joint] && (deficiency, degree) == current {
                return Some(joint);
            }
        }
        None
    }

    /// The next joint whose elimination creates nothing, if any.
    pub(super) fn pop_simplicial(&mut self) -> Option<usize> {
        self.pop().filter(|&joint| self.deficiency[joint] == 0)
    }

    /// The neighbours that remain.
    pub(super) fn neighbours(&self, joint: usize) -> &[usize] {
        &self.neighbours[joint]
    }

    /// Counts the pairs of neighbours that are not adjacent.
    fn refresh(&mut self, joint: usize) {
        self.stamp += 1;
        let row = &self.neighbours[joint];
        row.iter().for_each(|&a| self.mark[a] = self.stamp);
        let mut linked = 0;
        for &a in row {
            self.steps += self.neighbours[a].len() as u64;
            linked += self.neighbours[a].iter().filter(|&&b| self.mark[b] == self.stamp).count();
        }
        self.deficiency[joint] = (row.len() * row.len().saturating_sub(1) - linked) / 2;
        self.enqueue(joint);
    }

    fn enqueue(&mut self, joint: usize) {
        self.heap.push(Reverse((self.deficiency[joint], self.neighbours[joint].len(), joint)));
    }

    /// Removes a joint and links its neighbours.
    pub(super) fn eliminate(&mut self, pivot: usize) {
        let row = std::mem::take(&mut self.neighbours[pivot]);
        self.gone[pivot] = true;
        if self.deficiency[pivot] == 0 {
            // The pairs that a neighbour misses with a simplicial joint go with it.
            for &a in &row {
                self.deficiency[a] -= self.neighbours[a].len() - row.len();
                self.drop_neighbour(a, pivot);
                self.enqueue(a);
            }
            return;
        }
        for &a in &row {
            self.drop_neighbour(a, pivot);
            self.stamp += 1;
            self.neighbours[a].iter().for_each(|&b| self.mark[b] = self.stamp);
            self.mark[a] = self.stamp;
            self.neighbours[a].extend(row.iter().filter(|&&b| self.mark[b] != self.stamp));
        }
        // A new pair changes its ends and everything adjacent to both.
        let mut affected = row.clone();
        affected.extend(row.iter().flat_map(|&a| &self.neighbours[a]));
        affected.sort_unstable();
        affected.dedup();
        affected.into_iter().for_each(|joint| self.refresh(joint));
    }

    fn drop_neighbour(&mut self, joint: usize, gone: usize) {
        self.steps += self.neighbours[joint].len() as u64;
        self.neighbours[joint].retain(|&b| b != gone);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::examples::{chain, hmmwv, random_graph, random_tree, seven_body, star};
    use super::super::metrics::Metrics;
    use super::*;

    #[test]
    fn best_known_orders_of_the_published_models() {
        for (graph, best) in [(seven_body(), 35), (hmmwv(), 469)] {
            let counts = Metrics::new(&graph, &minimum_fill(&graph)).counts;
            assert_eq!(counts.multiplications, best);
        }
        let fill = Metrics::new(&hmmwv(), &minimum_fill(&hmmwv())).counts.fill;
        assert_eq!(fill, 10);
    }

    #[test]
    fn every_pivot_has_the_least_deficiency() {
        for seed in 0..40 {
            let graph = random_graph(seed, 20, 11);
            let mut left: Vec<BTreeSet<usize>> =
                graph.adjacency().unwrap().rows().map(|row| row.iter().copied().collect()).collect();
            let mut remaining: BTreeSet<usize> = (0..20).collect();
            for &pivot in minimum_fill(&graph).order() {
                let missing = |joint: usize| {
                    let row = &left[joint];
                    row.iter().map(|&a| row.iter().filter(|&&b| a < b && !left[a].contains(&b)).count()).sum()
                };
                let least: Option<usize> = remaining.iter().map(|&joint| missing(joint)).min();
                assert_eq!(Some(missing(pivot)), least, "seed {seed}");
                // Eliminate on the explicit sets.
                let row = std::mem::take(&mut left[pivot]);
                for &a in &row {
                    left[a].extend(row.iter().filter(|&&b| b != a));
                    left[a].remove(&pivot);
                }
                remaining.remove(&pivot);
            }
        }
    }

    #[test]
    fn the_allowance_is_kept() {
        let graph = random_graph(1, 300, 200);
        assert!(within(&graph, 1_000).is_none());
        assert_eq!(within(&graph, u64::MAX), Some(minimum_fill(&graph)));
    }

    #[test]
    fn trees_fill_nothing_and_hubs_fall_back() {
        for seed in 0..30 {
            let graph = random_tree(seed, 60);
            assert_eq!(Metrics::new(&graph, &minimum_fill(&graph)).counts.fill, 0);
        }
        assert_eq!(minimum_fill(&star(20_000)).len(), 20_000);
        assert_eq!(minimum_fill(&chain(0)).len(), 0);
    }
}
