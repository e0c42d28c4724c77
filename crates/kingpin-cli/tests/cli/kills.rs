//! Runs that are killed, out of disk or met by others, anywhere: what `--resume` leaves is what an undisturbed run
//! leaves, byte by byte, or there is a clear message.
//!
//! A hundred kills are part of the tests; `KINGPIN_KILLS=1000` asks for more.

use crate::run::{folder, root};
use kingpin_results::Reader;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A run that is disturbed: a model, and options.
pub struct Case {
    pub model: &'static str,
    pub options: &'static [&'static str],
}

/// Explicit and implicit methods, one that remembers much, one that changes, events, a failure.
const CASES: [Case; 5] = [
    Case { model: "models/pendulum.toml", options: &["--t-end", "2", "--method", "adams", "--frame", "2ms"] },
    Case {
        model: "models/hmmwv14_stiff.toml",
        options: &["--t-end", "0.6", "--tol", "1e-3", "--frame", "10ms"],
    },
    Case { model: "models/slider_crank.toml", options: &["--t-end", "0.4", "--method", "infl-sdirk"] },
    Case {
        model: "models/door.toml",
        options: &["--t-end", "2", "--method", "for-sdirk", "--format", "npy"],
    },
    Case { model: "crates/kingpin-cli/tests/fixtures/failures/root.toml", options: &["--frame", "1ms"] },
];

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
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n.max(1)
    }

    /// Small ones more often: the page, which is written last, is longer than all the rest.
    fn place(&mut self, total: u64) -> u64 {
        let x = self.below(1 << 20) as f64 / (1 << 20) as f64;
        (total as f64 * x * x * x) as u64
    }
}

pub fn start(case: &Case, dir: &Path, more: &[&str], disk: Option<String>) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kingpin"));
    command
        .arg("run")
        .arg(root().join(case.model))
        .args(case.options)
        .args(["--quiet", "-o"])
        .arg(dir)
        .args(more);
    // a checkpoint after every so many steps, for a clock would make none in so short a run
    command.env("KINGPIN_TEST_CHECKPOINT", "7");
    if let Some(disk) = disk {
        command.env("KINGPIN_TEST_DISK", disk);
    }
    command
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

