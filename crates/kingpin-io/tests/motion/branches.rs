//! A parallelogram through its flat positions, where it could go on as another mechanism.

use super::Ready;
use kingpin::dynamics::{End, Method, Settings, Unwatched, simulate};

/// Cranks of length 1 on pivots `apart`, both at an angle and a rate, under gravity.
fn parallelogram(apart: f64, gravity: f64, (angle, rate): (f64, f64)) -> String {
    let (c, s) = (angle.cos(), angle.sin());
    let mut text = format!("name = \"parallelogram\"\nspace = \"planar\"\ngravity = [0, {}]\n", -gravity);
    let cranks =
        [("crank", 0.0), ("rocker", apart)].map(|(name, x)| (name, x + 0.5 * c, 0.5 * s, angle, 0.5, rate));
    let coupler = ("coupler", 0.5 * apart + c, s, 0.0, 1.0, 0.0);
    for (name, x, y, turned, arm, spin) in cranks.into_iter().chain([coupler]) {
        text += &format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\ninertia = 0.1\nposition = [{x}, {y}]\nangle = {turned}\n\
             velocity = [{}, {}]\nangular_velocity = {spin}\n",
            -arm * s * rate,
            arm * c * rate
        );
    }
    let joints = [
        ("a", "ground", "crank", 0.0, 0.0),
        ("b", "crank", "coupler", c, s),
        ("c", "coupler", "rocker", apart + c, s),
        ("d", "ground", "rocker", apart, 0.0),
    ];
    for (name, one, two, x, y) in joints {
        text += &format!(
            "[[joint]]\ntype = \"revolute\"\nname = \"{name}\"\nbody1 = \"{one}\"\nbody2 = \"{two}\"\nat = [{x}, {y}]\n"
        );
    }
    text
}

const EXPLICIT: [Method; 3] = [Method::Dopri5, Method::Dop853, Method::Adams];
const IMPLICIT: [Method; 4] = [Method::ForRosen, Method::ForSdirk, Method::InflSdirk, Method::SspTrap];

/// The cranks turn at a constant rate without gravity: 20 flat positions in 10 turns. A run ends on its branch, at
/// the right angle, or fails with a singular position; it is never wrong without a word.
fn stays_on_its_branch(method: Method, tol: f64, apart: f64) -> bool {
    let ready = Ready::text(&parallelogram(apart, 0.0, (0.9, 2.0)));
    let settings = Settings { method, ..Settings::new(tol, 31.4) };
    let run = simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched);
    let name = format!("{} at {tol:e}, {apart} apart, {:?}", method.name(), run.end);
    if run.end != End::Reached {
        assert!(matches!(run.end, End::Failed(_)), "{name}");
        return false;
    }
    let state = &run.state;
    let error = (state.q[2] - (0.9 + 2.0 * 31.4)).abs();
    assert!(error < 1e3 * tol, "{name}: angle off by {error:e}");
    assert!((state.v[2] - 2.0).abs() < 300.0 * tol, "{name}: rate {}", state.v[2]);
    assert!(state.q[8].abs() < 1e-6, "{name}: coupler turned to {}", state.q[8]);
    true
}

#[test]
fn a_parallelogram_stays_one() {
    let mut passed = 0;
    let mut all = 0;
    for apart in [1.0, 2.0] {
        for tol in [1e-3, 1e-5, 1e-7, 1e-9] {
            for method in EXPLICIT {
                all += 1;
                passed += u32::from(stays_on_its_branch(method, tol, apart));
            }
        }
        for tol in [1e-3, 1e-5, 1e-7] {
            for method in IMPLICIT {
                all += 1;
                passed += u32::from(stays_on_its_branch(method, tol, apart));
            }
        }
    }
    assert!(passed >= all - 6, "{passed} of {all} passed");
}

/// Under gravity the cranks swing like one pendulum, whose energy tells the rate at every angle.
#[test]
fn a_falling_parallelogram_stays_one() {
    for apart in [1.0, 2.0] {
        for (angle, rate) in [(0.9, 8.0), (1.2, 0.0), (0.3, 8.5)] {
            let ready = Ready::text(&parallelogram(apart, 9.81, (angle, rate)));
            for method in EXPLICIT {
                for tol in [1e-5, 1e-7, 1e-9] {
                    let settings = Settings { method, ..Settings::new(tol, 6.0) };
                    let run =
                        simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched);
                    let name =
                        format!("{} at {tol:e}, {apart} apart from {angle}, {:?}", method.name(), run.end);
                    if run.end != End::Reached {
                        continue;
                    }
                    let (state, inertia) = (&run.state, 0.2 + 2.0 * 0.25 + 1.0);
                    assert!(state.q[8].abs() < 1e-6, "{name}: coupler turned to {}", state.q[8]);
                    // both cranks weigh half their length, the coupler all of it
                    let energy =
                        |angle: f64, rate: f64| 0.5 * inertia * rate * rate + 2.0 * 9.81 * angle.sin();
                    let lost = energy(state.q[2], state.v[2]) - energy(angle, rate);
                    assert!(lost.abs() < 1e4 * tol * energy(angle, 9.0), "{name}: energy off by {lost:e}");
                    let reference = reference([angle, rate], 6.0, inertia);
                    assert!(
                        (state.q[2] - reference).abs() < 1e5 * tol,
                        "{name}: {} for {reference}",
                        state.q[2]
                    );
                }
            }
        }
    }
}

/// The pendulum that it moves like, by many small steps of Runge and Kutta.
fn reference([mut angle, mut rate]: [f64; 2], end: f64, inertia: f64) -> f64 {
    let steps = 200_000;
    let h = end / f64::from(steps);
    let f = |angle: f64| -2.0 * 9.81 * angle.cos() / inertia;
    for _ in 0..steps {
        let (k1, l1) = (rate, f(angle));
        let (k2, l2) = (rate + 0.5 * h * l1, f(angle + 0.5 * h * k1));
        let (k3, l3) = (rate + 0.5 * h * l2, f(angle + 0.5 * h * k2));
        let (k4, l4) = (rate + h * l3, f(angle + h * k3));
        angle += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        rate += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    angle
}

/// Passing is reported, with the joints, about twice a turn.
#[test]
fn flat_positions_are_events() {
    let ready = Ready::text(&parallelogram(2.0, 0.0, (0.9, 2.0)));
    for method in [Method::Dopri5] {
        let settings = Settings { method, h_max: Some(0.2), ..Settings::new(1e-7, 31.4) };
        let run = ready.run_with(&settings, &mut Unwatched);
        let passed: Vec<f64> =
            run.events.iter().filter(|e| e.what.contains("singular position")).map(|e| e.t).collect();
        assert_eq!(passed.len(), 20, "{}: {:?}", method.name(), run.events);
        for (k, t) in passed.iter().enumerate() {
            let exact = ((k + 1) as f64 * std::f64::consts::PI - 0.9) / 2.0;
            assert!((t - exact).abs() < 0.01, "{}: {t} for {exact}", method.name());
        }
        assert!(run.events[0].what.contains("joint `b`"), "{}", run.events[0].what);
    }
}
