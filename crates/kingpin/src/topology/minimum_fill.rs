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
/// elimination, and quadratic memory in a hub. A graph too large to keep its adjacency is ordered by
/// minimum degree instead.
pub fn minimum_fill(graph: &JointGraph) -> Permutation {
    match graph.adjacency() {
        Some(adjacency) => {
            let mut elimination = FillGraph::new(adjacency);
            let mut order = Vec::with_capacity(graph.joints());
            while let Some(pivot) = elimination.pop() {
                elimination.eliminate(pivot);
                order.push(pivot);
            }
            Permutation::from_valid(order)
        }
        None => minimum_degree(graph),
    }
}

/// The graph of the joints that remain, with the deficiency of each.
pub(super) struct FillGraph {
    neighbours: Vec<Vec<usize>>,
    deficiency: Vec<usize>,
    gone: Vec<bool>,
    mark: Vec<usize>,
    stamp: usize,
    heap: BinaryHeap<Reverse<(usize, usize, usize)>>,
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
        let linked: usize = row
            .iter()
            .map(|&a| self.neighbours[a].iter().filter(|&&b| self.mark[b] == self.stamp).count())
            .sum();
        self.deficiency[joint] = (row.len() * row.len().saturating_sub(1) - linked) / 2;
        self.heap.push(Reverse((self.deficiency[joint], row.len(), joint)));
    }

    /// Removes a joint and links its neighbours.
    pub(super) fn eliminate(&mut self, pivot: usize) {
        let row = std::mem::take(&mut self.neighbours[pivot]);
        let created = self.deficiency[pivot] > 0;
        self.gone[pivot] = true;
        for &a in &row {
            self.neighbours[a].retain(|&b| b != pivot);
            if created {
                self.stamp += 1;
                self.neighbours[a].iter().for_each(|&b| self.mark[b] = self.stamp);
                self.mark[a] = self.stamp;
                self.neighbours[a].extend(row.iter().filter(|&&b| self.mark[b] != self.stamp));
            }
        }
        // A new pair changes its ends and everything adjacent to both; a removal only the neighbours.
        let mut affected = row.clone();
        if created {
            affected.extend(row.iter().flat_map(|&a| &self.neighbours[a]));
            affected.sort_unstable();
            affected.dedup();
        }
        affected.into_iter().for_each(|joint| self.refresh(joint));
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{chain, hmmwv, random_graph, random_tree, seven_body, star};
    use super::super::metrics::Metrics;
    use super::super::symbolic::Symbolic;
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
            let graph = random_graph(seed, 16, 9);
            let order = minimum_fill(&graph);
            // Fill caused by each candidate first, from the factor with that joint in front.
            let caused = |joint: usize| {
                let row = graph.adjacency().unwrap().row(joint);
                let absent = |a: usize, b: usize| !graph.adjacency().unwrap().row(a).contains(&b);
                row.iter()
                    .flat_map(|&a| row.iter().map(move |&b| (a, b)))
                    .filter(|&(a, b)| a < b && absent(a, b))
                    .count()
            };
            assert_eq!(caused(order.order()[0]), (0..16).map(caused).min().unwrap());
            assert_eq!(Symbolic::new(&graph, &order).columns.len(), 16);
        }
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
