//! Energies against their conservation, forces against their laws.

use crate::channels::common::Random;
use crate::channels::{Instant, SPACES, conservative};
use kingpin::element::driver::DrivenDistance;
use kingpin::element::force::{AppliedForce, AppliedTorque, ForceKind, Spring, Tyre};
use kingpin::element::road::BumpRoad;
use kingpin::expr::{Curve, Extrapolate};
use kingpin::model::{Ends, Function, Model, Space, Vec3};
use kingpin::system::System;

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

/// What comes and goes, by exact powers, is what kinetic and potential energy together gain.
#[test]
fn powers_are_the_rate_of_energy() {
    let mut random = Random::new(23);
    let expr = |text: &str| {
        let mut scope = kingpin::expr::Scope::new();
        scope.variable("t", 0, None);
        Function::Expr(kingpin::expr::parse(text, &scope).expect("valid"))
    };
    for space in SPACES {
        let mut seen = [0; 3];
        for _ in 0..20 {
            let mut model = conservative(space, &mut random);
            let damper = Spring { damping: 3.0, damper_curve: Some(Curve::line(1.5)), ..Spring::default() };
            model.force("damper", Ends::points("ground", [3.0, 0.0, 0.0], "b0", [0.1, 0.2, 0.0]), damper);
            let actuator = Spring { actuator: expr("2 + t"), ..Spring::default() };
            model.force("actuator", Ends::points("ground", [0.0, 4.0, 0.0], "b0", [0.3, 0.0, 0.0]), actuator);
            let push = AppliedForce { magnitude: expr("3*cos(t)"), direction: Vec3::x(), body_fixed: true };
            model.force("push", Ends::on("b0", [0.1, -0.2, 0.0]), push);
            let twist = AppliedTorque { magnitude: expr("1 - 2*t"), direction: Vec3::z(), body_fixed: false };
            model.force("turn", Ends::on("b0", [0.0; 3]), twist);
            model.road("road", BumpRoad { centre: 0.0, radius: 3.0, wheel_radius: 0.5 });
            let tyre = Tyre { radius: 9.0, stiffness: 5.0, damping: 0.7, unilateral: true, road: None };
            model.force("wheel", Ends::on("b0", [0.0; 3]), tyre);
            let motion = DrivenDistance { motion: expr("2 + 0.3*t + t^2") };
            model.driver("motor", Ends::points("ground", [0.0, -2.0, 0.0], "b0", [0.0, 0.4, 0.0]), motion);
            let Some(mut instant) = Instant::of(&model) else { continue };
            let quotients = instant.quotients();
            let gained = instant.get(&quotients, "energy.total");
            let mut work = instant.system.work();
            instant.system.set_state(&mut work, &instant.state);
            instant.system.evaluate_constraints(&mut work);
            let powers = instant.system.powers(&work, Some(&instant.acc.lam));
            let sum = powers.work() - powers.dissipated;
            let size = gained.abs() + powers.dissipated + powers.applied.abs() + powers.drivers.abs();
            assert!((gained - sum).abs() < 1e-5 * (1.0 + size), "{space:?}: {gained} of {powers:?}");
            for (seen, power) in seen.iter_mut().zip([powers.dissipated, powers.applied, powers.drivers]) {
                *seen += u32::from(power.abs() > 1e-3 * size);
            }
        }
        assert!(seen.iter().all(|seen| *seen > 5), "{seen:?}");
    }
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
