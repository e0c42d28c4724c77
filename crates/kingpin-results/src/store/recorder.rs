//! Writes what an observer of a run sees.

use super::Writer;
use crate::error::Error;
use kingpin::dynamics::{Event, Frame, Observer, Step};
use kingpin::results::Channels;
use kingpin::system::State;
use std::ops::ControlFlow;

/// An observer that records all channels. The first failure to write stops the run and is kept.
pub struct Recorder<'a> {
    channels: &'a Channels,
    writer: Writer,
    row: Vec<f64>,
    error: Option<Error>,
    /// Steps between two checkpoints; 0 for none.
    every: u64,
    steps: u64,
    accepted: State,
}

impl<'a> Recorder<'a> {
    /// Records with a checkpoint every so many steps; 0 for none. Steps are counted instead of seconds, so that the
    /// same run gives the same checkpoints.
    pub fn new(channels: &'a Channels, writer: Writer, every: u64) -> Recorder<'a> {
        let row = vec![0.0; 1 + channels.len()];
        Recorder { channels, writer, row, error: None, every, steps: 0, accepted: State::default() }
    }

    /// The writer, or why recording stopped.
    pub fn finish(self) -> Result<Writer, Error> {
        self.error.map_or(Ok(self.writer), Err)
    }

    /// Whether the run was stopped because results could not be written.
    pub fn failed(&self) -> bool {
        self.error.is_some()
    }

    fn keep(&mut self, result: Result<(), Error>) -> ControlFlow<()> {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
        if self.failed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn due(&self) -> bool {
        self.every > 0 && (self.steps + 1).is_multiple_of(self.every)
    }
}

impl Observer for Recorder<'_> {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        self.row[0] = frame.state.t;
        self.channels.fill(frame.system, frame.work, frame.accelerations, &mut self.row[1..]);
        let result = self.writer.frame(&self.row);
        self.keep(result)
    }

    fn event(&mut self, event: &Event) {
        let result = self.writer.event(event);
        // the step that ends here stops the run
        let _ = self.keep(result);
    }

    fn accepted(&mut self, state: &State) {
        if self.due() {
            self.accepted.clone_from(state);
        }
    }

    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        let mut result = self.writer.step(step);
        if result.is_ok() && self.due() {
            result = self.writer.checkpoint(&self.accepted, step.method.name(), step.report.h());
        }
        self.steps += 1;
        self.keep(result)
    }
}
