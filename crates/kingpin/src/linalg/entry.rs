//! Where a block lies in a value array, and the pivot that stopped a factorisation.

use std::fmt;

/// Place of block (i, j) in a value array: element (r, c) is at `offset + r row_stride + c col_stride`.
///
/// Found once by a solver's `locate` and kept by the caller, who adds the numbers of each evaluation there.
/// The block of the other triangle, (j, i), is the same storage with the strides exchanged. Of a diagonal
/// block only the elements with r >= c are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Index of element (0, 0).
    pub offset: usize,
    /// Rows of block (i, j).
    pub rows: usize,
    /// Columns of block (i, j).
    pub cols: usize,
    /// Step from one row to the next.
    pub row_stride: usize,
    /// Step from one column to the next.
    pub col_stride: usize,
}

impl Entry {
    /// Index of element (`r`, `c`).
    #[inline]
    pub fn index(&self, r: usize, c: usize) -> usize {
        self.offset + r * self.row_stride + c * self.col_stride
    }

    /// The place of block (j, i).
    pub(super) fn transposed(self) -> Self {
        Self {
            rows: self.cols,
            cols: self.rows,
            row_stride: self.col_stride,
            col_stride: self.row_stride,
            ..self
        }
    }
}

/// A pivot too small, relative to the diagonal element it started from, to divide by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZeroPivot {
    /// Block, in natural order.
    pub block: usize,
    /// Row within the block.
    pub row: usize,
    /// What elimination left of the diagonal element; negative or NaN if the matrix was not positive.
    pub pivot: f64,
    /// The diagonal element as assembled.
    pub scale: f64,
}

impl fmt::Display for ZeroPivot {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { block, row, pivot, scale } = self;
        write!(f, "zero pivot in row {row} of block {block}: {pivot:e} left of {scale:e}")
    }
}

impl std::error::Error for ZeroPivot {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposition_exchanges_subscripts() {
        let entry = Entry { offset: 7, rows: 2, cols: 3, row_stride: 1, col_stride: 2 };
        assert_eq!(entry.index(1, 2), 12);
        assert_eq!(entry.transposed().index(2, 1), 12);
        assert_eq!((entry.transposed().rows, entry.transposed().cols), (3, 2));
    }

    #[test]
    fn a_zero_pivot_reads_as_a_sentence() {
        let pivot = ZeroPivot { block: 3, row: 1, pivot: 1e-17, scale: 2.0 };
        assert_eq!(pivot.to_string(), "zero pivot in row 1 of block 3: 1e-17 left of 2e0");
    }
}
