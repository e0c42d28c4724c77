//! Where results go.

use crate::dynamics::{Checkpoint, Frame, Happening, Observer, Step};
use crate::results::Channels;
use crate::system::System;
use std::ops::ControlFlow;

/// The error of a sink.
pub type SinkError = Box<dyn std::error::Error + Send + Sync>;

/// Receives the output of a run: in memory ([`Recording`](super::Recording)), in a crash-safe folder
/// (`kingpin_results::Folder`), or elsewhere, on the thread of the run. The first error ends the run.
pub trait Sink: Send {
    /// A run with these channels begins.
    fn begin(&mut self, channels: &Channels) -> Result<(), SinkError>;
    /// The values of all channels at an instant.
    fn row(&mut self, t: f64, values: &[f64]) -> Result<(), SinkError>;
    /// An event.
    fn event(&mut self, _: &Happening) -> Result<(), SinkError> {
        Ok(())
    }
    /// A step was accepted.
    fn step(&mut self, _: &Step) -> Result<(), SinkError> {
        Ok(())
    }
    /// Whether it requests a checkpoint before the next step, which may be the `last`.
    fn wants_checkpoint(&mut self, _last: bool) -> bool {
        false
    }
    /// A checkpoint from which the run can be resumed.
    fn checkpoint(&mut self, _: &Checkpoint) -> Result<(), SinkError> {
        Ok(())
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn begin(&mut self, channels: &Channels) -> Result<(), SinkError> {
        (**self).begin(channels)
    }
    fn row(&mut self, t: f64, values: &[f64]) -> Result<(), SinkError> {
        (**self).row(t, values)
    }
    fn event(&mut self, event: &Happening) -> Result<(), SinkError> {
        (**self).event(event)
    }
    fn step(&mut self, step: &Step) -> Result<(), SinkError> {
        (**self).step(step)
    }
    fn wants_checkpoint(&mut self, last: bool) -> bool {
        (**self).wants_checkpoint(last)
    }
    fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        (**self).checkpoint(checkpoint)
    }
}

/// Fills the channels of every frame of a run and gives them to a sink.
pub struct SinkObserver<'a, S: Sink> {
    channels: &'a Channels,
    /// Where they go.
    pub sink: S,
    row: Vec<f64>,
    error: Option<SinkError>,
}

impl<'a, S: Sink> SinkObserver<'a, S> {
    /// Gives some channels to a sink.
    pub fn new(channels: &'a Channels, sink: S) -> Self {
        SinkObserver { row: vec![0.0; channels.len()], channels, sink, error: None }
    }

    /// The sink; or its first failure, which has stopped the run.
    pub fn finish(self) -> Result<S, SinkError> {
        self.error.map_or(Ok(self.sink), Err)
    }

    /// Whether the sink has failed.
    pub fn failed(&self) -> bool {
        self.error.is_some()
    }

    fn keep(&mut self, result: Result<(), SinkError>) -> ControlFlow<()> {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
        if self.error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<S: Sink> Observer for SinkObserver<'_, S> {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        self.channels.fill(frame.system, frame.work, frame.accelerations, &mut self.row);
        let result = self.sink.row(frame.state.t, &self.row);
        self.keep(result)
    }

    fn needs_accelerations(&self, system: &System) -> bool {
        self.channels.need_accelerations(system)
    }

    fn frame_numbers(&self) -> Option<usize> {
        Some(self.channels.len())
    }

    fn read(&mut self, frame: &Frame, numbers: &mut [f64]) {
        self.channels.fill(frame.system, frame.work, frame.accelerations, numbers);
    }

    fn take(&mut self, t: f64, numbers: &[f64]) -> ControlFlow<()> {
        let result = self.sink.row(t, numbers);
        self.keep(result)
    }

    fn event(&mut self, event: &Happening) {
        let result = self.sink.event(event);
        // the step that ends here stops the run
        let _ = self.keep(result);
    }

    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        let result = self.sink.step(step);
        self.keep(result)
    }

    fn wants_checkpoint(&mut self, last: bool) -> bool {
        self.sink.wants_checkpoint(last)
    }

    fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        let result = self.sink.checkpoint(checkpoint);
        // the next step stops the run
        let _ = self.keep(result);
    }
}
