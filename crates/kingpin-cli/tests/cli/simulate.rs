//! `kingpin run`.

use crate::run::{feed, json, run};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

/// The report with its numbers replaced: times, counts and round-off are not what is compared.
fn outline(report: &str) -> String {
    let mut text = String::new();
    for line in report.lines() {
        let mut words = Vec::new();
        for word in line.split(' ') {
            let bare = word.trim_end_matches([',', ')']);
            let is_number = bare.trim_start_matches('(').replace(',', "").parse::<f64>().is_ok();
            if is_number {
                words.push(format!("#{}", &word[bare.len()..]));
            } else {
                // how long things took decides the unit
                words.push(if ["µs", "µs,"].contains(&word) {
                    word.replace('µ', "m")
                } else {
                    word.into()
                });
            }
        }
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        text += words.join(" ").trim_end();
        text.push('\n');
    }
    text
}

#[test]
fn a_summary_fits_on_a_screen() {
    let ran = run(&["run", "models/pendulum.toml", "--no-results"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.lines().count() < 24, "{}", ran.out);
    insta::assert_snapshot!(outline(&ran.out));
}

#[test]
fn implicit_methods_say_more() {
    let ran = run(&[
        "run",
        "models/double_pendulum_stiff.toml",
        "--method",
        "for-rosen",
        "--tol",
        "1e-4",
        "--no-results",
    ]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(outline(&ran.out));
}

#[test]
fn json_has_the_agreed_keys() {
    let report = json(&["run", "models/pendulum.toml", "--json"], "");
    for key in [
        "steps",
        "rejected",
        "jacobians",
        "factorisations",
        "accelerations",
        "newton_iterations",
        "repartitions",
    ] {
        assert!(report[key].is_u64(), "{key}");
    }
    assert_eq!(report["method"], "auto");
    assert_eq!((number(&report["t_end"]), number(&report["t"])), (10.0, 10.0));
    assert!(number(&report["wall_s"]) > 0.0);
    assert!(number(&report["position_residual_max"]) < 1e-10);
    assert!(number(&report["velocity_residual_max"]) < 1e-10);
    assert!(number(&report["energy_drift"]) < 1e-6);
    assert_eq!(number(&report["methods"][0]["t"]), 0.0);
    assert!(report.get("failure").is_none() && report.get("frames").is_none());
    // the exact solution, in the comment of the model
    assert!((number(&report["final"]["bob_x"]) + 0.2750874625761).abs() < 1e-6);
    assert!((number(&report["final"]["bob_y.rate"]) + 1.1947490545605).abs() < 1e-5);
}

#[test]
fn energy_adds_up_where_dampers_take_some() {
    let report = json(&["run", "models/hmmwv14_stiff.toml", "--t-end", "0.6", "--json"], "");
    assert!(number(&report["energy_drift"]) < 1e-3 && number(&report["energy_exchanged"]) > 1.0);
    assert!(number(&report["final"]["energy.dissipated"]) > 0.1);
    assert_eq!(report["warnings"], serde_json::json!([]));
}

/// The report of a run that succeeds with warnings.
fn despite_warnings(args: &[&str], input: &str) -> Value {
    let ran = feed(args, input);
    assert!(ran.code == 0 && ran.err.contains("warning["), "{}", ran.err);
    serde_json::from_str(&ran.out).expect("JSON")
}

/// Two rods that hold each other up.
const TRIANGLE: &str = r#"
name = "triangle"
space = "planar"
gravity = [0, -9.81]
[[body]]
name = "left"
mass = 1
inertia = 0.1
position = [0.5, 0.5]
[[body]]
name = "right"
mass = 1
inertia = 0.1
position = [1.5, 0.5]
[[joint]]
type = "revolute"
name = "a"
body1 = "ground"
body2 = "left"
at = [0, 0]
[[joint]]
type = "revolute"
name = "b"
body1 = "left"
body2 = "right"
at = [1, 1]
[[joint]]
type = "revolute"
name = "c"
body1 = "ground"
body2 = "right"
at = [2, 0]
"#;

#[test]
fn a_structure_cannot_move() {
    let ran = feed(&["run", "-", "--no-results"], TRIANGLE);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(format!("{}\n{}", outline(&ran.out), ran.err));
    let report = despite_warnings(&["run", "-", "--json"], TRIANGLE);
    assert_eq!((number(&report["energy_drift"]), number(&report["energy_exchanged"])), (0.0, 0.0));
    assert_eq!(report["warnings"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_balance_that_does_not_add_up_is_a_warning() {
    let wrong =
        ["run", "models/pendulum.toml", "--method", "hht", "--h", "0.2", "--t-end", "60", "--no-results"];
    let ran = run(&wrong);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.err);
    let report = despite_warnings(&[&wrong[..], &["--json"]].concat(), "");
    assert!(report["warnings"][0]["what"].as_str().is_some_and(|what| what.contains("energy balance error")));
    assert!(number(&report["energy_drift"]) > 0.2);
}

/// A free body near its unstable axis: the invariants of its motion tell what its attitude is worth.
#[test]
fn flips_that_cannot_be_told_are_a_warning() {
    let model = "[[body]]\nname = 'book'\nmass = 1\ninertia = [1, 2, 3]\nangular_velocity = [10, 0, 5.78]\n";
    let args = ["run", "-", "--t-end", "3", "--tol", "1e-3", "--no-results", "--method"];
    let ran = feed(&[&args[..], &["for-rosen"]].concat(), model);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.err);
    let ran = feed(&[&args[..], &["dop853"]].concat(), model);
    assert!(ran.code == 0 && !ran.err.contains("uncertain"), "{}", ran.err);
}

/// A body that turns about y, through the singular position of yaw, pitch and roll, or near by; by its rotation vector
/// through half a turn.
#[test]
fn attitudes_that_fold_are_a_warning() {
    let args = ["run", "-", "--t-end", "4", "--no-results"];
    let said = |spin: &str, fields: &[&str], rest: &str| {
        let mut model = format!(
            "[[body]]\nname = 'top'\nmass = 1\ninertia = [1, 1, 1]\nangular_velocity = {spin}\n\
             [[joint]]\ntype = 'spherical'\nname = 'ball'\nbody1 = 'ground'\nbody2 = 'top'\n"
        );
        for (k, fields) in fields.iter().enumerate() {
            model += &format!("[[measure]]\nname = 'm{k}'\n{fields}\n");
        }
        let ran = feed(&args, &(model + rest + "[simulation]\nframe = 0.02\n"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.err
    };
    let attitude =
        ["yaw", "pitch", "roll"].map(|word| format!("type = 'attitude'\nbody = 'top'\ncomponent = '{word}'"));
    let attitude = attitude.each_ref().map(String::as_str);
    let vector = "type = 'rotation-vector'\nbody1 = 'ground'\nbody2 = 'top'\ncomponent = 'y'";
    let push =
        "[[force]]\ntype = 'force'\nname = 'wind'\nbody = 'top'\ndirection = [1, 0, 0]\nmagnitude = '2*m0'\n";
    let through = said("[0, 1, 0]", &attitude, "");
    let read = said("[0, 1, 0]", &attitude[..1], push);
    let by = said("[0.002, 1, 0]", &attitude[1..2], "");
    let half = said("[0, 1, 0]", &[vector], "");
    let half_read = said("[0, 1, 0]", &[vector], push);
    insta::assert_snapshot!([through, read, by, half, half_read].join("\n"));
    // far enough, and turns that are small
    assert_eq!(said("[0.1, 1, 0]", &attitude, ""), "");
    assert_eq!(said("[0, 0.3, 0]", &[vector], push), "");
    assert_eq!(said("[9, 0, 0]", &attitude, ""), "");
}

/// A crank that turns freely for long: its energy tells how early or late it is.
#[test]
fn a_motion_that_is_late_is_a_warning() {
    let args = ["run", "models/slider_crank.toml", "--no-results", "--tol", "1e-4", "--method"];
    let ran = run(&[&args[..], &["dopri5"]].concat());
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.err);
    let ran = run(&["run", "models/slider_crank.toml", "--no-results"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}

#[test]
fn channels_are_recorded_as_asked_for() {
    let ran = run(&["run", "models/pendulum.toml", "--no-results", "--channels", "*.x,*.omega"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(outline(&ran.out));
}

/// Too many channels to record them all, and few enough bodies for a test.
#[test]
fn large_models_record_few_channels() {
    let chain = run(&["generate", "chain", "--size", "4000"]).out;
    let report = json(&["run", "-", "--t-end", "0.001", "--json"], &chain);
    let names: Vec<&String> = report["final"].as_object().expect("channels").keys().collect();
    assert!(names.iter().all(|name| name.starts_with("energy.")), "{names:?}");
    let some = json(&["run", "-", "--t-end", "0.001", "--json", "--channels", "link40.*"], &chain);
    assert_eq!(some["final"].as_object().expect("channels").len(), 19 + 6);
}

#[test]
fn options_go_before_the_model() {
    let coarse = json(&["run", "models/pendulum.toml", "--json", "--tol", "1e-3", "--t-end", "500ms"], "");
    assert_eq!(number(&coarse["t"]), 0.5);
    let fine = json(&["run", "models/pendulum.toml", "--json", "--tol", "1e-11", "--t-end", "0.5"], "");
    assert!(fine["steps"].as_u64() > coarse["steps"].as_u64());
    assert!((number(&fine["final"]["bob_x"]) + 0.3910487915505).abs() < 1e-9);
    let short = json(&["run", "models/pendulum.toml", "--json", "--h-max", "1ms", "--t-end", "0.5"], "");
    assert!(short["steps"].as_u64() >= Some(500));
    let adams = json(&["run", "models/pendulum.toml", "--json", "--method", "adams", "--t-end", "0.1"], "");
    assert_eq!((&adams["method"], &adams["methods"][0]["method"]), (&"adams".into(), &"adams".into()));
}

#[test]
fn differences_and_exact_jacobians_agree() {
    let of = |how: &str| {
        let model = "models/double_pendulum_stiff.toml";
        let args = ["run", model, "--json", "--method", "for-rosen", "--jacobian", how, "--t-end", "0.5"];
        let report = json(&args, "");
        (number(&report["final"]["theta_1"]), report["accelerations"].as_u64())
    };
    let ((exact, solves), (differences, more)) = (of("exact"), of("differences"));
    assert!((exact - 3.833374509).abs() < 1e-4 && (exact - differences).abs() < 1e-4);
    assert!(more > solves, "{more:?} {solves:?}");
}

#[test]
fn channels_over_time() {
    let ran =
        run(&["run", "models/pendulum.toml", "--table", "bob_x,rod.omega", "--frame", "0.5", "--t-end", "2"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let head: Vec<&str> = ran.out.lines().take(3).collect();
    assert_eq!(
        head[0].split_whitespace().collect::<Vec<_>>(),
        ["t", "[s]", "bob_x", "[m]", "rod.omega", "[rad/s]"]
    );
    assert_eq!(head[2].split_whitespace().collect::<Vec<_>>(), ["0", "-1", "0"]);
    let args = ["run", "models/pendulum.toml", "--json", "--table", "bob_x, rod.omega", "--frame", "0.5"];
    let report = json(&args, "");
    let frames = report["frames"].as_array().expect("a list");
    assert_eq!(frames.len(), 21);
    assert!((number(&frames[1]["bob_x"]) + 0.3910487915505).abs() < 1e-6);
    assert!((number(&frames[20]["t"]) - 10.0).abs() < 1e-12);
}

#[test]
fn unknown_channels_get_a_suggestion() {
    for (name, advice) in [
        ("rod.omga", "did you mean `rod.omega`?"),
        ("rod.height", "`rod` has rod.x, rod.y, rod.angle"),
        ("whatever", "examples of channels: rod.x"),
    ] {
        let ran = run(&["run", "models/pendulum.toml", "--table", name]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains(advice), "{}", ran.err);
    }
}

#[test]
fn a_run_of_no_length_ends_where_it_starts() {
    let report = json(&["run", "models/pendulum.toml", "--json", "--t-end", "0"], "");
    assert_eq!((report["steps"].as_u64(), number(&report["t"])), (Some(0), 0.0));
    assert!((number(&report["final"]["bob_x"]) + 1.0).abs() < 1e-12);
}
