//! Runs and studies that are killed at any operation on files, from before the first to the last: the same command,
//! `--resume` and `--force` take what is left, and all files are those of an undisturbed one.

use super::{Random, content, same, wanted};
use crate::run::{folder, root};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A command that fills a folder, with steps between checkpoints so that short runs have some.
struct Filling {
    words: &'static [&'static str],
    out: &'static str,
    every: &'static str,
}

const FILLING: [Filling; 4] = [
    Filling {
        words: &["run", "models/pendulum.toml", "--t-end", "0.5", "--frame", "5ms", "--format", "npy"],
        out: "-o",
        every: "2",
    },
    Filling {
        words: &[
            "sweep",
            "models/pendulum.toml",
            "--vary",
            "l=1..2 m:6",
            "--metric",
            "max(bob_x)",
            "--t-end",
            "0.1",
            "--channels",
            "bob_*",
            "--threads",
            "2",
        ],
        out: "--output",
        every: "2",
    },
    Filling {
        words: &[
            "run",
            "models/door.toml",
            "--t-end",
            "0.2",
            "--method",
            "for-sdirk",
            "--channels",
            "door.*",
        ],
        out: "-o",
        every: "1",
    },
    Filling {
        words: &["run", "crates/kingpin-cli/tests/fixtures/failures/root.toml", "--frame", "50ms"],
        out: "-o",
        every: "5",
    },
];

impl Filling {
    /// Exit code, if it was not killed, and messages.
    fn run(&self, dir: &Path, more: &[&str], disk: Option<String>) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kingpin"));
        command.args(self.words).args(["--quiet", self.out]).arg(dir).args(more).current_dir(root());
        command.env("KINGPIN_TEST_CHECKPOINT", self.every).envs(disk.map(|disk| ("KINGPIN_TEST_DISK", disk)));
        let output = command.stdin(Stdio::null()).output().expect("the command runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    fn is_study(&self) -> bool {
        self.words[0] == "sweep"
    }

    /// Everything that must be the same.
    fn content(&self, dir: &Path) -> BTreeMap<String, Vec<u8>> {
        if self.is_study() { study_content(dir) } else { content(dir) }
    }

    fn same(&self, dir: &Path, whole: &BTreeMap<String, Vec<u8>>, story: &str) {
        if !self.is_study() {
            return same(dir, whole, story);
        }
        assert!(study_content(dir) == *whole, "{story}");
        let definition = kingpin_study::Definition::open(dir).unwrap();
        kingpin_study::verify(dir, &definition).unwrap_or_else(|error| panic!("{error}: {story}"));
    }
}

/// All files of a study; of the manifest that it is there.
pub fn study_content(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for below in ["", "curves"] {
        for entry in fs::read_dir(dir.join(below)).into_iter().flatten().map(Result::unwrap) {
            if entry.path().is_file() {
                let name = format!("{below}/{}", entry.file_name().to_string_lossy());
                let bytes = fs::read(entry.path()).unwrap();
                found.insert(name.clone(), if name == "/sums" { Vec::new() } else { bytes });
            }
        }
    }
    found
}

/// Operations that a command needs: it is not killed before the next.
fn operations(filling: &Filling, dir: &Path, more: &[&str], prepare: &dyn Fn(&Path)) -> u64 {
    let (mut low, mut high) = (0, 64);
    let ends = |count: u64| {
        let place = dir.join("counted");
        prepare(&place);
        let (code, _) = filling.run(&place, more, Some(format!("op:{count}")));
        let _ = fs::remove_dir_all(&place);
        code.is_some()
    };
    while !ends(high) {
        (low, high) = (high, 2 * high);
    }
    while high - low > 1 {
        let middle = (low + high) / 2;
        if ends(middle) { high = middle } else { low = middle }
    }
    high
}

