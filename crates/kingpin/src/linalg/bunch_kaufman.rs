//! Dense factorisation of symmetric indefinite matrices.

use super::dense_lu::SingularColumn;
use super::lanes::{Lanes, Machine, on_machine};

/// Factorisation `P A P^T = L D L^T` of a symmetric matrix, D with blocks of one or two rows, pivots chosen after
/// [Bunch and Kaufman 1977]. Column-major in storage owned by the caller; only the lower triangle is used.
/// O(rows^3 / 3).
#[derive(Debug, Clone, Copy)]
pub struct BunchKaufman {
    rows: usize,
    machine: Machine,
}

/// (1 + sqrt(17)) / 8: bounds the growth of elements for pivots of one and of two rows alike.
const ALPHA: f64 = 0.640_388_203_202_208_4;

impl BunchKaufman {
    /// For matrices of `rows` rows and columns.
    pub fn new(rows: usize) -> Self {
        Self { rows, machine: Machine::detect() }
    }

    /// Factors `a` in place. `pivots[k]` becomes the row exchanged with row k; both rows of a pivot of two get the
    /// row exchanged with the second, as its complement.
    ///
    /// # Panics
    /// If `a` or `pivots` has the wrong length.
    pub fn factor(&self, a: &mut [f64], pivots: &mut [isize]) -> Result<(), SingularColumn> {
        let n = self.rows;
        assert_eq!((a.len(), pivots.len()), (n * n, n), "lengths of the matrix and the pivots");
        on_machine!(self.machine, factor, (n: usize, a: &mut [f64], pivots: &mut [isize])
            -> Result<(), SingularColumn>)
    }

    /// Solves in place with the factors.
    ///
    /// # Panics
    /// If a length is wrong.
    pub fn solve(&self, a: &[f64], pivots: &[isize], x: &mut [f64]) {
        let n = self.rows;
        assert_eq!((a.len(), pivots.len(), x.len()), (n * n, n, n), "lengths of matrix, pivots and vector");
        on_machine!(self.machine, solve, (n: usize, a: &[f64], pivots: &[isize], x: &mut [f64]));
    }
}

/// Exchanges rows and columns k and p of what is left, k < p.
fn exchange(n: usize, a: &mut [f64], k: usize, p: usize) {
    for i in p + 1..n {
        a.swap(i + k * n, i + p * n);
    }
    for i in k + 1..p {
        a.swap(i + k * n, p + i * n);
    }
    a.swap(k + k * n, p + p * n);
}

/// The greatest element of a column below row `from`, with its row.
fn greatest(n: usize, a: &[f64], column: usize, from: usize) -> (usize, f64) {
    (from..n).map(|i| (i, a[i + column * n].abs())).fold((from, 0.0), |m, x| if x.1 > m.1 { x } else { m })
}

/// `P A P^T = L D L^T` with blocks of one and two rows in D [Bunch and Kaufman 1977], `a` overwritten by L below D.
///
/// A diagonal element serves as pivot if it is not much smaller than what it would be divided into; if it is, the
/// row of the greatest element below it gives a pivot of its own or, with this one, a block of two rows.
#[inline(always)]
fn factor<L: Lanes>(lanes: L, n: usize, a: &mut [f64], pivots: &mut [isize]) -> Result<(), SingularColumn> {
    let mut k = 0;
    while k < n {
        let own = a[k + k * n].abs();
        let (row, below) = greatest(n, a, k, k + 1);
        let size = own.max(below);
        let sound = size > 0.0 && size.is_finite();
        if !sound {
            return Err(SingularColumn { column: k, pivot: size, scale: size });
        }
        let (mut p, mut two) = (k, false);
        if own < ALPHA * below {
            // the greatest element beside the diagonal of that row
            let left = (k..row).map(|j| a[row + j * n].abs()).fold(0.0, f64::max);
            let beside = left.max(greatest(n, a, row, row + 1).1);
            if own * beside < ALPHA * below * below {
                p = row;
                two = a[row + row * n].abs() < ALPHA * beside;
            }
        }
        let at = if two { k + 1 } else { k };
        if p != at {
            exchange(n, a, at, p);
            if two {
                a.swap(k + 1 + k * n, p + k * n);
            }
        }
        if two {
            update_two(lanes, n, a, k);
            (pivots[k], pivots[k + 1]) = (!(p as isize), !(p as isize));
            k += 2;
        } else {
            update_one(lanes, n, a, k);
            pivots[k] = p as isize;
            k += 1;
        }
    }
    Ok(())
}

/// `y += k x`.
#[inline(always)]
fn add<L: Lanes>(lanes: L, k: f64, x: &[f64], y: &mut [f64]) {
    for (x, y) in x.iter().zip(y) {
        *y = lanes.mul_add(k, *x, *y);
    }
}

