//! Reactions that functions read, and those that are not unique.

use super::{EXPLICIT, mechanism, run, times};
use kingpin::mechanism::{Method, Settings};

/// A block on a level rail, driven along it; what is measured is the force of the rail and that of the driver.
fn railed(more: &str) -> String {
    format!(
        r#"
space = "planar"
gravity = [0, -10]
[[body]]
name = "block"
mass = 2
inertia = 1
[[joint]]
type = "translational"
name = "rail"
body1 = "ground"
body2 = "block"
axis = [1, 0]
[[measure]]
type = "reaction"
name = "normal"
joint = "rail"
component = "force_y"
{more}
"#
    )
}

/// Accelerations and a reaction that makes a force are found together: N = m g + 0.5 N, and m x'' = 0.1 N.
#[test]
fn forces_go_with_reactions() {
    let text = railed(
        r#"
[[force]]
type = "force"
name = "press"
body = "block"
direction = [0, -1]
magnitude = "0.5*normal"
[[force]]
type = "force"
name = "pull"
body = "block"
direction = [1, 0]
magnitude = "0.1*normal + 1e-3*normal^2/(1 N)"
[[state]]
name = "impulse"
rate = "normal/(1 N)"
[[event]]
name = "early"
when = "normal*t - 10 N*s"
action = "note"
"#,
    );
    let mechanism = mechanism(&text);
    let n = 40.0;
    for method in EXPLICIT {
        let found = run(&mechanism, &Settings { method, ..Settings::new(1e-8, 2.0) });
        assert!((found.last("normal").unwrap() - n).abs() < 1e-9, "{}", method.name());
        let way = 0.5 * (0.1 * n + 1e-3 * n * n) / 2.0 * 4.0;
        assert!((found.last("rail.displacement").unwrap() - way).abs() < 1e-6, "{}", method.name());
        assert!((found.last("impulse").unwrap() - 2.0 * n).abs() < 1e-6, "{}", method.name());
        let early = times(&found, "event `early`");
        assert!((early[0] - 0.25).abs() < 1e-9, "{}: {early:?}", method.name());
    }
    let refused = mechanism.simulate_with(&Settings { method: Method::Radau, ..Settings::new(1e-6, 1.0) });
    let message = refused.err().map(|e| e.to_string()).unwrap_or_default();
    assert!(message.contains("rail") && message.contains("explicit method"), "{message}");
    let message = mechanism.equilibrium().unwrap_err().to_string();
    assert!(message.contains("goes with a reaction"), "{message}");
}

/// What a driver pushes with, in axes of a body that turns, and the size of it.
#[test]
fn drivers_and_axes() {
    let text = railed(
        r#"
[[driver]]
type = "displacement"
name = "push"
joint = "rail"
motion = "3 m/s^2*t^2"
[[measure]]
type = "reaction"
name = "effort"
driver = "push"
component = "drive_force"
[[measure]]
type = "reaction"
name = "whole"
joint = "rail"
component = "force"
[[measure]]
type = "reaction"
name = "own"
joint = "rail"
axes = "block"
component = "force_y"
"#,
    );
    let found = run(&mechanism(&text), &Settings { method: Method::Dop853, ..Settings::new(1e-8, 1.0) });
    assert!((found.last("effort").unwrap() - 12.0).abs() < 1e-9);
    assert!((found.last("whole").unwrap() - 20.0).abs() < 1e-9);
    assert!((found.last("own").unwrap() - 20.0).abs() < 1e-9);
}

/// A door on two hinges in space: how they share its weight is anybody's guess, and friction would go with it.
#[test]
fn reactions_that_are_not_unique_are_refused_by_name() {
    let text = |friction: &str| {
        format!(
            r#"
gravity = [0, 0, -9.81]
[[body]]
name = "door"
mass = 20
inertia = [5, 5, 3]
com = [0.5, 0, 1]
[[joint]]
type = "revolute"
name = "upper"
body1 = "ground"
body2 = "door"
at = [0, 0, 2]
axis = [0, 0, 1]
angle_rate = 1
friction = {{ coefficient = 0.2, radius = "10 mm"{friction} }}
[[joint]]
type = "revolute"
name = "lower"
body1 = "ground"
body2 = "door"
axis = [0, 0, 1]
"#
        )
    };
    let message = mechanism(&text("")).simulate().err().map(|e| e.to_string()).unwrap_or_default();
    assert!(message.contains("`upper`") && message.contains("not unique"), "{message}");
    let preload = mechanism(&text(", preload = 300, reaction = false"));
    let found = run(&preload, &Settings { method: Method::Radau, ..Settings::new(1e-6, 20.0) });
    // about the hinges, J w' = -mu N r
    let stop = (3.0 + 20.0 * 0.25) / (0.2 * 300.0 * 0.01);
    let sticks = times(&found, "joint `upper` sticks");
    assert!((sticks[0] - stop).abs() < 1e-5, "{sticks:?} {stop}");
}
