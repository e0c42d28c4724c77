//! What a run says of iterations, and of constraints that nobody kept.

use crate::run::run;
use serde_json::Value;

#[test]
fn a_run_without_stabilisation_says_what_it_has_left() {
    let args = [
        "run",
        "models/four_bar.toml",
        "--no-results",
        "--method",
        "dopri5",
        "--tol",
        "1e-3",
        "--t-end",
        "1",
    ];
    let with = |more: &[&str]| run(&[&args[..], more].concat());
    let ran = with(&["--stabilisation", "none"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let warning = ran.err.lines().find(|line| line.contains("constraint drift")).expect("a warning");
    assert!(warning.contains("constraint drift: the residual of joint `"), "{warning}");
    assert!(warning.contains(" at t = 1 s, more than the tolerance allows"), "{warning}");
    assert!(ran.err.contains("without stabilisation the errors of the steps accumulate"), "{}", ran.err);
    assert!(ran.err.contains("use `--stabilisation projection`"), "{}", ran.err);
    assert!(ran.out.contains("no step was corrected"), "{}", ran.out);
    for kind in ["projection", "optimisation"] {
        let kept = with(&["--stabilisation", kind]);
        assert!(kept.code == 0 && kept.err.is_empty(), "{}", kept.err);
        assert_eq!(kept.out.contains("by mass, "), kind == "optimisation", "{}", kept.out);
    }
}

#[test]
fn iterations_are_reported() {
    let args = ["run", "models/four_bar.toml", "--no-results", "--solver", "pcg", "--t-end", "0.5"];
    let ran = run(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let line =
        ran.out.lines().find(|line| line.trim_start().starts_with("solver iterations")).expect("a line");
    assert!(line.contains("per solution, ") && line.contains(" renewed"), "{line}");
    let report: Value = serde_json::from_str(&run(&[&args[..], &["--json"]].concat()).out).expect("a report");
    let iterations = &report["solver_iterations"];
    assert!(iterations["solves"].as_u64() > Some(10) && iterations["rescues"] == 0, "{iterations}");
    assert!(iterations["mean"].as_f64().is_some_and(|mean| mean > 1.0 && mean < 8.0), "{iterations}");
    let once = run(&["accel", "models/four_bar.toml", "--solver", "pcg"]);
    assert!(once.out.contains("Solver: pcg, 1 iteration\n"), "{}", once.out);
}
