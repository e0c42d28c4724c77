//! Inverse dynamics: what actuators must do for a motion, and that they produce it.

use crate::run::{feed, folder, root, run_in};
use std::path::{Path, PathBuf};

const CYLINDERS: &str = "boom_cylinder,arm_cylinder,bucket_cylinder";

/// The excavator of the gallery in a folder of its own.
fn excavator(name: &str) -> PathBuf {
    let place = folder(name);
    for entry in std::fs::read_dir(root().join("docs/gallery")).expect("machines") {
        let path = entry.expect("a machine").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("excavator") {
            std::fs::copy(&path, place.join(name)).expect("copied");
        }
    }
    place
}

/// A table of results: names without units, and rows.
fn table(path: &Path) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let mut lines = text.lines();
    let name = |cell: &str| cell.split(" [").next().unwrap_or_default().to_string();
    let names = lines.next().expect("a heading").split(',').map(name).collect();
    let row = |line: &str| line.split(',').map(|x| x.parse().expect("a number")).collect();
    (names, lines.map(row).collect())
}

fn column(table: &(Vec<String>, Vec<Vec<f64>>), name: &str) -> Vec<f64> {
    let k = table.0.iter().position(|own| own == name).unwrap_or_else(|| panic!("{name} in {:?}", table.0));
    table.1.iter().map(|row| row[k]).collect()
}

/// The greatest distance of the tip from its path, by the formulas of the model.
fn miss(place: &Path, results: &str) -> f64 {
    let table = table(&place.join(results).join("results.csv"));
    let deg = std::f64::consts::PI / 180.0;
    let along = |f: fn(f64) -> f64| 4.5 * f(40.0 * deg) + 2.2 * f(-70.0 * deg) + 1.1 * f(-110.0 * deg);
    let (x, y) = (along(f64::cos), along(f64::sin));
    let mut far = 0.0_f64;
    let tips = column(&table, "tip_x").into_iter().zip(column(&table, "tip_y"));
    for (t, (tip_x, tip_y)) in column(&table, "time").into_iter().zip(tips) {
        let part = 0.5 * (1.0 - (std::f64::consts::PI * t / 4.0).cos());
        far = far.max((tip_x - x + 1.2 * part).hypot(tip_y - y + 0.6 * part));
    }
    assert!(table.1.len() > 100);
    far
}

