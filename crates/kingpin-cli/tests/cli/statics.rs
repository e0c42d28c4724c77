//! `kingpin equilibrium`.

use crate::run::{Ran, folder, json, run};
use serde_json::Value;
use std::process::Command;

const DROP: &str = "crates/kingpin-cli/tests/fixtures/drop.toml";
const FLOAT: &str = "crates/kingpin-cli/tests/fixtures/float.toml";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}

/// The report without what differs between machines.
fn steady(ran: Ran) -> String {
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let line = |line: &str| match line.trim_start().strip_prefix("residual  ") {
        Some(_) => "  residual             (round-off) m/s^2, largest acceleration\n".into(),
        None => format!("{line}\n"),
    };
    ran.out.lines().map(line).collect()
}

#[test]
fn a_pendulum_comes_to_hang() {
    insta::assert_snapshot!(steady(run(&["static", "models/pendulum.toml"])));
}

#[test]
fn a_pendulum_upright_is_unstable() {
    insta::assert_snapshot!(steady(run(&["static", "models/pendulum.toml", "--set", "start=90 deg"])));
    // the least disturbance, and it falls
    let report = json(&["static", "models/pendulum.toml", "--json", "--set", "start=90.001 deg"], "");
    assert_eq!(report["stable"], true);
    let angle = number(&report["final"]["rod.angle"]).to_degrees();
    assert!((angle - 270.0).abs() < 1e-9, "{angle}");
}

/// Ride height, wheel centres and tyre loads of the reference; the vehicle is free to roll, but does not.
#[test]
fn ride_height_of_the_car() {
    let report = json(&["static", "models/hmmwv14_stiff.toml", "--json"], "");
    let of = |name: &str| number(&report["final"][name]);
    for (name, expected, tolerance) in [
        ("chassis_z", 0.71, 1e-6),
        ("fl.wheel_z", 0.445011, 6e-7),
        ("fr.wheel_z", 0.445011, 6e-7),
        ("rl.wheel_z", 0.446334, 6e-7),
        ("rr.wheel_z", 0.446334, 6e-7),
        ("fl.tyre.force", 6515.99, 0.006),
        ("rr.tyre.force", 6123.82, 0.006),
        ("fl.spring.length", 0.258223, 1e-6),
        ("rl.spring.length", 0.316914, 1e-6),
        ("fr.shock.length", 0.384393, 6e-7),
        ("rr.shock.length", 0.375539, 6e-7),
    ] {
        assert!((of(name) - expected).abs() < tolerance, "{name}: {}", of(name));
    }
    let pitch = 2.0 * of("chassis.e2");
    assert!((pitch - 2.8e-7).abs() < 1e-8, "{pitch:e}");
    assert_eq!((&report["free_directions"], &report["stable"]), (&3.into(), &true.into()));
    assert!(number(&report["residual_acceleration"]) < 1e-6);
    // not moving, whatever the model says
    assert_eq!(of("chassis.vx"), 0.0);
}

/// Tyre loads carry the weight, wherever the car stands.
#[test]
fn the_soft_car_rests_too() {
    let report = json(&["static", "models/hmmwv14.toml", "--json"], "");
    let loads = ["fl", "fr", "rl", "rr"].map(|k| number(&report["final"][format!("{k}.tyre.force")]));
    let weight = 2576.924 * 9.81;
    assert!((loads.iter().sum::<f64>() / weight - 1.0).abs() < 1e-6, "{loads:?}");
}

/// It falls through air without stiffness until it meets the road.
#[test]
fn a_block_falls_onto_the_road() {
    for height in ["height=3 m", "height=0.45 m", "height=-1 m"] {
        let report = json(&["static", DROP, "--json", "--set", height], "");
        let deflection = number(&report["final"]["foot.deflection"]);
        assert!((deflection - 0.02).abs() < 1e-12, "{height}: {deflection}");
        assert_eq!(report["stable"], true);
    }
}

