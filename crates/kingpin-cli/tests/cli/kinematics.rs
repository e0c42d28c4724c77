//! `kingpin kinematics`.

use crate::run::{Ran, feed, json, root, run};
use serde_json::Value;

fn four_bar_with(driver: &str) -> String {
    let path = root().join("models/four_bar.toml");
    std::fs::read_to_string(path).expect("a model") + driver
}

/// The linkage with the motor of its header.
pub fn driven_four_bar() -> String {
    let motor = "type = \"angle\"\nname = \"motor\"\njoint = \"A\"\nmotion = \"phi + omega*t\"\n";
    four_bar_with(&format!("\n[[driver]]\n{motor}"))
}

fn series(report: &Value, name: &str) -> Vec<f64> {
    let list = report["series"][name].as_array().unwrap_or_else(|| panic!("{name} in {report}"));
    list.iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// The report without what differs between machines.
fn steady(ran: &Ran) -> String {
    let line = |line: &str| match line.split_once(" residual ") {
        Some((which, value)) => {
            assert!(value.trim().parse::<f64>().expect("a number") < 1e-7, "{line}");
            format!("{which} residual    (round-off)\n")
        }
        None => format!("{line}\n"),
    };
    ran.out.lines().map(line).collect()
}

#[test]
fn a_four_bar_with_a_motor() {
    let ran =
        feed(&["kinematics", "-", "--t-end", "0.3", "--frames", "10", "--no-results"], &driven_four_bar());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(steady(&ran));
}

/// A motion in pieces is followed on the piece of the instant, wherever frames fall.
#[test]
fn motions_in_pieces() {
    let motion = "phi + if(t < 0.103 s, omega*t, omega*0.103 s + omega/4*(t - 0.103 s))";
    let motor = format!("type = \"angle\"\nname = \"motor\"\njoint = \"A\"\nmotion = \"{motion}\"\n");
    let model = four_bar_with(&format!("\n[[driver]]\n{motor}"));
    let report = json(&["kinematics", "-", "--json", "--frames", "7", "--t-end", "0.3"], &model);
    let omega = 200.0 / 30.0 * std::f64::consts::PI;
    for (k, crank) in series(&report, "crank_angle").iter().enumerate() {
        let t = 0.3 * k as f64 / 7.0;
        let late = (t - 0.103).max(0.0);
        let phi = std::f64::consts::PI / 3.0 + omega * (t - late) + omega / 4.0 * late;
        assert!((crank - phi).abs() < 1e-10, "{t}: {crank} {phi}");
    }
    let rate = report["final"]["A.angle_rate"].as_f64().expect("a rate");
    assert!((rate - omega / 4.0).abs() < 1e-9, "{rate}");
}

/// The rocker angle in closed form, over many turns and few frames.
#[test]
fn positions_are_those_of_the_closed_form() {
    let report = json(&["kinematics", "-", "--json", "--frames", "7"], &driven_four_bar());
    let times: Vec<f64> =
        report["times"].as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
    assert_eq!((times.len(), times[7]), (8, 2.0));
    let (a, b, c, d) = (0.1_f64, 0.35_f64, 0.25_f64, 0.4_f64);
    for (t, (crank, rocker)) in
        times.iter().zip(series(&report, "crank_angle").iter().zip(series(&report, "rocker_angle")))
    {
        let phi = std::f64::consts::PI * (1.0 / 3.0 + 200.0 / 30.0 * t);
        let (x, y) = (a * phi.cos() - d, a * phi.sin());
        let diagonal = x.hypot(y);
        let psi = y.atan2(x) - ((diagonal * diagonal + c * c - b * b) / (2.0 * diagonal * c)).acos();
        // the angle of the ground pivot, counted from where it started
        let turns = ((rocker - psi) / std::f64::consts::TAU).round();
        assert!((crank - phi).abs() < 1e-10, "{t}: {crank} {phi}");
        assert!((rocker - psi - turns * std::f64::consts::TAU).abs() < 1e-10, "{t}: {rocker} {psi}");
        assert!(rocker > 1.67 && rocker < 2.50, "{t}: {rocker}");
    }
    assert!(report["position_residual"].as_f64().expect("a number") < 1e-11);
}

/// The power of the motor is what the energy grows by.
#[test]
fn the_motor_does_the_work() {
    let args = ["kinematics", "-", "--json", "--t-end", "0.3", "--frames", "3000"];
    let show = ["--channels", "energy.total", "--channels", "motor.t", "--channels", "crank.omega"];
    let report = json(&[&args[..], &show[..]].concat(), &driven_four_bar());
    let (energy, torque) = (series(&report, "energy.total"), series(&report, "motor.t"));
    let omega = series(&report, "crank.omega");
    let h = 0.3 / 3000.0;
    for k in 1..3000 {
        let power = (energy[k + 1] - energy[k - 1]) / (2.0 * h);
        assert!((power - torque[k] * omega[k]).abs() < 1e-3, "{k}: {power} {}", torque[k] * omega[k]);
    }
}

/// `final` is the last frame.
#[test]
fn the_final_values_are_those_of_the_end() {
    let report = json(&["kinematics", "-", "--json", "--t-end", "0.1"], &driven_four_bar());
    let last = series(&report, "rocker_angle").pop().expect("a frame");
    assert_eq!(report["final"]["rocker_angle"].as_f64(), Some(last));
    assert!(report["final"].as_object().expect("a map").len() > 40);
}

#[test]
fn what_is_free_is_counted() {
    let ran = run(&["kinematics", "models/four_bar.toml"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    insta::assert_snapshot!(ran.err);
    let ran = run(&["kinematics", "models/double_pendulum_stiff.toml", "--json"]);
    assert_eq!(ran.code, 1);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let message = report["errors"][0]["message"].as_str().expect("a message");
    assert!(message.starts_with("2 degrees of freedom are not driven"), "{message}");
}

/// The rocker cannot be driven beyond the position where crank and coupler are in line, 143.1301 deg.
#[test]
fn a_rocker_driven_too_far_locks() {
    let motor = "type = \"angle\"\nname = \"motor\"\njoint = \"D\"\nmotion = \"delta + omega_c*t\"\n";
    let model = four_bar_with(&format!("\n[[driver]]\n{motor}"));
    let ran = feed(&["kinematics", "-", "--frames", "10", "--no-results"], &model);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(format!("{}\n{}", ran.err, steady(&ran)));
    let after = ran.err.split("t = ").nth(1).and_then(|rest| rest.split(' ').next());
    let end: f64 = after.expect("a time").parse().expect("a number");
    let start = json(&["kinematics", "-", "--json", "--t-end", "0"], &model);
    let of = |name: &str| start["final"][name].as_f64().expect("a number");
    let limit = (143.130_102_354_f64.to_radians() - of("rocker_angle")) / of("rocker.omega");
    assert!((end - limit).abs() < 1e-6, "{end} {limit}");
}

#[test]
fn channels_and_times_are_checked() {
    let model = driven_four_bar();
    let ran = feed(&["kinematics", "-", "--channels", "crank.omeg"], &model);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    insta::assert_snapshot!(ran.err);
    let ran = feed(&["kinematics", "-", "--t-end=-1"], &model);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    for bad in [["--t-end", "soon"], ["--t-end", "inf"], ["--frames", "0"]] {
        assert_eq!(feed(&["kinematics", "-", bad[0], bad[1]], &model).code, 2, "{bad:?}");
    }
}
