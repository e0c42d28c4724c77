//! Runs that set off from equilibrium.

use kingpin::accel::Problem;
use kingpin::analysis::{Assembly, assemble};
use kingpin::dynamics::{Matrices, equilibrium, modes, settle_at_equilibrium};
use kingpin::system::System;
use std::path::Path;

fn load(model: &str) -> (System, Assembly) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(model);
    let loaded = kingpin_io::read_path(&path, &Default::default());
    let (system, _) = System::compile(&loaded.model.unwrap()).unwrap();
    let assembly = assemble(&system).unwrap();
    (system, assembly)
}

#[test]
fn a_car_at_ride_height_keeps_its_speed_and_place() {
    let (system, assembly) = load("hmmwv14_stiff.toml");
    let redundant = &assembly.diagnosis.redundant_rows;
    let (state, equilibrium) =
        settle_at_equilibrium(&system, &Problem::new(&system, redundant), &assembly.state, Matrices::Auto)
            .unwrap();
    let chassis = system.body_names.iter().position(|name| name == "chassis").unwrap();
    let q = &state.q[7 * chassis..][..7];
    assert!((q[0] - 0.056).abs() < 1e-9 && q[1].abs() < 1e-9 && (q[2] - 0.71).abs() < 1e-6, "{q:?}");
    assert_eq!(equilibrium.free, 3);
    for v in state.v.chunks_exact(6) {
        assert!((v[0] - 4.4704).abs() < 1e-9 && v[1..].iter().all(|x| x.abs() < 1e-9), "{v:?}");
    }
    let mut work = system.work();
    system.set_state(&mut work, &state);
    system.evaluate_constraints(&mut work);
    assert!(work.phi.iter().all(|x| x.abs() < 1e-11));
    assert!(equilibrium.state.v.iter().all(|x| *x == 0.0));
}

/// The crank was turning; in the new position the velocities that fit are those next to the given ones.
#[test]
fn velocities_fit_the_position_of_rest() {
    let (system, assembly) = load("four_bar.toml");
    let redundant = &assembly.diagnosis.redundant_rows;
    let (state, _) =
        settle_at_equilibrium(&system, &Problem::new(&system, redundant), &assembly.state, Matrices::Auto)
            .unwrap();
    let mut work = system.work();
    system.set_state(&mut work, &state);
    system.evaluate_constraints(&mut work);
    let mut rate = vec![0.0; system.joint_equations()];
    system.jacobian_times(&work, &state.v, &mut rate);
    assert!(rate.iter().all(|x| x.abs() < 1e-10), "{rate:?}");
    let after = system.kinetic_energy(&work);
    system.set_state(&mut work, &assembly.state);
    let before = system.kinetic_energy(&work);
    assert!(after > 0.01 * before && after < before, "{after} {before}");
}

/// Wheels that spin freely are directions without stiffness that do not move the heaviest body, which stays where it is
/// along the others.
#[test]
fn wheels_that_spin_freely_do_not_matter() {
    let (system, assembly) = load("../docs/gallery/motorcycle.toml");
    for matrices in [Matrices::Dense, Matrices::Sparse] {
        let problem = Problem::new(&system, &assembly.diagnosis.redundant_rows);
        let (state, found) = settle_at_equilibrium(&system, &problem, &assembly.state, matrices).unwrap();
        assert_eq!(found.free, 2, "{matrices:?}");
        let mut work = system.work();
        system.set_state(&mut work, &found.state);
        // both tyres carry the weight
        let wheels = ["rear", "front"].map(|name| system.body_names.iter().position(|b| b == name).unwrap());
        let radius = 0.31;
        let carried: f64 = wheels.iter().map(|&wheel| 180e3 * (radius - state.q[3 * wheel + 1])).sum();
        assert!((carried - 227.0 * 9.81).abs() < 1e-3, "{matrices:?}: {carried}");
    }
}

#[test]
fn eigenvectors_satisfy_their_equation() {
    for model in ["hmmwv14_stiff.toml", "chain50.toml", "double_pendulum_stiff.toml"] {
        let (system, assembly) = load(model);
        let redundant = &assembly.diagnosis.redundant_rows;
        let rest = equilibrium(&system, &assembly.state, redundant).unwrap();
        let modes = modes(&system, &rest.state, redundant).unwrap();
        assert!(!modes.modes.is_empty());
        for mode in &modes.modes {
            assert!(mode.residual < 1e-9, "{model}: {} {} {:e}", mode.real, mode.imaginary, mode.residual);
            let total: f64 = mode.bodies.iter().map(|share| share.share).sum();
            assert!((total - 1.0).abs() < 1e-9);
        }
    }
}

/// What is drawn of a mode is the mode: joints open by the square of its size alone, and it goes as far as it is asked to.
#[test]
fn states_along_modes_keep_joints_closed_to_first_order() {
    for model in ["hmmwv14_stiff.toml", "four_bar.toml", "double_pendulum_stiff.toml"] {
        let (system, assembly) = load(model);
        // at rest, so that coefficients are constant
        let mut state = assembly.state.clone();
        state.v.fill(0.0);
        let state = &state;
        let mut work = system.work();
        let mut open = |state: &kingpin::system::State| {
            system.set_state(&mut work, state);
            system.evaluate_constraints(&mut work);
            work.phi.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
        };
        for mode in &modes(&system, state, &assembly.diagnosis.redundant_rows).unwrap().modes {
            let [way, turn] = mode.largest(&system);
            let amplitude = 1e-3 / way.max(turn);
            let small = open(&mode.moved(&system, state, amplitude, 1.5));
            let large = open(&mode.moved(&system, state, 2.0 * amplitude, 1.5));
            assert!(small < 1e-5 && large < 4.1 * small + 1e-9, "{model}: {small} {large}");
            // at its start, what moves most is where it was
            let most = mode.motion.iter().map(|x| x.norm()).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
            let (body, place) = system.nodes.of_velocity(most.unwrap().0);
            let q =
                |phase: f64| mode.moved(&system, state, amplitude, phase).q[system.nodes.q(body)].to_vec();
            let (before, start, end) =
                (&state.q[system.nodes.q(body)], q(0.0), q(std::f64::consts::FRAC_PI_2));
            if place < system.dimensions() {
                assert!((start[place] - before[place]).abs() < 1e-12, "{model}");
                assert!((end[place] - before[place] - amplitude * most.unwrap().1).abs() < 1e-12, "{model}");
            }
        }
    }
}
