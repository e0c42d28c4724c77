//! `kingpin bench parallel`: what threads are worth, and whether they change a bit.

use super::clock::shown;
use super::standard::{Refusal, generated};
use crate::check::json::text;
use crate::generate::{Shape, Space};
use crate::output::{Exit, complain, print};
use crate::ready::Ready;
use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::accel::Solver;
use kingpin::dynamics::{Bordered, Matrices, Method, Settings, Unwatched, Whole, simulate_with};
use kingpin::integrate::{IterationMatrix, SecondOrder, StageWeights};
use kingpin::threads::within;
use serde::Serialize;
use std::io;
use std::time::Instant;

/// Measure accelerations, linearisations and runs of large mechanisms with several threads, and compare the bits
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    /// Numbers of threads, beginning with 1
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_value = "1,2,4",
        value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Vec<u64>,
    /// Measure only mechanisms and tasks whose names contain this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Use a hundredth of the sizes
    #[arg(long)]
    quick: bool,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// What is timed.
#[derive(Clone, Copy, PartialEq)]
enum Task {
    Accelerations(Solver),
    /// Linearisation and factor of the sparse matrix of implicit methods.
    Jacobian,
    Run(Method),
}

impl Task {
    fn name(self) -> String {
        match self {
            Task::Accelerations(solver) => format!("accelerations, {}", solver.name()),
            Task::Jacobian => "Jacobian and its factor".into(),
            Task::Run(method) => format!("run, {}", method.name()),
        }
    }

    /// How often it is done; the shortest time counts.
    fn times(self) -> usize {
        match self {
            Task::Accelerations(_) => 2,
            Task::Jacobian => 5,
            Task::Run(_) => 1,
        }
    }
}

/// Mechanisms, their sizes, and what is asked of them.
const CASES: [(Shape, u32, &[Task]); 4] = [
    (
        Shape::Chain,
        100_000,
        &[Task::Accelerations(Solver::Recursive), Task::Accelerations(Solver::Elimination)],
    ),
    (
        Shape::Tree,
        100_000,
        &[Task::Accelerations(Solver::Recursive), Task::Accelerations(Solver::Elimination)],
    ),
    (Shape::Ladder, 25_000, &[Task::Accelerations(Solver::Elimination)]),
    (Shape::Tree, 10_000, &[Task::Jacobian, Task::Run(Method::SspTrap), Task::Run(Method::Dopri5)]),
];

/// Steps of a run, and accelerations with one solver; the shortest time counts.
const STEPS: usize = 20;
const CALLS: usize = 10;

#[derive(Serialize)]
struct Record {
    case: String,
    joints: usize,
    what: String,
    threads: u64,
    wall_s: f64,
    /// Time of the first number of threads over this one.
    speed_up: f64,
    /// Whether all numbers have the bits of the first number of threads.
    same_bits: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let mut records = Vec::new();
    for (shape, size, tasks) in CASES {
        let size = if args.quick { size / 100 } else { size };
        let case = |task: &Task| format!("{shape:?}{size} {}", task.name()).to_lowercase();
        let tasks: Vec<Task> = tasks.iter().copied().filter(|task| case(task).contains(&args.only)).collect();
        match if tasks.is_empty() { Ok(Vec::new()) } else { measured(shape, size, &tasks, &args.threads) } {
            Ok(found) => records.extend(found),
            Err(refusal) => {
                complain(&refusal.message);
                return Ok(refusal.exit);
            }
        }
    }
    print(&if args.json { text(&records) } else { table(&records).to_string() })?;
    let same = records.iter().all(|record| record.same_bits);
    Ok(if same { Exit::Good } else { Exit::Faulty })
}

fn measured(shape: Shape, size: u32, tasks: &[Task], threads: &[u64]) -> Result<Vec<Record>, Refusal> {
    let (case, ready) = generated(shape, Space::Spatial, size);
    let ready = ready?;
    let mut records = Vec::new();
    for &task in tasks {
        let mut first: Option<(f64, Vec<u64>)> = None;
        for &number in threads {
            let done = within(number as usize, |_| (0..task.times()).map(|_| timed(&ready, task)).collect());
            let done: Vec<Result<(f64, Vec<u64>), String>> = done;
            let (mut wall, mut bits) = (f64::INFINITY, Vec::new());
            for one in done {
                let (time, numbers) = one.map_err(|why| Refusal::new(format!("{case}: {why}")))?;
                (wall, bits) = (wall.min(time), numbers);
            }
            let (wall_of_first, expected) = first.get_or_insert_with(|| (wall, bits.clone()));
            records.push(Record {
                case: case.clone(),
                joints: ready.system().layout.groups.len(),
                what: task.name(),
                threads: number,
                wall_s: wall,
                speed_up: *wall_of_first / wall,
                same_bits: *expected == bits,
            });
        }
    }
    Ok(records)
}

/// Does a task once: its time, set-up not counted, and all numbers that come of it.
fn timed(ready: &Ready, task: Task) -> Result<(f64, Vec<u64>), String> {
    let (state, solver) = (&ready.start, if let Task::Accelerations(s) = task { s } else { Solver::Auto });
    let mut mechanism = ready.dynamics(solver);
    ready.system().set_state(&mut mechanism.work, state);
    match task {
        Task::Accelerations(_) => {
            let mut wall = f64::INFINITY;
            for _ in 0..CALLS {
                let started = Instant::now();
                mechanism.accelerate_only(state.t, &state.q, &state.v).map_err(|error| error.to_string())?;
                wall = wall.min(started.elapsed().as_secs_f64());
            }
            Ok((wall, bits(&mechanism.result.acc)))
        }
        Task::Jacobian => {
            let mut whole = Whole::<false>::new(mechanism, state).map_err(|error| error.to_string())?;
            let n = whole.dim();
            let (mut y, mut out) = (vec![0.0; 2 * n], Bordered::new(n));
            whole.coordinates(&mut y);
            let (v, rate) = y.split_at(n);
            let started = Instant::now();
            whole.linearise(state.t, v, rate, &mut out).map_err(|error| error.to_string())?;
            let weights = StageWeights { velocity: 1e-3, ratio: 1e-3 };
            out.factor(weights).map_err(|column| format!("no pivot in column {column}"))?;
            let mut x = vec![1.0; n];
            out.solve_mass(&mut x);
            Ok((started.elapsed().as_secs_f64(), bits(&x)))
        }
        Task::Run(method) => {
            let matrices = Matrices::Sparse;
            let settings = Settings { method, matrices, most_steps: STEPS, ..Settings::new(1e-4, 1.0) };
            let started = Instant::now();
            let run = simulate_with(mechanism, state, &settings, &mut Unwatched);
            Ok((started.elapsed().as_secs_f64(), bits(&[&run.state.q[..], &run.state.v].concat())))
        }
    }
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

fn table(records: &[Record]) -> Table {
    let columns = [
        ("mechanism", Align::Left),
        ("joints", Align::Right),
        ("task", Align::Left),
        ("threads", Align::Right),
        ("time", Align::Right),
        ("speed-up", Align::Right),
        ("same bits", Align::Left),
    ];
    Table::new(columns, records.len(), |k| {
        let r = &records[k];
        [
            r.case.clone(),
            count(r.joints),
            r.what.clone(),
            r.threads.to_string(),
            shown(1e9 * r.wall_s),
            number(r.speed_up, 3),
            if r.same_bits { "yes" } else { "no" }.into(),
        ]
    })
}
