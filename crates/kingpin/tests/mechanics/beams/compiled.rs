//! Beams as the rest of the program sees them.

use crate::beams::rod::{Rod, composite, twisted};
use kingpin::analysis::time_constants;
use kingpin::model::{Space, Start, Vec3};
use kingpin::prelude::*;
use kingpin::system::System;
use kingpin_testing::counting::allocations;

#[test]
fn pieces_give_the_same_bits() {
    let (mut system, _) = System::compile(&twisted(40, 2).clamped()).expect("sound");
    let mut state = system.given.clone();
    state.q.iter_mut().enumerate().for_each(|(k, q)| *q += 1e-3 * ((k * 7919) % 101) as f64);
    let forces = |system: &System| {
        let mut work = system.work();
        system.set_state(&mut work, &state);
        system.evaluate_forces(&mut work);
        work.force.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    let whole = forces(&system);
    system.grain = 1;
    assert_eq!(kingpin::threads::within(2, |_| forces(&system)), whole);
}

#[test]
fn evaluation_allocates_nothing() {
    for space in [Space::Planar, Space::Spatial] {
        let rod = Rod { damping: 0.1, ..Rod::new(space, (3, 3), 2.0, composite()) };
        let (system, _) = System::compile(&rod.clamped()).expect("sound");
        let (mut work, mut slopes, state) = (system.work(), system.derivatives(), system.given.clone());
        let (acc, lam) = (vec![0.0; system.coordinates()], vec![0.0; system.constraints()]);
        let mut evaluate = || {
            system.set_state(&mut work, &state);
            system.evaluate_constraints(&mut work);
            system.evaluate_forces(&mut work);
            system.evaluate_derivatives(&work, &acc, &lam, &mut slopes);
            system.powers(&work, None).dissipated + system.potential_energy(&work)
        };
        evaluate();
        let count = allocations(|| assert!(evaluate().is_finite()));
        assert_eq!(count, 0, "{space:?}");
    }
}

#[test]
fn all_nodes_of_a_beam_are_one_body() {
    let (system, _) = System::compile(&twisted(3, 2).clamped()).expect("sound");
    let bodies = system.joined_bodies();
    assert_eq!((bodies.len(), bodies[0].nodes.len()), (1, 7));
    assert_eq!(bodies[0].beams, [0, 1, 2]);
}

#[test]
fn nothing_moves_faster_than_the_fastest_time_constant() {
    let mechanism = Mechanism::new(twisted(2, 3).clamped()).expect("a mechanism");
    let fastest = &time_constants(mechanism.system(), mechanism.state())[0];
    let modes = mechanism.modes(mechanism.state()).expect("modes");
    let most = modes.modes.iter().map(|mode| mode.magnitude()).fold(0.0, f64::max);
    let ratio = 1.0 / (most * fastest.seconds);
    assert!(ratio > 0.97 && ratio < 1.5, "{fastest:?}: {ratio}");
    assert!(fastest.force.starts_with("rod."));
}

#[test]
fn a_joint_that_starts_elsewhere_carries_the_beam_along() {
    for space in [Space::Planar, Space::Spatial] {
        let rod = Rod::new(space, (2, 2), 2.0, composite());
        let mut model = rod.hinged();
        model.joints[0].start = Start { angle: Some(0.5), angle_rate: Some(3.0), ..Start::default() };
        let mechanism = Mechanism::new(model).expect("a mechanism");
        let values = mechanism.values(mechanism.state()).expect("values");
        let of = |name: &str| values.get(name).expect("a channel");
        let tip = [of("n4.x"), of("n4.y"), of("n4.vx"), of("n4.vy")];
        let (sin, cos) = 0.5_f64.sin_cos();
        let rigid = [2.0 * cos, 2.0 * sin, -6.0 * sin, 6.0 * cos];
        assert!(tip.iter().zip(rigid).all(|(a, b)| (a - b).abs() < 1e-9), "{space:?}: {tip:?}");
        assert!(of("energy.potential").abs() < 1e-15, "{space:?}");
    }
}

#[test]
fn resultants_are_those_of_the_load() {
    let rod = Rod::new(Space::Spatial, (2, 3), 2.0, crate::beams::rod::rollup());
    let mechanism = Mechanism::new(rod.loaded([300.0, 20.0, 10.0])).expect("a mechanism");
    let rest = mechanism.equilibrium().expect("rest");
    let values = mechanism.values(&rest.state).expect("values");
    let of = |name: &str| values.get(name).expect("a channel");
    // small displacements: moments are force times arm
    for (element, arm) in [(1, 1.5), (2, 0.5)] {
        let part = |name: &str| of(&format!("rod.{element}.{name}"));
        let found = Vec3::new(part("axial"), part("shear_y"), part("shear_z"));
        assert!((found - Vec3::new(300.0, 20.0, 10.0)).norm() < 0.3, "{found}");
        assert!((part("bending_z") - 20.0 * arm).abs() < 0.1 && (part("bending_y") + 10.0 * arm).abs() < 0.1);
        assert!(part("torsion").abs() < 1e-2);
    }
}

#[test]
fn what_is_wrong_is_said() {
    let said = |change: &dyn Fn(&mut Model)| {
        let mut model = Rod::new(Space::Spatial, (1, 2), 2.0, composite()).clamped();
        change(&mut model);
        let findings = System::compile(&model).expect_err("faulty");
        findings.iter().map(|f| f.message.clone()).collect::<Vec<_>>().join("; ")
    };
    assert!(said(&|model| model.spans[0].bodies[1] = "ground".into()).contains("ground"));
    assert!(said(&|model| model.spans[0].bodies[1] = "m1".into()).contains("no body called `m1`"));
    assert!(said(&|model| model.spans[0].bodies[1] = "n0".into()).contains("twice"));
    assert!(said(&|model| model.spans[0].bodies.truncate(1)).contains("1 nodes"));
    assert!(said(&|model| model.spans[0].length = -1.0).contains("length"));
    assert!(said(&|model| model.spans[0].damping = f64::NAN).contains("damping"));
    assert!(said(&|model| model.spans[0].stiffness[0][2][2] = 0.0).contains("positive definite"));
    assert!(said(&|model| model.spans[0].stiffness[0][0][1] = 5e5).contains("symmetric"));
    assert!(said(&|model| model.spans[0].stiffness.clear()).contains("0 sections"));
    assert!(said(&|model| model.spans[0].stiffness = vec![composite(); 3]).contains("3 sections"));
}
