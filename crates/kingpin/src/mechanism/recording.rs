//! Results in memory.

use super::sink::{Sink, SinkError};
use super::{Error, Warning};
use crate::dynamics::{Happening, Run};
use crate::results::{Channel, Channels};

/// Results in memory: one row of channels per frame, and the result of the run.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    channels: Vec<Channel>,
    times: Vec<f64>,
    rows: Vec<f64>,
    events: Vec<Happening>,
    pub(super) run: Option<Run>,
    pub(super) warnings: Vec<Warning>,
}

impl Recording {
    /// An empty one, to be filled.
    pub fn new() -> Recording {
        Recording::default()
    }

    /// The channels, in the order of the rows.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// The times of the frames.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The values of all channels at a frame.
    pub fn row(&self, frame: usize) -> Option<&[f64]> {
        let width = self.channels.len();
        self.rows.get(frame * width..(frame + 1) * width)
    }

    /// A channel over time, such as `crank.angle`: one value per frame.
    pub fn series(&self, name: &str) -> Result<Vec<f64>, Error> {
        let k = self.place(name)?;
        Ok(self.rows.iter().skip(k).step_by(self.channels.len()).copied().collect())
    }

    /// The last value of a channel; NaN if there are no frames.
    pub fn last(&self, name: &str) -> Result<f64, Error> {
        let k = self.place(name)?;
        let first = self.rows.len().saturating_sub(self.channels.len());
        Ok(self.rows.get(first + k).copied().unwrap_or(f64::NAN))
    }

    /// Events of the run.
    pub fn events(&self) -> &[Happening] {
        &self.events
    }

    /// Result of the run: last state, counts, residuals, energies; `None` during the run.
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// Warnings.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    fn place(&self, name: &str) -> Result<usize, Error> {
        let found = self.channels.iter().position(|channel| channel.name == name);
        found.ok_or_else(|| Error::unknown("channel", name, self.channels.iter().map(|c| c.name.as_str())))
    }
}

impl Sink for Recording {
    fn begin(&mut self, channels: &Channels) -> Result<(), SinkError> {
        *self = Recording { channels: channels.list().to_vec(), ..Recording::default() };
        Ok(())
    }

    fn row(&mut self, t: f64, values: &[f64]) -> Result<(), SinkError> {
        self.times.push(t);
        self.rows.extend_from_slice(values);
        Ok(())
    }

    fn event(&mut self, event: &Happening) -> Result<(), SinkError> {
        self.events.push(event.clone());
        Ok(())
    }
}
