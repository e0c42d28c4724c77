//! The channels of a kinematic analysis that are shown.

use kingpin::dynamics::Production;
use kingpin::mechanism::Recording;
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

/// The channels asked for; or values of measures, what drivers and actuators exert, and their strokes; or a message.
pub fn chosen(channels: &Channels, names: &[String], production: &Production) -> Result<Vec<usize>, String> {
    if names.is_empty() {
        let mut places: Vec<usize> = (0..channels.len())
            .filter(|&k| {
                let channel = &channels.list()[k];
                channel.group == Group::Measure && channel.role != Role::Rate
            })
            .collect();
        let movers = movers(channels, production);
        // measures before forces before strokes
        let of = |which: &[&str]| -> Vec<usize> {
            let each = |item: &&str| which.iter().find_map(|own| channels.find(&format!("{item}.{own}")));
            movers.iter().filter_map(each).collect()
        };
        places.extend(of(&["force", "torque"]));
        places.extend(of(&["stroke"]));
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

/// What moves the mechanism, by the names in its channels: drivers and actuators, but not motions that these produce.
pub fn movers<'c>(channels: &'c Channels, production: &Production) -> Vec<&'c str> {
    let items = channels.list().iter().filter_map(|channel| channel.name.strip_suffix(".stroke"));
    items.filter(|item| production.motions.iter().all(|(_, name)| name != item)).collect()
}
