//! Writes what an observer of a run sees.

use super::{Folder, Writer};
use crate::error::{Error, ErrorKind};
use kingpin::dynamics::{Checkpoint, Frame, Happening, Observer, Step};
use kingpin::mechanism::SinkObserver;
use kingpin::results::Channels;
use kingpin::system::System;
use std::ops::ControlFlow;
use std::path::Path;

/// An observer that records all channels. The first failure to write stops the run and is kept.
pub struct Recorder<'a> {
    inner: SinkObserver<'a, Folder>,
}

impl<'a> Recorder<'a> {
    /// Records into a folder.
    pub fn new(channels: &'a Channels, writer: Writer) -> Recorder<'a> {
        Recorder { inner: SinkObserver::new(channels, Folder::of(writer)) }
    }

    /// Notes a checkpoint, with numbers that those who watch want to go on with.
    pub fn checkpoint_with(&mut self, at: &Checkpoint, carried: &[f64]) {
        self.inner.sink.carried = carried.into();
        self.inner.checkpoint(at);
    }

    /// The writer, or why recording stopped.
    pub fn finish(self) -> Result<Writer, Error> {
        let done = self.inner.finish().map(Folder::into_writer);
        done.map_err(|error| match error.downcast::<Error>() {
            Ok(error) => *error,
            Err(other) => Error::new(ErrorKind::Io, Path::new(""), other.to_string(), "try again"),
        })
    }

    /// Whether the run was stopped because results could not be written.
    pub fn failed(&self) -> bool {
        self.inner.failed()
    }
}

impl Observer for Recorder<'_> {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        self.inner.frame(frame)
    }

    fn needs_accelerations(&self, system: &System) -> bool {
        self.inner.needs_accelerations(system)
    }

    fn frame_numbers(&self) -> Option<usize> {
        self.inner.frame_numbers()
    }

    fn read(&mut self, frame: &Frame, numbers: &mut [f64]) {
        self.inner.read(frame, numbers);
    }

    fn take(&mut self, t: f64, numbers: &[f64]) -> ControlFlow<()> {
        self.inner.take(t, numbers)
    }

    fn event(&mut self, event: &Happening) {
        self.inner.event(event);
    }

    fn wants_checkpoint(&mut self, last: bool) -> bool {
        self.inner.wants_checkpoint(last)
    }

    fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        self.checkpoint_with(checkpoint, &[]);
    }

    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        self.inner.step(step)
    }
}
