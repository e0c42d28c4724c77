//! Reactions against the momentum balance of every body.

use crate::channels::common::Random;
use crate::channels::{Instant, SPACES, body, chain, joints, planar};
use kingpin::element::driver::{DrivenAngle, DrivenCoordinate, DrivenDisplacement};
use kingpin::element::force::AppliedTorque;
use kingpin::element::joint::{Differential, Distance, Gear, RackAndPinion, Revolute, Translational};
use kingpin::model::{Body, Ends, Function, Model, Space, Vec3};

/// What acts on each body, from the channels alone, gives its acceleration.
#[test]
fn reactions_balance_the_momentum_of_every_body() {
    let mut random = Random::new(7);
    for space in SPACES {
        let mut tried = 0;
        while tried < 20 {
            let mut model = chain(space, &joints(space), &mut random);
            let last = body(model.bodies.len() - 1);
            model.joint(
                "loop",
                Ends::points("b0", planar(random.vec3(), space), &last, [0.0; 3]),
                Distance { length: None },
            );
            let motion = |c: f64| Function::Constant(c);
            let pull = DrivenCoordinate { coordinate: "x".into(), motion: motion(0.3) };
            model.driver("pull", Ends::on(&last, planar(random.vec3(), space)), pull);
            // a hinge and a slide seen from the outer body: ground or the body before is second
            let reversed = model.joints[0].ends.clone();
            model.joints[0].ends =
                Ends { body1: reversed.body2.clone(), body2: reversed.body1.clone(), ..reversed };
            if space == Space::Planar {
                model.driver(
                    "push",
                    Ends::default(),
                    DrivenDisplacement { joint: "j1".into(), motion: motion(0.1) },
                );
            }
            let Some(mut instant) = Instant::of(&model) else { continue };
            check_balance(&mut instant, space);
            tried += 1;
        }
    }
}

fn check_balance(instant: &mut Instant, space: Space) {
    let out = instant.now();
    let system = &instant.system;
    let mut work = system.work();
    system.set_state(&mut work, &instant.state);
    let n = system.bodies();
    let com = |b: usize| if b == n { Vec3::zeros() } else { Vec3::from(work.bodies[b].r) };
    let (mut force, mut torque) = (vec![Vec3::zeros(); n + 1], vec![Vec3::zeros(); n + 1]);
    for (k, group) in system.layout.groups.iter().enumerate() {
        let get = |c: &str| instant.channels.find(&format!("{}.{c}", group.name)).map_or(0.0, |k| out[k]);
        let f = Vec3::new(get("fx"), get("fy"), get("fz"));
        let t = Vec3::new(get("tx"), get("ty"), if space == Space::Planar { get("t") } else { get("tz") });
        let [first, second] = system.group_places(k).expect("no couplings");
        let turned = kingpin::model::Mat3::from_fn(|i, j| work.bodies[second.body].a[i][j]);
        let point = com(second.body) + turned * Vec3::from(second.s);
        // the same wrench on both bodies, opposite
        for (b, sign) in [(second.body, 1.0), (first.body, -1.0)] {
            force[b] += f * sign;
            torque[b] += (t + (point - com(b)).cross(&f)) * sign;
        }
    }
    for b in 0..n {
        let acc = &instant.acc.acc[system.nodes.v(b)];
        let mass = system.inertia[b].mass;
        let linear = Vec3::new(acc[0], acc[1], if space == Space::Planar { 0.0 } else { acc[2] });
        let size = 1.0 + force[b].norm() + torque[b].norm();
        let rest = linear * mass - Vec3::from(system.gravity) * mass - force[b];
        assert!(rest.norm() < 1e-8 * size, "force on body {b}: {rest}");
        let turn = if space == Space::Planar {
            Vec3::new(0.0, 0.0, system.inertia[b].tensor[0][0] * acc[2])
        } else {
            let j = kingpin::model::Mat3::from_fn(|i, k| system.inertia[b].tensor[i][k]);
            let a = kingpin::model::Mat3::from_fn(|i, k| work.bodies[b].a[i][k]);
            let w = Vec3::from(work.bodies[b].w);
            a * (j * Vec3::new(acc[3], acc[4], acc[5]) + w.cross(&(j * w)))
        };
        assert!((turn - torque[b]).norm() < 1e-8 * size, "torque on body {b}: {}", turn - torque[b]);
    }
}

#[test]
fn a_pendulum_at_rest_hangs_with_its_weight() {
    for space in SPACES {
        let mut model = Model::new("pendulum", space);
        model.gravity = Vec3::new(0.0, -10.0, 0.0);
        let mut bob = if space == Space::Planar {
            Body::planar("bob", 2.0, 1.0)
        } else {
            Body::spatial("bob", 2.0, [1.0, 1.0, 1.0])
        };
        // its frame at the pivot, held 30 degrees off by a motor
        bob.com = Some(Vec3::new(0.0, -1.5, 0.0));
        model.body(bob);
        let ends = Ends::at("ground", "bob", [0.0; 3]);
        let ends = if space == Space::Planar { ends } else { ends.axis([0.0, 0.0, 1.0]) };
        model.joint("pivot", ends, Revolute {});
        let angle = std::f64::consts::FRAC_PI_6;
        model.driver("motor", Ends::default(), DrivenAngle { joint: "pivot".into(), motion: angle.into() });
        let mut instant = Instant::of(&model).expect("regular");
        let out = instant.now();
        let torque = if space == Space::Planar { "t" } else { "tz" };
        for (name, expected) in [
            ("bob.x".to_string(), 0.0),
            ("bob.ay".to_string(), 0.0),
            ("pivot.angle".to_string(), angle),
            ("pivot.fx".to_string(), 0.0),
            ("pivot.fy".to_string(), 20.0),
            (format!("pivot.{torque}"), 0.0),
            ("motor.fy".to_string(), 0.0),
            // the weight, at 1.5 sin 30 degrees to the right, turns it back
            (format!("motor.{torque}"), 15.0),
            ("energy.potential".to_string(), -30.0 * angle.cos()),
            ("energy.kinetic".to_string(), 0.0),
        ] {
            let got = instant.get(&out, &name);
            assert!((got - expected).abs() < 1e-10, "{name}: {got}, not {expected} ({space:?})");
        }
    }
}

