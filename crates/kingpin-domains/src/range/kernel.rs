//! Factors and solutions of as many substructures at once as there are lanes.
//!
//! Coefficients of a factor have `C` lanes and right sides `X`: one coefficient for all lanes where substructures are
//! alike (`C = 1`), one per lane where they differ (`C = LANES`), and three axes per substructure (`X = 3 C` or 3 LANES)
//! where axes have the same coefficients.

use super::lanes::{Arithmetic, Kernel};
use super::pattern::Pattern;

/// `L D L^T` in place: diagonal elements, then the entries of the pattern, of A before and of `D^-1` and L after.
pub(crate) struct Factor<'a, const C: usize> {
    pub pattern: &'a Pattern,
    pub values: &'a mut [[f64; C]],
    /// Room for the entries times pivots.
    pub scaled: &'a mut [[f64; C]],
}

/// A pivot is at least this part of the diagonal element it comes from.
const LEAST_PIVOT: f64 = 1e-13;

impl<const C: usize> Kernel for Factor<'_, C> {
    /// A row and a lane without a pivot are the error.
    type Out = Result<(), (usize, usize)>;

    #[inline(always)]
    fn run<A: Arithmetic>(self, arithmetic: A) -> Result<(), (usize, usize)> {
        let (pattern, scaled) = (self.pattern, self.scaled);
        let n = pattern.rows();
        let (inverse, lower) = self.values.split_at_mut(n);
        for i in 0..n {
            let given = inverse[i];
            let mut pivot = given;
            for entry in pattern.row(i) {
                let mut sum = lower[entry];
                for &[a, b] in pattern.products(entry) {
                    let (a, b) = (&scaled[a as usize], &lower[b as usize]);
                    for l in 0..C {
                        sum[l] = arithmetic.mul_add(-a[l], b[l], sum[l]);
                    }
                }
                let over = &inverse[pattern.column(entry)];
                for l in 0..C {
                    scaled[entry][l] = sum[l];
                    lower[entry][l] = sum[l] * over[l];
                    pivot[l] = arithmetic.mul_add(-sum[l], lower[entry][l], pivot[l]);
                }
            }
            for l in 0..C {
                let sound = pivot[l] > LEAST_PIVOT * given[l];
                if !sound {
                    return Err((i, l));
                }
                inverse[i][l] = 1.0 / pivot[l];
            }
        }
        Ok(())
    }
}

/// `x = A^-1 x` with a factor.
pub(crate) struct Solve<'a, const C: usize, const X: usize> {
    pub pattern: &'a Pattern,
    pub values: &'a [[f64; C]],
    pub x: &'a mut [[f64; X]],
}

impl<const C: usize, const X: usize> Kernel for Solve<'_, C, X> {
    type Out = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self, arithmetic: A) {
        let (pattern, x) = (self.pattern, self.x);
        let n = pattern.rows();
        let (inverse, lower) = self.values.split_at(n);
        for i in 0..n {
            let mut sum = x[i];
            for entry in pattern.row(i) {
                let (c, known) = (&lower[entry], &x[pattern.column(entry)]);
                for l in 0..X {
                    sum[l] = arithmetic.mul_add(-c[l % C], known[l], sum[l]);
                }
            }
            x[i] = sum;
        }
        for j in (0..n).rev() {
            let mut sum = x[j];
            let over = &inverse[j];
            for l in 0..X {
                sum[l] *= over[l % C];
            }
            for &[row, entry] in pattern.below(j) {
                let (c, known) = (&lower[entry as usize], &x[row as usize]);
                for l in 0..X {
                    sum[l] = arithmetic.mul_add(-c[l % C], known[l], sum[l]);
                }
            }
            x[j] = sum;
        }
    }
}

/// `y = S x` with a dense matrix by rows.
pub(crate) struct Dense<'a, const C: usize, const X: usize> {
    pub matrix: &'a [[f64; C]],
    pub x: &'a [[f64; X]],
    pub y: &'a mut [[f64; X]],
}

impl<const C: usize, const X: usize> Kernel for Dense<'_, C, X> {
    type Out = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self, arithmetic: A) {
        let n = self.x.len();
        for (row, y) in self.matrix.chunks_exact(n.max(1)).zip(self.y) {
            let mut sum = [0.0; X];
            for (c, x) in row.iter().zip(self.x) {
                for l in 0..X {
                    sum[l] = arithmetic.mul_add(c[l % C], x[l], sum[l]);
                }
            }
            *y = sum;
        }
    }
}
