//! Channels against what they claim to be: rates against difference quotients along a motion, reactions against
//! the momentum balance of every body, energies against their conservation.

mod common;

use common::{Random, random_body, random_ends, random_values};
use kingpin::accel::{Accelerations, Accelerator, Method};
use kingpin::analysis::assemble;
use kingpin::element::driver::{DrivenAngle, DrivenCoordinate, DrivenDisplacement, DrivenDistance};
use kingpin::element::force::{AppliedForce, AppliedTorque, Bushing, ForceKind, Spring, TorsionSpring, Tyre};
use kingpin::element::joint::{
    Cylindrical, Distance, Fixed, Gear, JointKind, PinInSlot, Planar, PointInPlane, PointOnLine, Revolute,
    Screw, Spherical, Translational, Universal,
};
use kingpin::element::measure::{MeasuredAngle, MeasuredCoordinate, MeasuredDistance};
use kingpin::element::road::BumpRoad;
use kingpin::expr::{Curve, Extrapolate};
use kingpin::model::{Body, Ends, Function, Model, Space, Subject, Vec3};
use kingpin::results::{Channels, Group};
use kingpin::system::{State, System};

const SPACES: [Space; 2] = [Space::Planar, Space::Spatial];

/// A mechanism with its accelerations, at an assembled state.
struct Instant {
    system: System,
    channels: Channels,
    accelerator: Accelerator,
    state: State,
    acc: Accelerations,
}

impl Instant {
    fn of(model: &Model) -> Option<Instant> {
        let (system, _) = System::compile(model).unwrap_or_else(|findings| panic!("{findings:?}"));
        let assembly = assemble(&system).ok()?;
        if !assembly.diagnosis.singular.is_empty() {
            return None;
        }
        let redundant = &assembly.diagnosis.redundant_rows;
        let mut accelerator = Accelerator::new(&system, redundant, Method::Elimination);
        let mut acc = accelerator.result();
        let mut work = system.work();
        system.set_state(&mut work, &assembly.state);
        accelerator.evaluate(&system, &mut work, &mut acc).ok()?;
        let channels = Channels::new(&system);
        Some(Instant { system, channels, accelerator, state: assembly.state, acc })
    }

    /// All channels at a state, accelerations of that state.
    fn at(&mut self, state: &State) -> Vec<f64> {
        let mut work = self.system.work();
        self.system.set_state(&mut work, state);
        let mut acc = self.accelerator.result();
        self.accelerator.evaluate(&self.system, &mut work, &mut acc).expect("regular");
        let mut out = vec![f64::NAN; self.channels.len()];
        self.channels.fill(&self.system, &work, &acc, &mut out);
        out
    }

    fn now(&mut self) -> Vec<f64> {
        let state = self.state.clone();
        self.at(&state)
    }

    /// The state a moment later along the motion, right to second order.
    fn later(&self, h: f64) -> State {
        let (system, mut state) = (&self.system, self.state.clone());
        let (mut rate, mut second) = (vec![0.0; state.q.len()], vec![0.0; state.q.len()]);
        let mut work = system.work();
        system.set_state(&mut work, &state);
        system.rates(&state.q, &state.v, &mut rate);
        system.coordinate_accelerations(&work, &self.acc.acc, &mut second);
        for (k, q) in state.q.iter_mut().enumerate() {
            *q += h * rate[k] + 0.5 * h * h * second[k];
        }
        state.v.iter_mut().zip(&self.acc.acc).for_each(|(v, a)| *v += h * a);
        state.t += h;
        state
    }

    /// Rates of all channels along the motion, as difference quotients.
    fn quotients(&mut self) -> Vec<f64> {
        let h = 2e-5;
        let (before, after) = (self.later(-h), self.later(h));
        let (before, after) = (self.at(&before), self.at(&after));
        before.iter().zip(&after).map(|(a, b)| (b - a) / (2.0 * h)).collect()
    }

    fn get(&self, out: &[f64], name: &str) -> f64 {
        out[self.channels.find(name).unwrap_or_else(|| panic!("no channel {name}"))]
    }
}

fn planar(v: Vec3, space: Space) -> [f64; 3] {
    if space == Space::Planar { [v.x, v.y, 0.0] } else { v.into() }
}

fn body(k: usize) -> String {
    format!("b{k}")
}

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

