//! The stiff double pendulum for 2 s.

use crate::motion::{Frames, Ready};
use kingpin::dynamics::{Method, Settings};

/// t, theta1, theta2, theta1', theta2' (Radau, 1e-11).
const REFERENCE: [[f64; 5]; 5] = [
    [0.25, 4.540953409, 4.482643401, -8.75655264, -8.40751543],
    [0.50, 3.833374509, 3.820139342, 3.66828077, 3.74627715],
    [1.00, 5.055276118, 5.054750944, -3.93845912, -3.93492062],
    [1.50, 4.691026933, 4.690939731, 2.76190462, 2.76257571],
    [2.00, 4.601880532, 4.601889040, -1.39515652, -1.39551459],
];

/// Values implied by the error tables of the thesis: t and theta1.
const ANGLES: [(f64, f64); 8] = [
    (0.351082, 3.8549798),
    (0.413557, 3.6965266),
    (0.425395, 3.6918619),
    (0.592127, 4.3071356),
    (0.599954, 4.3555218),
    (0.626135, 4.5199897),
    (1.065146, 4.7852407),
    (1.084304, 4.7060741),
];

/// The same for the magnitude of theta1'.
const RATES: [(f64, f64); 8] = [
    (0.136235, 8.608485),
    (0.186183, 9.497325),
    (0.217757, 9.381523),
    (0.291094, 7.322826),
    (0.373114, 3.073049),
    (0.551010, 5.392030),
    (0.578444, 5.959772),
    (0.795548, 2.201982),
];

fn frames(ready: &Ready, method: Method, tol: f64, frame: f64) -> Frames {
    let mut frames = Frames::default();
    let settings = Settings { method, frame: Some(frame), ..Settings::new(tol, 2.0) };
    ready.run_with(&settings, &mut frames);
    frames
}

#[test]
fn values_of_the_thesis_and_of_the_reference_are_met() {
    let ready = Ready::shipped("double_pendulum_stiff.toml");
    let motion = frames(&ready, Method::ForSdirk, 1e-8, 1e-3);
    for [t, angle1, angle2, rate1, rate2] in REFERENCE {
        let state = &motion.0[(t * 1e3).round() as usize];
        assert!((state.t - t).abs() < 1e-12);
        let errors = [state.q[2] - angle1, state.q[5] - angle2, state.v[2] - rate1, state.v[5] - rate2];
        assert!(errors[..2].iter().all(|e| e.abs() < 1e-7), "{t}: {errors:?}");
        assert!(errors[2..].iter().all(|e| e.abs() < 1e-6), "{t}: {errors:?}");
    }
    let at = |t: f64| {
        // cubic through angle and rate at the two frames around t
        let k = (t * 1e3).floor() as usize;
        let (a, b) = (&motion.0[k], &motion.0[k + 1]);
        let (h, s) = (b.t - a.t, (t - a.t) / (b.t - a.t));
        let (y0, y1, d0, d1) = (a.q[2], b.q[2], h * a.v[2], h * b.v[2]);
        let (c2, c3) = (3.0 * (y1 - y0) - 2.0 * d0 - d1, 2.0 * (y0 - y1) + d0 + d1);
        (y0 + s * (d0 + s * (c2 + s * c3)), (d0 + s * (2.0 * c2 + 3.0 * s * c3)) / h)
    };
    for (t, angle) in ANGLES {
        assert!((at(t).0 - angle).abs() < 4e-6, "{t}: {} {angle}", at(t).0);
    }
    for (t, rate) in RATES {
        // times are printed to a microsecond, in which the rate changes by up to 7e-5
        assert!((at(t).1.abs() - rate).abs() < 4e-5, "{t}: {} {rate}", at(t).1);
    }
}

#[test]
fn errors_are_of_the_size_of_the_tolerance() {
    let ready = Ready::shipped("double_pendulum_stiff.toml");
    let reference = frames(&ready, Method::ForSdirk, 1e-10, 0.01);
    for method in [
        Method::ForSdirk,
        Method::ForRosen,
        Method::Esdirk,
        Method::Radau,
        Method::InflSdirk,
        Method::SspTrap,
        Method::InflTrap,
        Method::GenAlpha,
    ] {
        for tol in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
            let motion = frames(&ready, method, tol, 0.01);
            let worst = |pick: fn(&kingpin::system::State) -> f64| {
                let pairs = motion.0.iter().zip(&reference.0);
                pairs.map(|(a, b)| (pick(a) - pick(b)).abs()).fold(0.0, f64::max)
            };
            let (angle, rate) = (worst(|s| s.q[2]) / tol, worst(|s| s.v[2]) / tol);
            println!(
                "{:10} {tol:.0e}: theta1 {angle:6.2}, theta1' {rate:6.2} times the tolerance",
                method.name()
            );
            let trapezoidal = matches!(method, Method::SspTrap | Method::InflTrap | Method::GenAlpha);
            // these take their estimates with caution
            let least = match method {
                _ if trapezoidal => 0.0,
                Method::InflSdirk | Method::Radau => 0.03,
                _ => 0.1,
            };
            assert!(angle < 10.0 && angle > least, "{} {tol:e}: {angle}", method.name());
        }
    }
}
