//! Symmetric tops on a fixed point, by Euler's angles: precession, tilt, spin.
//!
//! A tilt'' = A precession'^2 sin cos - C n precession' sin + m g l sin, with the spin n about the axis and the vertical
//! momentum constant.

use crate::motion::{Motion, Track};
use crate::reference::extrapolation::{FINE, solve};
use crate::reference::rotation::{Matrix, about, apply, cross, euler_angles, euler_parameters, transposed};

const MASS: f64 = 0.5;
const GRAVITY: f64 = 9.81;
/// From the fixed point to the centre of mass.
const LEVER: f64 = 0.05;
/// Moments about the centre of mass: across and along the axis.
const ACROSS: f64 = 7.5e-4;
const ALONG: f64 = 8e-4;

/// Fast, slow, asleep, and asleep but for a nudge.
pub fn motions() -> Vec<Motion> {
    vec![
        top("heavy_top", 0.4, 150.0, 1.5),
        top("heavy_top_slow", 1.2, 60.0, 2.0),
        nudged(),
        asleep(),
    ]
}

fn model(tilt: f64, spin: f64) -> String {
    format!(
        r#"
gravity = [0, 0, -{GRAVITY}]

[[body]]
name = "top"
mass = {MASS}
inertia = [{ACROSS}, {ACROSS}, {ALONG}]
com = [0, 0, {LEVER}]
orientation = {{ axis = [1, 0, 0], angle = {tilt} }}
angular_velocity = [0, 0, {spin}]

[[marker]]
name = "tip"
body = "top"
position = [0, 0, {LEVER}]

[[measure]]
type = "coordinate"
name = "tip_x"
marker = "tip"
coordinate = "x"

[[measure]]
type = "coordinate"
name = "tip_y"
marker = "tip"
coordinate = "y"

[[joint]]
type = "spherical"
name = "pivot"
body1 = "ground"
body2 = "top"
at = [0, 0, 0]
"#
    )
}

/// Started without precession and nutation.
fn top(name: &str, tilt: f64, spin: f64, t_end: f64) -> Motion {
    let truth = move |t: &[f64]| {
        let across = ACROSS + MASS * LEVER * LEVER;
        let axial = ALONG * spin;
        let vertical = axial * tilt.cos();
        let precession = move |tilt: f64| (vertical - axial * tilt.cos()) / (across * tilt.sin().powi(2));
        // tilt, its rate, precession, spin
        let rates = move |_: f64, y: &[f64], f: &mut [f64]| {
            let ((s, c), turn) = (y[0].sin_cos(), precession(y[0]));
            f[0] = y[1];
            f[1] = turn * turn * s * c + (MASS * GRAVITY * LEVER - axial * turn) * s / across;
            f[2] = turn;
            f[3] = spin - turn * c;
        };
        let row = |y: Vec<f64>| {
            let attitude = euler_angles(y[2], y[0], y[3]);
            let tip = apply(&attitude, [0.0, 0.0, LEVER]);
            let mut row = euler_parameters(&attitude).to_vec();
            row.extend([tip[0], tip[1]]);
            row
        };
        solve(&rates, (0.0, &[tilt, 0.0, 0.0, 0.0]), t, &[], FINE).into_iter().map(row).collect()
    };
    let tracks =
        vec![Track::attitude("top"), Track::channel("tip_x", LEVER), Track::channel("tip_y", LEVER)];
    Motion::new(name, model(tilt, spin), t_end, tracks, Box::new(truth))
}

/// Upright, it only spins.
fn asleep() -> Motion {
    let spin = 150.0;
    let truth = move |t: &[f64]| {
        let row = |t: &f64| {
            let mut row = euler_parameters(&euler_angles(0.0, 0.0, spin * t)).to_vec();
            row.extend([0.0, 0.0]);
            row
        };
        t.iter().map(row).collect()
    };
    let tracks =
        vec![Track::attitude("top"), Track::channel("tip_x", LEVER), Track::channel("tip_y", LEVER)];
    Motion::new("sleeping_top", model(0.0, spin), 1.0, tracks, Box::new(truth))
}

/// Close to upright, where Euler's angles fail: angular velocity and rotation matrix instead.
fn nudged() -> Motion {
    let (tilt, spin) = (0.01, 150.0);
    let matrix = |y: &[f64]| -> Matrix { std::array::from_fn(|i| std::array::from_fn(|j| y[3 + 3 * i + j])) };
    let truth = move |t: &[f64]| {
        let across = ACROSS + MASS * LEVER * LEVER;
        let moments = [across, across, ALONG];
        let rates = move |_: f64, y: &[f64], f: &mut [f64]| {
            let (w, turned) = ([y[0], y[1], y[2]], matrix(y));
            let weight = apply(&transposed(&turned), [0.0, 0.0, -MASS * GRAVITY]);
            let torque = cross([0.0, 0.0, LEVER], weight);
            let gyro = cross(w, std::array::from_fn(|k| moments[k] * w[k]));
            for k in 0..3 {
                f[k] = (torque[k] - gyro[k]) / moments[k];
                f[3 + 3 * k..6 + 3 * k].copy_from_slice(&cross(turned[k], w));
            }
        };
        let mut start = vec![0.0, 0.0, spin];
        start.extend(about([1.0, 0.0, 0.0], tilt).iter().flatten());
        let row = |y: Vec<f64>| {
            let attitude = matrix(&y);
            let tip = apply(&attitude, [0.0, 0.0, LEVER]);
            let mut row = euler_parameters(&attitude).to_vec();
            row.extend([tip[0], tip[1]]);
            row
        };
        solve(&rates, (0.0, &start), t, &[], FINE).into_iter().map(row).collect()
    };
    let tracks =
        vec![Track::attitude("top"), Track::channel("tip_x", LEVER), Track::channel("tip_y", LEVER)];
    Motion::new("sleeping_top_nudged", model(tilt, spin), 1.0, tracks, Box::new(truth))
}
