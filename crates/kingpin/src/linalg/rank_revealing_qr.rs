//! Householder QR factorisation with column pivoting.

/// Factorisation `A P = Q R` of an `m x n` matrix, column-major in storage owned by the caller, with the
/// columns of A in order of decreasing remaining norm [Businger and Golub 1965]. O(m n rank).
///
/// After [`factor`](Self::factor) the upper triangle of the storage is R; below it lie the Householder
/// vectors, their first element 1 not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankRevealingQr {
    rows: usize,
    cols: usize,
}

impl RankRevealingQr {
    /// For matrices of `rows` rows and `cols` columns.
    pub fn new(rows: usize, cols: usize) -> Self {
        Self { rows, cols }
    }

    /// Length of the value array; element (i, j) is at `i + j rows`.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.rows * self.cols
    }

    /// Length of `tau`: `cols` reflection factors, then `2 cols` numbers of scratch.
    pub fn tau_len(&self) -> usize {
        3 * self.cols
    }

    /// Factors `a` in place and returns its rank: elimination stops when the largest remaining column norm
    /// is not above `tolerance` times the largest original one. `columns[k]` becomes the column of A in
    /// place k; the first `rank` of them are independent, and the trailing part of R is left as it was.
    ///
    /// # Panics
    /// If a length is wrong.
    pub fn factor(&self, a: &mut [f64], tau: &mut [f64], columns: &mut [usize], tolerance: f64) -> usize {
        let (m, n) = (self.rows, self.cols);
        assert_eq!((a.len(), tau.len(), columns.len()), (m * n, 3 * n, n), "lengths of the factor's parts");
        let (tau, scratch) = tau.split_at_mut(n);
        let (norms, reference) = scratch.split_at_mut(n);
        tau.fill(0.0);
        for j in 0..n {
            columns[j] = j;
            norms[j] = norm(&a[j * m..][..m]);
            reference[j] = norms[j];
        }
        let largest = norms.iter().fold(0.0, |largest: f64, &x| largest.max(x));
        for k in 0..m.min(n) {
            // the column with most left of it
            let p = (k + 1..n).fold(k, |best, j| if norms[j] > norms[best] { j } else { best });
            let significant = norms[p] > tolerance * largest;
            if !significant {
                return k;
            }
            if p != k {
                let (left, right) = a.split_at_mut(p * m);
                left[k * m..][..m].swap_with_slice(&mut right[..m]);
                columns.swap(k, p);
                norms[p] = norms[k];
                reference[p] = reference[k];
            }
            // its reflection onto the axis, applied to the columns to the right
            let (left, right) = a.split_at_mut((k + 1) * m);
            let v = &mut left[k * m + k..];
            tau[k] = householder(v);
            for (j, column) in (k + 1..n).zip(right.chunks_exact_mut(m)) {
                reflect(v, tau[k], &mut column[k..]);
                downdate(&column[k..], &mut norms[j], &mut reference[j]);
            }
        }
        m.min(n)
    }

    /// Element (`i`, `j`) of R, zero below the diagonal.
    pub fn r(&self, qr: &[f64], i: usize, j: usize) -> f64 {
        if i <= j { qr[i + j * self.rows] } else { 0.0 }
    }

    /// `|R_kk / R_00|`: how much of the best column remained when column k was taken.
    pub fn ratio(&self, qr: &[f64], k: usize) -> f64 {
        (self.r(qr, k, k) / self.r(qr, 0, 0)).abs()
    }

    /// `b = Q^T b` for a vector of `rows` elements.
    pub fn apply_q_transposed(&self, qr: &[f64], tau: &[f64], b: &mut [f64]) {
        for k in 0..self.rows.min(self.cols) {
            reflect(self.reflector(qr, k), tau[k], &mut b[k..]);
        }
    }

    /// `b = Q b` for a vector of `rows` elements.
    pub fn apply_q(&self, qr: &[f64], tau: &[f64], b: &mut [f64]) {
        for k in (0..self.rows.min(self.cols)).rev() {
            reflect(self.reflector(qr, k), tau[k], &mut b[k..]);
        }
    }

    /// The least-squares solution of `A x = b` that uses the first `rank` pivot columns only; `b` is
    /// overwritten with `Q^T b`, whose elements from `rank` on are the residual's.
    ///
    /// # Panics
    /// If a length is wrong.
    pub fn solve(
        &self,
        qr: &[f64],
        tau: &[f64],
        columns: &[usize],
        rank: usize,
        b: &mut [f64],
        x: &mut [f64],
    ) {
        assert_eq!((b.len(), x.len()), (self.rows, self.cols), "lengths of the vectors");
        self.apply_q_transposed(qr, tau, b);
        x.fill(0.0);
        for i in (0..rank).rev() {
            let known: f64 = (i + 1..rank).map(|j| qr[i + j * self.rows] * x[columns[j]]).sum();
            x[columns[i]] = (b[i] - known) / qr[i + i * self.rows];
        }
    }

    /// Householder vector k, its first element to be read as 1.
    fn reflector<'a>(&self, qr: &'a [f64], k: usize) -> &'a [f64] {
        &qr[k * self.rows + k..(k + 1) * self.rows]
    }
}

/// Euclidean norm, scaled against overflow.
fn norm(x: &[f64]) -> f64 {
    let largest = x.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * x.iter().map(|x| (x / largest) * (x / largest)).sum::<f64>().sqrt()
}

