//! What a folder holds before anything is written into it, and which of that is ours.
//!
//! A folder is ours if its manifest or its header says so. In a folder that is not, nothing may stand under the names
//! that results have. In one that is, a file that is what the manifest says is replaced or removed; any other file
//! under such a name is put aside: a disk may have changed it, or the user.

use super::events::EventLine;
use super::sums::{State, Sums};
use super::{
    ALL, CHECKPOINT, CHECKPOINTS, EVENTS, HEADER, Header, MADE, MODEL, ROWS, STEPS, SUMMARY, SUMS, TABLES,
    made, slots,
};
use crate::error::{Error, ErrorKind};
use kingpin_files::{Chunk, Found, Manifest, disk, put_aside};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What a folder holds.
#[derive(Debug)]
pub(super) struct Survey {
    dir: PathBuf,
    pub sums: Sums,
    made: Manifest,
    /// The header, if it can be read.
    pub header: Option<Header>,
    /// Whether a run of ours has begun to write here.
    pub ours: bool,
}

impl Survey {
    /// Looks. That something of somebody else stands in the way is an error.
    pub fn of(dir: &Path) -> Result<Survey, Error> {
        let (sums, made) = (Sums::read(dir)?, made::read(dir)?);
        let path = dir.join(HEADER);
        let header = match look(&path)? {
            Found::File(_) => {
                fs::read_to_string(&path).ok().and_then(|text| Header::parse(&path, &text).ok())
            }
            _ => None,
        };
        let ours = sums.state == State::Good || header.is_some();
        let survey = Survey { dir: dir.into(), sums, made, header, ours };
        if !ours {
            let names = ALL.iter().chain(&TABLES).chain(&[MADE, CHECKPOINTS]);
            for name in names {
                if !look(&dir.join(name))?.is_nothing() {
                    return Err(survey.foreign(name));
                }
            }
        }
        Ok(survey)
    }

    fn foreign(&self, name: &str) -> Error {
        let (path, dir) = (self.dir.join(name), &self.dir);
        let (message, advice) = if name == MODEL {
            (
                format!("`{}` is a model that was not written by a run", path.display()),
                "models are never overwritten; choose another folder for the results",
            )
        } else {
            (
                format!("`{}` exists already and was not written by a run", path.display()),
                "such files are never overwritten: choose another folder for the results, or move the file",
            )
        };
        Error::new(ErrorKind::Kept, dir, message, advice)
    }

    /// Whether a run got so far that something would be lost.
    pub fn is_useful(&self) -> Result<bool, Error> {
        let there = |name: &str| Ok::<bool, Error>(!look(&self.dir.join(name))?.is_nothing());
        let frames = match look(&self.dir.join(ROWS))? {
            Found::File(data) => {
                data.len() > self.header.as_ref().map_or(0, |header| 8 * header.width() as u64)
            }
            _ => false,
        };
        Ok(self.ours && (frames || there(SUMMARY)? || there(CHECKPOINT)? || there(CHECKPOINTS)?))
    }

    /// Whether a run has begun, so that it could go on.
    pub fn has_begun(&self) -> Result<bool, Error> {
        Ok(self.is_useful()? || (self.ours && !look(&self.dir.join(HEADER))?.is_nothing()))
    }

    /// Whether a file is what we have written.
    fn is_known(&self, name: &str, path: &Path) -> Result<bool, Error> {
        let fail = |error: io::Error| Error::io("read", path, &error);
        let Found::File(data) = look(path)? else { return Ok(false) };
        let known = match name {
            SUMS => Ok(matches!(self.sums.state, State::Good | State::Old)),
            MADE => return made::is_ours(&self.dir),
            CHECKPOINT => return slots::is_checkpoint(path).map_err(fail),
            ROWS | STEPS | EVENTS => match self.sums.manifest.chunks(name) {
                None => Ok(data.len() == 0 && self.sums.state == State::Old),
                // nothing is sealed yet: a run that was killed may have written, or somebody else
                Some([Chunk::CLAIM]) => fs::read(path).map(|bytes| looks_written(name, &bytes)),
                // what came after the last sealed chunk is ours, too
                Some(list) => {
                    let first = &list[..list.len().min(1)];
                    File::open(path)
                        .and_then(|file| Manifest::compare(file, first))
                        .map(|(_, bad)| bad.is_none())
                }
            },
            HEADER | MODEL | SUMMARY => self.sums.manifest.is_whole(name, path),
            // the first version did not note tables
            _ if self.sums.state == State::Old => Ok(true),
            _ => self.made.is_whole(name, path),
        };
        known.map_err(fail)
    }

    /// Removes a file that is what we have written; any other is put aside, and where it is then comes back.
    pub fn retire(&self, name: &str) -> Result<Option<PathBuf>, Error> {
        let path = self.dir.join(name);
        let fail = |error: io::Error| Error::io("replace", &path, &error);
        if look(&path)?.is_nothing() {
            return Ok(None);
        }
        if self.is_known(name, &path)? {
            return disk::remove(&path).map(|()| None).map_err(fail);
        }
        put_aside(&path).map(Some).map_err(fail)
    }

    /// Makes room for a file that is to have these bytes: it is there already, or nothing is.
    pub fn make_room(&self, name: &str, bytes: &[u8], aside: &mut Vec<PathBuf>) -> Result<(), Error> {
        let path = self.dir.join(name);
        let same = look(&path)?.is_file() && fs::read(&path).is_ok_and(|own| own == bytes);
        if !same && !self.is_known(name, &path)? {
            aside.extend(self.retire(name)?);
        }
        Ok(())
    }

    /// Removes tables and pages made of the results.
    pub fn retire_tables(&self, aside: &mut Vec<PathBuf>) -> Result<(), Error> {
        for name in TABLES.iter().chain(&[MADE]) {
            aside.extend(self.retire(name)?);
        }
        Ok(())
    }

    /// Removes everything but the manifest. The header goes first, so that no reader takes halves for the whole.
    pub fn retire_all(&self, aside: &mut Vec<PathBuf>) -> Result<(), Error> {
        for name in ALL.into_iter().filter(|name| *name != SUMS) {
            aside.extend(self.retire(name)?);
        }
        slots::clear(&self.dir, aside)?;
        self.retire_tables(aside)
    }
}

/// Whether the beginning of a file can be what a run has written before it was killed.
fn looks_written(name: &str, bytes: &[u8]) -> bool {
    if bytes.is_empty() {
        return true;
    }
    if name == EVENTS {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        return lines.enumerate().all(|(k, line)| match line.strip_suffix(b"\n") {
            Some(line) => serde_json::from_slice::<EventLine>(line).is_ok(),
            // the last may be torn
            None => k > 0 || line.starts_with(b"{\"t\":"),
        });
    }
    // rows begin with a time; letters in its place would be a number out of all proportion
    let time = bytes.first_chunk().map(|bytes| f64::from_le_bytes(*bytes));
    time.is_some_and(|t| t == 0.0 || (1e-12..1e12).contains(&t.abs()))
}

/// What stands at a path.
pub(super) fn look(path: &Path) -> Result<Found, Error> {
    Found::at(path).map_err(|error| Error::io("read", path, &error))
}
