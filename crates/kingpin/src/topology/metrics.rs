//! What an order costs: envelope measures, isolation-elimination counts and scalar work.

use super::graph::JointGraph;
use super::permutation::Permutation;
use super::symbolic::EliminationTree;

/// Bandwidth, envelope and work of an envelope factorisation, in blocks [Serban 1997, Eqs 24 to 27].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct EnvelopeSize {
    /// The largest row width `beta_i = i - (first neighbour of i with lower number)`.
    pub bandwidth: u64,
    /// The sum of the row widths.
    pub envelope: u64,
    /// `1/2 sum beta_i (beta_i + 3)`: block products and block inversions, diagonal not counted.
    pub work: u64,
    /// `1/2 sum (beta_i^2 + 3 beta_i + 2)` over all rows but the first: with the diagonal factorisations.
    pub work_with_diagonal: u64,
}

/// Block operations of the isolation-elimination process (Negrut, section 4; Tables I to III).
///
/// Eliminating a joint with `k` remaining neighbours costs `k` isolation products, `k(k+1)/2` symmetric
/// updates and `k` products on the right-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// Block additions, `A = M - F`.
    pub additions: u64,
    /// Block multiplications, `M = sum k(k+1)/2 + 2k`.
    pub multiplications: u64,
    /// Block inversions as the paper counts them, `I = sum (1 + k)`: the blocks of the factor.
    pub inversions: u64,
    /// Fill: blocks of the factor that are zero in the matrix, `F`.
    pub fill: u64,
    /// Nonzero blocks in the upper half of the matrix, `NNZ = joints + edges`.
    pub nonzeros: u64,
}

/// Everything an order is judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Metrics {
    /// Envelope measures.
    pub envelope: EnvelopeSize,
    /// Block operations of sparse elimination.
    pub counts: Counts,
    /// Scalar multiply-adds of sparse elimination with the true block sizes.
    pub scalar_work: u64,
    /// Levels of the elimination tree: the length of the longest chain of dependent eliminations.
    pub tree_height: usize,
}

/// The measure by which elimination work is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum WorkMeasure {
    /// Block multiplications `M`, every joint counting alike, as in the published tables.
    Blocks,
    /// Scalar multiply-adds with the true number of equations of each joint.
    #[default]
    Scalar,
}

fn saturate(x: u128) -> u64 {
    u64::try_from(x).unwrap_or(u64::MAX)
}

/// Block multiplications of eliminating a joint with `k` remaining neighbours.
pub(super) fn block_work(k: u64) -> u128 {
    let k = u128::from(k);
    k * (k + 1) / 2 + 2 * k
}

/// Multiply-adds of eliminating a pivot of `p` rows coupled to `q` rows:
/// `p(p+1)(p+2)/6 + q p(p+1)/2 + p q(q+1)/2`.
pub(super) fn pivot_work(p: u64, q: u64) -> u128 {
    let (p, q) = (u128::from(p), u128::from(q));
    p * (p + 1) * (p + 2) / 6 + q * p * (p + 1) / 2 + p * q * (q + 1) / 2
}

impl EnvelopeSize {
    /// Measures an order, which must name all joints. Linear in the number of (joint, body) pairs.
    pub fn new(graph: &JointGraph, permutation: &Permutation) -> Self {
        let position = permutation.position();
        let mut first = vec![usize::MAX; graph.bodies()];
        for (body, slot) in first.iter_mut().enumerate() {
            *slot = graph.joints_on(body).iter().map(|&j| position[j]).min().unwrap_or(usize::MAX);
        }
        let widths = permutation.order().iter().enumerate().map(|(place, &joint)| {
            let lowest = graph.bodies_of(joint).iter().map(|&b| first[b]).min().unwrap_or(place);
            (place - lowest) as u64
        });
        Self::from_widths(widths)
    }

    fn from_widths(widths: impl Iterator<Item = u64>) -> Self {
        let (mut bandwidth, mut envelope, mut work, mut rows) = (0, 0u128, 0u128, 0u128);
        for beta in widths {
            bandwidth = beta.max(bandwidth);
            let beta = u128::from(beta);
            envelope += beta;
            work += beta * (beta + 3) / 2;
            rows += 1;
        }
        Self {
            bandwidth,
            envelope: saturate(envelope),
            work: saturate(work),
            work_with_diagonal: saturate(work + rows.saturating_sub(1)),
        }
    }
}

impl Counts {
    fn new(graph: &JointGraph, tree: &EliminationTree) -> Self {
        let multiplications: u128 = tree.count.iter().map(|&k| block_work(k as u64)).sum();
        let entries: u128 = tree.count.iter().map(|&k| k as u128).sum();
        let fill = entries - u128::from(graph.edges());
        let joints = graph.joints() as u128;
        Self {
            additions: saturate(multiplications - fill),
            multiplications: saturate(multiplications),
            inversions: saturate(entries + joints),
            fill: saturate(fill),
            nonzeros: saturate(joints + u128::from(graph.edges())),
        }
    }
}

impl Metrics {
    /// Measures an order, which must name all joints. Almost linear in the number of (joint, body) pairs.
    pub fn new(graph: &JointGraph, permutation: &Permutation) -> Self {
        Self::counted(graph, permutation, &mut 0)
    }

