//! Incomplete block Cholesky factorisation: the blocks that the matrix has, and no fill.

use super::entry::{Entry, ZeroPivot};
use super::pattern::{BlockPattern, positions};
use std::ops::Range;

/// `S ~ L L^T` where L has the blocks of the lower triangle of S along an order and no others; what elimination would
/// put elsewhere is dropped. Exact where the order makes no fill. A preconditioner.
///
/// The value array belongs to the caller: S before [`factor`](Self::factor), L after it.
#[derive(Debug, Clone)]
pub struct IncompleteCholesky {
    columns: Vec<SparseColumn>,
    lowers: Vec<SparseBlock>,
    updates: Vec<SparseUpdate>,
    position: Vec<usize>,
    end: usize,
    rows: usize,
}

/// A column of blocks, in the order of elimination.
#[derive(Debug, Clone)]
struct SparseColumn {
    block: usize,
    /// First number of its diagonal block.
    at: usize,
    size: usize,
    /// First scalar row.
    row: usize,
    lowers: Range<usize>,
    updates: Range<usize>,
}

/// A block below the diagonal.
#[derive(Debug, Clone)]
struct SparseBlock {
    position: usize,
    at: usize,
    rows: usize,
    row: usize,
}

/// A product of two blocks of a column, taken away from a block that is there.
#[derive(Debug, Clone)]
struct SparseUpdate {
    left: usize,
    right: usize,
    to: usize,
}

impl IncompleteCholesky {
    /// Symbolic phase for eliminating block `order[0]` first. O(pairs of blocks in a column, over all columns).
    ///
    /// # Panics
    /// If `order` is not a permutation of the blocks.
    pub fn analyse(pattern: &BlockPattern, order: &[usize]) -> Self {
        let position = positions(order, pattern.blocks());
        let (sizes, offsets) = (pattern.sizes(), pattern.offsets());
        let (mut columns, mut lowers, mut end) = (Vec::new(), Vec::new(), 0);
        for (p, &block) in order.iter().enumerate() {
            let (at, size, first) = (end, sizes[block], lowers.len());
            end += size * size;
            let mut later: Vec<usize> =
                pattern.neighbours(block).iter().map(|&n| position[n]).filter(|&q| q > p).collect();
            later.sort_unstable();
            for q in later {
                let (rows, row) = (sizes[order[q]], offsets[order[q]]);
                lowers.push(SparseBlock { position: q, at: end, rows, row });
                end += rows * size;
            }
            let (lowers, row) = (first..lowers.len(), offsets[block]);
            columns.push(SparseColumn { block, at, size, row, lowers, updates: 0..0 });
        }
        let (rows, updates) = (pattern.rows(), Vec::new());
        let mut own = Self { columns, lowers, updates, position, end, rows };
        own.schedule();
        own
    }

    /// Lists the products whose target is there.
    fn schedule(&mut self) {
        for p in 0..self.columns.len() {
            let (own, first) = (self.columns[p].lowers.clone(), self.updates.len());
            for right in own.clone() {
                for left in right..own.end {
                    let (q, r) = (self.lowers[left].position, self.lowers[right].position);
                    if let Some(to) = self.block_at(q, r) {
                        self.updates.push(SparseUpdate { left, right, to });
                    }
                }
            }
            self.columns[p].updates = first..self.updates.len();
        }
    }

    /// Where the block of two positions is, the later first.
    fn block_at(&self, q: usize, p: usize) -> Option<usize> {
        let column = &self.columns[p];
        if q == p {
            return Some(column.at);
        }
        let own = &self.lowers[column.lowers.clone()];
        own.binary_search_by_key(&q, |lower| lower.position).ok().map(|k| own[k].at)
    }

