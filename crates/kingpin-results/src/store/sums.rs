//! Checksums of the files of a folder, chunk by chunk: what the disk changed is found and named.
//!
//! A line of `sums` says a file, the first byte of a chunk, the first byte after it, and the sum of what is between.
//! Lines of one file follow each other without gaps; a later line that begins at 0 replaces those before.

use super::{Header, ROWS, STEP_COLUMNS, STEPS};
use crate::error::{Error, ErrorKind};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// FNV-1a, as it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sum(u64);

impl Sum {
    pub const EMPTY: Sum = Sum(0xcbf2_9ce4_8422_2325);

    pub fn of(bytes: &[u8]) -> Sum {
        Sum::EMPTY.with(bytes)
    }

    pub fn with(self, bytes: &[u8]) -> Sum {
        Sum(bytes.iter().fold(self.0, |sum, &b| (sum ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)))
    }

    pub fn number(self) -> u64 {
        self.0
    }
}

/// A line of the file.
pub(super) fn line(name: &str, from: u64, to: u64, sum: Sum) -> String {
    format!("{name} {from} {to} {:016x}", sum.number())
}

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
    /// What is wrong, in one sentence without a full stop.
    pub fn describe(&self, dir: &Path, header: &Header) -> String {
        let row = 8 * match self.name.as_str() {
            ROWS => header.width() as u64,
            STEPS => STEP_COLUMNS.len() as u64,
            _ => 0,
        };
        let (from, to) = (self.from, self.to);
        let place = match self.name.as_str() {
            ROWS => format!("frames {} to {}", from / row + 1, to / row),
            STEPS => format!("steps {} to {}", from / row + 1, to / row),
            _ if from == 0 => "it".into(),
            _ => format!("bytes {from} to {to}"),
        };
        let path = dir.join(&self.name);
        let is = if place == "it" { "is" } else { "are" };
        match self.short {
            Some(length) => {
                format!(
                    "`{}` is damaged: it ends after {length} bytes, {place} {is} missing or torn",
                    path.display()
                )
            }
            None => format!("`{}` is damaged: {place} {is} not what was written", path.display()),
        }
    }

    /// The error of those who only read.
    pub(super) fn error(&self, dir: &Path, header: &Header) -> Error {
        let advice = "`kingpin run` with the same model and options and `--resume` computes it anew";
        Error::new(ErrorKind::Damaged, &dir.join(&self.name), self.describe(dir, header), advice)
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

type Chunks = BTreeMap<String, Vec<(u64, u64, u64)>>;

/// The chunks of each file; what cannot be understood, such as a torn last line, is left out.
fn chunks(text: &str) -> Chunks {
    let mut chunks = Chunks::new();
    for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
        let parts: Vec<&str> = line.split(' ').collect();
        let [name, from, to, sum] = parts[..] else { continue };
        let (Ok(from), Ok(to), Ok(sum)) = (from.parse(), to.parse(), u64::from_str_radix(sum, 16)) else {
            continue;
        };
        let list = chunks.entry(name.into()).or_default();
        if from == 0 {
            list.clear();
        }
        // a line that was lost leaves a gap: what lies behind it is not known to be good
        if list.last().map_or(0, |last: &(u64, u64, u64)| last.1) == from && to >= from {
            list.push((from, to, sum));
        }
    }
    chunks
}

/// Compares the files of a folder with its checksums. O(bytes)
pub(super) fn verify(dir: &Path, text: &str) -> Result<Verdict, Error> {
    let mut verdict = Verdict::default();
    for (name, list) in chunks(text) {
        let path = dir.join(&name);
        let (good, damage) = match File::open(&path) {
            Ok(file) => compare(BufReader::with_capacity(1 << 18, file), &list)
                .map_err(|error| Error::io("read", &path, &error))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                (0, list.first().map(|c| (c.0, c.1, Some(0))))
            }
            Err(error) => return Err(Error::io("read", &path, &error)),
        };
        verdict.good.insert(name.clone(), good);
        verdict.damages.extend(damage.map(|(from, to, short)| Damage { name, from, to, short }));
    }
    Ok(verdict)
}

/// A chunk that is not what it was, and the length of the file if it is too short for it.
type Bad = (u64, u64, Option<u64>);

fn compare(mut file: impl Read, list: &[(u64, u64, u64)]) -> io::Result<(u64, Option<Bad>)> {
    let (mut good, mut buffer) = (0, vec![0; 1 << 16]);
    for &(from, to, expected) in list {
        let (mut sum, mut left) = (Sum::EMPTY, to - from);
        while left > 0 {
            let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let count = file.read(&mut buffer[..most])?;
            if count == 0 {
                return Ok((good, Some((from, to, Some(to - left)))));
            }
            sum = sum.with(&buffer[..count]);
            left -= count as u64;
        }
        if sum.number() != expected {
            return Ok((good, Some((from, to, None))));
        }
        good = to;
    }
    Ok((good, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_bit_and_every_missing_byte_is_found() {
        let bytes: Vec<u8> = (0..90u8).map(|k| k.wrapping_mul(37)).collect();
        let text: String = [(0, 40), (40, 41), (41, 90)]
            .map(|(a, b)| line("f", a, b, Sum::of(&bytes[a as usize..b as usize])) + "\n")
            .concat();
        let list = &chunks(&text)["f"];
        assert_eq!(compare(&bytes[..], list).unwrap(), (90, None));
        for k in 0..bytes.len() {
            let chunk = if k < 40 {
                (0, 40)
            } else if k < 41 {
                (40, 41)
            } else {
                (41, 90)
            };
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[k] ^= 1 << bit;
                let bad = (chunk.0, chunk.1, None);
                assert_eq!(compare(&changed[..], list).unwrap(), (chunk.0, Some(bad)), "{k}");
            }
            let bad = (chunk.0, chunk.1, Some(k as u64));
            assert_eq!(compare(&bytes[..k], list).unwrap(), (chunk.0, Some(bad)), "{k}");
        }
        // torn and lost lines end what is known
        assert_eq!(chunks(&text[..text.len() - 1])["f"].len(), 2);
        let lost: String =
            text.lines().enumerate().filter(|l| l.0 != 1).map(|l| l.1.to_string() + "\n").collect();
        assert_eq!(chunks(&lost)["f"].len(), 1);
    }
}
