//! The numbers of a kinematic analysis, as they come.

use crate::ready::Ready;
use kingpin::dynamics::{Frame, Kinematics, Observer, kinematics_of};
use kingpin::model::Subject;
use kingpin::results::{Channels, Group};
use std::ops::ControlFlow;

/// Channels shown in a table, if none were asked for.
const SHOWN: usize = 7;

/// What was recorded.
pub struct Record<'a> {
    /// All channels.
    pub channels: &'a Channels,
    /// Those shown, by their places.
    pub shown: Vec<usize>,
    /// Times of the frames.
    pub times: Vec<f64>,
    /// The shown channels of each frame.
    pub rows: Vec<Vec<f64>>,
    /// All channels of the last frame.
    pub values: Vec<f64>,
}

impl Observer for Record<'_> {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        self.channels.fill(frame.system, frame.work, frame.accelerations, &mut self.values);
        self.times.push(frame.state.t);
        self.rows.push(self.shown.iter().map(|&k| self.values[k]).collect());
        ControlFlow::Continue(())
    }
}

/// Follows the drivers.
pub fn record<'a>(
    ready: &Ready,
    channels: &'a Channels,
    shown: Vec<usize>,
    t_end: f64,
    frames: usize,
) -> (Record<'a>, Kinematics) {
    let values = vec![0.0; channels.len()];
    let mut record = Record { channels, shown, times: Vec::new(), rows: Vec::new(), values };
    let (system, start) = (ready.system(), &ready.start);
    let done = kinematics_of(system, ready.problem(), start, t_end, frames, &mut record);
    (record, done)
}

/// The channels asked for; or values of measures and what drivers exert; or a message.
pub fn chosen(channels: &Channels, names: &[String]) -> Result<Vec<usize>, String> {
    if names.is_empty() {
        let all = channels.list().iter().enumerate();
        let wanted = all.filter(|(_, c)| match c.group {
            Group::Measure => !c.name.ends_with(".rate"),
            Group::Reaction => matches!(c.subject, Subject::Driver(_)),
            _ => false,
        });
        // measures before drivers
        let mut places: Vec<usize> = wanted.map(|(k, _)| k).collect();
        places.sort_by_key(|&k| channels.list()[k].group != Group::Measure);
        places.truncate(SHOWN);
        return Ok(places);
    }
    let find = |name: &String| {
        channels.find(name).ok_or_else(|| match channels.closest(name) {
            Some(other) => format!("error: there is no channel `{name}`: did you mean `{other}`?\n"),
            None => format!("error: there is no channel `{name}`\n"),
        })
    };
    names.iter().map(find).collect()
}
