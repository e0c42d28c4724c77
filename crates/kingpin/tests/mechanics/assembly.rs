//! Assembly and diagnosis: consistent, redundant, inconsistent and singular mechanisms are told apart.

use crate::common;

use common::Random;
use kingpin::analysis::{Assembly, AssemblyFailure, assemble, far_moves, time_constants};
use kingpin::element::driver::DrivenAngle;
use kingpin::element::force::Spring;
use kingpin::element::joint::{Distance, Fixed, Gear, Revolute, Spherical, Translational, Universal};
use kingpin::model::{Body, Ends, Model, Space};
use kingpin::system::System;

fn assembled(model: &Model) -> (System, Assembly) {
    let (system, _) = System::compile(model).unwrap_or_else(|e| panic!("{e:#?}"));
    let assembly = assemble(&system).unwrap_or_else(|e| panic!("{e:#?}"));
    (system, assembly)
}

/// A door on two hinges whose pins are `misalign` apart along x.
fn door(misalign: f64) -> Model {
    let mut model = Model::new("door", Space::Spatial);
    model.body(Body::spatial("door", 20.0, [5.0, 6.0, 2.0]).at([0.5, 0.0, 1.0]));
    for (name, height, shift) in [("hinge_1", 0.3, 0.0), ("hinge_2", 1.7, misalign)] {
        let ends = Ends::points("ground", [shift, 0.0, height], "door", [-0.5, 0.0, height - 1.0]);
        model.joint(name, ends.axes([0.0, 0.0, 1.0], [0.0, 0.0, 1.0]), Revolute {});
    }
    model
}

#[test]
fn a_door_on_two_hinges_has_five_redundant_equations() {
    let (_, assembly) = assembled(&door(0.0));
    assert_eq!(assembly.diagnosis.dof, 1);
    let [redundancy] = &assembly.diagnosis.redundant[..] else { panic!("{:#?}", assembly.diagnosis) };
    assert_eq!((redundancy.joint.as_str(), redundancy.equations), ("hinge_2", 5));
    assert_eq!(redundancy.follows_from, ["hinge_1"]);
    assert!(assembly.diagnosis.singular.is_empty());
}

#[test]
fn a_misaligned_door_is_inconsistent_and_both_hinges_are_named() {
    // 1 cm in x: the door could tilt, but the pins are parallel to z
    let (system, _) = System::compile(&door(0.01)).expect("valid");
    let Err(AssemblyFailure::Inconsistent { misfits, length, gap, .. }) = assemble(&system) else {
        panic!("should be inconsistent")
    };
    let gap = gap.expect("one hinge alone closes");
    assert_eq!(gap.name, "hinge_2");
    assert!((gap.length - 0.01).abs() < 1e-12 && gap.angle < 1e-12, "{gap:?}");
    let names: Vec<_> = misfits.iter().map(|m| m.name.as_str()).collect();
    assert!(names.contains(&"hinge_1") && names.contains(&"hinge_2"), "{names:?}");
    assert!((0.002..=0.0101).contains(&length), "misfit {length}");
}

/// A planar four-bar: ground 0..d, crank a, coupler b, rocker c, crank at `angle`.
fn four_bar([d, a, b, c]: [f64; 4], angle: f64) -> Model {
    let mut model = Model::new("four-bar", Space::Planar);
    let tip = [a * angle.cos(), a * angle.sin()];
    let (dx, dy) = (d - tip[0], -tip[1]);
    let span = dx.hypot(dy);
    // the coupler and rocker angles by the law of cosines, if the loop closes
    let bend = ((b * b + span * span - c * c) / (2.0 * b * span)).clamp(-1.0, 1.0).acos();
    let coupler = dy.atan2(dx) + bend;
    let joint = [tip[0] + b * coupler.cos(), tip[1] + b * coupler.sin()];
    let rocker = joint[1].atan2(joint[0] - d);
    for (name, length, angle, x, y) in [
        ("crank", a, angle, 0.5 * tip[0], 0.5 * tip[1]),
        ("coupler", b, coupler, tip[0] + 0.5 * b * coupler.cos(), tip[1] + 0.5 * b * coupler.sin()),
        ("rocker", c, rocker, d + 0.5 * c * rocker.cos(), 0.5 * c * rocker.sin()),
    ] {
        let mut body = Body::planar(name, length, length.powi(3) / 12.0).at([x, y, 0.0]);
        body.angle = angle;
        model.body(body);
    }
    model.joint("O", Ends::points("ground", [0.0; 3], "crank", [-0.5 * a, 0.0, 0.0]), Revolute {});
    model.joint(
        "A",
        Ends::points("crank", [0.5 * a, 0.0, 0.0], "coupler", [-0.5 * b, 0.0, 0.0]),
        Revolute {},
    );
    model.joint(
        "B",
        Ends::points("coupler", [0.5 * b, 0.0, 0.0], "rocker", [0.5 * c, 0.0, 0.0]),
        Revolute {},
    );
    model.joint("C", Ends::points("rocker", [-0.5 * c, 0.0, 0.0], "ground", [d, 0.0, 0.0]), Revolute {});
    model
}

