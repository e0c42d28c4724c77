//! Recursion in joint coordinates gives what elimination gives: accelerations, multipliers, reactions.

use crate::common;

use common::{Random, random_body};
use kingpin::accel::{Accelerator, Gathered, JointEquations, Problem, Reaction, Solver, choose_method};
use kingpin::analysis::{Assembly, assemble};
use kingpin::element::driver::DrivenAngle;
use kingpin::element::force::Spring;
use kingpin::element::joint::{
    Cylindrical, Distance, Fixed, Gear, JointKind, PinInSlot, Planar, PointInPlane, PointOnLine, Revolute,
    RevoluteSpherical, Screw, Spherical, Translational, Universal,
};
use kingpin::expr::{Scope, parse};
use kingpin::model::{Body, Ends, Function, Model, Space, Vec3};
use kingpin::system::{System, Work};
use std::collections::BTreeMap;

const RECURSIVE: [Solver; 3] = [Solver::Recursive, Solver::RecursiveSparse, Solver::RecursiveDense];

fn flat(v: Vec3, space: Space) -> [f64; 3] {
    [v.x, v.y, if space == Space::Planar { 0.0 } else { v.z }]
}

fn random_kind(space: Space, random: &mut Random) -> JointKind {
    match (space, random.below(13)) {
        (Space::Planar, 0 | 1) => Translational {}.into(),
        (Space::Planar, 2) => PinInSlot {}.into(),
        (Space::Planar, 3) => Fixed {}.into(),
        (Space::Planar, 4) => Distance { length: None }.into(),
        (Space::Planar, _) => Revolute {}.into(),
        (_, 0) => Spherical {}.into(),
        (_, 1) => Cylindrical {}.into(),
        (_, 2) => Fixed {}.into(),
        (_, 3) => Universal {}.into(),
        (_, 4) => Translational {}.into(),
        (_, 5) => Planar {}.into(),
        (_, 6) => PointOnLine {}.into(),
        (_, 7) => PointInPlane {}.into(),
        (_, 8) => Screw { pitch: 0.3 }.into(),
        (_, 9) => Distance { length: None }.into(),
        (_, 10) => RevoluteSpherical { length: None }.into(),
        _ => Revolute {}.into(),
    }
}

/// Ends that suit a joint, in the pose as given.
fn random_joint_ends(kind: &JointKind, pair: [&str; 2], space: Space, random: &mut Random) -> Ends {
    let mut vector = || flat(random.vec3(), space);
    let at = Ends::at(pair[0], pair[1], vector());
    match kind {
        JointKind::Distance(_) => Ends::points(pair[0], vector(), pair[1], vector()),
        JointKind::RevoluteSpherical(_) => Ends::points(pair[0], vector(), pair[1], vector()).axis(vector()),
        JointKind::Universal(_) => at.axes(vector(), vector()),
        JointKind::Spherical(_) | JointKind::Fixed(_) => at,
        JointKind::Revolute(_) if space == Space::Planar => at,
        _ => at.axis(vector()),
    }
}

