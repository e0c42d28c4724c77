//! `kingpin modes`.

use crate::run::{json, run};
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

/// (real, imaginary) of all modes.
fn eigenvalues(report: &Value) -> Vec<(f64, f64)> {
    let modes = report["modes"].as_array().expect("a list");
    modes.iter().map(|m| (number(&m["real"]), number(&m["imaginary"]))).collect()
}

/// Each of the expected values is found, to the digits given.
fn assert_found(found: &[(f64, f64)], expected: &[(f64, f64)], digits: f64) {
    for &(real, imaginary) in expected {
        let size = real.hypot(imaginary);
        let near = |x: &&(f64, f64)| (x.0 - real).hypot(x.1 - imaginary) <= digits * size;
        assert!(found.iter().any(|x| near(&x)), "{real} {imaginary}: {found:?}");
    }
}

fn text(args: &[&str]) -> String {
    let ran = run(args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    ran.out
}

#[test]
fn a_stiff_double_pendulum() {
    insta::assert_snapshot!(text(&["modes", "models/double_pendulum_stiff.toml"]));
    let report = json(&["modes", "models/double_pendulum_stiff.toml", "--json"], "");
    let found = eigenvalues(&report);
    assert_eq!(found.len(), 3);
    assert_found(&found, &[(-9.987e4, 0.0), (-0.933, 7.118), (-5.793, 0.0)], 1e-4);
    assert_eq!(report["fastest_force"], "stiff_spring");
}

/// The header of the model: four leading eigenvalues in pairs, then the wheels.
#[test]
fn the_car_at_rest() {
    let report = json(&["modes", "models/hmmwv14_stiff.toml", "--at", "equilibrium", "--json"], "");
    let found = eigenvalues(&report);
    for (k, expected) in
        [2.538e5_f64, 2.538e5, 1.807e5, 1.807e5, 976.0, 972.0, 768.0, 760.0].iter().enumerate()
    {
        assert!((found[k].0 / -expected - 1.0).abs() < 1e-3, "{k}: {}", found[k].0);
        assert_eq!(found[k].1, 0.0);
    }
    assert_found(&found, &[(-72.7, 0.0), (-52.1, 8.1), (-40.0, 37.2), (-38.7, 33.4)], 2e-3);
    assert_eq!((&report["dof"], &report["zero_eigenvalues"]), (&18.into(), &6.into()));
    assert_eq!(
        report["free"],
        serde_json::json!([
            "translation of the whole mechanism along x",
            "translation of the whole mechanism along y",
            "rotation of the whole mechanism about z"
        ])
    );
    let count: usize = found.iter().map(|x| if x.1 > 0.0 { 2 } else { 1 }).sum();
    assert_eq!(count + 6, 36);
    assert!(found.iter().all(|x| x.0 < -1.0));
    let fastest = report["fastest_force"].as_str().expect("a name");
    assert!(fastest.starts_with('f') && fastest.ends_with(".bushing_up"), "{fastest}");
}

/// What is fast in the equations is what `check` says from masses and rates alone.
#[test]
fn time_constants_of_check_are_those_of_the_fastest_modes() {
    for model in ["models/hmmwv14_stiff.toml", "models/double_pendulum_stiff.toml"] {
        let listed = json(&["check", model, "--json"], "");
        let seconds = number(&listed["time_constants"][0]["seconds"]);
        let mode = json(&["modes", model, "--json", "--count", "1"], "");
        assert_eq!(mode["modes"].as_array().map(Vec::len), Some(1));
        let found = number(&mode["modes"][0]["time_constant"]);
        assert!((found / seconds - 1.0).abs() < 0.3, "{model}: {found} {seconds}");
    }
}

#[test]
fn a_pendulum_swings_without_damping() {
    insta::assert_snapshot!(text(&["modes", "models/pendulum.toml", "--at", "equilibrium"]));
    let report = json(&["modes", "models/pendulum.toml", "--at", "equilibrium", "--json"], "");
    let [(real, imaginary)] = eigenvalues(&report)[..] else { panic!("one pair: {report}") };
    assert!(real.abs() < 1e-12 && (imaginary - 9.81_f64.sqrt()).abs() < 1e-12, "{real} {imaginary}");
}

#[test]
fn a_driven_mechanism_has_no_modes() {
    let driven = crate::kinematics::driven_four_bar();
    let report = json(&["modes", "-", "--json"], &driven);
    assert_eq!((&report["dof"], report["modes"].as_array().map(Vec::len)), (&0.into(), Some(0)));
}

#[test]
fn there_is_no_equilibrium_to_linearise_at() {
    let ran = run(&["modes", "crates/kingpin-cli/tests/fixtures/float.toml", "--at", "equilibrium"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("no equilibrium: body `loose` is not supported"), "{}", ran.err);
    // but modes of the instant there are: all zero
    let report = json(&["modes", "crates/kingpin-cli/tests/fixtures/float.toml", "--json"], "");
    assert_eq!((&report["dof"], &report["zero_eigenvalues"]), (&6.into(), &12.into()));
}

#[test]
fn singular_positions_are_refused() {
    let ran = run(&["modes", "crates/kingpin-cli/tests/fixtures/flat.toml"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    insta::assert_snapshot!(ran.err);
}

/// The page of modes: a period of each, the slowest first, about the equilibrium.
#[test]
#[cfg(feature = "viewer")]
fn modes_move_on_a_page() {
    let dir = crate::run::folder("modes_page");
    let page = dir.join("modes.html");
    let path = page.to_str().expect("a path");
    let args = ["modes", "models/hmmwv14_stiff.toml", "--at", "equilibrium", "--report", path];
    let ran = run(&args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.ends_with("modes.html: 24 modes\n"), "{}", ran.out);
    let again = run(&args);
    assert!(again.code == 2 && again.err.contains("exists already"), "{}", again.err);

    let text = std::fs::read_to_string(&page).expect("the page");
    let from = text.find("id=\"kingpin-data\">").expect("data") + 18;
    let to = from + text[from..].find("</script>").expect("an end");
    let data: Value = serde_json::from_str(&text[from..to]).expect("JSON");
    let modes = data["modes"].as_array().expect("a list");
    assert_eq!(modes.len(), 24);
    assert!(
        modes[0]["name"].as_str().is_some_and(|name| name.contains("Hz, damping ratio")),
        "{}",
        modes[0]["name"]
    );
    assert!(modes[23]["name"].as_str().is_some_and(|name| name.starts_with("decays in")));
    assert_eq!(data["frames"], modes[0]["frames"]);
    assert_eq!(data["tables"][0]["title"], "Modes");
    assert_eq!(data["channels"].as_array().map(Vec::len), Some(14 * 7));
    for mode in modes {
        assert_eq!(mode["frames"]["count"], 25);
        assert_eq!(mode["frames"]["columns"].as_array().map(Vec::len), Some(14 * 7));
    }
}
