//! Rates against difference quotients along a motion; coordinates against what the model says.

use crate::channels::common::{Random, random_body};
use crate::channels::{Instant, SPACES, chain, joints, planar};
use kingpin::element::force::{Spring, TorsionSpring, Tyre};
use kingpin::element::joint::{Revolute, Universal};
use kingpin::element::measure::{MeasuredAngle, MeasuredCoordinate, MeasuredDistance};
use kingpin::element::road::BumpRoad;
use kingpin::model::{Body, Ends, Model, Space, Vec3};
use kingpin::results::Channels;

/// The name of the channel that is the rate of a channel, if there is one.
fn rate_name(name: &str, channels: &Channels) -> Option<String> {
    let (item, own) = name.rsplit_once('.').unwrap_or((name, ""));
    let rate = match own {
        "x" | "y" | "z" => format!("{item}.v{own}"),
        "vx" | "vy" | "vz" => format!("{item}.a{}", &own[1..]),
        "wx" | "wy" | "wz" => format!("{item}.alpha{}", &own[1..]),
        "omega" => format!("{item}.alpha"),
        "length" => format!("{item}.rate"),
        "angle" => ["angle_rate", "rate", "omega"]
            .iter()
            .map(|rate| format!("{item}.{rate}"))
            .find(|rate| channels.find(rate).is_some())?,
        "" => format!("{name}.rate"),
        other => format!("{item}.{other}_rate"),
    };
    channels.find(&rate).map(|_| rate)
}

/// Checks every channel that has a rate; returns their names without the item.
fn check_rates(instant: &mut Instant) -> Vec<String> {
    let (now, quotients) = (instant.now(), instant.quotients());
    let mut seen = Vec::new();
    for (k, channel) in instant.channels.list().iter().enumerate() {
        assert!(now[k].is_finite(), "{}", channel.name);
        let Some(rate) = rate_name(&channel.name, &instant.channels) else { continue };
        let rate = instant.get(&now, &rate);
        let error = (quotients[k] - rate).abs();
        assert!(error < 2e-6 * (1.0 + rate.abs()), "{}: {} but {rate}", channel.name, quotients[k]);
        seen.push(channel.name.rsplit('.').next().unwrap_or_default().to_string());
    }
    seen
}

#[test]
fn rates_of_bodies_and_joints() {
    let mut random = Random::new(3);
    for space in SPACES {
        let kinds = joints(space);
        let mut seen = Vec::new();
        for _ in 0..20 {
            let Some(mut instant) = Instant::of(&chain(space, &kinds, &mut random)) else { continue };
            seen.append(&mut check_rates(&mut instant));
        }
        let all: &[&str] = match space {
            Space::Planar => &["x", "y", "angle", "vx", "vy", "omega", "displacement"],
            Space::Spatial => &[
                "x",
                "y",
                "z",
                "vx",
                "vy",
                "vz",
                "wx",
                "wy",
                "wz",
                "angle",
                "angle1",
                "angle2",
                "displacement",
                "displacement_x",
                "displacement_y",
            ],
        };
        all.iter().for_each(|name| assert!(seen.iter().any(|s| s == name), "{name} never checked"));
    }
}

#[test]
fn rates_of_forces_and_measures() {
    let mut random = Random::new(5);
    let mut seen = Vec::new();
    for space in SPACES {
        for _ in 0..10 {
            let mut model = chain(space, &[Revolute {}.into(), Revolute {}.into()], &mut random);
            let point = |random: &mut Random| planar(random.vec3() * 2.0, space);
            let ends = Ends::points("ground", point(&mut random), "b1", point(&mut random));
            model.force("coil", ends.clone(), Spring { stiffness: 3.0, damping: 1.0, ..Spring::default() });
            let spring =
                TorsionSpring { joint: Some("j1".into()), stiffness: 2.0, ..TorsionSpring::default() };
            model.force("twist", Ends::default(), spring);
            model.road("road", BumpRoad { centre: 0.0, radius: 2.0, wheel_radius: 9.0 });
            let tyre = Tyre { radius: 0.4, stiffness: 5.0, damping: 0.2, unilateral: false, road: None };
            model.force("tyre", Ends::on("b1", point(&mut random)), tyre);
            model.measure("gap", ends, MeasuredDistance {});
            model.measure("turn", Ends::default(), MeasuredAngle { joint: "j0".into() });
            let height = MeasuredCoordinate { coordinate: "y".into() };
            model.measure("height", Ends::on("b0", point(&mut random)), height);
            let Some(mut instant) = Instant::of(&model) else { continue };
            seen.append(&mut check_rates(&mut instant));
        }
    }
    for name in ["length", "angle", "deflection", "gap", "turn", "height"] {
        assert!(seen.iter().any(|s| s == name), "{name} never checked");
    }
}

