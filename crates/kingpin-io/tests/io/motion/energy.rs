//! The balance of energy of a run.

use super::Ready;
use kingpin::dynamics::{Coordinates, Frame, Method, Observer, Settings, Unwatched, lag};
use std::ops::ControlFlow;

/// A slider-crank with a motor that speeds up, a damper, a force of time and a spring; a wheel that bounces.
const BUSY: &str = r#"
name = "busy"
space = "planar"
gravity = [0, -9.81]

[[body]]
name = "crank"
mass = 2
inertia = 0.1
position = [0.25, 0]

[[body]]
name = "rod"
mass = 1
inertia = 0.2
position = [1, 0]

[[body]]
name = "slider"
mass = 3
inertia = 0.1
position = [1.5, 0]

[[body]]
name = "wheel"
mass = 1
inertia = 0.1
position = [5, 0.7]

[[joint]]
type = "revolute"
name = "bearing"
body1 = "ground"
body2 = "crank"
at = [0, 0]

[[joint]]
type = "revolute"
name = "pin"
body1 = "crank"
body2 = "rod"
at = [0.5, 0]

[[joint]]
type = "revolute"
name = "wrist"
body1 = "rod"
body2 = "slider"
at = [1.5, 0]

[[joint]]
type = "translational"
name = "guide"
body1 = "ground"
body2 = "slider"
at = [1.5, 0]
axis = [1, 0]

[[driver]]
type = "angle"
name = "motor"
joint = "bearing"
motion = "3*t + 0.5*sin(2*t)"

[[force]]
type = "spring"
name = "buffer"
body1 = "ground"
body2 = "slider"
point1 = [3, 0]
point2 = [0, 0]
stiffness = 40
rest_length = 1
damping = 5
actuator = "3*cos(4*t)"

[[force]]
type = "tyre"
name = "tyre"
body = "wheel"
point = [0, 0]
radius = 0.4
stiffness = 2000
damping = 8

[simulation]
t_end = 2
"#;

const METHODS: [(Method, f64); 11] = [
    (Method::Dopri5, 1e-7),
    (Method::Dop853, 1e-7),
    (Method::Adams, 1e-7),
    (Method::ForRosen, 1e-6),
    (Method::ForSdirk, 1e-6),
    (Method::Esdirk, 1e-6),
    (Method::Radau, 1e-6),
    (Method::SspTrap, 1e-5),
    (Method::InflTrap, 1e-5),
    (Method::InflSdirk, 1e-6),
    (Method::GenAlpha, 1e-5),
];

/// Notes the greatest error of the balance at frames, and the numbers at the last one.
#[derive(Default)]
struct Balance {
    worst: f64,
    dissipated: f64,
    work: f64,
}

impl Observer for Balance {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        let (system, work) = (frame.system, frame.work);
        let total = system.kinetic_energy(work) + system.potential_energy(work);
        let exchanged = work.exchanged;
        let missing = total - exchanged.start + exchanged.dissipated - exchanged.work;
        self.worst = self.worst.max(missing.abs());
        (self.dissipated, self.work) = (exchanged.dissipated, exchanged.work);
        ControlFlow::Continue(())
    }
}

#[test]
fn what_comes_and_goes_adds_up() {
    let ready = Ready::text(BUSY);
    let planar = METHODS.into_iter().filter(|(method, _)| !method.is_explicit());
    let planar = planar.map(|(method, tol)| (method, tol, Coordinates::Tangent));
    for (method, tol, coordinates) in
        METHODS.map(|(m, tol)| (m, tol, Coordinates::Auto)).into_iter().chain(planar)
    {
        let mut balance = Balance::default();
        let (frame, h_max) = (Some(0.01), Some(0.05));
        let settings = Settings { method, frame, h_max, coordinates, ..Settings::new(tol, 2.0) };
        let run = ready.run_with(&settings, &mut balance);
        let account = run.energy;
        let name = method.name();
        assert!(
            account.exchanged.dissipated > 5.0 && account.exchanged.work.abs() > 5.0,
            "{name} {account:?}"
        );
        assert!(account.drift() > 0.0 && account.drift() < 30.0 * tol, "{name} {:e}", account.drift());
        assert!(balance.worst < 300.0 * tol * account.turned(), "{name} {:e} at frames", balance.worst);
        assert!(account.doubt(&settings, run.statistics.steps).is_none());
        // the last frame is the end
        let end = account.exchanged;
        assert_eq!(
            (balance.dissipated.to_bits(), balance.work.to_bits()),
            (end.dissipated.to_bits(), end.work.to_bits())
        );
    }
}

