//! Errors are measured against the motion itself: no unit, no size and no idle part matters.

use crate::motion::Ready;
use crate::motion::models::on_spring;
use kingpin::dynamics::{End, Method, Observer, Settings, Step, Unwatched, simulate};
use std::ops::ControlFlow;

/// A mass on a spring, let go at `amplitude` from its rest at `length`: all in metres.
fn oscillator(amplitude: f64, length: f64, mass: f64, stiffness: f64, more: &str) -> String {
    let spring = format!("stiffness = {stiffness:e}\nrest_length = {length:e}");
    on_spring([mass, mass * length * length * 1e-4], [length + amplitude, 0.0], &spring, more)
}

/// Sizes of all steps.
#[derive(Default)]
struct Sizes(Vec<f64>);

impl Observer for Sizes {
    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        self.0.push(step.report.h());
        ControlFlow::Continue(())
    }
}

#[test]
fn oscillations_of_any_size_are_right_to_the_tolerance() {
    // a period of 2 pi / 100 s; 30 radians
    for (amplitude, length) in [(1e-9, 0.1), (1e-6, 0.1), (0.03, 0.1), (1e3, 1e4)] {
        let ready = Ready::text(&oscillator(amplitude, length, 2.0, 2e4, ""));
        for method in adaptive() {
            for tol in [1e-3, 1e-5] {
                let run = ready.run(method, tol, 0.3, &mut Unwatched);
                let error = (run.state.q[0] - length - amplitude * 30f64.cos()).abs() / amplitude;
                assert!(error < 100.0 * tol, "{} {amplitude:e} at {tol:e}: {error:e}", method.name());
            }
        }
    }
}

/// An arm on a hinge and a rod on a ball under gravity, in space, in other units of length, time and mass.
fn swing(length: f64, time: f64, mass: f64) -> String {
    let (inertia, gravity) = (mass * length * length, length / (time * time));
    let three = |x: [f64; 3], unit: f64| format!("[{:e}, {:e}, {:e}]", x[0] * unit, x[1] * unit, x[2] * unit);
    format!(
        r#"
name = "swing"
gravity = {}

[[body]]
name = "arm"
mass = {:e}
inertia = {}
position = {}
angular_velocity = {}

[[body]]
name = "rod"
mass = {mass:e}
inertia = {}
position = {}

[[joint]]
type = "revolute"
name = "hinge"
body1 = "ground"
body2 = "arm"
at = [0, 0, 0]
axis = [0, 1, 0]

[[joint]]
type = "spherical"
name = "ball"
body1 = "arm"
body2 = "rod"
at = {}
"#,
        three([0.0, 0.0, -8.0], gravity),
        2.0 * mass,
        three([0.01, 0.16, 0.16], inertia),
        three([0.5, 0.0, 0.0], length),
        three([0.0, 1.0, 0.0], 1.0 / time),
        three([0.08, 0.01, 0.08], inertia),
        three([1.0, 0.5, 0.0], length),
        three([1.0, 0.0, 0.0], length),
    )
}

/// Sizes of the steps of a run, in units of a time.
fn steps_of(text: &str, method: Method, tol: f64, t_end: f64, time: f64) -> Vec<f64> {
    let ready = Ready::text(text);
    let mut sizes = Sizes::default();
    let settings = Settings { method, ..Settings::new(tol, t_end * time) };
    let run = simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut sizes);
    assert_eq!(run.end, End::Reached, "{}", method.name());
    sizes.0.iter_mut().for_each(|h| *h /= time);
    sizes.0
}

/// Methods that choose their steps.
fn adaptive() -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(|method| !method.has_fixed_step())
}

/// A model written in units of length, time and mass.
type InUnits<'a> = &'a dyn Fn(f64, f64, f64) -> String;

/// Units of length, time and mass: micrometres, kilometres.
const UNITS: [(f64, f64, f64); 2] =
    [(1.0 / (1u64 << 20) as f64, 1.0 / (1u64 << 20) as f64, 1.0), (1024.0, 4096.0, 1.0 / 512.0)];

#[test]
fn other_units_take_the_same_steps() {
    let oscillating = |length: f64, time: f64, mass: f64| {
        let stiffness = mass * 2e4 / (time * time);
        oscillator(0.05 * length, 0.125 * length, 2.0 * mass, stiffness, "")
    };
    let models: [(InUnits, f64); 2] = [(&oscillating, 0.25), (&swing, 1.5)];
    for (model, t_end) in models {
        for method in adaptive() {
            let second = matches!(method, Method::SspTrap | Method::InflTrap | Method::GenAlpha);
            let tol = if second { 1e-4 } else { 1e-6 };
            let metres = steps_of(&model(1.0, 1.0, 1.0), method, tol, t_end, 1.0);
            assert!(metres.len() > 10);
            for (length, time, mass) in UNITS {
                let other = steps_of(&model(length, time, mass), method, tol, t_end, time);
                assert_eq!(other.len(), metres.len(), "{} {length:e}", method.name());
                for (a, b) in other.iter().zip(&metres) {
                    assert!((a - b).abs() < 1e-3 * b, "{} {length:e}: {a:e} {b:e}", method.name());
                }
            }
        }
    }
}

/// A mass at rest that is pushed for a millisecond, of which an oscillator has no idea before.
#[test]
fn what_begins_late_is_not_measured_against_nothing() {
    let push = "[[force]]\ntype = \"force\"\nname = \"push\"\nbody = \"mass\"\ndirection = [1, 0]\n\
                magnitude = \"if(t < 3, 0, if(t < 3.001, 5000, 0))\"\n";
    // on a spring so soft that it is free
    let text = oscillator(0.0, 0.1, 1.0, 1e-12, push);
    for method in adaptive() {
        let steps = steps_of(&text, method, 1e-7, 4.0, 1.0);
        assert!(steps.len() < 2000, "{} {}", method.name(), steps.len());
        let run = Ready::text(&text).run(method, 1e-7, 4.0, &mut Unwatched);
        let right = 0.1 + 5000.0 * 0.001 * (1.0 - 0.0005);
        assert!(
            (run.state.q[0] - right).abs() < 1e-5 * right,
            "{} {:e}",
            method.name(),
            run.state.q[0] - right
        );
    }
}

#[test]
fn idle_bodies_change_no_bit() {
    let idle: String = (0..40)
        .map(|k| format!("[[body]]\nname = \"idle{k}\"\nmass = 3\ninertia = 1\nposition = [{k}, 5]\n"))
        .collect();
    for method in adaptive() {
        let end = |more: &str| {
            let mut sizes = Sizes::default();
            let ready = Ready::text(&oscillator(0.05, 0.1, 2.0, 2e4, more));
            let run = ready.run(method, 1e-4, 0.3, &mut sizes);
            (run.state.q[..3].to_vec(), run.state.v[..3].to_vec(), sizes.0)
        };
        assert_eq!(end(""), end(&idle), "{}", method.name());
    }
}
