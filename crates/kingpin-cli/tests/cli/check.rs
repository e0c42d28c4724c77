//! `kingpin check` on models that are fine.

use crate::run::{feed, json, root, run, steady};

/// The report on a shipped model, which must be clean.
fn report(model: &str) -> String {
    let ran = run(&["check", &format!("models/{model}.toml")]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{model}");
    steady(&ran.out)
}

#[test]
fn a_pendulum() {
    insta::assert_snapshot!(report("pendulum"));
}

#[test]
fn a_door_with_five_redundant_equations() {
    insta::assert_snapshot!(report("door"));
}

#[test]
fn andrews_squeezing_mechanism() {
    insta::assert_snapshot!(report("andrews"));
}

#[test]
fn a_stiff_spring_shows_in_the_time_constants() {
    insta::assert_snapshot!(report("double_pendulum_stiff"));
}

#[test]
fn a_car() {
    insta::assert_snapshot!(report("hmmwv14"));
}

#[test]
fn bars_that_make_one_body_and_mass_that_is_shared() {
    let ran = run(&["check", "crates/kingpin-cli/tests/fixtures/truss.toml"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(steady(&ran.out));
    let report = json(&["check", "--json", "crates/kingpin-cli/tests/fixtures/truss.toml"], "");
    let body = &report["joined_bodies"][0];
    assert_eq!(body["nodes"], serde_json::json!(["knee", "top", "tip"]));
    assert_eq!(body["elements"], serde_json::json!(["floor", "rise", "brace", "roof", "fall"]));
    assert_eq!(report["inertances"].as_u64(), Some(1 + 3 * 2));
}

#[test]
fn every_shipped_model_can_be_simulated() {
    let mut models = Vec::new();
    for entry in std::fs::read_dir(root().join("models")).expect("a folder of models") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        models.extend(name.ends_with(".toml").then_some(name));
    }
    assert!(models.len() >= 5, "{models:?}");
    for model in models {
        let report = json(&["check", "--json", &format!("models/{model}")], "");
        assert!(report["position_residual"].as_f64().expect("a number") < 1e-9, "{model}");
    }
}

#[test]
fn json_has_the_agreed_keys_first() {
    let ran = run(&["check", "models/door.toml", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let key = |line: &str| Some(line.strip_prefix("  \"")?.split('"').next()?.to_string());
    let keys: Vec<String> = ran.out.lines().filter_map(key).collect();
    let agreed = ["model", "space", "bodies", "joints", "coordinates", "constraints", "dof", "redundant"];
    assert_eq!(keys[..8], agreed);
    assert_eq!(keys[8..10], ["position_residual", "velocity_residual"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let counts = ["bodies", "joints", "coordinates", "constraints", "dof"].map(|key| report[key].as_u64());
    assert_eq!(counts, [1, 2, 7, 11, 1].map(Some));
    assert_eq!((report["model"].as_str(), report["space"].as_str()), (Some("door"), Some("spatial")));
    assert_eq!(report["redundant"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["redundant"][0]["equations"], 5);
    assert_eq!(report["redundant"][0]["joint"], "upper_hinge");
    for key in ["position_residual", "velocity_residual"] {
        assert!(report[key].as_f64().expect("a number") < 1e-12, "{key}");
    }
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(0));
}

#[test]
fn parameters_can_be_set() {
    let heavy =
        json(&["check", "models/pendulum.toml", "--json", "--set", "l=2", "--set", "point_mass=500 g"], "");
    assert_eq!(heavy["dof"], 1);
    let chain = run(&["generate", "chain", "--size", "10"]).out;
    assert_eq!(json(&["check", "-", "--json", "--set", "n=4"], &chain)["bodies"], 4);
}

#[test]
fn corrections_of_given_values_are_named() {
    let chain = run(&["generate", "chain", "--size", "2", "--space", "planar"]).out;
    // the joints stay where they are on the bodies if these are described by points of their own
    let points =
        chain.replace("at = [\"(i - 1)*L\", 0]", "point1 = [\"L/2\", 0]\npoint2 = [\"-L/2 - 0.01\", 0]");
    assert_ne!(points, chain);
    let ran = feed(&["check", "-"], &points);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(steady(&ran.out));
}

#[test]
fn ten_thousand_links_take_a_short_report() {
    let chain = run(&["generate", "chain", "--size", "10000"]).out;
    let ran = feed(&["check", "-"], &chain);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.out.matches("… and 9,970 more\n").count(), 2);
    assert!(ran.out.contains("degrees of freedom   10,000\n"), "{}", ran.out);
    assert!(ran.out.lines().count() < 90);
}

/// A four-bar linkage whose crank and rocker cannot both be where they are said to be.
#[test]
fn initial_coordinates_that_contradict_each_other_are_named() {
    let bar = |name: &str, angle: u32| {
        format!("[[body]]\nname = '{name}'\nmass = 1\ninertia = 1\nangle = '{angle} deg'\n\n")
    };
    let pin = |name: &str, ends: [(&str, f64); 2], start: &str| {
        let [(a, x), (b, y)] = ends;
        format!(
            "[[joint]]\ntype = 'revolute'\nname = '{name}'\nbody1 = '{a}'\npoint1 = [{x}, 0]\nbody2 = '{b}'\npoint2 = [{y}, 0]\n{start}\n"
        )
    };
    let model = |crank: &str, rocker: &str| {
        let bodies = bar("crank", 0) + &bar("coupler", 20) + &bar("rocker", 70);
        let pins = pin("A", [("ground", 0.0), ("crank", 0.0)], crank)
            + &pin("B", [("crank", 1.0), ("coupler", 0.0)], "")
            + &pin("C", [("coupler", 3.0), ("rocker", 2.0)], "")
            + &pin("D", [("ground", 3.0), ("rocker", 0.0)], rocker);
        format!("name = 'bars'\nspace = 'planar'\n{bodies}{pins}")
    };
    let told = |crank: &str, rocker: &str| {
        let ran = crate::run::feed(&["check", "-"], &model(crank, rocker));
        assert_eq!(ran.code, 1, "{}", ran.out);
        ran.err
    };
    insta::assert_snapshot!(told("angle = '40 deg'", "angle = '100 deg'"));
    insta::assert_snapshot!(told("", "angle = '200 deg'"));
    insta::assert_snapshot!(told("angle_rate = '1 rad/s'", "angle_rate = '100 rad/s'"));
}

#[test]
fn a_cable_with_a_weight() {
    let ran = run(&["check", "crates/kingpin-cli/tests/fixtures/rope.toml"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(steady(&ran.out));
}

/// Beams without a length, with too many nodes and with sections that nobody can bend are told where they stand, and
/// nothing is made of them.
#[test]
fn beams_and_cables_that_are_none() {
    for name in ["beam_line", "beam_division", "beam_section", "beam_stations", "long_cable"] {
        let ran = run(&["check", &format!("crates/kingpin-io/tests/bad/{name}.toml")]);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{name}");
        insta::assert_snapshot!(format!("bad_{name}"), ran.err);
    }
}
