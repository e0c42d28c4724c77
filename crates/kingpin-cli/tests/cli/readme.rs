//! What the readme shows is what the command does.

use crate::run::{json, root, run, steady};

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).expect("a readme")
}

#[test]
fn its_report_is_printed() {
    let ran = run(&["check", "models/door.toml"]);
    assert!(steady(&readme()).contains(&steady(&ran.out)), "{}", ran.out);
}

#[test]
fn its_error_is_printed() {
    let ran = run(&["check", "models/door.toml", "--set", "misalign=10 mm"]);
    assert_eq!(ran.code, 1);
    assert!(readme().contains(&ran.err), "{}", ran.err);
}

#[test]
fn its_model_is_a_model() {
    let readme = readme();
    let (_, rest) = readme.split_once("```toml\n").expect("a model");
    let (model, _) = rest.split_once("```").expect("its end");
    let report = json(&["check", "-", "--json"], model);
    assert_eq!((&report["dof"], &report["redundant"][0]["equations"]), (&1.into(), &5.into()));
}

#[test]
fn its_failure_is_explained() {
    let ran =
        run(&["run", "crates/kingpin-cli/tests/fixtures/failures/root.toml", "--quiet", "--no-results"]);
    assert_eq!(ran.code, 1);
    let (shown, _) = ran.err.split_once("\n\n  The last steps").expect("a report");
    assert!(readme().contains(shown), "{shown}");
}

#[test]
fn its_run_goes_as_shown() {
    let ran = run(&["run", "models/hmmwv14_stiff.toml", "--tol", "1e-4", "--quiet", "--no-results"]);
    let shown: Vec<&str> =
        ran.out.lines().filter(|line| line.contains("start  ") || line.contains("tolerance")).collect();
    assert_eq!(shown.len(), 2);
    assert!(shown.iter().all(|line| readme().contains(line)), "{}", ran.out);
}