/// A chain of bodies, joint after joint of a given list, from ground.
fn chain(space: Space, kinds: &[JointKind], random: &mut Random) -> Model {
    let mut model = Model::new("chain", space);
    model.gravity = planar(Vec3::new(0.3, -9.0, 2.0), space).into();
    for (k, kind) in kinds.iter().enumerate() {
        model.body(random_body(&body(k), space, random));
        let before = if k == 0 { "ground".to_string() } else { body(k - 1) };
        let ends = Ends::at(&before, &body(k), planar(random.vec3(), space));
        let ends = match kind {
            JointKind::Universal(_) => ends.axes(random.vec3().into(), random.vec3().into()),
            JointKind::Spherical(_) | JointKind::Fixed(_) => ends,
            JointKind::Revolute(_) if space == Space::Planar => ends,
            _ => ends.axis(planar(random.vec3(), space)),
        };
        model.joint(&format!("j{k}"), ends, kind.clone());
    }
    model
}

fn joints(space: Space) -> Vec<JointKind> {
    match space {
        Space::Planar => {
            vec![Revolute {}.into(), Translational {}.into(), PinInSlot {}.into(), Revolute {}.into()]
        }
        Space::Spatial => vec![
            Revolute {}.into(),
            Universal {}.into(),
            Cylindrical {}.into(),
            Planar {}.into(),
            Screw { pitch: 0.4 }.into(),
            Translational {}.into(),
            Spherical {}.into(),
            PointOnLine {}.into(),
            PointInPlane {}.into(),
            Fixed {}.into(),
        ],
    }
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
        let acc = &instant.acc.acc[b * system.nv()..][..system.nv()];
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
        bob.com = Vec3::new(0.0, -1.5, 0.0);
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

/// A random conservative mechanism: every kind of stored energy.
fn conservative(space: Space, random: &mut Random) -> Model {
    let mut model = chain(space, &joints(space)[..3], random);
    let points = |random: &mut Random, one: &str, two: &str| {
        Ends::points(one, planar(random.vec3(), space), two, planar(random.vec3() * 2.0, space))
    };
    let curve = Curve::new(vec![-1.0, 0.2, 0.9, 3.0], vec![-7.0, 0.1, 2.0, 30.0], Extrapolate::Linear);
    let spring = Spring {
        stiffness: 30.0,
        rest_length: Some(0.7),
        preload: 2.0,
        spring_curve: Some(curve.clone().expect("a valid curve")),
        actuator: Function::Constant(1.5),
        ..Spring::default()
    };
    let ends = points(random, "ground", "b1");
    model.force("coil", ends, spring);
    let twist = TorsionSpring {
        joint: Some("j0".into()),
        stiffness: 11.0,
        rest_angle: 0.4,
        spring_curve: curve.ok(),
        ..TorsionSpring::default()
    };
    model.force("twist", Ends::default(), twist);
    let bushing = Bushing {
        stiffness: planar(Vec3::new(9.0, 20.0, 5.0), space).into(),
        rotational_stiffness: Vec3::new(3.0, 8.0, 5.0),
        ..Bushing::default()
    };
    let ends = points(random, "b0", "b2");
    model.force("rubber", ends, bushing);
    let direction = planar(random.vec3(), space).into();
    let force = AppliedForce { magnitude: Function::Constant(4.0), direction, body_fixed: false };
    model.force("wind", Ends::on("b2", planar(random.vec3(), space)), force);
    if space == Space::Planar {
        let torque = AppliedTorque { magnitude: Function::Constant(-2.0), ..AppliedTorque::default() };
        model.force("motor", Ends::on("b1", [0.0; 3]), torque);
    }
    let tyre = Tyre { radius: 9.0, stiffness: 6.0, damping: 0.0, unilateral: true, road: None };
    model.force("tyre", Ends::on("b1", planar(random.vec3(), space)), tyre);
    model
}

#[test]
fn energy_is_conserved() {
    let mut random = Random::new(11);
    for space in SPACES {
        let mut moving = 0;
        for _ in 0..20 {
            let Some(mut instant) = Instant::of(&conservative(space, &mut random)) else { continue };
            assert!(instant.system.is_conservative());
            let quotients = instant.quotients();
            let kinetic = instant.get(&quotients, "energy.kinetic");
            let total = instant.get(&quotients, "energy.total");
            assert!(total.abs() < 1e-6 * (1.0 + kinetic.abs()), "{total} of {kinetic}");
            moving += u32::from(kinetic.abs() > 1.0);
        }
        assert!(moving > 10);
    }
}

#[test]
fn kinetic_energy_is_half_v_m_v() {
    let mut random = Random::new(13);
    for space in SPACES {
        let mut instant = Instant::of(&conservative(space, &mut random)).expect("regular");
        let v = instant.state.v.clone();
        let mut mv = vec![0.0; v.len()];
        instant.system.mass_times(&v, &mut mv);
        let expected = 0.5 * v.iter().zip(&mv).map(|(a, b)| a * b).sum::<f64>();
        let out = instant.now();
        assert!((instant.get(&out, "energy.kinetic") - expected).abs() < 1e-12 * expected);
    }
}

#[test]
fn what_is_not_conservative() {
    let mut random = Random::new(17);
    let space = Space::Planar;
    let base = conservative(space, &mut random);
    let conserves = |change: &dyn Fn(&mut Model)| {
        let mut model = base.clone();
        change(&mut model);
        System::compile(&model).expect("valid").0.is_conservative()
    };
    let expr = |text: &str| {
        let mut scope = kingpin::expr::Scope::new();
        scope.variable("t", 0, None);
        Function::Expr(kingpin::expr::parse(text, &scope).expect("valid"))
    };
    let add = |kind: ForceKind| {
        move |m: &mut Model| {
            let ends = match &kind {
                ForceKind::Spring(_) => Ends::points("ground", [3.0, 0.0, 0.0], "b0", [0.0; 3]),
                _ => Ends::on("b0", [0.0; 3]),
            };
            m.force("more", ends, kind.clone());
        }
    };
    assert!(conserves(&|_| {}));
    assert!(!conserves(&add(Spring { damping: 1.0, ..Spring::default() }.into())));
    assert!(!conserves(&add(Spring { damper_curve: Some(Curve::line(1.0)), ..Spring::default() }.into())));
    assert!(!conserves(&add(Spring { actuator: expr("2*t"), ..Spring::default() }.into())));
    assert!(conserves(&add(Spring { actuator: expr("2 + 3"), ..Spring::default() }.into())));
    let force = |magnitude, body_fixed| AppliedForce { magnitude, direction: Vec3::x(), body_fixed };
    assert!(conserves(&add(force(2.0.into(), false).into())));
    assert!(!conserves(&add(force(2.0.into(), true).into())));
    assert!(!conserves(&add(force(expr("sin(t)"), false).into())));
    let tyre = |damping| Tyre { radius: 1.0, stiffness: 1.0, damping, unilateral: true, road: None };
    assert!(conserves(&add(tyre(0.0).into())));
    assert!(!conserves(&add(tyre(0.1).into())));
    let bumpy = |m: &mut Model| {
        m.road("road", BumpRoad { centre: 0.0, radius: 0.1, wheel_radius: 0.5 });
    };
    assert!(!conserves(&bumpy));
    let driven = |motion: Function| {
        move |m: &mut Model| {
            m.driver("motor", Ends::bodies("ground", "b0"), DrivenDistance { motion: motion.clone() });
        }
    };
    assert!(conserves(&driven(1.0.into())));
    assert!(!conserves(&driven(expr("1 + t"))));
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

/// Force channels against the laws in the descriptions.
#[test]
fn forces_follow_their_laws() {
    let mut random = Random::new(19);
    for space in SPACES {
        let mut model = conservative(space, &mut random);
        let push =
            AppliedForce { magnitude: Function::Constant(-3.5), direction: Vec3::x(), body_fixed: true };
        model.force("push", Ends::on("b0", [0.0; 3]), push);
        let mut instant = Instant::of(&model).expect("regular");
        let out = instant.now();
        let get = |name: &str| instant.get(&out, name);
        assert_eq!(get("push.force"), -3.5);
        let curve = Curve::new(vec![-1.0, 0.2, 0.9, 3.0], vec![-7.0, 0.1, 2.0, 30.0], Extrapolate::Linear);
        let curve = curve.expect("a valid curve");
        let long = get("coil.length") - 0.7;
        let tension = 30.0 * long + 2.0 + 1.5 + curve.eval(long);
        assert!((get("coil.force") - tension).abs() < 1e-12 * (1.0 + tension.abs()));
        let turned = get("twist.angle") - 0.4;
        assert!((get("twist.angle") - get("j0.angle")).abs() < 1e-12);
        let torque = 11.0 * turned + curve.eval(turned);
        assert!((get("twist.torque") - torque).abs() < 1e-12 * (1.0 + torque.abs()));
        assert!((get("tyre.force") - 6.0 * get("tyre.deflection")).abs() < 1e-12 * 60.0);
        assert!((get("rubber.fy") - 20.0 * get("rubber.dy")).abs() < 1e-12 * 60.0);
        match space {
            Space::Planar => assert!((get("rubber.t") - 5.0 * get("rubber.angle")).abs() < 1e-12 * 60.0),
            Space::Spatial => assert!((get("rubber.ty") - 8.0 * get("rubber.ry")).abs() < 1e-12 * 60.0),
        }
    }
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
            }
        }
    }
}

