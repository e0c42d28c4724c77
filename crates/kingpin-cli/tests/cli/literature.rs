//! Problems of the literature: sizes, and assembly from rough values.

use crate::run::json;

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
