//! The rotation vector r of a turn, p = exp(r/2), and how its rates and the angular velocity in turned axes follow
//! from each other.
//!
//! ```text
//! w  = T r',  T = I - c1 r~ + c2 r~ r~          T^-1 = I + 1/2 r~ + k r~ r~
//! w' = T r'' + b,  b = -c1' r x r' + c2' r x (r x r') + c2 r' x (r x r')
//! ```
//!
//! T is regular up to a full turn; charts stay within half a turn.

use super::{M3, V3, add, cross, dot, scale};

/// Squares of angles below which the coefficients are summed as series.
const SMALL: f64 = 1.0;

/// Euler parameters of the turn.
#[inline]
pub fn exponential(r: &V3) -> [f64; 4] {
    let square = dot(r, r);
    // sin(x/2)/x
    let part = if square < 1e-8 {
        0.5 - square / 48.0
    } else {
        let angle = square.sqrt();
        (0.5 * angle).sin() / angle
    };
    [(0.5 * square.sqrt()).cos(), part * r[0], part * r[1], part * r[2]]
}

/// The coefficients for one turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    r: V3,
    c1: f64,
    c2: f64,
    k: f64,
    /// Derivatives with respect to r.r.
    slope1: f64,
    slope2: f64,
}

/// `sum_k (-u)^k / (2 k + first)!` and its derivative with respect to u, for u < 1.
fn series(u: f64, first: u32) -> (f64, f64) {
    let mut term = 1.0 / (1..=first).map(f64::from).product::<f64>();
    let (mut sum, mut slope) = (0.0, 0.0);
    for k in 0..10 {
        let next = 2.0 * f64::from(k) + f64::from(first) + 1.0;
        sum += term;
        term /= -(next * (next + 1.0));
        slope += f64::from(k + 1) * term;
        term *= u;
    }
    // the terms carry u to their own power; the derivative has one less
    (sum, slope)
}

impl Turn {
    /// The coefficients.
    pub fn new(r: &V3) -> Self {
        let u = dot(r, r);
        if u < SMALL {
            let (c2, slope2) = series(u, 3);
            // c1 = 1/2 - u d
            let (d, slope) = series(u, 4);
            let c1 = 0.5 - u * d;
            let k = 0.5 * (c2 - 2.0 * d) / c1;
            return Self { r: *r, c1, c2, k, slope1: -d - u * slope, slope2 };
        }
        let angle = u.sqrt();
        let (sin, cos) = angle.sin_cos();
        let c1 = (1.0 - cos) / u;
        let c2 = (angle - sin) / (angle * u);
        Self {
            r: *r,
            c1,
            c2,
            k: (c2 - (1.0 - 2.0 * c1) / u) / (2.0 * c1),
            slope1: (angle * sin - 2.0 * (1.0 - cos)) / (2.0 * u * u),
            slope2: (3.0 * sin - 2.0 * angle - angle * cos) / (2.0 * u * u * angle),
        }
    }

    /// T by rows.
    pub fn matrix(&self) -> M3 {
        let Self { r, c1, c2, .. } = self;
        let diagonal = 1.0 - c2 * dot(r, r);
        let part = |i: usize, k: usize| c2 * r[i] * r[k];
        [
            [diagonal + part(0, 0), part(0, 1) + c1 * r[2], part(0, 2) - c1 * r[1]],
            [part(1, 0) - c1 * r[2], diagonal + part(1, 1), part(1, 2) + c1 * r[0]],
            [part(2, 0) + c1 * r[1], part(2, 1) - c1 * r[0], diagonal + part(2, 2)],
        ]
    }

    /// T^-1 y.
    #[inline]
    pub fn solve(&self, y: &V3) -> V3 {
        let once = cross(&self.r, y);
        let twice = cross(&self.r, &once);
        add(y, &add(&scale(0.5, &once), &scale(self.k, &twice)))
    }

    /// T^-T y.
    #[inline]
    pub fn solve_transposed(&self, y: &V3) -> V3 {
        let once = cross(&self.r, y);
        let twice = cross(&self.r, &once);
        add(y, &add(&scale(-0.5, &once), &scale(self.k, &twice)))
    }

    /// b = T' r' for rates r'.
    #[inline]
    pub fn bias(&self, rate: &V3) -> V3 {
        let du = 2.0 * dot(&self.r, rate);
        let once = cross(&self.r, rate);
        let twice = cross(&self.r, &once);
        let curl = cross(rate, &once);
        let (a, b) = (-self.slope1 * du, self.slope2 * du);
        std::array::from_fn(|i| a * once[i] + b * twice[i] + self.c2 * curl[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::{apply, euler};

    const RATE: V3 = [0.7, -1.9, 0.4];
    const ACC: V3 = [2.0, 0.3, -1.1];
    const AXIS: V3 = [0.48, -0.6, 0.64];

    /// p(t) along r + t r' + t^2/2 r''.
    fn moved(r: &V3, t: f64) -> [f64; 4] {
        exponential(&std::array::from_fn(|i| r[i] + t * (RATE[i] + 0.5 * t * ACC[i])))
    }

    #[test]
    fn rates_are_those_of_the_euler_parameters() {
        for angle in [0.0, 1e-5, 1e-3, 0.1, 0.5, 0.99, 1.01, 2.0, 3.1] {
            let r = scale(angle, &AXIS);
            let turn = Turn::new(&r);
            let w = apply(&turn.matrix(), &RATE);
            // p' and p'' by differences of fourth order
            let h = 1e-3;
            let p = |k: f64| moved(&r, k * h);
            let (a, b, c, d) = (p(-2.0), p(-1.0), p(1.0), p(2.0));
            let o = p(0.0);
            let first: [f64; 4] =
                std::array::from_fn(|i| (a[i] - 8.0 * b[i] + 8.0 * c[i] - d[i]) / (12.0 * h));
            let second: [f64; 4] = std::array::from_fn(|i| {
                (-a[i] + 16.0 * b[i] - 30.0 * o[i] + 16.0 * c[i] - d[i]) / (12.0 * h * h)
            });
            let by_p = scale(2.0, &euler::g_times(&o, &first));
            let acc_by_p = scale(2.0, &euler::g_times(&o, &second));
            let acc = add(&apply(&turn.matrix(), &ACC), &turn.bias(&RATE));
            for i in 0..3 {
                assert!((w[i] - by_p[i]).abs() < 1e-9, "{angle}: {w:?} {by_p:?}");
                assert!((acc[i] - acc_by_p[i]).abs() < 1e-6, "{angle}: {acc:?} {acc_by_p:?}");
            }
            let back = turn.solve(&w);
            assert!((0..3).all(|i| (back[i] - RATE[i]).abs() < 3e-15), "{angle}: {back:?}");
        }
    }

    #[test]
    fn series_and_closed_forms_meet() {
        let near = |x: f64| Turn::new(&scale(x, &AXIS));
        let (a, b) = (near(1.0 - 1e-9), near(1.0 + 1e-9));
        let pairs = [(a.c1, b.c1), (a.c2, b.c2), (a.k, b.k), (a.slope1, b.slope1), (a.slope2, b.slope2)];
        assert!(pairs.iter().all(|(a, b)| (a - b).abs() < 1e-9 * a.abs()), "{pairs:?}");
    }
}
