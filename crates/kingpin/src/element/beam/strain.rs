//! Strains of a section and their derivatives, as functions of what shape functions make of nodes.
//!
//! x = (r', q, q'): tangent of the line, interpolated rotation coordinates, and their change along the line, in arc
//! lengths at rest. In space q are Euler parameters whose norm is divided out [Zupan 2009]:
//!
//! ```text
//! n = q.q,  R = A(q)/n,  gam = R^T r',  kap = 2 G(q) q'/n
//! ```
//!
//! Rational functions: no logarithm, no small angles, and a rigid motion strains nothing. In the plane R is the rotation
//! by the interpolated angle and kap its change. Strains are those of Simo and Reissner [Simo 1985]; the axes are those of
//! the section.

use crate::scalar::Scalar;
use crate::spatial::{Coords, V3, add, cross, dot, euler};

/// r', q and q' of a place; planar code uses the first four.
pub type Local<T> = [T; 11];
/// Strains gam and kap, or resultants N and M; planar code uses the first three.
pub type Six<T> = [T; 6];

/// Strains with their derivatives in x.
#[derive(Clone, Copy, Debug)]
pub struct Strained<T> {
    /// gam and kap, those at rest among them.
    pub strain: Six<T>,
    /// Derivative in x, by rows.
    pub by: [Local<T>; 6],
}

fn inner<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn outer<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Parts of x in space: r', e0 and e of q, the same of q'.
type LocalParts<T> = ([T; 3], (T, [T; 3]), (T, [T; 3]));

fn parts<T: Scalar>(x: &Local<T>) -> LocalParts<T> {
    ([x[0], x[1], x[2]], (x[3], [x[4], x[5], x[6]]), (x[7], [x[8], x[9], x[10]]))
}

/// The strains by definition.
pub fn strain<C: Coords, T: Scalar>(x: &Local<T>) -> Six<T> {
    let mut out = [T::zero(); 6];
    if !C::NORMALISED {
        let (sin, cos) = (x[2].sin(), x[2].cos());
        out[0] = cos * x[0] + sin * x[1];
        out[1] = cos * x[1] - sin * x[0];
        out[2] = x[3];
        return out;
    }
    let (r, (e0, e), (f0, f)) = parts(x);
    let n = e0 * e0 + inner(&e, &e);
    let (turned, along, twist) = (outer(&e, &r), inner(&e, &r), outer(&e, &f));
    for k in 0..3 {
        let image = (e0 * e0 - inner(&e, &e)) * r[k] + (e[k] * along - e0 * turned[k]).scale(2.0);
        out[k] = image / n;
        out[3 + k] = (e0 * f[k] - e[k] * f0 - twist[k]).scale(2.0) / n;
    }
    out
}

/// The strains and their derivatives.
#[inline]
pub fn strained<C: Coords, T: Scalar>(x: &Local<T>) -> Strained<T> {
    if C::NORMALISED { strained_in_space(x) } else { strained_in_plane(x) }
}

fn strained_in_plane<T: Scalar>(x: &Local<T>) -> Strained<T> {
    let mut out = Strained { strain: [T::zero(); 6], by: [[T::zero(); 11]; 6] };
    let (sin, cos) = (x[2].sin(), x[2].cos());
    let (along, across) = (cos * x[0] + sin * x[1], cos * x[1] - sin * x[0]);
    (out.strain[0], out.strain[1], out.strain[2]) = (along, across, x[3]);
    (out.by[0][0], out.by[0][1], out.by[0][2]) = (cos, sin, across);
    (out.by[1][0], out.by[1][1], out.by[1][2]) = (-sin, cos, -along);
    out.by[2][3] = T::one();
    out
}

