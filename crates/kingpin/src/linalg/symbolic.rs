//! Symbolic elimination: the elimination tree and the block columns of the factor, fill included.

use super::pattern::{BlockPattern, starts};

/// No parent: the root of a tree.
pub(super) const ROOT: u32 = u32::MAX;

/// Block structure of a Cholesky factor, in elimination positions.
pub(super) struct FactorStructure {
    /// Start of each column in `rows`.
    pub first: Vec<usize>,
    /// Positions below the diagonal of each column, ascending.
    pub rows: Vec<u32>,
    /// Elimination tree: the first position below the diagonal, or [`ROOT`].
    pub parent: Vec<u32>,
}

impl FactorStructure {
    /// Eliminates the blocks of `pattern` in `order` (`position` is its inverse).
    ///
    /// The rows of column p are those of the matrix and of p's children in the tree [Liu 1990]: each
    /// column is merged once, into its parent, so the cost is that of sorting the factor's columns.
    pub fn new(pattern: &BlockPattern, order: &[usize], position: &[usize]) -> Self {
        let blocks = order.len();
        let mut tree = Self { first: vec![0], rows: Vec::new(), parent: vec![ROOT; blocks] };
        let (mut child, mut sibling) = (vec![ROOT; blocks], vec![ROOT; blocks]);
        let mut seen_by = vec![ROOT; blocks];
        for p in 0..blocks {
            let start = tree.rows.len();
            seen_by[p] = p as u32;
            // rows of the matrix
            for &neighbour in pattern.neighbours(order[p]) {
                tree.merge(position[neighbour], p, &mut seen_by);
            }
            // rows inherited from the children
            let mut c = child[p];
            while c != ROOT {
                for k in tree.first[c as usize]..tree.first[c as usize + 1] {
                    tree.merge(tree.rows[k] as usize, p, &mut seen_by);
                }
                c = sibling[c as usize];
            }
            tree.rows[start..].sort_unstable();
            tree.first.push(tree.rows.len());
            // hang p below its first row
            if let Some(&parent) = tree.rows.get(start) {
                tree.parent[p] = parent;
                sibling[p] = child[parent as usize];
                child[parent as usize] = p as u32;
            }
        }
        tree
    }

    fn merge(&mut self, row: usize, p: usize, seen_by: &mut [u32]) {
        if row > p && seen_by[row] != p as u32 {
            seen_by[row] = p as u32;
            self.rows.push(row as u32);
        }
    }

    /// Positions below the diagonal of column `p`, ascending.
    pub fn column(&self, p: usize) -> &[u32] {
        &self.rows[self.first[p]..self.first[p + 1]]
    }

    /// The factor by rows: for each position k the start of its list, and the list of `(column j, index of k
    /// in column j)`, j ascending.
    pub fn by_rows(&self) -> (Vec<usize>, Vec<(u32, u32)>) {
        let blocks = self.parent.len();
        let first = starts(blocks, self.rows.iter().map(|&row| row as usize));
        let mut next = first.clone();
        let mut entries = vec![(0, 0); self.rows.len()];
        for j in 0..blocks {
            for (index, &k) in self.column(j).iter().enumerate() {
                entries[next[k as usize]] = (j as u32, index as u32);
                next[k as usize] += 1;
            }
        }
        (first, entries)
    }

    /// The children of each position: starts, and the flat list.
    pub fn children(&self) -> (Vec<usize>, Vec<u32>) {
        let blocks = self.parent.len();
        let of = |p: usize| self.parent[p] as usize;
        let first = starts(blocks, (0..blocks).filter(|&p| self.parent[p] != ROOT).map(of));
        let mut next = first.clone();
        let mut list = vec![0; first[blocks]];
        for p in (0..blocks).filter(|&p| self.parent[p] != ROOT) {
            list[next[of(p)]] = p as u32;
            next[of(p)] += 1;
        }
        (first, list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::pattern::positions;

    fn eliminate(blocks: usize, pairs: &[(usize, usize)], order: &[usize]) -> FactorStructure {
        let pattern = BlockPattern::new(vec![1; blocks], pairs);
        FactorStructure::new(&pattern, order, &positions(order, blocks))
    }

    #[test]
    fn a_ring_fills_towards_its_last_block() {
        let tree = eliminate(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], &[0, 1, 2, 3, 4]);
        let columns: Vec<_> = (0..5).map(|p| tree.column(p).to_vec()).collect();
        assert_eq!(columns, [vec![1, 4], vec![2, 4], vec![3, 4], vec![4], vec![]]);
        assert_eq!(tree.parent, [1, 2, 3, 4, ROOT]);
        assert_eq!(tree.children().1, [0, 1, 2, 3]);
    }

    #[test]
    fn a_star_fills_only_when_its_centre_goes_first() {
        let star = [(0, 1), (0, 2), (0, 3)];
        assert_eq!(eliminate(4, &star, &[0, 1, 2, 3]).rows.len(), 6);
        let tree = eliminate(4, &star, &[1, 2, 3, 0]);
        assert_eq!(tree.rows, [3, 3, 3]);
        assert_eq!(tree.by_rows().1, [(0, 0), (1, 0), (2, 0)]);
    }

    #[test]
    fn fill_agrees_with_dense_symbolic_elimination() {
        // a fixed pseudo-random graph of 40 blocks
        let mut state = 7u64;
        let mut draw = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % 40
        };
        let pairs: Vec<_> = (0..60).map(|_| (draw(), draw())).collect();
        let order: Vec<_> = (0..40).map(|p| p * 7 % 40).collect();
        let tree = eliminate(40, &pairs, &order);
        let position = positions(&order, 40);
        let mut full = vec![[false; 40]; 40];
        for &(i, j) in &pairs {
            full[position[i]][position[j]] = true;
            full[position[j]][position[i]] = true;
        }
        for p in 0..40 {
            let below: Vec<usize> = (p + 1..40).filter(|&i| full[p][i]).collect();
            assert_eq!(tree.column(p).iter().map(|&i| i as usize).collect::<Vec<_>>(), below);
            for &i in &below {
                for &j in &below {
                    full[i][j] = true;
                }
            }
        }
    }
}
