//! Errors are measured against the motion itself: no unit, no size and no idle part matters.

use crate::Ready;
use crate::models::on_spring;
use kingpin::dynamics::{Method, Observer, Step, Unwatched};
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

const EXPLICIT: [Method; 3] = [Method::Dop853, Method::Dopri5, Method::Adams];

#[test]
fn oscillations_of_any_size_are_right_to_the_tolerance() {
    // a period of 2 pi / 100 s; 30 radians
    for (amplitude, length) in [(1e-9, 0.1), (1e-6, 0.1), (0.03, 0.1), (1e3, 1e4)] {
        let ready = Ready::text(&oscillator(amplitude, length, 2.0, 2e4, ""));
        for method in EXPLICIT {
            for tol in [1e-3, 1e-5] {
                let run = ready.run(method, tol, 0.3, &mut Unwatched);
                let error = (run.state.q[0] - length - amplitude * 30f64.cos()).abs() / amplitude;
                assert!(error < 100.0 * tol, "{} {amplitude:e} at {tol:e}: {error:e}", method.name());
            }
        }
    }
}

#[test]
fn other_units_take_the_same_steps() {
    for method in EXPLICIT {
        let steps = |length: f64, time: f64, mass: f64| {
            let stiffness = mass * 2e4 / (time * time);
            let ready = Ready::text(&oscillator(0.05 * length, 0.125 * length, 2.0 * mass, stiffness, ""));
            let mut sizes = Sizes::default();
            ready.run(method, 1e-6, 0.25 * time, &mut sizes);
            sizes.0.iter_mut().for_each(|h| *h /= time);
            sizes.0
        };
        let metres = steps(1.0, 1.0, 1.0);
        assert!(metres.len() > 10);
        let (tiny, slow) = ((0.5f64.powi(20), 0.5f64.powi(20), 1.0), (1024.0, 4096.0, 0.5f64.powi(9)));
        for (length, time, mass) in [tiny, slow] {
            let other = steps(length, time, mass);
            assert_eq!(other.len(), metres.len(), "{}", method.name());
            for (a, b) in other.iter().zip(&metres) {
                assert!((a - b).abs() < 1e-6 * b, "{}: {a:e} {b:e}", method.name());
            }
        }
    }
}

#[test]
fn idle_bodies_change_no_bit() {
    let idle: String = (0..40)
        .map(|k| format!("[[body]]\nname = \"idle{k}\"\nmass = 3\ninertia = 1\nposition = [{k}, 5]\n"))
        .collect();
    for method in EXPLICIT {
        let end = |more: &str| {
            let mut sizes = Sizes::default();
            let ready = Ready::text(&oscillator(0.05, 0.1, 2.0, 2e4, more));
            let run = ready.run(method, 1e-6, 0.3, &mut sizes);
            (run.state.q[..3].to_vec(), run.state.v[..3].to_vec(), sizes.0)
        };
        assert_eq!(end(""), end(&idle), "{}", method.name());
    }
}
