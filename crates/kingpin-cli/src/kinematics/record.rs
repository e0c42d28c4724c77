//! The channels of a kinematic analysis that are shown.

use kingpin::mechanism::Recording;
use kingpin::model::Subject;
use kingpin::results::{Channel, Channels, Group, Role};

/// Channels shown in a table, if none were asked for.
const SHOWN: usize = 7;

/// What was recorded, and what of it is shown.
pub struct Record {
    /// All channels of all frames.
    pub all: Recording,
    /// Those shown, by their places.
    pub shown: Vec<usize>,
}

impl Record {
    /// The channels shown.
    pub fn channels(&self) -> impl Iterator<Item = &Channel> {
        self.shown.iter().map(|&k| &self.all.channels()[k])
    }

    /// A shown channel over time.
    pub fn column(&self, column: usize) -> impl Iterator<Item = f64> + '_ {
        self.rows().map(move |row| row[self.shown[column]])
    }

    /// All channels of the last frame.
    pub fn last(&self) -> Vec<f64> {
        self.rows().last().unwrap_or_default().to_vec()
    }

    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        (0..self.all.times().len()).filter_map(|frame| self.all.row(frame))
    }
}

/// The channels asked for; or values of measures and what drivers exert; or a message.
pub fn chosen(channels: &Channels, names: &[String]) -> Result<Vec<usize>, String> {
    if names.is_empty() {
        let all = channels.list().iter().enumerate();
        let wanted = all.filter(|(_, c)| match c.group {
            Group::Measure => c.role != Role::Rate,
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