/// Replaces `x` by the vector of the reflection that maps it to `(beta, 0, ...)`, with beta in place of the
/// first element, which is 1; returns tau of the reflection `I - tau v v^T` [LAPACK, dlarfg].
fn householder(x: &mut [f64]) -> f64 {
    let alpha = x[0];
    if x[1..].iter().all(|&x| x == 0.0) {
        return 0.0;
    }
    let beta = -norm(x).copysign(alpha);
    for x in &mut x[1..] {
        *x /= alpha - beta;
    }
    x[0] = beta;
    (beta - alpha) / beta
}

/// `y = (I - tau v v^T) y`, the first element of `v` read as 1.
fn reflect(v: &[f64], tau: f64, y: &mut [f64]) {
    if tau == 0.0 {
        return;
    }
    let projection = tau * v[1..].iter().zip(&y[1..]).fold(y[0], |sum, (v, y)| sum + v * y);
    y[0] -= projection;
    for (y, v) in y[1..].iter_mut().zip(&v[1..]) {
        *y -= projection * v;
    }
}

/// Norm of a column without its first element, from the norm with it; computed anew when cancellation since
/// the last time has used up half of the digits [Drmac and Bujanovic 2008].
fn downdate(column: &[f64], norm_left: &mut f64, reference: &mut f64) {
    if *norm_left == 0.0 {
        return;
    }
    let fraction = (column[0] / *norm_left).abs();
    let left = (1.0 - fraction * fraction).max(0.0);
    let since = *norm_left / *reference;
    if left * since * since <= f64::EPSILON.sqrt() {
        *norm_left = norm(&column[1..]);
        *reference = *norm_left;
    } else {
        *norm_left *= left.sqrt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::tests::Random;

    /// A random `m x n` matrix of the given rank, column-major.
    fn matrix(random: &mut Random, m: usize, n: usize, rank: usize) -> Vec<f64> {
        let (left, right) = (random.vector(m * rank), random.vector(rank * n));
        let element = |i: usize, j: usize| (0..rank).map(|k| left[i + k * m] * right[k + j * rank]).sum();
        (0..m * n).map(|index| element(index % m, index / m)).collect()
    }

    #[test]
    fn finds_the_rank_and_reproduces_the_matrix() {
        for seed in 0..60 {
            let mut random = Random::new(seed);
            let (m, n) = (1 + random.below(12), 1 + random.below(12));
            let rank = random.below(m.min(n) + 1);
            let a = matrix(&mut random, m, n, rank);
            let qr = RankRevealingQr::new(m, n);
            let (mut f, mut tau, mut columns) = (a.clone(), vec![0.0; qr.tau_len()], vec![0; n]);
            assert_eq!(qr.factor(&mut f, &mut tau, &mut columns, 1e-10), rank, "{m} x {n}");
            for k in 1..rank {
                assert!(qr.ratio(&f, k) <= qr.ratio(&f, k - 1) * (1.0 + 1e-12));
            }
            // Q R, where R below row `rank` is zero, against the columns of A
            for j in 0..n {
                let mut column: Vec<f64> =
                    (0..m).map(|i| if i < rank { qr.r(&f, i, j) } else { 0.0 }).collect();
                qr.apply_q(&f, &tau, &mut column);
                let expected = &a[columns[j] * m..][..m];
                assert!(column.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-10));
            }
        }
    }

    #[test]
    fn least_squares_residual_is_orthogonal_to_the_columns() {
        let mut random = Random::new(4);
        let (m, n, rank) = (9, 5, 3);
        let a = matrix(&mut random, m, n, rank);
        let qr = RankRevealingQr::new(m, n);
        let (mut f, mut tau, mut columns) = (a.clone(), vec![0.0; qr.tau_len()], vec![0; n]);
        let found = qr.factor(&mut f, &mut tau, &mut columns, 1e-10);
        let b = random.vector(m);
        let (mut q_b, mut x) = (b.clone(), vec![0.0; n]);
        qr.solve(&f, &tau, &columns, found, &mut q_b, &mut x);
        let residual: Vec<f64> =
            (0..m).map(|i| b[i] - (0..n).map(|j| a[i + j * m] * x[j]).sum::<f64>()).collect();
        for column in a.chunks_exact(m) {
            assert!(column.iter().zip(&residual).map(|(a, r)| a * r).sum::<f64>().abs() < 1e-12);
        }
        assert_eq!(x.iter().filter(|&&x| x != 0.0).count(), rank);
        let (tail, whole) = (norm(&q_b[rank..]), norm(&residual));
        assert!((tail - whole).abs() < 1e-12);
    }

    #[test]
    fn independent_columns_of_graded_size_come_in_order() {
        let qr = RankRevealingQr::new(3, 3);
        let mut a = [1e-3, 0.0, 0.0, 0.0, 5.0, 0.0, 1.0, 1.0, 1e-6];
        let (mut tau, mut columns) = ([0.0; 9], [0; 3]);
        assert_eq!(qr.factor(&mut a, &mut tau, &mut columns, 1e-12), 3);
        assert_eq!(columns, [1, 2, 0]);
        assert!((qr.ratio(&a, 2) * 5.0 - 1e-9).abs() < 1e-14);
    }

    #[test]
    fn empty_and_zero_matrices_have_rank_zero() {
        assert_eq!(RankRevealingQr::new(0, 3).factor(&mut [], &mut [0.0; 9], &mut [0; 3], 1e-10), 0);
        assert_eq!(RankRevealingQr::new(2, 1).factor(&mut [0.0; 2], &mut [0.0; 3], &mut [0], 1e-10), 0);
    }
}
