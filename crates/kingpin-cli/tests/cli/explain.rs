//! `kingpin explain`: words, and the words of reports.

use crate::run::{root, run};
use std::collections::BTreeSet;

#[test]
fn a_word_and_all_words() {
    insta::assert_snapshot!("redundant", run(&["explain", "redundant"]).out);
    insta::assert_snapshot!("all", run(&["explain"]).out);
    assert_eq!(run(&["explain", "degrees", "of", "freedom"]).out, run(&["explain", "dof"]).out);
}

#[test]
fn unknown_words_get_advice() {
    let told: String =
        ["redundent", "joint torque", "xyzzy"].map(|word| run(&["explain", word]).err).concat();
    insta::assert_snapshot!(told);
}

/// What stands left of the numbers in reports: `  position residual    1e-16`.
fn labels() -> BTreeSet<String> {
    let folder = root().join("crates/kingpin-cli/tests/cli/snapshots");
    let mut labels = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("snapshots") {
        let path = entry.expect("a snapshot").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let report = ["check", "topology", "statics", "modes", "accel", "kinematics"];
        if !report.iter().any(|command| name.starts_with(&format!("cli__{command}__"))) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        // figures are written as `{name:<21}`
        for line in text.lines().filter(|line| line.starts_with("  ") && line.len() > 23) {
            let (Some(label), Some(value)) = (line.get(2..23), line.get(23..)) else { continue };
            let figure =
                label.starts_with(|c: char| c.is_ascii_lowercase()) && !label.trim_end().contains("  ");
            if figure && label.ends_with("  ") && !value.starts_with(' ') {
                labels.insert(label.trim().to_string());
            }
        }
    }
    labels
}

#[test]
fn the_figures_of_reports_are_explained() {
    let labels = labels();
    for known in ["degrees of freedom", "redundant equations", "position residual", "topology index"] {
        assert!(labels.contains(known), "{known}: {labels:?}");
    }
    for label in labels {
        let ran = run(&["explain", &label]);
        assert_eq!(ran.code, 0, "`{label}` stands in reports: {}", ran.err);
    }
}
