//! All ways to solve the acceleration problem agree, on open and closed, planar and spatial mechanisms.

use crate::common;

use common::{Random, random_body};
use kingpin::accel::{Accelerations, Accelerator, Elimination, Problem, Solver, plan};
use kingpin::analysis::{Assembly, assemble};
use kingpin::element::force::Spring;
use kingpin::element::joint::{
    Cylindrical, Distance, Fixed, JointKind, PinInSlot, PointOnLine, Revolute, Spherical, Translational,
    Universal,
};
use kingpin::model::{Ends, Model, Space, Vec3};
use kingpin::system::{System, Work};
use kingpin::topology::{BodyTree, PlanOptions, Split, choose};

/// A random mechanism: a tree of joints, some loops closed by weak joints, springs between random bodies.
fn random_mechanism(space: Space, random: &mut Random) -> Model {
    let mut model = Model::new("random", space);
    let count = 2 + random.below(9);
    let planar = |mut v: Vec3| {
        if space == Space::Planar {
            v.z = 0.0;
        }
        <[f64; 3]>::from(v)
    };
    for k in 0..count {
        model.body(random_body(&format!("b{k}"), space, random));
    }
    model.gravity = planar(Vec3::new(0.3, -9.0, 2.0)).into();
    let name = |k: usize, count: usize| if k == count { "ground".to_string() } else { format!("b{k}") };
    // hubs are likely: half of the bodies hang on body 0
    for k in 0..count {
        let parent = if k == 0 { count } else { [0, random.below(k)][random.below(2)] };
        let at = planar(random.vec3() * 2.0);
        let ends = Ends::at(&name(parent, count), &name(k, count), at);
        let kind: JointKind = match (space, random.below(5)) {
            (Space::Planar, 0) => Translational {}.into(),
            (Space::Planar, 1) => PinInSlot {}.into(),
            (Space::Planar, _) => Revolute {}.into(),
            (_, 0) => Spherical {}.into(),
            (_, 1) => Cylindrical {}.into(),
            (_, 2) => Fixed {}.into(),
            (_, 3) => Universal {}.into(),
            _ => Revolute {}.into(),
        };
        let axis = planar(random.vec3());
        let ends = match &kind {
            JointKind::Universal(_) => ends.axes(planar(random.vec3()), planar(random.vec3())),
            JointKind::Spherical(_) | JointKind::Fixed(_) => ends,
            JointKind::Revolute(_) if space == Space::Planar => ends,
            _ => ends.axis(axis),
        };
        model.joint(&format!("j{k}"), ends, kind);
    }
    for k in 0..random.below(3) {
        let (i, j) = (random.below(count), count);
        let ends =
            Ends::points(&name(i, count), planar(random.vec3()), &name(j, count), planar(random.vec3()));
        if space == Space::Spatial && random.below(2) == 0 {
            let ends = Ends::at(&name(i, count), "ground", planar(random.vec3())).axis(planar(random.vec3()));
            model.joint(&format!("loop{k}"), ends, PointOnLine {});
        } else {
            model.joint(&format!("loop{k}"), ends, Distance { length: None });
        }
    }
    let spring = Spring { stiffness: 50.0, damping: 3.0, ..Spring::default() };
    let ends = Ends::points("b0", planar(random.vec3()), "ground", planar(random.vec3() * 3.0));
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

fn solved(accelerator: &mut Accelerator, system: &System, work: &Work) -> Accelerations {
    let mut out = accelerator.result();
    accelerator
        .solve(system, work, &mut out)
        .unwrap_or_else(|e| panic!("{}: {e}", accelerator.method.name()));
    out
}

/// Largest difference, relative to the size of the second vector (at least one thousandth of a unit).
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / size
}

/// Residuals of the two equations themselves.
fn residuals(system: &System, work: &Work, out: &Accelerations) -> (f64, f64) {
    let n = system.velocities();
    let (mut ma, mut force, mut rows) = (vec![0.0; n], vec![0.0; n], vec![0.0; system.joint_equations()]);
    system.mass_times(&out.acc, &mut ma);
    system.transpose_times(work, &out.lam, &mut force);
    ma.iter_mut().zip(&force).for_each(|(a, f)| *a += f);
    system.jacobian_times(work, &out.acc, &mut rows);
    (difference(&ma, &work.force), difference(&rows, &work.gamma))
}