/// A text without the values of durations.
fn timeless(mut value: Value) -> Value {
    let is_time = |fact: &Value| {
        fact["name"].as_str().is_some_and(|name| name == "wall time" || name.starts_with("time: "))
    };
    match &mut value {
        Value::Array(list) => {
            list.retain(|fact| !is_time(fact));
            list.iter_mut().for_each(|item| *item = timeless(item.take()));
        }
        Value::Object(map) => {
            // what a part of the run cost: how often is the same, how long is not
            map.remove("seconds");
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

/// A case with what it leaves when nobody disturbs it.
struct Whole {
    content: BTreeMap<String, Vec<u8>>,
    code: Option<i32>,
    /// Bytes that it writes, or some more.
    bytes: u64,
}

/// What a run leaves, and its exit code.
fn left_alone(case: &Case, place: &Path) -> (BTreeMap<String, Vec<u8>>, Option<i32>) {
    let (code, err) = end(start(case, place, &[], None));
    assert!(code == Some(0) || code == Some(1), "{err}");
    (content(place), code)
}

fn undisturbed(case: &Case, dir: &Path) -> Whole {
    let whole = dir.join("whole");
    let (content, code) = left_alone(case, &whole);
    let sizes = fs::read_dir(&whole).unwrap().map(|file| file.unwrap().metadata().unwrap().len()).sum();
    let mut bytes: u64 = sizes;
    loop {
        let other = dir.join("measured");
        let (ended, _) = end(start(case, &other, &[], Some(format!("kill:{bytes}"))));
        fs::remove_dir_all(&other).unwrap();
        if ended == code {
            return Whole { content, code, bytes };
        }
        bytes += bytes / 4;
    }
}

/// How many kills are wanted.
fn wanted() -> usize {
    std::env::var("KINGPIN_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(100)
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let (dir, mut random) = (folder("kills"), Random(20_261_115));
    let wholes: Vec<Whole> = CASES
        .iter()
        .enumerate()
        .map(|(k, case)| undisturbed(case, &fs_dir(&dir, &format!("case-{k}"))))
        .collect();
    let (mut struck, mut resumed, mut full) = (0, 0, 0);
    let mut run = 0;
    while struck < wanted() {
        let k = run % CASES.len();
        let (case, whole, place) = (&CASES[k], &wholes[k], dir.join(format!("run-{run}")));
        let mut story = format!("{} run {run}:", case.model);
        run += 1;
        // struck once, often more than once, then left in peace
        let mut more: Vec<&str> = Vec::new();
        for attempt in 0..4 {
            let kills = random.below(3) > 0;
            let disk = format!("{}:{}", if kills { "kill" } else { "full" }, random.place(whole.bytes));
            let disk = (attempt < 3 && (attempt == 0 || random.below(2) == 0)).then_some(disk);
            story += &format!(" [{} {disk:?}]", more.join(" "));
            let (code, err) = end(start(case, &place, &more, disk.clone()));
            match (code, disk) {
                (None, Some(_)) => struck += 1,
                (Some(2), Some(_)) if err.contains("the disk is full") => {
                    (struck, full) = (struck + 1, full + 1)
                }
                // killed before it began: this is said, and a new run takes the place
                (Some(2), _) if err.contains("there are no results in") => {}
                // what was left of a run that failed says so
                (Some(2), _) if err.contains("has failed already") => break,
                (code, disk) => {
                    assert_eq!(
                        code,
                        if code == Some(0) { Some(0) } else { whole.code },
                        "{story} {disk:?}: {err}"
                    );
                    break;
                }
            }
            assert!(attempt < 3 || err.contains("there are no results in"), "{story}: {err}");
            resumed += usize::from(Reader::open(&place).is_ok());
            more = if Reader::open(&place).is_ok() { vec!["--resume"] } else { vec!["--force"] };
        }
        if !place.join("summary.json").exists() {
            let (code, err) = end(start(case, &place, &more, None));
            assert_eq!(code, whole.code, "{story}: {err}");
        }
        same(&place, &whole.content, &story);
        fs::remove_dir_all(&place).unwrap();
    }
    println!(
        "{struck} kills in {run} runs, {full} of them by a full disk; {resumed} times there was something to go on with"
    );
    assert!(resumed * 2 > struck, "{resumed} of {struck}");
}

fn fs_dir(dir: &Path, name: &str) -> PathBuf {
    let path = dir.join(name);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A run of a second or so, which nothing but a signal ends early.
const LONG: Case = Case {
    model: "models/hmmwv14_stiff.toml",
    options: &["--t-end", "0.03", "--method", "adams", "--frame", "0.1ms"],
};

/// Waits until a file has so many bytes; whether the run was still going on then.
fn reaches(path: &Path, bytes: u64, child: &mut Child) -> bool {
    let patience = Instant::now();
    loop {
        if fs::metadata(path).is_ok_and(|file| file.len() >= bytes) {
            return child.try_wait().unwrap().is_none();
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        assert!(patience.elapsed() < Duration::from_secs(300), "the run does not get on");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn signals_kill_anywhere_and_nobody_else_may_write_meanwhile() {
    let (dir, mut random) = (folder("signals"), Random(7));
    let (whole, _) = left_alone(&LONG, &dir.join("whole"));
    let steps = whole["steps.f64"].len() as u64;
    let (mut kills, mut lost) = (0, Duration::ZERO);
    while kills < wanted().div_ceil(20) {
        let place = dir.join("killed");
        let _ = fs::remove_dir_all(&place);
        let mut more: Vec<&str> = Vec::new();
        loop {
            let mut child = start(&LONG, &place, &more, None);
            let at = random.below(steps);
            if !reaches(&place.join("steps.f64"), at, &mut child) {
                assert_eq!(end(child).0, Some(0));
                break;
            }
            // somebody else comes while it is going on
            let other = if random.below(2) == 0 { "--resume" } else { "--force" };
            let (code, err) = end(start(&LONG, &place, &[other], None));
            let still = child.try_wait().unwrap().is_none();
            if still {
                assert_eq!(code, Some(2), "{err}");
                let said = err.replace(&*place.to_string_lossy(), "<dir>");
                // the lock is held a moment before its owner is written down
                let by = ["process ", "another program\n"];
                let first = "error: results are being written into `<dir>` by ";
                assert!(by.iter().any(|by| said.starts_with(&format!("{first}{by}"))), "{said}");
                let help = "\n\n  help: wait until it is done or stop it, or write elsewhere with `-o DIR`\n";
                assert!(said.ends_with(help), "{said}");
            }
            child.kill().unwrap();
            let killed = std::time::SystemTime::now();
            if child.wait().unwrap().code().is_some() {
                break;
            }
            if let Ok(written) = fs::metadata(place.join("checkpoint")).and_then(|file| file.modified()) {
                lost = lost.max(killed.duration_since(written).unwrap_or_default());
            }
            kills += 1;
            more = vec!["--resume"];
        }
        if !place.join("report.html").exists() || place.join("lock").exists() {
            assert_eq!(end(start(&LONG, &place, &["--resume"], None)).0, Some(0));
        }
        same(&place, &whole, "killed by a signal");
    }
    println!("{kills} kills by signals; at most {:.2} s after a checkpoint", lost.as_secs_f64());
}
