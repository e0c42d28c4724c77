//! Which channels a page holds: all, unless a large mechanism would leave room for a few frames only.

use super::column::{encoded, note};
use super::data::Model;
use crate::store::{ChannelInfo, Reader};
use kingpin::results::Group;

/// Frames that there should be room for before channels are left out.
const ENOUGH: u64 = 400;
/// Bytes of JSON around a channel and its column.
const AROUND: usize = 96;
/// What can be missed, in the order in which it is left out. Poses, measures and energies stay.
const MISSED: [Group; 5] =
    [Group::Acceleration, Group::Velocity, Group::Reaction, Group::JointCoordinate, Group::Force];

/// Channels of the results that a page holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chosen {
    /// Their places in the results.
    pub places: Vec<usize>,
    /// What was left out, such as `accelerations`.
    pub missed: Vec<String>,
}

impl Chosen {
    /// As many groups of channels as leave room for enough frames in `limit` bytes of JSON.
    pub fn new(reader: &Reader, limit: usize) -> Chosen {
        Chosen::for_frames(reader, limit, reader.frames().min(ENOUGH) as usize)
    }

    /// The same however far a run has come.
    pub fn growing(reader: &Reader, limit: usize) -> Chosen {
        Chosen::for_frames(reader, limit, ENOUGH as usize)
    }

    /// What is needed to draw bodies.
    pub fn poses(reader: &Reader) -> Chosen {
        let drawn = |c: &ChannelInfo| matches!(c.group, Group::Position | Group::Orientation);
        let channels = reader.header().channels.iter().enumerate();
        Chosen { places: channels.filter(|(_, c)| drawn(c)).map(|(k, _)| k).collect(), missed: Vec::new() }
    }

    fn for_frames(reader: &Reader, limit: usize, frames: usize) -> Chosen {
        let channels = &reader.header().channels;
        let cost = |channel: &ChannelInfo| {
            AROUND
                + channel.name.len()
                + channel.unit.len()
                + channel.group.heading().len()
                + encoded(4 * frames)
        };
        let mut total: usize = channels.iter().map(cost).sum();
        let mut missed = Vec::new();
        for group in MISSED {
            if total <= limit {
                break;
            }
            let own: usize = channels.iter().filter(|c| c.group == group).map(cost).sum();
            if own > 0 {
                total -= own;
                missed.push(group);
            }
        }
        let kept = |k: &usize| !missed.contains(&channels[*k].group);
        let places = (0..channels.len()).filter(kept).collect();
        Chosen { places, missed: missed.iter().map(|group| group.heading().to_lowercase()).collect() }
    }

    /// What of the results is not in the page, such as `400 of 9,000 frames are shown, without accelerations`.
    pub fn note(&self, shown: u64, all: u64) -> Option<String> {
        let mut notes: Vec<String> = note(shown, all, "frames").into_iter().collect();
        if !self.missed.is_empty() {
            notes.push(format!("without {}", self.missed.join(", ")));
        }
        (!notes.is_empty()).then(|| notes.join(", "))
    }

    /// Turns places in the results into places in the page.
    pub fn renumber(&self, model: &mut Model, channels: usize) {
        let mut new = vec![None; channels];
        for (k, &place) in self.places.iter().enumerate() {
            new[place] = Some(k);
        }
        for body in &mut model.bodies {
            // poses are never left out
            body.pose = body.pose.iter().filter_map(|&place| new[place]).collect();
        }
        for mesh in &mut model.meshes {
            mesh.amplitudes = mesh.amplitudes.iter().filter_map(|&place| new[place]).collect();
        }
        for force in &mut model.forces {
            force.strength = force.strength.and_then(|place| new[place]);
        }
    }
}
