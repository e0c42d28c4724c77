//! Mistakes of a first day, of people who come from other programs: each is answered with a place, a reason and a cure.

use crate::run::{folder, root, run_in};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A pendulum to make mistakes in.
const MODEL: &str = r#"gravity = [0, 0, -9.81]

[parameters]
l = "1 m"

[[body]]
name = "bob"
mass = "1 kg"
inertia = [0.1, 0.1, 0.1]
position = ["l", 0, 0]

[[joint]]
type = "revolute"
name = "pin"
body1 = "ground"
body2 = "bob"
point2 = ["-l", 0, 0]
axis = [0, 1, 0]
"#;

/// What is typed.
enum Typed {
    /// A line of the model in place of another one.
    Line(&'static str, &'static str),
    /// Something behind the model.
    More(&'static str),
    /// Words behind `kingpin`; the model is `m.toml`.
    Words(&'static [&'static str]),
}

use Typed::{Line, More, Words};

const SIMULATION: &str = "gravity = [0, 0, -9.81]";

/// Where the mistake comes from, and what is typed.
const MISTAKES: &[(&str, Typed)] = &[
    // of anybody
    ("a table for a list", Line("[[body]]", "[body]")),
    ("two tables for a list", Line("[[joint]]", "[body]\nname = \"a\"\n[body]\nname = \"b\"\n[[joint]]")),
    ("semicolons of MATLAB", Line(SIMULATION, "gravity = [0; 0; -9.81]")),
    ("blanks of MATLAB", Line(SIMULATION, "gravity = [0 0 -9.81]")),
    ("a quantity without quotes", Line("mass = \"1 kg\"", "mass = 1 kg")),
    ("an expression without quotes", Line("mass = \"1 kg\"", "mass = 2*l")),
    ("a colon", Line("mass = \"1 kg\"", "mass: 1")),
    ("a flag in capitals", Line("mass = \"1 kg\"", "mass = 1\npoint = True")),
    ("a string that is open", Line("name = \"bob\"", "name = \"bob")),
    ("a number without a digit", Line("mass = \"1 kg\"", "mass = .5")),
    ("a unit mistake in a parameter", Line("l = \"1 m\"", "l = \"1 kg\"")),
    ("a unit mistake in a field", Line("mass = \"1 kg\"", "mass = \"1 m\"")),
    ("a unit that is none", Line("mass = \"1 kg\"", "mass = \"1 kgs\"")),
    ("an angle in degrees", Line("axis = [0, 1, 0]", "axis = [0, 1, 0]\nangle = 30")),
    ("a length in millimetres", Line("inertia = [0.1, 0.1, 0.1]", "inertia = [7500, 7500, 1]")),
    ("units of the whole file", Line(SIMULATION, "units = \"mm\"")),
    (
        "a joint at right angles",
        More(
            "[[marker]]\nname = \"a\"\nbody = \"bob\"\naxis = [1, 0, 0]\nposition = [\"-l\", 0, 0]\n\
        [[marker]]\nname = \"b\"\nbody = \"ground\"\naxis = [0, 1, 0]\n[[joint]]\ntype = \"revolute\"\nname = \"second\"\n\
        marker1 = \"b\"\nmarker2 = \"a\"\n",
        ),
    ),
    ("a value in two words", Words(&["run", "m.toml", "--set", "l=3", "m"])),
    ("an end before the beginning", Words(&["run", "m.toml", "--t-end", "-1"])),
    ("a velocity of a channel", Words(&["run", "m.toml", "--table", "bob.vel"])),
    (
        "a function of two",
        Words(&["sweep", "m.toml", "--vary", "l=[1,2] m", "--metric", "max(bob.x)*2 + last(bob.vx)"]),
    ),
    ("a value of a sweep", Words(&["sweep", "m.toml", "--vary", "l=[1,2] m", "--metric", "max(bob.vel)"])),
    ("no value of a sweep", Words(&["sweep", "m.toml", "--vary", "l=[1,2] m", "--metric", "bob.x"])),
    ("a model without a command", Words(&["m.toml"])),
    ("a file that is not there", Words(&["run", "pendulum.toml"])),
    ("a plot of a model", Words(&["plot", "m.toml", "bob.x"])),
    ("another word for run", Words(&["simulate", "m.toml"])),
    ("a step", Words(&["run", "m.toml", "--dt", "0.01"])),
    ("an end by another name", Words(&["run", "m.toml", "--end-time", "3"])),
    // Adams
    ("Adams: PART", More("[[part]]\nname = \"a\"\n")),
    ("Adams: SFORCE", More("[[sforce]]\nname = \"a\"\n")),
    ("Adams: MOTION", More("[[motion]]\nname = \"a\"\n")),
    ("Adams: REQUEST", More("[[request]]\nname = \"a\"\n")),
    ("Adams: I_MARKER", Line("body1 = \"ground\"", "i_marker = \"ground\"")),
    ("Adams: CM", Line("mass = \"1 kg\"", "mass = 1\ncm = [0, 0, 0]")),
    ("Adams: IP", Line("inertia = [0.1, 0.1, 0.1]", "ip = [0.1, 0.1, 0.1]")),
    ("Adams: ACCGRAV", Line(SIMULATION, "accgrav = [0, 0, -9.81]")),
    ("Adams: GSTIFF", More("[simulation]\nmethod = \"GSTIFF\"\n")),
    ("Adams: HMAX", More("[simulation]\nhmax = 0.01\n")),
    ("Adams: DTOUT", More("[simulation]\ndtout = 0.01\n")),
    (
        "Adams: STEP5",
        More(
            "[[driver]]\ntype = \"angle\"\nname = \"a\"\njoint = \"pin\"\nfunction = \"STEP5(t, 0, 0, 1, 1)\"\n",
        ),
    ),
    ("Adams: design variable", More("[design_variable]\nk = 3\n")),
    (
        "Adams: sgn",
        More(
            "[[force]]\ntype = \"torque\"\nname = \"f\"\nbody = \"bob\"\ndirection = [0, 1, 0]\nmagnitude = \"sgn(t)\"\n",
        ),
    ),
    // MuJoCo
    ("MuJoCo: worldbody", More("[worldbody]\nname = \"a\"\n")),
    ("MuJoCo: world", Line("body1 = \"ground\"", "body1 = \"world\"")),
    ("MuJoCo: geom", More("[[geom]]\ntype = \"sphere\"\n")),
    ("MuJoCo: contact", More("[[contact]]\nname = \"c\"\n")),
    ("MuJoCo: sensor", More("[[sensor]]\nname = \"c\"\n")),
    ("MuJoCo: hinge", Line("type = \"revolute\"", "type = \"hinge\"")),
    ("MuJoCo: slide", Line("type = \"revolute\"", "type = \"slide\"")),
    ("MuJoCo: ball", Line("type = \"revolute\"", "type = \"ball\"")),
    ("MuJoCo: free", Line("type = \"revolute\"", "type = \"free\"")),
    ("MuJoCo: timestep", More("[simulation]\ntimestep = 0.002\n")),
    ("MuJoCo: range", Line("axis = [0, 1, 0]", "axis = [0, 1, 0]\nrange = [-1, 1]")),
    ("MuJoCo: pos", Line("position = [\"l\", 0, 0]", "pos = [\"l\", 0, 0]")),
    ("MuJoCo: quat", Line("position = [\"l\", 0, 0]", "position = [\"l\", 0, 0]\nquat = [1, 0, 0, 0]")),
    ("MuJoCo: implicitfast", Words(&["run", "m.toml", "--method", "implicitfast"])),
    ("MuJoCo: keyframe", More("[keyframe]\nqpos = [0]\n")),
    // Drake
    ("Drake: prismatic", Line("type = \"revolute\"", "type = \"prismatic\"")),
    ("Drake: weld", Line("type = \"revolute\"", "type = \"weld\"")),
    ("Drake: parent", Line("body1 = \"ground\"", "parent = \"ground\"")),
    ("Drake: accuracy", More("[simulation]\naccuracy = 1e-4\n")),
    ("Drake: RK45", Words(&["run", "m.toml", "--method", "RK45"])),
    ("Drake: joint as a section", More("[[revolute]]\nname = \"a\"\n")),
    // Chrono
    ("Chrono: TSDA", More("[[force]]\ntype = \"TSDA\"\nname = \"s\"\nbody1 = \"ground\"\nbody2 = \"bob\"\n")),
    (
        "Chrono: spring constant",
        More(
            "[[force]]\ntype = \"spring\"\nname = \"s\"\nbody1 = \"ground\"\nbody2 = \"bob\"\npoint2 = [1, 0, 0]\nspring_constant = 10\n",
        ),
    ),
    ("Chrono: Euler implicit", More("[simulation]\nmethod = \"EULER_IMPLICIT_LINEARIZED\"\n")),
    ("Chrono: material", More("[[material]]\nname = \"steel\"\n")),
    // MBDyn
    ("MBDyn: initial value", More("[initial_value]\nfinal_time = 1\n")),
    ("MBDyn: rk4", More("[simulation]\nmethod = \"rk4\"\n")),
    ("MBDyn: final time", More("[simulation]\nfinal_time = 1\n")),
    // Exudyn
    ("Exudyn: GeneralizedAlpha", Words(&["run", "m.toml", "--method", "GeneralizedAlpha"])),
    ("Exudyn: number of steps", More("[simulation]\nnumberOfSteps = 100\n")),
    ("Exudyn: ObjectRigidBody", More("[[ObjectRigidBody]]\nname = \"a\"\n")),
    (
        "Simscape: angular velocity",
        Line("position = [\"l\", 0, 0]", "position = [\"l\", 0, 0]\nomega = [0, 1, 0]"),
    ),
];

