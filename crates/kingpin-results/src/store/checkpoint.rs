//! The state to resume from.

use crate::error::Error;
use kingpin::dynamics::{self, Account, End, Four, Method, Path as Way, Run, Scale, Scales};
use kingpin::integrate::Statistics;
use kingpin::system::State;
use std::path::Path;

const MAGIC: &[u8; 8] = b"KPCHECK3";

/// Where a run stood, to the bit, and how much of the files belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// What the run needs to go on. Its events are left out: they are in `events.jsonl`.
    pub at: dynamics::Checkpoint,
    /// Frames written before it.
    pub frames: u64,
    /// Steps written before it.
    pub steps: u64,
    /// Bytes of `events.jsonl` before it.
    pub event_bytes: u64,
    /// Numbers of those who watch the run, to go on with.
    pub carried: Vec<f64>,
}

impl Checkpoint {
    /// Magic, counts, numbers, then lists with their lengths, then a checksum.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let dynamics::Checkpoint { run, h, frames, steps } = &self.at;
        let State { t, q, v, turns, pieces } = &run.state;
        let Statistics { jacobians, factorisations, newton_iterations, .. } = run.statistics;
        for count in [self.frames, self.steps, self.event_bytes] {
            out.extend(count.to_le_bytes());
        }
        let Statistics { steps: accepted, rejected, evaluations, .. } = run.statistics;
        let counts = [accepted, rejected, evaluations, jacobians, factorisations, newton_iterations];
        for count in [*frames, *steps, run.accelerations, run.repartitions].iter().chain(&counts) {
            out.extend((*count as u64).to_le_bytes());
        }
        // no step has the size 0
        for number in [*t, h.unwrap_or(0.0), run.position_residual, run.velocity_residual] {
            out.extend(number.to_le_bytes());
        }
        out.extend(run.energy.numbers().iter().chain(&run.path.numbers()).flat_map(|x| x.to_le_bytes()));
        let numbers = scale_numbers(&run.scales);
        for list in [q, v, turns, &self.carried, &run.scales.start, &numbers] {
            out.extend((list.len() as u64).to_le_bytes());
            out.extend(list.iter().flat_map(|x| x.to_le_bytes()));
        }
        out.extend((pieces.len() as u64).to_le_bytes());
        out.extend(pieces);
        out.extend((run.methods.len() as u64).to_le_bytes());
        for (t, method) in &run.methods {
            out.extend(t.to_le_bytes());
            out.extend((method.name().len() as u64).to_le_bytes());
            out.extend(method.name().as_bytes());
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
    let [given, taken] = [input.size()?, input.size()?];
    let [accelerations, repartitions] = [input.size()?, input.size()?];
    let statistics = Statistics {
        steps: input.size()?,
        rejected: input.size()?,
        evaluations: input.size()?,
        jacobians: input.size()?,
        factorisations: input.size()?,
        newton_iterations: input.size()?,
    };
    let [t, h] = [input.number()?, input.number()?];
    let [position_residual, velocity_residual] = [input.number()?, input.number()?];
    let (mut energy, mut path) = ([0.0; Account::NUMBERS], [0.0; Way::NUMBERS]);
    for number in energy.iter_mut().chain(&mut path) {
        *number = input.number()?;
    }
    let (q, v, turns) = (input.numbers()?, input.numbers()?, input.numbers()?);
    let carried = input.numbers()?;
    let (start, numbers) = (input.numbers()?, input.numbers()?);
    let scales = scales(start, &numbers)?;
    let pieces = input.bytes()?;
    let mut methods = Vec::new();
    for _ in 0..input.count()? {
        let t = input.number()?;
        methods.push((t, Method::named(&String::from_utf8(input.bytes()?).ok()?)?));
    }
    let run = Run {
        state: State { t, q, v, turns, pieces },
        statistics,
        accelerations,
        repartitions,
        position_residual,
        velocity_residual,
        methods,
        energy: Account::from_numbers(energy),
        path: Way::from_numbers(path),
        events: Vec::new(),
        scales,
        end: End::Stopped,
    };
    let at = dynamics::Checkpoint { run, h: (h != 0.0).then_some(h), frames: given, steps: taken };
    input.0.is_empty().then_some(Checkpoint { at, frames, steps, event_bytes, carried })
}

/// The time and the parts of scales, number after number.
fn scale_numbers(scales: &Scales) -> Vec<f64> {
    let parts = scales.parts.iter().flat_map(|&Scale { body, bodies, size, reach }| {
        let Four { position, angle, velocity, angular_velocity } = reach;
        [body as f64, bodies as f64, size, position, angle, velocity, angular_velocity]
    });
    [scales.t].into_iter().chain(parts).collect()
}

fn scales(start: Vec<f64>, numbers: &[f64]) -> Option<Scales> {
    let (&t, rest) = numbers.split_first()?;
    let part = |part: &[f64]| {
        let &[body, bodies, size, position, angle, velocity, angular_velocity] = part else { return None };
        let reach = Four { position, angle, velocity, angular_velocity };
        Some(Scale { body: body as usize, bodies: bodies as usize, size, reach })
    };
    Some(Scales { start, t, parts: rest.chunks(7).map(part).collect::<Option<_>>()? })
}

struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn count(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*first))
    }

    fn size(&mut self) -> Option<usize> {
        self.count().and_then(|count| usize::try_from(count).ok())
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
    use kingpin::dynamics::Settings;

    fn example() -> Checkpoint {
        let state = State {
            t: 0.1 + 0.2,
            q: vec![1.0, -0.0, f64::MIN_POSITIVE / 8.0],
            v: vec![f64::from_bits(0x7ff8_0000_0000_0001)],
            turns: vec![],
            pieces: vec![0, 3, 255],
        };
        let settings = Settings { h: Some(1e-3), ..Settings::new(1e-9, 1.0) };
        let mut at = dynamics::Checkpoint::at_start(&state, &settings);
        at.run.methods.push((0.2, Method::ForRosen));
        at.run.statistics.newton_iterations = 12;
        let reach = Four { position: 0.1, angle: 0.2, velocity: 0.3, angular_velocity: 0.4 };
        at.run.scales =
            Scales { start: vec![7.0], t: 0.3, parts: vec![Scale { body: 1, bodies: 2, size: 0.5, reach }] };
        Checkpoint { at, frames: 7, steps: 9, event_bytes: 4, carried: vec![1.5] }
    }

    #[test]
    fn every_bit_comes_back() {
        let bytes = example().to_bytes();
        let back = Checkpoint::from_bytes(Path::new("c"), &bytes).unwrap();
        assert_eq!(back.to_bytes(), bytes);
        assert_eq!(back.at.run.state.v[0].to_bits(), 0x7ff8_0000_0000_0001);
        assert_eq!(back.at.run.scales, example().at.run.scales);
        assert_eq!((back.frames, back.steps, back.event_bytes), (7, 9, 4));
        assert_eq!(back.at.run.methods, [(0.1 + 0.2, Method::Dop853), (0.2, Method::ForRosen)]);
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
