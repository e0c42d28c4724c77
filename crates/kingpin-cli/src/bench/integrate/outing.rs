//! Single runs, stopped where they would take too long.

use crate::ready::Ready;
use crate::run::frames::{Picked, Rows};
use crate::run::progress::duration;
use kingpin::dynamics::{End, Frame, Observer, Run, Settings, Step, simulate_with};
use kingpin::results::Channels;
use kingpin::system::State;
use std::ops::ControlFlow;
use std::time::Instant;

/// How notes on runs that would take too long begin.
pub const SKIPPED: &str = "skipped: ";
/// After so many seconds it shows how long a run will take.
const PROBE: f64 = 1.0;
/// Repetitions of a run end after so many, or so many seconds.
const REPETITIONS: (usize, f64) = (5, 1.0);

/// Values of the picked channels at all frames.
pub type Samples = Rows;

/// What a run cost.
pub struct Outing {
    pub run: Run,
    /// Seconds, set-up not counted.
    pub wall: f64,
}

/// What all runs have in common.
#[derive(Clone, Copy)]
pub struct Track<'a> {
    pub ready: &'a Ready,
    pub channels: &'a Channels,
    pub picked: &'a Picked,
    /// Most seconds of a run.
    pub limit: f64,
}

impl Track<'_> {
    /// The fastest of a few runs without frames.
    pub fn best(&self, settings: &Settings) -> Result<Outing, String> {
        let settings = Settings { frame: None, ..settings.clone() };
        let mut best: Option<Outing> = None;
        let mut spent = 0.0;
        for _ in 0..REPETITIONS.0 {
            let (run, wall, _) = self.go(&settings)?;
            spent += wall;
            if best.as_ref().is_none_or(|best| wall < best.wall) {
                best = Some(Outing { run, wall });
            }
            if spent > REPETITIONS.1 {
                break;
            }
        }
        best.ok_or_else(|| "no run".into())
    }

    /// A single run without frames.
    pub fn once(&self, settings: &Settings) -> Result<Outing, String> {
        let (run, wall, _) = self.go(&Settings { frame: None, ..settings.clone() })?;
        Ok(Outing { run, wall })
    }

    /// The solution at all frames.
    pub fn samples(&self, settings: &Settings) -> Result<Samples, String> {
        self.go(settings).map(|(_, _, samples)| samples)
    }

    fn go(&self, settings: &Settings) -> Result<(Run, f64, Samples), String> {
        let mut watch = Watch {
            track: self,
            t_end: settings.t_end,
            t_start: self.ready.start.t,
            started: None,
            projected: None,
            rows: Rows::default(),
        };
        let mechanism = self.ready.dynamics(settings.solver);
        let run = simulate_with(mechanism, &self.ready.start, settings, &mut watch);
        let wall = watch.started.map_or(0.0, |started| started.elapsed().as_secs_f64());
        match (&run.end, watch.projected) {
            (End::Failed(outcome), _) => Err(format!("failed: {outcome}")),
            (End::Stopped, projected) => {
                let long = projected.map_or("too long".into(), duration);
                Err(format!("{SKIPPED}it would need about {long}"))
            }
            (End::Reached | End::Event(_), _) => Ok((run, wall, watch.rows)),
        }
    }
}

struct Watch<'a> {
    track: &'a Track<'a>,
    t_start: f64,
    t_end: f64,
    started: Option<Instant>,
    projected: Option<f64>,
    rows: Rows,
}

impl Observer for Watch<'_> {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        let mut numbers = vec![0.0; self.track.channels.len()];
        self.track.channels.fill(frame.system, frame.work, frame.accelerations, &mut numbers);
        self.rows.add(frame.state.t, &numbers, self.track.picked);
        ControlFlow::Continue(())
    }

    fn accepted(&mut self, _: &State) {
        self.started.get_or_insert_with(Instant::now);
    }

    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        let spent = self.started.map_or(0.0, |started| started.elapsed().as_secs_f64());
        if spent > PROBE.min(self.track.limit) {
            let projected = spent * (self.t_end - self.t_start) / (step.report.t - self.t_start);
            // early on the guess is rough: runs often start slowly
            let patience = if spent < 0.1 * self.track.limit { 3.0 } else { 1.0 };
            if projected > patience * self.track.limit {
                self.projected = Some(projected);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}
