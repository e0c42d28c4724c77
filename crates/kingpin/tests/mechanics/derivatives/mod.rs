//! Every derivative of every element against dual numbers, at random states away from the constraints.

mod beams;
mod cells;
mod checks;
use crate::common;
mod dense;
mod floating;
mod points;
mod readings;

use checks::{check_constraints, check_forces, check_velocity_form, instant, work_at};
use common::{Random, base_model, random_body, random_ends, random_values};
use kingpin::element::driver::DriverKind;
use kingpin::element::force::{AppliedForce, ForceKind};
use kingpin::element::joint::JointKind;
use kingpin::element::measure::MeasureKind;
use kingpin::element::road::{BumpRoad, ExpressionRoad, RoadKind, TableRoad};
use kingpin::element::switch::Gauge;
use kingpin::expr::{Curve, Extrapolate, Scope, parse};
use kingpin::model::controller::{Pid, StateSpace};
use kingpin::model::list::ElementEntry;
use kingpin::model::{
    EndsKind, Event, Fitting, Fittings, Function, Marker, Model, Space, StateVariable, Vec3,
};
use kingpin::system::System;

const STATES: usize = 100;

/// The gauntlet: a model with one more element, at many states.
fn gauntlet(what: &str, random: &mut Random, build: impl FnMut(&mut Random) -> Model) {
    gauntlet_of(STATES, what, random, build);
}

fn gauntlet_of(states: usize, what: &str, random: &mut Random, mut build: impl FnMut(&mut Random) -> Model) {
    for round in 0..states {
        let model = build(random);
        let (system, _) = System::compile(&model).unwrap_or_else(|e| panic!("{what}: {e:#?}"));
        let what = format!("{what}, state {round}");
        let x = instant(&system, random);
        let mut work = work_at(&system, &x);
        let mut d = system.derivatives();
        system.evaluate_derivatives(&work, &x.qddot, &x.lam, &mut d);
        check_constraints(&system, &what, &x, &work, &d);
        for pieces in combinations(&system) {
            work.pieces.copy_from_slice(&pieces);
            let what = format!("{what}, pieces {pieces:?}");
            system.evaluate_derivatives(&work, &x.qddot, &x.lam, &mut d);
            check_forces(&system, &what, &x, &work, &d);
            check_velocity_form(&system, &what, &pieces, random);
        }
    }
}

/// All combinations of pieces of all switches.
fn combinations(system: &System) -> Vec<Vec<u8>> {
    let mut all = vec![vec![]];
    for switch in &system.switches {
        let pieces = if matches!(switch.gauge, Gauge::Contact(_) | Gauge::Taut(_) | Gauge::Stop(_)) {
            0..2
        } else {
            0..3
        };
        all = all
            .iter()
            .flat_map(|some: &Vec<u8>| pieces.clone().map(|p| [&some[..], &[p]].concat()))
            .collect();
    }
    all
}

fn bodies(random: &mut Random) -> [&'static str; 2] {
    [["a", "b"], ["ground", "b"], ["b", "ground"], ["c", "a"]][random.below(4)]
}

const SPACES: [Space; 2] = [Space::Planar, Space::Spatial];

#[test]
fn every_joint() {
    for space in SPACES {
        for entry in JointKind::LIST {
            let blank = (entry.blank)();
            if !blank.element().spaces().contain(space) {
                continue;
            }
            let mut random = Random::new(17);
            gauntlet(&format!("joint {} ({space:?})", entry.tag), &mut random, |random| {
                let mut model = base_model(space, random);
                let mut values = random_values((entry.fields)(), space, random);
                let kind = (entry.build)(&mut values).expect("all fields");
                let mut on = bodies(random);
                if blank.element().ends() == kingpin::model::EndsKind::One {
                    on = ["a", "b"];
                }
                let ends = random_ends(kind.element().ends(), on, space, random);
                model.joint("element", ends, kind);
                model
            });
        }
    }
}

/// Springs, dampers and stops on all coordinates that joints leave free.
#[test]
fn every_fitting() {
    for space in SPACES {
        for entry in JointKind::LIST {
            let blank = (entry.blank)();
            let coordinates = blank.element().coordinates();
            if !blank.element().spaces().contain(space) || coordinates.is_empty() {
                continue;
            }
            let mut random = Random::new(29);
            gauntlet_of(10, &format!("fitted {} ({space:?})", entry.tag), &mut random, |random| {
                let mut model = base_model(space, random);
                let kind =
                    (entry.build)(&mut random_values((entry.fields)(), space, random)).expect("all fields");
                let ends = random_ends(kind.element().ends(), ["c", "a"], space, random);
                let values = random_values(&Fitting::fields_for(coordinates), space, random);
                let mut fittings = Fittings::from_values(coordinates, &values).expect("all fields");
                for own in [&mut fittings.angle, &mut fittings.displacement] {
                    own.stops_max = own.stops_min.map(|min| min + 0.3);
                    own.stops_restitution = Some(0.5);
                    own.friction_static = own.friction_coefficient.map(|mu| mu + 0.1);
                    // stops yield or are rigid, friction is smooth or sticks
                    if random.below(2) == 0 {
                        own.stops_restitution = None;
                    } else {
                        (own.stops_stiffness, own.stops_damping, own.friction_smooth) = (None, None, None);
                    }
                }
                fittings.displacement.friction_radius = None;
                // one coordinate at a time, lest there are too many combinations
                let other =
                    if random.below(2) == 0 { &mut fittings.angle } else { &mut fittings.displacement };
                if coordinates.len() > 1 {
                    *other = Fitting::default();
                }
                model.joint("element", ends, kind).fit(fittings);
                model
            });
        }
    }
}

