//! Manifests: which files of a folder are ours, and the checksums of what is in them.
//!
//! A manifest is text. Its first line says what it is. Every further line has a file, the first byte of a chunk, the
//! first byte after it, the sum of what is between, and the sum of the whole manifest up to there: a line that is
//! changed, lost or out of order is noticed. Lines are only added. Chunks of one file follow each other without gaps;
//! a later chunk that begins at 0 replaces those before. A line is written before its file is, so that a file under a
//! name of ours which the manifest does not know is not ours; an empty chunk claims a name before anything is written.

use crate::sum::Sum;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// The sum of all lines so far.
#[derive(Clone, Copy, Debug)]
pub struct Chain(Sum);

impl Chain {
    /// The first line of a manifest, and its chain.
    pub fn begin(head: &str) -> (String, Chain) {
        let line = format!("{head}\n");
        let chain = Chain(Sum::of(line.as_bytes()));
        (line, chain)
    }

    /// That of the beginning of a manifest.
    pub fn of(bytes: &[u8]) -> Chain {
        Chain(Sum::of(bytes))
    }

    /// The next line, with its end.
    pub fn line(&mut self, name: &str, chunk: Chunk) -> String {
        let body = format!("{name} {} {} {:016x} ", chunk.from, chunk.to, chunk.sum);
        let line = format!("{body}{:016x}\n", self.0.with(body.as_bytes()).number());
        self.0 = self.0.with(line.as_bytes());
        line
    }
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its first byte.
    pub from: u64,
    /// The first byte after it.
    pub to: u64,
    /// Its checksum.
    pub sum: u64,
}

impl Chunk {
    /// A whole file.
    pub fn whole(length: u64, sum: Sum) -> Chunk {
        Chunk { from: 0, to: length, sum: sum.number() }
    }

    /// What claims a name before anything is written.
    pub const CLAIM: Chunk = Chunk { from: 0, to: 0, sum: Sum::EMPTY.number() };
}

/// What a manifest says.
#[derive(Clone, Debug, Default)]
pub struct Manifest {
    files: BTreeMap<String, Vec<Chunk>>,
    /// All whole contents that a file was ever to have.
    wholes: BTreeMap<String, Vec<Chunk>>,
    /// Bytes of the manifest that are as they were written.
    pub good: u64,
    /// Whether a line is not what was written. A torn last line is none: its writer was killed.
    pub is_damaged: bool,
}

impl Manifest {
    /// Reads one; nothing if its first line says that it is something else.
    pub fn parse(bytes: &[u8], head: &str) -> Option<Manifest> {
        let rest = bytes.strip_prefix(head.as_bytes())?.strip_prefix(b"\n")?;
        let start = bytes.len() - rest.len();
        let mut manifest = Manifest { good: start as u64, ..Manifest::default() };
        let mut sum = Sum::of(&bytes[..start]);
        for line in rest.split_inclusive(|byte| *byte == b'\n') {
            let Some(text) = line.strip_suffix(b"\n") else { break };
            let Some((name, chunk)) = parsed(text, sum) else {
                manifest.is_damaged = true;
                break;
            };
            manifest.add(name, chunk);
            sum = sum.with(line);
            manifest.good += line.len() as u64;
        }
        Some(manifest)
    }

    /// Adds a line.
    pub fn add(&mut self, name: String, chunk: Chunk) {
        if chunk.from == 0 {
            self.wholes.entry(name.clone()).or_default().push(chunk);
        }
        let list = self.files.entry(name).or_default();
        if chunk.from == 0 {
            list.clear();
        }
        if list.last().map_or(0, |last| last.to) == chunk.from && chunk.to >= chunk.from {
            list.push(chunk);
        }
    }

    /// The files that it knows, with their chunks.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[Chunk])> {
        self.files.iter().map(|(name, list)| (name.as_str(), list.as_slice()))
    }

    /// The chunks of a file; none if it is not ours.
    pub fn chunks(&self, name: &str) -> Option<&[Chunk]> {
        self.files.get(name).map(Vec::as_slice)
    }

    /// Whether it knows a file.
    pub fn knows(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Whether these bytes are what a file was once to have, as a whole.
    pub fn wrote(&self, name: &str, content: Chunk) -> bool {
        self.wholes.get(name).is_some_and(|list| list.contains(&content))
    }

    /// Whether a file is what it was once to be, as a whole.
    pub fn is_whole(&self, name: &str, path: &Path) -> io::Result<bool> {
        let (sum, length) = Sum::of_stream(BufReader::with_capacity(1 << 18, File::open(path)?))?;
        Ok(self.wrote(name, Chunk::whole(length, sum)))
    }
}

