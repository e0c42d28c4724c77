//! A triangular factor without its diagonal, by columns.

use std::ops::Range;

/// The entries off the diagonal of a triangular matrix, by columns.
#[derive(Clone, Debug)]
pub(crate) struct Triangle {
    pub starts: Vec<u32>,
    pub rows: Vec<u32>,
    pub values: Vec<f64>,
}

impl Triangle {
    /// No entries yet, room for some.
    pub fn with_capacity(n: usize, entries: usize) -> Triangle {
        let (rows, values) = (Vec::with_capacity(entries), Vec::with_capacity(entries));
        Triangle { starts: vec![0; n + 1], rows, values }
    }

    /// Where the entries of column `k` are stored.
    #[inline]
    pub fn column(&self, k: usize) -> Range<usize> {
        self.starts[k] as usize..self.starts[k + 1] as usize
    }

    /// `x -= T_k xk`, T_k the k-th column
    #[inline]
    pub fn subtract_column(&self, k: usize, xk: f64, x: &mut [f64]) {
        let column = self.column(k);
        for (&row, &value) in self.rows[column.clone()].iter().zip(&self.values[column]) {
            x[row as usize] -= value * xk;
        }
    }

    /// `T_k^T x`, T_k the k-th column
    #[inline]
    pub fn column_times(&self, k: usize, x: &[f64]) -> f64 {
        let column = self.column(k);
        let entries = self.rows[column.clone()].iter().zip(&self.values[column]);
        entries.map(|(&row, &value)| value * x[row as usize]).sum()
    }
}
