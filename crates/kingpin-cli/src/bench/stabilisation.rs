//! `kingpin bench stabilisation`: what becomes of the constraints over a long run, and what it costs to keep them.

use super::clock::shown;
use super::integrate::outing::Track;
use super::standard;
use crate::output::{Exit, complain};
use crate::ready::Ready;
use crate::run::frames::Picked;
use crate::run::options::{accuracy, positive, positive_time};
use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::accel::Solver;
use kingpin::dynamics::{ChangeWeights, Method, Settings, Stabilisation};
use kingpin::results::Channels;
use serde::Serialize;
use std::io;

/// Compare constraint stabilisation of explicit methods: residuals, energy and cost over a long run
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    /// End time
    #[arg(long, value_name = "TIME", default_value = "100", value_parser = positive_time)]
    t_end: f64,
    /// Tolerance
    #[arg(long, value_name = "NUMBER", default_value = "1e-6", value_parser = accuracy)]
    tol: f64,
    /// Time limit of a run
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, value_parser = positive)]
    limit: f64,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// What is compared: stabilisation, its weights, and the solver that shares in it.
const WAYS: [(Stabilisation, ChangeWeights, Solver); 5] = [
    (Stabilisation::None, ChangeWeights::Mass, Solver::Elimination),
    (Stabilisation::Projection, ChangeWeights::Mass, Solver::Elimination),
    (Stabilisation::Optimisation, ChangeWeights::Mass, Solver::Elimination),
    (Stabilisation::Optimisation, ChangeWeights::Unit, Solver::Elimination),
    (Stabilisation::Optimisation, ChangeWeights::Mass, Solver::Pcg),
];

const METHODS: [Method; 2] = [Method::Dop853, Method::Adams];

#[derive(Serialize)]
struct Record {
    case: String,
    method: &'static str,
    stabilisation: &'static str,
    weights: &'static str,
    solver: &'static str,
    position_residual: f64,
    velocity_residual: f64,
    energy_drift: f64,
    steps: usize,
    accelerations: usize,
    /// Iterations for positions, per step.
    position_iterations: f64,
    /// Systems solved for positions and velocities, per step.
    systems: f64,
    /// Factorisations for them, per step.
    factorisations: f64,
    /// Iterations of an iterative solver for them, per system.
    solver_iterations: f64,
    wall_s: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let entrants = [standard::shipped("four_bar"), standard::car()].into_iter();
    standard::tell(entrants, args.json, |name, ready| measured(args, name, ready), table)
}

fn measured(args: &Args, case: &str, ready: &Ready) -> Vec<Record> {
    let channels = Channels::of_run(ready.system());
    let picked = Picked::of_groups(&channels, &[]);
    let track = Track { ready, channels: &channels, picked: &picked, limit: args.limit };
    let mut records = Vec::new();
    for method in METHODS {
        for (stabilisation, weights, solver) in WAYS {
            let settings = Settings {
                method,
                solver,
                stabilisation,
                stabilisation_weights: weights.clone(),
                ..Settings::new(args.tol, args.t_end)
            };
            let outing = match track.once(&settings) {
                Ok(outing) => outing,
                Err(why) => {
                    complain(&format!("{case}, {}, {}: {why}\n", method.name(), stabilisation.name()));
                    continue;
                }
            };
            let (run, done) = (&outing.run, &outing.run.corrections);
            let per = |n: usize, of: usize| if of == 0 { 0.0 } else { n as f64 / of as f64 };
            let steps = run.statistics.steps;
            records.push(Record {
                case: case.into(),
                method: method.name(),
                stabilisation: stabilisation.name(),
                weights: weights.name(),
                solver: solver.name(),
                position_residual: run.position_residual,
                velocity_residual: run.velocity_residual,
                energy_drift: run.energy.drift(),
                steps,
                accelerations: run.accelerations,
                position_iterations: per(done.position_iterations, steps),
                systems: per(done.systems, steps),
                factorisations: per(done.factorisations, steps),
                solver_iterations: per(done.solver_iterations, done.systems),
                wall_s: outing.wall,
            });
        }
    }
    records
}

fn table(records: &[Record]) -> Table {
    let columns = [
        ("mechanism", Align::Left),
        ("method", Align::Left),
        ("stabilisation", Align::Left),
        ("weights", Align::Left),
        ("solver", Align::Left),
        ("position residual", Align::Right),
        ("velocity residual", Align::Right),
        ("energy drift", Align::Right),
        ("steps", Align::Right),
        ("accelerations", Align::Right),
        ("systems per step", Align::Right),
        ("factors per step", Align::Right),
        ("iterations per system", Align::Right),
        ("time", Align::Right),
    ];
    Table::new(columns, records.len(), |k| {
        let r = &records[k];
        [
            r.case.clone(),
            r.method.into(),
            r.stabilisation.into(),
            if r.stabilisation == Stabilisation::None.name() { String::new() } else { r.weights.into() },
            r.solver.into(),
            number(r.position_residual, 2),
            number(r.velocity_residual, 2),
            number(r.energy_drift, 2),
            count(r.steps),
            count(r.accelerations),
            number(r.systems, 3),
            number(r.factorisations, 3),
            number(r.solver_iterations, 3),
            shown(1e9 * r.wall_s),
        ]
    })
}
