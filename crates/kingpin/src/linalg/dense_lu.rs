//! Dense LU factorisation with partial pivoting.

use std::fmt;

/// Factorisation `P A = L U` of a square matrix, column-major in storage owned by the caller.
/// O(2 rows^3 / 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DenseLu {
    rows: usize,
}

/// A column without a usable pivot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SingularColumn {
    /// Column of A.
    pub column: usize,
    /// Largest candidate.
    pub pivot: f64,
    /// Largest element of A.
    pub scale: f64,
}

impl fmt::Display for SingularColumn {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { column, pivot, scale } = self;
        write!(f, "no pivot in column {column}: at most {pivot:e} in a matrix of size {scale:e}")
    }
}

impl std::error::Error for SingularColumn {}

impl DenseLu {
    /// For matrices of `rows` rows and columns.
    pub fn new(rows: usize) -> Self {
        Self { rows }
    }

    /// Length of the value array; element (i, j) is at `i + j rows`.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.rows * self.rows
    }

    /// Factors `a` in place; `exchange[k]` becomes the row exchanged with row k. A pivot whose magnitude is
    /// not above `threshold` times the largest element of A is an error.
    ///
    /// # Panics
    /// If `a` is not [`len`](Self::len) long or `exchange` has not one element per row.
    pub fn factor(
        &self,
        a: &mut [f64],
        exchange: &mut [usize],
        threshold: f64,
    ) -> Result<(), SingularColumn> {
        let n = self.rows;
        assert_eq!((a.len(), exchange.len()), (n * n, n), "lengths of the matrix and the exchanges");
        let scale = a.iter().fold(0.0, |scale: f64, x| scale.max(x.abs()));
        for k in 0..n {
            // the largest element of the column becomes the pivot
            let candidates = (k..n).map(|i| (i, a[k * n + i].abs()));
            let (p, pivot) =
                candidates.fold((k, 0.0), |best, next| if next.1 > best.1 { next } else { best });
            if !(pivot > threshold * scale && pivot.is_finite()) {
                return Err(SingularColumn { column: k, pivot, scale });
            }
            exchange[k] = p;
            for column in a.chunks_exact_mut(n) {
                column.swap(k, p);
            }
            // elimination from the columns to the right
            let (left, right) = a.split_at_mut((k + 1) * n);
            let l = &mut left[k * n..];
            let inverse = 1.0 / l[k];
            for l_ik in &mut l[k + 1..] {
                *l_ik *= inverse;
            }
            for column in right.chunks_exact_mut(n) {
                subtract(column[k], &l[k + 1..], &mut column[k + 1..]);
            }
        }
        Ok(())
    }

    /// Solves `A x = b` in place.
    ///
    /// # Panics
    /// If a length is wrong.
    pub fn solve(&self, lu: &[f64], exchange: &[usize], x: &mut [f64]) {
        let n = self.rows;
        assert_eq!(
            (lu.len(), exchange.len(), x.len()),
            (n * n, n, n),
            "lengths of the factor and the vector"
        );
        for (k, &p) in exchange.iter().enumerate() {
            x.swap(k, p);
        }
        for k in 0..n {
            let (above, below) = x.split_at_mut(k + 1);
            subtract(above[k], &lu[k * n + k + 1..][..n - k - 1], below);
        }
        for k in (0..n).rev() {
            let (above, below) = x.split_at_mut(k);
            below[0] /= lu[k * n + k];
            subtract(below[0], &lu[k * n..][..k], above);
        }
    }

    /// Solves `A^T x = b` in place.
    ///
    /// # Panics
    /// If a length is wrong.
    pub fn solve_transposed(&self, lu: &[f64], exchange: &[usize], x: &mut [f64]) {
        let n = self.rows;
        assert_eq!(
            (lu.len(), exchange.len(), x.len()),
            (n * n, n, n),
            "lengths of the factor and the vector"
        );
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b);
        for k in 0..n {
            x[k] = (x[k] - dot(&lu[k * n..][..k], &x[..k])) / lu[k * n + k];
        }
        for k in (0..n).rev() {
            x[k] -= dot(&lu[k * n + k + 1..][..n - k - 1], &x[k + 1..]);
        }
        for (k, &p) in exchange.iter().enumerate().rev() {
            x.swap(k, p);
        }
    }
}

/// `y -= k x`.
#[inline]
fn subtract(k: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y -= k * x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::tests::Random;

    fn product(a: &[f64], x: &[f64], transposed: bool) -> Vec<f64> {
        let n = x.len();
        let at = |i: usize, j: usize| if transposed { a[j + i * n] } else { a[i + j * n] };
        (0..n).map(|i| (0..n).map(|j| at(i, j) * x[j]).sum()).collect()
    }

    #[test]
    fn solves_random_systems_and_their_transposes() {
        for n in 0..20 {
            let mut random = Random::new(n as u64);
            let (a, x) = (random.vector(n * n), random.vector(n));
            let (lu, mut factors, mut exchange) = (DenseLu::new(n), a.clone(), vec![0; n]);
            lu.factor(&mut factors, &mut exchange, 1e-14).unwrap();
            for transposed in [false, true] {
                let mut b = product(&a, &x, transposed);
                if transposed {
                    lu.solve_transposed(&factors, &exchange, &mut b);
                } else {
                    lu.solve(&factors, &exchange, &mut b);
                }
                assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-10), "{n} rows");
            }
        }
    }

    #[test]
    fn pivots_where_the_diagonal_is_zero() {
        let (lu, mut a, mut exchange) = (DenseLu::new(2), [0.0, 2.0, 3.0, 0.0], [0; 2]);
        lu.factor(&mut a, &mut exchange, 0.0).unwrap();
        let mut x = [6.0, 8.0];
        lu.solve(&a, &exchange, &mut x);
        assert_eq!((exchange, x), ([1, 1], [4.0, 2.0]));
    }

    #[test]
    fn a_dependent_column_is_named() {
        // third column = first + second
        let mut a = [1.0, 2.0, 0.0, 0.0, 1.0, 4.0, 1.0, 3.0, 4.0];
        let error = DenseLu::new(3).factor(&mut a, &mut [0; 3], 1e-14).unwrap_err();
        assert_eq!((error.column, error.scale), (2, 4.0));
        assert!(error.pivot <= 1e-15);
        assert!(error.to_string().starts_with("no pivot in column 2"));
    }
}
