//! Minimum degree elimination order on the quotient graph.
//!
//! The quotient graph starts with the bodies as its elements, so no joint has any other adjacency and a
//! joint of two bodies never sees more than two elements. Degrees are exact and external; joints that have
//! become indistinguishable are merged, and joints that can follow a pivot for free are eliminated with it.
//! A joint in a single element is simplicial: eliminating it creates no fill, which is never wrong for any
//! measure of work, so such joints go first. That makes trees free of fill whatever their hubs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::JointGraph;
use super::permutation::Permutation;

/// A simplicial joint leaves an element with more members than this without the others being revisited
/// at once; they are when the element has shrunk to half. Only the degrees in large hubs lag behind.
const LARGE: usize = 64;

/// Minimum degree order with every joint counting alike; ties go to the lower joint.
///
/// Almost linear on chains, trees, ladders and hubs.
pub fn minimum_degree(graph: &JointGraph) -> Permutation {
    counted(graph, &vec![1; graph.joints()]).0
}

/// Minimum degree order with every joint counting its scalar equations; ties go to the lower joint.
pub fn minimum_degree_by_rows(graph: &JointGraph) -> Permutation {
    counted(graph, &rows(graph)).0
}

/// The weights of [`minimum_degree_by_rows`]; a joint without equations still counts as one.
pub(super) fn rows(graph: &JointGraph) -> Vec<u64> {
    graph.sizes().iter().map(|&size| size.max(1) as u64).collect()
}

/// The order for given positive weights, and the number of list entries visited.
pub(super) fn counted(graph: &JointGraph, weight: &[u64]) -> (Permutation, u64) {
    let mut quotient = Quotient::new(graph, weight);
    while let Some(pivot) = quotient.pop() {
        quotient.eliminate(pivot);
    }
    (Permutation::from_valid(quotient.order), quotient.steps)
}

/// (not simplicial, degree, joint), smallest first.
type Key = Reverse<(bool, u64, usize)>;

struct Quotient {
    /// Elements of each joint in the order of their formation: bodies, then pivots offset by the bodies.
    elements: Vec<Vec<usize>>,
    /// Joints of each element; may still list joints that are gone.
    members: Vec<Vec<usize>>,
    /// Total weight of the living joints of each element, and that at the last revisit.
    element_weight: Vec<u64>,
    revisited_at: Vec<u64>,
    /// Weight of each joint with those merged into it; 0 once it is gone.
    weight: Vec<u64>,
    /// External degree of each living joint.
    degree: Vec<u64>,
    /// The joints merged into each joint, as a linked list with its last entry.
    follower: Vec<Option<usize>>,
    last: Vec<usize>,
    bodies: usize,
    /// Weight of each element outside the current front, valid where the stamp is current.
    outside: Vec<u64>,
    element_stamp: Vec<usize>,
    joint_stamp: Vec<usize>,
    stamp: usize,
    heap: BinaryHeap<Key>,
    order: Vec<usize>,
    steps: u64,
}

impl Quotient {
    fn new(graph: &JointGraph, weight: &[u64]) -> Self {
        let (joints, bodies) = (graph.joints(), graph.bodies());
        let mut quotient = Self {
            elements: (0..joints).map(|j| graph.bodies_of(j).to_vec()).collect(),
            members: vec![Vec::new(); bodies + joints],
            element_weight: vec![0; bodies + joints],
            revisited_at: vec![0; bodies + joints],
            weight: weight.to_vec(),
            degree: graph.neighbour_weight(weight),
            follower: vec![None; joints],
            last: (0..joints).collect(),
            bodies,
            outside: vec![0; bodies + joints],
            element_stamp: vec![0; bodies + joints],
            joint_stamp: vec![0; joints],
            stamp: 0,
            heap: BinaryHeap::new(),
            order: Vec::with_capacity(joints),
            steps: 0,
        };
        for joint in (0..joints).filter(|&j| graph.twin(j) != j) {
            quotient.merge(joint, graph.twin(joint));
        }
        // An element of a single joint couples nothing.
        for body in 0..bodies {
            quotient.members[body] =
                graph.joints_on(body).iter().copied().filter(|&j| graph.twin(j) == j).collect();
            quotient.element_weight[body] = quotient.members[body].iter().map(|&j| quotient.weight[j]).sum();
            quotient.revisited_at[body] = quotient.element_weight[body];
            if let [only] = quotient.members[body][..] {
                quotient.elements[only].retain(|&e| e != body);
                quotient.members[body].clear();
            }
        }
        for joint in (0..joints).filter(|&j| graph.twin(j) == j) {
            quotient.enqueue(joint);
        }
        quotient
    }

