//! Flexible bodies in floating frames, with random numbers: all solvers and methods agree, energies balance.

use crate::common;

use common::flexible::{random_reduced, random_superelement};
use common::{Random, random_body};
use kingpin::accel::{Accelerations, Accelerator, Solver};
use kingpin::analysis::assemble;
use kingpin::dynamics::Matrices;
use kingpin::element::force::Spring;
use kingpin::element::joint::{JointKind, Revolute, Spherical};
use kingpin::model::{Ends, Model, Space, Vec3};
use kingpin::prelude::*;
use kingpin::system::{System, Work};

/// A flexible arm on a hinge that carries a rigid body and is held by a spring.
fn arm(space: Space, damping: f64, random: &mut Random) -> Model {
    let mut model = Model::new("arm", space);
    model.gravity = Vec3::new(0.3, -9.0, if space == Space::Planar { 0.0 } else { 2.0 });
    let mut reduced = random_reduced(space, 4, 0.05, random);
    reduced.interfaces.iter_mut().flat_map(|own| &mut own.motion).for_each(|m| *m = m.map(|x| 0.3 * x));
    reduced.stiffness.iter_mut().for_each(|k| *k *= 20.0);
    model.superelement(random_superelement("arm", reduced, damping));
    model.body(random_body("load", space, random));
    let hinge = Ends::points("ground", [0.0; 3], "arm.left", [0.0; 3]);
    let hinge = if space == Space::Planar { hinge } else { hinge.axis([0.1, 0.2, 1.0]) };
    model.joint("hinge", hinge, Revolute {});
    let held = Ends::points("arm.right", [0.0; 3], "load", [0.0; 3]);
    let ball: JointKind = if space == Space::Planar { Revolute {}.into() } else { Spherical {}.into() };
    model.joint("ball", held, ball);
    let spring = Spring { stiffness: 30.0, damping, ..Spring::default() };
    model.force("spring", Ends::points("arm.probe", [0.0; 3], "ground", [1.0, 2.0, 0.0]), spring);
    model
}

/// The system of such an arm with amplitudes that are not zero.
fn bent(model: &Model, random: &mut Random) -> System {
    let (mut system, _) = System::compile(model).expect("sound");
    for node in system.floating[0].amplitudes.clone() {
        let (q, v) = (system.nodes[node].q, system.nodes[node].v);
        system.given.q[q] = 0.2 * random.signed();
        system.given.v[v] = random.signed();
    }
    system
}

fn solved(system: &System, work: &Work, method: Solver) -> Accelerations {
    let mut accelerator = Accelerator::new(system, &[], method);
    let mut out = accelerator.result();
    accelerator.solve(system, work, &mut out).unwrap_or_else(|why| panic!("{}: {why}", method.name()));
    out
}

fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / size
}

#[test]
fn all_solvers_balance_forces() {
    let mut random = Random::new(5);
    for round in 0..12 {
        let space = [Space::Planar, Space::Spatial][round % 2];
        let model = arm(space, 0.1, &mut random);
        let system = bent(&model, &mut random);
        let assembly = assemble(&system).expect("consistent");
        let mut work = system.work();
        system.set_state(&mut work, &assembly.state);
        system.evaluate_constraints(&mut work);
        system.evaluate_forces(&mut work);
        let reference = solved(&system, &work, Solver::AugmentedDense);
        // M v' + Phi_v^T lam = Q with the whole mass, and Phi_v v' = gamma
        let n = system.velocities();
        let (mut left, mut pull, mut rows) =
            (vec![0.0; n], vec![0.0; n], vec![0.0; system.joint_equations()]);
        system.mass_times(&reference.acc, &mut left);
        system.add_shared_inertia(&work, &reference.acc, &mut left);
        system.transpose_times(&work, &reference.lam, &mut pull);
        left.iter_mut().zip(&pull).for_each(|(a, f)| *a += f);
        system.jacobian_times(&work, &reference.acc, &mut rows);
        assert!(difference(&left, &work.force) < 1e-10, "{round}: {:e}", difference(&left, &work.force));
        assert!(difference(&rows, &work.gamma) < 1e-10, "{round}: {:e}", difference(&rows, &work.gamma));
        for method in Solver::ALL {
            let out = solved(&system, &work, method);
            let (acc, lam) = (difference(&out.acc, &reference.acc), difference(&out.lam, &reference.lam));
            assert!(acc < 1e-9 && lam < 1e-9, "{round}, {}: {acc:e} {lam:e}", method.name());
        }
    }
}

#[test]
fn every_method_goes_the_same_way_and_keeps_account_of_energy() {
    for space in [Space::Planar, Space::Spatial] {
        let model = arm(space, 0.02, &mut Random::new(9));
        let mechanism = Mechanism::new(model).expect("a mechanism");
        let mut ends: Vec<(String, f64, Vec<f64>)> = Vec::new();
        for (method, rtol) in [
            (Method::Dop853, 1e-9),
            (Method::Adams, 1e-8),
            (Method::Radau, 1e-8),
            (Method::Esdirk, 1e-7),
            (Method::ForSdirk, 1e-6),
            (Method::ForRosen, 1e-6),
        ] {
            for matrices in [Matrices::Dense, Matrices::Sparse] {
                let settings = Settings { method, rtol, t_end: 0.4, matrices, ..mechanism.settings() };
                let what = format!("{space:?}, {method:?}, {matrices:?}");
                let mut motion =
                    mechanism.motion_with(&settings).unwrap_or_else(|why| panic!("{what}: {why}"));
                motion.advance_to(0.4).unwrap_or_else(|why| panic!("{what}: {why}"));
                let mut value = |name: &str| motion.value(name).expect("a channel");
                let (lost, size) = (value("energy.balance"), value("energy.kinetic"));
                assert!(lost.abs() < 10.0 * rtol * size, "{what}: {lost:e} of {size:e}");
                ends.push((what, rtol, motion.state().q.clone()));
            }
        }
        let reference = ends[0].2.clone();
        for (what, rtol, end) in ends {
            let off = difference(&end, &reference);
            assert!(off < 20.0 * rtol, "{what}: {off:e}");
        }
    }
}
