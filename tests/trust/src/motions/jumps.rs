//! A driven slide with a rod hung on it. Where its velocity jumps by V, momentum about the pin gives the rod the rate
//! -m l V / (inertia about the pin); afterwards it swings as a pendulum in axes that move with the pin.

use crate::motion::{Expect, Motion, Track};
use crate::reference::extrapolation::{FINE, solve};

const GRAVITY: f64 = 9.81;
/// From the pin to the middle of the rod.
const HALF: f64 = 0.5;

/// A start, a turning back, a stop; and jumps in position, which no motion can follow.
pub fn motions() -> Vec<Motion> {
    vec![
        driven("jump_start_if", 0.0, "if(t < 1, 0, t - 1)", &[(1.0, 1.0)]),
        driven("jump_start_max", 0.0, "max(0, t - 1)", &[(1.0, 1.0)]),
        driven("jump_back", 1.0, "1 - abs(t - 1)", &[(1.0, -2.0)]),
        driven("jump_stop", 2.0, "2*min(t, 0.7)", &[(0.7, -2.0)]),
        driven("jump_ramp", 0.0, "ramp(t, 0.5) - ramp(t, 1.5)", &[(0.5, 1.0), (1.5, -1.0)]),
        impossible("jump_position_if", "if(t < 1, 0, 0.1)"),
        impossible("jump_position_floor", "0.1*floor(t)"),
    ]
}

fn model(velocity: f64, motion: &str) -> String {
    format!(
        r#"
space = "planar"
gravity = [0, -{GRAVITY}]

[[body]]
name = "slide"
mass = 2
inertia = 1
velocity = [{velocity}, 0]

[[body]]
name = "rod"
mass = 1
inertia = "1/12"
com = [0, -{HALF}]
velocity = [{velocity}, 0]

[[joint]]
type = "translational"
name = "way"
body1 = "ground"
body2 = "slide"
axis = [1, 0]

[[joint]]
type = "revolute"
name = "pin"
body1 = "slide"
body2 = "rod"

[[driver]]
type = "displacement"
name = "drive"
joint = "way"
motion = "{motion}"
"#
    )
}

/// The rod after the jumps (time, velocity) of its pin.
fn driven(name: &str, velocity: f64, motion: &str, jumps: &'static [(f64, f64)]) -> Motion {
    let truth = move |t: &[f64]| {
        let inertia = 1.0 / 12.0 + HALF * HALF;
        let rates = move |_: f64, y: &[f64], f: &mut [f64]| {
            (f[0], f[1]) = (y[1], -GRAVITY * HALF / inertia * y[0].sin());
        };
        let (mut y, mut from) = (vec![0.0, 0.0], 0.0);
        let mut rows = Vec::new();
        let ends = jumps.iter().map(|&(t, v)| (t, v)).chain([(f64::INFINITY, 0.0)]);
        for (end, jump) in ends {
            let own: Vec<f64> = t.iter().copied().filter(|&t| t >= from && t < end).collect();
            rows.extend(solve(&rates, (from, &y), &own, &[], FINE).into_iter().map(|y| vec![y[0]]));
            if end.is_finite() {
                y = solve(&rates, (from, &y), &[end], &[], FINE).remove(0);
                y[1] -= HALF * jump * y[0].cos() / inertia;
                from = end;
            }
        }
        rows
    };
    let mut motion = Motion::new(name, model(velocity, motion), 2.99, vec![Track::channel("pin.angle", 1.0)], Box::new(truth));
    // no frame at a jump
    motion.frames = 53;
    motion
}

fn impossible(name: &str, motion: &str) -> Motion {
    let truth = |t: &[f64]| t.iter().map(|_| vec![0.0]).collect();
    let tracks = vec![Track::channel("pin.angle", 1.0)];
    Motion { expect: Expect::Error, ..Motion::new(name, model(0.0, motion), 3.0, tracks, Box::new(truth)) }
}
