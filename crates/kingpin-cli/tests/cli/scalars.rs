//! A mechanism of a frame, a scalar and a point through all commands.

use crate::run::{folder, json, root, run, run_in};

const MODEL: &str = "crates/kingpin-io/tests/good/scalar.toml";

#[test]
fn a_scalar_is_shown_where_it_is() {
    let check = run(&["check", MODEL]);
    assert_eq!((check.code, check.err.as_str()), (0, ""));
    let row = |text: &str| -> Vec<String> {
        let line =
            text.lines().find(|line| line.trim_start().starts_with("slider ")).expect("a row").to_string();
        line.split_whitespace().map(String::from).collect()
    };
    assert_eq!(row(&check.out), ["slider", "0.7", "0.6", "0", "0"]);
    let accel = json(&["accel", MODEL, "--json"], "");
    let slider = &accel["bodies"][1];
    assert_eq!(slider["name"], "slider");
    let along: Vec<f64> =
        slider["acceleration"].as_array().expect("a vector").iter().filter_map(|x| x.as_f64()).collect();
    assert!(along.len() == 3 && along[0] != 0.0 && along[1..] == [0.0, 0.0], "{along:?}");
    let shown = row(&run(&["accel", MODEL]).out);
    assert_eq!(shown[2..], ["0", "0", "0", "0", "0"]);
    let rest = run(&["static", MODEL]);
    assert_eq!(row(&rest.out)[2..4], ["0", "0"], "{}{}", rest.out, rest.err);
}

#[test]
fn its_motion_is_recorded_and_drawn() {
    let place = folder("scalars");
    let model = root().join(MODEL);
    let model = model.to_str().expect("a name");
    for words in [
        &["run", model, "--t-end", "0.2", "--quiet", "-o", "out", "--force"][..],
        &["export", "out", "--format", "gltf"],
        &["modes", model, "--at", "equilibrium"],
        &["topology", model],
    ] {
        let ran = run_in(&place, words);
        assert_eq!(ran.code, 0, "{words:?}\n{}{}", ran.out, ran.err);
    }
    let report = std::fs::read_to_string(place.join("out/report.html")).expect("a report");
    assert!(report.contains("slider"));
}