    pub(super) fn counted(graph: &JointGraph, permutation: &Permutation, steps: &mut u64) -> Self {
        let tree = EliminationTree::counted(graph, permutation, steps);
        let scalar_work: u128 = permutation
            .order()
            .iter()
            .zip(&tree.rows)
            .map(|(&joint, &rows)| pivot_work(graph.size(joint) as u64, rows))
            .sum();
        Self {
            envelope: EnvelopeSize::new(graph, permutation),
            counts: Counts::new(graph, &tree),
            scalar_work: saturate(scalar_work),
            tree_height: tree.height(),
        }
    }

    /// The work by the given measure.
    pub fn work(&self, measure: WorkMeasure) -> u64 {
        match measure {
            WorkMeasure::Blocks => self.counts.multiplications,
            WorkMeasure::Scalar => self.scalar_work,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{
        brute_force_columns, chain, hmmwv, order_from_one, random_graph, random_order, seven_body, star,
    };
    use super::*;

    fn counts(graph: &JointGraph, order: &Permutation) -> [u64; 5] {
        let c = Metrics::new(graph, order).counts;
        [c.additions, c.multiplications, c.inversions, c.fill, c.nonzeros]
    }

    fn envelope(graph: &JointGraph, order: &Permutation) -> [u64; 4] {
        let e = EnvelopeSize::new(graph, order);
        [e.bandwidth, e.envelope, e.work, e.work_with_diagonal]
    }

    #[test]
    fn table_1_star() {
        let published =
            [(3, 10, 6), (4, 22, 10), (5, 40, 15), (6, 65, 21), (7, 98, 28), (8, 140, 36), (16, 920, 136)];
        for (n, products, blocks) in published {
            let found = counts(&star(n), &Permutation::identity(n));
            assert_eq!(found, [products, products, blocks, 0, blocks]);
            let n = n as u64;
            assert_eq!((products, blocks), (n * (n - 1) * (n + 7) / 6, n * (n + 1) / 2));
        }
    }

    #[test]
    fn table_2_seven_body_mechanism() {
        let graph = seven_body();
        let good = order_from_one(&[1, 2, 7, 6, 5, 8, 9, 3, 4, 10]);
        let bad = order_from_one(&[4, 2, 3, 5, 6, 9, 1, 7, 8, 10]);
        assert_eq!(counts(&graph, &good), [35, 35, 21, 0, 21]);
        assert_eq!(counts(&graph, &bad), [111, 130, 40, 19, 21]);
    }

    #[test]
    fn table_3_vehicle() {
        let graph = hmmwv();
        let bad = [21, 20, 19, 18, 17, 11, 12, 13, 14, 15, 16, 9, 10, 7, 8, 5, 6, 1, 2, 3, 4];
        assert_eq!(counts(&graph, &Permutation::identity(21)), [459, 469, 109, 10, 99]);
        assert_eq!(counts(&graph, &order_from_one(&bad)), [1240, 1336, 195, 96, 99]);
        assert_eq!(Metrics::new(&graph, &Permutation::identity(21)).scalar_work, 16_373);
    }

    #[test]
    fn envelope_of_the_published_numberings() {
        let graph = seven_body();
        assert_eq!(envelope(&graph, &Permutation::identity(10)), [6, 19, 69, 78]);
        let narrow = order_from_one(&[6, 7, 5, 10, 4, 2, 3, 1, 9, 8]);
        assert_eq!(envelope(&graph, &narrow), [2, 14, 33, 42]);
        let cheap = order_from_one(&[7, 6, 5, 10, 4, 2, 1, 3, 9, 8]);
        assert_eq!(envelope(&graph, &cheap), [3, 12, 28, 37]);
        assert_eq!(envelope(&hmmwv(), &Permutation::identity(21)), [12, 138, 916, 936]);
    }

    #[test]
    fn envelope_of_the_chain_of_fifty() {
        let graph = chain(50);
        assert_eq!(envelope(&graph, &Permutation::identity(50)), [1, 49, 98, 147]);
        // Joint i of the chain is numbered 1, 50, 2, 49, ...
        let mut order = vec![0; 50];
        for joint in 0..50 {
            let number = if joint % 2 == 0 { joint / 2 } else { 49 - joint / 2 };
            order[number] = joint;
        }
        let zigzag = Permutation::new(order).unwrap();
        assert_eq!(envelope(&graph, &zigzag), [49, 625, 11_350, 11_399]);
    }

    #[test]
    fn closed_forms_equal_brute_force() {
        for seed in 0..60 {
            let graph = random_graph(seed, 18, 9);
            let order = random_order(seed, 18);
            let columns = brute_force_columns(&graph, &order);
            let entries: usize = columns.iter().map(Vec::len).sum();
            let m: u64 = columns.iter().map(|c| (c.len() * (c.len() + 1) / 2 + 2 * c.len()) as u64).sum();
            let fill = entries as u64 - graph.edges();
            let expected = [m - fill, m, entries as u64 + 18, fill, 18 + graph.edges()];
            assert_eq!(counts(&graph, &order), expected);
        }
    }

    #[test]
    fn enormous_work_saturates_instead_of_overflowing() {
        let graph = JointGraph::new(1, [([0], 1 << 24), ([0], 1 << 25)]).unwrap();
        assert_eq!(Metrics::new(&graph, &Permutation::identity(2)).scalar_work, u64::MAX);
    }
}