/// Trees, forests and floating parts of all joints that have two ends, loops closed by joints, a driver, a gear.
fn random_mechanism(space: Space, random: &mut Random) -> Model {
    let mut model = Model::new("random", space);
    let count = 1 + random.below(9);
    model.gravity = flat(Vec3::new(0.3, -9.0, 2.0), space).into();
    for k in 0..count {
        model.body(random_body(&format!("b{k}"), space, random));
    }
    let name = |k: usize| if k == count { "ground".to_string() } else { format!("b{k}") };
    let mut hinges = Vec::new();
    for k in 0..count {
        let parent = match random.below(8) {
            0 => continue,
            1 => count,
            _ if k == 0 => count,
            _ => random.below(k),
        };
        let kind = random_kind(space, random);
        let (a, b) = (name(parent), name(k));
        let pair = if random.below(2) == 0 { [&a, &b] } else { [&b, &a] };
        let ends = random_joint_ends(&kind, pair.map(|x| x.as_str()), space, random);
        if matches!(kind, JointKind::Revolute(_)) {
            hinges.push(format!("j{k}"));
        }
        model.joint(&format!("j{k}"), ends, kind);
    }
    for k in 0..random.below(3) {
        let (i, j) = (random.below(count), random.below(count + 1));
        if i == j {
            continue;
        }
        let kind: JointKind = match random.below(3) {
            0 if space == Space::Spatial => PointOnLine {}.into(),
            1 if space == Space::Spatial => Spherical {}.into(),
            _ => Distance { length: None }.into(),
        };
        let (a, b) = (name(i), name(j));
        let ends = random_joint_ends(&kind, [&a, &b], space, random);
        model.joint(&format!("loop{k}"), ends, kind);
    }
    if let ([first, second, ..], 0) = (&hinges[..], random.below(4)) {
        let gear = Gear {
            joint1: first.clone(),
            joint2: second.clone(),
            ratio: 0.7,
            backlash: None,
            stiffness: None,
            damping: 0.0,
        };
        model.joint("gear", Ends::default(), gear);
    }
    if let (Some(last), 0) = (hinges.last(), random.below(4)) {
        let mut scope = Scope::new();
        scope.variable("t", 0, None);
        let motion = Function::Expr(parse("0.1 + 0.4*t + 3*t^2", &scope).expect("an expression"));
        model.driver("driver", Ends::default(), DrivenAngle { joint: last.clone(), motion });
    }
    let spring = Spring { stiffness: 50.0, damping: 3.0, ..Spring::default() };
    let ends = Ends::points("b0", flat(random.vec3(), space), "ground", flat(random.vec3() * 3.0, space));
    model.force("spring", ends, spring);
    model
}

fn evaluated(system: &System, assembly: &Assembly) -> Work {
    let mut work = system.work();
    system.set_state(&mut work, &assembly.state);
    system.evaluate_constraints(&mut work);
    system.evaluate_forces(&mut work);
    work
}

/// Largest difference, relative to the size of the second vector (at least one thousandth of a unit).
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (x, y)| if (x - y).abs() <= m { m } else { (x - y).abs() }) / size
}

fn numbers(reactions: &[Reaction]) -> Vec<f64> {
    reactions.iter().flat_map(|r| r.force.into_iter().chain(r.torque)).collect()
}

#[test]
fn recursion_agrees_with_elimination_on_random_topologies() {
    let mut random = Random::new(2024);
    let (mut tried, mut cut, mut floating) = (0, 0, 0);
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for draw in 0.. {
        if tried == 200 {
            break;
        }
        assert!(draw < 2000, "only {tried} of {draw} random mechanisms could be used");
        let space = if random.below(3) == 0 { Space::Planar } else { Space::Spatial };
        let model = random_mechanism(space, &mut random);
        let Ok((system, _)) = System::compile(&model) else { continue };
        // random loops may fail to close or be near a singularity: those are other tests' business
        let Ok(assembly) = assemble(&system) else { continue };
        if !assembly.diagnosis.singular.is_empty() {
            continue;
        }
        let work = evaluated(&system, &assembly);
        let redundant = &assembly.diagnosis.redundant_rows;
        let mut first = Accelerator::new(&system, redundant, Solver::Elimination);
        let mut reference = first.result();
        if first.solve(&system, &work, &mut reference).is_err()
            || reference.lam.iter().chain(&reference.acc).any(|x| x.abs() > 1e5)
        {
            continue; // badly conditioned draw
        }
        tried += 1;
        let spanning = first.problem.spanning();
        cut += usize::from(spanning.cut_equations > 0);
        floating += usize::from(spanning.bases().next().is_some());
        model
            .joints
            .iter()
            .for_each(|j| *kinds.entry(format!("{space:?} {}", j.kind.tag())).or_default() += 1);
        let reactions = numbers(&system.reactions(&work, &reference.lam));
        for method in RECURSIVE {
            let mut accelerator = Accelerator::new(&system, redundant, method);
            let (mut out, what) = (accelerator.result(), format!("mechanism {tried}, {}", method.name()));
            accelerator.solve(&system, &work, &mut out).unwrap_or_else(|e| panic!("{what}: {e}"));
            let (acc, lam) = (difference(&out.acc, &reference.acc), difference(&out.lam, &reference.lam));
            assert!(acc < 1e-9 && lam < 1e-9, "{what}: {acc:e} {lam:e}");
            let far = difference(&numbers(&system.reactions(&work, &out.lam)), &reactions);
            assert!(far < 1e-9, "{what}: reactions {far:e}");
            // the short way, with constraints of other instants left in the work
            let mut other = system.work();
            system.set_state(&mut other, &assembly.state);
            other.phi_v.fill(f64::NAN);
            other.gamma.fill(f64::NAN);
            let mut acc = vec![0.0; out.acc.len()];
            accelerator.accelerate(&system, &mut other, &mut acc).unwrap_or_else(|e| panic!("{what}: {e}"));
            assert!(difference(&acc, &reference.acc) < 1e-9, "{what}: accelerations alone");
        }
    }
    assert!(cut > 60 && floating > 40, "{cut} with loops, {floating} with floating parts");
    assert!(kinds.len() >= 16, "{kinds:?}");
}

