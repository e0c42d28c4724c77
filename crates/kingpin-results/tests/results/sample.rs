//! Folders and runs to test with.

use kingpin::analysis::assemble;
use kingpin::dynamics::{Checkpoint, Method, Run, Settings, simulate};
use kingpin::model::Model;
use kingpin::results::Channels;
use kingpin::system::{State, System};
use kingpin_results::store::{Fact, Header, Outcome, Summary};
use kingpin_results::{Reader, Recorder, Writer};
use std::path::{Path, PathBuf};

/// An empty place for one test.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if path.is_dir() {
        std::fs::remove_dir_all(&path).unwrap();
    } else if path.exists() {
        std::fs::remove_file(&path).unwrap();
    }
    path
}

/// The text of a model; nobody reads it but a person.
pub const MODEL: &str = "name = \"m\"\n";

/// A header of two channels.
pub fn header() -> Header {
    let text = r#"{"format": "kingpin-results", "version": 1, "generator": "test", "model": "m", "hash": "h",
        "settings": {"tol": 1e-6}, "steps": [], "channels": [
        {"name": "a.x", "unit": "m", "group": "Positions", "about": "", "of": {"body": 0}},
        {"name": "odd, \"name\"", "unit": "", "group": "Forces", "about": ""}]}"#;
    let header: Header = serde_json::from_str(text).unwrap();
    Header { hash: kingpin_results::store::fingerprint(MODEL.as_bytes()), ..header }
}

pub fn summary() -> Summary {
    let facts =
        vec![Fact::new("steps", 12, ""), Fact::new("time", 0.5, "s"), Fact::new("method", "adams", "")];
    Summary::new(&header(), Outcome::Done, "t = 1 s reached".into(), facts)
}

/// A checkpoint at a state.
pub fn checkpoint(state: &State) -> Checkpoint {
    let settings = Settings { h: Some(0.01), method: Method::Dop853, ..Settings::new(1e-6, 1.0) };
    Checkpoint::at_start(state, &settings)
}

/// A model that was run into a folder.
pub struct Sample {
    pub model: Model,
    pub system: System,
    pub redundant: Vec<bool>,
    pub run: Run,
    pub reader: Reader,
}

impl Sample {
    /// Its acceleration problem.
    pub fn problem(&self) -> kingpin::accel::Problem {
        kingpin::accel::Problem::new(&self.system, &self.redundant)
    }
}

/// Runs a model of `models/`.
pub fn run(model: &str, dir: &str, t_end: f64, frame: f64) -> Sample {
    let path = format!("{}/../../models/{model}.toml", env!("CARGO_MANIFEST_DIR"));
    let loaded = kingpin_io::read_path(&path, &kingpin_io::Overrides::none());
    let model = loaded.model.unwrap();
    run_model(model, dir, t_end, frame)
}

pub fn run_model(model: Model, dir: &str, t_end: f64, frame: f64) -> Sample {
    let (system, _) = System::compile(&model).unwrap();
    let assembly = assemble(&system).unwrap();
    let redundant = assembly.diagnosis.redundant_rows.clone();
    let channels = Channels::new(&system);
    let dir = folder(dir);
    let text = kingpin_io::to_toml(&model);
    let writer = Writer::create(&dir, &Header::new(&model.name, &channels), &text, false).unwrap();
    let mut recorder = Recorder::new(&channels, writer);
    let settings = Settings { frame: Some(frame), ..Settings::new(1e-6, t_end) };
    let run = simulate(&system, &assembly.state, &redundant, &settings, &mut recorder);
    recorder.finish().unwrap().finish(&summary()).unwrap();
    let reader = Reader::open(&dir).unwrap();
    Sample { model, system, redundant, run, reader }
}

/// Letters of base64 back to bytes.
pub fn decode(text: &str) -> Vec<u8> {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut held, mut out) = (0_u32, 0, Vec::new());
    for letter in text.bytes().filter(|&b| b != b'=') {
        bits = bits << 6 | letters.iter().position(|&l| l == letter).unwrap() as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    out
}
