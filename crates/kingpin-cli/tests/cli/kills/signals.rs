//! Runs that are killed by a signal, and others that come while they are going on.

use super::{Case, Random, content, end, left_alone, same, start_with, wanted};
use crate::run::folder;
use kingpin_results::Reader;
use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant, SystemTime};

/// A run of a second or so, which nothing but a signal ends early.
const LONG: Case =
    Case { model: "models/four_bar.toml", options: &["--t-end", "2", "--method", "adams", "--frame", "5ms"] };
/// Steps between two of its checkpoints.
const EVERY: &str = "40";

fn run(place: &Path, more: &[&str]) -> Child {
    start_with(&LONG, place, more, &[Some(("KINGPIN_TEST_CHECKPOINT", EVERY.into()))])
}

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

/// What somebody is told who comes while results are being written.
fn refused(place: &Path, err: &str) {
    let said = err.replace(&*place.to_string_lossy(), "<dir>");
    // the lock is held a moment before its owner is written down
    let by = ["process ", "another program\n"];
    let used =
        |by: &&str| said.starts_with("error: `<dir>") && said.contains(&format!("` is in use by {by}"));
    assert!(by.iter().any(used), "{said}");
    let help = "\n\n  help: wait until it has finished, stop it, or choose another folder with `-o DIR`\n";
    assert!(said.ends_with(help), "{said}");
}

#[test]
fn signals_kill_anywhere_and_nobody_else_may_write_meanwhile() {
    let (dir, mut random) = (folder("signals"), Random(7));
    let (whole, _) = left_alone(&LONG, &dir.join("whole"));
    let steps = whole["steps.f64"].len() as u64;
    let (mut kills, mut met) = (0, 0);
    while kills < wanted().div_ceil(20) {
        let place = dir.join("killed");
        let _ = fs::remove_dir_all(&place);
        let mut more: Vec<&str> = Vec::new();
        loop {
            let mut child = run(&place, &more);
            let at = random.below(steps);
            if !reaches(&place.join("steps.f64"), at, &mut child) {
                assert_eq!(end(child).0, Some(0));
                break;
            }
            // somebody else comes while it is going on
            let other = if random.below(2) == 0 { "--resume" } else { "--force" };
            let (code, err) = end(run(&place, &[other]));
            if child.try_wait().unwrap().is_none() {
                assert_eq!(code, Some(2), "{err}");
                refused(&place, &err);
                met += 1;
            }
            child.kill().unwrap();
            if child.wait().unwrap().code().is_some() {
                break;
            }
            kills += 1;
            more = vec!["--resume"];
        }
        if !place.join("report.html").exists() || place.join("lock").exists() {
            assert_eq!(end(run(&place, &["--resume"])).0, Some(0));
        }
        same(&place, &whole, "killed by a signal");
    }
    println!("{kills} kills by signals; {met} times somebody else was refused meanwhile");
}

/// Two that begin at the same moment: one does the work, the other is told, and the results are whole.
#[test]
fn of_two_at_once_one_is_told_to_wait() {
    let dir = folder("two");
    let (whole, _) = left_alone(&LONG, &dir.join("whole"));
    let mut both = 0;
    for round in 0..wanted().div_ceil(50) {
        let place = dir.join(format!("round-{round}"));
        // every second time they find a run that was killed
        let more: &[&str] = if round % 2 == 1 { &["--resume"] } else { &[] };
        if round % 2 == 1 {
            let mut child = run(&place, &[]);
            reaches(&place.join("steps.f64"), 1, &mut child);
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let pair = [run(&place, more), run(&place, more)].map(end);
        for (code, err) in &pair {
            match code {
                Some(0) => {}
                Some(2) if err.contains("already contains results") => {}
                Some(2) => {
                    refused(&place, err);
                    both += 1;
                }
                _ => panic!("{code:?}: {err}"),
            }
        }
        assert!(pair.iter().any(|(code, _)| *code == Some(0)), "{pair:?}");
        assert_eq!(content(&place).len(), whole.len());
        same(&place, &whole, "two at once");
    }
    println!("{both} times of {} one of two was refused", wanted().div_ceil(50));
}

/// What a kill costs when checkpoints come by the clock, as they do for users. The machine decides, so nothing is
/// asserted: `make torture` prints it.
#[test]
#[ignore = "prints what depends on the clock"]
fn a_kill_costs_no_more_than_the_time_since_the_last_checkpoint() {
    const LONGER: Case = Case {
        model: "models/hmmwv14_stiff.toml",
        options: &["--t-end", "0.4", "--method", "adams", "--frame", "1ms"],
    };
    let kills = wanted() / 50;
    let (place, mut random) = (folder("lost").join("r"), Random(11));
    let (mut lost, mut most_steps) = (Duration::ZERO, 0.0f64);
    for _ in 0..kills {
        let _ = fs::remove_dir_all(&place);
        let mut child = start_with(&LONGER, &place, &[], &[]);
        let began = Instant::now();
        std::thread::sleep(Duration::from_millis(1000 + random.below(3000)));
        let took = began.elapsed();
        child.kill().unwrap();
        let killed = SystemTime::now();
        if child.wait().unwrap().code().is_some() {
            continue;
        }
        let at = Reader::open(&place).unwrap().checkpoint().unwrap().expect("a checkpoint");
        let written = fs::metadata(place.join("checkpoint")).and_then(|file| file.modified()).unwrap();
        let since = killed.duration_since(written).unwrap_or_default();
        lost = lost.max(since);
        let rate = at.steps as f64 / took.saturating_sub(since).as_secs_f64();
        most_steps = most_steps.max(rate * since.as_secs_f64());
    }
    println!("{kills} kills: at most {:.2} s, about {most_steps:.0} steps lost", lost.as_secs_f64());
}