/// From straight out to straight down: far, with a stiffness that changes its sign on the way.
#[test]
fn a_long_chain_comes_to_hang() {
    let chain = run(&["generate", "chain", "--size", "60", "--space", "planar"]).out;
    let report = json(&["static", "-", "--json"], &chain);
    assert_eq!(report["stable"], true);
    assert!(report["iterations"].as_u64().expect("a count") < 60, "{}", report["iterations"]);
    for link in 1..=60 {
        let angle = number(&report["final"][format!("link{link}.angle")]).to_degrees();
        assert!((angle + 90.0).abs() < 1e-6, "{link}: {angle}");
    }
}

/// In space and in the plane the squeezing mechanism comes to rest in the same place.
#[test]
fn two_models_of_one_mechanism_agree() {
    let length = |model: &str| number(&json(&["static", model, "--json"], "")["final"]["spring.length"]);
    let (planar, spatial) = (length("models/andrews.toml"), length("models/andrews_spatial.toml"));
    assert!((planar - spatial).abs() < 1e-10, "{planar} {spatial}");
}

#[test]
fn a_driven_mechanism_stays_where_the_driver_is() {
    let driven = crate::kinematics::driven_four_bar();
    let report = json(&["static", "-", "--json"], &driven);
    assert_eq!(report["iterations"], 0);
    assert!((number(&report["final"]["crank_angle"]).to_degrees() - 60.0).abs() < 1e-10);
    // the motor holds the weight of the bars: its torque is the derivative of their energy
    let energy = |degrees: &str| {
        let turned = json(&["static", "-", "--json", "--set", &format!("phi={degrees} deg")], &driven);
        number(&turned["final"]["energy.potential"])
    };
    let slope = (energy("60.01") - energy("59.99")) / 0.02_f64.to_radians();
    let torque = number(&report["final"]["motor.t"]);
    assert!((torque / slope - 1.0).abs() < 1e-6, "{torque} {slope}");
}

#[test]
fn a_body_that_nothing_holds_is_named() {
    let ran = run(&["static", FLOAT]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    insta::assert_snapshot!(ran.err);
    let ran = run(&["static", FLOAT, "--json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(ran.code, 1);
    assert!(report["errors"][0]["message"].as_str().expect("a message").contains("`loose`"));
}

/// Matrices that do not fit into memory are named before any memory is asked for.
#[test]
fn what_does_not_fit_into_memory_is_said() {
    let folder = folder("memory");
    let file = folder.join("box.toml");
    std::fs::write(&file, run(&["generate", "box", "--size", "2"]).out).expect("a file");
    let limited = |bytes: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kingpin"));
        command.args(["static", "box.toml", "--matrices", "sparse"]);
        command.current_dir(&folder).env("KINGPIN_MEMORY", bytes).env("NO_COLOR", "1");
        command.output().expect("the command ends")
    };
    let refused = limited("5000000");
    assert_eq!(refused.status.code(), Some(1));
    insta::assert_snapshot!(String::from_utf8_lossy(&refused.stderr));
    assert_eq!(limited("50000000").status.code(), Some(0));
}

/// A shallow truss snaps through: loads fall before they grow again.
#[test]
fn loads_are_followed_past_where_it_snaps() {
    let fixture = "crates/kingpin-cli/tests/fixtures/shallow.toml";
    let ran = run(&["static", fixture, "--load-path"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("at 0.381087 times the loads it snaps, and mostly `top` moves"), "{}", ran.out);
    assert!(ran.out.contains("at -0.381087 times the loads it snaps"), "{}", ran.out);
    let report = json(&["static", fixture, "--load-path", "--json"], "");
    assert_eq!(report["end"], "reached");
    let points = report["points"].as_array().expect("points");
    let kinds: Vec<&str> =
        points.iter().filter_map(|p| p["kind"].as_str()).filter(|k| *k != "regular").collect();
    assert_eq!(kinds, ["limit", "limit"]);
    let last = points.last().expect("a point");
    assert_eq!((number(&last["factor"]), &last["unstable_directions"]), (1.0, &0.into()));
    assert!((number(&last["measures"]["top_y"]) + 0.132958).abs() < 1e-6, "{last}");
    let ran = run(&["static", fixture, "--load-path", "--to", "0"]);
    assert_eq!((ran.code, ran.err.as_str()), (2, "error: the load factor `--to` must be a nonzero number\n"));
}
