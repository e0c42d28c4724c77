//! Runs from start to end.

use super::warning::Judged;
use super::{Error, Mechanism, Recording, Sink, SinkObserver, Warning};
use crate::accel;
use crate::dynamics::{Checkpoint, FailureReport, History, Observer, Run, Settings, explain, resume};
use crate::system::State;
use crate::threads;
use crate::words::{Spelling, in_settings};

/// The result of a run, complete or not.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Last state, counts, residuals, energies, events.
    pub run: Run,
    /// The solver for accelerations.
    pub solver: accel::Solver,
    /// Number of threads.
    pub threads: usize,
    /// The failure, if it failed.
    pub failure: Option<FailureReport>,
    /// Warnings, if it did not fail.
    pub warnings: Vec<Warning>,
}

impl Mechanism {
    /// Simulates with the settings of the model; a thousand frames by default.
    pub fn simulate(&self) -> Result<Recording, Error> {
        self.simulate_with(&self.settings())
    }

    /// Simulates with other settings, into memory.
    pub fn simulate_with(&self, settings: &Settings) -> Result<Recording, Error> {
        let mut recording = Recording::new();
        let outcome = self.simulate_into(settings, &mut recording)?;
        (recording.run, recording.warnings) = (Some(outcome.run), outcome.warnings);
        Ok(recording)
    }

    /// Simulates into a sink, which also receives the frames before a failure.
    pub fn simulate_into(&self, settings: &Settings, sink: &mut dyn Sink) -> Result<Outcome, Error> {
        let start = self.start()?;
        let mut settings = settings.clone();
        settings.check(in_settings)?;
        if settings.frame.is_none() {
            let duration = settings.t_end - start.t;
            settings.frame = (duration > 0.0).then_some(duration / 1000.0);
        }
        let channels = self.all_channels();
        sink.begin(channels).map_err(|error| Error::Sink(error.to_string()))?;
        let mut observer = SinkObserver::new(channels, sink);
        let outcome = self.run(&settings, &Checkpoint::at_start(start, &settings), &mut observer)?;
        observer.finish().map_err(|error| Error::Sink(error.to_string()))?;
        match outcome.failure {
            Some(failure) => Err(failure.into()),
            None => Ok(outcome),
        }
    }

    /// Runs from a checkpoint to the end with an observer; all other runs use this. A run that fails is not an error
    /// here; an error is a checkpoint of another mechanism.
    pub fn run(
        &self,
        settings: &Settings,
        from: &Checkpoint,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, Error> {
        self.run_spelled(settings, from, observer, in_settings)
    }

    /// The same, with settings written otherwise in advice.
    #[doc(hidden)]
    pub fn run_spelled(
        &self,
        settings: &Settings,
        from: &Checkpoint,
        observer: &mut dyn Observer,
        spelling: Spelling,
    ) -> Result<Outcome, Error> {
        let mut history = History::new(settings.t_end, settings.most_steps);
        history.carry_on(from)?;
        // all of it among the threads, so that no step has to wake them
        let threads = threads::number(settings.threads, self.system.bodies());
        let (run, solver, threads) = threads::within(threads, |threads| {
            let dynamics = self.dynamics(settings.solver);
            let solver = dynamics.accelerator.method;
            let run = resume(dynamics, from, settings, &mut history.noting(observer));
            run.map(|run| (run, solver, threads))
        })?;
        let start = self.start()?;
        let failure = self.explained(settings, &run, &history);
        let judged = Judged { mechanism: self, settings, start, run: &run, spelling };
        // a failure says enough
        let warnings = if failure.is_none() { judged.warnings() } else { Vec::new() };
        Ok(Outcome { run, solver, threads, failure, warnings })
    }

    /// The failure of a run, if it failed.
    pub(super) fn explained(
        &self,
        settings: &Settings,
        run: &Run,
        history: &History,
    ) -> Option<FailureReport> {
        let start: &State = self.start().unwrap_or_else(|_| self.state());
        explain(&self.system, self.problem(), start, settings, run, history)
    }
}
