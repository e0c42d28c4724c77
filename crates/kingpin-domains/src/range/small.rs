//! Small dense matrices by rows.

/// Inverse of a symmetric positive definite matrix of `n` rows in place, by Cholesky; whether it was one. O(n^3).
pub(crate) fn invert(a: &mut [f64], n: usize) -> bool {
    // L below the diagonal
    for j in 0..n {
        let given = a[j * n + j];
        let mut pivot = given;
        (0..j).for_each(|k| pivot -= a[j * n + k] * a[j * n + k]);
        let sound = pivot > 1e-13 * given;
        if !sound {
            return false;
        }
        let root = pivot.sqrt();
        a[j * n + j] = root;
        for i in j + 1..n {
            let mut sum = a[i * n + j];
            (0..j).for_each(|k| sum -= a[i * n + k] * a[j * n + k]);
            a[i * n + j] = sum / root;
        }
    }
    // L^-1 in its place
    for j in 0..n {
        a[j * n + j] = 1.0 / a[j * n + j];
        for i in j + 1..n {
            let mut sum = 0.0;
            (j..i).for_each(|k| sum -= a[i * n + k] * a[k * n + j]);
            a[i * n + j] = sum / a[i * n + i];
        }
    }
    // L^-T L^-1: element (i, j) needs rows from i on, none of which is overwritten yet
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (i..n).map(|k| a[k * n + i] * a[k * n + j]).sum();
            a[i * n + j] = sum;
        }
    }
    for i in 0..n {
        (0..i).for_each(|j| a[j * n + i] = a[i * n + j]);
    }
    true
}

/// `a^T b` of two rotations.
pub(crate) fn between(a: &[f64; 9], b: &[f64; 9]) -> [f64; 9] {
    std::array::from_fn(|k| (0..3).map(|m| a[3 * m + k / 3] * b[3 * m + k % 3]).sum())
}

/// `t block t^T` for each pair of nodes of a matrix of `n` nodes.
pub(crate) fn turned(t: &[f64; 9], a: &mut [f64], n: usize) {
    let width = 3 * n;
    for i in 0..n {
        for j in 0..n {
            let block: [f64; 9] = std::array::from_fn(|k| a[(3 * i + k / 3) * width + 3 * j + k % 3]);
            let half: [f64; 9] =
                std::array::from_fn(|k| (0..3).map(|m| t[3 * (k / 3) + m] * block[3 * m + k % 3]).sum());
            for k in 0..9 {
                a[(3 * i + k / 3) * width + 3 * j + k % 3] =
                    (0..3).map(|m| half[3 * (k / 3) + m] * t[3 * (k % 3) + m]).sum();
            }
        }
    }
}

/// The rotation that turns nothing.
pub(crate) const UPRIGHT: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let n = 5;
        let a: Vec<f64> = (0..n * n)
            .map(|k| if k / n == k % n { 4.0 } else { 1.0 / (1.0 + (k / n + k % n) as f64) })
            .collect();
        let mut inverse = a.clone();
        assert!(invert(&mut inverse, n));
        for i in 0..n {
            for j in 0..n {
                let sum: f64 = (0..n).map(|k| a[i * n + k] * inverse[k * n + j]).sum();
                assert!((sum - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
        assert!(!invert(&mut [1.0, 1.0, 1.0, 1.0], 2));
    }
}
