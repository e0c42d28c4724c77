//! The same for elements that hold points, one end or both: every kind that accepts a place alone, and no other.

use super::common::{Random, base_model, random_ends, random_values};
use super::{SPACES, gauntlet_of, random_road};
use kingpin::element::driver::DriverKind;
use kingpin::element::force::{AppliedForce, ForceKind};
use kingpin::element::joint::JointKind;
use kingpin::element::measure::MeasureKind;
use kingpin::model::{Body, Ends, EndsKind, Function, Model, Space, Vec3};
use kingpin::system::System;

/// Two points among the bodies of the base, one of them numbered before a body; that one may be a scalar.
fn with_points(space: Space, scalar: bool, random: &mut Random) -> Model {
    let mut model = base_model(space, random);
    for (k, name) in [(1, "m"), (4, "n")] {
        let (mut position, mut velocity) = (random.vec3() * 2.0, random.vec3());
        if space == Space::Planar {
            (position.z, velocity.z) = (0.0, 0.0);
        }
        let mut body = Body::point(name, random.between(0.5, 3.0));
        if scalar && name == "m" {
            (position, velocity) = (Vec3::x() * position.x, Vec3::x() * velocity.x);
            body.scalar = true;
        }
        model.bodies.insert(k, Body { position, velocity, ..body });
    }
    model
}

/// Ends on two bodies; a point has no place but its own.
fn ends(kind: EndsKind, on: [&str; 2], space: Space, random: &mut Random) -> Ends {
    let mut ends = random_ends(kind, on, space, random);
    let is_point = |body: &str| body == "m" || body == "n";
    if is_point(on[0]) {
        (ends.point1, ends.axis1) = (None, None);
    }
    if is_point(on[1]) {
        (ends.point, ends.point2, ends.axis2) = (None, None, None);
    }
    // an axis on one end serves both
    if is_point(on[0])
        && is_point(on[1])
        && !matches!(kind, EndsKind::Points | EndsKind::OwnFrames | EndsKind::One)
    {
        ends.axis =
            Some(if space == Space::Planar { Vec3::new(0.6, 0.8, 0.0) } else { Vec3::new(0.6, 0.0, 0.8) });
    }
    ends
}

/// States of each way to hold each element.
const STATES: usize = 15;

/// Names that a function can use.
const SEEN: [&str; 7] = ["t", "gap", "gap.rate", "turn", "turn.rate", "seen", "seen.rate"];

/// Ways to hold points: frame and point, point and frame, two points, ground and point, point and ground.
const WAYS: [[&str; 2]; 5] = [["a", "m"], ["m", "a"], ["n", "m"], ["ground", "m"], ["m", "ground"]];

/// Which ways an element accepts; those go through the gauntlet, the others are told that they need axes. What holds a
/// point holds a scalar.
fn accepted(
    what: &str,
    kind: EndsKind,
    space: Space,
    mut add: impl FnMut(&mut Model, Ends, &mut Random),
) -> String {
    let [points, scalars] = [false, true].map(|scalar| accepts(what, kind, (space, scalar), &mut add));
    assert_eq!(points, scalars);
    points
}

fn accepts(
    what: &str,
    kind: EndsKind,
    (space, scalar): (Space, bool),
    mut add: impl FnMut(&mut Model, Ends, &mut Random),
) -> String {
    if kind == EndsKind::None {
        return String::new();
    }
    let mut accepted = Vec::new();
    for (number, on) in WAYS.into_iter().enumerate() {
        if kind == EndsKind::One && number != 0 {
            continue;
        }
        let mut random = Random::new(97 + number as u64);
        let mut build = |random: &mut Random| {
            let mut model = with_points(space, scalar, random);
            let ends = ends(kind, on, space, random);
            add(&mut model, ends, random);
            model
        };
        match System::compile(&build(&mut random)) {
            Ok(_) => {
                gauntlet_of(
                    if scalar { STATES / 3 } else { STATES },
                    &format!("{what} on {on:?} ({space:?}, {scalar})"),
                    &mut random,
                    build,
                );
                accepted.push(["fp", "pf", "pp", "gp", "pg"][number]);
            }
            Err(findings) => {
                let told = |text: &str| findings.iter().all(|f| f.message.contains(text));
                assert!(told("needs axes") || told("axis"), "{what} on {on:?}: {findings:#?}");
            }
        }
    }
    if accepted.is_empty() { String::new() } else { format!("{what}: {}", accepted.join(" ")) }
}

