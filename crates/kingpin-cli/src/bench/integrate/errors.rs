//! Differences of two solutions.

use super::outing::Samples;
use crate::run::frames::Picked;
use kingpin::results::{Channels, Group};

/// The largest difference of one kind, and where it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worst {
    pub error: f64,
    /// Relative to the reference at that instant.
    pub relative: f64,
    pub t: f64,
    pub channel: String,
}

/// Largest differences of positions and of velocities.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Errors {
    /// Of positions and orientations, or of whatever else the one channel is that was picked.
    pub position: Worst,
    pub velocity: Worst,
    /// Root of the mean square over all instants, of the channel with the largest error.
    pub mean: f64,
}

impl Errors {
    /// Differences of samples taken at the same instants.
    pub fn between(samples: &Samples, reference: &Samples, channels: &Channels, picked: &Picked) -> Errors {
        let places = picked.places();
        let mut errors = Errors::default();
        let mut squares = vec![0.0; places.len()];
        let rows = samples.values.chunks_exact(places.len().max(1));
        let both = rows.zip(reference.values.chunks_exact(places.len().max(1)));
        for ((row, right), &t) in both.zip(&reference.t) {
            for (k, (x, y)) in row.iter().zip(right).enumerate() {
                let error = (x - y).abs();
                squares[k] += error * error;
                let channel = &channels.list()[places[k]];
                let fast = channel.group == Group::Velocity && places.len() > 1;
                let worst = if fast { &mut errors.velocity } else { &mut errors.position };
                if error > worst.error || worst.channel.is_empty() {
                    let relative = if error == 0.0 { 0.0 } else { error / y.abs() };
                    *worst = Worst { error, relative, t, channel: channel.name.clone() };
                }
            }
        }
        let place = places.iter().position(|&k| channels.list()[k].name == errors.position.channel);
        let count = reference.t.len().max(1) as f64;
        errors.mean = place.map_or(0.0, |k| (squares[k] / count).sqrt());
        errors
    }
}
