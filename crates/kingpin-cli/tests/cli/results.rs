//! What `kingpin run` writes, and that nothing of it is lost.

use crate::run::{Ran, finish, folder, root, run_in, start_in};
use kingpin_results::Reader;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

fn model(name: &str) -> String {
    root().join("models").join(name).to_string_lossy().into_owned()
}

/// A message without the folder of the tests.
fn told(ran: &Ran, dir: &Path) -> String {
    ran.err
        .replace(&root().to_string_lossy().into_owned(), "<root>")
        .replace(&*dir.to_string_lossy(), "<dir>")
}

fn summary(dir: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(dir.join("summary.json")).unwrap()).unwrap()
}

#[test]
fn a_run_leaves_a_folder_and_keeps_it() {
    let dir = folder("results-folder");
    let pendulum = model("pendulum.toml");
    let ran = run_in(&dir, &["run", &pendulum, "--t-end", "1", "--tol", "1e-6", "--format", "npy"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let results = dir.join("pendulum-results");
    let mut files: Vec<String> = fs::read_dir(&results)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let mut expected = vec![
        "channels.json",
        "checkpoint",
        "events.jsonl",
        "model.toml",
        "results.csv",
        "results.npy",
        "results.npy.json",
        "rows.f64",
        "steps.f64",
        "summary.json",
        "sums",
    ];
    if cfg!(feature = "viewer") {
        expected.insert(4, "report.html");
        assert!(ran.out.contains("pendulum-results/report.html"), "{}", ran.out);
    }
    expected.push("tables");
    assert_eq!(files, expected);
    let summary = summary(&results);
    assert_eq!((&summary["outcome"], &summary["settings"]["rtol"]), (&"done".into(), &1e-6.into()));
    assert_eq!(summary["hash"].as_str().map(str::len), Some(16));
    assert!(
        summary["facts"]
            .as_array()
            .unwrap()
            .iter()
            .any(|fact| fact["kind"] == "cost" && fact["name"] == "method")
    );

    let before = fs::read(results.join("rows.f64")).unwrap();
    let again = run_in(&dir, &["run", &pendulum, "--t-end", "2"]);
    assert_eq!((again.code, again.out.as_str()), (2, ""));
    insta::assert_snapshot!(told(&again, &dir), @r"
    error: `pendulum-results` already contains results

      help: use `--force` to replace them, `--resume` to continue an interrupted run, or `-o DIR` for another folder
    ");
    assert_eq!(fs::read(results.join("rows.f64")).unwrap(), before);
    assert_eq!(run_in(&dir, &["run", &pendulum, "--t-end", "2", "--force"]).code, 0);
    assert_ne!(fs::read(results.join("rows.f64")).unwrap(), before);
    // the model in the folder gives the same numbers as the one it came from
    let kept = results.join("model.toml").to_string_lossy().into_owned();
    assert_eq!(run_in(&dir, &["run", &kept, "--t-end", "2", "-o", "again"]).code, 0);
    assert_eq!(fs::read(dir.join("again/rows.f64")).unwrap(), fs::read(results.join("rows.f64")).unwrap());
}

#[test]
fn printing_writes_nothing_unless_a_folder_is_given() {
    let dir = folder("results-none");
    let pendulum = model("pendulum.toml");
    for options in [&["--json"][..], &["--table", "rod.x"], &["--no-results"]] {
        assert_eq!(run_in(&dir, &[&["run", &pendulum, "--t-end", "0.1"], options].concat()).code, 0);
    }
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 0);
    assert_eq!(run_in(&dir, &["run", &pendulum, "--t-end", "0.1", "--json", "-o", "here"]).code, 0);
    assert!(dir.join("here/summary.json").exists());
}

#[test]
fn a_failed_run_keeps_what_it_had() {
    let dir = folder("results-failed");
    let root = root().join("crates/kingpin-cli/tests/fixtures/failures/root.toml");
    let ran = run_in(&dir, &["run", &root.to_string_lossy(), "--frame", "0.01"]);
    assert_eq!(ran.code, 1);
    let results = dir.join("root-results");
    let reader = Reader::open(&results).unwrap();
    assert_eq!(reader.frames(), 67);
    let summary = summary(&results);
    assert_eq!(summary["outcome"], "failed");
    assert!(summary["message"].as_str().unwrap().starts_with("failed at t = 0.66"), "{summary}");
    let again = run_in(&dir, &["run", &root.to_string_lossy(), "--frame", "0.01", "--resume"]);
    assert_eq!(again.code, 2);
    insta::assert_snapshot!(told(&again, &dir).replace(summary["message"].as_str().unwrap(), "<why>"), @r"
    error: the run in `root-results` failed: <why>

      help: it would fail again: change the model or the options, and start again with `--force`
    ");
}

#[test]
fn where_results_cannot_be_written() {
    let dir = folder("results-refused");
    let pendulum = model("pendulum.toml");
    fs::write(dir.join("taken"), "mine").unwrap();
    let mut text = String::new();
    for options in
        [&["-o", "taken"][..], &["-o", "taken/below"], &["-o", "/proc/here"], &["-o", "taken", "--resume"]]
    {
        let ran = run_in(&dir, &[&["run", &pendulum], options].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        text += &format!("> {}\n{}\n", options.join(" "), told(&ran, &dir));
    }
    insta::assert_snapshot!(text);
    assert_eq!(fs::read_to_string(dir.join("taken")).unwrap(), "mine");
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
}

/// A limit on the size of files stands for a full disk, and ends no run by a signal.
#[cfg(unix)]
#[test]
fn a_disk_that_fills_up() {
    let dir = folder("results-full");
    let script = format!(
        "ulimit -f 600; exec '{}' run '{}' --frame 1ms --t-end 20 -o full",
        env!("CARGO_BIN_EXE_kingpin"),
        model("four_bar.toml")
    );
    let output = Command::new("bash").args(["-c", &script]).current_dir(&dir).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(
        err.starts_with(
            "error: cannot write `full/rows.f64`: the file has reached the size limit of this \
                 process\n\n  help: raise the limit with `ulimit -f unlimited`"
        ),
        "{err}"
    );
    assert!(Reader::open(&dir.join("full")).unwrap().frames() > 100);
}

#[test]
fn going_on_needs_the_same_model_and_options() {
    let dir = folder("results-other");
    let pendulum = model("pendulum.toml");
    assert_eq!(run_in(&dir, &["run", &pendulum, "-o", "r", "--t-end", "1", "--quiet"]).code, 0);
    let mut text = String::new();
    for more in [
        &[][..],
        &["--tol", "1e-9"],
        &["--matrices", "sparse"],
        &["--coordinates", "tangent"],
        &["--set", "l=2"],
    ] {
        let options = [&["--t-end", "1"], more].concat();
        let ran = run_in(&dir, &[&["run", &pendulum, "-o", "r", "--resume"], &options[..]].concat());
        text += &format!("> {}: {}\n{}\n", options.join(" "), ran.code, told(&ran, &dir));
    }
    insta::assert_snapshot!(text);
}

/// A run of about a second.
const LONG: [&str; 8] = ["--method", "adams", "--tol", "1e-3", "--t-end", "0.04", "--frame", "0.1ms"];

fn long_run(dir: &Path, options: &[&str]) -> Child {
    let car = model("hmmwv14_stiff.toml");
    start_in(dir, &[&["run", &car, "--quiet"], &LONG[..], options].concat())
}

/// The numbers of a run.
fn numbers(dir: &Path) -> [Vec<u8>; 4] {
    ["rows.f64", "steps.f64", "events.jsonl", "results.csv"].map(|name| fs::read(dir.join(name)).unwrap())
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_that_can_go_on() {
    let dir = folder("results-interrupted");
    let child = long_run(&dir, &["-o", "r"]);
    let results = dir.join("r");
    let patience = Instant::now();
    while !Reader::open(&results).is_ok_and(|reader| reader.checkpoint().is_ok_and(|c| c.is_some())) {
        assert!(patience.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ran = finish(child);
    assert_eq!((ran.code, ran.err.as_str()), (130, ""));
    assert!(ran.out.contains("Interrupted at t = "), "{}", ran.out);
    assert!(ran.out.contains("Repeat the command with `--resume`"), "{}", ran.out);
    assert_eq!(summary(&results)["outcome"], "interrupted");
    assert!(results.join("results.csv").exists());
    assert_eq!(finish(long_run(&dir, &["-o", "r", "--resume"])).code, 0);
    assert_eq!(finish(long_run(&dir, &["-o", "whole"])).code, 0);
    assert!(numbers(&results) == numbers(&dir.join("whole")));
}

#[test]
fn results_know_their_parameters() {
    let dir = folder("results-parameters");
    let pendulum = model("pendulum.toml");
    let args = ["run", &pendulum, "--t-end", "0.1", "--set", "l=3", "--set", "l = 200 cm", "-o", "out"];
    let ran = run_in(&dir, &args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let text = fs::read_to_string(dir.join("out/channels.json")).unwrap();
    let header: serde_json::Value = serde_json::from_str(&text).unwrap();
    let parameters = header["parameters"].as_array().unwrap();
    let l = parameters.iter().find(|p| p["name"] == "l").unwrap();
    assert_eq!(*l, serde_json::json!({"name": "l", "value": 2.0, "unit": "m", "set": "200 cm"}));
    let others: Vec<_> = parameters.iter().filter(|p| p["name"] != "l").collect();
    assert!(!others.is_empty() && others.iter().all(|p| p.get("set").is_none()), "{others:?}");
    if cfg!(feature = "viewer") {
        let report = fs::read_to_string(dir.join("out/report.html")).unwrap();
        assert!(report.contains(r#"{"name":"l","value":2.0,"unit":"m","set":"200 cm"}"#));
    }
}

/// A run that fails before its first frame says why it failed, and does not speak of a page that nobody expects.
#[test]
fn a_run_without_frames_has_no_page() {
    let out = crate::run::folder("no-frames").join("r").to_string_lossy().into_owned();
    let model = "crates/kingpin-cli/tests/fixtures/failures/teleport.toml";
    let ran = crate::run::run(&["run", model, "--quiet", "-o", &out]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.trim_start().starts_with("error: the run failed at t = 0 s"), "{}", ran.err);
    assert!(!ran.err.contains("report.html") && !ran.out.contains("report.html"), "{}\n{}", ran.out, ran.err);
}