    fn enqueue(&mut self, joint: usize) {
        self.heap.push(Reverse((self.elements[joint].len() > 1, self.degree[joint], joint)));
    }

    /// The living joint with the smallest key; outdated entries are skipped.
    fn pop(&mut self) -> Option<usize> {
        while let Some(Reverse((coupled, degree, joint))) = self.heap.pop() {
            self.steps += 1;
            let current = (self.elements[joint].len() > 1, self.degree[joint]);
            if self.weight[joint] > 0 && current == (coupled, degree) {
                return Some(joint);
            }
        }
        None
    }

    /// Lets `joint` be eliminated together with `into`.
    fn merge(&mut self, joint: usize, into: usize) {
        let weight = std::mem::replace(&mut self.weight[joint], 0);
        self.weight[into] += weight;
        self.degree[into] = self.degree[into].saturating_sub(weight);
        self.follower[self.last[into]] = Some(joint);
        self.last[into] = self.last[joint];
        self.elements[joint].clear();
    }

    /// Appends a joint and all merged into it to the order.
    fn emit(&mut self, joint: usize) {
        let mut next = Some(joint);
        while let Some(member) = next {
            self.order.push(member);
            next = self.follower[member];
        }
        self.weight[joint] = 0;
        self.elements[joint].clear();
    }

    fn eliminate(&mut self, pivot: usize) {
        if let [hub] = self.elements[pivot][..]
            && self.members[hub].len() > LARGE
        {
            return self.leave(pivot, hub);
        }
        let absorbed = std::mem::take(&mut self.elements[pivot]);
        self.emit(pivot);
        self.form(&absorbed, self.bodies + pivot);
    }

    /// A simplicial joint leaves a large element; no other coupling changes.
    fn leave(&mut self, pivot: usize, hub: usize) {
        self.element_weight[hub] -= self.weight[pivot];
        self.emit(pivot);
        if 2 * self.element_weight[hub] <= self.revisited_at[hub] {
            self.form(&[hub], hub);
        }
    }

    /// Forms an element from the living joints of the absorbed ones and brings those joints up to date.
    fn form(&mut self, absorbed: &[usize], element: usize) {
        let mut front = self.front(absorbed);
        self.scan(&front);
        self.follow(&mut front);
        self.update_degrees(&front, element);
        self.merge_indistinguishable(&mut front);
        self.members[element] = front;
        self.drop_if_contained(element);
        for at in 0..self.members[element].len() {
            self.enqueue(self.members[element][at]);
        }
    }

    /// The living joints of elements that thereby cease to exist; marks them with a new stamp.
    fn front(&mut self, absorbed: &[usize]) -> Vec<usize> {
        self.stamp += 1;
        let mut front = Vec::new();
        for &element in absorbed {
            for joint in std::mem::take(&mut self.members[element]) {
                self.steps += 1;
                if self.weight[joint] > 0 && self.joint_stamp[joint] != self.stamp {
                    self.joint_stamp[joint] = self.stamp;
                    front.push(joint);
                }
            }
        }
        front.sort_unstable();
        front
    }

    /// Removes absorbed elements from the joints of the front and finds the weight of every element
    /// they still see outside the front [Amestoy, Davis and Duff 1996].
    fn scan(&mut self, front: &[usize]) {
        for &joint in front {
            let mut elements = std::mem::take(&mut self.elements[joint]);
            elements.retain(|&e| !self.members[e].is_empty());
            for &element in &elements {
                self.steps += 1;
                if self.element_stamp[element] != self.stamp {
                    self.element_stamp[element] = self.stamp;
                    self.outside[element] = self.element_weight[element];
                }
                self.outside[element] -= self.weight[joint];
            }
            self.elements[joint] = elements;
        }
    }

    /// Absorbs elements inside the front; joints left without any follow the pivot at once.
    fn follow(&mut self, front: &mut Vec<usize>) {
        front.retain(|&joint| {
            let mut elements = std::mem::take(&mut self.elements[joint]);
            elements.retain(|&e| self.outside[e] > 0);
            let stays = !elements.is_empty();
            self.elements[joint] = elements;
            if !stays {
                self.emit(joint);
            }
            stays
        });
    }

