//! Writes what an observer of a run sees.

use super::Writer;
use crate::error::Error;
use kingpin::dynamics::{Checkpoint, Event, Frame, Observer, Step};
use kingpin::results::Channels;
use std::ops::ControlFlow;

/// An observer that records all channels. The first failure to write stops the run and is kept.
pub struct Recorder<'a> {
    channels: &'a Channels,
    writer: Writer,
    row: Vec<f64>,
    error: Option<Error>,
}

impl<'a> Recorder<'a> {
    /// Records into a folder.
    pub fn new(channels: &'a Channels, writer: Writer) -> Recorder<'a> {
        Recorder { channels, writer, row: vec![0.0; 1 + channels.len()], error: None }
    }

    /// Notes a checkpoint, with numbers that those who watch want to go on with.
    pub fn checkpoint_with(&mut self, at: &Checkpoint, carried: &[f64]) {
        let result = self.writer.checkpoint(at, carried);
        // the next step stops the run
        let _ = self.keep(result);
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

    /// By the clock, and before a step that may be the last: from there the run can go on to a later end.
    fn wants_checkpoint(&mut self, last: bool) -> bool {
        last || self.writer.checkpoint_is_due()
    }

    fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        self.checkpoint_with(checkpoint, &[]);
    }

    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        let result = self.writer.step(step);
        self.keep(result)
    }
}
