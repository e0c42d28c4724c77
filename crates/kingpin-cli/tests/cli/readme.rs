//! What the readme and the page of commands show is what the command does.

use crate::run::{folder as empty, json, root, run, run_in, steady};

fn page(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).expect("a page")
}

/// The first block of a language in a page.
fn block(page: &str, language: &str) -> String {
    let (_, rest) = page.split_once(&format!("```{language}\n")).expect("a block");
    rest.split_once("```").expect("its end").0.to_string()
}

#[test]
fn its_report_is_printed() {
    let ran = run(&["check", "models/door.toml"]);
    assert!(steady(&page("docs/commands.md")).contains(&steady(&ran.out)), "{}", ran.out);
}

#[test]
fn its_error_is_printed() {
    let ran = run(&["check", "models/door.toml", "--set", "misalign=10 mm"]);
    assert_eq!(ran.code, 1);
    assert!(page("docs/commands.md").contains(&ran.err), "{}", ran.err);
}

#[test]
fn its_model_runs_as_shown() {
    let readme = page("README.md");
    let model = block(&readme, "toml");
    let report = json(&["check", "-", "--json"], &model);
    assert_eq!((&report["dof"], report["redundant"].as_array().map(Vec::len)), (&1.into(), Some(0)));
    let place = empty("readme-model");
    std::fs::write(place.join("swing.toml"), &model).expect("written");
    let ran = run_in(&place, &["run", "swing.toml", "--quiet", "--no-results"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let shown = block(&readme, "text");
    assert!(shown.lines().count() >= 5);
    for line in shown.lines() {
        assert!(ran.out.lines().any(|printed| printed == line), "{line}\n{}", ran.out);
    }
}

#[test]
fn its_failure_is_explained() {
    let ran =
        run(&["run", "crates/kingpin-cli/tests/fixtures/failures/root.toml", "--quiet", "--no-results"]);
    assert_eq!(ran.code, 1);
    let (shown, _) = ran.err.split_once("\n\n  Last steps").expect("a report");
    assert!(page("docs/commands.md").contains(shown), "{shown}");
}

#[test]
fn its_run_goes_as_shown() {
    let ran = run(&["run", "models/hmmwv14_stiff.toml", "--tol", "1e-4", "--quiet", "--no-results"]);
    let shown: Vec<&str> =
        ran.out.lines().filter(|line| line.contains("start  ") || line.contains("tolerance")).collect();
    assert_eq!(shown.len(), 2);
    assert!(shown.iter().all(|line| page("docs/commands.md").contains(line)), "{}", ran.out);
}

/// One screen tells what the program is, and the rest does not grow beyond a page.
#[test]
fn it_is_short() {
    let lines = page("README.md").lines().count();
    assert!(lines <= 130, "{lines} lines");
}
