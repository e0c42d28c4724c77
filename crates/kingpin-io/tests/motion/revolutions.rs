//! A hundred turns: constraints hold, energy drifts as the tolerance allows.

use crate::Ready;
use crate::models::on_ball;
use kingpin::accel;
use kingpin::dynamics::{Dynamics, Method, Unwatched};
use kingpin::results::Channels;
use kingpin::system::State;

/// A crank and a rocker on hinges, the coupler between a ball and a cross joint: Euler parameters of the crank
/// turn without bound.
pub const FOUR_BAR: &str = r#"
name = "four_bar"
space = "spatial"
gravity = [0, 0, 0]

[[body]]
name = "crank"
mass = 1
inertia = [0.005, 0.01, 0.01]
com = [0.1, 0, 0]
angular_velocity = [0, 0, 60]

[[body]]
name = "coupler"
mass = 1
inertia = [0.005, 0.03, 0.03]
com = [0.3, 0, 0]
position = [0.2, 0, 0]
orientation = { axis = [0, 0, 1], angle = 0.8 }

[[body]]
name = "rocker"
mass = 1
inertia = [0.005, 0.02, 0.02]
com = [0.2, 0, 0]
position = [0.7, 0, 0]
orientation = { axis = [0, 0, 1], angle = 1.7 }

[[joint]]
type = "revolute"
name = "A"
body1 = "ground"
body2 = "crank"
at = [0, 0, 0]
axis = [0, 0, 1]

[[joint]]
type = "spherical"
name = "B"
body1 = "crank"
body2 = "coupler"
point1 = [0.2, 0, 0]
point2 = [0, 0, 0]

[[joint]]
type = "universal"
name = "C"
body1 = "coupler"
body2 = "rocker"
point1 = [0.6, 0, 0]
point2 = [0.45, 0, 0]
axis1 = [0, 1, 0]
axis2 = [0, 0, 1]

[[joint]]
type = "revolute"
name = "D"
body1 = "ground"
body2 = "rocker"
at = [0.7, 0, 0]
axis = [0, 0, 1]
"#;

/// A bar on a ball joint, spinning and going round.
fn spatial_pendulum() -> String {
    on_ball(2.0, "[0.05, 0.2, 0.21]", "[0.5, 0, 0]", "[3, -25, 1]")
}

fn energy(ready: &Ready, state: &State) -> f64 {
    let mut work = ready.system.work();
    ready.system.set_state(&mut work, state);
    ready.system.kinetic_energy(&work) + ready.system.potential_energy(&work)
}

/// Runs with several tolerances; relative drifts of the energy and changes of coordinates.
fn drifts(ready: &Ready, method: Method, tols: &[f64], t_end: f64) -> Vec<(f64, usize)> {
    let start = energy(ready, &ready.start);
    let mut out = Vec::new();
    for &tol in tols {
        let run = ready.run(method, tol, t_end, &mut Unwatched);
        let drift = (energy(ready, &run.state) / start - 1.0).abs();
        let (name, steps) = (method.name(), run.statistics.steps);
        println!("{name} {tol:.0e}: {steps} steps, drift {drift:.2e}, {} repartitions", run.repartitions);
        out.push((drift, run.repartitions));
    }
    out
}

#[test]
fn a_four_bar_goes_round_a_hundred_times() {
    let ready = Ready::text(FOUR_BAR);
    for method in [Method::ForRosen, Method::ForSdirk, Method::Esdirk, Method::Radau] {
        let found = drifts(&ready, method, &[1e-4, 1e-6], 18.5);
        let run = ready.run(method, 1e-5, 18.5, &mut Unwatched);
        // the angle of hinge A is counted over turns
        let (mut work, channels) = (ready.system.work(), Channels::new(&ready.system));
        ready.system.set_state(&mut work, &run.state);
        let mut mechanism = Dynamics::new(&ready.system, &ready.redundant, accel::Solver::Elimination);
        mechanism.work = work;
        mechanism.accelerate(run.state.t, &run.state.q, &run.state.v).unwrap();
        let mut values = vec![0.0; channels.len()];
        channels.fill(&ready.system, &mechanism.work, &mechanism.result, &mut values);
        let turns = values[channels.find("A.angle").unwrap()] / std::f64::consts::TAU;
        assert!(turns.abs() > 100.0, "{turns}");
        // two orders of tolerance at order four: steps 100^(1/4) times smaller, errors 100 times
        // less than the tolerance may be so by chance
        let before = found[0].0.max(1e-5);
        assert!(found[1].0 < before / 15.0, "{}: {found:?}", method.name());
    }
}

#[test]
fn a_spatial_pendulum_goes_round_a_hundred_times() {
    let ready = Ready::text(&spatial_pendulum());
    for method in [Method::ForRosen, Method::ForSdirk, Method::Esdirk, Method::Radau] {
        let found = drifts(&ready, method, &[1e-5, 1e-7], 26.0);
        // less than the tolerance may be so by chance
        let before = found[0].0.max(1e-5);
        assert!(found[1].0 < before / 15.0, "{}: {found:?}", method.name());
    }
    drifts(&ready, Method::Dop853, &[1e-6, 1e-9], 26.0);
}