/// `A -= w w^T / d` on what is left, and `l = w / d`.
#[inline(always)]
fn update_one<L: Lanes>(lanes: L, n: usize, a: &mut [f64], k: usize) {
    let r = 1.0 / a[k + k * n];
    let (done, rest) = a.split_at_mut((k + 1) * n);
    let w = &mut done[k * n..];
    for (j, column) in (k + 1..n).zip(rest.chunks_exact_mut(n)) {
        add(lanes, -w[j] * r, &w[j..], &mut column[j..]);
    }
    w[k + 1..].iter_mut().for_each(|w| *w *= r);
}

/// `A -= W D^-1 W^T` on what is left, D of two rows, and `L = W D^-1`.
#[inline(always)]
fn update_two<L: Lanes>(lanes: L, n: usize, a: &mut [f64], k: usize) {
    let (d11, d21, d22) = (a[k + k * n], a[k + 1 + k * n], a[k + 1 + (k + 1) * n]);
    let det = d11 * d22 - d21 * d21;
    let (done, rest) = a.split_at_mut((k + 2) * n);
    let (first, second) = done[k * n..].split_at_mut(n);
    for (j, column) in (k + 2..n).zip(rest.chunks_exact_mut(n)) {
        let (u, v) = (first[j], second[j]);
        let (l1, l2) = ((d22 * u - d21 * v) / det, (d11 * v - d21 * u) / det);
        add(lanes, -l1, &first[j..], &mut column[j..]);
        add(lanes, -l2, &second[j..], &mut column[j..]);
        (first[j], second[j]) = (l1, l2);
    }
}

/// `x = P^T L^-T D^-1 L^-1 P x`; exchanges are made when their column is reached.
#[inline(always)]
fn solve<L: Lanes>(lanes: L, n: usize, a: &[f64], pivots: &[isize], x: &mut [f64]) {
    // D^-1 L^-1 P x, downward
    let mut k = 0;
    while k < n {
        let column = |k: usize| &a[k * n..(k + 1) * n];
        if pivots[k] >= 0 {
            x.swap(k, pivots[k] as usize);
            let x_k = x[k];
            add(lanes, -x_k, &column(k)[k + 1..], &mut x[k + 1..]);
            x[k] /= column(k)[k];
            k += 1;
        } else {
            x.swap(k + 1, !pivots[k] as usize);
            let (u, v) = (x[k], x[k + 1]);
            add(lanes, -u, &column(k)[k + 2..], &mut x[k + 2..]);
            add(lanes, -v, &column(k + 1)[k + 2..], &mut x[k + 2..]);
            let (d11, d21, d22) = (column(k)[k], column(k)[k + 1], column(k + 1)[k + 1]);
            let det = d11 * d22 - d21 * d21;
            (x[k], x[k + 1]) = ((d22 * u - d21 * v) / det, (d11 * v - d21 * u) / det);
            k += 2;
        }
    }
    // P^T L^-T, upward
    let mut k = n;
    while k > 0 {
        let two = pivots[k - 1] < 0;
        let first = if two { k - 2 } else { k - 1 };
        for c in first..k {
            let sum: f64 = a[c * n + k..(c + 1) * n].iter().zip(&x[k..]).map(|(l, x)| l * x).sum();
            x[c] -= sum;
        }
        if two {
            x.swap(k - 1, !pivots[k - 1] as usize);
        } else {
            x.swap(k - 1, pivots[k - 1] as usize);
        }
        k = first;
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Random;
    use super::*;

    #[test]
    fn indefinite_systems_are_solved() {
        let mut random = Random::new(9);
        let mut pairs = 0;
        for n in 1..40 {
            let mut a = vec![0.0; n * n];
            for i in 0..n {
                // a zero block on the diagonal asks for pivots of two rows
                for j in 0..=i {
                    let x = if j >= n.div_ceil(2) { 0.0 } else { random.signed() };
                    (a[i + j * n], a[j + i * n]) = (x, x);
                }
            }
            let x = random.vector(n);
            let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| a[i + j * n] * x[j]).sum()).collect();
            let (solver, mut pivots) = (BunchKaufman::new(n), vec![0; n]);
            solver.factor(&mut a, &mut pivots).expect("regular");
            solver.solve(&a, &pivots, &mut b);
            let error = b.iter().zip(&x).fold(0.0_f64, |m, (b, x)| m.max((b - x).abs()));
            assert!(error < 1e-8, "{n}: {error:e}");
            pairs += pivots.iter().filter(|p| **p < 0).count();
        }
        assert!(pairs > 20, "{pairs}");
    }

    #[test]
    fn a_singular_matrix_is_an_error() {
        let solver = BunchKaufman::new(2);
        assert_eq!(solver.factor(&mut [0.0; 4], &mut [0; 2]).err().map(|e| e.column), Some(0));
    }
}
