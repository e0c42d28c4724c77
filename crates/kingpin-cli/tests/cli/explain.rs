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

#[test]
fn words_of_model_files() {
    let words = [
        "revolute",
        "body.mass",
        "revolute.axis",
        "joint.damping",
        "if",
        "norm",
        "pi",
        "kN",
        "steel",
        "road",
        "com",
        "unilateral",
        "mirror",
        "override",
        "points",
        "joint revolute",
        "gravity",
    ];
    insta::assert_snapshot!("words_of_model_files", words.map(|word| run(&["explain", word]).out).join("\n"));
    let wrong = [
        &["explain", "revolut"][..],
        &["explain", "body.mas"],
        &["explain", "smoth5"],
        &["explain", "unilaterl"],
        &["rnu"],
        &["lst"],
    ];
    insta::assert_snapshot!("misspelt_words", wrong.map(|words| run(words).err).concat());
}

/// Links of the glossary lead to headings: their anchors are the headings in lower case with dashes.
#[test]
fn links_of_the_glossary_have_targets() {
    let glossary = run(&["explain", "--glossary"]).out;
    let heading = |line: &str| Some(line.strip_prefix("## ")?.to_lowercase().replace(' ', "-"));
    let anchors: BTreeSet<String> = glossary.lines().filter_map(heading).collect();
    let links: Vec<&str> = glossary.split("](#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() > 100, "{}", links.len());
    for link in links {
        assert!(anchors.contains(link), "{link}");
    }
}

/// The words that people type who know multibody dynamics, but not this program.
#[test]
fn words_of_the_field_are_explained() {
    for (word, ours) in [
        ("active set", "active set"),
        ("generalized forces", "generalized forces"),
        ("constraint Jacobian", "constraint Jacobian"),
        ("mass matrix", "mass matrix"),
        ("contact", "contact"),
        ("Baumgarte", "stabilisation"),
        ("DOF", "degrees of freedom"),
        ("motion", "driver"),
        ("SFORCE", "force"),
        ("world", "ground"),
        ("RK45", "dopri5"),
        ("BDF", "radau"),
        ("HHT-I3", "hht"),
        ("Featherstone", "recursive"),
        ("unit quaternion", "Euler parameters"),
        ("hinge", "`hinge` is called `revolute` here."),
        ("ball joint", "`ball joint` is called `spherical` here."),
        ("slider", "`slider` is called `translational` here."),
        ("weld", "`weld` is called `fixed` here."),
        ("Crank-Nicolson", "ssp-trap"),
        ("dashpot", "`dashpot` is called `spring` here."),
    ] {
        let ran = run(&["explain", word]);
        assert!(ran.code == 0 && ran.out.lines().any(|line| line == ours), "{word}: {}{}", ran.out, ran.err);
    }
}

/// What stands left of the numbers in a report: `  position residual    1e-16`. Figures are written as `{name:<21}`.
fn labels(report: &str) -> impl Iterator<Item = String> {
    let label = |line: &str| {
        let (label, value) = (line.strip_prefix("  ")?.get(..21)?, line.get(23..)?);
        let figure = label.starts_with(char::is_alphabetic) && !label.trim_end().contains("  ");
        // headings and sentences have no gap before the number, rows of tables have more columns
        let columns = value.split("  ").filter(|part| !part.is_empty()).count();
        (figure && columns < 3 && label.ends_with("  ") && !value.starts_with(' '))
            .then(|| label.trim().to_string())
    };
    report.lines().filter_map(label)
}

/// All reports that are checked word by word, and one of a run.
fn all_labels() -> BTreeSet<String> {
    let folder = root().join("crates/kingpin-cli/tests/cli/snapshots");
    let mut all = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("snapshots") {
        let path = entry.expect("a snapshot").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let reports = ["check", "topology", "statics", "modes", "accel", "kinematics"];
        if reports.iter().any(|command| name.starts_with(&format!("cli__{command}__"))) {
            all.extend(labels(&std::fs::read_to_string(&path).expect("text")));
        }
    }
    all.extend(labels(
        &run(&["run", "models/hmmwv14_stiff.toml", "--tol", "1e-3", "--quiet", "--no-results"]).out,
    ));
    all.extend(labels(&run(&["run", "models/pendulum.toml", "--quiet", "--no-results"]).out));
    all
}

#[test]
fn the_figures_of_reports_are_explained() {
    let labels = all_labels();
    for known in ["degrees of freedom", "redundant equations", "topology index", "Jacobians", "energy drift"]
    {
        assert!(labels.contains(known), "{known}: {labels:?}");
    }
    for label in labels {
        let ran = run(&["explain", &label]);
        assert_eq!(ran.code, 0, "`{label}` stands in reports: {}", ran.err);
    }
}
