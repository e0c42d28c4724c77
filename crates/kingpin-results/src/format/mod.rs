//! Results for other programs.
//!
//! All writers take a [`Reader`] and hold little of it in memory. Files appear under their name when
//! they are whole.

mod csv;
mod gltf;
mod npy;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod vtk;

pub use csv::csv;
pub use gltf::gltf;
pub use npy::npy;
pub use output::Output;
#[cfg(feature = "parquet")]
pub use parquet::parquet;
pub use vtk::vtk;

use crate::error::{Error, ErrorKind};
use crate::store::{Choice, Reader};

/// The channels of a choice, checked.
pub(crate) fn chosen(reader: &Reader, choice: &Choice) -> Result<Vec<usize>, Error> {
    let count = reader.header().channels.len();
    let channels = choice.channels.clone().unwrap_or_else(|| (0..count).collect());
    match channels.iter().find(|&&k| k >= count) {
        None => Ok(channels),
        Some(k) => {
            let message = format!("there is no channel number {k}; there are {count}");
            Err(Error::new(ErrorKind::UnknownChannel, reader.dir(), message, "ask for channels by name"))
        }
    }
}

/// Name and unit of the time and of the chosen channels.
fn columns<'a>(reader: &'a Reader, channels: &[usize]) -> Vec<(&'a str, &'a str)> {
    let all = &reader.header().channels;
    let of = |&k: &usize| (all[k].name.as_str(), all[k].unit.as_str());
    [("time", "s")].into_iter().chain(channels.iter().map(of)).collect()
}
