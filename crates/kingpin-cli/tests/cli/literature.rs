//! Problems of the literature: sizes, and assembly from rough values.

use crate::run::{json, methods};

fn counts(model: &str) -> (u64, u64, u64) {
    let report = json(&["check", model, "--json"], "");
    let of = |key: &str| report[key].as_u64().expect("a number");
    (of("coordinates"), of("constraints"), of("dof"))
}

#[test]
fn sizes_are_those_of_the_documents() {
    assert_eq!(counts("models/andrews.toml"), (21, 20, 1));
    assert_eq!(counts("models/hmmwv14.toml"), (98, 87, 11));
    assert_eq!(counts("models/hmmwv14_stiff.toml"), (98, 80, 18));
    assert_eq!(counts("models/jansen.toml"), (21, 20, 1));
    assert_eq!(counts("models/stewart.toml"), (91, 85, 6));
}

/// Started from joint coordinates, the foot is where circles put it, on the right branch.
#[test]
fn the_leg_of_jansen_starts_where_its_geometry_says() {
    let report = json(&["run", "models/jansen.toml", "--json", "--t-end", "1e-9"], "");
    let of = |name: &str| report["final"][name].as_f64().expect("a number");
    assert!(
        (of("foot_x") + 0.431601105).abs() < 1e-8 && (of("foot_y") + 0.917569329).abs() < 1e-6,
        "{report}"
    );
    assert!((of("foot_x.rate") - 1.4).abs() < 0.1);
}

#[test]
fn mechanisms_started_from_joint_coordinates_run_with_every_method() {
    for (model, name) in [("models/jansen.toml", "foot_x"), ("models/stewart.toml", "platform_z")] {
        let value = |options: &[&str]| {
            let args = [&["run", model, "--json", "--t-end", "0.3"], options].concat();
            json(&args, "")["final"][name].as_f64().expect("a number")
        };
        let reference = value(&["--method", "dop853", "--tol", "1e-9"]);
        for method in methods() {
            let found = value(&["--method", method, "--tol", "1e-5"]);
            assert!((found - reference).abs() < 1e-3, "{model} {method}: {found} against {reference}");
        }
        for method in ["newmark", "hht"] {
            let found = value(&["--method", method, "--h", "1e-3"]);
            assert!((found - reference).abs() < 1e-2, "{model} {method}: {found} against {reference}");
        }
    }
}

/// Angles rounded to two digits lead to the same mechanism, not to another of its branches.
#[test]
fn andrews_closes_from_angles_of_two_digits() {
    let rounded = [
        ("beta", -0.06, -0.0617),
        ("Theta", 0.0, 0.0),
        ("gamma", 0.46, 0.4553),
        ("Phi", 0.22, 0.2227),
        ("delta", 0.49, 0.4874),
        ("Omega", -0.22, -0.2227),
        ("epsilon", 1.23, 1.2305),
    ];
    let settings: Vec<String> =
        rounded.iter().map(|(name, value, _)| format!("--set={name}={value}")).collect();
    let mut args = vec!["check", "models/andrews.toml", "--json"];
    args.extend(settings.iter().map(String::as_str));
    let report = json(&args, "");
    assert!(report["position_residual"].as_f64().expect("a number") < 1e-12);
    let corrections = report["corrections"].as_array().expect("a list");
    assert!(!corrections.is_empty());
    for correction in corrections {
        // rounding moved the angles by at most 0.005 each; another branch is far away
        assert!(correction["amount"].as_f64().expect("a number") < 0.02, "{correction}");
    }
}

#[test]
fn the_design_position_of_the_car_is_consistent() {
    for model in ["models/hmmwv14.toml", "models/hmmwv14_stiff.toml"] {
        let report = json(&["check", model, "--json"], "");
        assert!(report["position_residual"].as_f64().expect("a number") < 1e-12);
        for correction in report["corrections"].as_array().expect("a list") {
            assert!(correction["amount"].as_f64().expect("a number") < 1e-5, "{correction}");
        }
    }
}
