//! Graphs for the tests: the published mechanisms, regular families and random ones.

use std::collections::BTreeSet;

use super::graph::JointGraph;
use super::permutation::Permutation;
use super::random::Random;
use super::split::BodyTree;

/// Bodies of the joints of the HMMWV of Table III, counted from 1; body 1 is the chassis.
const HMMWV: [(usize, usize); 21] = [
    (2, 4),
    (3, 4),
    (5, 7),
    (6, 7),
    (8, 10),
    (9, 10),
    (11, 13),
    (12, 13),
    (14, 4),
    (14, 7),
    (1, 2),
    (1, 3),
    (1, 5),
    (1, 6),
    (1, 10),
    (1, 13),
    (1, 8),
    (1, 9),
    (1, 11),
    (1, 12),
    (1, 14),
];
/// Equations of its joints: 3 spherical, 1 distance, 5 revolute and translational.
const HMMWV_SIZE: [usize; 21] = [3, 3, 3, 3, 3, 3, 3, 3, 1, 1, 5, 5, 5, 5, 1, 1, 5, 3, 3, 5, 5];

/// The HMMWV of Table III: 14 bodies, 21 joints.
pub(super) fn hmmwv() -> JointGraph {
    let joints = HMMWV.iter().zip(HMMWV_SIZE).map(|(&(a, b), size)| ([a - 1, b - 1], size));
    JointGraph::new(14, joints).unwrap()
}

/// The seven-body mechanism of Table II, bodies K1..K7 counted from 1 and 0 for ground.
pub(super) fn seven_body() -> JointGraph {
    let pairs: [(usize, usize); 10] =
        [(0, 1), (1, 2), (2, 6), (2, 3), (3, 4), (4, 5), (5, 0), (7, 0), (6, 7), (3, 0)];
    let joints = pairs.map(|(a, b)| (a.checked_sub(1), b.checked_sub(1), 2));
    JointGraph::from_pairs(7, joints).unwrap()
}

/// `n` bodies hanging on one hub, body 0.
pub(super) fn star(n: usize) -> JointGraph {
    JointGraph::new(n + 1, (0..n).map(|j| ([0, j + 1], 5))).unwrap()
}

/// `n` bodies in a row, the first held by ground.
pub(super) fn chain(n: usize) -> JointGraph {
    JointGraph::from_pairs(n, (0..n).map(|j| (j.checked_sub(1), Some(j), 5))).unwrap()
}

/// Two chains of `n` bodies with a rung between every pair: `3n` joints.
pub(super) fn ladder(n: usize) -> JointGraph {
    let rails = (0..n).flat_map(move |i| {
        let below = i.checked_sub(1);
        let left = (below.map(|b| 2 * b), Some(2 * i), 5);
        let right = (below.map(|b| 2 * b + 1), Some(2 * i + 1), 5);
        [left, right, (Some(2 * i), Some(2 * i + 1), 1)]
    });
    JointGraph::from_pairs(2 * n, rails).unwrap()
}

/// A hub carrying `n` closed loops of four joints each.
pub(super) fn rosette(n: usize) -> JointGraph {
    let joints = (0..n).flat_map(|i| {
        let body = 1 + 3 * i;
        [([0, body], 5), ([body, body + 1], 3), ([body + 1, body + 2], 3), ([body + 2, 0], 1)]
    });
    JointGraph::new(1 + 3 * n, joints).unwrap()
}

/// A closed ring of `n` bodies, each also held by a hub: `2n` joints.
pub(super) fn wheel(n: usize) -> JointGraph {
    let joints = (0..n).flat_map(|i| [([1 + i, 1 + (i + 1) % n], 5), ([0, 1 + i], 5)]);
    JointGraph::new(1 + n, joints).unwrap()
}

/// A random tree of `n` bodies hanging on ground.
pub(super) fn random_tree(seed: u64, n: usize) -> JointGraph {
    let mut random = Random::new(seed);
    let joints: Vec<_> =
        (0..n).map(|j| (j.checked_sub(1).map(|top| random.below(top + 1)), Some(j), 1 + j % 6)).collect();
    JointGraph::from_pairs(n, joints).unwrap()
}

/// `joints` random joints, mostly of two bodies, some of none, one, three or four.
pub(super) fn random_graph(seed: u64, joints: usize, bodies: usize) -> JointGraph {
    let mut random = Random::new(seed);
    let lists: Vec<_> = (0..joints)
        .map(|_| {
            let many = [2, 2, 2, 2, 2, 1, 1, 0, 3, 4][random.below(10)];
            ((0..many).map(|_| random.below(bodies)).collect::<Vec<_>>(), 1 + random.below(6))
        })
        .collect();
    JointGraph::new(bodies, lists).unwrap()
}

/// A random order.
pub(super) fn random_order(seed: u64, n: usize) -> Permutation {
    let mut random = Random::new(seed ^ 0x5eed);
    let mut order: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        order.swap(i, random.below(i + 1));
    }
    Permutation::new(order).unwrap()
}

/// An order written with joints counted from 1, as in the papers.
pub(super) fn order_from_one(labels: &[usize]) -> Permutation {
    Permutation::new(labels.iter().map(|&label| label - 1).collect()).unwrap()
}

/// Eliminates on explicit sets: the places below the diagonal of each column.
pub(super) fn brute_force_columns(graph: &JointGraph, order: &Permutation) -> Vec<Vec<usize>> {
    let n = graph.joints();
    let mut rows: Vec<BTreeSet<usize>> = (0..n)
        .map(|place| {
            let joint = order.order()[place];
            let share =
                |other: usize| graph.bodies_of(other).iter().any(|b| graph.bodies_of(joint).contains(b));
            (0..n).filter(|&p| p != place && share(order.order()[p])).collect()
        })
        .collect();
    (0..n)
        .map(|place| {
            let column: Vec<usize> = rows[place].iter().copied().filter(|&p| p > place).collect();
            for &a in &column {
                rows[a].extend(column.iter().copied().filter(|&b| b != a));
            }
            column
        })
        .collect()
}

/// A split of the HMMWV chassis by its name in the table of known splits.
///
/// The corners FR, FL, RR, RL carry {11, 12}, {13, 14}, {15, 17, 18}, {16, 19, 20}; joint 21 is the rack.
pub(super) fn hmmwv_split(name: &str) -> BodyTree {
    // Piece of the rack joint, number of pieces (corners 0 to 3), and the fixed joints.
    type Shape = (usize, usize, Vec<(usize, usize)>);
    let (rack, pieces, links): Shape = match name {
        "A" => (6, 7, vec![(0, 4), (1, 4), (2, 5), (3, 5), (4, 6), (5, 6)]),
        "E" => (6, 7, vec![(0, 4), (2, 4), (1, 5), (3, 5), (4, 6), (5, 6)]),
        "B" => (4, 7, vec![(0, 4), (4, 5), (1, 5), (5, 6), (2, 6), (3, 6)]),
        "S1" => (0, 5, vec![(2, 4), (3, 4), (1, 0), (1, 4)]),
        _ => (0, 6, vec![(1, 4), (2, 5), (0, 4), (3, 5), (4, 5)]),
    };
    let mut joints = vec![Vec::new(); pieces];
    joints[..4].clone_from_slice(&[vec![10, 11], vec![12, 13], vec![14, 16, 17], vec![15, 18, 19]]);
    joints[rack].push(20);
    BodyTree { body: 0, pieces: joints, links }
}
