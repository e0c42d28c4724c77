//! Random models and states for tests; deterministic.
#![allow(dead_code)]

pub mod flexible;
pub mod van_der_pol;

use kingpin::expr::{Curve, Extrapolate, Scope, parse};
use kingpin::model::describe::{Field, FieldValues, Kind, Range, Target};
use kingpin::model::value::Value;
use kingpin::model::{Body, Ends, EndsKind, Function, Mat3, Model, Orientation, Space, Vec3};
pub use kingpin_testing::Random;

/// An orientation by random Euler parameters.
pub fn random_orientation(random: &mut Random) -> Orientation {
    Orientation::EulerParameters([random.signed(), random.signed(), random.signed(), random.signed()])
}

/// A body with random mass properties and a random pose.
pub fn random_body(name: &str, space: Space, random: &mut Random) -> Body {
    let a = Mat3::from_fn(|_, _| random.signed());
    // a box of random mass points has a proper tensor: trace(S) I - S with S positive definite
    let s = a * a.transpose() + Mat3::identity() * 0.3;
    let mut body = Body {
        name: name.into(),
        mass: random.between(0.5, 3.0),
        inertia: Mat3::identity() * s.trace() - s,
        com: Some(random.vec3()),
        position: random.vec3() * 2.0,
        orientation: random_orientation(random),
        angle: random.signed() * 3.0,
        velocity: random.vec3(),
        angular_velocity: random.vec3(),
        ..Body::default()
    };
    if space == Space::Planar {
        for v in [&mut body.position, &mut body.velocity].into_iter().chain(&mut body.com) {
            v.z = 0.0;
        }
    }
    body
}

fn planar(mut v: Vec3, space: Space) -> Vec3 {
    if space == Space::Planar {
        v.z = 0.0;
    }
    v
}

/// Random ends on two bodies (one for elements with one end).
pub fn random_ends(kind: EndsKind, bodies: [&str; 2], space: Space, random: &mut Random) -> Ends {
    let mut point = || Some(planar(random.vec3(), space));
    match kind {
        EndsKind::None => Ends::default(),
        EndsKind::One => Ends { body: Some(bodies[1].into()), point: point(), ..Ends::default() },
        _ => {
            let places = Ends { point1: point(), point2: point(), ..Ends::bodies(bodies[0], bodies[1]) };
            let axes = match kind {
                EndsKind::Points | EndsKind::OwnFrames => (None, None),
                EndsKind::SpatialAxes if space == Space::Planar => (None, None),
                _ => (point(), point()),
            };
            Ends { axis1: axes.0, axis2: axes.1, ..places }
        }
    }
}

/// A value for every field of an element.
pub fn random_values(fields: &[Field], space: Space, random: &mut Random) -> FieldValues {
    let all = fields.iter().filter(|f| f.spaces.contain(space));
    all.filter_map(|f| random_value(f, space, random).map(|v| (f.name, v))).collect()
}

fn random_value(field: &Field, space: Space, random: &mut Random) -> Option<Value> {
    let number = |random: &mut Random| match field.range {
        Range::Any => random.signed(),
        _ => random.between(0.3, 2.0),
    };
    Some(match field.kind {
        Kind::Number(_) => Value::Number(number(random)),
        Kind::Vector(_) | Kind::Spin(_) => {
            let v = Vec3::new(number(random), number(random), number(random));
            Value::Vector(if matches!(field.kind, Kind::Vector(_)) { planar(v, space) } else { v })
        }
        Kind::Direction => Value::Vector(planar(random.vec3(), space)),
        Kind::Flag => Value::Flag(random.below(2) == 0),
        Kind::Count => Value::Count(1 + random.below(5)),
        Kind::Function { variables, measures, .. } => {
            let mut scope = Scope::new();
            let mut text = String::from("0.3");
            let names = variables
                .iter()
                .map(|v| v.0)
                .chain(["gap", "gap.rate", "turn", "turn.rate"].into_iter().filter(|_| measures));
            for (k, name) in names.enumerate() {
                scope.variable(name, k as u32, None);
                let (a, b) = (random.signed(), random.between(0.5, 1.5));
                text += &format!(" + {a:.3}*sin({b:.3}*{name}) + {b:.3}*{name}^2*{a:.3}");
            }
            Value::Function(Function::Expr(parse(&text, &scope).expect("a valid expression")))
        }
        Kind::Curve { .. } => {
            let y: Vec<f64> = [-5.0, -1.0, 0.5, 4.0].iter().map(|y| y * random.between(0.5, 1.5)).collect();
            let x = vec![-2.0, -0.4, 0.7, 2.1];
            Value::Curve(Curve::new(x, y, Extrapolate::Linear).expect("a valid curve"))
        }
        Kind::Refer(Target::Joint) => {
            let (turn, slide) = (["hinge1", "hinge2"], ["slide"]);
            let list: &[&str] = if field.name == "rack" || field.name == "slide" { &slide } else { &turn };
            let fixed = match field.name {
                "joint1" | "pinion" => "hinge1",
                "joint2" => "hinge2",
                "carrier" => "hinge3",
                _ => list[random.below(list.len())],
            };
            Value::Text(fixed.into())
        }
        Kind::Choice(words) => {
            let fits: Vec<_> = words
                .iter()
                .filter(|w| !matches!((**w, space), ("z", Space::Planar) | ("angle", Space::Spatial)))
                .collect();
            Value::Text(fits[random.below(fits.len())].to_string())
        }
        _ => return None,
    })
}

/// An actuator acts on a joint that slides, every other one between two points instead.
pub fn seat_actuator(tag: &str, values: &mut FieldValues, random: &mut Random) {
    if tag != "actuator" {
        return;
    }
    let between = random.below(2) == 0;
    values.retain(|(name, _)| !(between && *name == "joint"));
    for (name, value) in values {
        if *name == "joint" {
            *value = Value::Text("slide".into());
        }
    }
}

/// Three bodies with three hinges and a slide, for elements to be attached to; measures `gap` and `turn`.
pub fn base_model(space: Space, random: &mut Random) -> Model {
    use kingpin::element::joint::{Cylindrical, Revolute, Translational};
    use kingpin::element::measure::{MeasuredAngle, MeasuredDistance};
    let mut model = Model::new("base", space);
    for name in ["a", "b", "c"] {
        model.body(random_body(name, space, random));
    }
    model.gravity = planar(random.vec3() * 10.0, space);
    let ends = |random: &mut Random, kind, one, two| random_ends(kind, [one, two], space, random);
    let hinge = ends(random, EndsKind::SpatialAxes, "a", "b");
    model.joint("hinge1", hinge, Revolute {});
    let hinge = ends(random, EndsKind::SpatialAxes, "ground", "c");
    model.joint("hinge2", hinge, Revolute {});
    let slide = ends(random, EndsKind::Axes, "b", "c");
    if space == Space::Spatial {
        model.joint("slide", slide, Cylindrical {});
    } else {
        model.joint("slide", slide, Translational {});
    }
    let gap = ends(random, EndsKind::Points, "a", "c");
    model.measure("gap", gap, MeasuredDistance {});
    model.measure("turn", Ends::default(), MeasuredAngle { joint: "hinge1".into() });
    let hinge = ends(random, EndsKind::SpatialAxes, "ground", "a");
    model.joint("hinge3", hinge, Revolute {});
    model
}
