//! The state to resume from.

use crate::error::Error;
use kingpin::system::State;
use std::path::Path;

const MAGIC: &[u8; 8] = b"KPCHECK1";

/// Where a run stood, to the bit: the state with its turns and pieces, and how much of the files belongs to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// An accepted state.
    pub state: State,
    /// Time of the first frame; frame n is at this time plus n times their distance.
    pub t_start: f64,
    /// Size of the last step, to go on with; 0 if it is not known.
    pub h: f64,
    /// Name of the method under way.
    pub method: String,
    /// Frames written before it.
    pub frames: u64,
    /// Steps written before it.
    pub steps: u64,
    /// Bytes of `events.jsonl` before it.
    pub event_bytes: u64,
}

impl Checkpoint {
    /// Magic, three counts, three numbers, then lists with their lengths, then a checksum.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let State { t, q, v, turns, pieces } = &self.state;
        for count in [self.frames, self.steps, self.event_bytes] {
            out.extend(count.to_le_bytes());
        }
        for number in [self.t_start, self.h, *t] {
            out.extend(number.to_le_bytes());
        }
        for list in [q, v, turns] {
            out.extend((list.len() as u64).to_le_bytes());
            out.extend(list.iter().flat_map(|x| x.to_le_bytes()));
        }
        for bytes in [pieces.as_slice(), self.method.as_bytes()] {
            out.extend((bytes.len() as u64).to_le_bytes());
            out.extend(bytes);
        }
        out.extend(checksum(&out).to_le_bytes());
        out
    }

    pub(super) fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Checkpoint, Error> {
        let parsed = bytes.split_last_chunk().and_then(|(body, sum)| {
            if checksum(body) != u64::from_le_bytes(*sum) { None } else { parse(body.strip_prefix(MAGIC)?) }
        });
        parsed.ok_or_else(|| Error::damaged(path, "it is not a whole checkpoint of this version"))
    }
}

fn parse(body: &[u8]) -> Option<Checkpoint> {
    let mut input = Input(body);
    let [frames, steps, event_bytes] = [input.count()?, input.count()?, input.count()?];
    let [t_start, h, t] = [input.number()?, input.number()?, input.number()?];
    let (q, v, turns) = (input.numbers()?, input.numbers()?, input.numbers()?);
    let pieces = input.bytes()?;
    let method = String::from_utf8(input.bytes()?).ok()?;
    let state = State { t, q, v, turns, pieces };
    input.0.is_empty().then_some(Checkpoint { state, t_start, h, method, frames, steps, event_bytes })
}

struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn count(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*first))
    }

    fn number(&mut self) -> Option<f64> {
        self.count().map(f64::from_bits)
    }

    fn numbers(&mut self) -> Option<Vec<f64>> {
        let count = usize::try_from(self.count()?).ok()?;
        // a wrong count must not ask for memory
        if count > self.0.len() / 8 {
            return None;
        }
        (0..count).map(|_| self.number()).collect()
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let count = usize::try_from(self.count()?).ok()?;
        let (first, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(first.to_vec())
    }
}

/// A short name for a text, such as a model: another text has another one. Nothing to keep secrets with.
pub fn fingerprint(text: &[u8]) -> String {
    format!("{:016x}", checksum(text))
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &b| (sum ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Checkpoint {
        let state = State {
            t: 0.1 + 0.2,
            q: vec![1.0, -0.0, f64::MIN_POSITIVE / 8.0],
            v: vec![f64::from_bits(0x7ff8_0000_0000_0001)],
            turns: vec![],
            pieces: vec![0, 3, 255],
        };
        Checkpoint {
            state,
            t_start: 0.0,
            h: 1e-3,
            method: "dop853".into(),
            frames: 7,
            steps: 9,
            event_bytes: 4,
        }
    }

    #[test]
    fn every_bit_comes_back() {
        let bytes = example().to_bytes();
        let back = Checkpoint::from_bytes(Path::new("c"), &bytes).unwrap();
        assert_eq!(back.to_bytes(), bytes);
        assert_eq!(back.state.v[0].to_bits(), 0x7ff8_0000_0000_0001);
        assert_eq!((back.frames, back.method.as_str(), back.state.pieces), (7, "dop853", vec![0, 3, 255]));
    }

    #[test]
    fn fingerprints_are_those_of_fnv() {
        assert_eq!([fingerprint(b""), fingerprint(b"foobar")], ["cbf29ce484222325", "85944171f73967e8"]);
    }

    #[test]
    fn a_torn_or_changed_file_is_refused() {
        let bytes = example().to_bytes();
        for length in 0..bytes.len() {
            assert!(Checkpoint::from_bytes(Path::new("c"), &bytes[..length]).is_err(), "{length}");
        }
        for k in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[k] ^= 0x10;
            assert!(Checkpoint::from_bytes(Path::new("c"), &changed).is_err(), "{k}");
        }
    }
}
