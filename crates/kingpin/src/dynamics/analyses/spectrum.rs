//! Directions with and without stiffness.

use nalgebra::{DMatrix, DVector};

/// Singular values of a stiffness matrix below this part of the largest are round-off.
const NOTHING: f64 = 1e-11;

/// A square matrix by its singular values.
pub(in crate::dynamics) struct Spectrum {
    u: DMatrix<f64>,
    values: DVector<f64>,
    v_t: DMatrix<f64>,
    /// Values up to this count as zero.
    pub nothing: f64,
}

impl Spectrum {
    /// O(n^3). `natural` is a size below which by far (12 digits) values count as zero even if all are small.
    pub fn new(matrix: &DMatrix<f64>, natural: f64) -> Option<Spectrum> {
        if !matrix.iter().all(|x| x.is_finite()) {
            return None;
        }
        let most = 1000 + 100 * matrix.nrows();
        let svd = matrix.clone().try_svd(true, true, 5.0 * f64::EPSILON, most)?;
        let (u, v_t, values) = (svd.u?, svd.v_t?, svd.singular_values);
        let nothing = NOTHING * values.max().max(0.1 * natural);
        Some(Spectrum { u, values, v_t, nothing })
    }

    /// The solution of least norm.
    pub fn solve(&self, b: &DVector<f64>) -> DVector<f64> {
        let mut parts = self.u.tr_mul(b);
        for (x, s) in parts.iter_mut().zip(self.values.iter()) {
            *x = if *s > self.nothing { *x / s } else { 0.0 };
        }
        self.v_t.tr_mul(&parts)
    }

    /// The part of a right side that no solution yields.
    pub fn unreachable(&self, b: &DVector<f64>) -> DVector<f64> {
        let mut parts = self.u.tr_mul(b);
        for (x, s) in parts.iter_mut().zip(self.values.iter()) {
            if *s > self.nothing {
                *x = 0.0;
            }
        }
        &self.u * parts
    }

    /// The largest singular value.
    pub fn largest(&self) -> f64 {
        self.values.max()
    }

    /// An orthonormal basis: directions that the matrix takes to zero, and all others.
    pub fn basis(&self) -> (DMatrix<f64>, DMatrix<f64>) {
        self.basis_at(self.nothing)
    }

    /// The same with another level for zero.
    pub fn basis_at(&self, nothing: f64) -> (DMatrix<f64>, DMatrix<f64>) {
        let rows = |zero: bool| -> Vec<DVector<f64>> {
            let chosen = (0..self.values.len()).filter(|&k| (self.values[k] <= nothing) == zero);
            chosen.map(|k| self.v_t.row(k).transpose()).collect()
        };
        let matrix = |columns: Vec<DVector<f64>>| {
            if columns.is_empty() {
                DMatrix::zeros(self.v_t.ncols(), 0)
            } else {
                DMatrix::from_columns(&columns)
            }
        };
        (matrix(rows(true)), matrix(rows(false)))
    }
}
