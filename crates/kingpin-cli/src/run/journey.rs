//! A run from its start to its end or failure, and all that is reported of it.

use super::frames::{Picked, Rows};
use super::progress::Progress;
use super::watch::{Energy, Watch};
use crate::ready::Ready;
use kingpin::dynamics::{End, Mechanism, Run, Settings, Trouble, simulate_with};
use kingpin::integrate::Outcome;
use kingpin::results::Channels;
use std::time::Instant;

/// What became of a run.
pub struct Journey<'a> {
    pub ready: &'a Ready,
    pub settings: Settings,
    pub run: Run,
    /// Time of the integration alone, in seconds.
    pub wall: f64,
    /// Of conservative mechanisms.
    pub energy: Option<Energy>,
    /// Shortest and longest step.
    pub steps: Option<(f64, f64)>,
    pub channels: Channels,
    /// Values of all channels at the end; accelerations and reactions that could not be solved for are NaN.
    pub last: Vec<f64>,
    pub picked: Picked,
    pub rows: Rows,
}

impl Journey<'_> {
    /// Why the run failed, if it did.
    pub fn failure(&self) -> Option<&Outcome<Trouble>> {
        match &self.run.end {
            End::Failed(outcome) => Some(outcome),
            End::Reached | End::Stopped | End::Event(_) => None,
        }
    }
}

/// Simulates.
pub fn travel(
    ready: &Ready,
    settings: Settings,
    channels: Channels,
    picked: Picked,
    progress: Progress,
) -> Journey<'_> {
    let system = &ready.system;
    let mechanism = Mechanism::new(system, ready.redundant(), settings.solver);
    let mut watch = Watch::new(system, &channels, &picked, settings.t_end, progress);
    let run = simulate_with(mechanism, &ready.assembly.state, &settings, &mut watch);
    let wall = watch.started.map_or(0.0, |started: Instant| started.elapsed().as_secs_f64());
    watch.finish();
    let energy = system.is_conservative().then_some(watch.energy);
    let (steps, rows) = (watch.steps, std::mem::take(&mut watch.rows));
    let last = last_values(ready, &settings, &run, &channels);
    Journey { ready, settings, run, wall, energy, steps, channels, last, picked, rows }
}

fn last_values(ready: &Ready, settings: &Settings, run: &Run, channels: &Channels) -> Vec<f64> {
    let mut mechanism = Mechanism::new(&ready.system, ready.redundant(), settings.solver);
    ready.system.set_state(&mut mechanism.work, &run.state);
    if mechanism.accelerate(run.state.t, &run.state.q, &run.state.v).is_err() {
        mechanism.result.acc.fill(f64::NAN);
        mechanism.result.lam.fill(f64::NAN);
    }
    let mut values = vec![0.0; channels.len()];
    channels.fill(&ready.system, &mechanism.work, &mechanism.result, &mut values);
    values
}