#[test]
fn mistakes_of_a_first_day_are_answered() {
    assert_eq!(MISTAKES.len(), 75);
    let dir = folder("mistakes");
    let (mut said, mut unanswered) = (String::new(), Vec::new());
    for (name, typed) in MISTAKES {
        let (text, words): (String, &[&str]) = match typed {
            Line(old, new) => {
                assert!(MODEL.contains(old), "{name}");
                (MODEL.replacen(old, new, 1), &["check", "m.toml"])
            }
            More(more) => (format!("{MODEL}\n{more}"), &["check", "m.toml"]),
            Words(words) => (MODEL.into(), words),
        };
        fs::write(dir.join("m.toml"), text).expect("written");
        let ran = run_in(&dir, words);
        // a place is a line, or the word of the command that is wrong; a cure is said to be one
        let (place, cure) =
            (ran.err.contains(" --> ") || matches!(typed, Words(_)), ran.err.contains("help: "));
        let seen = ran.code != 0 || ran.err.contains("warning[");
        if !(place && cure && seen) {
            unanswered.push(*name);
        }
        writeln!(said, "## {name}: {}\n\n{}", ran.code, ran.err.trim_end()).expect("a string");
        said.push('\n');
    }
    insta::assert_snapshot!("mistakes", said);
    // quantities of two kinds that are added have no cure that holds for all
    assert_eq!(unanswered, ["a function of two"], "without place, reason or cure");
}

