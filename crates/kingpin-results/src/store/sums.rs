//! The manifest of a folder of results, `sums`: which files are ours, and what is in them.

use super::{CHECKPOINT, EVENTS, HEADER, Header, MODEL, ROWS, STEP_COLUMNS, STEPS, SUMMARY, SUMS};
use crate::error::{Error, ErrorKind};
use kingpin_files::{Chunk, Found, Manifest};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;

/// The first line.
pub(super) const HEAD: &str = "kingpin-sums 2";
/// The name of the manifest in messages about lines of it.
const STREAMS: [&str; 3] = [ROWS, STEPS, EVENTS];

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub name: String,
    /// The chunk: its first byte, and the first after it.
    pub from: u64,
    /// The first byte after the chunk.
    pub to: u64,
    /// Bytes that the file has, if they are too few.
    pub short: Option<u64>,
}

impl Damage {
    /// A file of which nothing is known but that it is not what was written.
    fn whole(name: &str) -> Damage {
        Damage { name: name.into(), from: 0, to: 0, short: None }
    }

    /// What is wrong, in one sentence without a full stop.
    pub fn describe(&self, dir: &Path, header: &Header) -> String {
        let row = 8 * match self.name.as_str() {
            ROWS => header.width() as u64,
            STEPS => STEP_COLUMNS.len() as u64,
            _ => 0,
        };
        let (from, to) = (self.from, self.to);
        let place = match self.name.as_str() {
            _ if from >= to => "it".into(),
            ROWS => format!("frames {} to {}", from / row + 1, to / row),
            STEPS => format!("steps {} to {}", from / row + 1, to / row),
            _ if from == 0 => "it".into(),
            _ => format!("bytes {from} to {to}"),
        };
        let path = dir.join(&self.name);
        let is = if place == "it" { "is" } else { "are" };
        match self.short {
            Some(0) if from >= to => format!("`{}` is missing", path.display()),
            Some(length) => {
                format!(
                    "`{}` is damaged: it ends after {length} bytes, and {place} {is} missing or incomplete",
                    path.display()
                )
            }
            None => format!("`{}` is damaged: the checksum of {place} is wrong", path.display()),
        }
    }

    /// The error of those who only read.
    pub(super) fn error(&self, dir: &Path, header: &Header) -> Error {
        Error::new(ErrorKind::Damaged, &dir.join(&self.name), self.describe(dir, header), header.remedy())
    }
}

/// The manifest of a folder, as it is there.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    pub state: State,
    pub manifest: Manifest,
}

/// What is known of a manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    #[default]
    Missing,
    /// Something else has its name, or its first line is damaged.
    Unreadable,
    /// One of the first version, which had no first line, and lines without sums of their own.
    Old,
    Good,
}

impl Sums {
    pub fn read(dir: &Path) -> Result<Sums, Error> {
        let path = dir.join(SUMS);
        let fail = |error: io::Error| Error::io("read", &path, &error);
        match Found::at(&path).map_err(fail)? {
            Found::Nothing => return Ok(Sums::default()),
            Found::File(_) => {}
            _ => return Ok(Sums { state: State::Unreadable, ..Sums::default() }),
        }
        let bytes = fs::read(&path).map_err(fail)?;
        if let Some(manifest) = Manifest::parse(&bytes, HEAD) {
            return Ok(Sums { state: State::Good, manifest });
        }
        Ok(match old(&bytes) {
            Some(manifest) => Sums { state: State::Old, manifest },
            None => Sums { state: State::Unreadable, ..Sums::default() },
        })
    }

    /// Compares the files of a folder with their chunks. O(bytes)
    pub fn verify(&self, dir: &Path) -> Result<Verdict, Error> {
        let mut verdict = Verdict::default();
        let ended = dir.join(SUMMARY).exists();
        if matches!(self.state, State::Missing | State::Unreadable) || self.manifest.is_damaged {
            verdict.damages.push(Damage::whole(SUMS));
        } else if self.state == State::Good {
            // what is written first and last must be known
            let last = [SUMMARY].into_iter().filter(|_| ended);
            let missing = [HEADER, MODEL].into_iter().chain(last).find(|name| !self.manifest.knows(name));
            verdict.damages.extend(missing.map(|_| Damage::whole(SUMS)));
        }
        for (name, list) in self.manifest.files() {
            // without a summary a run goes on or was interrupted, whatever was to be written of the last one
            if name == SUMMARY && !ended || name == CHECKPOINT {
                continue;
            }
            let path = dir.join(name);
            let fail = |error: io::Error| Error::io("read", &path, &error);
            let (good, bad) = match Found::at(&path).map_err(fail)? {
                Found::File(data) => {
                    let file = BufReader::with_capacity(1 << 18, File::open(&path).map_err(fail)?);
                    let (good, bad) = Manifest::compare(file, list).map_err(fail)?;
                    // one that an earlier line told of was to be replaced
                    if !STREAMS.contains(&name) && self.manifest.is_whole(name, &path).map_err(fail)? {
                        (good, None)
                    } else if bad.is_none() && data.len() > good && (ended || !STREAMS.contains(&name)) {
                        (good, Some((Chunk { from: good, to: data.len(), sum: 0 }, None)))
                    } else {
                        (good, bad)
                    }
                }
                _ => (0, list.first().map(|first| (*first, Some(0)))),
            };
            verdict.good.insert(name.into(), good);
            verdict.damages.extend(bad.map(|(Chunk { from, to, .. }, short)| Damage {
                name: name.into(),
                from,
                to,
                short,
            }));
        }
        Ok(verdict)
    }
}

/// What the checksums say of a folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Verdict {
    /// Bytes from the beginning of each file that are what was written.
    pub good: BTreeMap<String, u64>,
    /// The first damage of each file.
    pub damages: Vec<Damage>,
}

/// A manifest of the first version: lines of a name, two places and a sum; what cannot be understood is left out.
fn old(bytes: &[u8]) -> Option<Manifest> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut manifest = Manifest::default();
    manifest.good = bytes.len() as u64;
    let mut any = false;
    for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
        let parts: Vec<&str> = line.split(' ').collect();
        let [name, from, to, sum] = parts[..] else { continue };
        let (Ok(from), Ok(to), Ok(sum)) = (from.parse(), to.parse(), u64::from_str_radix(sum, 16)) else {
            continue;
        };
        manifest.add(name.into(), Chunk { from, to, sum });
        any = true;
    }
    any.then_some(manifest)
}
