//! Accelerations of a model by one solver, many times over, for counting instructions:
//! `accelerations MODEL SOLVER REPETITIONS`. See `tests/instructions`.

use kingpin::accel::{Accelerations, Accelerator, Solver};
use kingpin::analysis::assemble;
use kingpin::system::{State, System, Work};
use kingpin_io::{Overrides, read_path};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, solver, repetitions] = arguments.as_slice() else {
        eprintln!("usage: accelerations MODEL SOLVER REPETITIONS");
        return ExitCode::from(2);
    };
    match run(path, solver, repetitions) {
        Ok(sum) => println!("{sum:.12e}"),
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn run(path: &str, solver: &str, repetitions: &str) -> Result<f64, String> {
    let method = Solver::named(solver).ok_or_else(|| format!("no solver {solver}"))?;
    let repetitions: usize = repetitions.parse().map_err(|_| "repetitions are a number".to_string())?;
    let loaded = read_path(path, &Overrides::none());
    let model = loaded.model.ok_or_else(|| format!("{path} cannot be read"))?;
    let (system, _) = System::compile(&model).map_err(|findings| format!("{findings:?}"))?;
    let assembly = assemble(&system).map_err(|failure| format!("{failure:?}"))?;
    let mut accelerator = Accelerator::new(&system, &assembly.diagnosis.redundant_rows, method);
    let (mut work, mut result) = (system.work(), accelerator.result());
    system.set_state(&mut work, &assembly.state);
    // what is made at the first call is no part of the count
    accelerator.evaluate(&system, &mut work, &mut result).map_err(|failure| failure.to_string())?;
    for _ in 0..repetitions {
        counted(&system, &mut accelerator, &assembly.state, &mut work, &mut result)?;
    }
    Ok(result.acc.iter().sum())
}

/// What is counted: bodies, constraints, forces, accelerations and multipliers of one instant.
#[inline(never)]
fn counted(
    system: &System,
    accelerator: &mut Accelerator,
    state: &State,
    work: &mut Work,
    result: &mut Accelerations,
) -> Result<(), String> {
    system.set_state(work, state);
    accelerator.evaluate(system, work, result).map_err(|failure| failure.to_string())
}
