//! Runs that must fail, and what their users are told.

use crate::run::{Ran, methods, run};
use serde_json::Value;

fn model(name: &str) -> String {
    format!("crates/kingpin-cli/tests/fixtures/failures/{name}.toml")
}

fn attempt(name: &str, options: &[&str]) -> Ran {
    run(&[&["run", &model(name), "--no-results"], options].concat())
}

/// The message, without the numbers of the last steps: they are chance.
fn told(ran: &Ran) -> String {
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("Failed at t = "), "{}", ran.out);
    let (mut text, mut in_table) = (String::new(), false);
    for line in ran.err.trim_start().lines() {
        in_table = (in_table || line.starts_with("  ---")) && !line.is_empty();
        if in_table {
            assert!(line.starts_with("  ---") || line.split_whitespace().count() >= 6, "{line}");
            continue;
        }
        text += line.split_whitespace().collect::<Vec<_>>().join(" ").as_str();
        text.push('\n');
    }
    text
}

/// The failure in JSON, with what was computed before it.
fn recorded(name: &str, options: &[&str]) -> Value {
    let ran = attempt(name, &[&["--json"], options].concat());
    assert_eq!(ran.code, 1);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert!(report["t"].as_f64() < report["t_end"].as_f64());
    assert!(report["final"].as_object().is_some_and(|map| !map.is_empty()));
    assert_eq!(report["failure"]["t"], report["t"]);
    assert!(report["failure"]["suggestions"].as_array().is_some_and(|list| !list.is_empty()));
    report["failure"].clone()
}

#[test]
fn a_rocker_driven_beyond_its_end() {
    insta::assert_snapshot!(told(&attempt("rocker", &[])));
    for method in methods().into_iter().filter(|name| *name != "auto") {
        let failure = recorded("rocker", &["--method", method]);
        assert_eq!(failure["cause"], "beyond_reach", "{method}: {failure:#}");
        assert!((failure["t"].as_f64().expect("a time") - 0.748).abs() < 0.01, "{method}");
    }
}

#[test]
fn a_distance_beyond_reach() {
    insta::assert_snapshot!(told(&attempt("reach", &[])));
    for method in methods().into_iter().filter(|name| *name != "auto") {
        let failure = recorded("reach", &["--method", method]);
        assert_eq!(failure["cause"], "beyond_reach", "{method}: {failure:#}");
        assert!(failure["why"].as_str().is_some_and(|why| why.contains("`winch`")), "{method}");
    }
}

#[test]
fn a_parallelogram_that_lies_flat() {
    insta::assert_snapshot!(told(&attempt("parallelogram", &[])));
    let failure = recorded("parallelogram", &[]);
    assert_eq!(failure["cause"], "singular_position");
    assert!(failure["equations"].as_array().is_some_and(|list| list.len() >= 4));
}

#[test]
fn a_root_of_a_negative_number() {
    insta::assert_snapshot!(told(&attempt("root", &[])));
    for method in methods().into_iter().filter(|name| *name != "auto") {
        let failure = recorded("root", &["--method", method]);
        assert_eq!(failure["cause"], "bad_number", "{method}: {failure:#}");
        assert!(failure["why"].as_str().is_some_and(|why| why.contains("`push`")), "{method}");
    }
}

#[test]
fn a_motion_without_bound() {
    insta::assert_snapshot!(told(&attempt("endless_motion", &[])));
}

#[test]
fn an_explicit_method_on_a_very_stiff_problem() {
    insta::assert_snapshot!(told(&attempt("stiff", &["--method", "dopri5"])));
    for method in ["adams", "dop853"] {
        assert_eq!(recorded("stiff", &["--method", method])["cause"], "stiff", "{method}");
    }
    // the advice helps
    assert_eq!(attempt("stiff", &["--method", "for-rosen"]).code, 0);
    assert_eq!(attempt("stiff", &["--method", "auto"]).code, 0);
}

#[test]
fn a_fixed_step_that_is_too_large() {
    insta::assert_snapshot!(told(&attempt("spun", &["--method", "newmark", "--h", "0.5"])));
    assert_eq!(recorded("spun", &["--method", "hht", "--h", "0.5"])["cause"], "step_too_large");
}