#[test]
fn equal_names_of_different_items_are_told_apart() {
    let mut model = Model::new("arm", Space::Planar);
    model.body(Body::planar("arm", 1.0, 1.0));
    model.joint("arm", Ends::at("ground", "arm", [0.0; 3]), Revolute {});
    let slot = Ends::at("ground", "arm", [1.0, 0.0, 0.0]).axis([1.0, 0.0, 0.0]);
    model.joint("energy", slot, PinInSlot {});
    let spring = Spring { stiffness: 1.0, ..Spring::default() };
    model.force("m", Ends::points("ground", [0.0, 2.0, 0.0], "arm", [1.0, 0.0, 0.0]), spring);
    model.measure("m", Ends::default(), MeasuredAngle { joint: "arm".into() });
    let (system, _) = System::compile(&model).expect("valid");
    let channels = Channels::new(&system);
    let index = |name: &str| channels.find(name).unwrap_or_else(|| panic!("no channel {name}"));
    let of = |name: &str| channels.list()[index(name)].subject.clone();
    assert_eq!(of("arm.angle"), Subject::Body(0));
    assert_eq!(of("joint.arm.angle"), Subject::Joint(0));
    assert_eq!(of("joint.arm.fx"), Subject::Joint(0));
    assert_eq!(of("m.rate"), Subject::Force(0));
    assert_eq!(of("measure.m"), Subject::Measure(0));
    assert_eq!(of("measure.m.rate"), Subject::Measure(0));
    assert_eq!(of("energy.total"), Subject::Model);
    assert_eq!(channels.find("arm.fx"), None);
    assert_eq!(channels.closest("arm.omga"), Some("arm.omega"));
    let groups: Vec<Group> = channels.list().iter().map(|c| c.group).collect();
    assert_eq!(groups[..3], [Group::Position, Group::Position, Group::Orientation]);
}

