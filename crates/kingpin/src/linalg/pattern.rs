//! The block sparsity pattern of a symmetric matrix.

use super::lanes::{Arithmetic, Machine};

/// Block sizes and the pairs of blocks that may be nonzero; the diagonal always is.
///
/// Neighbours are stored for both halves of the matrix, because an elimination order decides only
/// later which half of a pair is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockPattern {
    sizes: Vec<usize>,
    offsets: Vec<usize>,
    first: Vec<usize>,
    neighbours: Vec<usize>,
    arithmetic: Arithmetic,
}

impl BlockPattern {
    /// The pattern with the given block sizes and the off-diagonal blocks `(i, j)` in any order and
    /// orientation; repetitions and pairs `(i, i)` are ignored. O(blocks + pairs log pairs).
    ///
    /// # Panics
    /// If a pair names a block that does not exist.
    pub fn new(sizes: Vec<usize>, pairs: &[(usize, usize)]) -> Self {
        let blocks = sizes.len();
        assert!(pairs.iter().all(|&(i, j)| i < blocks && j < blocks), "pair outside the {blocks} blocks");
        let mut both: Vec<(usize, usize)> =
            pairs.iter().filter(|(i, j)| i != j).flat_map(|&(i, j)| [(i, j), (j, i)]).collect();
        both.sort_unstable();
        both.dedup();
        Self {
            offsets: prefix_sums(sizes.iter().copied()),
            first: starts(blocks, both.iter().map(|&(i, _)| i)),
            neighbours: both.into_iter().map(|(_, j)| j).collect(),
            sizes,
            arithmetic: Arithmetic::Fastest,
        }
    }

    /// The same pattern, for solvers with another arithmetic.
    pub fn with(mut self, arithmetic: Arithmetic) -> Self {
        self.arithmetic = arithmetic;
        self
    }

    /// The same pattern, for solvers with the arithmetic of another.
    pub(super) fn with_machine_of(mut self, other: &BlockPattern) -> Self {
        self.arithmetic = other.arithmetic;
        self
    }

    /// What solvers of this pattern run on.
    pub(super) fn machine(&self) -> Machine {
        self.arithmetic.machine()
    }

    /// Number of block rows.
    pub fn blocks(&self) -> usize {
        self.sizes.len()
    }

    /// Number of scalar rows.
    pub fn rows(&self) -> usize {
        self.offsets[self.sizes.len()]
    }

    /// Scalar rows of each block.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// First scalar row of each block, and the number of scalar rows as the last element.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// Blocks that share an off-diagonal block with block `i`, ascending.
    pub fn neighbours(&self, i: usize) -> &[usize] {
        &self.neighbours[self.first[i]..self.first[i + 1]]
    }

    /// The off-diagonal blocks of the lower triangle, `(i, j)` with `i > j`, row by row.
    pub fn lower(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.blocks())
            .flat_map(move |i| self.neighbours(i).iter().take_while(move |&&j| j < i).map(move |&j| (i, j)))
    }
}

/// `[0, a0, a0 + a1, ...]`.
pub(super) fn prefix_sums(terms: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut total = 0;
    std::iter::once(0)
        .chain(terms.map(|term| {
            total += term;
            total
        }))
        .collect()
}

/// Where each of `lists` lists starts in a flat array, given the list each item belongs to.
pub(super) fn starts(lists: usize, owner: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut counts = vec![0; lists];
    for list in owner {
        counts[list] += 1;
    }
    prefix_sums(counts.into_iter())
}

/// The inverse permutation: `position[order[p]] = p`.
///
/// # Panics
/// If `order` is not a permutation of the `blocks` blocks.
pub(super) fn positions(order: &[usize], blocks: usize) -> Vec<usize> {
    assert_eq!(order.len(), blocks, "an order has one entry per block");
    let mut position = vec![usize::MAX; blocks];
    for (p, &block) in order.iter().enumerate() {
        assert!(
            block < blocks && position[block] == usize::MAX,
            "block {block} repeated or unknown in order"
        );
        position[block] = p;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_symmetrised_and_deduplicated() {
        let pattern = BlockPattern::new(vec![2, 0, 3, 1], &[(0, 2), (2, 0), (3, 2), (1, 1)]);
        assert_eq!(pattern.offsets(), [0, 2, 2, 5, 6]);
        assert_eq!(pattern.neighbours(2), [0, 3]);
        assert!(pattern.neighbours(1).is_empty());
        assert_eq!(pattern.lower().collect::<Vec<_>>(), [(2, 0), (3, 2)]);
    }

    #[test]
    fn empty_pattern() {
        let pattern = BlockPattern::new(vec![], &[]);
        assert_eq!((pattern.blocks(), pattern.rows(), pattern.lower().count()), (0, 0, 0));
    }

    #[test]
    #[should_panic(expected = "repeated or unknown")]
    fn an_order_must_be_a_permutation() {
        positions(&[0, 0], 2);
    }
}
