//! Component of the rotation vector between two frames.

use super::jet::{First, Jet};
use crate::scalar::Scalar;
use crate::spatial::{BodyState, Coords, Pose, euler};

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

/// phi_k over E with first and second derivatives.
struct Log {
    value: f64,
    d1: [f64; 4],
    d2: [[f64; 4]; 4],
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
fn log(e: &[f64; 4], axis: usize, second: bool) -> Log {
    // E and -E are the same rotation; the nearer one gives the shorter turn
    let sign = if e[0] < 0.0 { -1.0 } else { 1.0 };
    let e = e.map(|x| sign * x);
    let n = (e[1] * e[1] + e[2] * e[2] + e[3] * e[3]).sqrt();
    let k = axis + 1;
    let [f, fn_n, fc, fnn, fnc, fcc] = ratio(n, e[0]);
    let mut d1 = [fc * e[k], fn_n * e[1] * e[k], fn_n * e[2] * e[k], fn_n * e[3] * e[k]];
    d1[k] += f;
    let mut d2 = [[0.0; 4]; 4];
    if second {
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
    }
    let even = d1.map(|x| sign * x);
    Log { value: f * e[k], d1: even, d2 }
}

impl Rotation {
    /// E over any scalar.
    fn relative<T: Scalar>(&self, pi: &[T; 4], pj: &[T; 4]) -> [T; 4] {
        let frame = |k: usize| self.frames[k].map(T::from_f64);
        let (i, j) = (euler::product(pi, &frame(0)), euler::product(pj, &frame(1)));
        euler::product(&[i[0], -i[1], -i[2], -i[3]], &j)
    }

    /// dE/dp_i and dE/dp_j by rows, and the mixed second derivative of E is constant: E_m = p_i^T N_m p_j.
    fn matrices(&self) -> [[[f64; 4]; 4]; 4] {
        let mut n = [[[0.0; 4]; 4]; 4];
        for a in 0..4 {
            for b in 0..4 {
                let unit = |k: usize| -> [f64; 4] { std::array::from_fn(|l| f64::from(u8::from(k == l))) };
                let e = self.relative(&unit(a), &unit(b));
                for m in 0..4 {
                    n[m][a][b] = e[m];
                }
            }
        }
        n
    }

    /// The definition.
    pub fn value<C: Coords, T: Scalar>(&self, [pi, pj]: [&Pose<T>; 2]) -> T {
        let e = self.relative(&pi.p, &pj.p);
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

    /// Rows over p_i and p_j, and E.
    fn rows(&self, [bi, bj]: [&BodyState; 2], n: &[[[f64; 4]; 4]; 4]) -> ([f64; 4], [[[f64; 4]; 4]; 2]) {
        let (mut e, mut de) = ([0.0; 4], [[[0.0; 4]; 4]; 2]);
        for m in 0..4 {
            for a in 0..4 {
                for b in 0..4 {
                    de[0][m][a] += n[m][a][b] * bj.p[b];
                    de[1][m][b] += n[m][a][b] * bi.p[a];
                }
            }
            e[m] = (0..4).map(|a| de[0][m][a] * bi.p[a]).sum();
        }
        (e, de)
    }

    /// Value, row, curvature.
    pub fn first<C: Coords>(&self, bodies: [&BodyState; 2]) -> First {
        let mut jet = Jet::default();
        self.jet::<C>(bodies, false, &mut jet);
        let none = [0.0; 3];
        let rows: [[f64; 3]; 2] = std::array::from_fn(|a| {
            let at = a * C::NQ + C::D;
            C::to_velocity(
                &bodies[a].p,
                &[jet.grad[at], jet.grad[at + 1], jet.grad[at + 2], jet.grad[at + 3]],
            )
        });
        // phi is homogeneous of degree zero in p, so the radial part of p'' does not count
        First {
            value: jet.value,
            row: First::row::<C>(&none, &rows[0], &none, &rows[1]),
            curvature: jet.curvature,
        }
    }

    /// Derivatives in coordinates, third ones excepted: it serves forces, not constraints.
    pub fn jet<C: Coords>(&self, bodies: [&BodyState; 2], hessian: bool, jet: &mut Jet) {
        let n = self.matrices();
        let (e, de) = self.rows(bodies, &n);
        let log = log(&e, self.axis, true);
        *jet = Jet::default();
        jet.value = log.value;
        let edot: [f64; 4] = std::array::from_fn(|m| {
            (0..2).map(|a| (0..4).map(|l| de[a][m][l] * bodies[a].pdot[l]).sum::<f64>()).sum()
        });
        jet.rate = (0..4).map(|m| log.d1[m] * edot[m]).sum();
        for m in 0..4 {
            // second rate of E: twice the mixed term
            let eddot: f64 = (0..4)
                .flat_map(|a| (0..4).map(move |b| (a, b)))
                .map(|(a, b)| 2.0 * n[m][a][b] * bodies[0].pdot[a] * bodies[1].pdot[b])
                .sum();
            jet.curvature +=
                log.d1[m] * eddot + (0..4).map(|k| log.d2[m][k] * edot[m] * edot[k]).sum::<f64>();
        }
        for a in 0..2 {
            let at = a * C::NQ + C::D;
            for l in 0..4 {
                for m in 0..4 {
                    jet.grad[at + l] += log.d1[m] * de[a][m][l];
                    let rate: f64 = (0..4).map(|k| log.d2[m][k] * edot[k]).sum();
                    jet.grad_rate[at + l] += rate * de[a][m][l];
                    let mixed: f64 = match a {
                        0 => (0..4).map(|b| n[m][l][b] * bodies[1].pdot[b]).sum(),
                        _ => (0..4).map(|b| n[m][b][l] * bodies[0].pdot[b]).sum(),
                    };
                    jet.grad_rate[at + l] += log.d1[m] * mixed;
                }
            }
        }
        if hessian {
            self.hessian::<C>(&n, &de, &log, jet);
        }
    }

    /// phi_qq = E_q^T phi_EE E_q + sum of phi_E times E_qq; E is bilinear, so E_qq is N_m across the bodies and zero within one.
    fn hessian<C: Coords>(&self, n: &[[[f64; 4]; 4]; 4], de: &[[[f64; 4]; 4]; 2], log: &Log, jet: &mut Jet) {
        for a in 0..2 {
            for b in 0..2 {
                let (row, col) = (a * C::NQ + C::D, b * C::NQ + C::D);
                for k in 0..4 {
                    for l in 0..4 {
                        let mut sum = 0.0;
                        for m in 0..4 {
                            for o in 0..4 {
                                sum += log.d2[m][o] * de[a][m][k] * de[b][o][l];
                            }
                            sum += match (a, b) {
                                (0, 1) => log.d1[m] * n[m][k][l],
                                (1, 0) => log.d1[m] * n[m][l][k],
                                _ => 0.0,
                            };
                        }
                        jet.hessian[row + k][col + l] = sum;
                    }
                }
            }
        }
    }
}