    /// Length of the value array, room for the diagonal included.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.end + self.rows
    }

    /// Scalar rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Where to assemble block (`i`, `j`) of S; `None` if S has no such block.
    pub fn locate(&self, i: usize, j: usize) -> Option<Entry> {
        let (p, q) = (*self.position.get(i)?, *self.position.get(j)?);
        if p < q {
            return self.locate(j, i).map(Entry::transposed);
        }
        let offset = self.block_at(p, q)?;
        let (rows, cols) = (self.columns[p].size, self.columns[q].size);
        Some(Entry { offset, rows, cols, row_stride: 1, col_stride: rows })
    }

    /// Makes the diagonal of S larger by a part of it, before it is factored.
    pub fn enlarge(&self, values: &mut [f64], part: f64) {
        for column in &self.columns {
            for k in 0..column.size {
                values[column.at + k * column.size + k] *= 1.0 + part;
            }
        }
    }

    /// Multiply-adds of one factorisation, and of one solution.
    pub fn operations(&self) -> [usize; 2] {
        let mut sums = [0, 0];
        for column in &self.columns {
            let n = column.size;
            let below: usize = self.lowers[column.lowers.clone()].iter().map(|lower| lower.rows).sum();
            let products = self.updates[column.updates.clone()].iter();
            let products: usize =
                products.map(|u| self.lowers[u.left].rows * self.lowers[u.right].rows * n).sum();
            sums[0] += n * n * n / 6 + below * n * n / 2 + products;
            sums[1] += n * n + 2 * below * n;
        }
        sums
    }

    /// Factors S in place. A pivot not above `threshold` times its diagonal element stops it: what was dropped may have
    /// made it so although S is definite. No allocation.
    pub fn factor(&self, values: &mut [f64], threshold: f64) -> Result<(), ZeroPivot> {
        let (values, diagonal) = values.split_at_mut(self.end);
        for column in &self.columns {
            for k in 0..column.size {
                diagonal[column.row + k] = values[column.at + k * column.size + k];
            }
        }
        for column in &self.columns {
            let n = column.size;
            let (own, rest) = values[column.at..].split_at_mut(n * n);
            root(own, n, &diagonal[column.row..], threshold).map_err(|(row, pivot, scale)| ZeroPivot {
                block: column.block,
                row,
                pivot,
                scale,
            })?;
            let lowers = &self.lowers[column.lowers.clone()];
            for lower in lowers {
                divide(&mut rest[lower.at - column.at - n * n..][..lower.rows * n], own, n, lower.rows);
            }
            for update in &self.updates[column.updates.clone()] {
                self.subtract(values, update, n);
            }
        }
        Ok(())
    }

    /// Target -= left right^T; targets come after their column.
    fn subtract(&self, values: &mut [f64], update: &SparseUpdate, n: usize) {
        let (left, right) = (&self.lowers[update.left], &self.lowers[update.right]);
        let (from, to) = values.split_at_mut(update.to);
        let diagonal = update.left == update.right;
        for c in 0..right.rows {
            for r in if diagonal { c } else { 0 }..left.rows {
                let mut sum = 0.0;
                for k in 0..n {
                    sum += from[left.at + k * left.rows + r] * from[right.at + k * right.rows + c];
                }
                to[c * left.rows + r] -= sum;
            }
        }
    }

    /// x = (L L^T)^-1 x, in natural order. No allocation.
    pub fn solve(&self, values: &[f64], x: &mut [f64]) {
        for column in &self.columns {
            let (n, own) = (column.size, column.row);
            for c in 0..n {
                for k in 0..c {
                    x[own + c] -= values[column.at + k * n + c] * x[own + k];
                }
                x[own + c] /= values[column.at + c * n + c];
            }
            for lower in &self.lowers[column.lowers.clone()] {
                for c in 0..n {
                    let (factor, from) = (x[own + c], &values[lower.at + c * lower.rows..][..lower.rows]);
                    let to = &mut x[lower.row..lower.row + lower.rows];
                    to.iter_mut().zip(from).for_each(|(x, l)| *x -= l * factor);
                }
            }
        }
        for column in self.columns.iter().rev() {
            let (n, own) = (column.size, column.row);
            for lower in &self.lowers[column.lowers.clone()] {
                for c in 0..n {
                    let from = &values[lower.at + c * lower.rows..][..lower.rows];
                    let sum: f64 = from.iter().zip(&x[lower.row..]).map(|(l, x)| l * x).sum();
                    x[own + c] -= sum;
                }
            }
            for c in (0..n).rev() {
                for k in c + 1..n {
                    x[own + c] -= values[column.at + c * n + k] * x[own + k];
                }
                x[own + c] /= values[column.at + c * n + c];
            }
        }
    }
}