/// Codes between quotes behind a word in the sources of a folder.
fn codes(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            codes(&path, found);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        let text = text.split("mod tests").next().unwrap_or_default();
        for word in ["::warning(", " warn(", "::warn(", "code: "] {
            for (at, _) in text.match_indices(word) {
                let code = text[at + word.len()..]
                    .trim_start()
                    .strip_prefix('"')
                    .and_then(|rest| rest.split('"').next());
                found.extend(code.filter(|code| !code.is_empty()).map(String::from));
            }
        }
    }
}

#[test]
fn every_code_of_a_warning_is_documented() {
    let mut found = BTreeSet::new();
    for part in ["kingpin", "kingpin-io", "kingpin-cli"] {
        codes(&root().join("crates").join(part).join("src"), &mut found);
    }
    let page = fs::read_to_string(root().join("docs/warnings.md")).expect("a page");
    let rows = page.lines().filter(|line| line.starts_with("| `")).filter_map(|line| line.split('|').nth(1));
    let told: BTreeSet<String> =
        rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(String::from).collect();
    assert!(found.len() > 30, "{found:?}");
    assert_eq!(found, told);
}

#[test]
fn strict_commands_end_with_an_exit_code_where_they_warn() {
    let dir = folder("mistakes-strict");
    let warned = MODEL.replacen("l = \"1 m\"", "l = \"1 m\"\nunused = 3", 1);
    fs::write(dir.join("warned.toml"), warned).expect("written");
    fs::write(dir.join("good.toml"), MODEL).expect("written");
    for words in [
        &["check"][..],
        &["accel"],
        &["static"],
        &["modes"],
        &["run", "--t-end", "0.1", "--no-results"],
        &["sweep", "--vary", "l=[1,2] m", "--metric", "last(bob.x)", "--t-end", "0.1", "--json"],
    ] {
        for (model, strict, code) in
            [("good.toml", true, 0), ("warned.toml", false, 0), ("warned.toml", true, 1)]
        {
            let mut all = vec![words[0], model];
            all.extend(&words[1..]);
            all.extend(strict.then_some("--strict"));
            let ran = run_in(&dir, &all);
            assert_eq!(ran.code, code, "{all:?}: {}", ran.err);
            assert_eq!(
                ran.err.contains("warning[unused-parameter]"),
                model == "warned.toml",
                "{all:?}: {}",
                ran.err
            );
        }
    }
    let ran = run_in(&dir, &["check", "warned.toml", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["warnings"][0]["code"], "unused-parameter");
}
