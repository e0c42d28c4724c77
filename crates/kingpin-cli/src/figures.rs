//! Channels of an instant, as reports show them.

use kingpin::accel::Accelerations;
use kingpin::results::{Channels, Group, Role};
use kingpin::system::{System, Work};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// The numbers of all channels at one instant, as a map from names to numbers in SI units.
pub struct Figures<'a> {
    /// The channels.
    pub channels: &'a Channels,
    /// Their numbers.
    pub values: Vec<f64>,
}

impl<'a> Figures<'a> {
    /// Of an evaluated instant.
    pub fn new(channels: &'a Channels, system: &System, work: &Work, acc: &Accelerations) -> Figures<'a> {
        let mut values = vec![0.0; channels.len()];
        channels.fill(system, work, acc, &mut values);
        Figures { channels, values }
    }

    /// Name, unit and number of the channels of a group, without rates.
    pub fn at_rest(&self, group: Group) -> Vec<(&str, &'static str, f64)> {
        let all = self.channels.list().iter().zip(&self.values);
        all.filter(|(c, _)| c.group == group && c.role != Role::Rate)
            .map(|(c, x)| (c.name.as_str(), c.unit, *x))
            .collect()
    }
}

impl Serialize for Figures<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.values.len()))?;
        for (channel, value) in self.channels.list().iter().zip(&self.values) {
            map.serialize_entry(&channel.name, value)?;
        }
        map.end()
    }
}
