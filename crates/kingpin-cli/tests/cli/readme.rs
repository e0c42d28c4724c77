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