/// The Cholesky factor of a dense block, lower triangle, by columns; or row, pivot and diagonal element where it ends.
fn root(block: &mut [f64], n: usize, diagonal: &[f64], threshold: f64) -> Result<(), (usize, f64, f64)> {
    for c in 0..n {
        for k in 0..c {
            let factor = block[k * n + c];
            for r in c..n {
                block[c * n + r] -= factor * block[k * n + r];
            }
        }
        let pivot = block[c * n + c];
        let large = pivot > threshold * diagonal[c] && pivot > 0.0;
        if !large || !pivot.is_finite() {
            return Err((c, pivot, diagonal[c]));
        }
        let size = pivot.sqrt();
        block[c * n + c..(c + 1) * n].iter_mut().for_each(|x| *x /= size);
    }
    Ok(())
}

/// B = B L^-T for a block below the diagonal.
fn divide(below: &mut [f64], own: &[f64], n: usize, rows: usize) {
    for c in 0..n {
        for k in 0..c {
            for r in 0..rows {
                below[c * rows + r] -= below[k * rows + r] * own[k * n + c];
            }
        }
        below[c * rows..(c + 1) * rows].iter_mut().for_each(|x| *x /= own[c * n + c]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of two, three and one rows; the matrix is diagonally dominant.
    fn filled(pairs: &[(usize, usize)], order: &[usize]) -> (IncompleteCholesky, Vec<f64>, Vec<Vec<f64>>) {
        let pattern = BlockPattern::new(vec![2, 3, 1, 2], pairs);
        let factor = IncompleteCholesky::analyse(&pattern, order);
        let (mut values, n) = (vec![0.0; factor.len()], pattern.rows());
        let mut dense = vec![vec![0.0; n]; n];
        let offsets = pattern.offsets();
        for i in 0..4 {
            for j in 0..=i {
                let Some(entry) = factor.locate(i, j) else { continue };
                for r in 0..entry.rows {
                    for c in 0..entry.cols {
                        let (row, column) = (offsets[i] + r, offsets[j] + c);
                        let x = if row == column { 9.0 } else { 1.0 / (1 + row + column) as f64 };
                        values[entry.index(r, c)] = x;
                        (dense[row][column], dense[column][row]) = (x, x);
                    }
                }
            }
        }
        (factor, values, dense)
    }

    #[test]
    fn without_fill_it_is_exact() {
        let (factor, mut values, dense) = filled(&[(0, 1), (1, 2), (2, 3)], &[0, 3, 1, 2]);
        factor.factor(&mut values, 1e-13).expect("definite");
        let mut x: Vec<f64> = (0..8).map(|k| 1.0 + k as f64).collect();
        factor.solve(&values, &mut x);
        for (k, row) in dense.iter().enumerate() {
            let b: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((b - 1.0 - k as f64).abs() < 1e-12, "row {k}: {b}");
        }
        assert!(factor.operations().iter().all(|&n| n > 0) && factor.rows() == 8);
    }

    #[test]
    fn fill_is_dropped_and_what_is_there_is_kept() {
        // block 0 first joins all others, which are not neighbours of each other
        let (factor, mut values, dense) = filled(&[(0, 1), (0, 2), (0, 3)], &[0, 1, 2, 3]);
        assert_eq!(factor.locate(1, 2), None);
        factor.factor(&mut values, 1e-13).expect("definite");
        // L L^T has the blocks of S where S has blocks: solving for its first column gives a unit vector
        let mut x: Vec<f64> = dense.iter().map(|row| row[0]).collect();
        factor.solve(&values, &mut x);
        assert!((x[0] - 1.0).abs() < 1e-12 && x[1..].iter().all(|x| x.abs() < 1e-12), "{x:?}");
    }

    #[test]
    fn what_is_not_definite_is_said_and_a_larger_diagonal_helps() {
        let pattern = BlockPattern::new(vec![1, 1], &[(0, 1)]);
        let factor = IncompleteCholesky::analyse(&pattern, &[0, 1]);
        let fill = |values: &mut [f64]| {
            for (i, j, x) in [(0, 0, 1.0), (1, 0, 2.0), (1, 1, 1.0)] {
                values[factor.locate(i, j).expect("there").offset] = x;
            }
        };
        let mut values = vec![0.0; factor.len()];
        fill(&mut values);
        let failed = factor.factor(&mut values, 1e-13).expect_err("indefinite");
        assert_eq!((failed.block, failed.row, failed.pivot, failed.scale), (1, 0, -3.0, 1.0));
        fill(&mut values);
        factor.enlarge(&mut values, 3.0);
        factor.factor(&mut values, 1e-13).expect("definite by now");
    }
}
