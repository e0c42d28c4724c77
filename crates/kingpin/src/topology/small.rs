//! Elimination on graphs of at most 128 joints kept as bit masks, for the searches.
//!
//! The work of an order depends only on the filled graph. With `p` equations per joint it is a sum over
//! joints, `p(p+1)(p+2)/6`, over edges, `p_i p_j (p_i + p_j + 2)/2`, and over triangles, `p_i p_j p_k`; in
//! blocks an edge costs 3 and a triangle 1. So the edges and triangles a graph has already bound the work
//! from below, and eliminating a simplicial joint (no new edges) next is always optimal.

use super::metrics::{WorkMeasure, block_work, pivot_work};
use super::random::Random;

/// A set of joints.
pub(super) type Mask = u128;

/// The largest number of joints.
pub(super) const SMALL: usize = Mask::BITS as usize;

/// The set of one joint.
pub(super) fn bit(joint: usize) -> Mask {
    1 << joint
}

/// The set of the joints up to and including one.
fn up_to(joint: usize) -> Mask {
    Mask::MAX >> (SMALL - 1 - joint)
}

/// The members of a set in ascending order.
pub(super) fn members(mut set: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            lowest
        })
    })
}

/// A graph that is being eliminated.
#[derive(Clone, Debug)]
pub(super) struct SmallGraph {
    /// The neighbours of each joint that remains.
    pub(super) adjacent: Vec<Mask>,
    /// The joints that remain.
    pub(super) remaining: Mask,
    /// Equations per joint.
    pub(super) size: Vec<u64>,
}

impl SmallGraph {
    /// The graph in which the joints of each clique are adjacent. At most [`SMALL`] joints.
    pub(super) fn from_cliques(size: Vec<u64>, cliques: impl IntoIterator<Item = Mask>) -> Self {
        let n = size.len();
        let mut adjacent = vec![0; n];
        for clique in cliques {
            members(clique).for_each(|j| adjacent[j] |= clique);
        }
        for (joint, row) in adjacent.iter_mut().enumerate() {
            *row &= !bit(joint);
        }
        let remaining = n.checked_sub(1).map_or(0, up_to);
        Self { adjacent, remaining, size }
    }

    /// The total number of equations of a set.
    fn rows(&self, set: Mask) -> u64 {
        members(set).map(|j| self.size[j]).sum()
    }

    /// The work of eliminating a joint next.
    pub(super) fn pivot(&self, joint: usize, measure: WorkMeasure) -> u64 {
        let work = match measure {
            WorkMeasure::Blocks => block_work(u64::from(self.adjacent[joint].count_ones())),
            WorkMeasure::Scalar => pivot_work(self.size[joint], self.rows(self.adjacent[joint])),
        };
        u64::try_from(work).unwrap_or(u64::MAX)
    }

    /// Removes a joint and links its neighbours.
    pub(super) fn eliminate(&mut self, joint: usize) {
        let row = self.adjacent[joint];
        for other in members(row) {
            self.adjacent[other] = (self.adjacent[other] | row) & !(bit(other) | bit(joint));
        }
        self.remaining &= !bit(joint);
    }

    /// The pairs of neighbours of a joint that are not adjacent.
    pub(super) fn deficiency(&self, joint: usize) -> u32 {
        let row = self.adjacent[joint];
        let missing: u32 = members(row).map(|a| (row & !self.adjacent[a] & !bit(a)).count_ones()).sum();
        missing / 2
    }

    /// True when the neighbours of a joint are all adjacent to each other.
    fn is_simplicial(&self, joint: usize) -> bool {
        let row = self.adjacent[joint];
        members(row).all(|a| row & !self.adjacent[a] == bit(a))
    }

