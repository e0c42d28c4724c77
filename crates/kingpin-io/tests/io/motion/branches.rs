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

const EXPLICIT: [Method; 4] = [Method::Dopri5, Method::Dop853, Method::Adams, Method::Auto];
const IMPLICIT: [Method; 7] = [
    Method::ForRosen,
    Method::ForSdirk,
    Method::Esdirk,
    Method::Radau,
    Method::InflSdirk,
    Method::InflTrap,
    Method::SspTrap,
];

/// The cranks turn at a constant rate without gravity: 20 flat positions in 10 turns. A run ends on its branch, at
/// the right angle, and tells of all of them.
fn stays_on_its_branch(method: Method, tol: f64, apart: f64) {
    let ready = Ready::text(&parallelogram(apart, 0.0, (0.9, 2.0)));
    let settings = Settings { method, ..Settings::new(tol, 31.4) };
    let run = simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched);
    let name = format!("{} at {tol:e}, {apart} apart", method.name());
    assert_eq!(run.end, End::Reached, "{name}");
    let state = &run.state;
    let error = (state.q[2] - (0.9 + 2.0 * 31.4)).abs();
    assert!(error < 300.0 * tol, "{name}: angle off by {error:e}");
    assert!((state.v[2] - 2.0).abs() < 20.0 * tol, "{name}: rate {}", state.v[2]);
    assert!(state.q[8].abs() < 1e-9, "{name}: coupler turned to {}", state.q[8]);
    let passed: Vec<f64> =
        run.events.iter().filter(|e| e.what.contains("singular position")).map(|e| e.t).collect();
    assert_eq!(passed.len(), 20, "{name}: {passed:?}");
    for (k, t) in passed.iter().enumerate() {
        let exact = ((k + 1) as f64 * std::f64::consts::PI - 0.9) / 2.0;
        assert!((t - exact).abs() < 1e-4 + 30.0 * tol, "{name}: {t} for {exact}");
    }
    assert!(run.events[0].what.contains("joint `b`"), "{name}: {}", run.events[0].what);
}

#[test]
fn a_parallelogram_stays_one_with_explicit_methods() {
    for apart in [1.0, 2.0] {
        for tol in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9] {
            EXPLICIT.into_iter().for_each(|method| stays_on_its_branch(method, tol, apart));
        }
    }
}

#[test]
fn a_parallelogram_stays_one_with_implicit_methods() {
    for apart in [1.0, 2.0] {
        for tol in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7] {
            IMPLICIT.into_iter().for_each(|method| stays_on_its_branch(method, tol, apart));
        }
    }
}

/// Under gravity the cranks swing like one pendulum, whose energy tells the rate at every angle.
#[test]
fn a_falling_parallelogram_stays_one() {
    for apart in [1.0, 2.0] {
        for (angle, rate) in [(0.9, 8.0), (1.2, 0.0), (0.3, 8.5)] {
            let ready = Ready::text(&parallelogram(apart, 9.81, (angle, rate)));
            for method in EXPLICIT.into_iter().chain(IMPLICIT) {
                for tol in [1e-3, 1e-5, 1e-7] {
                    let settings = Settings { method, ..Settings::new(tol, 6.0) };
                    let run =
                        simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut Unwatched);
                    let name =
                        format!("{} at {tol:e}, {apart} apart from {angle}, {:?}", method.name(), run.end);
                    assert_eq!(run.end, End::Reached, "{name}");
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