#[test]
fn joint_angles_count_turns() {
    let mut model = Model::new("wheel", Space::Spatial);
    model.body(Body::spatial("wheel", 1.0, [1.0, 1.0, 1.0]));
    model.joint("axle", Ends::bodies("ground", "wheel").axis([0.0, 0.0, 1.0]), Revolute {});
    model.measure("turned", Ends::default(), MeasuredAngle { joint: "axle".into() });
    let mut instant = Instant::of(&model).expect("regular");
    let mut state = instant.state.clone();
    let mut work = instant.system.work();
    for k in 1..=40 {
        instant.system.displace(&mut state.q, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.5]);
        instant.system.set_state(&mut work, &state);
        instant.system.count_turns(&mut work);
        state.turns.copy_from_slice(&work.turns);
        let out = instant.at(&state);
        for name in ["axle.angle", "turned"] {
            assert!((instant.get(&out, name) - 0.5 * f64::from(k)).abs() < 1e-9, "{name} at {k}");
        }
    }
}

/// Turning the second body of a cross joint first about the pin of the first body, then about its own.
#[test]
fn universal_angles_are_the_turns_about_the_pins() {
    let mut model = Model::new("cross", Space::Spatial);
    model.body(Body::spatial("shaft", 1.0, [1.0, 1.0, 1.0]));
    let ends = Ends::bodies("ground", "shaft").axes([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]);
    model.joint("cross", ends, Universal {});
    let mut instant = Instant::of(&model).expect("regular");
    let mut state = instant.state.clone();
    let (first, second) = (0.7, -1.1);
    // about global z, which is the axis of the body in the given pose, then about x of the body
    instant.system.displace(&mut state.q, &[0.0, 0.0, 0.0, 0.0, 0.0, first]);
    instant.system.displace(&mut state.q, &[0.0, 0.0, 0.0, second, 0.0, 0.0]);
    let out = instant.at(&state);
    assert!((instant.get(&out, "cross.angle1") - first).abs() < 1e-12);
    assert!((instant.get(&out, "cross.angle2") - second).abs() < 1e-12);
}

#[test]
fn the_body_frame_is_the_one_of_the_model() {
    let mut random = Random::new(23);
    for space in SPACES {
        let mut model = Model::new("free", space);
        model.body(random_body("stone", space, &mut random));
        model.gravity = Vec3::new(0.0, -9.0, 0.0);
        let stone = model.bodies[0].clone();
        let mut instant = Instant::of(&model).expect("regular");
        let out = instant.now();
        let get = |name: &str| instant.get(&out, name);
        for (k, axis) in ["x", "y", "z"].iter().enumerate().take(instant.system.dimensions()) {
            assert!((get(&format!("stone.{axis}")) - stone.position[k]).abs() < 1e-13);
            assert!((get(&format!("stone.v{axis}")) - stone.velocity[k]).abs() < 1e-13);
        }
        match space {
            Space::Planar => {
                assert_eq!(get("stone.angle"), stone.angle);
                assert_eq!(get("stone.omega"), stone.angular_velocity.z);
            }
            Space::Spatial => {
                for (k, name) in ["stone.wx", "stone.wy", "stone.wz"].iter().enumerate() {
                    assert_eq!(get(name), stone.angular_velocity[k]);
                }
                let p = ["e0", "e1", "e2", "e3"].map(|e| get(&format!("stone.{e}")));
                let given = stone.orientation.matrix().expect("an orientation");
                assert!((kingpin::spatial::euler::rotation(&p) - given).norm() < 1e-14);
            }
        }
    }
}
