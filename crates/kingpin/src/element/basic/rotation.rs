//! Component of the rotation vector between two frames.

use super::jet::{First, Jet};
use super::relative::{Outer, Relative};
use crate::scalar::Scalar;
use crate::spatial::{BodyState, Coords, Pose};

/// Component `axis` of the vector (axis times angle) that turns frame i into frame j, in frame i. Spatial only.
///
/// With E the Euler parameters of frame j seen from frame i, bilinear in p_i and p_j,
/// phi_k = 2 atan2(|E_v|, E_0) E_k / |E_v|; smooth up to half a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    /// Bodies i and j.
    pub bodies: [usize; 2],
    /// Euler parameters of frame i on body i and of frame j on body j.
    pub frames: [[f64; 4]; 2],
    /// 0, 1, 2 for x, y, z.
    pub axis: usize,
}

/// f(n, c) = 2 atan2(n, c) / n and what its derivatives need: f, f_n / n, f_c, f_nn, f_nc, f_cc.
fn ratio(n: f64, c: f64) -> [f64; 6] {
    let m = n * n + c * c;
    if n < 1e-3 * m.sqrt() {
        // series in n / c; the sign of c was made positive by the caller
        let (x, c2) = (n * n / (c * c), c * c);
        let f = 2.0 / c * (1.0 - x / 3.0 + x * x / 5.0 - x * x * x / 7.0);
        let fn_over_n = 2.0 / (c * c2) * (-2.0 / 3.0 + 4.0 * x / 5.0 - 6.0 * x * x / 7.0);
        let f_nn = 2.0 / (c * c2) * (-2.0 / 3.0 + 12.0 * x / 5.0 - 30.0 * x * x / 7.0);
        return [f, fn_over_n, -2.0 / m, f_nn, 4.0 * n / (m * m), 4.0 * c / (m * m)];
    }
    let theta = 2.0 * n.atan2(c);
    let f = theta / n;
    // f_n = (2 c / m - f) / n
    let f_n = (2.0 * c / m - f) / n;
    let f_nn = (-4.0 * c * n / (m * m) - f_n) / n - f_n / n;
    [f, f_n / n, -2.0 / m, f_nn, 4.0 * n / (m * m), 4.0 * c / (m * m)]
}

/// The rotation vector as a function of E: phi_k = f(n, c) E_k with n = |E_v|, c = E_0, by the product rule.
fn log(e: &[f64; 4], axis: usize) -> Outer {
    // E and -E are the same rotation; the nearer one gives the shorter turn
    let sign = if e[0] < 0.0 { -1.0 } else { 1.0 };
    let e = e.map(|x| sign * x);
    let n = (e[1] * e[1] + e[2] * e[2] + e[3] * e[3]).sqrt();
    let k = axis + 1;
    let [f, fn_n, fc, fnn, fnc, fcc] = ratio(n, e[0]);
    let mut d1 = [fc * e[k], fn_n * e[1] * e[k], fn_n * e[2] * e[k], fn_n * e[3] * e[k]];
    d1[k] += f;
    let mut d2 = [[0.0; 4]; 4];
    let u: [f64; 4] = if n > 0.0 { [0.0, e[1] / n, e[2] / n, e[3] / n] } else { [0.0; 4] };
    d2[0][0] = fcc * e[k];
    for a in 1..4 {
        d2[0][a] = fnc * u[a] * e[k] + if a == k { fc } else { 0.0 };
        d2[a][0] = d2[0][a];
        for b in 1..4 {
            let delta = f64::from(u8::from(a == b));
            // second derivative of f(n) E_k: curvature along u, f_n / n across it
            d2[a][b] = e[k] * (fnn * u[a] * u[b] + fn_n * (delta - u[a] * u[b]));
            d2[a][b] += fn_n * (if a == k { e[b] } else { 0.0 } + if b == k { e[a] } else { 0.0 });
        }
    }
    let even = d1.map(|x| sign * x);
    Outer { value: f * e[k], d1: even, d2 }
}

impl Rotation {
    pub(super) fn relative(&self) -> Relative {
        Relative { bodies: self.bodies, frames: self.frames }
    }

    /// The definition.
    pub fn value<C: Coords, T: Scalar>(&self, [pi, pj]: [&Pose<T>; 2]) -> T {
        let e = self.relative().parameters(&pi.p, &pj.p);
        let e = if e[0].value() < 0.0 { e.map(|x| -x) } else { e };
        let k = self.axis + 1;
        let n2 = e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
        let x = n2 / (e[0] * e[0]);
        if x.value() < 1e-6 {
            let series = T::one() - x.scale(1.0 / 3.0) + (x * x).scale(0.2) - (x * x * x).scale(1.0 / 7.0);
            return (e[k] / e[0] * series).scale(2.0);
        }
        let n = n2.sqrt();
        (n.atan2(e[0]) * e[k] / n).scale(2.0)
    }

    /// Value, row, curvature.
    pub fn first<C: Coords>(&self, bodies: [&BodyState; 2]) -> First {
        self.relative().first::<C>(bodies, |e| log(e, self.axis))
    }

    /// Derivatives in coordinates, third ones excepted: it serves forces, not constraints.
    pub fn jet<C: Coords>(&self, bodies: [&BodyState; 2], hessian: bool, jet: &mut Jet) {
        self.relative().jet::<C>(bodies, |e| log(e, self.axis), hessian, jet);
    }
}
