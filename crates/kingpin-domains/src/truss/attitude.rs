//! How far a substructure has turned: the rotation that fits its nodes best.

/// The rotation T for which `sum |y - T x|^2` is least, `h = sum y x^T` by rows. By Newton's iteration for the polar
/// factor, from a rotation nearby where that does not turn into a mirror. O(1).
pub(super) fn nearest_rotation(h: [f64; 9], before: &[f64; 9]) -> [f64; 9] {
    let size = h.iter().map(|x| x * x).sum::<f64>().sqrt();
    if !(size > 0.0 && size.is_finite()) {
        return *before;
    }
    let mut t = h.map(|x| x / size);
    for _ in 0..60 {
        let adjoint = cofactors(&t);
        let det = t[0] * adjoint[0] + t[1] * adjoint[1] + t[2] * adjoint[2];
        if det.abs() < 1e-12 {
            return *before;
        }
        let next: [f64; 9] = std::array::from_fn(|k| 0.5 * (t[k] + adjoint[k] / det));
        let change = next.iter().zip(t).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        t = next;
        if change < 1e-15 {
            break;
        }
    }
    let adjoint = cofactors(&t);
    if t[0] * adjoint[0] + t[1] * adjoint[1] + t[2] * adjoint[2] > 0.0 { t } else { *before }
}

/// Matrix of cofactors: the inverse transposed, times the determinant.
fn cofactors(a: &[f64; 9]) -> [f64; 9] {
    std::array::from_fn(|k| {
        let (i, j) = (k / 3, k % 3);
        let at = |m: usize, n: usize| a[3 * ((i + m) % 3) + (j + n) % 3];
        at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_cloud_tells_its_rotation() {
        let (sin, cos) = 2.5_f64.sin_cos();
        let turn = [cos, -sin, 0.0, 0.0, 0.0, -1.0, sin, cos, 0.0];
        let cloud = [[1.0, 0.2, -0.3], [-0.5, 0.8, 0.1], [0.3, -0.9, 1.2], [0.1, 0.1, -2.0]];
        let mut h = [0.0; 9];
        for x in cloud {
            let y: [f64; 3] = std::array::from_fn(|i| (0..3).map(|k| turn[3 * i + k] * x[k]).sum());
            (0..9).for_each(|k| h[k] += y[k / 3] * x[k % 3]);
        }
        let found = nearest_rotation(h, &[0.0; 9]);
        assert!(found.iter().zip(turn).all(|(a, b)| (a - b).abs() < 1e-13), "{found:?}");
        // a mirror image is no rotation
        assert_eq!(nearest_rotation([-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], &turn), turn);
    }
}