/// Every kind of element has channels with names of their own and finite numbers.
#[test]
fn every_force_and_joint_has_distinct_channels() {
    for space in SPACES {
        let mut random = Random::new(29);
        let mut model = common::base_model(space, &mut random);
        for entry in JointKind::LIST.iter().filter(|e| (e.blank)().element().spaces().contain(space)) {
            let mut values = random_values((entry.fields)(), space, &mut random);
            let kind = (entry.build)(&mut values).expect("all fields");
            let ends = random_ends(kind.element().ends(), ["a", "b"], space, &mut random);
            model.joint(&format!("joint_{}", entry.tag), ends, kind);
        }
        for entry in ForceKind::LIST {
            let mut values = random_values((entry.fields)(), space, &mut random);
            let kind = (entry.build)(&mut values).expect("all fields");
            let on_joint = kind.values().iter().any(|(name, _)| *name == "joint");
            let ends = if on_joint {
                Ends::default()
            } else {
                random_ends(kind.element().ends(), ["a", "c"], space, &mut random)
            };
            model.force(&format!("force_{}", entry.tag), ends, kind);
        }
        let (system, _) = System::compile(&model).unwrap_or_else(|findings| panic!("{findings:?}"));
        let channels = Channels::new(&system);
        for (k, channel) in channels.list().iter().enumerate() {
            assert_eq!(channels.find(&channel.name), Some(k), "{}", channel.name);
            assert!(!channel.about.is_empty());
        }
        for entry in ForceKind::LIST {
            let name = format!("force_{}.", entry.tag);
            assert!(channels.list().iter().any(|c| c.name.starts_with(&name)), "{name}");
        }
        let mut work = system.work();
        system.set_state(&mut work, &system.given);
        system.evaluate_constraints(&mut work);
        system.evaluate_forces(&mut work);
        let acc =
            Accelerations { acc: vec![0.1; system.velocities()], lam: vec![0.2; system.joint_equations()] };
        let mut out = vec![f64::NAN; channels.len()];
        channels.fill(&system, &work, &acc, &mut out);
        for (channel, x) in channels.list().iter().zip(&out) {
            assert!(x.is_finite(), "{}", channel.name);
        }
    }
}

/// A coupling has no second body of its own: it reports what acts on the first body it names.
#[test]
fn a_gear_reports_its_torque_on_the_first_wheel() {
    let mut model = Model::new("gears", Space::Planar);
    for (name, x) in [("small", 0.0), ("large", 1.0)] {
        model.body(Body::planar(name, 1.0, 2.0).at([x, 0.0, 0.0]));
        model.joint(&format!("pin_{name}"), Ends::at("ground", name, [x, 0.0, 0.0]), Revolute {});
    }
    let gear = Gear { joint1: "pin_small".into(), joint2: "pin_large".into(), ratio: 0.5 };
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
