//! Reverse Cuthill-McKee numbering.

use super::graph::JointGraph;
use super::levels::Sweep;
use super::permutation::Permutation;

/// Numbers breadth first from one end of each component, neighbours by degree, and reverses.
///
/// Keeps the rows of the reduced matrix narrow. Every body is opened once, so the cost is
/// `O(n log n)` in the number of (joint, body) pairs whatever the topology index.
pub fn reverse_cuthill_mckee(graph: &JointGraph) -> Permutation {
    counted(graph).0
}

pub(super) fn counted(graph: &JointGraph) -> (Permutation, u64) {
    let mut sweep = Sweep::new(graph);
    let mut numbered = vec![false; graph.joints()];
    let mut opened = vec![false; graph.bodies()];
    let mut order = Vec::with_capacity(graph.joints());
    let mut steps = 0;
    for component in sweep.components() {
        let (near, _) = sweep.ends(component);
        let mut at = order.len();
        numbered[near.root()] = true;
        order.push(near.root());
        // Each numbered joint appends its unnumbered neighbours by increasing degree.
        while at < order.len() {
            let begin = order.len();
            for &body in graph.bodies_of(order[at]) {
                if std::mem::replace(&mut opened[body], true) {
                    continue;
                }
                for &other in graph.joints_on(body) {
                    steps += 1;
                    if !std::mem::replace(&mut numbered[other], true) {
                        order.push(other);
                    }
                }
            }
            order[begin..].sort_unstable_by_key(|&j| (graph.degree(j), j));
            at += 1;
        }
    }
    order.reverse();
    (Permutation::from_valid(order), steps + sweep.steps)
}

#[cfg(test)]
mod tests {
    use super::super::examples::{chain, hmmwv, seven_body, star};
    use super::super::metrics::EnvelopeSize;
    use super::*;

    fn bandwidth(graph: &JointGraph) -> u64 {
        EnvelopeSize::new(graph, &reverse_cuthill_mckee(graph)).bandwidth
    }

    #[test]
    fn bandwidths_of_the_published_models() {
        assert!(bandwidth(&seven_body()) <= 3);
        assert_eq!(bandwidth(&chain(50)), 1);
        assert!(bandwidth(&hmmwv()) <= 11);
    }

    #[test]
    fn growth_is_linear_on_chains_and_stars() {
        for family in [chain, star] {
            let (small, large) = (counted(&family(10_000)).1, counted(&family(100_000)).1);
            assert!(large < 11 * small, "{small} -> {large}");
        }
    }
}
