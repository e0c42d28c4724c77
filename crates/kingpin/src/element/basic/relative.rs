//! Functions of the rotation between two frames, by its Euler parameters.

use super::jet::{First, Jet};
use crate::scalar::Scalar;
use crate::spatial::{BodyState, Coords, euler};

/// Two frames on bodies. E are the Euler parameters of frame j seen from frame i, bilinear in p_i and p_j; functions of
/// E must be homogeneous of degree zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relative {
    /// Bodies i and j.
    pub bodies: [usize; 2],
    /// Euler parameters of frame i on body i and of frame j on body j.
    pub frames: [[f64; 4]; 2],
}

/// A function of E with first and second derivatives.
pub struct Outer {
    /// Its value.
    pub value: f64,
    /// First derivatives.
    pub d1: [f64; 4],
    /// Second derivatives.
    pub d2: [[f64; 4]; 4],
}

impl Relative {
    /// E over any scalar.
    pub fn parameters<T: Scalar>(&self, pi: &[T; 4], pj: &[T; 4]) -> [T; 4] {
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
                let e = self.parameters(&unit(a), &unit(b));
                for m in 0..4 {
                    n[m][a][b] = e[m];
                }
            }
        }
        n
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

    /// Value, row, curvature of a function.
    pub fn first<C: Coords>(&self, bodies: [&BodyState; 2], outer: impl Fn(&[f64; 4]) -> Outer) -> First {
        let mut jet = Jet::default();
        self.jet::<C>(bodies, outer, false, &mut jet);
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

    /// Derivatives of a function in coordinates, third ones excepted.
    pub fn jet<C: Coords>(
        &self,
        bodies: [&BodyState; 2],
        outer: impl Fn(&[f64; 4]) -> Outer,
        hessian: bool,
        jet: &mut Jet,
    ) {
        let n = self.matrices();
        let (e, de) = self.rows(bodies, &n);
        let outer = outer(&e);
        *jet = Jet::default();
        jet.value = outer.value;
        let edot: [f64; 4] = std::array::from_fn(|m| {
            (0..2).map(|a| (0..4).map(|l| de[a][m][l] * bodies[a].pdot[l]).sum::<f64>()).sum()
        });
        jet.rate = (0..4).map(|m| outer.d1[m] * edot[m]).sum();
        for m in 0..4 {
            // second rate of E: twice the mixed term
            let eddot: f64 = (0..4)
                .flat_map(|a| (0..4).map(move |b| (a, b)))
                .map(|(a, b)| 2.0 * n[m][a][b] * bodies[0].pdot[a] * bodies[1].pdot[b])
                .sum();
            jet.curvature +=
                outer.d1[m] * eddot + (0..4).map(|k| outer.d2[m][k] * edot[m] * edot[k]).sum::<f64>();
        }
        for a in 0..2 {
            let at = a * C::NQ + C::D;
            for l in 0..4 {
                for m in 0..4 {
                    jet.grad[at + l] += outer.d1[m] * de[a][m][l];
                    let rate: f64 = (0..4).map(|k| outer.d2[m][k] * edot[k]).sum();
                    jet.grad_rate[at + l] += rate * de[a][m][l];
                    let mixed: f64 = match a {
                        0 => (0..4).map(|b| n[m][l][b] * bodies[1].pdot[b]).sum(),
                        _ => (0..4).map(|b| n[m][b][l] * bodies[0].pdot[b]).sum(),
                    };
                    jet.grad_rate[at + l] += outer.d1[m] * mixed;
                }
            }
        }
        if hessian {
            self.hessian::<C>(&n, &de, &outer, jet);
        }
    }

    /// phi_qq = E_q^T phi_EE E_q + sum of phi_E times E_qq; E is bilinear, so E_qq is N_m across the bodies and zero within one.
    fn hessian<C: Coords>(
        &self,
        n: &[[[f64; 4]; 4]; 4],
        de: &[[[f64; 4]; 4]; 2],
        outer: &Outer,
        jet: &mut Jet,
    ) {
        for a in 0..2 {
            for b in 0..2 {
                let (row, col) = (a * C::NQ + C::D, b * C::NQ + C::D);
                for k in 0..4 {
                    for l in 0..4 {
                        let mut sum = 0.0;
                        for m in 0..4 {
                            for o in 0..4 {
                                sum += outer.d2[m][o] * de[a][m][k] * de[b][o][l];
                            }
                            sum += match (a, b) {
                                (0, 1) => outer.d1[m] * n[m][k][l],
                                (1, 0) => outer.d1[m] * n[m][l][k],
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