#[test]
fn frames_do_not_change_the_account() {
    let ready = Ready::text(BUSY);
    for (method, tol) in METHODS {
        let account = |frame| {
            let settings = Settings { method, frame, h_max: Some(0.05), ..Settings::new(tol, 1.0) };
            ready.run_with(&settings, &mut Unwatched).energy.numbers().map(f64::to_bits)
        };
        assert_eq!(account(None), account(Some(0.003)), "{}", method.name());
    }
}

#[test]
fn a_method_that_loses_energy_is_doubted() {
    let ready = Ready::shipped("pendulum.toml");
    let settings = Settings { method: Method::Hht, h: Some(0.2), ..Settings::new(1e-6, 60.0) };
    let run = ready.run_with(&settings, &mut Unwatched);
    let doubt = run.energy.doubt(&settings, run.statistics.steps).expect("a doubt");
    assert!(doubt.drift > 0.2 && doubt.grew > 0.0 && doubt.grew_t > 0.0, "{doubt:?}");
    let fine = Settings { h: Some(0.001), ..settings };
    let run = ready.run_with(&fine, &mut Unwatched);
    assert_eq!(run.energy.doubt(&fine, run.statistics.steps), None);
}

/// Powers at the end of a step are those before the jump that ends it.
#[test]
fn a_pulse_gives_what_it_gives() {
    let ready = Ready::text(
        r#"
        name = "pulse"
        space = "planar"
        gravity = [0, 0]
        [[body]]
        name = "b"
        mass = 1
        inertia = 1
        [[joint]]
        type = "translational"
        name = "slide"
        body1 = "ground"
        body2 = "b"
        axis = [1, 0]
        [[force]]
        type = "force"
        name = "f"
        body = "b"
        magnitude = "if(t < 7, 0, if(t < 7.05, 100, 0))"
        direction = [1, 0]
        "#,
    );
    for method in [Method::Dop853, Method::Adams, Method::ForRosen, Method::ForSdirk, Method::SspTrap] {
        let run = ready.run(method, 1e-5, 10.0, &mut Unwatched);
        let given = run.energy.exchanged.work;
        assert!((given - 12.5).abs() < 1e-3, "{}: {given} J", method.name());
    }
}

/// A free crank after eight turns: what the energy says of its angle is what it is off by.
#[test]
fn the_energy_tells_how_late_a_crank_is() {
    let ready = Ready::shipped("slider_crank.toml");
    let end = |method, tol| {
        let settings = Settings { method, ..Settings::new(tol, 5.0) };
        let run = ready.run_with(&settings, &mut Unwatched);
        // the crank is the first body and turns about x
        let angle = 2.0 * run.state.q[4].atan2(run.state.q[3]);
        (angle, run.state.v[3], lag((&ready.system, &ready.redundant), &run.energy, &run.scales, &settings))
    };
    let (truth, speed, none) = end(Method::Dop853, 1e-11);
    assert_eq!(none, None);
    let early = |angle: f64| (angle - truth).sin() / speed;
    for (method, tol) in [(Method::Dopri5, 1e-4), (Method::ForRosen, 1e-4), (Method::Dopri5, 1e-6)] {
        let (angle, _, lag) = end(method, tol);
        let ratio = lag.map(|lag| lag.shift / early(angle));
        assert!(ratio.is_some_and(|r| r > 0.5 && r < 2.0), "{} {:e} {lag:?}", method.name(), early(angle));
    }
    // within a hundred tolerances there is nothing to say
    let (angle, _, lag) = end(Method::Dop853, 1e-6);
    assert!(early(angle).abs() < 1e-5 && lag.is_none(), "{:e} {lag:?}", early(angle));
}
