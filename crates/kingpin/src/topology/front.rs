//! The front of King's numbering: joints that are numbered or share a body with a numbered one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::JointGraph;

/// The front, kept per body.
///
/// Numbering a joint brings all joints of its bodies into the front, so a joint costs the number of joints
/// outside the front on its untouched bodies. Counts above 16 are rounded up to a power of two; a body then
/// announces a change only a logarithmic number of times, which keeps hubs cheap.
pub(super) struct Front<'g> {
    graph: &'g JointGraph,
    level: Vec<usize>,
    current: usize,
    numbered: Vec<bool>,
    /// When the joint entered the front, 0 if it has not.
    entered: Vec<usize>,
    clock: usize,
    touched: Vec<bool>,
    outside: Vec<usize>,
    /// (cost, time of entry, joint); entries whose cost is no longer true are skipped.
    heap: BinaryHeap<Reverse<(usize, usize, usize)>>,
    /// Joints touched so far.
    pub(super) steps: u64,
}

fn rounded(count: usize) -> usize {
    if count > 16 { count.next_power_of_two() } else { count }
}

impl<'g> Front<'g> {
    pub(super) fn new(graph: &'g JointGraph) -> Self {
        Self {
            graph,
            level: vec![0; graph.joints()],
            current: 0,
            numbered: vec![false; graph.joints()],
            entered: vec![0; graph.joints()],
            clock: 0,
            touched: vec![false; graph.bodies()],
            outside: vec![0; graph.bodies()],
            heap: BinaryHeap::new(),
            steps: 0,
        }
    }

    /// Starts on a component with an empty front.
    pub(super) fn begin(&mut self, levels: &[Vec<usize>]) {
        for (k, level) in levels.iter().enumerate() {
            for &joint in level {
                self.level[joint] = k;
                self.numbered[joint] = false;
                self.entered[joint] = 0;
                for &body in self.graph.bodies_of(joint) {
                    self.touched[body] = false;
                    self.outside[body] = self.graph.joint_index(body);
                }
            }
        }
        self.clock = 0;
        self.heap.clear();
    }

    /// Makes the joints of a level that are in the front candidates.
    pub(super) fn enter(&mut self, level: usize, joints: &[usize]) {
        self.current = level;
        self.heap.clear();
        joints.iter().for_each(|&joint| self.announce(joint));
    }

    pub(super) fn is_numbered(&self, joint: usize) -> bool {
        self.numbered[joint]
    }

    /// The candidate with the least cost, the longest in the front among equals.
    pub(super) fn cheapest(&mut self) -> Option<usize> {
        while let Some(Reverse((cost, _, joint))) = self.heap.pop() {
            self.steps += 1;
            if !self.numbered[joint] && cost == self.cost(joint) {
                return Some(joint);
            }
        }
        None
    }

    /// Numbers a joint: all joints of its bodies enter the front.
    pub(super) fn number(&mut self, joint: usize) {
        self.numbered[joint] = true;
        self.admit(joint);
        let graph = self.graph;
        for &body in graph.bodies_of(joint) {
            if std::mem::replace(&mut self.touched[body], true) {
                continue;
            }
            for &other in graph.joints_on(body) {
                self.admit(other);
            }
            graph.joints_on(body).iter().for_each(|&other| self.announce(other));
        }
    }

    /// Brings a joint into the front and tells the joints to which it was a cost.
    fn admit(&mut self, joint: usize) {
        self.steps += 1;
        if self.entered[joint] != 0 {
            return;
        }
        self.clock += 1;
        self.entered[joint] = self.clock;
        let graph = self.graph;
        for &body in graph.bodies_of(joint) {
            let before = rounded(self.outside[body]);
            self.outside[body] -= 1;
            if !self.touched[body] && rounded(self.outside[body]) != before {
                graph.joints_on(body).iter().for_each(|&other| self.announce(other));
            }
        }
        self.announce(joint);
    }

    fn cost(&self, joint: usize) -> usize {
        let untouched = self.graph.bodies_of(joint).iter().filter(|&&b| !self.touched[b]);
        untouched.map(|&b| rounded(self.outside[b])).sum()
    }

    fn announce(&mut self, joint: usize) {
        self.steps += 1;
        if self.level[joint] == self.current && !self.numbered[joint] && self.entered[joint] != 0 {
            self.heap.push(Reverse((self.cost(joint), self.entered[joint], joint)));
        }
    }
}