#[test]
fn a_four_bar_closes_from_rough_values() {
    let mut model = four_bar([3.0, 1.0, 3.5, 2.0], 1.0);
    let mut random = Random::new(5);
    for body in &mut model.bodies {
        body.angle += 0.05 * random.signed();
        body.position += random.vec3() * 0.05;
    }
    let (_, assembly) = assembled(&model);
    assert!(assembly.position_residual < 1e-13, "{}", assembly.position_residual);
    assert_eq!(assembly.diagnosis.dof, 1);
    assert!(assembly.diagnosis.redundant.is_empty() && assembly.diagnosis.singular.is_empty());
    assert!(assembly.corrections[0].amount < 0.2 && assembly.corrections[0].amount > 1e-3);
}

#[test]
fn a_parallelogram_laid_flat_is_momentarily_singular() {
    // at the change point all bars lie on one line
    let (_, assembly) = assembled(&four_bar([2.0, 1.0, 2.0, 1.0], 0.0));
    assert!(assembly.diagnosis.redundant.is_empty(), "{:#?}", assembly.diagnosis);
    assert_eq!(assembly.diagnosis.singular.iter().map(|s| s.equations).sum::<usize>(), 1);
    assert_eq!(assembly.diagnosis.dof, 1);
}

#[test]
fn bars_too_short_to_close_are_inconsistent() {
    let (system, _) = System::compile(&four_bar([5.0, 1.0, 2.0, 1.0], 0.3)).expect("valid");
    let Err(AssemblyFailure::Inconsistent { misfits, length, .. }) = assemble(&system) else {
        panic!("should not close")
    };
    // stretched out, one metre is missing
    assert!((length - 1.0).abs() < 1e-3, "{length}");
    assert_eq!(misfits.len(), 4);
}

#[test]
fn a_third_crank_in_a_parallelogram_is_redundant() {
    let mut model = four_bar([2.0, 1.0, 2.0, 1.0], 0.7);
    let mut third = model.bodies[0].clone();
    third.name = "third".into();
    third.position.x += 1.0;
    model.body(third);
    model.joint("D", Ends::points("ground", [1.0, 0.0, 0.0], "third", [-0.5, 0.0, 0.0]), Revolute {});
    model.joint("E", Ends::points("third", [0.5, 0.0, 0.0], "coupler", [0.0; 3]), Revolute {});
    let (_, assembly) = assembled(&model);
    assert_eq!(assembly.diagnosis.dof, 1);
    assert_eq!(assembly.diagnosis.redundant_equations(), 1);
    assert_eq!(assembly.diagnosis.redundant[0].joint, "E");
}

#[test]
fn fixed_values_stay() {
    let mut model = four_bar([3.0, 1.0, 3.5, 2.0], 1.0);
    model.bodies[0].angle = 1.2;
    model.bodies[0].fixed = vec!["rotation".into()];
    let (system, assembly) = assembled(&model);
    assert_eq!(assembly.state.q[2], 1.2);
    assert!(assembly.position_residual < 1e-13);
    assert_eq!(system.velocities(), 9);
}

#[test]
fn velocities_become_consistent_with_a_driver() {
    let mut model = four_bar([3.0, 1.0, 3.5, 2.0], 1.0);
    let mut scope = kingpin::expr::Scope::new();
    scope.variable("t", 0, None);
    let motion = kingpin::expr::parse("1 + 2*t + sin(3*t)", &scope).expect("valid");
    let motion = kingpin::model::Function::Expr(motion);
    model.driver("motor", Ends::default(), DrivenAngle { joint: "O".into(), motion });
    let (_, assembly) = assembled(&model);
    assert_eq!(assembly.diagnosis.dof, 0);
    assert!((assembly.state.v[2] - 5.0).abs() < 1e-12, "crank speed {}", assembly.state.v[2]);
    assert!(assembly.velocity_residual < 1e-12);
}

#[test]
fn two_drivers_that_disagree_are_inconsistent_in_velocity() {
    let mut model = four_bar([3.0, 1.0, 3.5, 2.0], 1.0);
    let mut scope = kingpin::expr::Scope::new();
    scope.variable("t", 0, None);
    for (name, text) in [("one", "1 + 2*t"), ("two", "1 + 3*t")] {
        let motion = kingpin::model::Function::Expr(kingpin::expr::parse(text, &scope).expect("valid"));
        model.driver(name, Ends::default(), DrivenAngle { joint: "O".into(), motion });
    }
    let (system, _) = System::compile(&model).expect("valid");
    let Err(AssemblyFailure::InconsistentVelocities { misfits }) = assemble(&system) else {
        panic!("should disagree")
    };
    assert!(misfits.iter().any(|m| m.name == "one" || m.name == "two"), "{misfits:?}");
}

