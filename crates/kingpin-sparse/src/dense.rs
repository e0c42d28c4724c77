//! Dense symmetric matrices of moderate order, by their lower triangle.

use crate::SparseError;
use crate::frontal::dense::{self, Packed};
use crate::lanes;
use crate::pattern::check_length;

/// `y = A x` of a symmetric matrix of order `x.len()` by its lower triangle, column by column of that many numbers each;
/// those above the diagonal are not read. O(n^2), each number read once
pub fn symmetric_times(lower: &[f64], x: &[f64], y: &mut [f64]) -> Result<(), SparseError> {
    check_length(lower.len(), x.len() * x.len())?;
    check_length(y.len(), x.len())?;
    lanes::symmetric(lower, x.len(), x, y);
    Ok(())
}

/// `L D L^T` of a dense symmetric matrix without pivoting: right for definite matrices.
#[derive(Clone, Debug, Default)]
pub struct DenseLdlt {
    lower: Vec<f64>,
    pivots: Vec<f64>,
}

impl DenseLdlt {
    /// Factors a matrix of order `n` given by its lower triangle, as for [`symmetric_times`]. O(n^3)
    ///
    /// # Errors
    /// [`SparseError::ZeroPivot`] if a pivot is no more than a rounding error, times `slack`, of the diagonal of the
    /// matrix.
    pub fn factor(n: usize, mut lower: Vec<f64>, slack: f64) -> Result<DenseLdlt, SparseError> {
        check_length(lower.len(), n * n)?;
        let scales: Vec<f64> = (0..n).map(|j| lower[j * n + j].abs()).collect();
        let mut pivots = vec![0.0; n];
        let least = slack * crate::ROUNDING;
        dense::factor(&mut lower, n, &mut pivots, &scales, least, &mut Packed::default())
            .map_err(|index| SparseError::ZeroPivot { index })?;
        Ok(DenseLdlt { lower, pivots })
    }

    /// The order of the matrix.
    pub fn order(&self) -> usize {
        self.pivots.len()
    }

    /// The pivots, as many positive ones as the matrix has positive eigenvalues.
    pub fn pivots(&self) -> &[f64] {
        &self.pivots
    }

    /// Replaces right sides, one behind the other, by solutions. O(n^2) for each
    pub fn solve(&self, x: &mut [f64]) -> Result<(), SparseError> {
        let n = self.order();
        if n == 0 {
            return check_length(x.len(), 0);
        }
        check_length(x.len(), x.len().div_ceil(n) * n)?;
        for side in x.chunks_mut(n) {
            lanes::forward(&self.lower, n, n, side);
            side.iter_mut().zip(&self.pivots).for_each(|(x, pivot)| *x /= pivot);
            lanes::backward(&self.lower, n, n, side);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    fn definite(n: usize) -> DMatrix<f64> {
        let a = DMatrix::from_fn(n, n, |i, j| ((i * 7 + j * 13) % 11) as f64 / 11.0 - 0.4);
        &a * a.transpose() + DMatrix::identity(n, n)
    }

    #[test]
    fn products_and_solutions_are_those_of_the_full_matrix() {
        for n in [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 19, 33, 70, 131] {
            let full = definite(n);
            let mut lower = full.as_slice().to_vec();
            // what lies above the diagonal is not read
            for j in 0..n {
                lower[j * n..j * n + j].fill(f64::NAN);
            }
            let x = DVector::from_fn(n, |i, _| (i as f64 * 0.7).sin());
            let mut y = vec![0.0; n];
            symmetric_times(&lower, x.as_slice(), &mut y).unwrap();
            let size = full.amax().max(1.0) * n.max(1) as f64;
            assert!((&full * &x - DVector::from_vec(y.clone())).amax() < 1e-14 * size, "order {n}");
            DenseLdlt::factor(n, lower, 1.0).unwrap().solve(&mut y).unwrap();
            assert!((x - DVector::from_vec(y)).amax() < 1e-11 * size, "order {n}");
        }
    }

    #[test]
    fn what_is_singular_is_named() {
        let ones = vec![1.0; 9];
        assert_eq!(DenseLdlt::factor(3, ones, 1.0).err(), Some(SparseError::ZeroPivot { index: 1 }));
    }
}
