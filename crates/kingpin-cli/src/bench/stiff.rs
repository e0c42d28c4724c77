//! `kingpin bench stiff`: what implicit methods cost while stiff mechanisms grow.

use super::bushings;
use super::standard::{Entrant, generated, written};
use crate::check::json::text;
use crate::generate::{Shape, Space};
use crate::output::{Exit, complain, print};
use crate::ready::Ready;
use crate::run::options;
use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::dynamics::{End, Matrices, Method, Settings, Unwatched, simulate_with};
use kingpin::system::{Node, State};
use serde::Serialize;
use std::io;
use std::time::Instant;

/// Measure runs of stiff mechanisms of growing size
#[derive(clap::Args)]
pub struct Args {
    /// Sizes: rods of the chain, loops of the ladder, bodies of the tree, cars of the train
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..),
          default_values = ["10", "100", "1000"])]
    sizes: Vec<u32>,
    /// Mechanisms: `chain`, `ladder`, `tree`, `train`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_enum,
          default_values = ["chain", "ladder", "tree", "train"])]
    cases: Vec<StiffCase>,
    /// Integration methods
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = options::method(),
          default_values = ["for-rosen", "for-sdirk"])]
    methods: Vec<Method>,
    /// Matrices of implicit methods
    #[arg(long, value_name = "WHICH", value_parser = options::matrices(), default_value = "auto")]
    matrices: Matrices,
    /// Tolerance
    #[arg(long, value_name = "NUMBER", default_value_t = 1e-4, value_parser = options::accuracy)]
    tol: f64,
    /// End time
    #[arg(long, value_name = "TIME", default_value = "1", value_parser = options::positive_time)]
    t_end: f64,
    /// Maximum size for which errors are computed; they need a run with a 10,000 times smaller tolerance
    #[arg(long, value_name = "N", default_value_t = 100)]
    errors_to: u32,
    /// Method of that run; `radau` needs fewer steps for large mechanisms
    #[arg(long, value_name = "NAME", value_parser = options::method(), default_value = "for-rosen")]
    reference: Method,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// The mechanisms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum StiffCase {
    /// Chain of rods with stiff hinges
    Chain,
    /// Closed loops with stiff hinges in a row
    Ladder,
    /// Binary tree of bodies on bushings
    Tree,
    /// Coupled cars on bogies
    Train,
}

#[derive(Serialize)]
struct StiffRecord {
    case: String,
    n: u32,
    method: &'static str,
    matrices: &'static str,
    /// Largest error of a place at the end, m.
    error: Option<f64>,
    steps: usize,
    wall_s: f64,
    wall_s_per_step_and_body: f64,
}

/// How much more accurate a reference is.
const FINER: f64 = 1e-4;

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let mut records = Vec::new();
    for &case in &args.cases {
        for &size in &args.sizes {
            let (name, ready) = entrant(case, size);
            let found = ready.and_then(|ready| {
                measured(args, &format!("{case:?}").to_lowercase(), size, &ready)
                    .map_err(|why| super::standard::Refusal::new(format!("{name}: {why}")))
            });
            match found {
                Ok(found) => records.extend(found),
                Err(refusal) => {
                    complain(&refusal.message);
                    return Ok(refusal.exit);
                }
            }
        }
    }
    print(&if args.json { text(&records) } else { table(&records).to_string() })?;
    Ok(Exit::Good)
}

fn entrant(case: StiffCase, size: u32) -> Entrant {
    match case {
        StiffCase::Chain => generated(Shape::Cable, Space::Spatial, size),
        StiffCase::Ladder => written("ladder", size, &bushings::ladder(size)),
        StiffCase::Tree => written("tree", size, &bushings::tree(size)),
        StiffCase::Train => generated(Shape::Train, Space::Spatial, size),
    }
}

fn measured(args: &Args, case: &str, n: u32, ready: &Ready) -> Result<Vec<StiffRecord>, String> {
    let settings = |method, tol| Settings {
        method,
        matrices: args.matrices,
        ..Settings::new(tol, ready.start.t + args.t_end)
    };
    let reference = match n <= args.errors_to {
        true => Some(finished(ready, &settings(args.reference, args.tol * FINER))?.0),
        false => None,
    };
    let mut records = Vec::new();
    for &method in &args.methods {
        let settings = settings(method, args.tol);
        let (state, steps, wall_s) = finished(ready, &settings)?;
        let sparse = settings.matrices.is_sparse(&ready.dynamics(settings.solver));
        records.push(StiffRecord {
            case: case.into(),
            n,
            method: method.name(),
            matrices: if sparse { "sparse" } else { "dense" },
            error: reference.as_ref().map(|reference| distance(ready, &state, reference)),
            steps,
            wall_s,
            wall_s_per_step_and_body: wall_s / (steps.max(1) * ready.system().bodies().max(1)) as f64,
        });
    }
    Ok(records)
}

/// Where a run ends, its steps and how long it takes, set-up not counted.
fn finished(ready: &Ready, settings: &Settings) -> Result<(State, usize, f64), String> {
    let mechanism = ready.dynamics(settings.solver);
    let started = Instant::now();
    let run = simulate_with(mechanism, &ready.start, settings, &mut Unwatched);
    let wall = started.elapsed().as_secs_f64();
    match &run.end {
        End::Failed(outcome) => Err(format!("{} failed: {outcome}", settings.method.name())),
        _ => Ok((run.state, run.statistics.steps, wall)),
    }
}

/// The largest distance of a body from where it should be.
fn distance(ready: &Ready, state: &State, reference: &State) -> f64 {
    let far = |node: &Node| {
        let (a, b) = (node.split(&state.q[node.q()]).0, node.split(&reference.q[node.q()]).0);
        a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
    };
    ready.system().nodes.iter().map(far).fold(0.0, f64::max)
}

fn table(records: &[StiffRecord]) -> Table {
    let columns = [
        ("mechanism", Align::Left),
        ("size", Align::Right),
        ("method", Align::Left),
        ("matrices", Align::Left),
        ("error [m]", Align::Right),
        ("steps", Align::Right),
        ("time [s]", Align::Right),
        ("per step and body [us]", Align::Right),
    ];
    Table::new(columns, records.len(), |k| {
        let r = &records[k];
        [
            r.case.clone(),
            count(r.n as usize),
            r.method.into(),
            r.matrices.into(),
            r.error.map_or(String::new(), |error| number(error, 2)),
            count(r.steps),
            number(r.wall_s, 3),
            number(1e6 * r.wall_s_per_step_and_body, 3),
        ]
    })
}
