//! The state to resume from.

use crate::error::Error;
use kingpin::dynamics::{self, Account, Approach as Way, End, Four, Method, NearFold, Run, Scale, Scales};
use kingpin::integrate::{Memory, Snapshot, SnapshotReader, SnapshotWriter, Statistics};
use kingpin::system::State;
use kingpin_files::Sum;
use std::path::Path;

const MAGIC: &[u8; 8] = b"KPCHECK4";
/// Begins those of all versions.
pub(super) const ANY_MAGIC: &[u8] = b"KPCHECK";

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
    /// Bytes of the checksums before it.
    pub sum_bytes: u64,
    /// How many there were before it.
    pub number: u32,
    /// Numbers of those who watch the run, to go on with.
    pub carried: Vec<f64>,
}

impl Checkpoint {
    /// One that belongs to no files.
    #[doc(hidden)]
    pub fn of(at: dynamics::Checkpoint, carried: Vec<f64>) -> Checkpoint {
        Checkpoint { at, frames: 0, steps: 0, event_bytes: 0, sum_bytes: 0, number: 0, carried }
    }

    /// Magic, named parts, then a checksum. Parts that a later version adds are passed over by this one.
    #[doc(hidden)]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (mut memory, run) = (Memory::default(), &self.at.run);
        let State { t, q, v, turns, pieces, inputs } = &run.state;
        memory.keep("files", &self.files());
        memory.keep("number", &(self.number as usize));
        memory.keep("carried", &self.carried);
        memory.keep("counts", &[self.at.frames, self.at.steps, run.accelerations, run.repartitions]);
        memory.keep("work", &work(run.statistics));
        memory.keep("step", &self.at.h);
        memory.keep("residuals", &[run.position_residual, run.velocity_residual]);
        memory.keep("time", t);
        for (name, list) in [("q", q), ("v", v), ("turns", turns), ("inputs", inputs)] {
            memory.keep(name, list);
        }
        memory.keep("pieces", pieces);
        memory.keep("methods", &run.methods);
        memory.keep("energy", &run.energy.numbers());
        memory.keep("path", &run.path.numbers());
        memory.keep("attitudes", &run.attitudes.iter().map(|near| (near.t, near.left)).collect::<Vec<_>>());
        memory.keep("scales", &(run.scales.start.clone(), scale_numbers(&run.scales)));
        memory.keep("memory", &self.at.memory);
        let mut out = SnapshotWriter::default();
        out.raw(MAGIC);
        memory.save(&mut out);
        let mut bytes = out.into_bytes();
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// One that [`to_bytes`](Self::to_bytes) has written.
    #[doc(hidden)]
    pub fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Checkpoint, Error> {
        let parsed = bytes.split_last_chunk().and_then(|(body, sum)| {
            if checksum(body) != u64::from_le_bytes(*sum) { None } else { parse(body.strip_prefix(MAGIC)?) }
        });
        parsed.ok_or_else(|| Error::damaged(path, "it is not a complete checkpoint of this version"))
    }

    /// How much of each file belongs to it.
    fn files(&self) -> [usize; 4] {
        [self.frames, self.steps, self.event_bytes, self.sum_bytes].map(|count| count as usize)
    }
}

fn work(s: Statistics) -> [usize; 6] {
    [s.steps, s.rejected, s.evaluations, s.jacobians, s.factorisations, s.newton_iterations]
}

fn parse(body: &[u8]) -> Option<Checkpoint> {
    let (mut memory, mut from) = (Memory::default(), SnapshotReader::new("checkpoint", body));
    memory.restore(&mut from).ok().filter(|()| from.is_empty())?;
    let mut state = State::default();
    let (mut files, mut counts, mut done, mut residuals) = ([0_usize; 4], [0; 4], [0; 6], [0.0; 2]);
    let (mut carried, mut h, mut methods) = (Vec::new(), None, Vec::<(f64, Method)>::new());
    let (mut remembered, mut reach) = (Memory::default(), (Vec::new(), Vec::new()));
    let (mut energy, mut path) = ([0.0; Account::NUMBERS], [0.0; Way::NUMBERS]);
    let mut number = 0_usize;
    // earlier versions had no inputs and did not look at attitudes
    memory.recall("inputs", &mut state.inputs).ok()?;
    let mut attitudes = Vec::<(f64, f64)>::new();
    memory.recall("attitudes", &mut attitudes).ok()?;
    let parts: [(&str, &mut dyn Snapshot); 17] = [
        ("number", &mut number),
        ("files", &mut files),
        ("carried", &mut carried),
        ("counts", &mut counts),
        ("work", &mut done),
        ("step", &mut h),
        ("residuals", &mut residuals),
        ("time", &mut state.t),
        ("q", &mut state.q),
        ("v", &mut state.v),
        ("turns", &mut state.turns),
        ("pieces", &mut state.pieces),
        ("methods", &mut methods),
        ("energy", &mut energy),
        ("path", &mut path),
        ("scales", &mut reach),
        ("memory", &mut remembered),
    ];
    for (name, part) in parts {
        memory.recall(name, part).ok().filter(|found| *found)?;
    }
    let [steps, rejected, evaluations, jacobians, factorisations, newton_iterations] = done;
    let run = Run {
        state,
        statistics: Statistics { steps, rejected, evaluations, jacobians, factorisations, newton_iterations },
        accelerations: counts[2],
        // the solver remembers them
        iterations: None,
        corrections: Default::default(),
        repartitions: counts[3],
        position_residual: residuals[0],
        velocity_residual: residuals[1],
        methods,
        energy: Account::from_numbers(energy),
        path: Way::from_numbers(path),
        attitudes: attitudes.into_iter().map(|(t, left)| NearFold { t, left }).collect(),
        events: Vec::new(),
        scales: scales(reach.0, &reach.1)?,
        end: End::Stopped,
    };
    let at = dynamics::Checkpoint { run, h, frames: counts[0], steps: counts[1], memory: remembered };
    let [frames, steps, event_bytes, sum_bytes] = files.map(|count| count as u64);
    Some(Checkpoint { at, frames, steps, event_bytes, sum_bytes, number: number as u32, carried })
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

/// A short name for a text, such as a model: another text has another one. Nothing to keep secrets with.
pub fn fingerprint(text: &[u8]) -> String {
    format!("{:016x}", checksum(text))
}

fn checksum(bytes: &[u8]) -> u64 {
    Sum::of(bytes).number()
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
            inputs: vec![2.5],
        };
        let settings = Settings { h: Some(1e-3), ..Settings::new(1e-9, 1.0) };
        let mut at = dynamics::Checkpoint::at_start(&state, &settings);
        at.memory.keep("engine", &vec![0.5, -0.0]);
        at.run.methods.push((0.2, Method::ForRosen));
        at.run.statistics.newton_iterations = 12;
        Checkpoint { at, frames: 7, steps: 9, event_bytes: 4, sum_bytes: 11, number: 5, carried: vec![1.5] }
    }

    #[test]
    fn every_bit_comes_back() {
        let bytes = example().to_bytes();
        let back = Checkpoint::from_bytes(Path::new("c"), &bytes).unwrap();
        assert_eq!(back.to_bytes(), bytes);
        let mut engine = Vec::<f64>::new();
        assert_eq!(back.at.memory.recall("engine", &mut engine), Ok(true));
        assert_eq!(engine, [0.5, -0.0]);
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