#[test]
fn spatial_loop_with_ball_joints_and_a_universal() {
    // a chain of random bodies closed by a distance; starts 0.1 off
    let mut random = Random::new(9);
    let mut model = Model::new("loop", Space::Spatial);
    for k in 0..4 {
        let mut body = common::random_body(&format!("b{k}"), Space::Spatial, &mut random);
        body.position = [f64::from(k), 0.0, 0.0].into();
        model.body(body);
    }
    let at =
        |k: usize, dx: f64| Ends::at(&format!("b{k}"), &format!("b{}", k + 1), [k as f64 + dx, 0.2, 0.0]);
    model.joint("root", Ends::at("ground", "b0", [-0.5, 0.0, 0.1]), Spherical {});
    model.joint("ball", at(0, 0.5), Spherical {});
    model.joint("cross", at(1, 0.5).axes([0.3, 1.0, 0.2], [1.0, 0.1, -0.4]), Universal {});
    model.joint("pin", at(2, 0.5).axis([0.1, 0.2, 1.0]), Revolute {});
    model.joint("rod", Ends::bodies("b3", "ground"), Distance { length: Some(3.2) });
    let (_, assembly) = assembled(&model);
    assert!(assembly.position_residual < 1e-12);
    assert_eq!(assembly.diagnosis.dof, 24 - 3 - 3 - 4 - 5 - 1);
}

#[test]
fn gears_count_turns() {
    let mut model = Model::new("gears", Space::Spatial);
    for (name, x) in [("small", 0.0), ("large", 1.0)] {
        model.body(Body::spatial(name, 1.0, [0.1, 0.1, 0.1]).at([x, 0.0, 0.0]));
        let ends = Ends::at("ground", name, [x, 0.0, 0.0]).axis([0.0, 0.0, 1.0]);
        model.joint(&format!("pin_{name}"), ends, Revolute {});
    }
    let gear = Gear {
        joint1: "pin_small".into(),
        joint2: "pin_large".into(),
        ratio: 0.37,
        backlash: None,
        stiffness: None,
        damping: 0.0,
    };
    model.joint("mesh", Ends::default(), gear);
    let (system, assembly) = assembled(&model);
    assert_eq!(assembly.diagnosis.dof, 1);
    // turn the small wheel on by 0.5 rad a step for five turns: the constraint stays closed
    let mut state = assembly.state.clone();
    let mut work = system.work();
    for _ in 0..60 {
        let mut step = vec![0.0; 12];
        (step[5], step[11]) = (0.5, -0.185);
        system.displace(&mut state.q, &step);
        system.set_state(&mut work, &state);
        system.count_turns(&mut work);
        state.turns.copy_from_slice(&work.turns);
        system.evaluate_constraints(&mut work);
        assert!(work.phi.iter().all(|x| x.abs() < 1e-12), "{:?}", work.phi);
    }
    assert!(state.turns.iter().any(|a| (a - 30.0).abs() < 1e-9), "{:?}", state.turns);
}

#[test]
fn time_constants_name_spring_and_mass() {
    let mut model = Model::new("slider", Space::Planar);
    model.body(Body::planar("cart", 2.0, 1.0).at([1.0, 0.0, 0.0]));
    model.joint("rail", Ends::bodies("ground", "cart").axis([1.0, 0.0, 0.0]), Translational {});
    let spring = Spring { stiffness: 800.0, ..Spring::default() };
    model.force("coil", Ends::bodies("ground", "cart"), spring);
    let damper = Spring { damping: 1e4, ..Spring::default() };
    model.force("dashpot", Ends::bodies("ground", "cart"), damper);
    let (system, assembly) = assembled(&model);
    let all = time_constants(&system, &assembly.state);
    assert_eq!(all[0].force, "dashpot");
    assert!((all[0].seconds - 2e-4).abs() < 1e-12 && (all[0].mass - 2.0).abs() < 1e-9);
    assert!((all[1].seconds - 0.05).abs() < 1e-12, "{all:?}");
    assert_eq!(all[1].body, "cart");
}

#[test]
fn a_body_fixed_twice_is_redundant_with_no_freedom_left() {
    let mut model = Model::new("clamp", Space::Spatial);
    model.body(Body::spatial("block", 1.0, [0.1, 0.1, 0.1]));
    model.joint("weld_1", Ends::at("ground", "block", [0.0; 3]), Fixed {});
    model.joint("weld_2", Ends::at("ground", "block", [0.5, 0.0, 0.0]), Fixed {});
    let (_, assembly) = assembled(&model);
    assert_eq!(assembly.diagnosis.dof, 0);
    assert_eq!(assembly.diagnosis.redundant_equations(), 6);
}

#[test]
fn a_body_moved_far_is_suspicious() {
    let mut model = four_bar([3.0, 1.0, 3.5, 2.0], 1.0);
    let (system, assembly) = assembled(&model);
    assert!(far_moves(&system, &assembly).is_empty());
    model.bodies[0].angle = 1.5;
    let (system, assembly) = assembled(&model);
    let findings = far_moves(&system, &assembly);
    assert!(!findings.is_empty() && findings[0].message.contains("rotation of body"), "{findings:#?}");
}