/// Path in, strokes and forces out, put back as tables: the tip follows.
#[test]
fn an_excavator_follows_its_path() {
    let place = excavator("inverse-excavator");
    let args = ["kinematics", "excavator_path.toml", "--actuators", CYLINDERS];
    let ran = run_in(&place, &args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(crate::run::steady(&ran.out));
    assert!(miss(&place, "excavator_path-kinematics") < 1e-11);
    // the table that the gallery holds is this one
    let (new, kept) = (
        table(&place.join("excavator_path-kinematics/actuators.csv")),
        table(&place.join("excavator_actuators.csv")),
    );
    assert_eq!(new.0, kept.0);
    for (k, name) in new.0.iter().enumerate() {
        let most = kept.1.iter().map(|row| row[k].abs()).fold(0.0, f64::max);
        let differ = new.1.iter().zip(&kept.1).map(|(a, b)| (a[k] - b[k]).abs()).fold(0.0, f64::max);
        assert!(differ < 1e-9 * most, "{name}: {differ}");
    }
    std::fs::copy(
        place.join("excavator_path-kinematics/actuators.csv"),
        place.join("excavator_actuators.csv"),
    )
    .expect("copied");
    for (model, most) in [("excavator_strokes", 1e-8), ("excavator_forces", 5e-7)] {
        let ran = run_in(&place, &["run", &format!("{model}.toml"), "--quiet", "--frame", "0.007"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{model}");
        let far = miss(&place, &format!("{model}-results"));
        assert!(far < most, "{model}: {far}");
    }
}

/// Drivers with motions of their own give way, and the powers of actuators are what the energy grows by.
#[test]
fn drivers_give_way_and_do_the_work() {
    let place = excavator("inverse-drivers");
    let path = std::fs::read_to_string(place.join("excavator_path.toml")).expect("a model");
    let (head, rest) = path.split_once("# they do nothing").expect("cylinders");
    let (_, settings) = rest.split_once("[simulation]").expect("settings");
    let head = head.replace("excavator_machine.toml", "excavator.toml");
    std::fs::write(place.join("both.toml"), format!("{head}\n[simulation]\n{settings}")).expect("written");
    let args = ["kinematics", "both.toml", "--actuators", CYLINDERS, "--motions", "path_x,path_y,path_angle"];
    let ran = run_in(&place, &[&args[..], &["--frames", "400"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let both = table(&place.join("both-kinematics/results.csv"));
    let energy = column(&both, "energy.total");
    let names: Vec<&str> = CYLINDERS.split(',').collect();
    let powers: Vec<Vec<f64>> = names.iter().map(|name| column(&both, &format!("{name}.power"))).collect();
    for k in 1..400 {
        let (rate, power) =
            ((energy[k + 1] - energy[k - 1]) / 0.02, powers.iter().map(|p| p[k]).sum::<f64>());
        assert!((rate - power).abs() < 0.2, "{k}: {rate} {power}");
    }
    // drivers of the path exert nothing
    assert!(column(&both, "path_x.force").iter().all(|force| force.abs() < 1e-6));
    // and the same forces come out as with actuators in the file
    let ran =
        run_in(&place, &["kinematics", "excavator_path.toml", "--actuators", CYLINDERS, "--frames", "400"]);
    assert_eq!(ran.code, 0);
    let other = table(&place.join("excavator_path-kinematics/actuators.csv"));
    for name in names {
        for what in ["force", "stroke", "speed"] {
            let name = format!("{name}.{what}");
            let pairs = column(&both, &name).into_iter().zip(column(&other, &name));
            assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-7), "{name}");
        }
    }
    // results are there already, and are kept
    let ran = run_in(&place, &["kinematics", "excavator_path.toml", "--actuators", CYLINDERS]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("use `--force` to replace them"), "{}", ran.err);
}

const ARM: &str = r#"name = "arm"
space = "planar"
gravity = [0, -9.81]

[[body]]
name = "upper"
mass = 2
inertia = 0.2
com = [0.5, 0]

[[body]]
name = "lower"
mass = 1
inertia = 0.1
com = [0.5, 0]
position = [1, 0]
angle = "-90 deg"

[[joint]]
type = "revolute"
name = "shoulder"
body1 = "ground"
body2 = "upper"

[[joint]]
type = "revolute"
name = "elbow"
body1 = "upper"
point1 = [1, 0]
body2 = "lower"

[[driver]]
type = "coordinate"
name = "hand_x"
body = "lower"
point = [1, 0]
coordinate = "x"
motion = "1 m + 0.2 m*sin(2*t/(1 s))"

[[driver]]
type = "coordinate"
name = "hand_y"
body = "lower"
point = [1, 0]
coordinate = "y"
motion = "-1 m"

[[force]]
type = "motor"
name = "m1"
joint = "shoulder"
torque = 0

[[force]]
type = "motor"
name = "m2"
joint = "elbow"
torque = "gain*current"

[[force]]
type = "motor"
name = "m3"
joint = "elbow"
torque = 0

[[force]]
type = "torsion-spring"
name = "soft"
joint = "elbow"
stiffness = 5

[[input]]
name = "current"

[parameters]
gain = 4

[simulation]
t_end = 1
"#;

/// Static torques of an arm, by hand: weights and the spring about the joints; an input behind a gain.
#[test]
fn torques_of_an_arm_are_those_of_statics() {
    let still =
        ARM.replace("0.2 m*sin(2*t/(1 s))", "0 m").replace("stiffness = 5", "stiffness = 5\nrest_angle = 0");
    let args = [
        "kinematics",
        "-",
        "--json",
        "--actuators",
        "m1,current",
        "--channels",
        "m1.torque",
        "--channels",
        "m2.torque",
    ];
    let report = crate::run::json(&args, &still);
    let of = |name: &str| report["final"][name].as_f64().expect("a number");
    // the lower arm hangs: its weight acts at the elbow; the spring draws it by 5 N*m/rad * 90 deg
    let elbow = 5.0 * -std::f64::consts::FRAC_PI_2;
    assert!((of("m1.torque") - 9.81 * (2.0 * 0.5 + 1.0)).abs() < 1e-9, "{}", of("m1.torque"));
    assert!((of("m2.torque") - elbow).abs() < 1e-9, "{}", of("m2.torque"));
    assert!(of("hand_x.force").abs() < 1e-9 && of("hand_y.force").abs() < 1e-9);
    assert!(of("m1.stroke").abs() < 1e-15 && (of("m2.stroke") + std::f64::consts::FRAC_PI_2).abs() < 1e-12);
}

/// What cannot produce a motion is told by name.
#[test]
fn what_cannot_produce_a_motion_is_told() {
    let mut said = String::new();
    for by in ["m1", "m1,m2,m3", "m2,m3", "m1,m4", "m1,soft", "m1,m1", "m1,hand_x", "shoulder,m1"] {
        let ran = feed(&["kinematics", "-", "--no-results", "--actuators", by], ARM);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{by}");
        said += &format!("--actuators {by}\n{}\n", ran.err);
    }
    let ran =
        feed(&["kinematics", "-", "--no-results", "--actuators", "m1,m2", "--motions", "hand_x,hand"], ARM);
    assert_eq!(ran.code, 1);
    said += &ran.err;
    insta::assert_snapshot!(said);
    // motions without actuators are a slip of the command line
    assert_eq!(feed(&["kinematics", "-", "--motions", "hand_x"], ARM).code, 2);
}
