//! Euler parameters p = (e0, e), body-fixed angular velocity w, and the matrices between them [Haug 1989, chapter 9].
//!
//! The rotation matrix is taken homogeneous, A(p) = (e0^2 - e.e) I + 2 e e^T + 2 e0 e~, so that A(p) s is
//! quadratic in p: its second derivative is constant and its third vanishes.

use super::{M3, V3, cross, dot};
use crate::scalar::Scalar;

/// A(p) s for any scalar.
#[inline]
pub fn rotate<T: Scalar>(p: &[T; 4], s: &V3) -> [T; 3] {
    let [e0, e1, e2, e3] = *p;
    let es = e1.scale(s[0]) + e2.scale(s[1]) + e3.scale(s[2]);
    let k = e0 * e0 - e1 * e1 - e2 * e2 - e3 * e3;
    let cross =
        [e2.scale(s[2]) - e3.scale(s[1]), e3.scale(s[0]) - e1.scale(s[2]), e1.scale(s[1]) - e2.scale(s[0])];
    let part = |e: T, s: f64, c: T| k.scale(s) + (e * es + e0 * c).scale(2.0);
    [part(e1, s[0], cross[0]), part(e2, s[1], cross[1]), part(e3, s[2], cross[2])]
}

/// A(p) by rows.
#[inline]
pub fn matrix(p: &[f64; 4]) -> M3 {
    let [e0, e1, e2, e3] = *p;
    let (q0, q1, q2, q3) = (e0 * e0, e1 * e1, e2 * e2, e3 * e3);
    [
        [q0 + q1 - q2 - q3, 2.0 * (e1 * e2 - e0 * e3), 2.0 * (e1 * e3 + e0 * e2)],
        [2.0 * (e1 * e2 + e0 * e3), q0 - q1 + q2 - q3, 2.0 * (e2 * e3 - e0 * e1)],
        [2.0 * (e1 * e3 - e0 * e2), 2.0 * (e2 * e3 + e0 * e1), q0 - q1 - q2 + q3],
    ]
}

/// A(p) as a matrix type, for set-up code.
pub fn rotation(p: &[f64; 4]) -> nalgebra::Matrix3<f64> {
    let m = matrix(p);
    nalgebra::Matrix3::from_fn(|i, j| m[i][j])
}

/// Unit Euler parameters of a rotation matrix, e0 not negative [Shepperd 1978].
pub fn parameters(a: &nalgebra::Matrix3<f64>) -> [f64; 4] {
    let trace = a.trace();
    let squares = [
        1.0 + trace,
        1.0 + 2.0 * a[(0, 0)] - trace,
        1.0 + 2.0 * a[(1, 1)] - trace,
        1.0 + 2.0 * a[(2, 2)] - trace,
    ];
    let big = (0..4).fold(0, |k, j| if squares[j] > squares[k] { j } else { k });
    let x = squares[big].max(0.0).sqrt();
    let off = |i: usize, j: usize| a[(i, j)];
    let mut p = match big {
        0 => [x * x, off(2, 1) - off(1, 2), off(0, 2) - off(2, 0), off(1, 0) - off(0, 1)],
        1 => [off(2, 1) - off(1, 2), x * x, off(1, 0) + off(0, 1), off(0, 2) + off(2, 0)],
        2 => [off(0, 2) - off(2, 0), off(1, 0) + off(0, 1), x * x, off(2, 1) + off(1, 2)],
        _ => [off(1, 0) - off(0, 1), off(0, 2) + off(2, 0), off(2, 1) + off(1, 2), x * x],
    };
    let n = p.iter().map(|c| c * c).sum::<f64>().sqrt() * if p[0] < 0.0 { -1.0 } else { 1.0 };
    p.iter_mut().for_each(|c| *c /= n);
    p
}

/// B(p, s) = d(A(p) s)/dp, by rows; linear in p, and B(p, s) x = B(x, s) p.
#[inline]
pub fn b_matrix(p: &[f64; 4], s: &V3) -> [[f64; 4]; 3] {
    let (e0, e) = (p[0], [p[1], p[2], p[3]]);
    let es = dot(&e, s);
    let c = cross(&e, s);
    let t = [[0.0, -s[2], s[1]], [s[2], 0.0, -s[0]], [-s[1], s[0], 0.0]];
    let mut b = [[0.0; 4]; 3];
    for i in 0..3 {
        b[i][0] = 2.0 * (e0 * s[i] + c[i]);
        for j in 0..3 {
            b[i][j + 1] = 2.0 * (e[i] * s[j] - s[i] * e[j] - e0 * t[i][j]);
        }
        b[i][i + 1] += 2.0 * es;
    }
    b
}

/// K(s, w) with w . A(p) s = 1/2 p^T K p: the constant second derivative of w . A(p) s.
#[inline]
pub fn k_matrix(s: &V3, w: &V3) -> [[f64; 4]; 4] {
    let sw = 2.0 * dot(s, w);
    let c = cross(s, w);
    let mut k = [[0.0; 4]; 4];
    k[0][0] = sw;
    for i in 0..3 {
        k[0][i + 1] = 2.0 * c[i];
        k[i + 1][0] = 2.0 * c[i];
        for j in 0..3 {
            k[i + 1][j + 1] = 2.0 * (s[i] * w[j] + w[i] * s[j]);
        }
        k[i + 1][i + 1] -= sw;
    }
    k
}

