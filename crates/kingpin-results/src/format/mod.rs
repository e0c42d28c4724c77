//! Results for other programs.
//!
//! All writers take a [`Reader`] and hold little of it in memory. Files appear under their name when
//! they are whole.

mod output;

pub use output::Output;

use crate::error::{Error, ErrorKind};
use crate::scene::Scene;
use crate::store::{Choice, Reader};
use std::path::{Path, PathBuf};

/// A form of results for other programs.
pub struct Export {
    /// The name users give.
    pub name: &'static str,
    /// One line on whom it is for.
    pub about: &'static str,
    /// How the names of its files end.
    pub ending: &'static str,
    /// How it is written.
    pub write: Writing,
    /// What goes beside its file, if anything does.
    pub beside: Option<fn(&Path) -> PathBuf>,
    /// How to get it, where this build is without it.
    pub missing: Option<&'static str>,
}

/// How results are written.
pub enum Writing {
    /// A table of channels.
    Table(fn(&Reader, &Choice, &Path) -> Result<(), Error>),
    /// A table of channels that may also go to a stream.
    Stream(fn(&Reader, &Choice, Output) -> Result<(), Error>),
    /// The motion of shapes.
    Motion(fn(&Reader, &Scene, &Choice, &Path) -> Result<(), Error>),
}

/// The cells of a column of a table that is no run.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Numbers of items.
    Counts(Vec<u64>),
    /// Numbers, some of which may be missing.
    Numbers(Vec<Option<f64>>),
    /// Words.
    Words(Vec<String>),
}

impl Cells {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Cells::Counts(list) => list.len(),
            Cells::Numbers(list) => list.len(),
            Cells::Words(list) => list.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Export {
    /// The export of that name.
    pub fn named(name: &str) -> Option<&'static Export> {
        EXPORTS.iter().find(|export| export.name == name)
    }

    /// The export whose files end like a path.
    pub fn of_ending(path: &Path) -> Option<&'static Export> {
        let ending = path.extension()?.to_string_lossy().to_lowercase();
        EXPORTS.iter().find(|export| export.ending == ending)
    }

    /// Whether it is a table of channels, not a motion.
    pub fn is_table(&self) -> bool {
        !matches!(self.write, Writing::Motion(_))
    }
}

/// Declares the modules of the exports and their list. To add one, write its file and a line below.
macro_rules! export_list {
    ($( $module:ident, )*) => {
        $( mod $module; )*

        /// All exports, in the order of documentation.
        pub const EXPORTS: &[Export] = &[$( $module::EXPORT ),*];
    };
}

export_list! {
    csv,
    npy,
    parquet,
    gltf,
    vtk,
}

#[cfg(feature = "parquet")]
pub use self::parquet::{parquet, parquet_table};
pub use csv::{cell, csv};
pub use gltf::gltf;
pub use npy::npy;
pub use vtk::vtk;

/// The channels of a choice, checked.
pub(crate) fn chosen(reader: &Reader, choice: &Choice) -> Result<Vec<usize>, Error> {
    let count = reader.header().channels.len();
    let channels = choice.channels.clone().unwrap_or_else(|| (0..count).collect());
    match channels.iter().find(|&&k| k >= count) {
        None => Ok(channels),
        Some(k) => {
            let message = format!("there is no channel number {k}; there are {count}");
            Err(Error::new(ErrorKind::UnknownChannel, reader.dir(), message, "select channels by name"))
        }
    }
}

/// Name and unit of the time and of the chosen channels.
fn columns<'a>(reader: &'a Reader, channels: &[usize]) -> Vec<(&'a str, &'a str)> {
    let all = &reader.header().channels;
    let of = |&k: &usize| (all[k].name.as_str(), all[k].unit.as_str());
    [("time", "s")].into_iter().chain(channels.iter().map(of)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_endings_are_their_own() {
        for (k, export) in EXPORTS.iter().enumerate() {
            let others = || EXPORTS.iter().take(k);
            assert!(others().all(|other| other.name != export.name && other.ending != export.ending));
            assert!(Export::named(export.name).is_some_and(|found| found.ending == export.ending));
            let path = PathBuf::from("a").with_extension(export.ending.to_uppercase());
            assert!(Export::of_ending(&path).is_some_and(|found| found.name == export.name));
        }
        assert!(Export::of_ending(Path::new("a.b")).is_none() && Export::named("xls").is_none());
    }
}