/// A coupling has no second body of its own: it reports what acts on the body of the first joint it names.
#[test]
fn a_gear_reports_its_torque_on_the_first_wheel() {
    let mut model = Model::new("gears", Space::Planar);
    for (name, x) in [("small", 0.0), ("large", 1.0)] {
        model.body(Body::planar(name, 1.0, 2.0).at([x, 0.0, 0.0]));
        model.joint(&format!("pin_{name}"), Ends::at("ground", name, [x, 0.0, 0.0]), Revolute {});
    }
    let gear = Gear {
        joint1: "pin_small".into(),
        joint2: "pin_large".into(),
        ratio: 0.5,
        backlash: None,
        stiffness: None,
        damping: 0.0,
    };
    model.joint("mesh", Ends::default(), gear);
    let torque = AppliedTorque { magnitude: Function::Constant(10.0), ..AppliedTorque::default() };
    model.force("motor", Ends::on("small", [0.0; 3]), torque);
    let mut instant = Instant::of(&model).expect("regular");
    let out = instant.now();
    // angle 2 = -angle 1 / 2, so (2 + 2 / 4) alpha = 10, and 2 alpha = 10 + t
    assert!((instant.get(&out, "small.alpha") - 4.0).abs() < 1e-12);
    assert!((instant.get(&out, "large.alpha") + 2.0).abs() < 1e-12);
    assert!((instant.get(&out, "mesh.t") + 2.0).abs() < 1e-12);
}

/// An axle of a car: the carrier turns by the mean of its shafts, which get equal torques whatever their inertia.
/// All three angles of the one equation count: a torque on the carrier alone moves both shafts.
#[test]
fn a_differential_shares_the_torque() {
    for ratio in [1.0, 2.5] {
        let mut model = Model::new("axle", Space::Planar);
        for (name, inertia) in [("case", 1.0), ("left", 2.0), ("right", 4.0)] {
            model.body(Body::planar(name, 1.0, inertia));
            model.joint(&format!("pin_{name}"), Ends::at("ground", name, [0.0; 3]), Revolute {});
        }
        let [carrier, joint1, joint2] = ["pin_case", "pin_left", "pin_right"].map(String::from);
        model.joint("axle", Ends::default(), Differential { carrier, joint1, joint2, ratio });
        let torque = AppliedTorque { magnitude: Function::Constant(10.0), ..AppliedTorque::default() };
        model.force("motor", Ends::on("case", [0.0; 3]), torque);
        let mut instant = Instant::of(&model).expect("regular");
        let out = instant.now();
        let [case, left, right] = ["case", "left", "right"].map(|b| instant.get(&out, &format!("{b}.alpha")));
        assert!(((1.0 + ratio) * case - left - ratio * right).abs() < 1e-12, "{case} {left} {right}");
        // torques on the shafts are as 1 to ratio, and their sum is what the case gives away
        assert!((4.0 * right - ratio * 2.0 * left).abs() < 1e-12, "{left} {right}");
        assert!((10.0 - case - 2.0 * left - 4.0 * right).abs() < 1e-12, "{case} {left} {right}");
        assert!((instant.get(&out, "axle.t") - 2.0 * left).abs() < 1e-12);
    }
}

/// A torque on the pinion pushes the rack: what the rack and pinion reports is that push, and it says so.
#[test]
fn a_rack_and_pinion_reports_its_force_on_the_rack() {
    let mut model = Model::new("rack", Space::Planar);
    model.body(Body::planar("pinion", 1.0, 2.0).at([0.0, 0.5, 0.0]));
    model.body(Body::planar("bar", 3.0, 1.0));
    model.joint("hub", Ends::at("ground", "pinion", [0.0, 0.5, 0.0]), Revolute {});
    model.joint("slide", Ends::at("ground", "bar", [0.0; 3]).axis([1.0, 0.0, 0.0]), Translational {});
    let mesh = RackAndPinion { pinion: "hub".into(), rack: "slide".into(), radius: 0.5 };
    model.joint("mesh", Ends::default(), mesh);
    let torque = AppliedTorque { magnitude: Function::Constant(11.0), ..AppliedTorque::default() };
    model.force("motor", Ends::on("pinion", [0.0; 3]), torque);
    let mut instant = Instant::of(&model).expect("regular");
    let out = instant.now();
    // (2 + 3/4) alpha = 11: the rack of 3 kg gets 2 m/s^2 from nothing but the mesh
    assert!((instant.get(&out, "bar.ax") - 2.0).abs() < 1e-12);
    assert!((instant.get(&out, "mesh.fx") - 6.0).abs() < 1e-12);
    assert!((instant.get(&out, "pinion.alpha") - 4.0).abs() < 1e-12);
    let about = |name: &str| instant.channels.list().iter().find(|c| c.name == name).map(|c| c.about);
    assert_eq!(about("mesh.fx"), Some("force on the rack, global axes"));
}
