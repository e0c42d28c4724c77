//! Gibbs-Poole-Stockmeyer and Gibbs-King numberings.
//!
//! Both combine the level structures from the two ends of a long path into one of smaller width [Gibbs, Poole
//! and Stockmeyer 1976, algorithm II] and differ in how they number inside the levels [Lewis 1982].

use super::graph::JointGraph;
use super::level_numbering::LevelNumbering;
use super::levels::{Levels, Sweep};
use super::permutation::Permutation;

/// The place of a joint in no level yet.
const UNPLACED: usize = usize::MAX;

/// Numbers level by level in the order of the already numbered neighbours: small bandwidth.
///
/// Cost `O(n log n)` in the number of (joint, body) pairs.
pub fn gibbs_poole_stockmeyer(graph: &JointGraph) -> Permutation {
    counted(graph, Inside::Degree).0
}

/// Numbers level by level, next the joint that brings the fewest new joints into the front: small envelope.
///
/// Cost `O(n log n)` in the number of (joint, body) pairs.
pub fn gibbs_king(graph: &JointGraph) -> Permutation {
    counted(graph, Inside::Front).0
}

/// How the joints inside a level are numbered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inside {
    Degree,
    Front,
}

pub(super) fn counted(graph: &JointGraph, inside: Inside) -> (Permutation, u64) {
    let mut sweep = Sweep::new(graph);
    let mut combine = Combine::new(graph);
    let mut numbering = LevelNumbering::new(graph);
    let mut order = Vec::with_capacity(graph.joints());
    for component in sweep.components() {
        let (near, far) = sweep.ends(component);
        let mut levels = combine.levels(&near, &far);
        // Number from either end, read each result both ways, and keep the cheapest envelope.
        let forward = numbering.number(inside, &levels, near.root());
        levels.reverse();
        let backward = numbering.number(inside, &levels, far.root());
        let mut candidates = [forward.clone(), backward.clone(), forward, backward];
        candidates[2].reverse();
        candidates[3].reverse();
        let best = candidates.into_iter().min_by_key(|sequence| numbering.envelope_work(sequence));
        order.extend(best.into_iter().flatten());
    }
    (Permutation::from_valid(order), sweep.steps + combine.steps + numbering.steps())
}

/// Scratch for combining two level structures.
struct Combine<'g> {
    graph: &'g JointGraph,
    /// Level of each joint counted from the near end, and from the far end backwards.
    pair: Vec<(usize, usize)>,
    place: Vec<usize>,
    body_seen: Vec<bool>,
    steps: u64,
}

impl<'g> Combine<'g> {
    fn new(graph: &'g JointGraph) -> Self {
        Self {
            graph,
            pair: vec![(0, 0); graph.joints()],
            place: vec![UNPLACED; graph.joints()],
            body_seen: vec![false; graph.bodies()],
            steps: 0,
        }
    }

    /// One level structure of small width out of two.
    fn levels(&mut self, near: &Levels, far: &Levels) -> Vec<Vec<usize>> {
        let height = near.height();
        for k in 0..height {
            near.level(k).iter().for_each(|&j| self.pair[j].0 = k);
            far.level(k).iter().for_each(|&j| self.pair[j].1 = height - 1 - k);
        }
        // Joints on which both structures agree are placed.
        let mut size = vec![0; height];
        for &joint in near.joints() {
            let (a, b) = self.pair[joint];
            if a == b {
                self.place[joint] = a;
                size[a] += 1;
            }
        }
        // The components of the rest go, largest first, where they make the largest level smaller.
        let mut parts = self.unplaced_parts(near.joints());
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        let mut add = vec![0; height];
        for part in parts {
            let by_near = self.peak(&part, &size, &mut add, |pair| pair.0);
            let by_far = self.peak(&part, &size, &mut add, |pair| pair.1);
            let use_near = (by_near, near.width()) <= (by_far, far.width());
            for joint in part {
                let (a, b) = self.pair[joint];
                self.place[joint] = if use_near { a } else { b };
                size[self.place[joint]] += 1;
            }
        }
        let mut levels: Vec<Vec<usize>> = size.iter().map(|&s| Vec::with_capacity(s)).collect();
        for &joint in near.joints() {
            levels[self.place[joint]].push(joint);
        }
        levels
    }

    /// The largest level touched when the joints of `part` are placed by `choose`.
    fn peak(
        &self,
        part: &[usize],
        size: &[usize],
        add: &mut [usize],
        choose: fn((usize, usize)) -> usize,
    ) -> usize {
        let mut peak = 0;
        for &joint in part {
            let level = choose(self.pair[joint]);
            add[level] += 1;
            peak = peak.max(size[level] + add[level]);
        }
        for &joint in part {
            add[choose(self.pair[joint])] = 0;
        }
        peak
    }

    /// Connected parts of the unplaced joints. Their bodies are opened once.
    fn unplaced_parts(&mut self, joints: &[usize]) -> Vec<Vec<usize>> {
        let mut parts = Vec::new();
        for &joint in joints {
            if self.place[joint] != UNPLACED {
                continue;
            }
            // A level beyond all marks a joint as found; the caller overwrites it.
            self.place[joint] = UNPLACED - 1;
            let mut part = vec![joint];
            let mut at = 0;
            while at < part.len() {
                for &body in self.graph.bodies_of(part[at]) {
                    if std::mem::replace(&mut self.body_seen[body], true) {
                        continue;
                    }
                    for &other in self.graph.joints_on(body) {
                        self.steps += 1;
                        if self.place[other] == UNPLACED {
                            self.place[other] = UNPLACED - 1;
                            part.push(other);
                        }
                    }
                }
                at += 1;
            }
            parts.push(part);
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{chain, hmmwv, ladder, seven_body, star};
    use super::super::metrics::EnvelopeSize;
    use super::*;

    #[test]
    fn bandwidths_of_the_published_models() {
        for inside in [Inside::Degree, Inside::Front] {
            let measure = |graph: &JointGraph| EnvelopeSize::new(graph, &counted(graph, inside).0);
            assert!(measure(&seven_body()).bandwidth <= 3);
            assert_eq!(measure(&chain(50)).bandwidth, 1);
            assert_eq!(measure(&chain(50)).work, 98);
            assert!(measure(&hmmwv()).bandwidth <= 11);
        }
    }

    #[test]
    fn the_envelope_beats_the_given_numbering() {
        for graph in [seven_body(), hmmwv(), ladder(40)] {
            let given = EnvelopeSize::new(&graph, &Permutation::identity(graph.joints())).work;
            assert!(EnvelopeSize::new(&graph, &gibbs_king(&graph)).work <= given);
            assert!(EnvelopeSize::new(&graph, &gibbs_poole_stockmeyer(&graph)).work <= given);
        }
    }

    #[test]
    fn growth_is_linear_on_chains_ladders_and_stars() {
        for family in [chain, star, ladder] {
            for inside in [Inside::Degree, Inside::Front] {
                let (small, large) = (counted(&family(2_000), inside).1, counted(&family(20_000), inside).1);
                assert!(large < 12 * small, "{small} -> {large}");
            }
        }
    }
}
