//! The mass matrix and its derivatives.

use super::{System, in_space};
use crate::spatial::{BodyState, Coords, M3, apply, euler};

impl System {
    /// out = M x in velocities: mass and constant inertia tensor of each body.
    pub fn mass_times(&self, x: &[f64], out: &mut [f64]) {
        in_space!(self.space, C => self.mass_in::<C>(x, out, |i| (i.mass, i.tensor)));
    }

    /// out = M^-1 x in velocities.
    pub fn inverse_mass_times(&self, x: &[f64], out: &mut [f64]) {
        in_space!(self.space, C => self.mass_in::<C>(x, out, |i| (i.inverse_mass, i.inverse)));
    }

    fn mass_in<C: Coords>(&self, x: &[f64], out: &mut [f64], of: impl Fn(&super::Inertia) -> (f64, M3)) {
        for (inertia, node) in self.inertia.iter().zip(self.nodes.iter()) {
            let (x, out) = (&x[node.v()], &mut out[node.v()]);
            let (m, j) = of(inertia);
            if !node.turns() {
                out.iter_mut().zip(x).for_each(|(out, x)| *out = m * x);
                continue;
            }
            for k in 0..C::D {
                out[k] = m * x[k];
            }
            for k in 0..C::M {
                out[C::D + k] = (0..C::M).map(|l| j[k][l] * x[C::D + l]).sum();
            }
        }
    }
}

/// 4 a^T J b.
fn sandwich(a: &[[f64; 4]; 3], j: &M3, b: &[[f64; 4]; 3]) -> [[f64; 4]; 4] {
    let mut out = [[0.0; 4]; 4];
    for k in 0..4 {
        let column = apply(j, &[b[0][k], b[1][k], b[2][k]]);
        for i in 0..4 {
            out[i][k] = 4.0 * (a[0][i] * column[0] + a[1][i] * column[1] + a[2][i] * column[2]);
        }
    }
    out
}

/// (4 G^T J G x)_p at fixed x: 4 N(J G x) - 4 G^T J G(x), since G(p) x = -G(x) p.
pub fn rotation_mass_derivative(p: &[f64; 4], j: &M3, x: &[f64; 4]) -> [[f64; 4]; 4] {
    let n = euler::n_matrix(&apply(j, &euler::g_times(p, x)));
    let s = sandwich(&euler::g_matrix(p), j, &euler::g_matrix(x));
    std::array::from_fn(|i| std::array::from_fn(|k| 4.0 * n[i][k] - s[i][k]))
}

/// The quadratic velocity force 8 G'^T J G' p with its derivatives in p and p' [Serban 1997, Eq 11].
pub fn gyroscopic(body: &BodyState, j: &M3) -> ([f64; 4], [[f64; 4]; 4], [[f64; 4]; 4]) {
    let (p, x) = (&body.p, &body.pdot);
    let gx = euler::g_matrix(x);
    let by_p = sandwich(&gx, j, &gx).map(|row| row.map(|e| 2.0 * e));
    let force = by_p.map(|row| (0..4).map(|k| row[k] * p[k]).sum());
    let n = euler::n_matrix(&apply(j, &euler::g_times(x, p)));
    let s = sandwich(&gx, j, &euler::g_matrix(p));
    let by_x = std::array::from_fn(|i| std::array::from_fn(|k| 8.0 * n[i][k] - 2.0 * s[i][k]));
    (force, by_p, by_x)
}
