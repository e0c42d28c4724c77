//! A hundred turns: constraints hold, energy drifts as the tolerance allows.

use crate::motion::Ready;
use kingpin::accel;
use kingpin::dynamics::{Coordinates, Dynamics, Method, Settings, Unwatched};
use kingpin::results::Channels;
use kingpin::system::State;

/// A crank and a rocker on hinges, the coupler between a ball and a cross joint: Euler parameters of the crank
/// turn without bound.
pub const FOUR_BAR: &str = include_str!("../../../../../tests/models/revolving_four_bar.toml");

/// A bar on a ball joint, spinning and going round.
const PENDULUM: &str = include_str!("../../../../../tests/models/revolving_pendulum.toml");

fn energy(ready: &Ready, state: &State) -> f64 {
    let mut work = ready.system.work();
    ready.system.set_state(&mut work, state);
    ready.system.kinetic_energy(&work) + ready.system.potential_energy(&work)
}

/// Runs with several tolerances; relative drifts of the energy and changes of coordinates.
fn drifts(ready: &Ready, settings: &Settings, tols: &[f64]) -> Vec<(f64, usize)> {
    let start = energy(ready, &ready.start);
    let mut out = Vec::new();
    for &tol in tols {
        let run = ready.run_with(&Settings { rtol: tol, ..settings.clone() }, &mut Unwatched);
        let drift = (energy(ready, &run.state) / start - 1.0).abs();
        let (name, steps) = (settings.method.name(), run.statistics.steps);
        println!("{name} {tol:.0e}: {steps} steps, drift {drift:.2e}, {} repartitions", run.repartitions);
        out.push((drift, run.repartitions));
    }
    out
}

/// Methods of order four and five, and two of them in the tangent plane.
fn ways(t_end: f64) -> impl Iterator<Item = Settings> {
    let (partition, tangent) = (Coordinates::Partition, Coordinates::Tangent);
    let others = [(Method::ForRosen, tangent), (Method::Radau, tangent)];
    let ways =
        [Method::ForRosen, Method::ForSdirk, Method::Esdirk, Method::Radau].map(|method| (method, partition));
    let settings =
        move |(method, coordinates)| Settings { method, coordinates, ..Settings::new(1e-5, t_end) };
    ways.into_iter().chain(others).map(settings)
}

#[test]
fn a_four_bar_goes_round_a_hundred_times() {
    let ready = Ready::text(FOUR_BAR);
    for settings in ways(18.5) {
        let (method, found) = (settings.method, drifts(&ready, &settings, &[1e-4, 1e-6]));
        let run = ready.run_with(&settings, &mut Unwatched);
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
    let ready = Ready::text(PENDULUM);
    for settings in ways(26.0) {
        let (method, found) = (settings.method, drifts(&ready, &settings, &[1e-5, 1e-7]));
        // less than the tolerance may be so by chance
        let before = found[0].0.max(1e-5);
        assert!(found[1].0 < before / 15.0, "{}: {found:?}", method.name());
    }
    let settings = Settings { method: Method::Dop853, ..Settings::new(1e-6, 26.0) };
    drifts(&ready, &settings, &[1e-6, 1e-9]);
}

/// The angle of a crank that has turned thousands of times is rounded coarsely; the motion is that of the first turns.
#[test]
fn a_planar_four_bar_goes_on_after_thousands_of_turns() {
    let text = include_str!("../../../../../models/four_bar.toml");
    let rocker = |turns: f64, method: Method| {
        let from = format!("phi = \"{} deg\"", 360.0 * turns + 60.0);
        let ready = Ready::text(&text.replace("phi = \"60 deg\"", &from));
        let run = ready.run(method, 1e-6, 2.0, &mut Unwatched);
        run.state.q[8] - ready.start.q[8]
    };
    for method in [Method::Auto, Method::Dop853, Method::Radau] {
        let known = rocker(0.0, method);
        for turns in [1310.0, 2000.0, 5000.0, -20000.0] {
            let found = rocker(turns, method);
            assert!((found - known).abs() < 1e-4, "{} {turns}: {found} {known}", method.name());
        }
    }
}