    /// Eliminates every joint that creates nothing, looking at `suspects` and whatever changes on the way.
    pub(super) fn eliminate_simplicial(&mut self, suspects: Mask, path: &mut Vec<usize>) {
        let mut suspects = suspects & self.remaining;
        while suspects != 0 {
            let joint = suspects.trailing_zeros() as usize;
            suspects &= !bit(joint);
            if self.is_simplicial(joint) {
                suspects |= self.adjacent[joint];
                self.eliminate(joint);
                path.push(joint);
            }
        }
    }

    /// The work of an order.
    pub(super) fn work(&self, order: &[usize], measure: WorkMeasure) -> u64 {
        let mut graph = self.clone();
        order.iter().fold(0, |sum, &joint| {
            let work = graph.pivot(joint, measure);
            graph.eliminate(joint);
            sum.saturating_add(work)
        })
    }

    fn edge(&self, a: usize, b: usize, measure: WorkMeasure) -> u64 {
        let (p, q) = (self.size[a], self.size[b]);
        match measure {
            WorkMeasure::Blocks => 3,
            WorkMeasure::Scalar => p.saturating_mul(q).saturating_mul(p + q + 2) / 2,
        }
    }

    /// Adds an edge and returns the work that it and the triangles it closes stand for.
    fn link(&mut self, a: usize, b: usize, measure: WorkMeasure) -> u64 {
        let common = self.adjacent[a] & self.adjacent[b];
        self.adjacent[a] |= bit(b);
        self.adjacent[b] |= bit(a);
        let triangles = match measure {
            WorkMeasure::Blocks => u64::from(common.count_ones()),
            WorkMeasure::Scalar => {
                self.size[a].saturating_mul(self.size[b]).saturating_mul(self.rows(common))
            }
        };
        self.edge(a, b, measure).saturating_add(triangles)
    }

    /// Eliminates a joint and returns the work of the edges and triangles it creates.
    pub(super) fn eliminate_counting_fill(&mut self, joint: usize, measure: WorkMeasure) -> u64 {
        let row = self.adjacent[joint];
        let mut created = 0;
        for a in members(row) {
            let missing = row & !self.adjacent[a] & !up_to(a);
            for b in members(missing) {
                created = self.link(a, b, measure).saturating_add(created);
            }
        }
        self.eliminate(joint);
        created
    }

    /// The least work a single new edge can stand for: the edge and the triangle with its pivot.
    pub(super) fn least_fill(&self, measure: WorkMeasure) -> u64 {
        let p = members(self.remaining).map(|j| self.size[j]).min().unwrap_or(0);
        match measure {
            WorkMeasure::Blocks => 4,
            WorkMeasure::Scalar => p.saturating_mul(p).saturating_mul(2 * p + 1),
        }
    }

    /// The work no order can avoid: joints, edges and triangles of the graph as it is.
    pub(super) fn bound(&self, measure: WorkMeasure) -> u64 {
        let mut copy = Self { adjacent: vec![0; self.adjacent.len()], ..self.clone() };
        let alone = members(self.remaining).fold(0u64, |sum, j| sum.saturating_add(copy.pivot(j, measure)));
        let mut edges = 0;
        for a in members(self.remaining) {
            for b in members(self.adjacent[a] & !up_to(a)) {
                edges = copy.link(a, b, measure).saturating_add(edges);
            }
        }
        edges.saturating_add(alone)
    }
}

/// How a greedy order prefers its next pivot: by deficiency, degree and a random amount.
#[derive(Clone, Copy, Debug)]
pub(super) struct Greedy {
    /// The weight of the deficiency.
    pub(super) deficiency: f64,
    /// The weight of the degree.
    pub(super) degree: f64,
    /// The largest random addition.
    pub(super) noise: f64,
}

impl Greedy {
    /// Minimum fill with ties by degree.
    pub(super) const FILL: Self = Self { deficiency: 1.0, degree: 1e-3, noise: 0.0 };