/// Compares which ways elements accept. Those of `with_axes` accept none; what is in neither list is new, and has been
/// through the gauntlet in the ways it accepts.
fn compare(lines: &[String], expected: &[String], with_axes: &[&str]) {
    let tag = |line: &str| line.split(':').next().unwrap_or_default().to_string();
    let known: Vec<String> = expected.iter().map(|line| tag(line)).collect();
    let is_known = |line: &&String| known.contains(&tag(line)) || with_axes.contains(&tag(line).as_str());
    assert_eq!(lines.iter().filter(is_known).collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
}

#[test]
fn joints_that_need_a_place_alone() {
    let list = |space: Space| -> Vec<String> {
        let fitting = JointKind::LIST.iter().filter(|e| (e.blank)().element().spaces().contain(space));
        let each = fitting.map(|entry| {
            accepted(entry.tag, (entry.blank)().element().ends(), space, |model, ends, random| {
                let mut values = random_values((entry.fields)(), space, random);
                model.joint("element", ends, (entry.build)(&mut values).expect("all fields"));
            })
        });
        each.filter(|line| !line.is_empty()).collect()
    };
    let all = ["fp pf pp gp pg", "fp gp"];
    let line = |tag: &str, ways: &str| format!("{tag}: {ways}");
    compare(
        &list(Space::Spatial),
        &[
            line("spherical", all[0]),
            line("distance", all[0]),
            line("revolute-spherical", all[1]),
            line("point-on-line", all[1]),
            line("point-in-plane", all[1]),
        ],
        &["fixed", "revolute", "translational", "cylindrical", "universal", "planar", "screw"],
    );
    compare(
        &list(Space::Planar),
        &[
            line("revolute", all[0]),
            line("distance", all[0]),
            line("pin-in-slot", all[1]),
            line("absolute-x", "fp"),
            line("absolute-y", "fp"),
        ],
        &["fixed", "translational", "absolute-angle"],
    );
}

#[test]
fn drivers_and_measures_of_places() {
    for space in SPACES {
        let lines: Vec<String> = (DriverKind::LIST.iter())
            .map(|entry| {
                let kind = (entry.blank)().element().ends();
                accepted(entry.tag, kind, space, |model, ends, random| {
                    let mut values = random_values((entry.fields)(), space, random);
                    let x = kingpin::model::value::Value::Text("x".into());
                    values.iter_mut().filter(|(name, _)| *name == "coordinate").for_each(|v| v.1 = x.clone());
                    model.driver("element", ends, (entry.build)(&mut values).expect("all fields"));
                })
            })
            .filter(|line| !line.is_empty())
            .collect();
        let expected = ["distance: fp pf pp gp pg", "coordinate: fp"].map(String::from);
        compare(&lines, &expected, &["angle", "displacement"]);
        let fitting = MeasureKind::LIST.iter().filter(|e| (e.blank)().element().spaces().contain(space));
        let lines: Vec<String> = fitting
            .map(|entry| {
                let kind = (entry.blank)().element().ends();
                accepted(entry.tag, kind, space, |model, ends, random| {
                    let mut values = random_values((entry.fields)(), space, random);
                    let x = kingpin::model::value::Value::Text("x".into());
                    let chosen =
                        ["x", "y", "z", "angle"].map(|word| kingpin::model::value::Value::Text(word.into()));
                    let lacking =
                        values.iter_mut().filter(|(name, value)| *name != "angle" && chosen.contains(value));
                    lacking.for_each(|v| v.1 = x.clone());
                    model.measure("seen", ends, (entry.build)(&mut values).expect("all fields"));
                    // a force that depends on it
                    let mut scope = kingpin::expr::Scope::new();
                    for (k, name) in SEEN.into_iter().enumerate() {
                        scope.variable(name, k as u32, None);
                    }
                    let rate = (entry.blank)().element().is_rate();
                    let text = if rate { "sin(seen)" } else { "sin(seen) + 0.4*seen.rate^2" };
                    let text = kingpin::expr::parse(text, &scope).expect("valid");
                    let force = AppliedForce {
                        magnitude: Function::Expr(text),
                        direction: Vec3::new(0.6, 0.8, 0.0),
                        body_fixed: false,
                    };
                    model.force("element", Ends { body: Some("n".into()), ..Ends::default() }, force);
                })
            })
            .filter(|line| !line.is_empty())
            .collect();
        compare(
            &lines,
            &expected,
            &["angle", "displacement", "rotation", "rotation-vector", "rotation-sequence", "attitude"],
        );
    }
}

#[test]
fn forces_that_need_a_place_alone() {
    for space in SPACES {
        let lines: Vec<String> = (ForceKind::LIST.iter())
            .map(|entry| {
                let kind = (entry.blank)().element().ends();
                accepted(entry.tag, kind, space, |model, ends, random| {
                    model.road("road", random_road(random));
                    let mut values = random_values((entry.fields)(), space, random);
                    let global = kingpin::model::value::Value::Flag(false);
                    values
                        .iter_mut()
                        .filter(|(name, _)| *name == "body_fixed")
                        .for_each(|v| v.1 = global.clone());
                    values.retain(|(name, _)| *name != "joint");
                    model.force("element", ends, (entry.build)(&mut values).expect("all fields"));
                })
            })
            .filter(|line| !line.is_empty())
            .collect();
        let both = |tag: &str| format!("{tag}: fp pf pp gp pg");
        let expected = [
            both("spring"),
            "force: fp".into(),
            "tyre: fp".into(),
            both("inerter"),
            both("bar"),
            both("cable"),
        ];
        compare(&lines, &expected, &["torsion-spring", "bushing", "torque"]);
    }
}
