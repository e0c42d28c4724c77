//! A folder of results as the sink of a run.

use super::{Fact, Header, Held, Outcome, Summary, Warning, Writer};
use crate::error::Error;
use kingpin::dynamics::{Checkpoint, End, Happening, Step};
use kingpin::mechanism::{self, Mechanism, Sink, SinkError};
use kingpin::results::Channels;
use std::path::Path;

/// A folder of results as the sink of a run; a run that crashes leaves everything up to its last second.
#[derive(Debug)]
pub struct Folder {
    writer: Writer,
    header: Option<Header>,
    /// Numbers that are kept with checkpoints for those who watch a run.
    pub carried: Vec<f64>,
    row: Vec<f64>,
}

impl Folder {
    /// Starts a folder for runs of a mechanism. `model` is the text of its model, as `kingpin_io::to_toml` writes it.
    /// Results that are there already are kept, with an error.
    pub fn create(dir: impl AsRef<Path>, mechanism: &Mechanism, model: &str) -> Result<Folder, Error> {
        let header = Header::new(&mechanism.model().name, mechanism.all_channels());
        let writer = Writer::create(dir.as_ref(), &header, model, false)?;
        Ok(Folder { header: Some(header), ..Folder::of(writer) })
    }

    /// One that a writer has started.
    pub fn of(writer: Writer) -> Folder {
        Folder { writer, header: None, carried: Vec::new(), row: Vec::new() }
    }

    /// The writer.
    pub fn into_writer(self) -> Writer {
        self.writer
    }

    /// Notes how the run ended; the results are then complete. Nobody else writes there as long as what is returned
    /// lives.
    pub fn finish(self, outcome: &mechanism::Outcome) -> Result<Held, Error> {
        let header = self.header.unwrap_or_else(|| Header::new("", &Channels::default()));
        let (ended, message) = match (&outcome.failure, &outcome.run.end) {
            (Some(failure), _) => (Outcome::Failed, failure.headline()),
            (None, End::Event(event)) => (Outcome::Done, format!("stopped by {}", event.what)),
            (None, End::Stopped) => (Outcome::Interrupted, "interrupted".into()),
            (None, _) => (Outcome::Done, "the end time was reached".into()),
        };
        let mut facts = vec![
            Fact::reached(outcome.run.state.t),
            Fact::new("solver", outcome.solver.name(), ""),
            Fact::new("threads", outcome.threads, ""),
            Fact::new("steps", outcome.run.statistics.steps, ""),
        ];
        if let Some(iterations) = &outcome.run.iterations {
            facts.push(Fact::new("iterations per solution", iterations.mean(), ""));
        }
        let kept = |warning: &mechanism::Warning| Warning {
            code: warning.code.into(),
            what: warning.what.clone(),
            why: warning.why.clone(),
            advice: warning.advice.clone(),
        };
        let warnings = outcome.warnings.iter().map(kept).collect();
        self.writer.finish(&Summary::new(&header, ended, message, facts).with_warnings(warnings))
    }
}

impl Sink for Folder {
    fn begin(&mut self, channels: &Channels) -> Result<(), SinkError> {
        self.row.reserve(1 + channels.len());
        Ok(())
    }

    fn row(&mut self, t: f64, values: &[f64]) -> Result<(), SinkError> {
        self.row.clear();
        self.row.push(t);
        self.row.extend_from_slice(values);
        Ok(self.writer.frame(&self.row)?)
    }

    fn event(&mut self, event: &Happening) -> Result<(), SinkError> {
        Ok(self.writer.event(event)?)
    }

    fn step(&mut self, step: &Step) -> Result<(), SinkError> {
        Ok(self.writer.step(step)?)
    }

    /// By the clock, and before a step that may be the last: from there the run can go on to a later end.
    fn wants_checkpoint(&mut self, last: bool) -> bool {
        last || self.writer.checkpoint_is_due()
    }

    fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        Ok(self.writer.checkpoint(checkpoint, &self.carried)?)
    }
}
