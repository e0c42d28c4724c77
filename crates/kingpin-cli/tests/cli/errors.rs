//! `kingpin check` on models that cannot be simulated.

use crate::run::{feed, run};

const BROKEN: &str = "crates/kingpin-cli/tests/fixtures/broken.toml";
const WARNED: &str = "crates/kingpin-cli/tests/fixtures/warned.toml";

#[test]
fn all_errors_of_a_file_are_shown_with_their_lines() {
    let ran = run(&["check", BROKEN]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    insta::assert_snapshot!(ran.err);
}

#[test]
fn errors_are_listed_in_json_too() {
    let ran = run(&["check", BROKEN, "--json"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("error: "), "{}", ran.err);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let errors = report["errors"].as_array().expect("a list");
    assert_eq!(errors.len(), ran.err.matches("error: ").count());
    for error in errors {
        assert!(!error["message"].as_str().expect("a message").is_empty());
        assert_eq!(error["file"], BROKEN);
        assert!(
            error["line"].as_u64().expect("a line") > 1 && error["column"].as_u64().expect("a column") >= 1
        );
    }
}

#[test]
fn warnings_do_not_stop_anything() {
    let ran = run(&["check", WARNED]);
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("degrees of freedom   1\n"), "{}", ran.out);
    insta::assert_snapshot!(ran.err);
    let report: serde_json::Value =
        serde_json::from_str(&run(&["check", WARNED, "--json"]).out).expect("JSON");
    assert_eq!(report["warnings"][0]["line"], 6);
}

#[test]
fn joints_that_contradict_each_other_are_named() {
    let ran = run(&["check", "models/door.toml", "--set", "misalign=10 mm"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(format!("{}\n{}", ran.err, ran.out));
    let ran = run(&["check", "models/door.toml", "--json", "--set", "misalign=10 mm"]);
    assert_eq!(ran.code, 1);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["constraints"], 11);
    assert!(report.get("dof").is_none());
    let mut joints: Vec<_> =
        report["misfits"].as_array().expect("a list").iter().map(|m| &m["joint"]).collect();
    joints.sort_by_key(|name| name.as_str());
    assert_eq!(joints, ["lower_hinge", "upper_hinge"]);
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_driver_that_pulls_at_a_fixed_body_is_named() {
    let ran = run(&["check", "crates/kingpin-cli/tests/fixtures/driven.toml"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(format!("{}\n{}", ran.err, ran.out));
}

#[test]
fn standard_input_has_a_name_in_messages() {
    let ran = feed(&["check", "-"], "space = \"cubic\"\n");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("<stdin>:1:9"), "{}", ran.err);
}

#[test]
fn unreadable_input_is_bad_usage() {
    for path in ["models/no_such_model.toml", "models"] {
        let ran = run(&["check", path]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.starts_with(&format!("error: cannot read `{path}`")), "{}", ran.err);
    }
    let ran = run(&["check", "models/no_such_model.toml", "--json"]);
    assert_eq!(ran.code, 2);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert!(report["errors"][0]["file"].is_null());
}

/// A planar ball whose force and driver are good or bad.
fn ball(magnitude: &str, motion: &str) -> String {
    format!(
        "space = \"planar\"\n\n[[body]]\nname = \"ball\"\nmass = 1\ninertia = 1\nposition = [-2, 0]\n\n\
         [[measure]]\ntype = \"coordinate\"\nname = \"gap\"\nbody = \"ball\"\ncoordinate = \"x\"\n\n\
         [[force]]\ntype = \"force\"\nname = \"push\"\nbody = \"ball\"\ndirection = [1, 0]\n\
         magnitude = \"{magnitude}\"\n\n\
         [[driver]]\ntype = \"coordinate\"\nname = \"rise\"\nbody = \"ball\"\ncoordinate = \"y\"\n\
         motion = \"{motion}\"\n"
    )
}

#[test]
fn a_force_that_is_no_number_is_named_with_its_variables() {
    let ran = feed(&["accel", "-"], &ball("sqrt(gap)*gap.rate + t", "t"));
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.err);
}

#[test]
fn a_motion_that_is_no_number_is_shown_where_it_stands() {
    let ran = feed(&["check", "-"], &ball("gap", "ln(t - 1)"));
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.err);
}

/// Files as Windows writes them read as all others do, and their messages show no carriage returns.
#[test]
fn byte_order_marks_and_carriage_returns_do_not_matter() {
    let windows = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let read = |path: &str| std::fs::read_to_string(crate::run::root().join(path)).expect("a model");
    for (path, code) in [("models/pendulum.toml", 0), (BROKEN, 1), (WARNED, 0)] {
        let (plain, other) =
            (feed(&["check", "-"], &read(path)), feed(&["check", "-"], &windows(&read(path))));
        assert_eq!((plain.code, other.code), (code, code), "{path}: {}", other.err);
        assert_eq!((plain.out, plain.err), (other.out, other.err), "{path}");
    }
    // the first line too, behind the mark
    let first = "nmae = 1\nspace = \"planar\"\n";
    let (plain, other) = (feed(&["check", "-"], first), feed(&["check", "-"], &windows(first)));
    assert_eq!(plain.err, other.err);
    assert!(plain.err.contains(":1:1\n"), "{}", plain.err);
}
