//! A PID controller on an inverted pendulum: the closed loop is known.

use super::{at_end, integrated, mechanism, settings};
use kingpin::dynamics::Method;
use nalgebra::{Complex, DMatrix};

const G: f64 = 9.81;
const GAINS: [f64; 3] = [60.0, 40.0, 8.0];
/// A rod of 2 kg, its centre of mass 0.5 m above the hinge.
const MASS: f64 = 2.0;
const ARM: f64 = 0.5;
const INERTIA: f64 = 0.1;

/// The pendulum with a torque at its hinge; `controller` gives the lines of a PID controller of the angle from upright.
fn upright(controller: &str, angle: f64) -> String {
    let (c, s) = (ARM * angle.cos(), -ARM * angle.sin());
    format!(
        r#"
name = "upright"
space = "planar"
gravity = [0, -{G}]

[[body]]
name = "rod"
mass = {MASS}
inertia = {INERTIA}
position = [{s}, {c}]
angle = {angle}

[[marker]]
name = "foot"
body = "rod"
position = [0, -{ARM}]

[[marker]]
name = "base"
body = "ground"
position = [0, 0]

[[joint]]
type = "revolute"
name = "hinge"
marker1 = "base"
marker2 = "foot"

[[measure]]
type = "angle"
name = "lean"
joint = "hinge"

[[controller]]
type = "pid"
name = "motor"
input = "lean"
kp = {kp}
ki = {ki}
kd = {kd}
{controller}

[[force]]
type = "torque"
name = "drive"
body = "rod"
magnitude = "motor"
"#,
        kp = GAINS[0],
        ki = GAINS[1],
        kd = GAINS[2],
    )
}

/// Eigenvalues of a companion matrix: roots of the polynomial with these coefficients, the highest power first.
fn roots(coefficients: &[f64]) -> Vec<Complex<f64>> {
    let n = coefficients.len() - 1;
    let mut a = DMatrix::zeros(n, n);
    for k in 0..n {
        a[(0, k)] = -coefficients[k + 1] / coefficients[0];
        if k > 0 {
            a[(k, k - 1)] = 1.0;
        }
    }
    a.complex_eigenvalues().iter().copied().collect()
}

fn check_roots(text: &str, polynomial: &[f64]) {
    let of = mechanism(text);
    let modes = of.modes(of.state()).unwrap();
    assert_eq!((modes.zeros, modes.free.len(), modes.dof), (0, 0, 1));
    let exact = roots(polynomial);
    let count: usize = modes.modes.iter().map(|mode| if mode.imaginary > 0.0 { 2 } else { 1 }).sum();
    assert_eq!(count, exact.len());
    for mode in &modes.modes {
        let own = Complex::new(mode.real, mode.imaginary);
        let miss = exact.iter().map(|root| (own - root).norm() / root.norm()).fold(f64::INFINITY, f64::min);
        assert!(miss < 1e-8, "{own} is no root of {exact:?}: {miss:e}");
    }
}

#[test]
fn its_eigenvalues_are_the_roots_of_the_characteristic_polynomial() {
    let j = INERTIA + MASS * ARM * ARM;
    let [kp, ki, kd] = GAINS;
    let k = kp - MASS * G * ARM;
    // j s^2 + kd s + (kp - m g l) + ki / s
    check_roots(&upright("", 0.0), &[j, kd, k, ki]);
    // with a filter T: (j s^2 - m g l + kp + ki / s)(T s + 1) + kd s, times s
    let t = 0.02;
    check_roots(&upright("filter = 0.02", 0.0), &[j * t, j, k * t + kd, k + ki * t, ki]);
}

/// The rate of (angle, angular velocity, integral part, filtered error) with a filter T, or none.
fn rates(x: &[f64], filter: f64) -> Vec<f64> {
    let j = INERTIA + MASS * ARM * ARM;
    let [kp, ki, kd] = GAINS;
    let e = -x[0];
    let derivative = if filter > 0.0 { kd * (e - x[3]) / filter } else { -kd * x[1] };
    let u = kp * e + x[2] + derivative;
    let filtered = if filter > 0.0 { (e - x[3]) / filter } else { 0.0 };
    vec![x[1], (MASS * G * ARM * x[0].sin() + u) / j, ki * e, filtered]
}

#[test]
fn every_method_follows_the_closed_loop() {
    let start = 0.3;
    for (lines, filter) in [("", 0.0), ("filter = 0.02", 0.02)] {
        let of = mechanism(&upright(lines, start));
        let exact = integrated(vec![start, 0.0, 0.0, 0.0], 0.8, 40_000, |_, x| rates(x, filter));
        for method in Method::ALL {
            let tol = 1e-6;
            let found = at_end(&of, &settings(method, tol, 0.8), &["lean", "lean.rate", "motor.integral"]);
            for k in 0..3 {
                let error = (found[k] - exact[k]).abs();
                let most = if method.has_fixed_step() { 1e-4 } else { 100.0 * tol };
                assert!(
                    error < most * [0.3, 3.0, 10.0][k],
                    "{} {lines}: {k} off by {error:e}",
                    method.name()
                );
            }
        }
    }
}

#[test]
fn small_angles_follow_the_linear_solution() {
    // real modes of j s^3 + kd s^2 + k s + ki = 0 superpose: a sum of exponentials with the initial conditions
    let j = INERTIA + MASS * ARM * ARM;
    let [kp, ki, kd] = GAINS;
    let roots = roots(&[j, kd, kp - MASS * G * ARM, ki]);
    let (start, t) = (1e-5, 0.7);
    let one = Complex::new(1.0, 0.0);
    let powers = DMatrix::from_fn(3, 3, |i, k| if i == 0 { one } else { roots[k].powi(i as i32) });
    // angle, no rate, and j angle'' = -k angle as the integral part is zero
    let second = -(kp - MASS * G * ARM) / j * start;
    let right =
        DMatrix::from_column_slice(3, 1, &[Complex::new(start, 0.0), one * 0.0, Complex::new(second, 0.0)]);
    let parts = powers.lu().solve(&right).unwrap();
    let exact: f64 = (0..3).map(|k| (parts[(k, 0)] * (roots[k] * t).exp()).re).sum();
    let of = mechanism(&upright("", start));
    for method in [Method::Radau, Method::Dop853, Method::ForRosen] {
        let found = at_end(&of, &settings(method, 1e-9, t), &["lean"])[0];
        let error = (found - exact).abs() / start;
        assert!(error < 1e-7, "{}: {error:e}", method.name());
    }
}
