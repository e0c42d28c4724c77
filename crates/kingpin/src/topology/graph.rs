//! The joint graph: vertices are joints, and two joints are adjacent when they share a body.
//!
//! It is the pattern of the reduced matrix `B = Phi_q M^-1 Phi_q^T` in blocks (Serban et al., section 4). Ground is not a body: a joint to ground lists one body only. The joints of one body
//! form a clique, so the graph is kept as cliques (body -> joints), whose size is linear in the model even
//! when one body carries 100,000 joints; the explicit adjacency is kept beside it while it is not large.

use super::error::TopologyError;
use super::lists::Lists;

/// The explicit adjacency is kept while the edges do not exceed this number or 16 per joint.
const ADJACENCY_LIMIT: u64 = 1 << 20;

/// Which joints share a body, and how many equations each joint has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointGraph {
    bodies_of: Lists,
    joints_on: Lists,
    size: Vec<usize>,
    twin: Vec<usize>,
    degree: Vec<usize>,
    edges: u64,
    adjacency: Option<Lists>,
    /// Velocities of each body, where some have fewer than others; else empty.
    widths: Vec<usize>,
}

impl JointGraph {
    /// Builds the graph from the bodies and the number of scalar equations of each joint.
    ///
    /// Ground is left out of the lists; a body named twice by a joint counts once.
    /// Cost `O(n log n)` in the length of the lists, plus the explicit adjacency where that is kept.
    pub fn new<B: AsRef<[usize]>>(
        bodies: usize,
        joints: impl IntoIterator<Item = (B, usize)>,
    ) -> Result<Self, TopologyError> {
        let mut bodies_of = Lists::from_rows::<[usize; 0]>([]);
        let mut size = Vec::new();
        let mut row = Vec::new();
        for (joint, (list, equations)) in joints.into_iter().enumerate() {
            row.clear();
            row.extend_from_slice(list.as_ref());
            row.sort_unstable();
            row.dedup();
            if let Some(&body) = row.last().filter(|&&body| body >= bodies) {
                return Err(TopologyError::BodyOutOfRange { joint, body, bodies });
            }
            bodies_of.push(&row);
            size.push(equations);
        }
        Ok(Self::from_lists(bodies, bodies_of, size))
    }

    /// Builds the graph of joints between two bodies each, `None` being ground.
    pub fn from_pairs(
        bodies: usize,
        joints: impl IntoIterator<Item = (Option<usize>, Option<usize>, usize)>,
    ) -> Result<Self, TopologyError> {
        let lists = joints.into_iter().map(|(a, b, size)| (a.into_iter().chain(b).collect::<Vec<_>>(), size));
        Self::new(bodies, lists)
    }

    fn from_lists(bodies: usize, bodies_of: Lists, size: Vec<usize>) -> Self {
        let joints_on = bodies_of.transpose(bodies);
        let twin = twins(&bodies_of);
        let joints = size.len();
        let mut graph = Self {
            bodies_of,
            joints_on,
            size,
            twin,
            degree: vec![],
            edges: 0,
            adjacency: None,
            widths: vec![],
        };
        graph.degree = graph.neighbour_weight(&vec![1; joints]).iter().map(|&w| w as usize).collect();
        graph.edges = graph.degree.iter().map(|&d| d as u64).sum::<u64>() / 2;
        if graph.edges <= ADJACENCY_LIMIT.max(16 * joints as u64) {
            graph.adjacency = Some(graph.build_adjacency());
        }
        graph
    }

    /// Tells that bodies differ in their number of velocities: a fixed joint inside a body has as many equations.
    pub fn with_widths(self, widths: Vec<usize>) -> Self {
        Self { widths, ..self }
    }

    /// The equations of a fixed joint inside a body; `most` where all bodies are alike.
    pub fn width(&self, body: usize, most: usize) -> usize {
        self.widths.get(body).copied().unwrap_or(most)
    }

    /// The number of joints (vertices).
    pub fn joints(&self) -> usize {
        self.size.len()
    }

    /// The number of bodies (cliques), ground not counted.
    pub fn bodies(&self) -> usize {
        self.joints_on.len()
    }

    /// The number of adjacent pairs of joints.
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// The number of scalar equations of a joint.
    pub fn size(&self, joint: usize) -> usize {
        self.size[joint]
    }

    /// The number of scalar equations of every joint.
    pub fn sizes(&self) -> &[usize] {
        &self.size
    }

    /// The bodies of a joint in ascending order, without ground.
    pub fn bodies_of(&self, joint: usize) -> &[usize] {
        self.bodies_of.row(joint)
    }

    /// The joints of a body in ascending order: its connectivity set `zeta(b)`.
    pub fn joints_on(&self, body: usize) -> &[usize] {
        self.joints_on.row(body)
    }

    /// The joint index of a body: how many joints it carries (Negrut, section 4).
    pub fn joint_index(&self, body: usize) -> usize {
        self.joints_on.row(body).len()
    }

    /// The topology index of the model: the largest joint index of any body, 0 without bodies.
    pub fn topology_index(&self) -> usize {
        self.joints_on.rows().map(<[usize]>::len).max().unwrap_or(0)
    }

    /// The number of joints adjacent to a joint.
    pub fn degree(&self, joint: usize) -> usize {
        self.degree[joint]
    }

    /// The neighbours of every joint in ascending order; absent when there are too many to keep.
    pub fn adjacency(&self) -> Option<&Lists> {
        self.adjacency.as_ref()
    }

    /// The lowest joint with exactly the same bodies as this one.
    pub(super) fn twin(&self, joint: usize) -> usize {
        self.twin[joint]
    }