#[test]
fn a_body_that_turns_too_far_in_a_fixed_step() {
    for method in ["newmark", "hht"] {
        let failure = recorded("gyro", &["--method", method, "--h", "0.2"]);
        let kind = (&failure["kind"], &failure["cause"]);
        assert_eq!(kind, (&"turn_too_large".into(), &"step_too_large".into()), "{failure:#}");
        let what = "body `rotor` would rotate by 229 degrees in one step, more than half a revolution";
        assert_eq!(failure["what"], what);
    }
    assert_eq!(attempt("gyro", &["--method", "newmark", "--h", "0.1"]).code, 0);
}

#[test]
fn a_fixed_step_that_is_too_small() {
    insta::assert_snapshot!(told(&attempt("spun", &["--method", "newmark", "--h", "1e-20"])));
}

#[test]
fn too_many_steps() {
    insta::assert_snapshot!(told(&attempt("spun", &["--max-steps", "10"])));
    let failure = recorded("spun", &["--max-steps", "10"]);
    assert_eq!((&failure["kind"], &failure["cause"]), (&"too_many_steps".into(), &"limit".into()));
    assert_eq!(failure["steps"].as_array().map(Vec::len), Some(10));
}

#[test]
fn a_driver_that_jumps() {
    insta::assert_snapshot!(told(&attempt("teleport", &[])));
    for method in methods().into_iter().filter(|name| *name != "auto") {
        let failure = recorded("teleport", &["--method", method]);
        assert_eq!((&failure["kind"], &failure["cause"]), (&"jump".into(), &"jump".into()), "{method}");
        assert_eq!(failure["what"], "driver `pull` jumps by 100 mm at t = 2 s", "{method}");
    }
}

/// The message without the number of times that something switched: it depends on the steps.
fn often(told: &str) -> String {
    let (before, rest) = told.split_once("switched ").expect("what switched");
    let (times, rest) = rest.split_once(" times").expect("how often");
    assert!(times.replace(',', "").parse::<u32>().is_ok_and(|times| times > 10), "{times}");
    format!("{before}switched # times{rest}")
}

#[test]
fn a_sign_that_sticks() {
    insta::assert_snapshot!(often(&told(&attempt("rubbing", &["--method", "dopri5"]))));
    for method in methods().into_iter().filter(|name| *name != "auto") {
        let failure = recorded("rubbing", &["--method", method]);
        assert_eq!(
            (&failure["kind"], &failure["cause"]),
            (&"chatter".into(), &"sticking".into()),
            "{method}"
        );
        assert!((failure["t"].as_f64().expect("a time") - 1.0).abs() < 0.01, "{method}: {failure:#}");
    }
}

#[test]
fn an_event_that_chatters() {
    insta::assert_snapshot!(often(&told(&attempt("relay", &["--method", "dopri5"]))));
    for method in methods().into_iter().filter(|name| *name != "auto") {
        let failure = recorded("relay", &["--method", method]);
        assert_eq!(failure["cause"], "sticking", "{method}");
        assert!(failure["what"].as_str().is_some_and(|what| what.contains("event `fast`")), "{method}");
    }
}

#[test]
fn an_impact_is_an_event_with_its_impulses() {
    let model = "crates/kingpin-cli/tests/fixtures/impact.toml";
    for method in methods().into_iter().filter(|name| *name != "auto") {
        let ran = run(&["run", model, "--no-results", "--json", "--method", method]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        let what = "driver `pull` jumps by 0.5 m/s: impact with 0.75 N s from driver `pull`, 0.25 N s from joint `pin`";
        assert_eq!(
            (&report["events"][0]["t"], &report["events"][0]["what"]),
            (&2.0.into(), &what.into()),
            "{method}"
        );
    }
    assert!(run(&["run", model, "--no-results"]).out.contains("impact with 0.75 N s"));
}

#[test]
fn what_cannot_be_asked_for() {
    let mut text = String::new();
    for options in [
        &["--method", "dopri"][..],
        &["--solver", "reduced"],
        &["--tol", "1e-18"],
        &["--tol", "0.2"],
        &["--tol", "0"],
        &["--atol", "small"],
        &["--atol", "place=1mm"],
        &["--atol", "position=1s"],
        &["--atol", "position=-1mm"],
        &["--atol", "angle=1e-6,angle=1e-7"],
        &["--rtol", "1e-3", "--tol", "1e-4"],
        &["--method", "newmark"],
        &["--coordinates", "plane"],
        &["--coordinates", "partition", "--matrices", "sparse"],
        &["--table", "upper.omga"],
    ] {
        let ran = attempt("spun", options);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        text += &format!("> {}\n{}\n", options.join(" "), ran.err);
    }
    insta::assert_snapshot!(text);
}
