//! Impacts on rigid stops, and rest on them.

use super::{METHODS, mechanism, run, times};
use kingpin::mechanism::{Method, Settings};
use std::f64::consts::PI;

/// An arm that a constant torque turns against a stop.
pub fn arm(torque: &str, restitution: f64) -> String {
    format!(
        r#"
space = "planar"
[[body]]
name = "arm"
mass = 2
inertia = 0.5
com = [0.5, 0]
[[joint]]
type = "revolute"
name = "hinge"
body1 = "ground"
body2 = "arm"
stops = {{ max = "30 deg", restitution = {restitution} }}
[[force]]
type = "torque"
name = "motor"
body = "arm"
magnitude = "{torque}"
"#
    )
}

/// Flights of a constant acceleration a: the first takes sqrt(2 d / a), each further one e times as long as twice that.
#[test]
fn a_hinge_bounces_and_comes_to_rest() {
    let (torque, e, j) = (3.0, 0.6, 0.5 + 2.0 * 0.25);
    let (a, d) = (torque / j, f64::to_radians(30.0));
    let mechanism = mechanism(&arm("3 N*m", e));
    let first = f64::sqrt(2.0 * d / a);
    let end = first * (1.0 + 2.0 * e / (1.0 - e));
    for method in METHODS {
        let settings = Settings { method, ..Settings::new(1e-7, 1.5 * end) };
        let found = run(&mechanism, &settings);
        let strikes = times(&found, "joint `hinge` strikes its upper stop");
        assert!(strikes.len() > 20, "{}: {}", method.name(), strikes.len());
        let mut t = first;
        for (k, strike) in strikes.iter().enumerate() {
            assert!((strike - t).abs() < 1e-6, "{}: impact {k} at {strike}, not {t}", method.name());
            t += 2.0 * first * e.powi(k as i32 + 1);
        }
        let rests = times(&found, "joint `hinge` comes to rest on its upper stop");
        assert_eq!(rests.len(), 1, "{}", method.name());
        assert!((rests[0] - end).abs() < 1e-5, "{}: {} {end}", method.name(), rests[0]);
        assert!((found.last("hinge.angle").unwrap() - d).abs() < 1e-9, "{}", method.name());
        assert!(found.last("hinge.angle_rate").unwrap().abs() < 1e-12);
        // the stop holds against the torque, and all the work of the torque is lost
        assert!((found.last("hinge.stops.torque").unwrap() - torque).abs() < 1e-9);
        let energy = &found.run().unwrap().energy;
        assert!((energy.exchanged.dissipated - torque * d).abs() < 1e-6, "{}", method.name());
        assert!(energy.worst < 1e-6, "{}: {}", method.name(), energy.worst);
    }
}

/// At rest on the stop from the start, until the torque changes its sign.
#[test]
fn a_stop_pushes_and_never_pulls() {
    let text = arm("3 N*m*cos(2 rad/s*t)", 0.3).replace("max = ", "min = -9, max = ");
    let text = text.replace("name = \"hinge\"", "name = \"hinge\"\nangle = \"30 deg\"");
    let mechanism = mechanism(&text);
    for method in METHODS {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-8, 1.5) });
        let leaves = times(&found, "joint `hinge` leaves its upper stop");
        assert_eq!(found.events().len(), 1, "{}: {:?}", method.name(), found.events());
        assert!((leaves[0] - PI / 4.0).abs() < 1e-7, "{}: {}", method.name(), leaves[0]);
        // w' = 3 cos 2t, from rest at pi/4
        let rate = 1.5 * (f64::sin(3.0) - 1.0);
        assert!((found.last("hinge.angle_rate").unwrap() - rate).abs() < 1e-6, "{}", method.name());
        assert!(found.series("hinge.stops.torque").unwrap().iter().all(|x| *x > -1e-9));
    }
}

