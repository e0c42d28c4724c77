//! Results in memory, channel by channel, so that arrays of NumPy and Arrow are these very numbers.

use kingpin::mechanism::{Channel, Happening, Sink, SinkError, Step};
use kingpin::results::Channels;

/// The times, then each channel, all frames of one after the other. Columns have room for more frames than they hold.
#[derive(Debug, Default)]
pub struct Columns {
    pub channels: Vec<Channel>,
    pub events: Vec<Happening>,
    pub steps: Vec<Step>,
    frames: usize,
    room: usize,
    numbers: Vec<f64>,
}

impl Columns {
    /// With room for some frames.
    pub fn with_room(frames: usize) -> Columns {
        Columns { room: frames.max(1), ..Columns::default() }
    }

    /// Frames held.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Frames that a column has room for.
    pub fn room(&self) -> usize {
        self.room
    }

    /// Where the first number is, which never changes once a run is over.
    pub fn address(&self) -> usize {
        self.numbers.as_ptr() as usize
    }

    /// The numbers of one frame, the time first.
    pub fn frame(&self, frame: usize) -> impl Iterator<Item = f64> {
        self.numbers.iter().skip(frame).step_by(self.room).copied()
    }

    /// Moves columns apart, for twice as many frames.
    fn grow(&mut self) {
        let wider = 2 * self.room;
        let mut numbers = vec![0.0; self.numbers.len() * 2];
        let columns = self.numbers.chunks_exact(self.room).zip(numbers.chunks_exact_mut(wider));
        columns.for_each(|(old, new)| new[..self.frames].copy_from_slice(&old[..self.frames]));
        (self.numbers, self.room) = (numbers, wider);
    }
}

impl Sink for Columns {
    fn begin(&mut self, channels: &Channels) -> Result<(), SinkError> {
        self.channels = channels.list().to_vec();
        self.numbers = vec![0.0; (1 + self.channels.len()) * self.room];
        Ok(())
    }

    fn row(&mut self, t: f64, values: &[f64]) -> Result<(), SinkError> {
        if self.frames == self.room {
            self.grow();
        }
        let places = self.numbers.iter_mut().skip(self.frames).step_by(self.room);
        places.zip(std::iter::once(&t).chain(values)).for_each(|(place, value)| *place = *value);
        self.frames += 1;
        Ok(())
    }

    fn event(&mut self, event: &Happening) -> Result<(), SinkError> {
        self.events.push(event.clone());
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), SinkError> {
        self.steps.push(*step);
        Ok(())
    }
}
