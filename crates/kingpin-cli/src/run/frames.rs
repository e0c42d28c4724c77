//! Channels over time.

use kingpin::results::{Channels, Group};

/// The channels asked for, by their places.
#[derive(Default)]
pub struct Picked(Vec<usize>);

impl Picked {
    /// Looks names up; the first that is not known comes back with advice.
    pub fn new(channels: &Channels, names: &[String]) -> Result<Picked, String> {
        let find = |name: &String| channels.find(name.trim()).ok_or_else(|| unknown(channels, name.trim()));
        names.iter().map(find).collect::<Result<_, _>>().map(Picked)
    }

    /// All channels of these groups.
    pub fn of_groups(channels: &Channels, groups: &[Group]) -> Picked {
        let wanted = |k: &usize| groups.contains(&channels.list()[*k].group);
        Picked((0..channels.len()).filter(wanted).collect())
    }

    /// Their places.
    pub fn places(&self) -> &[usize] {
        &self.0
    }
}

fn unknown(channels: &Channels, name: &str) -> String {
    let named = |k: usize| channels.list()[k].name.as_str();
    let of_item = |item: &str| -> Vec<&str> {
        let own = |k: &usize| named(*k).rsplit_once('.').is_some_and(|(owner, _)| owner == item);
        (0..channels.len()).filter(own).map(named).collect()
    };
    let item = name.rsplit_once('.').map_or(name, |(item, _)| item);
    let advice = match (channels.closest(name), of_item(item)) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, own) if !own.is_empty() => format!("`{item}` has {}", own.join(", ")),
        _ => {
            let examples: Vec<&str> = (0..channels.len().min(6)).map(named).collect();
            format!("examples of channels: {}", examples.join(", "))
        }
    };
    format!("there is no channel `{name}`\n\n  help: {advice}")
}

/// Their values, frame by frame.
#[derive(Default)]
pub struct Rows {
    /// Times.
    pub t: Vec<f64>,
    /// Values, one row after the other.
    pub values: Vec<f64>,
}

impl Rows {
    /// Adds a frame, given by the numbers of all channels.
    pub fn add(&mut self, t: f64, all: &[f64], picked: &Picked) {
        self.t.push(t);
        self.values.extend(picked.0.iter().map(|&k| all[k]));
    }
}
