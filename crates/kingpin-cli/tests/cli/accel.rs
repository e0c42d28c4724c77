//! `kingpin accelerations`.

use crate::run::{json, root, run};
use serde_json::Value;

const FLAT: &str = "crates/kingpin-cli/tests/fixtures/flat.toml";

fn report(model: &str) -> String {
    let ran = run(&["accel", &format!("models/{model}.toml")]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{model}");
    ran.out
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

#[test]
fn andrews_squeezing_mechanism() {
    insta::assert_snapshot!(report("andrews"));
}

#[test]
fn a_door_whose_hinges_share_the_load() {
    insta::assert_snapshot!(report("door"));
}

#[test]
fn a_car() {
    insta::assert_snapshot!(report("hmmwv14"));
}

/// The accelerations that come with the initial values of the problem; angles of bodies are sums of its angles.
#[test]
fn published_accelerations_of_andrews_mechanism() {
    let (beta, theta) = (14_222.443_919_954_1, -10_666.832_939_965_6);
    for solver in kingpin::accel::Solver::ALL {
        let report = json(&["accel", "models/andrews.toml", "--json", "--solver", solver.name()], "");
        assert_eq!(report["solver"], solver.name());
        let bodies = report["bodies"].as_array().expect("a list");
        assert_eq!(bodies.len(), 7);
        for (body, expected) in bodies.iter().zip([beta, beta + theta, 0.0, 0.0, 0.0, 0.0, 0.0]) {
            let found = number(&body["angular_acceleration"]);
            let tolerance = 1e-10 * if expected == 0.0 { beta } else { expected };
            assert!((found - expected).abs() < tolerance, "{} {}: {found}", solver.name(), body["name"]);
        }
    }
}

/// The loop E = B + ... of the reference has the multipliers of the pin between K2 and K3, up to the sign.
#[test]
fn published_multipliers_of_andrews_mechanism() {
    let report = json(&["accel", "models/andrews.toml", "--json"], "");
    let joints = report["joints"].as_array().expect("a list");
    let pin = joints.iter().find(|joint| joint["name"] == "E2").expect("the pin E2");
    for (found, expected) in
        [0, 1].map(|k| number(&pin["force"][k])).into_iter().zip([98.5668703962411, -6.12268834425566])
    {
        assert!((found / expected - 1.0).abs() < 1e-10, "{found}");
    }
}

#[test]
fn all_solvers_agree_on_every_shipped_model() {
    let mut models = 0;
    for entry in std::fs::read_dir(root().join("models")).expect("a folder of models") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        if !name.ends_with(".toml") {
            continue;
        }
        models += 1;
        let report = json(&["accel", "--solver", "all", "--json", &format!("models/{name}")], "");
        let solvers = report["solvers"].as_array().expect("a list");
        assert_eq!(solvers.len(), kingpin::accel::Solver::ALL.len());
        for solver in solvers {
            for key in ["acceleration_disagreement", "multiplier_disagreement"] {
                assert!(number(&solver[key]) < 1e-9, "{name}: {solver}");
            }
        }
        let greatest = &report["greatest_disagreement"];
        assert!(number(&greatest["acceleration_disagreement"]) < 1e-9, "{name}: {greatest}");
        assert!(number(&greatest["multiplier_disagreement"]) < 1e-9, "{name}: {greatest}");
    }
    assert!(models >= 5);
}

#[test]
fn solvers_are_left_out_where_they_cannot_win() {
    let chain = run(&["generate", "chain", "--size", "700"]).out;
    let report = json(&["accel", "-", "--json", "--solver", "all"], &chain);
    for solver in report["solvers"].as_array().expect("a list") {
        let name = solver["name"].as_str().expect("a name");
        let large = ["reduced-dense", "augmented-dense", "recursive-sparse"].contains(&name);
        assert_eq!(solver.get("skipped").is_some(), large, "{solver}");
    }
}

#[test]
fn json_in_space_has_euler_parameters() {
    let report = json(&["accel", "models/door.toml", "--json"], "");
    let door = &report["bodies"][0];
    assert_eq!(door["acceleration"].as_array().map(Vec::len), Some(3));
    assert_eq!(door["angular_acceleration"].as_array().map(Vec::len), Some(3));
    assert_eq!(door["p_ddot"].as_array().map(Vec::len), Some(4));
    assert!(door["normalisation_multiplier"].is_f64());
    assert_eq!(report["redundant_equations"], 5);
    assert_eq!(report["unique_multipliers"], false);
    // the weight is shared evenly, whichever hinge is said to be the redundant one
    let weight: Vec<f64> = report["joints"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|joint| {
            assert_eq!(joint["multipliers"].as_array().map(Vec::len), Some(5));
            assert_eq!(joint["on"], "door");
            number(&joint["force"][2])
        })
        .collect();
    assert!((weight[0] - 15.0 * 9.81).abs() < 1e-9 && (weight[0] - weight[1]).abs() < 1e-9, "{weight:?}");
}

#[test]
fn a_singular_position_names_the_joint() {
    let ran = run(&["accel", FLAT]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("singular configuration at joint `"), "{}", ran.err);
    assert!(ran.err.contains("flat.toml:"), "{}", ran.err);
    let ran = run(&["accel", FLAT, "--json", "--solver", "all"]);
    assert_eq!(ran.code, 1);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let message = report["errors"][0]["message"].as_str().expect("a message");
    assert!(message.contains("singular configuration"), "{message}");
}

#[test]
fn parameters_can_be_set() {
    let heavy = |mass: &str| {
        let set = format!("door_mass={mass}");
        number(&json(&["accel", "models/door.toml", "--json", "--set", &set], "")["joints"][0]["force"][2])
    };
    assert!((heavy("60 kg") / heavy("30 kg") - 2.0).abs() < 1e-9);
}
