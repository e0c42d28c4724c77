//! Chains eliminated from both ends at once.

use super::graph::JointGraph;
use super::permutation::Permutation;

/// Longest chain that is folded.
pub const LONGEST: usize = 64;

/// The same order, except that joints forming a simple chain are eliminated alternately from its two ends.
///
/// On a chain every order from the outside in costs the same and fills nothing; two ends give the processor two
/// independent sequences of operations to overlap. Other parts of the graph keep their order. O(joints).
///
/// The last joint then sits between two long branches, whose mobility across the chain falls with the cube of their
/// length: its pivot loses digits. So chains of more than 64 joints are left alone.
pub fn fold_chains(graph: &JointGraph, order: &Permutation) -> Permutation {
    let Some(adjacency) = graph.adjacency() else { return order.clone() };
    let neighbours = |joint: usize| adjacency.row(joint);
    let mut seen = vec![false; graph.joints()];
    let mut folded = Vec::with_capacity(graph.joints());
    for &joint in order.order() {
        if seen[joint] {
            continue;
        }
        match chain_through(joint, &neighbours) {
            // an order may begin inside a chain: what is left of it is no longer one
            Some(chain) if chain.len() <= LONGEST && chain.iter().all(|&j| !seen[j]) => {
                chain.iter().for_each(|&j| seen[j] = true);
                let half = chain.len() / 2;
                for k in 0..half {
                    folded.extend([chain[k], chain[chain.len() - 1 - k]]);
                }
                folded.extend(chain.get(half).filter(|_| chain.len() % 2 == 1));
            }
            _ => {
                seen[joint] = true;
                folded.push(joint);
            }
        }
    }
    Permutation::from_valid(folded)
}

/// The whole component of a joint from one end to the other, if it is a chain and the joint is one of its ends.
fn chain_through<'a>(joint: usize, neighbours: &impl Fn(usize) -> &'a [usize]) -> Option<Vec<usize>> {
    if neighbours(joint).len() != 1 {
        return None;
    }
    let (mut chain, mut before, mut at) = (vec![joint], joint, neighbours(joint)[0]);
    loop {
        chain.push(at);
        if chain.len() > LONGEST {
            return None;
        }
        match neighbours(at) {
            [_] => return Some(chain),
            &[a, b] => (before, at) = (at, if a == before { b } else { a }),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Metrics;

    fn chain(joints: usize) -> JointGraph {
        let pairs = (0..joints).map(|k| (k.checked_sub(1), Some(k), 5));
        JointGraph::from_pairs(joints, pairs).expect("a chain")
    }

    #[test]
    fn a_chain_is_eliminated_from_both_ends() {
        let graph = chain(5);
        let folded = fold_chains(&graph, &Permutation::identity(5));
        assert_eq!(folded.order(), [0, 4, 1, 3, 2]);
        let given = Metrics::new(&graph, &Permutation::identity(5));
        assert_eq!(Metrics::new(&graph, &folded).counts, given.counts);
    }

    #[test]
    fn an_order_that_begins_inside_a_chain_is_kept() {
        let inside = Permutation::new(vec![1, 0, 2, 3]).expect("an order");
        assert_eq!(fold_chains(&chain(4), &inside), inside);
    }

    #[test]
    fn loops_and_branches_keep_their_order() {
        // a chain of three, closed to a ring by a fourth joint
        let ring = JointGraph::from_pairs(
            4,
            [(Some(0), Some(1), 2), (Some(1), Some(2), 2), (Some(2), Some(3), 2), (Some(3), Some(0), 2)],
        )
        .expect("a ring");
        assert_eq!(fold_chains(&ring, &Permutation::identity(4)), Permutation::identity(4));
        let star = JointGraph::from_pairs(4, (1..4).map(|k| (Some(0), Some(k), 2))).expect("a star");
        assert_eq!(fold_chains(&star, &Permutation::identity(3)), Permutation::identity(3));
    }
}
