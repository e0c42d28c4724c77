//! Derivatives of inertia and inner forces in coordinates (p, z): with w = B p', B = 2 G(p) in space and 1 in the plane,
//! p the attitude of the frame,
//!
//! ```text
//! M q'':  B^T (J a + H z''),  m z'' + H^T a       a = B p''
//! Q:     -B^T J' w - 2 B(p')^T (J w + H z'),  w.J_z_j w / 2 + 2 w.h_j z' and inner forces
//! ```
//!
//! B is linear in p, and B(p) x = -B(x) p. In the plane B(p') is nothing.

use super::forces::along;
use super::{FloatingConstants, FloatingMass, add, add3};
use crate::spatial::{M3, V3, apply, dot, euler};

/// The motion of an instant in coordinates.
#[derive(Clone, Copy)]
pub struct FloatingMotion<'a> {
    /// Attitude of the frame with its first and second rate; in the plane the first number of each.
    pub turn: [&'a [f64; 4]; 3],
    /// Amplitudes with their first and second rates.
    pub z: [&'a [f64]; 3],
    /// Whether there are Euler parameters.
    pub spatial: bool,
}

/// Forces and derivatives over (p, z), by rows: k numbers of the frame, then the amplitudes.
#[derive(Clone, Debug, Default)]
pub struct FloatingSlopes {
    /// Q.
    pub force: Vec<f64>,
    /// Q by coordinates.
    pub force_q: Vec<f64>,
    /// Q by rates.
    pub force_qdot: Vec<f64>,
    /// M q'' by coordinates.
    pub mass_q: Vec<f64>,
}

impl FloatingSlopes {
    /// Room for bodies of so many amplitudes and fewer.
    pub fn new(amplitudes: usize) -> FloatingSlopes {
        let n = amplitudes + 4;
        let square = || vec![0.0; n * n];
        let [force_q, force_qdot, mass_q] = [square(), square(), square()];
        FloatingSlopes { force: vec![0.0; n], force_q, force_qdot, mass_q }
    }
}

/// How the frame turns: columns of w_p', and N with (B^T y)_p = N(y).
struct FrameTurning {
    k: usize,
    spatial: bool,
}

impl FrameTurning {
    /// B of x, rows over the numbers of the frame.
    fn b(&self, x: &[f64; 4]) -> [[f64; 4]; 3] {
        if self.spatial {
            return euler::g_matrix(x).map(|row| row.map(|g| 2.0 * g));
        }
        [[1.0, 0.0, 0.0, 0.0], [0.0; 4], [0.0; 4]]
    }

    /// B of rates: nothing in the plane.
    fn b_rate(&self, x: &[f64; 4]) -> [[f64; 4]; 3] {
        if self.spatial { self.b(x) } else { [[0.0; 4]; 3] }
    }

    /// (B^T y)_p.
    fn n(&self, y: &V3) -> [[f64; 4]; 4] {
        if self.spatial { euler::n_matrix(y).map(|row| row.map(|x| 2.0 * x)) } else { [[0.0; 4]; 4] }
    }
}

/// B x.
fn times(b: &[[f64; 4]; 3], x: &[f64; 4]) -> V3 {
    b.map(|row| row.iter().zip(x).map(|(b, x)| b * x).sum())
}

/// Column i of B.
fn column(b: &[[f64; 4]; 3], i: usize) -> V3 {
    [b[0][i], b[1][i], b[2][i]]
}

impl FloatingConstants {
    /// All derivatives at an instant. O(amplitudes^2)
    pub fn slopes(&self, at: &FloatingMotion, mass: &FloatingMass, out: &mut FloatingSlopes) {
        let turning = FrameTurning { k: if at.spatial { 4 } else { 1 }, spatial: at.spatial };
        let n = turning.k + self.amplitudes();
        let FloatingSlopes { force, force_q, force_qdot, mass_q } = out;
        force[..n].fill(0.0);
        for table in [force_q, force_qdot, mass_q] {
            table[..n * n].fill(0.0);
        }
        self.frame_rows(&turning, at, mass, out);
        self.amplitude_rows(&turning, at, mass, out);
        self.inner_rows(&turning, at, out);
    }

    /// Rows of the frame, and what amplitudes have of them by symmetry or sign.
    fn frame_rows(
        &self,
        turning: &FrameTurning,
        at: &FloatingMotion,
        mass: &FloatingMass,
        out: &mut FloatingSlopes,
    ) {
        let ([p, pdot, pddot], [z, rates, acc]) = (at.turn, at.z);
        let (k, n) = (turning.k, turning.k + z.len());
        let (b, b_rate) = (turning.b(p), turning.b_rate(pdot));
        let (w, a) = (times(&b, pdot), times(&b, pddot));
        let (j, j_rate) = (&mass.inertia, self.inertia_rate(z, rates));
        let momentum = self.spin(mass, &w, rates);
        let changed = apply(&j_rate, &w);
        let pull = self.spin(mass, &a, acc);
        // w_p = -B(p') and a_p = -B(p''), nothing in the plane
        let b_acc = turning.b_rate(pddot);
        let (of_pull, of_changed, of_momentum) =
            (turning.n(&pull), turning.n(&changed), turning.n(&momentum));
        let product = |left: &[[f64; 4]; 3], m: &M3, right: &[[f64; 4]; 3], row: usize, col: usize| {
            dot(&column(left, row), &apply(m, &column(right, col)))
        };
        for row in 0..k {
            let (own, own_rate) = (column(&b, row), column(&b_rate, row));
            out.force[row] = -dot(&own, &changed) - 2.0 * dot(&own_rate, &momentum);
            for col in 0..k {
                let to = row * n + col;
                out.mass_q[to] = of_pull[row][col] - product(&b, j, &b_acc, row, col);
                out.force_q[to] = -of_changed[row][col]
                    + product(&b, &j_rate, &b_rate, row, col)
                    + 2.0 * product(&b_rate, j, &b_rate, row, col);
                out.force_qdot[to] = -product(&b, &j_rate, &b, row, col)
                    - 2.0 * of_momentum[row][col]
                    - 2.0 * product(&b_rate, j, &b, row, col);
            }
        }
        for col in 0..z.len() {
            let by = self.inertia_by(col, z);
            let (mut pull, mut spin) = (apply(&by, &a), apply(&by, &w));
            let turned = spin;
            add3(&mut pull, 1.0, &self.turning_along(col, acc));
            add3(&mut spin, 1.0, &self.turning_along(col, rates));
            let changed = apply(&self.second_along(col, rates), &w);
            for row in 0..k {
                let (own, own_rate, to) = (column(&b, row), column(&b_rate, row), row * n + k + col);
                out.mass_q[to] = dot(&own, &pull);
                out.force_q[to] = -dot(&own, &changed) - 2.0 * dot(&own_rate, &spin);
                out.force_qdot[to] = -dot(&own, &turned) - 2.0 * dot(&own_rate, &mass.turning[col]);
            }
        }
    }

    /// Rows of the amplitudes, without inner forces.
    fn amplitude_rows(
        &self,
        turning: &FrameTurning,
        at: &FloatingMotion,
        mass: &FloatingMass,
        out: &mut FloatingSlopes,
    ) {
        let ([p, pdot, pddot], [z, rates, _]) = (at.turn, at.z);
        let (k, m) = (turning.k, z.len());
        let n = k + m;
        let b = turning.b(p);
        let (b_rate, b_acc) = (turning.b_rate(pdot), turning.b_rate(pddot));
        let (w, a) = (times(&b, pdot), times(&b, pddot));
        for row in 0..m {
            let spin = apply(&self.inertia_by(row, z), &w);
            let mut pull = spin;
            add3(&mut pull, 2.0, &self.turning_along(row, rates));
            let first = (k + row) * n;
            out.force[k + row] = 0.5 * dot(&w, &spin) + 2.0 * dot(&w, &self.turning_along(row, rates));
            for col in 0..k {
                out.mass_q[first + col] = -dot(&mass.turning[row], &column(&b_acc, col));
                out.force_q[first + col] = -dot(&pull, &column(&b_rate, col));
                out.force_qdot[first + col] = dot(&pull, &column(&b, col));
            }
            for col in 0..m {
                let (h, to) = (&self.turning[row * m + col], first + k + col);
                // h_col,row = -h_row,col
                out.mass_q[to] = -dot(h, &a);
                out.force_q[to] = dot(&w, &apply(&self.second[row * m + col], &w));
                out.force_qdot[to] = 2.0 * dot(&w, h);
            }
        }
    }

    /// Inner forces.
    fn inner_rows(&self, turning: &FrameTurning, at: &FloatingMotion, out: &mut FloatingSlopes) {
        let [z, rates, _] = at.z;
        let (k, m) = (turning.k, z.len());
        let n = k + m;
        self.inner_forces(z, rates, &mut out.force[k..n]);
        for row in 0..m {
            out.force_q[(k + row) * n + k + row] -= self.stiffness[row];
            for col in 0..m {
                out.force_qdot[(k + row) * n + k + col] -= self.damping[row * m + col];
            }
        }
        let Some(own) = &self.foreshortening else { return };
        let (_, tension) = self.shortened(z);
        let pulled = |j: usize| self.stiffness[j] * own.stretch[j];
        let whole: f64 = (0..m).map(|j| pulled(j) * own.stretch[j]).sum();
        let bent = |j: usize| along(&own.shortening[j * m..], z);
        for row in 0..m {
            let own_bent = bent(row);
            for col in 0..m {
                let (other, g) = (bent(col), own.shortening[row * m + col]);
                out.force_q[(k + row) * n + k + col] -=
                    pulled(row) * other + own_bent * (pulled(col) + whole * other) + tension * g;
            }
        }
    }

    /// (J')_z_j: twice the sum of J2_ij along rates.
    fn second_along(&self, j: usize, rates: &[f64]) -> M3 {
        let mut sum = [[0.0; 3]; 3];
        rates.iter().zip(&self.second[j * rates.len()..]).for_each(|(x, own)| add(&mut sum, 2.0 * x, own));
        sum
    }
}
