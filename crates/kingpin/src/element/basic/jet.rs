//! Derivatives of a scalar function g of the coordinates of two bodies, and the chain rule on them.

use crate::spatial::Coords;

/// Width of a row over two bodies, spatial coordinates; planar rows use the first six entries.
pub const W: usize = 14;

/// Value, velocity row and curvature.
#[derive(Clone, Copy, Debug)]
pub struct First {
    /// g.
    pub value: f64,
    /// dg/dt = sum of row . v over the two bodies.
    pub row: [[f64; 6]; 2],
    /// d2g/dt2 at zero accelerations (r'', w').
    pub curvature: f64,
}

impl First {
    /// dg/dt for given velocities.
    #[inline]
    pub fn rate<C: Coords>(&self, bodies: [&crate::spatial::BodyState; 2]) -> f64 {
        let mut sum = 0.0;
        for a in 0..2 {
            for k in 0..C::D {
                sum += self.row[a][k] * bodies[a].rdot[k];
            }
            for k in 0..C::M {
                sum += self.row[a][C::D + k] * bodies[a].w[k];
            }
        }
        sum
    }

    /// A row from its parts: d/dr and d/d(rotation) of each body.
    #[inline(always)]
    pub fn row<C: Coords>(ri: &[f64; 3], wi: &[f64; 3], rj: &[f64; 3], wj: &[f64; 3]) -> [[f64; 6]; 2] {
        let mut row = [[0.0; 6]; 2];
        row[0][..C::D].copy_from_slice(&ri[..C::D]);
        row[1][..C::D].copy_from_slice(&rj[..C::D]);
        row[0][C::D..C::NV].copy_from_slice(&wi[..C::M]);
        row[1][C::D..C::NV].copy_from_slice(&wj[..C::M]);
        row
    }
}

/// Derivatives in coordinates q = (r, p of body i, r, p of body j), with x the rates of q.
#[derive(Clone, Debug)]
pub struct Jet {
    /// g.
    pub value: f64,
    /// g_q x.
    pub rate: f64,
    /// x^T g_qq x.
    pub curvature: f64,
    /// g_q.
    pub grad: [f64; W],
    /// (g_q x)_q.
    pub grad_rate: [f64; W],
    /// (x^T g_qq x)_q.
    pub grad_curvature: [f64; W],
    /// g_qq; zero if it was not asked for.
    pub hessian: [[f64; W]; W],
}

impl Default for Jet {
    fn default() -> Self {
        let (grad, grad_rate, grad_curvature) = ([0.0; W], [0.0; W], [0.0; W]);
        Jet { value: 0.0, rate: 0.0, curvature: 0.0, grad, grad_rate, grad_curvature, hessian: [[0.0; W]; W] }
    }
}

/// Derivatives of an outer function f(g).
pub struct Outer1 {
    /// f.
    pub f: f64,
    /// f', f'', f'''.
    pub d: [f64; 3],
}

/// Derivatives of an outer function f(g, h).
pub struct Outer2 {
    /// f.
    pub f: f64,
    /// f_g, f_h.
    pub d1: [f64; 2],
    /// f_gg, f_gh, f_hh.
    pub d2: [f64; 3],
    /// f_ggg, f_ggh, f_ghh, f_hhh.
    pub d3: [f64; 4],
}

impl Jet {
    /// f(g) in place of g: f_q = f' g_q and f_qq = f' g_qq + f'' g_q^T g_q, and what follows for their contractions with x.
    ///
    /// Higher ones first: each needs the lower ones of g, which are overwritten last.
    pub fn chain1<C: Coords>(&mut self, o: &Outer1, hessian: bool) {
        let [f1, f2, f3] = o.d;
        let (rate, curvature) = (self.rate, self.curvature);
        for k in 0..2 * C::NQ {
            let (g, gr, gc) = (self.grad[k], self.grad_rate[k], self.grad_curvature[k]);
            self.grad_curvature[k] = (f3 * rate * rate + f2 * curvature) * g + 2.0 * f2 * rate * gr + f1 * gc;
            self.grad_rate[k] = f2 * rate * g + f1 * gr;
        }
        if hessian {
            for k in 0..2 * C::NQ {
                for l in 0..2 * C::NQ {
                    self.hessian[k][l] = f1 * self.hessian[k][l] + f2 * self.grad[k] * self.grad[l];
                }
            }
        }
        for k in 0..2 * C::NQ {
            self.grad[k] *= f1;
        }
        self.value = o.f;
        self.rate = f1 * rate;
        self.curvature = f2 * rate * rate + f1 * curvature;
    }

    /// f(g, h) in place of g, likewise with partial derivatives of f; `h` stays as it is.
    pub fn chain2<C: Coords>(&mut self, h: &Jet, o: &Outer2, hessian: bool) {
        let ([fg, fh], [fgg, fgh, fhh], [fggg, fggh, fghh, fhhh]) = (o.d1, o.d2, o.d3);
        let (x, y) = (self.rate, h.rate);
        // second time derivative of the outer partials along the motion
        let on_g =
            fggg * x * x + 2.0 * fggh * x * y + fghh * y * y + fgg * self.curvature + fgh * h.curvature;
        let on_h =
            fggh * x * x + 2.0 * fghh * x * y + fhhh * y * y + fgh * self.curvature + fhh * h.curvature;
        let (rate_g, rate_h) = (fgg * x + fgh * y, fgh * x + fhh * y);
        for k in 0..2 * C::NQ {
            self.grad_curvature[k] = on_g * self.grad[k]
                + on_h * h.grad[k]
                + 2.0 * (rate_g * self.grad_rate[k] + rate_h * h.grad_rate[k])
                + fg * self.grad_curvature[k]
                + fh * h.grad_curvature[k];
            self.grad_rate[k] =
                rate_g * self.grad[k] + rate_h * h.grad[k] + fg * self.grad_rate[k] + fh * h.grad_rate[k];
        }
        if hessian {
            for k in 0..2 * C::NQ {
                for l in 0..2 * C::NQ {
                    let (gk, gl, hk, hl) = (self.grad[k], self.grad[l], h.grad[k], h.grad[l]);
                    self.hessian[k][l] = fg * self.hessian[k][l]
                        + fh * h.hessian[k][l]
                        + fgg * gk * gl
                        + fgh * (gk * hl + hk * gl)
                        + fhh * hk * hl;
                }
            }
        }
        for k in 0..2 * C::NQ {
            self.grad[k] = fg * self.grad[k] + fh * h.grad[k];
        }
        self.curvature =
            fgg * x * x + 2.0 * fgh * x * y + fhh * y * y + fg * self.curvature + fh * h.curvature;
        self.value = o.f;
        self.rate = fg * x + fh * y;
    }
}