/// The file and the chunk of a line, if the line is what was written after lines of this sum.
fn parsed(text: &[u8], sum: Sum) -> Option<(String, Chunk)> {
    let text = std::str::from_utf8(text).ok()?;
    let (body, own) = text.split_at_checked(text.rfind(' ')? + 1)?;
    if format!("{:016x}", sum.with(body.as_bytes()).number()) != own {
        return None;
    }
    let mut words = body.trim_end().rsplitn(4, ' ');
    let (found, to, from, name) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let chunk =
        Chunk { from: from.parse().ok()?, to: to.parse().ok()?, sum: u64::from_str_radix(found, 16).ok()? };
    Some((name.into(), chunk))
}

/// A chunk that is not what it was, and the length of the file if it is too short for it.
pub type Bad = (Chunk, Option<u64>);

impl Manifest {
    /// Compares a stream with chunks: bytes from the beginning that are what was written, and the first chunk that is
    /// not. O(bytes)
    pub fn compare(mut stream: impl Read, list: &[Chunk]) -> io::Result<(u64, Option<Bad>)> {
        let (mut good, mut buffer) = (0, vec![0; 1 << 16]);
        for &chunk in list {
            let (mut sum, mut left) = (Sum::EMPTY, chunk.to - chunk.from);
            while left > 0 {
                let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                let count = stream.read(&mut buffer[..most])?;
                if count == 0 {
                    return Ok((good, Some((chunk, Some(chunk.to - left)))));
                }
                sum = sum.with(&buffer[..count]);
                left -= count as u64;
            }
            if sum.number() != chunk.sum {
                return Ok((good, Some((chunk, None))));
            }
            good = chunk.to;
        }
        Ok((good, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Vec<u8>, String, Vec<Chunk>) {
        let bytes: Vec<u8> = (0..90u8).map(|k| k.wrapping_mul(37)).collect();
        let (mut text, mut chain) = Chain::begin("head 1");
        let chunks = [(0, 40), (40, 41), (41, 90)].map(|(from, to)| Chunk {
            from,
            to,
            sum: Sum::of(&bytes[from as usize..to as usize]).number(),
        });
        chunks.iter().for_each(|chunk| text += &chain.line("a file", *chunk));
        (bytes, text, chunks.into())
    }

    #[test]
    fn every_changed_bit_and_every_missing_byte_of_a_file_is_found() {
        let (bytes, text, chunks) = example();
        let manifest = Manifest::parse(text.as_bytes(), "head 1").unwrap();
        assert_eq!(manifest.chunks("a file"), Some(&chunks[..]));
        assert_eq!(Manifest::compare(&bytes[..], &chunks).unwrap(), (90, None));
        for k in 0..bytes.len() {
            let chunk = *chunks.iter().find(|chunk| (k as u64) < chunk.to).unwrap();
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[k] ^= 1 << bit;
                let found = Manifest::compare(&changed[..], &chunks).unwrap();
                assert_eq!(found, (chunk.from, Some((chunk, None))), "{k}");
            }
            let found = Manifest::compare(&bytes[..k], &chunks).unwrap();
            assert_eq!(found, (chunk.from, Some((chunk, Some(k as u64)))), "{k}");
        }
    }

    #[test]
    fn every_changed_bit_of_a_manifest_is_found() {
        let (_, text, chunks) = example();
        for k in 0..text.len() {
            for bit in 0..8 {
                let mut changed = text.clone().into_bytes();
                changed[k] ^= 1 << bit;
                let found = Manifest::parse(&changed, "head 1");
                let last = k + 1 == text.len();
                assert!(found.is_none_or(|found| found.is_damaged || last), "{k}");
            }
        }
        // a torn line ends what is known, a lost one is damage
        let torn = Manifest::parse(&text.as_bytes()[..text.len() - 1], "head 1").unwrap();
        assert!(!torn.is_damaged && torn.chunks("a file") == Some(&chunks[..2]));
        let lost: String =
            text.lines().enumerate().filter(|l| l.0 != 2).map(|l| l.1.to_string() + "\n").collect();
        assert!(Manifest::parse(lost.as_bytes(), "head 1").unwrap().is_damaged);
    }
}
