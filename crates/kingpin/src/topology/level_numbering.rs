//! Numbering inside the levels of a level structure.

use super::front::Front;
use super::gibbs::Inside;
use super::graph::JointGraph;

/// Scratch for numbering one component after another; a component pays only for its own joints.
pub(super) struct LevelNumbering<'g> {
    graph: &'g JointGraph,
    level: Vec<usize>,
    numbered: Vec<bool>,
    /// Per body and parity, the level (plus one) whose joints have been taken: a clique spans two levels.
    taken: Vec<[usize; 2]>,
    /// The first place of a joint of each body.
    first: Vec<usize>,
    front: Front<'g>,
    steps: u64,
}

impl<'g> LevelNumbering<'g> {
    pub(super) fn new(graph: &'g JointGraph) -> Self {
        Self {
            graph,
            level: vec![0; graph.joints()],
            numbered: vec![false; graph.joints()],
            taken: vec![[0; 2]; graph.bodies()],
            first: vec![0; graph.bodies()],
            front: Front::new(graph),
            steps: 0,
        }
    }

    /// Joints touched so far.
    pub(super) fn steps(&self) -> u64 {
        self.steps + self.front.steps
    }

    /// Notes the level of every joint and forgets what an earlier numbering left behind.
    fn begin(&mut self, levels: &[Vec<usize>]) {
        for (k, level) in levels.iter().enumerate() {
            for &joint in level {
                self.level[joint] = k;
                self.numbered[joint] = false;
                for &body in self.graph.bodies_of(joint) {
                    self.taken[body] = [0; 2];
                }
            }
        }
    }

    /// The work of the envelope of one component numbered on its own (Serban et al., Eq 27).
    pub(super) fn envelope_work(&mut self, sequence: &[usize]) -> u128 {
        for &joint in sequence {
            self.steps += 1;
            self.graph.bodies_of(joint).iter().for_each(|&b| self.first[b] = usize::MAX);
        }
        let mut work = 0;
        for (place, &joint) in sequence.iter().enumerate() {
            let mut lowest = place;
            for &body in self.graph.bodies_of(joint) {
                self.first[body] = self.first[body].min(place);
                lowest = lowest.min(self.first[body]);
            }
            let beta = (place - lowest) as u128;
            work += beta * (beta + 3) / 2;
        }
        work
    }

    /// Numbers all joints of the levels, starting with the given joint of the first level.
    pub(super) fn number(&mut self, inside: Inside, levels: &[Vec<usize>], start: usize) -> Vec<usize> {
        match inside {
            Inside::Degree => self.by_degree(levels, start),
            Inside::Front => self.by_front(levels, start),
        }
    }

    /// Gibbs-Poole-Stockmeyer: neighbours of the earliest numbered joints first (algorithm III).
    fn by_degree(&mut self, levels: &[Vec<usize>], start: usize) -> Vec<usize> {
        self.begin(levels);
        let mut order = Vec::new();
        let mut previous = 0..0;
        for (k, level) in levels.iter().enumerate() {
            let begin = order.len();
            if k == 0 {
                self.numbered[start] = true;
                order.push(start);
            }
            // Neighbours of the level before, then of this level, then whatever has the least degree.
            for at in previous {
                self.take(order[at], k, &mut order);
            }
            let mut rest = sorted_by_degree(self.graph, level).into_iter();
            let mut at = begin;
            loop {
                if at < order.len() {
                    self.take(order[at], k, &mut order);
                    at += 1;
                } else if let Some(joint) = rest.find(|&j| !self.numbered[j]) {
                    self.numbered[joint] = true;
                    order.push(joint);
                } else {
                    break;
                }
            }
            previous = begin..order.len();
        }
        order
    }

    /// Appends the unnumbered joints of level `k` that share a body with `joint`, by increasing degree.
    fn take(&mut self, joint: usize, k: usize, order: &mut Vec<usize>) {
        let begin = order.len();
        for &body in self.graph.bodies_of(joint) {
            if self.taken[body][k % 2] == k + 1 {
                continue;
            }
            self.taken[body][k % 2] = k + 1;
            for &other in self.graph.joints_on(body) {
                self.steps += 1;
                if self.level[other] == k && !self.numbered[other] {
                    self.numbered[other] = true;
                    order.push(other);
                }
            }
        }
        order[begin..].sort_unstable_by_key(|&j| (self.graph.degree(j), j));
    }

    /// Gibbs-King: next the joint of the level that brings the fewest new joints into the front.
    fn by_front(&mut self, levels: &[Vec<usize>], start: usize) -> Vec<usize> {
        let mut order = Vec::new();
        self.front.begin(levels);
        for (k, level) in levels.iter().enumerate() {
            self.front.enter(k, level);
            if k == 0 {
                self.front.number(start);
                order.push(start);
            }
            let mut rest = sorted_by_degree(self.graph, level).into_iter();
            while let Some(joint) =
                self.front.cheapest().or_else(|| rest.find(|&j| !self.front.is_numbered(j)))
            {
                self.front.number(joint);
                order.push(joint);
            }
        }
        order
    }
}

fn sorted_by_degree(graph: &JointGraph, joints: &[usize]) -> Vec<usize> {
    let mut sorted = joints.to_vec();
    sorted.sort_unstable_by_key(|&j| (graph.degree(j), j));
    sorted
}
