//! Recursion in joint coordinates gives what elimination gives on every shipped model.

use kingpin::accel::{Accelerator, JointEquations, Problem, Solver, joint_multiplications};
use kingpin::analysis::assemble;
use kingpin::dynamics::{End, Settings, Unwatched, simulate};
use kingpin::system::{State, System};
use std::path::{Path, PathBuf};

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut list: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("models")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    list.sort();
    list
}

fn compiled(path: &Path) -> System {
    let loaded = kingpin_io::read_path(path, &Default::default());
    System::compile(&loaded.model.expect("a model")).expect("valid").0
}

/// Largest difference, relative to the size of the second vector.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let size = b.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (x, y)| if (x - y).abs() <= m { m } else { (x - y).abs() }) / size
}

#[test]
fn every_shipped_model() {
    let models = models();
    assert!(models.len() >= 12, "{models:?}");
    for path in models {
        let system = compiled(&path);
        let assembly = assemble(&system).expect("consistent");
        let redundant = &assembly.diagnosis.redundant_rows;
        compare(&path, &system, redundant, &assembly.state);
        // in motion, with all the terms that velocities bring
        let settings = Settings::new(1e-6, 0.03);
        let run = simulate(&system, &assembly.state, redundant, &settings, &mut Unwatched);
        assert_eq!(run.end, End::Reached, "{}", path.display());
        compare(&path, &system, redundant, &run.state);
    }
}

fn compare(path: &Path, system: &System, redundant: &[bool], state: &State) {
    let mut work = system.work();
    system.set_state(&mut work, state);
    let mut first = Accelerator::new(system, redundant, Solver::Elimination);
    let mut reference = first.result();
    first.evaluate(system, &mut work, &mut reference).expect("solved");
    let reactions = system.reactions(&work, &reference.lam);
    let numbers = |list: &[kingpin::accel::Reaction]| -> Vec<f64> {
        list.iter().flat_map(|r| r.force.into_iter().chain(r.torque)).collect()
    };
    for method in [Solver::Recursive, Solver::RecursiveSparse, Solver::RecursiveDense, Solver::Auto] {
        let mut accelerator = Accelerator::new(system, redundant, method);
        let mut out = accelerator.result();
        accelerator.evaluate(system, &mut work, &mut out).expect("solved");
        let own = system.reactions(&work, &out.lam);
        for (what, far) in [
            ("accelerations", difference(&out.acc, &reference.acc)),
            ("multipliers", difference(&out.lam, &reference.lam)),
            ("reactions", difference(&numbers(&own), &numbers(&reactions))),
        ] {
            assert!(far < 1e-9, "{}, {}, t = {}: {what} {far:e}", path.display(), method.name(), state.t);
        }
        let mut acc = vec![0.0; out.acc.len()];
        accelerator.accelerate(system, &mut work, &mut acc).expect("solved");
        assert!(difference(&acc, &reference.acc) < 1e-9, "{}, {}", path.display(), method.name());
    }
}

/// Negrut, PhD thesis, section 3.4.3.5: 27 coordinates, 16 equations, 4,258 multiplications.
#[test]
fn the_car_in_joint_coordinates() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/hmmwv14.toml");
    let system = compiled(&path);
    let problem = Problem::new(&system, &[]);
    let equations = JointEquations::new(&system, &problem);
    assert_eq!((equations.coordinates(), equations.equations(), equations.fill()), (27, 16, 0));
    let [sparse, gauss] = joint_multiplications(problem.spanning());
    assert!(sparse < 4_300 && gauss == 27_391, "{sparse} {gauss}");
}