/// One that is killed before an operation, or in the middle of it, and what takes it up.
fn trial(filling: &Filling, whole: &Whole, place: &Path, at: u64, k: usize, random: &mut Random) {
    let kind = if k.is_multiple_of(3) { "tear" } else { "op" };
    let mut story = format!("{} {kind}:{at} way {}", filling.words.join(" "), k % 4);
    let (code, err) = filling.run(place, &[], Some(format!("{kind}:{at}")));
    assert_eq!(code, None, "{story}: {err}");
    let more: &[&str] = match k % 4 {
        0 => &["--resume"],
        1 => &[],
        2 => &["--force"],
        _ => {
            // killed once more
            let again = random.below(whole.operations);
            story += &format!(", {again}");
            if filling.run(place, &["--resume"], Some(format!("op:{again}"))).0.is_none() {
                &["--resume"]
            } else {
                // it was over before
                &["--force"]
            }
        }
    };
    let (mut code, mut err) = filling.run(place, more, None);
    if more.is_empty() && code == Some(2) {
        // what is there is kept, and the message says what to do
        assert!(err.contains("already") && err.contains("`--resume` to continue"), "{story}: {err}");
        (code, err) = filling.run(place, &["--resume"], None);
    }
    if code == Some(2) && err.contains("` failed: ") {
        code = whole.code;
    }
    assert!(code == whole.code || code == Some(0), "{story}: {code:?} {err}");
    assert!(!err.contains("warning[damaged-results]: `"), "{story}: {err}");
    filling.same(place, &whole.content, &story);
}

struct Whole {
    content: BTreeMap<String, Vec<u8>>,
    code: Option<i32>,
    operations: u64,
}

fn undisturbed(filling: &Filling, dir: &Path) -> Whole {
    let place = dir.join("whole");
    // the command that starts what has not begun is the one that goes on
    let (code, err) = filling.run(&place, &["--resume"], None);
    assert!(code == Some(0) || code == Some(1), "{err}");
    let operations = operations(filling, dir, &[], &|_| ());
    Whole { content: filling.content(&place), code, operations }
}

#[test]
fn killed_at_any_operation_it_goes_on_to_the_same_files() {
    let mut random = Random(20_261_119);
    let dir = folder("operations");
    let mut done = 0;
    for (which, filling) in FILLING.iter().enumerate() {
        let own = dir.join(which.to_string());
        fs::create_dir_all(&own).unwrap();
        let whole = undisturbed(filling, &own);
        // runs and studies alike: half of the kills strike the study
        let share = if filling.is_study() { wanted() / 2 } else { wanted().div_ceil(6) };
        for k in 0..share {
            let at = (k as u64 * whole.operations) / share as u64;
            let place: PathBuf = own.join("killed");
            trial(filling, &whole, &place, at, k, &mut random);
            fs::remove_dir_all(&place).unwrap();
        }
        done += share;
        println!("{}: {} operations, {share} kills", filling.words[..2].join(" "), whole.operations);
    }
    println!("{done} kills before or amid operations: all files equal");
}

/// A finished run that goes on to a later end and is killed on the way there.
#[test]
fn an_extended_run_killed_at_any_operation_goes_on_to_the_same_files() {
    const SHORT: Filling = Filling {
        words: &["run", "models/pendulum.toml", "--frame", "5ms", "--channels", "rod.*", "--t-end", "0.2"],
        out: "-o",
        every: "2",
    };
    const LONG: Filling = Filling {
        words: &["run", "models/pendulum.toml", "--frame", "5ms", "--channels", "rod.*", "--t-end", "0.5"],
        ..SHORT
    };
    let dir = folder("operations-extended");
    let begin = |place: &Path| assert_eq!(SHORT.run(place, &[], None).0, Some(0));
    let whole = undisturbed(&LONG, &dir);
    let (place, last) = (dir.join("killed"), operations(&LONG, &dir, &["--resume"], &begin));
    let count = wanted() / 10;
    for k in 0..count {
        begin(&place);
        let at = (k as u64 * last) / count as u64;
        let (code, err) = LONG.run(&place, &["--resume"], Some(format!("op:{at}")));
        assert_eq!(code, None, "{at}: {err}");
        let (code, err) = LONG.run(&place, &["--resume"], None);
        assert!(code == Some(0) && !err.contains("warning: `"), "{at}: {err}");
        LONG.same(&place, &whole.content, &format!("extended, killed before operation {at}"));
        fs::remove_dir_all(&place).unwrap();
    }
    println!("{count} kills of an extension of {last} operations: all files equal");
}
