//! Watches a run: energy, step sizes, frames, progress.

use super::frames::{Picked, Rows};
use super::progress::{Place, Progress};
use kingpin::dynamics::{Frame, Observer, Step};
use kingpin::results::Channels;
use kingpin::system::{State, System, Work};
use std::ops::ControlFlow;
use std::time::Instant;

/// How well the energy of a conservative mechanism is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// At the start.
    pub first: f64,
    /// Greatest difference from it.
    pub change: f64,
    /// Greatest kinetic energy.
    pub kinetic: f64,
}

impl Energy {
    /// Greatest change of the total energy, relative to the greatest kinetic energy.
    pub fn drift(&self) -> f64 {
        if self.change == 0.0 { 0.0 } else { self.change / self.kinetic }
    }
}

/// The observer of `kingpin run`.
pub struct Watch<'a> {
    system: &'a System,
    channels: &'a Channels,
    picked: &'a Picked,
    t_end: f64,
    progress: Progress,
    /// Room for energies; none if the mechanism is not conservative.
    work: Option<Work>,
    t_start: f64,
    /// When the first step began.
    pub started: Option<Instant>,
    /// Energies so far.
    pub energy: Energy,
    /// Shortest and longest step.
    pub steps: Option<(f64, f64)>,
    /// Frames so far.
    pub rows: Rows,
}

impl<'a> Watch<'a> {
    /// Ready to watch.
    pub fn new(
        system: &'a System,
        channels: &'a Channels,
        picked: &'a Picked,
        t_end: f64,
        progress: Progress,
    ) -> Self {
        Watch {
            system,
            channels,
            picked,
            t_end,
            progress,
            work: system.is_conservative().then(|| system.work()),
            t_start: 0.0,
            started: None,
            energy: Energy::default(),
            steps: None,
            rows: Rows::default(),
        }
    }

    /// The run is over.
    pub fn finish(&mut self) {
        self.progress.finish();
    }
}

impl Observer for Watch<'_> {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        self.rows.add(frame, self.channels, self.picked);
        ControlFlow::Continue(())
    }

    fn accepted(&mut self, state: &State) {
        let first = self.started.is_none();
        if let Some(work) = &mut self.work {
            self.system.set_state(work, state);
            let kinetic = self.system.kinetic_energy(work);
            let total = kinetic + self.system.potential_energy(work);
            let energy = &mut self.energy;
            if first {
                energy.first = total;
            }
            energy.change = energy.change.max((total - energy.first).abs());
            energy.kinetic = energy.kinetic.max(kinetic);
        }
        if first {
            self.t_start = state.t;
            self.started = Some(Instant::now());
        }
    }

    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        let (t, h) = (step.report.t, step.report.h());
        // the last step is cut short by the end
        if t < self.t_end || self.steps.is_none() {
            let (shortest, longest) = self.steps.unwrap_or((h, h));
            self.steps = Some((shortest.min(h), longest.max(h)));
        }
        let now = Instant::now();
        let (t_start, t_end, started) = (self.t_start, self.t_end, self.started.unwrap_or(now));
        self.progress.at(now, || Place { t, t_start, t_end, h, elapsed: now - started });
        ControlFlow::Continue(())
    }
}