fn strained_in_space<T: Scalar>(x: &Local<T>) -> Strained<T> {
    let mut out = Strained { strain: [T::zero(); 6], by: [[T::zero(); 11]; 6] };
    let (r, (e0, e), (f0, f)) = parts(x);
    let square = inner(&e, &e);
    let over = T::one() / (e0 * e0 + square);
    let (turned, along, twist) = (outer(&e, &r), inner(&e, &r), outer(&e, &f));
    // A(q)^T r' and G(q) q'
    for k in 0..3 {
        let image = (e0 * e0 - square) * r[k] + (e[k] * along - e0 * turned[k]).scale(2.0);
        out.strain[k] = image * over;
        out.strain[3 + k] = (e0 * f[k] - e[k] * f0 - twist[k]).scale(2.0) * over;
    }
    let twice = over.scale(2.0);
    for i in 0..3 {
        let (gam, kap) = (out.strain[i], out.strain[3 + i]);
        let row = &mut out.by[i];
        row[3] = (e0 * r[i] - turned[i] - gam * e0) * twice;
        for j in 0..3 {
            row[j] = e[i] * e[j] * twice;
            row[4 + j] = (e[i] * r[j] - r[i] * e[j] - gam * e[j]) * twice;
        }
        row[i] += (e0 * e0 - square) * over;
        row[4 + i] += along * twice;
        let row = &mut out.by[3 + i];
        (row[3], row[7]) = ((f[i] - kap * e0) * twice, -(e[i] * twice));
        for j in 0..3 {
            row[4 + j] = -(kap * e[j] * twice);
        }
        row[4 + i] -= f0 * twice;
        row[8 + i] += e0 * twice;
    }
    // what turns: -2 e0 e~ and e0 r'~ of A^T, e~ and f~ of G
    for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
        // (a~)_ij = -a_k, (a~)_ji = a_k
        out.by[i][j] += e0 * e[k] * twice;
        out.by[j][i] -= e0 * e[k] * twice;
        out.by[i][4 + j] -= e0 * r[k] * twice;
        out.by[j][4 + i] += e0 * r[k] * twice;
        out.by[3 + i][4 + j] -= f[k] * twice;
        out.by[3 + j][4 + i] += f[k] * twice;
        out.by[3 + i][8 + j] += e[k] * twice;
        out.by[3 + j][8 + i] -= e[k] * twice;
    }
    out
}

/// Second derivative of s.eps in x, resultants s frozen: symmetric.
pub fn curvature<C: Coords>(x: &Local<f64>, at: &Strained<f64>, s: &Six<f64>) -> [Local<f64>; 11] {
    let mut h = [[0.0; 11]; 11];
    if !C::NORMALISED {
        // the derivative of R^T r' by the angle is a turned vector
        let (sin, cos) = (-at.by[1][0], at.by[0][0]);
        h[2][2] = -(s[0] * at.strain[0] + s[1] * at.strain[1]);
        (h[0][2], h[1][2]) = (-s[0] * sin - s[1] * cos, s[0] * cos - s[1] * sin);
        (h[2][0], h[2][1]) = (h[0][2], h[1][2]);
        return h;
    }
    let (r, (e0, e), (f0, f)) = parts(x);
    let (q, n) = ([e0, e[0], e[1], e[2]], e0 * e0 + dot(&e, &e));
    let (force, moment): (V3, V3) = ([s[0], s[1], s[2]], [s[3], s[4], s[5]]);
    // s.eps = y/n with y = N.A^T r' + 2 M.G q', quadratic in q: (y/n)'' from y, y' and y''
    let value: f64 = (0..6).map(|k| s[k] * at.strain[k]).sum();
    let by_r = image(&q, &force);
    let change = euler::gt_times(&[f0, f[0], f[1], f[2]], &moment);
    let (over, k) = (1.0 / n, euler::k_matrix(&force, &r));
    let by_q: [f64; 4] =
        std::array::from_fn(|i| (0..4).map(|j| k[i][j] * q[j]).sum::<f64>() - 2.0 * change[i]);
    let twisted = euler::gt_times(&q, &moment);
    let slope = euler::b_matrix(&q, &force);
    let swap = euler::n_matrix(&moment);
    for j in 0..4 {
        let along = 2.0 * over * q[j];
        for i in 0..4 {
            h[3 + i][3 + j] = over
                * (k[i][j] - 2.0 * over * (by_q[i] * q[j] + q[i] * by_q[j])
                    + 8.0 * over * value * q[i] * q[j]);
            h[7 + i][3 + j] = over * (2.0 * swap[i][j] - 2.0 * along * twisted[i]);
            h[3 + j][7 + i] = h[7 + i][3 + j];
        }
        h[3 + j][3 + j] -= 2.0 * over * value;
        for i in 0..3 {
            h[i][3 + j] = over * (slope[i][j] - along * by_r[i]);
            h[3 + j][i] = h[i][3 + j];
        }
    }
    h
}

/// A(q) v of parameters that need not have unit length.
fn image(q: &[f64; 4], v: &V3) -> V3 {
    let e = [q[1], q[2], q[3]];
    let (turned, along) = (cross(&e, v), dot(&e, v));
    let scaled: V3 = std::array::from_fn(|k| 2.0 * (e[k] * along + q[0] * turned[k]));
    add(&scaled, &v.map(|v| (q[0] * q[0] - dot(&e, &e)) * v))
}
