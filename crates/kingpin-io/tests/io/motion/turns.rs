//! Angles of hinges over thousands of turns.

use crate::motion::Ready;
use kingpin::dynamics::{Method, Unwatched};

/// A wheel on a hinge with a soft spring on its angle, which turns it back after tens of thousands of radians.
const WHEEL: &str = r#"
name = "wheel"
space = "spatial"
gravity = [0, 0, 0]

[[body]]
name = "wheel"
mass = 1
inertia = [2, 2, 3]
angular_velocity = [0, 0, 200]

[[joint]]
type = "revolute"
name = "hinge"
body1 = "ground"
body2 = "wheel"
at = [0, 0, 0]
axis = [0, 0, 1]

[[force]]
type = "torsion-spring"
name = "spring"
joint = "hinge"
stiffness = 3e-5
"#;

#[test]
fn thousands_of_turns_are_counted_at_every_tolerance() {
    let ready = Ready::text(WHEEL);
    let rate = 1e-5f64.sqrt();
    let t_end = 160.0;
    let (angle, speed) = (200.0 / rate * (rate * t_end).sin(), 200.0 * (rate * t_end).cos());
    assert!(angle > 4500.0 * std::f64::consts::TAU);
    for method in [Method::Dop853, Method::Dopri5, Method::Adams, Method::ForRosen, Method::ForSdirk] {
        for tol in [1e-2, 1e-4, 1e-6] {
            let run = ready.run(method, tol, t_end, &mut Unwatched);
            let (counted, spin) = (run.state.turns[0], run.state.v[5]);
            let name = method.name();
            // the spring would have turned it back by something else if turns were lost on the way
            assert!((spin - speed).abs() < 30.0 * tol * speed, "{name} at {tol:e}: {spin} {speed}");
            assert!((counted - angle).abs() < 30.0 * tol * angle, "{name} at {tol:e}: {counted} {angle}");
        }
    }
}
