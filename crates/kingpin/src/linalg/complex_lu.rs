//! Dense LU factorisation of complex matrices with partial pivoting.

use super::SingularColumn;

/// Factorisation `P A = L U` of a square complex matrix in storage owned by the caller: column after column, of each
/// first the real parts, then the imaginary ones. O(8 rows^3 / 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComplexLu {
    rows: usize,
}

impl ComplexLu {
    /// For matrices of `rows` rows and columns.
    pub fn new(rows: usize) -> Self {
        Self { rows }
    }

    /// Length of the value array; element (i, j) is at `i + 2 j rows`, its imaginary part `rows` later.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        2 * self.rows * self.rows
    }

    /// Factors `a` in place; `exchange[k]` becomes the row exchanged with row k. A column without any number but zeros
    /// is an error.
    ///
    /// # Panics
    /// If `a` is not [`len`](Self::len) long or `exchange` has not one element per row.
    pub fn factor(&self, a: &mut [f64], exchange: &mut [usize]) -> Result<(), SingularColumn> {
        let n = self.rows;
        assert_eq!((a.len(), exchange.len()), (2 * n * n, n), "lengths of the matrix and the exchanges");
        for k in 0..n {
            // the largest element of the column becomes the pivot
            let (re, im) = a[2 * k * n..][..2 * n].split_at(n);
            let candidates = (k..n).map(|i| (i, re[i] * re[i] + im[i] * im[i]));
            let (p, square) =
                candidates.fold((k, 0.0), |best, next| if next.1 > best.1 { next } else { best });
            if !(square > 0.0 && square.is_finite()) {
                let scale = a.iter().fold(0.0, |scale: f64, x| scale.max(x.abs()));
                return Err(SingularColumn { column: k, pivot: square.sqrt(), scale });
            }
            exchange[k] = p;
            for parts in a.chunks_exact_mut(n) {
                parts.swap(k, p);
            }
            // elimination from the columns to the right
            let (left, right) = a.split_at_mut(2 * (k + 1) * n);
            let (re, im) = left[2 * k * n..].split_at_mut(n);
            let inverse = (re[k] / square, -im[k] / square);
            for (re, im) in re[k + 1..].iter_mut().zip(&mut im[k + 1..]) {
                (*re, *im) = times((*re, *im), inverse);
            }
            for column in right.chunks_exact_mut(2 * n) {
                let (x, y) = column.split_at_mut(n);
                let factor = (x[k], y[k]);
                subtract(factor, (&re[k + 1..], &im[k + 1..]), (&mut x[k + 1..], &mut y[k + 1..]));
            }
        }
        Ok(())
    }

    /// Solves `A (re + i im) = b` in place.
    ///
    /// # Panics
    /// If a length is wrong.
    pub fn solve(&self, lu: &[f64], exchange: &[usize], re: &mut [f64], im: &mut [f64]) {
        let n = self.rows;
        let lengths = (lu.len(), exchange.len(), re.len(), im.len());
        assert_eq!(lengths, (2 * n * n, n, n, n), "lengths of the factor and the vector");
        for (k, &p) in exchange.iter().enumerate() {
            re.swap(k, p);
            im.swap(k, p);
        }
        let column = |k: usize| lu[2 * k * n..][..2 * n].split_at(n);
        for k in 0..n {
            let (x, y) = column(k);
            let factor = (re[k], im[k]);
            subtract(factor, (&x[k + 1..], &y[k + 1..]), (&mut re[k + 1..], &mut im[k + 1..]));
        }
        for k in (0..n).rev() {
            let (x, y) = column(k);
            let square = x[k] * x[k] + y[k] * y[k];
            let factor = times((re[k], im[k]), (x[k] / square, -y[k] / square));
            (re[k], im[k]) = factor;
            subtract(factor, (&x[..k], &y[..k]), (&mut re[..k], &mut im[..k]));
        }
    }
}

fn times(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// `y -= k x`.
#[inline]
fn subtract((re, im): (f64, f64), (x_re, x_im): (&[f64], &[f64]), (y_re, y_im): (&mut [f64], &mut [f64])) {
    for ((y_re, y_im), (x_re, x_im)) in y_re.iter_mut().zip(y_im).zip(x_re.iter().zip(x_im)) {
        *y_re -= re * x_re - im * x_im;
        *y_im -= re * x_im + im * x_re;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::tests::Random;

    #[test]
    fn solves_random_systems() {
        for n in 0..20 {
            let mut random = Random::new(n as u64);
            let (a, x, y) = (random.vector(2 * n * n), random.vector(n), random.vector(n));
            let (mut re, mut im) = (vec![0.0; n], vec![0.0; n]);
            for j in 0..n {
                for i in 0..n {
                    let product = times((a[2 * j * n + i], a[2 * j * n + n + i]), (x[j], y[j]));
                    (re[i], im[i]) = (re[i] + product.0, im[i] + product.1);
                }
            }
            let (lu, mut factors, mut exchange) = (ComplexLu::new(n), a, vec![0; n]);
            assert_eq!(factors.len(), lu.len());
            lu.factor(&mut factors, &mut exchange).unwrap();
            lu.solve(&factors, &exchange, &mut re, &mut im);
            let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-10);
            assert!(near(&re, &x) && near(&im, &y), "{n} rows");
        }
    }

    #[test]
    fn a_column_of_zeros_is_named() {
        // second column = i times the first
        let mut a = [1.0, 2.0, 0.0, 1.0, 0.0, -1.0, 1.0, 2.0];
        let error = ComplexLu::new(2).factor(&mut a, &mut [0; 2]).unwrap_err();
        assert_eq!((error.column, error.pivot), (1, 0.0));
    }
}