/// G(p) x, where G = [-e, -e~ + e0 I]; w = 2 G pdot.
#[inline]
pub fn g_times(p: &[f64; 4], x: &[f64; 4]) -> V3 {
    let (e0, e, x0, xv) = (p[0], [p[1], p[2], p[3]], x[0], [x[1], x[2], x[3]]);
    let c = cross(&e, &xv);
    [e0 * xv[0] - e[0] * x0 - c[0], e0 * xv[1] - e[1] * x0 - c[1], e0 * xv[2] - e[2] * x0 - c[2]]
}

/// G(p)^T y; pdot = 1/2 G^T w.
#[inline]
pub fn gt_times(p: &[f64; 4], y: &V3) -> [f64; 4] {
    let (e0, e) = (p[0], [p[1], p[2], p[3]]);
    let c = cross(&e, y);
    [-dot(&e, y), e0 * y[0] + c[0], e0 * y[1] + c[1], e0 * y[2] + c[2]]
}

/// G(p) by rows.
pub fn g_matrix(p: &[f64; 4]) -> [[f64; 4]; 3] {
    let [e0, e1, e2, e3] = *p;
    [[-e1, e0, e3, -e2], [-e2, -e3, e0, e1], [-e3, e2, -e1, e0]]
}

/// N(y) with G(p)^T y = N(y) p.
pub fn n_matrix(y: &V3) -> [[f64; 4]; 4] {
    [[0.0, -y[0], -y[1], -y[2]], [y[0], 0.0, y[2], -y[1]], [y[1], -y[2], 0.0, y[0]], [y[2], y[1], -y[0], 0.0]]
}

/// Product of two rotations as Euler parameters: A(a b) = A(a) A(b).
pub fn product<T: Scalar>(a: &[T; 4], b: &[T; 4]) -> [T; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: [f64; 4] = [0.5, -0.7, 0.3, 0.9];
    const S: V3 = [0.4, -1.1, 0.8];

    fn unit(p: [f64; 4]) -> [f64; 4] {
        let n = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        p.map(|x| x / n)
    }

    #[test]
    fn matrix_is_a_rotation_and_gives_its_parameters_back() {
        for p in
            [P, [0.1, 0.9, 0.2, -0.3], [0.0, 0.0, 1.0, 0.0], [0.05, 0.1, 0.2, -2.0], [1.0, 0.0, 0.0, 0.0]]
        {
            let p = unit(p);
            let a = rotation(&p);
            assert!((a * a.transpose() - nalgebra::Matrix3::identity()).norm() < 1e-14);
            assert!((a.determinant() - 1.0).abs() < 1e-14);
            let back = parameters(&a);
            let sign = if back.iter().zip(&p).map(|(x, y)| x * y).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
            assert!(back.iter().zip(&p).all(|(x, y)| (sign * x - y).abs() < 1e-14), "{p:?} {back:?}");
        }
    }

    #[test]
    fn b_and_k_are_first_and_second_derivative() {
        use crate::scalar::Dual;
        let w = [0.2, 0.5, -0.9];
        let (b, k) = (b_matrix(&P, &S), k_matrix(&S, &w));
        for j in 0..4 {
            for l in 0..4 {
                let seed: [Dual<Dual<f64>>; 4] = std::array::from_fn(|m| {
                    let (a, c) = (f64::from(u8::from(m == j)), f64::from(u8::from(m == l)));
                    Dual::new(Dual::new(P[m], a), Dual::new(c, 0.0))
                });
                let y = rotate(&seed, &S);
                let second: f64 = (0..3).map(|i| w[i] * y[i].d.d).sum();
                assert!((second - k[j][l]).abs() < 1e-14);
                assert!((0..3).all(|i| (y[i].re.d - b[i][j]).abs() < 1e-14));
            }
        }
        let m = matrix(&P);
        let y = rotate(&P, &S);
        assert!((0..3).all(|i| (dot(&m[i], &S) - y[i]).abs() < 1e-14));
    }

    #[test]
    fn g_n_and_product_agree() {
        let (p, y, x) = (unit(P), [0.3, -0.2, 0.7], [0.1, 0.2, -0.4, 0.6]);
        let (g, n) = (g_matrix(&p), n_matrix(&y));
        let gt = gt_times(&p, &y);
        for a in 0..4 {
            assert!(((0..3).map(|i| g[i][a] * y[i]).sum::<f64>() - gt[a]).abs() < 1e-15);
            assert!(((0..4).map(|b| n[a][b] * p[b]).sum::<f64>() - gt[a]).abs() < 1e-15);
        }
        let gx = g_times(&p, &x);
        assert!((0..3).all(|i| ((0..4).map(|a| g[i][a] * x[a]).sum::<f64>() - gx[i]).abs() < 1e-15));
        let q = unit([0.2, 0.5, -0.1, 0.4]);
        let whole = rotation(&product(&p, &q));
        assert!((whole - rotation(&p) * rotation(&q)).norm() < 1e-14);
    }
}