#[test]
fn every_driver() {
    for space in SPACES {
        for entry in DriverKind::LIST {
            let mut random = Random::new(23);
            gauntlet(&format!("driver {} ({space:?})", entry.tag), &mut random, |random| {
                let mut model = base_model(space, random);
                let mut values = random_values((entry.fields)(), space, random);
                for (name, value) in &mut values {
                    if *name == "joint" {
                        let joint = if entry.tag == "displacement" { "slide" } else { "hinge1" };
                        *value = kingpin::model::value::Value::Text(joint.into());
                    }
                }
                let kind = (entry.build)(&mut values).expect("all fields");
                let ends = random_ends(kind.element().ends(), ["c", "a"], space, random);
                model.driver("element", ends, kind);
                model
            });
        }
    }
}

#[test]
fn every_force() {
    for space in SPACES {
        for entry in ForceKind::LIST {
            let mut random = Random::new(31);
            gauntlet(&format!("force {} ({space:?})", entry.tag), &mut random, |random| {
                let mut model = base_model(space, random);
                model.road("road", random_road(random));
                let mut values = random_values((entry.fields)(), space, random);
                common::seat_actuator(entry.tag, &mut values, random);
                let kind = (entry.build)(&mut values).expect("all fields");
                let on_joint = values_have_joint(&kind);
                let ends_kind = kind.element().ends();
                let on = if ends_kind == kingpin::model::EndsKind::One { ["a", "b"] } else { bodies(random) };
                let ends =
                    if on_joint { Default::default() } else { random_ends(ends_kind, on, space, random) };
                model.force("element", ends, kind);
                model
            });
        }
    }
}

#[test]
fn every_measure() {
    for space in SPACES {
        for entry in MeasureKind::LIST {
            let (kind, spaces) = ((entry.blank)().element().ends(), (entry.blank)().element().spaces());
            // those of joints are in the base
            if kind == EndsKind::None || !spaces.contain(space) {
                continue;
            }
            let mut random = Random::new(37);
            gauntlet_of(40, &format!("measure {} ({space:?})", entry.tag), &mut random, |random| {
                // some start in the singular position of a sequence
                let models = (0..20).map(|_| seen(entry, space, random));
                models.into_iter().find(|model| System::compile(model).is_ok()).expect("a sound model")
            });
        }
    }
}

/// A model with a measure that a force depends on.
fn seen(entry: &ElementEntry<MeasureKind>, space: Space, random: &mut Random) -> Model {
    let kind = (entry.blank)().element().ends();
    let mut model = base_model(space, random);
    let mut values = random_values((entry.fields)(), space, random);
    let text = |word: &str| kingpin::model::value::Value::Text(word.into());
    // what the plane does not have
    let (z, angle) = (text("z"), text("angle"));
    let other = |value: &kingpin::model::value::Value| *value == z || *value == angle;
    let lacking = values.iter_mut().filter(|(name, value)| *name != "angle" && other(value));
    lacking.for_each(|v| v.1 = text("x"));
    // components along the axes of a third body, or of a marker there
    if (entry.fields)().iter().any(|field| field.name == "axes") {
        let body = ["ground", "a", "b", "c"][random.below(4)];
        let place = random_body("", space, random);
        let orientation = (space == Space::Spatial).then_some(place.orientation);
        let (name, position, angle) = ("third".into(), place.position, place.angle);
        model.marker(Marker { name, body: body.into(), position, orientation, angle, ..Marker::default() });
        values.push([("axes", text(body)), ("axes_marker", text("third"))][random.below(2)].clone());
    }
    let on = if kind == EndsKind::One { ["a", "b"] } else { bodies(random) };
    let ends = random_ends(kind, on, space, random);
    model.measure("seen", ends, (entry.build)(&mut values).expect("all fields"));
    let mut scope = Scope::new();
    let names = ["t", "gap", "gap.rate", "turn", "turn.rate", "seen", "seen.rate"];
    for (k, name) in names.into_iter().enumerate() {
        scope.variable(name, k as u32, None);
    }
    let rate = (entry.blank)().element().is_rate();
    let text = if rate { "sin(seen) + 0.4*seen^2" } else { "sin(seen) + 0.4*seen.rate^2" };
    let text = parse(text, &scope).expect("valid");
    let (magnitude, direction) = (Function::Expr(text), Vec3::new(0.6, 0.8, 0.0));
    let force = AppliedForce { magnitude, direction, body_fixed: false };
    model.force("element", random_ends(EndsKind::One, ["a", "c"], space, random), force);
    model
}

