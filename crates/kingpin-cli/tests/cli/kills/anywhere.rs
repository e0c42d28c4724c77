//! Runs that end at any byte that they write: killed, or because the disk is full; while frames and steps are written,
//! tables and the page, the first time and when they go on.

use super::{Case, Random, end, left_alone, same, start, wanted};
use crate::run::folder;
use kingpin_results::Reader;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

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

/// A case with what it leaves when nobody disturbs it.
struct Whole {
    content: BTreeMap<String, Vec<u8>>,
    code: Option<i32>,
    /// Bytes that it writes, or some more.
    bytes: u64,
}

fn undisturbed(case: &Case, dir: PathBuf) -> Whole {
    fs::create_dir_all(&dir).unwrap();
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

/// What has been done so far.
#[derive(Debug, Default)]
struct Tally {
    /// Runs that were killed.
    killed: usize,
    /// Runs whose disk was full.
    full: usize,
    /// How many of these were going on with something.
    resuming: usize,
    /// How many were over but for their tables.
    tables: usize,
    /// How often there was something to go on with afterwards.
    resumed: usize,
}

impl Tally {
    fn struck(&self) -> usize {
        self.killed + self.full
    }
}

/// Strikes a run once, often more than once, then leaves it in peace.
fn strike(case: &Case, whole: &Whole, place: &Path, random: &mut Random, tally: &mut Tally) {
    let mut story = format!("{} {}:", case.model, place.display());
    let mut more: Vec<&str> = Vec::new();
    for attempt in 0..4 {
        let kind = if random.below(3) > 0 { "kill" } else { "full" };
        let disk = format!("{kind}:{}", random.place(whole.bytes));
        let disk = (attempt < 3 && (attempt == 0 || random.below(2) == 0)).then_some(disk);
        story += &format!(" [{} {disk:?}]", more.join(" "));
        let (code, err) = end(start(case, place, &more, disk.clone()));
        match (code, disk) {
            (None, Some(_)) => tally.killed += 1,
            (Some(2), Some(_)) if err.contains("the disk is full") => tally.full += 1,
            // killed before it began: this is said, and a new run takes the place
            (Some(2), _) if err.contains("there are no results in") => {
                more = vec!["--force"];
                continue;
            }
            // what was left of a run that failed says so
            (Some(2), _) if err.contains("` failed: ") => break,
            (code, disk) => {
                assert_eq!(
                    code,
                    if code == Some(0) { Some(0) } else { whole.code },
                    "{story} {disk:?}: {err}"
                );
                break;
            }
        }
        assert!(attempt < 3, "{story}: {err}");
        let open = Reader::open(place);
        tally.resuming += usize::from(more == ["--resume"]);
        tally.tables += usize::from(open.as_ref().is_ok_and(|reader| reader.summary().is_some()));
        tally.resumed += usize::from(open.is_ok());
        more = vec![if open.is_ok() { "--resume" } else { "--force" }];
    }
    if !place.join("summary.json").exists() {
        let (code, err) = end(start(case, place, &more, None));
        assert_eq!(code, whole.code, "{story}: {err}");
    }
    same(place, &whole.content, &story);
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let (dir, mut random) = (folder("kills"), Random(20_261_115));
    let each = CASES.iter().enumerate();
    let wholes: Vec<Whole> = each.map(|(k, case)| undisturbed(case, dir.join(format!("case-{k}")))).collect();
    let (mut tally, mut runs) = (Tally::default(), 0);
    while tally.struck() < wanted() {
        let (k, place) = (runs % CASES.len(), dir.join(format!("run-{runs}")));
        strike(&CASES[k], &wholes[k], &place, &mut random, &mut tally);
        fs::remove_dir_all(&place).unwrap();
        runs += 1;
        if runs.is_multiple_of(50) {
            println!("{runs} runs: {tally:?}");
        }
    }
    println!("{} kills in {runs} runs: {tally:?}", tally.struck());
    let Tally { killed, full, resuming, tables, resumed } = tally;
    assert!(resumed * 2 > tally.struck(), "{tally:?}");
    for kind in [killed, full, resuming, tables] {
        assert!(kind * 20 > tally.struck(), "a kind is hardly there: {tally:?}");
    }
}