#[test]
fn all_solvers_agree_on_random_topologies() {
    let mut random = Random::new(77);
    let (mut tried, mut closed, mut split) = (0, 0, 0);
    while tried < 200 {
        let space = if random.below(2) == 0 { Space::Planar } else { Space::Spatial };
        let model = random_mechanism(space, &mut random);
        let Ok((system, _)) = System::compile(&model) else { continue };
        // random loops may fail to close or be near a singularity: those are other tests' business
        let Ok(assembly) = assemble(&system) else { continue };
        if !assembly.diagnosis.singular.is_empty() {
            continue;
        }
        let work = evaluated(&system, &assembly);
        let redundant = &assembly.diagnosis.redundant_rows;
        let mut first = Accelerator::new(&system, redundant, Solver::AugmentedDense);
        let reference = solved(&mut first, &system, &work);
        if reference.lam.iter().any(|x| x.abs() > 1e5) {
            continue; // badly conditioned draw
        }
        tried += 1;
        closed += usize::from(model.joints.iter().any(|j| j.name.starts_with("loop")));
        let (balance, constraint) = residuals(&system, &work, &reference);
        assert!(
            balance < 1e-9 && constraint < 1e-9,
            "mechanism {tried}: residuals {balance:e} {constraint:e}"
        );
        for method in Solver::ALL {
            let mut accelerator = Accelerator::new(&system, redundant, method);
            split += usize::from(accelerator.plan().split.is_some());
            let out = solved(&mut accelerator, &system, &work);
            let (acc, lam) = (difference(&out.acc, &reference.acc), difference(&out.lam, &reference.lam));
            assert!(acc < 1e-9 && lam < 1e-9, "mechanism {tried}, {}: {acc:e} {lam:e}", method.name());
        }
    }
    assert!(closed > 50 && split > 5, "{closed} with loops, {split} with split bodies");
}

#[test]
fn a_forced_split_changes_nothing() {
    let mut random = Random::new(3);
    for space in [Space::Planar, Space::Spatial] {
        let mut model = Model::new("star", space);
        model.body(random_body("hub", space, &mut random));
        for k in 0..6 {
            let name = format!("arm{k}");
            model.body(random_body(&name, space, &mut random));
            let at = [random.signed(), random.signed(), 0.0];
            let ends = Ends::at("hub", &name, at);
            let ends = if space == Space::Planar { ends } else { ends.axis(random.vec3().into()) };
            model.joint(&format!("pin{k}"), ends, Revolute {});
        }
        let (system, _) = System::compile(&model).expect("valid");
        let assembly = assemble(&system).expect("consistent");
        let work = evaluated(&system, &assembly);
        let mut plain = Accelerator::new(&system, &[], Solver::EliminationUnsplit);
        let reference = solved(&mut plain, &system, &work);
        let mut other = Accelerator::with_solver(&system, &[], |problem: &Problem| {
            let graph = problem.graph();
            let tree = BodyTree {
                body: 0,
                pieces: vec![vec![0, 1], vec![2, 3], vec![4, 5]],
                links: vec![(0, 1), (1, 2)],
            };
            let split = Split::new(&graph, &[tree], problem.nodes.widest()).expect("a valid split");
            let mut plan = plan(problem, false);
            plan.permutation = choose(split.graph(), &PlanOptions::default()).permutation;
            plan.split = Some(split);
            Box::new(Elimination::new(problem, &plan))
        });
        let out = solved(&mut other, &system, &work);
        assert!(difference(&out.acc, &reference.acc) < 1e-11);
        assert!(difference(&out.lam, &reference.lam) < 1e-11);
    }
}

