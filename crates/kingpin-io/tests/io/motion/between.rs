//! Frames between steps are as good as the steps, and nobody notices who looks.

use crate::motion::models::on_spring;
use crate::motion::{Frames, Ready};
use kingpin::dynamics::{Method, Settings, Unwatched};

/// A mass that follows a slow force on a stiff spring with a stiff damper, without any transient.
/// x'' = F cos(5 t) - 2000 x' - 1e6 x about x = 1.
fn follower() -> String {
    let (x, v) = exact(0.0);
    let slow = r#"
[[force]]
type = "force"
name = "slow"
body = "mass"
point = [0, 0]
magnitude = "1e5*cos(5*t)"
direction = [1, 0]
"#;
    on_spring([1.0, 0.01], [1.0 + x, v], "stiffness = 1e6\ndamping = 2e3\nrest_length = 1", slow)
}

/// Displacement and velocity: the real part of F e^(5 i t) / (1e6 - 25 + 1e4 i).
fn exact(t: f64) -> (f64, f64) {
    let (a, b) = (1e6 - 25.0, 1e4);
    let (re, im) = (1e5 * a / (a * a + b * b), -1e5 * b / (a * a + b * b));
    let (s, c) = (5.0 * t).sin_cos();
    (re * c - im * s, -5.0 * (re * s + im * c))
}

#[test]
fn frames_of_stiff_phases_are_as_good_as_steps() {
    let ready = Ready::text(&follower());
    for (method, tol) in [
        (Method::Dop853, 1e-4),
        (Method::Dop853, 1e-6),
        (Method::Dopri5, 1e-4),
        (Method::ForRosen, 1e-2),
        (Method::ForRosen, 1e-4),
        (Method::Esdirk, 1e-2),
        (Method::Esdirk, 1e-4),
        (Method::Radau, 1e-2),
        (Method::Radau, 1e-4),
    ] {
        let mut frames = Frames::default();
        let settings = Settings { method, frame: Some(0.00123), ..Settings::new(tol, 1.0) };
        ready.run_with(&settings, &mut frames);
        let (mut position, mut velocity) = (0.0f64, 0.0f64);
        for state in &frames.0 {
            let (x, v) = exact(state.t);
            position = position.max((state.q[0] - 1.0 - x).abs() / 0.1);
            velocity = velocity.max((state.v[0] - v).abs() / 0.5);
        }
        let name = method.name();
        assert!(position < 20.0 * tol, "{name} at {tol:e}: positions {position:e}");
        assert!(velocity < 50.0 * tol, "{name} at {tol:e}: velocities {velocity:e}");
    }
}

#[test]
fn frames_change_no_bit() {
    let ready = [Ready::shipped("andrews.toml"), Ready::shipped("four_bar.toml"), Ready::text(&follower())];
    let methods =
        [Method::Dop853, Method::Dopri5, Method::Adams, Method::ForRosen, Method::Radau, Method::SspTrap];
    for ready in &ready {
        for method in methods {
            let plain = Settings { method, ..Settings::new(1e-4, 0.02) };
            let end = ready.run_with(&plain, &mut Unwatched).state;
            let mut at = Vec::new();
            for frame in [0.001, 0.00025] {
                let mut frames = Frames::default();
                let run = ready.run_with(&Settings { frame: Some(frame), ..plain.clone() }, &mut frames);
                assert!(run.state == end, "{} with frames every {frame} s", method.name());
                let every = (0.001 / frame).round() as usize;
                at.push(frames.0.into_iter().step_by(every).collect::<Vec<_>>());
            }
            // frames at common times
            let common = at[0].len().min(at[1].len());
            assert!(common > 15 && at[0][..common] == at[1][..common], "{}", method.name());
        }
    }
}