    /// An order and its work. Simplicial joints are eliminated as soon as they appear.
    pub(super) fn order(
        self,
        mut graph: SmallGraph,
        measure: WorkMeasure,
        random: &mut Random,
    ) -> (Vec<usize>, u64) {
        let n = graph.size.len();
        let mut order = Vec::with_capacity(n);
        let mut work = 0u64;
        let mut deficiency = vec![0; n];
        let mut key = vec![0.0; n];
        for joint in members(graph.remaining) {
            deficiency[joint] = graph.deficiency(joint);
            key[joint] = self.key(deficiency[joint], &graph, joint, random);
        }
        while graph.remaining != 0 {
            let mut best = graph.remaining.trailing_zeros() as usize;
            for joint in members(graph.remaining) {
                if key[joint] < key[best] {
                    best = joint;
                }
            }
            work = work.saturating_add(graph.pivot(best, measure));
            let row = graph.adjacent[best];
            if deficiency[best] == 0 {
                // The pairs that a neighbour misses with a simplicial joint go with it.
                let degree = row.count_ones();
                for joint in members(row) {
                    deficiency[joint] -= graph.adjacent[joint].count_ones() - degree;
                }
                graph.eliminate(best);
                for joint in members(row) {
                    key[joint] = self.key(deficiency[joint], &graph, joint, random);
                }
            } else {
                // New edges change everything adjacent to both ends.
                graph.eliminate(best);
                let affected = members(row).fold(row, |set, j| set | graph.adjacent[j]);
                for joint in members(affected) {
                    deficiency[joint] = graph.deficiency(joint);
                    key[joint] = self.key(deficiency[joint], &graph, joint, random);
                }
            }
            order.push(best);
        }
        (order, work)
    }

    /// Negative exactly when the joint is simplicial.
    fn key(self, deficiency: u32, graph: &SmallGraph, joint: usize, random: &mut Random) -> f64 {
        if deficiency == 0 {
            return -1.0;
        }
        let degree = f64::from(graph.adjacent[joint].count_ones());
        let noise = if self.noise > 0.0 { self.noise * random.unit() } else { 0.0 };
        self.deficiency * f64::from(deficiency) + self.degree * degree + noise
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::random_graph;
    use super::super::metrics::Metrics;
    use super::super::permutation::Permutation;
    use super::*;

    fn small(seed: u64, joints: usize, bodies: usize) -> (super::super::JointGraph, SmallGraph) {
        let graph = random_graph(seed, joints, bodies);
        let cliques: Vec<Mask> =
            (0..bodies).map(|body| graph.joints_on(body).iter().fold(0, |set, &j| set | bit(j))).collect();
        let size = graph.sizes().iter().map(|&p| p as u64).collect();
        (graph, SmallGraph::from_cliques(size, cliques))
    }

    #[test]
    fn greedy_work_is_the_work_of_its_order_and_no_less_than_the_bound() {
        for (seed, joints) in [(1, 20), (2, 60), (3, 127), (4, 128), (5, 1), (6, 0)] {
            let (graph, small) = small(seed, joints, 1 + joints / 2);
            for measure in [WorkMeasure::Blocks, WorkMeasure::Scalar] {
                let rule = Greedy { noise: 1.0, ..Greedy::FILL };
                let (order, work) = rule.order(small.clone(), measure, &mut Random::new(seed));
                let permutation = Permutation::new(order.clone()).unwrap();
                assert_eq!(Metrics::new(&graph, &permutation).work(measure), work);
                assert_eq!(small.work(&order, measure), work);
                assert!(small.bound(measure) <= work);
            }
        }
    }

    /// Bound plus the work of everything created along the way is the work of the order.
    #[test]
    fn work_is_the_bound_and_what_is_created() {
        for seed in 0..20 {
            let (_, small) = small(seed, 18, 9);
            for measure in [WorkMeasure::Blocks, WorkMeasure::Scalar] {
                let mut graph = small.clone();
                let order: Vec<usize> = (0..18).collect();
                let created: u64 = order.iter().map(|&j| graph.eliminate_counting_fill(j, measure)).sum();
                assert_eq!(small.bound(measure) + created, small.work(&order, measure));
            }
        }
    }
}