    /// Exact external degrees of the joints of the new element.
    fn update_degrees(&mut self, front: &[usize], element: usize) {
        let inside: u64 = front.iter().map(|&j| self.weight[j]).sum();
        self.element_weight[element] = inside;
        self.revisited_at[element] = inside;
        for &joint in front {
            let beyond = match self.elements[joint][..] {
                [other] => self.outside[other],
                _ => self.union_outside(joint),
            };
            self.degree[joint] = inside - self.weight[joint] + beyond;
            self.elements[joint].push(element);
        }
    }

    /// The weight of the union of several elements of a joint, outside the front.
    fn union_outside(&mut self, joint: usize) -> u64 {
        let mut seen = Vec::new();
        for &element in &self.elements[joint] {
            for &other in &self.members[element] {
                self.steps += 1;
                if self.weight[other] > 0 && self.joint_stamp[other] != self.stamp {
                    self.joint_stamp[other] = self.stamp;
                    seen.push(other);
                }
            }
        }
        // Members of the front carry the stamp already; take the others' stamps back.
        seen.iter().for_each(|&other| self.joint_stamp[other] = 0);
        seen.iter().map(|&other| self.weight[other]).sum()
    }

    /// Merges joints of the front that see the same elements into the lowest of them.
    fn merge_indistinguishable(&mut self, front: &mut Vec<usize>) {
        let mut sorted = front.clone();
        sorted.sort_unstable_by(|&a, &b| self.elements[a].cmp(&self.elements[b]).then(a.cmp(&b)));
        let mut into = None;
        for joint in sorted {
            self.steps += 1;
            match into {
                Some(first) if self.elements[first] == self.elements[joint] => self.merge(joint, first),
                _ => into = Some(joint),
            }
        }
        front.retain(|&joint| self.weight[joint] > 0);
    }

    /// Drops the new element when all its joints see a common other one that holds them anyway.
    fn drop_if_contained(&mut self, element: usize) {
        let Some(&first) = self.members[element].first() else { return };
        let inside = self.element_weight[element];
        let holds = |&e: &usize| e != element && self.element_weight[e] - self.outside[e] == inside;
        if self.elements[first].iter().any(holds) {
            for joint in std::mem::take(&mut self.members[element]) {
                self.elements[joint].retain(|&e| e != element);
                self.enqueue(joint);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{
        chain, hmmwv, ladder, random_graph, random_tree, rosette, seven_body, star, wheel,
    };
    use super::super::metrics::Metrics;
    use super::*;

    #[test]
    fn best_known_orders_of_the_published_models() {
        let graph = seven_body();
        assert_eq!(Metrics::new(&graph, &minimum_degree(&graph)).counts.multiplications, 35);
        let graph = hmmwv();
        assert_eq!(Metrics::new(&graph, &minimum_degree(&graph)).counts.multiplications, 469);
    }

    #[test]
    fn trees_fill_nothing() {
        for seed in 0..100 {
            let graph = random_tree(seed, 1 + 3 * seed as usize);
            for order in [minimum_degree(&graph), minimum_degree_by_rows(&graph)] {
                assert_eq!(Metrics::new(&graph, &order).counts.fill, 0, "seed {seed}");
            }
        }
    }

    #[test]
    fn the_first_pivot_without_simplicial_joints_has_least_degree() {
        for seed in 0..200 {
            let graph = random_graph(seed, 24, 12);
            let order = minimum_degree(&graph);
            let simplicial = |j: usize| {
                let row = graph.adjacency().unwrap().row(j);
                row.iter()
                    .all(|&a| row.iter().all(|&b| a == b || graph.adjacency().unwrap().row(a).contains(&b)))
            };
            if !(0..24).any(simplicial) {
                let least = (0..24).map(|j| graph.degree(j)).min();
                assert_eq!(Some(graph.degree(order.order()[0])), least);
            }
        }
    }

    #[test]
    fn growth_is_linear() {
        let ones = |graph: &JointGraph| counted(graph, &vec![1; graph.joints()]).1;
        for family in [chain, star, ladder, rosette, wheel, |n| random_tree(7, n)] {
            let (small, large) = (ones(&family(3_000)), ones(&family(30_000)));
            assert!(large < 12 * small, "{small} -> {large}");
        }
    }

    #[test]
    fn a_hundred_thousand_joints() {
        let graph = ladder(33_334);
        let metrics = Metrics::new(&graph, &minimum_degree(&graph));
        assert!(metrics.counts.fill < 2 * graph.joints() as u64);
        let graph = rosette(25_000);
        let loops = Metrics::new(&graph, &minimum_degree(&graph)).counts;
        assert!(loops.fill <= 25_000, "{loops:?}");
    }
}