fn values_have_joint(kind: &ForceKind) -> bool {
    kind.values().iter().any(|(name, _)| *name == "joint")
}

fn random_road(random: &mut Random) -> RoadKind {
    match random.below(3) {
        // wheels are on it, beside it, and where the tangent takes over from the arc
        0 => BumpRoad { centre: 0.0, radius: random.between(0.3, 2.0), wheel_radius: 0.5 }.into(),
        1 => {
            let y = random.vector(5);
            let x = vec![-3.0, -1.0, 0.2, 1.5, 3.0];
            TableRoad { points: Curve::new(x, y, Extrapolate::Linear).expect("a valid curve") }.into()
        }
        _ => {
            let mut scope = Scope::new();
            scope.variable("x", 0, None);
            let height = Function::Expr(parse("0.2*sin(3*x) + 0.1*x", &scope).expect("valid"));
            ExpressionRoad { height }.into()
        }
    }
}

#[test]
fn forces_that_events_switch() {
    for (space, direction) in SPACES.into_iter().zip(["any", "falling"]) {
        let mut random = Random::new(41);
        gauntlet(&format!("{direction} event ({space:?})"), &mut random, |random| {
            let mut model = base_model(space, random);
            let function = |text: &str| {
                let mut scope = Scope::new();
                let names = ["t", "gap", "gap.rate", "turn", "turn.rate", "early", "on"];
                for (k, name) in names.into_iter().enumerate() {
                    scope.variable(name, k as u32, None);
                }
                Function::Expr(parse(text, &scope).expect("valid"))
            };
            let event = |name: &str, when: &str, action: &str| Event {
                name: name.into(),
                when: function(when),
                direction: direction.into(),
                action: action.into(),
            };
            model.event(event("early", "0.1 - t", "note"));
            model.event(event("on", "gap.rate - turn", "switch"));
            let magnitude = function("(1 + 3*on)*gap*turn.rate + sin(t)*on");
            let (direction, body_fixed) = (Vec3::new(0.6, 0.8, 0.0), random.below(2) == 0);
            let ends = random_ends(EndsKind::One, ["a", "b"], space, random);
            model.force("element", ends, AppliedForce { magnitude, direction, body_fixed });
            model
        });
    }
}

/// States, a force that reads them, and controllers with states of their own behind outputs that others read.
#[test]
fn states_and_controllers() {
    for space in SPACES {
        let mut random = Random::new(53);
        gauntlet(&format!("states ({space:?})"), &mut random, |random| {
            let mut model = base_model(space, random);
            let function = |text: &str| {
                let mut scope = Scope::new();
                let names = [
                    "t",
                    "gap",
                    "gap.rate",
                    "turn",
                    "turn.rate",
                    "x",
                    "y",
                    "pid",
                    "plant.left",
                    "plant.right",
                ];
                for (k, name) in names.into_iter().enumerate() {
                    scope.variable(name, k as u32, None);
                }
                Function::Expr(parse(text, &scope).expect("valid"))
            };
            let state = |name: &str, rate: &str| StateVariable {
                name: name.into(),
                rate: function(rate),
                initial: 0.3,
                ..StateVariable::default()
            };
            model.state(state("x", "sin(x)*gap + y*turn.rate - 0.2*plant.left"));
            model.state(state("y", "x*y - gap.rate^2 + cos(t)"));
            let pid = Pid {
                input: function("turn + 0.1*x"),
                setpoint: function("sin(t)"),
                kp: 2.0,
                ki: 3.0,
                kd: 0.5,
                filter: 0.3,
                ..Pid::default()
            };
            model.controller("pid", pid);
            let plant = StateSpace {
                inputs: vec![function("pid"), function("gap*y")],
                outputs: vec!["left".into(), "right".into()],
                a: vec![vec![-1.0, 2.0], vec![0.5, -3.0]],
                b: vec![vec![1.0, 0.0], vec![0.3, -1.0]],
                c: vec![vec![1.0, 0.0], vec![-2.0, 1.0]],
                d: Some(vec![vec![0.0, 0.4], vec![0.7, 0.0]]),
                ..StateSpace::default()
            };
            model.controller("plant", plant);
            let magnitude = function("x^2*turn + plant.right*gap.rate + pid*y");
            let (direction, body_fixed) = (Vec3::new(0.6, 0.8, 0.0), random.below(2) == 0);
            let ends = random_ends(EndsKind::One, ["a", "b"], space, random);
            model.force("element", ends, AppliedForce { magnitude, direction, body_fixed });
            model
        });
    }
}
