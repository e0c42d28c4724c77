//! What goes on beside a run: signals, progress, and a folder that is filled.

use crate::columns::Columns;
use kingpin::mechanism::{Checkpoint, Happening, Sink, SinkError, Step};
use kingpin::results::Channels;
use kingpin_results::Folder;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time between two looks at signals, and between two reports of progress.
const LOOK: Duration = Duration::from_millis(50);

/// Where the numbers of a run go, and who hears of it.
pub struct Watch<'a> {
    pub columns: Columns,
    pub folder: Option<Folder>,
    /// Told the time reached.
    pub progress: Option<&'a Py<PyAny>>,
    /// Whether somebody wants no more.
    pub stop: &'a AtomicBool,
    /// Whether signals are for somebody else to look at.
    pub elsewhere: bool,
    /// Why it was stopped here.
    pub error: Option<PyErr>,
    looked: Instant,
}

impl<'a> Watch<'a> {
    /// Into memory alone.
    pub fn new(columns: Columns, stop: &'a AtomicBool) -> Watch<'a> {
        let looked = Instant::now();
        Watch { columns, folder: None, progress: None, stop, elsewhere: false, error: None, looked }
    }

    /// Looks about, now and then; an error ends the run.
    fn look(&mut self, t: f64) -> Result<(), SinkError> {
        if self.looked.elapsed() >= LOOK {
            let looked = Python::attach(|py| {
                if let Some(progress) = self.progress {
                    progress.call1(py, (t,))?;
                }
                if self.elsewhere { Ok(()) } else { py.check_signals() }
            });
            self.looked = Instant::now();
            if let Err(error) = looked {
                self.error = Some(error);
                self.stop.store(true, Ordering::Relaxed);
            }
        }
        if self.stop.load(Ordering::Relaxed) { Err("stopped".into()) } else { Ok(()) }
    }
}

impl Sink for Watch<'_> {
    fn begin(&mut self, channels: &Channels) -> Result<(), SinkError> {
        self.columns.begin(channels)?;
        self.folder.as_mut().map_or(Ok(()), |folder| folder.begin(channels))
    }

    fn row(&mut self, t: f64, values: &[f64]) -> Result<(), SinkError> {
        self.columns.row(t, values)?;
        self.folder.as_mut().map_or(Ok(()), |folder| folder.row(t, values))
    }

    fn event(&mut self, event: &Happening) -> Result<(), SinkError> {
        self.columns.event(event)?;
        self.folder.as_mut().map_or(Ok(()), |folder| folder.event(event))
    }

    fn step(&mut self, step: &Step) -> Result<(), SinkError> {
        self.columns.step(step)?;
        self.folder.as_mut().map_or(Ok(()), |folder| folder.step(step))?;
        self.look(step.report.t)
    }

    fn wants_checkpoint(&mut self, last: bool) -> bool {
        self.folder.as_mut().is_some_and(|folder| folder.wants_checkpoint(last))
    }

    fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        self.folder.as_mut().map_or(Ok(()), |folder| folder.checkpoint(checkpoint))
    }
}