    /// The total weight of the distinct neighbours of every joint, without listing them.
    ///
    /// The largest clique of a joint enters by its total; only the others are walked, once for all twins.
    /// For joints of two bodies that is `O(n^1.5)` at worst and linear on chains, trees and stars.
    pub(super) fn neighbour_weight(&self, weight: &[u64]) -> Vec<u64> {
        let joints = self.joints();
        // Weight of every class of twins, of every clique, and the cliques with one joint per class.
        let mut class_weight = vec![0; joints];
        for joint in 0..joints {
            class_weight[self.twin[joint]] += weight[joint];
        }
        let clique_weight: Vec<u64> =
            self.joints_on.rows().map(|clique| clique.iter().map(|&j| weight[j]).sum()).collect();
        let classes = Lists::from_rows(
            self.joints_on
                .rows()
                .map(|clique| clique.iter().copied().filter(|&j| self.twin[j] == j).collect::<Vec<_>>()),
        );
        // Weight of the union of the cliques of one joint per class.
        let mut seen = vec![usize::MAX; joints];
        let mut union = vec![0; joints];
        for joint in (0..joints).filter(|&j| self.twin[j] == j) {
            let bodies = self.bodies_of(joint);
            let Some(&largest) = bodies.iter().max_by_key(|&&b| classes.row(b).len()) else { continue };
            let mut total = clique_weight[largest];
            for &body in bodies.iter().filter(|&&b| b != largest) {
                for &other in classes.row(body) {
                    if seen[other] != joint {
                        seen[other] = joint;
                        if self.bodies_of(other).binary_search(&largest).is_err() {
                            total += class_weight[other];
                        }
                    }
                }
            }
            union[joint] = total;
        }
        (0..joints).map(|j| union[self.twin[j]].saturating_sub(weight[j])).collect()
    }

    /// Walks the cliques of every joint. Cost: the sum of their sizes.
    fn build_adjacency(&self) -> Lists {
        let mut seen = vec![usize::MAX; self.joints()];
        let mut row = Vec::new();
        let mut lists = Lists::from_rows::<[usize; 0]>([]);
        for joint in 0..self.joints() {
            row.clear();
            seen[joint] = joint;
            for &body in self.bodies_of(joint) {
                for &other in self.joints_on(body) {
                    if seen[other] != joint {
                        seen[other] = joint;
                        row.push(other);
                    }
                }
            }
            row.sort_unstable();
            lists.push(&row);
        }
        lists
    }
}

/// The lowest joint with the same list of bodies; a joint without bodies has no twin but itself.
fn twins(bodies_of: &Lists) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..bodies_of.len()).collect();
    sorted.sort_unstable_by(|&a, &b| bodies_of.row(a).cmp(bodies_of.row(b)).then(a.cmp(&b)));
    let mut twin: Vec<usize> = (0..bodies_of.len()).collect();
    for pair in sorted.windows(2) {
        let row = bodies_of.row(pair[0]);
        if !row.is_empty() && row == bodies_of.row(pair[1]) {
            twin[pair[1]] = twin[pair[0]];
        }
    }
    twin
}

#[cfg(test)]
mod tests {
    use super::super::examples::{hmmwv, random_graph, seven_body, star};
    use super::*;

    #[test]
    fn indices_and_counts_of_the_published_models() {
        let andrews = seven_body();
        assert_eq!((andrews.joints(), andrews.edges(), andrews.topology_index()), (10, 11, 3));
        let vehicle = hmmwv();
        assert_eq!((vehicle.joints(), vehicle.edges(), vehicle.topology_index()), (21, 78, 11));
        assert_eq!(vehicle.joint_index(0), 11);
    }

    #[test]
    fn ground_couples_nothing_and_a_body_named_twice_counts_once() {
        let graph =
            JointGraph::from_pairs(2, [(None, Some(0), 1), (None, Some(1), 1), (None, None, 2)]).unwrap();
        assert_eq!(graph.edges(), 0);
        let twice = JointGraph::new(2, [(vec![1, 0, 1], 3), (vec![1], 2)]).unwrap();
        assert_eq!(twice.bodies_of(0), [0, 1]);
        assert_eq!((twice.edges(), twice.size(0)), (1, 3));
        assert_eq!(
            JointGraph::new(2, [([2], 1)]),
            Err(TopologyError::BodyOutOfRange { joint: 0, body: 2, bodies: 2 })
        );
        let empty = JointGraph::new::<[usize; 0]>(0, []).unwrap();
        assert_eq!((empty.joints(), empty.topology_index(), empty.edges()), (0, 0, 0));
    }

    #[test]
    fn a_large_hub_is_counted_but_not_listed() {
        let graph = star(100_000);
        assert_eq!(graph.edges(), 100_000 * 99_999 / 2);
        assert!(graph.adjacency().is_none());
        // Parallel joints between two hubs share both bodies and must be counted once.
        let parallel = JointGraph::new(2, (0..50_000).map(|_| ([0, 1], 1))).unwrap();
        assert_eq!(parallel.edges(), 50_000 * 49_999 / 2);
    }

    #[test]
    fn degrees_agree_with_the_listed_neighbours() {
        for seed in 0..40 {
            let graph = random_graph(seed, 25, 12);
            let adjacency = graph.adjacency().unwrap();
            for joint in 0..graph.joints() {
                let row = adjacency.row(joint);
                assert_eq!(graph.degree(joint), row.len());
                for other in (0..graph.joints()).filter(|&other| other != joint) {
                    let share = graph.bodies_of(joint).iter().any(|b| graph.bodies_of(other).contains(b));
                    assert_eq!(share, row.contains(&other));
                }
            }
        }
    }
}
