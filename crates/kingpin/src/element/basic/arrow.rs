//! The one kernel behind all inner products: arrows that move with two bodies.

use super::jet::Jet;
use crate::spatial::{BodyState, Coords, V3, dot};

/// u = alpha (r_j - r_i) + A_i s_i + A_j s_j: a vector on a body, or the gap between two points.
#[derive(Clone, Copy, Debug)]
pub struct Arrow {
    /// Whether the arrow spans from body i to body j (1) or not (0).
    pub alpha: f64,
    /// Parts fixed to body i and to body j.
    pub s: [V3; 2],
}

/// An arrow with its derivatives: value, rate, curvature; first to third derivative matrices in p of each body.
struct Moving {
    u: V3,
    rate: V3,
    curvature: V3,
    d1: [[[f64; 4]; 3]; 2],
    d2: [[[f64; 4]; 3]; 2],
    d3: [[[f64; 4]; 3]; 2],
}

impl Arrow {
    /// The arrow with its derivatives, term by term: A s is quadratic in p, so d1 = B(p, s), d1 p' is the rate, and the
    /// curvature is what p' p' contributes; p'' is left to the equations of motion.
    fn moving<C: Coords>(&self, bodies: [&BodyState; 2]) -> Moving {
        let (mut u, mut rate, mut curvature) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        let zero = [[[0.0; 4]; 3]; 2];
        let (mut d1, mut d2, mut d3) = (zero, zero, zero);
        for k in 0..C::D {
            u[k] = self.alpha * (bodies[1].r[k] - bodies[0].r[k]);
            rate[k] = self.alpha * (bodies[1].rdot[k] - bodies[0].rdot[k]);
        }
        for a in 0..2 {
            let (b, s) = (bodies[a], &self.s[a]);
            if *s == [0.0; 3] {
                continue;
            }
            let image = C::image(&b.a, s);
            (d1[a], d2[a], d3[a]) = (C::d1(&b.p, s), C::d2(&b.p, s, &b.pdot), C::d3(&b.p, s, &b.pdot));
            for k in 0..C::D {
                u[k] += image[k];
                for l in 0..C::K {
                    rate[k] += d1[a][k][l] * b.pdot[l];
                    curvature[k] += d2[a][k][l] * b.pdot[l];
                }
            }
        }
        Moving { u, rate, curvature, d1, d2, d3 }
    }
}

/// Entry l of m^T f.
#[inline(always)]
fn column<C: Coords>(m: &[[f64; 4]; 3], l: usize, f: &V3) -> f64 {
    (0..C::D).map(|k| m[k][l] * f[k]).sum()
}

/// All derivatives of u . w, by the product rule: (u . w)' = u' . w + u . w', and so on up to the third in q.
///
/// A derivative by r picks the component k of the other arrow, once for each arrow that spans the gap; one by p
/// contracts its matrices with the other arrow.
pub fn inner<C: Coords>(bodies: [&BodyState; 2], u: &Arrow, w: &Arrow, hessian: bool, jet: &mut Jet) {
    let (m, n) = (u.moving::<C>(bodies), w.moving::<C>(bodies));
    // d(r_j - r_i) by r of body i and of body j
    let sign = [-1.0, 1.0];
    jet.value = dot(&m.u, &n.u);
    jet.rate = dot(&m.rate, &n.u) + dot(&m.u, &n.rate);
    jet.curvature = dot(&m.curvature, &n.u) + 2.0 * dot(&m.rate, &n.rate) + dot(&m.u, &n.curvature);
    for a in 0..2 {
        let at = a * C::NQ;
        for k in 0..C::D {
            jet.grad[at + k] = sign[a] * (u.alpha * n.u[k] + w.alpha * m.u[k]);
            jet.grad_rate[at + k] = sign[a] * (u.alpha * n.rate[k] + w.alpha * m.rate[k]);
            jet.grad_curvature[at + k] = sign[a] * (u.alpha * n.curvature[k] + w.alpha * m.curvature[k]);
        }
        for l in 0..C::K {
            let of = |mat: &[[[f64; 4]; 3]; 2], f: &V3| column::<C>(&mat[a], l, f);
            jet.grad[at + C::D + l] = of(&m.d1, &n.u) + of(&n.d1, &m.u);
            jet.grad_rate[at + C::D + l] =
                of(&m.d2, &n.u) + of(&m.d1, &n.rate) + of(&n.d2, &m.u) + of(&n.d1, &m.rate);
            jet.grad_curvature[at + C::D + l] = of(&m.d3, &n.u)
                + 2.0 * of(&m.d2, &n.rate)
                + of(&m.d1, &n.curvature)
                + of(&n.d3, &m.u)
                + 2.0 * of(&n.d2, &m.rate)
                + of(&n.d1, &m.curvature);
        }
    }
    if hessian {
        inner_hessian::<C>(bodies, (u, &m), (w, &n), jet);
    }
}

/// Second derivative of u . w: u_q^T w_q + w_q^T u_q, and on the diagonal the curvature of each arrow, K(s, f), with the
/// other one as f.
fn inner_hessian<C: Coords>(
    bodies: [&BodyState; 2],
    (u, m): (&Arrow, &Moving),
    (w, n): (&Arrow, &Moving),
    jet: &mut Jet,
) {
    let sign = [-1.0, 1.0];
    for a in 0..2 {
        for b in 0..2 {
            let (row, col) = (a * C::NQ, b * C::NQ);
            // r with r
            for k in 0..C::D {
                for l in 0..C::D {
                    jet.hessian[row + k][col + l] = 0.0;
                }
                jet.hessian[row + k][col + k] = 2.0 * sign[a] * sign[b] * u.alpha * w.alpha;
                // r with p, and p with r
                for l in 0..C::K {
                    let x = sign[a] * (u.alpha * n.d1[b][k][l] + w.alpha * m.d1[b][k][l]);
                    jet.hessian[row + k][col + C::D + l] = x;
                    jet.hessian[col + C::D + l][row + k] = x;
                }
            }
            // p with p
            for k in 0..C::K {
                for l in 0..C::K {
                    jet.hessian[row + C::D + k][col + C::D + l] = (0..C::D)
                        .map(|i| m.d1[a][i][k] * n.d1[b][i][l] + n.d1[a][i][k] * m.d1[b][i][l])
                        .sum();
                }
            }
        }
        let (ku, kw) = (C::d2f(&bodies[a].p, &u.s[a], &n.u), C::d2f(&bodies[a].p, &w.s[a], &m.u));
        let at = a * C::NQ + C::D;
        for k in 0..C::K {
            for l in 0..C::K {
                jet.hessian[at + k][at + l] += ku[k][l] + kw[k][l];
            }
        }
    }
}
