//! An unbalanced rotor in two elastic bearings under its weight: Newton's and Euler's equations with the rotation
//! matrix, integrated on their own.

use crate::motion::{Motion, Track};
use crate::reference::extrapolation::{FINE, solve};
use crate::reference::rotation::{Matrix, apply, cross, euler_parameters, transposed};

const MASS: f64 = 10.0;
const MOMENTS: [f64; 3] = [0.3, 0.3, 0.2];
/// The bearings, above and below the middle.
const HALF: f64 = 0.2;
/// The centre of mass off the axis.
const UNBALANCE: f64 = 1e-3;

/// Soft, stiff, and very stiff bearings.
pub fn motions() -> Vec<Motion> {
    vec![
        rotor("rotor", 1e5, 2e2, 20.0, 1.0),
        rotor("rotor_stiff", 1e7, 1e4, 20.0, 1.0),
        rotor("rotor_very_stiff", 1e8, 5e4, 20.0, 2.0).long(),
        rotor("rotor_stiff_fast", 1e8, 5e4, 300.0, 0.3).long(),
    ]
}

fn rotor(name: &str, stiffness: f64, damping: f64, spin: f64, t_end: f64) -> Motion {
    let [a, b, c] = MOMENTS;
    let bearing = |name: &str, z: f64| {
        format!(
            r#"
[[force]]
type = "bushing"
name = "{name}"
body1 = "ground"
body2 = "rotor"
at = [0, 0, {z}]
stiffness = [{stiffness}, {stiffness}, {stiffness}]
damping = [{damping}, {damping}, {damping}]
"#
        )
    };
    let model = format!(
        r#"
gravity = [0, -9.81, 0]

[[body]]
name = "rotor"
mass = {MASS}
inertia = [{a}, {b}, {c}]
com = [{UNBALANCE}, 0, 0]
angular_velocity = [0, 0, {spin}]
{}{}"#,
        bearing("top", HALF),
        bearing("bottom", -HALF)
    );
    let truth = move |t: &[f64]| {
        let rates = move |_: f64, y: &[f64], f: &mut [f64]| motion(stiffness, damping, y, f);
        // centre of mass, its velocity, angular velocity, rotation matrix by rows
        let mut start = vec![UNBALANCE, 0.0, 0.0, 0.0, UNBALANCE * spin, 0.0, 0.0, 0.0, spin];
        start.extend([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        let row = |y: Vec<f64>| {
            let turned = matrix(&y);
            let off = apply(&turned, [UNBALANCE, 0.0, 0.0]);
            let mut row: Vec<f64> = (0..3).map(|k| y[k] - off[k]).collect();
            row.extend(euler_parameters(&turned));
            row
        };
        solve(&rates, (0.0, &start), t, &[], FINE).into_iter().map(row).collect()
    };
    let tracks = vec![Track::place("rotor", HALF), Track::attitude("rotor")];
    Motion::new(name, model, t_end, tracks, Box::new(truth))
}

fn matrix(y: &[f64]) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| y[9 + 3 * i + j]))
}

fn motion(stiffness: f64, damping: f64, y: &[f64], f: &mut [f64]) {
    let vector = |k: usize| [y[k], y[k + 1], y[k + 2]];
    let (r, v, w, turned) = (vector(0), vector(3), vector(6), matrix(y));
    let back = transposed(&turned);
    let (mut force, mut torque) = ([0.0, -9.81 * MASS, 0.0], [0.0; 3]);
    for z in [HALF, -HALF] {
        // the bearing, from the centre of mass, in the axes of the rotor
        let s = [-UNBALANCE, 0.0, z];
        let (place, speed) = (apply(&turned, s), apply(&turned, cross(w, s)));
        let rest = [0.0, 0.0, z];
        let push: [f64; 3] =
            std::array::from_fn(|k| -stiffness * (r[k] + place[k] - rest[k]) - damping * (v[k] + speed[k]));
        let moment = cross(s, apply(&back, push));
        for k in 0..3 {
            force[k] += push[k];
            torque[k] += moment[k];
        }
    }
    let spin: [f64; 3] = std::array::from_fn(|k| MOMENTS[k] * w[k]);
    let gyro = cross(w, spin);
    for k in 0..3 {
        f[k] = v[k];
        f[3 + k] = force[k] / MASS;
        f[6 + k] = (torque[k] - gyro[k]) / MOMENTS[k];
        let row = cross([turned[k][0], turned[k][1], turned[k][2]], w);
        f[9 + 3 * k..12 + 3 * k].copy_from_slice(&row);
    }
}
