//! The numbers of one instant by name.

use super::{Error, Mechanism};
use crate::accel::Solver;
use crate::dynamics::{Trouble, dynamics_at};
use crate::results::{Channel, Channels};
use crate::system::State;

/// The values of all channels at an instant: positions, velocities, accelerations, reactions, forces, energies.
#[derive(Clone, Debug)]
pub struct Values<'m> {
    channels: &'m Channels,
    numbers: Vec<f64>,
}

impl Values<'_> {
    /// The value of a channel, such as `crank.ax` or `pin.fx`.
    pub fn get(&self, name: &str) -> Result<f64, Error> {
        let place = self.channels.find(name);
        place.map(|k| self.numbers[k]).ok_or_else(|| unknown_channel(self.channels, name))
    }

    /// All channels with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&Channel, f64)> {
        self.channels.list().iter().zip(self.numbers.iter().copied())
    }
}

/// There is no such channel.
pub(super) fn unknown_channel(channels: &Channels, name: &str) -> Error {
    Error::unknown("channel", name, channels.list().iter().map(|channel| channel.name.as_str()))
}

impl Mechanism {
    /// Accelerations, reactions and all other channels at a consistent state, such as [`Mechanism::state`].
    pub fn values(&self, state: &State) -> Result<Values<'_>, Error> {
        let dynamics = dynamics_at(&self.system, self.problem(), state, Solver::Auto)
            .map_err(|trouble: Trouble| self.refuses(trouble.finding(&self.assembly.diagnosis)))?;
        let channels = self.still_channels();
        let mut numbers = vec![0.0; channels.len()];
        channels.fill(dynamics.system, &dynamics.work, &dynamics.result, &mut numbers);
        Ok(Values { channels, numbers })
    }
}
