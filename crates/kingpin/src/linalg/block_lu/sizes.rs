//! What the pivots of a block are measured against.

use super::PivotScalar;

/// A pivot has lost its digits where no more than this is left of what its row and column let expect.
const LOST: f64 = 1e-14;

/// Largest magnitudes in a block before it is factored: of all numbers, and of the first rows and columns.
pub(super) struct BlockSizes<const N: usize> {
    pub largest: f64,
    rows: [f64; N],
    columns: [f64; N],
}

impl<const N: usize> BlockSizes<N> {
    /// Those of a square block of rows of length `n`. What is no number is found out with the pivots. O(n^2)
    #[inline(always)]
    pub fn of<T: PivotScalar>(n: usize, d: &[T]) -> Self {
        Self::of_rows(d.chunks_exact(n.max(1)))
    }

    /// The same by rows.
    #[inline(always)]
    pub fn of_rows<'a, T: PivotScalar + 'a>(d: impl Iterator<Item = &'a [T]>) -> Self {
        let more = |most: f64, x: f64| if x > most { x } else { most };
        let mut sizes = Self { largest: 0.0, rows: [0.0; N], columns: [0.0; N] };
        for (i, row) in d.enumerate() {
            let mut most = 0.0;
            for (j, x) in row.iter().enumerate() {
                most = more(most, x.magnitude());
                if j < N {
                    sizes.columns[j] = more(sizes.columns[j], x.magnitude());
                }
            }
            if i < N {
                sizes.rows[i] = most;
            }
            sizes.largest = more(sizes.largest, most);
        }
        sizes
    }

    /// Whether a pivot is none: it is not above the `threshold` as a part of the block, nor is more left of it than
    /// rounding errors of a^2/m, which numbers a in its row and column make of a block with m in it. In blocks of heavy
    /// bodies those are the pivots of equations, and far smaller than the block.
    #[inline(always)]
    pub fn vanishes(&self, pivot: f64, [row, column]: [usize; 2], threshold: f64) -> bool {
        if pivot > threshold * self.largest && pivot.is_finite() {
            return false;
        }
        let expected = |list: &[f64; N], k: usize| list.get(k).copied().unwrap_or(self.largest);
        let expected = expected(&self.rows, row) * (expected(&self.columns, column) / self.largest);
        !(pivot > LOST * expected && pivot.is_finite())
    }
}