#[test]
fn the_form_in_euler_parameters_balances_with_its_multipliers() {
    let mut random = Random::new(11);
    for _ in 0..20 {
        let model = random_mechanism(Space::Spatial, &mut random);
        let Ok((system, _)) = System::compile(&model) else { continue };
        let Ok(assembly) = assemble(&system) else { continue };
        if !assembly.diagnosis.singular.is_empty() {
            continue;
        }
        let work = evaluated(&system, &assembly);
        let redundant = &assembly.diagnosis.redundant_rows;
        let mut accelerator = Accelerator::new(&system, redundant, Solver::Elimination);
        let out = solved(&mut accelerator, &system, &work);
        let mut qddot = vec![0.0; system.coordinates()];
        system.coordinate_accelerations(&work, &out.acc, &mut qddot);
        let mut lam = out.lam.clone();
        lam.extend(system.normalisation_multipliers(&work, &out));
        let mut d = system.derivatives();
        system.evaluate_derivatives(&work, &qddot, &lam, &mut d);
        // M q'' + Phi_q^T lam = Q, every coordinate
        let mut left = system.generalised_mass_times(&assembly.state.q, &qddot, &work.turns);
        for block in &system.layout.blocks {
            let first = system.layout.groups[block.group].rows.start;
            for r in 0..block.rows {
                for (k, x) in system.nodes.q(block.body).zip(&d.phi_q[block.row_q(r)]) {
                    left[k] += lam[first + r] * x;
                }
            }
        }
        for ((number, body), of) in system.nodes.normalised().enumerate().zip(&d.normalisation) {
            for k in 0..4 {
                left[system.nodes[body].q + 3 + k] += lam[system.joint_equations() + number] * of.phi_p[k];
            }
        }
        assert!(difference(&left, &d.force) < 1e-9, "{:e}", difference(&left, &d.force));
    }
}

#[test]
fn a_redundant_door_has_least_norm_multipliers() {
    let mut model = Model::new("door", Space::Spatial);
    let mut body = kingpin::model::Body::spatial("door", 20.0, [5.0, 6.0, 2.0]).at([0.5, 0.0, 1.0]);
    body.angular_velocity.z = 1.0;
    body.velocity.y = 0.5;
    model.body(body);
    model.gravity.z = -9.81;
    for (name, z) in [("hinge_1", 0.3), ("hinge_2", 1.7)] {
        model.joint(name, Ends::at("ground", "door", [0.0, 0.0, z]).axis([0.0, 0.0, 1.0]), Revolute {});
    }
    let (system, _) = System::compile(&model).expect("valid");
    let assembly = assemble(&system).expect("consistent");
    let work = evaluated(&system, &assembly);
    let redundant = &assembly.diagnosis.redundant_rows;
    for method in Solver::ALL {
        let mut accelerator = Accelerator::new(&system, redundant, method);
        let out = solved(&mut accelerator, &system, &work);
        let reactions = system.reactions(&work, &out.lam);
        // two like hinges placed evenly about the centre of mass share the weight evenly
        for reaction in &reactions {
            assert!((reaction.force[2] - 0.5 * 20.0 * 9.81).abs() < 1e-9, "{}: {reactions:?}", method.name());
        }
        // centripetal force towards the hinge line
        let pull: f64 = reactions.iter().map(|r| r.force[0]).sum();
        assert!((pull + 20.0 * 0.5).abs() < 1e-9, "{pull}");
    }
}

#[test]
fn a_flat_parallelogram_is_a_singular_configuration() {
    let mut model = Model::new("flat", Space::Planar);
    for (name, length, x) in [("a", 1.0, 0.5), ("b", 2.0, 2.0), ("c", 1.0, 2.5)] {
        model.body(kingpin::model::Body::planar(name, 1.0, 0.1).at([x, 0.0, 0.0]));
        let _ = length;
    }
    model.joint("O", Ends::at("ground", "a", [0.0; 3]), Revolute {});
    model.joint("A", Ends::at("a", "b", [1.0, 0.0, 0.0]), Revolute {});
    model.joint("B", Ends::at("b", "c", [3.0, 0.0, 0.0]), Revolute {});
    model.joint("C", Ends::at("c", "ground", [2.0, 0.0, 0.0]), Revolute {});
    let (system, _) = System::compile(&model).expect("valid");
    let assembly = assemble(&system).expect("consistent");
    let work = evaluated(&system, &assembly);
    for method in [Solver::Elimination, Solver::Recursive, Solver::RecursiveSparse, Solver::RecursiveDense] {
        let mut accelerator = Accelerator::new(&system, &[], method);
        let mut out = accelerator.result();
        let failure = accelerator.solve(&system, &work, &mut out).expect_err("singular");
        let text = failure.to_string();
        assert!(text.starts_with("singular configuration at joint `"), "{}: {text}", method.name());
    }
}
