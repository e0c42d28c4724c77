//! Another run beside the one that a page shows.

use super::Limits;
use super::choice::Chosen;
use super::data::{OtherRun, RunChannel};
use super::frames::frames;
use crate::error::Error;
use crate::store::Reader;

/// Channels and frames of a run under a name, to be compared with those of another.
pub fn other_run(reader: &Reader, name: String, limits: Limits) -> Result<OtherRun, Error> {
    let chosen = Chosen::new(reader, limits.frames);
    let infos = chosen.places.iter().map(|&k| &reader.header().channels[k]);
    let channels =
        infos.map(|info| RunChannel { name: info.name.clone(), unit: info.unit.clone() }).collect();
    Ok(OtherRun { name, channels, frames: frames(reader, &chosen, limits.frames)? })
}