/// All velocities of a linkage jump where one of its coordinates meets a stop, joints are kept, and Newton's law holds for
/// that coordinate.
#[test]
fn velocities_of_a_linkage_jump_together() {
    let text = r#"
space = "planar"
gravity = [0, -9.81]
[[body]]
name = "crank"
mass = 1
inertia = 0.1
com = [0.5, 0]
[[body]]
name = "rod"
mass = 2
inertia = 0.4
position = [1, 0]
com = [1, 0]
[[body]]
name = "slider"
mass = 3
inertia = 1
position = [3, 0]
[[joint]]
type = "revolute"
name = "bearing"
body1 = "ground"
body2 = "crank"
angle_rate = -2
[[joint]]
type = "revolute"
name = "pin"
body1 = "crank"
body2 = "rod"
at = [1, 0]
[[joint]]
type = "revolute"
name = "wrist"
body1 = "rod"
body2 = "slider"
at = [3, 0]
[[joint]]
type = "translational"
name = "rail"
body1 = "ground"
body2 = "slider"
at1 = [3, 0]
at2 = [3, 0]
axis = [1, 0]
stops = { min = -0.4, restitution = 0.5 }
"#;
    let mechanism = mechanism(text);
    for method in [Method::Dop853, Method::Radau] {
        let settings = Settings { method, frame: Some(1e-3), ..Settings::new(1e-8, 1.2) };
        let found = run(&mechanism, &settings);
        let strikes = times(&found, "joint `rail` strikes its lower stop");
        assert!(!strikes.is_empty());
        let rates = found.series("rail.displacement_rate").unwrap();
        let k = found.times().iter().position(|t| *t > strikes[0]).unwrap();
        let (before, after) = (rates[k - 1], rates[k]);
        assert!((after / before + 0.5).abs() < 0.02, "{before} {after}");
        let run = found.run().unwrap();
        assert!(run.position_residual < 1e-9 && run.velocity_residual < 1e-8);
        assert!(run.energy.worst < 1e-6 && run.energy.exchanged.dissipated > 0.1, "{:?}", run.energy);
        assert!(found.series("rail.displacement").unwrap().iter().all(|x| *x > -0.4 - 1e-9));
    }
}

/// Friction on the same coordinate: it turns back in the air, not on the stop, and comes to rest there, stuck and stopped at once.
#[test]
fn a_hinge_that_rubs_bounces_to_rest() {
    let (torque, rub, e, j) = (3.0, 0.5, 0.6, 1.0);
    let text = arm("3 N*m", e).replace(
        "stops = ",
        "friction = { coefficient = 0.5, radius = 0.1, preload = 10, reaction = false }\nstops = ",
    );
    let mechanism = mechanism(&text);
    let d = f64::to_radians(30.0);
    let first = f64::sqrt(2.0 * d * j / (torque - rub));
    for method in METHODS {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-7, 3.0) });
        let strikes = times(&found, "joint `hinge` strikes its upper stop");
        let (mut t, mut speed) = (first, first * (torque - rub) / j);
        for (k, strike) in strikes.iter().take(8).enumerate() {
            assert!((strike - t).abs() < 1e-6, "{}: impact {k} at {strike}, not {t}", method.name());
            // up against torque and friction, back with the torque against friction
            let up = e * speed * j / (torque + rub);
            let high = 0.5 * e * speed * up;
            speed = f64::sqrt(2.0 * high * (torque - rub) / j);
            t += up + speed * j / (torque - rub);
        }
        assert!(strikes.len() > 8, "{}: {strikes:?}", method.name());
        let rests = times(&found, "joint `hinge` comes to rest on its upper stop");
        assert_eq!(rests.len(), 1, "{}: {:?}", method.name(), found.events());
        assert!((found.last("hinge.angle").unwrap() - d).abs() < 1e-8, "{}", method.name());
        let energy = &found.run().unwrap().energy;
        assert!((energy.exchanged.dissipated - torque * d).abs() < 1e-6, "{}", method.name());
    }
}