#[test]
fn long_chains_far_from_the_origin_lose_no_digits() {
    let chain = |offset: f64| {
        let mut model = Model::new("chain", Space::Spatial);
        model.gravity = Vec3::new(0.0, 0.0, -9.81);
        for k in 0..40 {
            let mut body = Body::spatial(&format!("b{k}"), 1.0, [0.01, 0.08, 0.08]);
            body.position = Vec3::new(offset + k as f64 + 0.5, 0.0, 0.0);
            model.body(body);
            let before = if k == 0 { "ground".into() } else { format!("b{}", k - 1) };
            let axis = [[0.0, 1.0, 0.0], [0.0, 0.6, 0.8]][k % 2];
            let ends = Ends::at(&before, &format!("b{k}"), [offset + k as f64, 0.0, 0.0]).axis(axis);
            model.joint(&format!("j{k}"), ends, Revolute {});
        }
        let (system, _) = System::compile(&model).expect("valid");
        let assembly = assemble(&system).expect("consistent");
        let mut accelerator = Accelerator::new(&system, &[], Solver::Recursive);
        let (mut work, mut out) = (system.work(), accelerator.result());
        system.set_state(&mut work, &assembly.state);
        accelerator.evaluate(&system, &mut work, &mut out).expect("solved");
        out.acc
    };
    // a power of two, so that positions differ by exactly as much
    let (near, far) = (chain(0.0), chain(1_048_576.0));
    assert!(difference(&far, &near) < 1e-9, "{:e}", difference(&far, &near));
}

#[test]
fn the_joint_equations_are_those_of_the_dense_matrix() {
    let mut random = Random::new(4);
    let mut tried = 0;
    for draw in 0.. {
        if tried == 20 {
            break;
        }
        assert!(draw < 400, "only {tried} of {draw} random mechanisms could be used");
        let model = random_mechanism(Space::Spatial, &mut random);
        let Ok((system, _)) = System::compile(&model) else { continue };
        let Ok(assembly) = assemble(&system) else { continue };
        let problem = Problem::new(&system, &assembly.diagnosis.redundant_rows);
        let (work, mut room) = (evaluated(&system, &assembly), Gathered::default());
        let mut equations = JointEquations::new(&system, &problem);
        let mut x = vec![0.0; equations.coordinates() + equations.equations()];
        let formed = equations.form(&problem, &problem.gather(&work, &mut room));
        if formed.is_err() || equations.solve(&mut x).is_err() || x.iter().any(|x| x.abs() > 1e4) {
            continue;
        }
        tried += 1;
        assert_eq!(equations.fill(), 0);
        assert_eq!(choose_method(&problem).spanning.coordinates(), equations.coordinates());
        let (matrix, right) = equations.dense();
        let n = x.len();
        let left: Vec<f64> = (0..n).map(|i| (0..n).map(|j| matrix[i + j * n] * x[j]).sum()).collect();
        assert!(difference(&left, right) < 1e-8, "{:e}", difference(&left, right));
    }
}
