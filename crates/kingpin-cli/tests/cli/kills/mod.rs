//! Runs that are killed, out of disk or met by others, anywhere: what `--resume` leaves is what an undisturbed run
//! leaves, byte by byte, or there is a clear message.
//!
//! A hundred kills are part of the tests; `KINGPIN_KILLS=1000` asks for more. Where and when they strike in the tests
//! does not depend on the clock: checkpoints come after so many steps there.

mod anywhere;
pub mod operations;
mod signals;
mod threads;

use crate::run::root;
use kingpin_results::Reader;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A run that is disturbed: a model, and options.
pub struct Case<'a> {
    pub model: &'a str,
    pub options: &'a [&'a str],
}

/// Files that hold no times of day and no durations, nor depend on when checkpoints were made.
const SAME: [&str; 8] = [
    "rows.f64",
    "steps.f64",
    "events.jsonl",
    "model.toml",
    "channels.json",
    "results.csv",
    "results.npy",
    "results.npy.json",
];

/// Numbers that are the same every time.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n.max(1)
    }

    /// Small ones more often: the page, which is written last, is longer than all the rest.
    fn place(&mut self, total: u64) -> u64 {
        let x = self.below(1 << 20) as f64 / (1 << 20) as f64;
        (total as f64 * x * x * x) as u64
    }
}

/// Starts a run with a checkpoint after every seventh step, for a clock would make none in so short a run.
pub fn start(case: &Case, dir: &Path, more: &[&str], disk: Option<String>) -> Child {
    let disk = disk.map(|disk| ("KINGPIN_TEST_DISK", disk));
    start_with(case, dir, more, &[Some(("KINGPIN_TEST_CHECKPOINT", "7".into())), disk])
}

fn start_with(case: &Case, dir: &Path, more: &[&str], variables: &[Option<(&str, String)>]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kingpin"));
    command
        .arg("run")
        .arg(root().join(case.model))
        .args(case.options)
        .args(["--quiet", "-o"])
        .arg(dir)
        .args(more);
    command
        .envs(variables.iter().flatten().cloned())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

/// Exit code, if it was not killed, and messages.
pub fn end(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().expect("the command ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A text without durations: facts that are times, and how long each part of the cost took.
fn timeless(mut value: Value) -> Value {
    let is_time = |fact: &Value| {
        fact["name"].as_str().is_some_and(|name| name == "wall time") || fact["kind"] == "cost"
    };
    match &mut value {
        Value::Array(list) => {
            list.retain(|fact| !is_time(fact));
            list.iter_mut().for_each(|item| *item = timeless(item.take()));
        }
        Value::Object(map) => {
            for part in map.get_mut("cost").and_then(Value::as_array_mut).into_iter().flatten() {
                part.as_object_mut().and_then(|part| part.remove("seconds"));
            }
            map.values_mut().for_each(|item| *item = timeless(item.take()));
        }
        _ => {}
    }
    value
}

/// The page without its data, and the data without durations.
fn page(text: &str) -> (String, Value) {
    const OPEN: &str = "id=\"kingpin-data\">";
    let at = text.find(OPEN).expect("data") + OPEN.len();
    let end = at + text[at..].find("</script>").expect("an end");
    let data = serde_json::from_str(&text[at..end]).expect("JSON");
    (text[..at].to_string() + &text[end..], timeless(data))
}

/// Everything in a folder that must be the same.
pub fn content(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut content = BTreeMap::new();
    for file in fs::read_dir(dir).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        // how many earlier checkpoints there are tells how often a run was disturbed
        if name == "checkpoints" {
            continue;
        }
        let bytes = fs::read(dir.join(&name)).unwrap();
        let kept = match name.as_str() {
            name if SAME.contains(&name) => bytes,
            "summary.json" => timeless(serde_json::from_slice(&bytes).unwrap()).to_string().into_bytes(),
            "report.html" => {
                let (frame, data) = page(&String::from_utf8(bytes).unwrap());
                (frame + &data.to_string()).into_bytes()
            }
            // that they are there is enough
            _ => Vec::new(),
        };
        content.insert(name, kept);
    }
    content
}

pub fn same(dir: &Path, whole: &BTreeMap<String, Vec<u8>>, story: &str) {
    let found = content(dir);
    let names = |content: &BTreeMap<String, Vec<u8>>| content.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(whole), "{story}");
    for (name, bytes) in whole {
        assert!(found[name] == *bytes, "{name} differs: {story}");
    }
    Reader::open(dir).unwrap().verify().unwrap_or_else(|error| panic!("{error}: {story}"));
}

/// How many kills are wanted.
pub fn wanted() -> usize {
    std::env::var("KINGPIN_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(100)
}

/// What a run leaves, and its exit code.
fn left_alone(case: &Case, place: &Path) -> (BTreeMap<String, Vec<u8>>, Option<i32>) {
    let (code, err) = end(start(case, place, &[], None));
    assert!(code == Some(0) || code == Some(1), "{err}");
    (content(place), code)
}
