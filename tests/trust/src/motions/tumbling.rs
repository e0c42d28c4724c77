//! Bodies in free rotation.
//!
//! Unequal moments I1 < I2 < I3, started with w2 = 0 and L^2 > 2 E I2: w1, w2, w3 go as cn, sn, dn; the attitude about
//! the constant angular momentum by a quadrature (L. D. Landau, E. M. Lifshitz, Mechanics, section 37).

use crate::motion::{Motion, Track};
use crate::reference::jacobi::sn_cn_dn;
use crate::reference::quadrature::integral;
use crate::reference::rotation::{Matrix, about, euler_angles, euler_parameters, times, transposed};

/// Slow, fast, close to the intermediate axis, and with two equal moments.
pub fn motions() -> Vec<Motion> {
    vec![
        asymmetric("tumbling", (10.0, 6.5), 4.0),
        asymmetric("tumbling_fast", (300.0, 200.0), 0.15),
        asymmetric("tumbling_flip", (10.0, 5.78), 3.0),
        symmetric(),
    ]
}

/// Principal moments of the tumbling body.
pub const MOMENTS: [f64; 3] = [1.0, 2.0, 3.0];

/// The model of the tumbling body, for a start with (w1, 0, w3).
pub fn model((w1, w3): (f64, f64)) -> String {
    let [a, b, c] = MOMENTS;
    format!(
        r#"
[[body]]
name = "body"
mass = 1
inertia = [{a}, {b}, {c}]
angular_velocity = [{w1}, 0, {w3}]
"#
    )
}

/// The attitude of a body that starts with (w1, 0, w3) in the global axes.
pub struct Tumble {
    amplitudes: [f64; 3],
    /// Rate of the argument, and the parameter of the elliptic functions.
    rate: f64,
    m: f64,
    momentum: f64,
}

impl Tumble {
    /// The motion for a start.
    pub fn new((w1, w3): (f64, f64)) -> Tumble {
        let [a, b, c] = MOMENTS;
        let twice = a * w1 * w1 + c * w3 * w3;
        let square = (a * w1).powi(2) + (c * w3).powi(2);
        assert!(square > twice * b, "w3 is too small");
        let w2 = ((twice * c - square) / (b * (c - b))).sqrt();
        let rate = ((c - b) * (square - twice * a) / (a * b * c)).sqrt();
        let m = (b - a) * (twice * c - square) / ((c - b) * (square - twice * a));
        Tumble { amplitudes: [w1, w2, w3], rate, m, momentum: square.sqrt() }
    }

    /// Angular velocity in the axes of the body.
    fn w(&self, t: f64) -> [f64; 3] {
        let (sn, cn, dn) = sn_cn_dn(self.rate * t, self.m);
        let [w1, w2, w3] = self.amplitudes;
        [w1 * cn, w2 * sn, w3 * dn]
    }

    /// The rate of precession about the angular momentum.
    fn precession(&self, t: f64) -> f64 {
        let ([a, b, _], [w1, w2, _]) = (MOMENTS, self.w(t));
        let across = (a * w1).powi(2) + (b * w2).powi(2);
        self.momentum * (a * w1 * w1 + b * w2 * w2) / across
    }

    /// The attitude in axes whose z axis is the angular momentum, for an angle of precession.
    fn attitude(&self, t: f64, precession: f64) -> Matrix {
        let ([a, b, c], [w1, w2, w3]) = (MOMENTS, self.w(t));
        let tilt = (c * w3 / self.momentum).acos();
        euler_angles(precession, tilt, (a * w1).atan2(b * w2))
    }

    /// Euler parameters at the times.
    pub fn attitudes(&self, t: &[f64]) -> Vec<Vec<f64>> {
        let back = transposed(&self.attitude(0.0, 0.0));
        let (mut angle, mut last) = (0.0, 0.0);
        let mut rows = Vec::new();
        for &t in t {
            angle += integral(|t| self.precession(t), (last, t), 0.05 / self.rate);
            last = t;
            rows.push(euler_parameters(&times(&back, &self.attitude(t, angle))).to_vec());
        }
        rows
    }
}

fn asymmetric(name: &str, start: (f64, f64), t_end: f64) -> Motion {
    let truth = move |t: &[f64]| Tumble::new(start).attitudes(t);
    Motion::new(name, model(start), t_end, vec![Track::attitude("body")], Box::new(truth))
}

/// Two equal moments: the axis goes round the angular momentum, the body round its axis, both steadily.
fn symmetric() -> Motion {
    let (across, along) = (1.0, 1.8);
    let (w1, w3) = (30.0, 150.0);
    let model = format!(
        r#"
[[body]]
name = "body"
mass = 1
inertia = [{across}, {across}, {along}]
angular_velocity = [{w1}, 0, {w3}]
"#
    );
    let truth = move |t: &[f64]| {
        let momentum: [f64; 3] = [across * w1, 0.0, along * w3];
        let size = momentum[0].hypot(momentum[2]);
        let axis = momentum.map(|x| x / size);
        let own = w3 - along * w3 / across;
        let row = |&t: &f64| {
            let turned = times(&about(axis, size / across * t), &about([0.0, 0.0, 1.0], own * t));
            euler_parameters(&turned).to_vec()
        };
        t.iter().map(row).collect()
    };
    Motion::new("tumbling_symmetric", model, 0.5, vec![Track::attitude("body")], Box::new(truth))
}

#[cfg(test)]
mod tests {
    use super::Tumble;
    use crate::reference::extrapolation::{FINE, solve};
    use crate::reference::rotation::angle_between;

    /// The closed form against Euler's equations and p' = w p / 2, integrated.
    #[test]
    fn closed_form_against_equations_of_motion() {
        let rates = |_: f64, y: &[f64], f: &mut [f64]| {
            let (w, p) = (&y[..3], &y[3..]);
            let [a, b, c] = super::MOMENTS;
            f[0] = (b - c) * w[1] * w[2] / a;
            f[1] = (c - a) * w[2] * w[0] / b;
            f[2] = (a - b) * w[0] * w[1] / c;
            f[3] = -0.5 * (p[1] * w[0] + p[2] * w[1] + p[3] * w[2]);
            f[4] = 0.5 * (p[0] * w[0] + p[2] * w[2] - p[3] * w[1]);
            f[5] = 0.5 * (p[0] * w[1] + p[3] * w[0] - p[1] * w[2]);
            f[6] = 0.5 * (p[0] * w[2] + p[1] * w[1] - p[2] * w[0]);
        };
        let t: Vec<f64> = (0..=20).map(|k| 0.2 * f64::from(k)).collect();
        for start in [(10.0, 6.5), (10.0, 5.78)] {
            let closed = Tumble::new(start).attitudes(&t);
            let y0 = [start.0, 0.0, start.1, 1.0, 0.0, 0.0, 0.0];
            for (right, y) in closed.iter().zip(solve(&rates, (0.0, &y0), &t, &[], FINE)) {
                let off = angle_between(right, &y[3..]);
                assert!(off < 1e-10, "{start:?} {off:e}");
            }
        }
    }
}
