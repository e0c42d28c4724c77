//! `kingpin bench pcg`: iterations and time of the iterative solver over motions, beside direct ones.

use super::clock::shown;
use super::integrate::outing::Track;
use super::standard::{self, Entrant};
use crate::check::json::text;
use crate::generate::{Shape, Space};
use crate::output::{Exit, complain, print};
use crate::ready::Ready;
use crate::run::frames::Picked;
use crate::run::options::positive;
use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::accel::Solver;
use kingpin::dynamics::{Method, Settings};
use kingpin::results::Channels;
use serde::Serialize;
use std::io;

/// Compare iterative with direct solvers during runs: iterations and times
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    /// Use a tenth of the sizes and end times
    #[arg(long)]
    quick: bool,
    /// Time limit of a run
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = positive)]
    limit: f64,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// The solvers side by side, the one that others are compared with first.
const SOLVERS: [Solver; 5] =
    [Solver::Elimination, Solver::Recursive, Solver::Pcg, Solver::PcgIncomplete, Solver::PcgJacobi];

/// A motion: the mechanism, the method, its tolerance and its end.
struct Motion {
    entrant: Entrant,
    method: Method,
    tol: f64,
    t_end: f64,
}

#[derive(Serialize)]
struct Record {
    case: String,
    joints: usize,
    method: &'static str,
    tol: f64,
    solver: &'static str,
    steps: usize,
    /// Acceleration problems solved.
    solves: usize,
    /// Iterations per solution of those that steps asked for.
    iterations_mean: Option<f64>,
    iterations_most: Option<usize>,
    renewals: Option<usize>,
    rescues: Option<usize>,
    wall_s: f64,
    /// Time over that of elimination.
    ratio: f64,
    /// Greatest difference of a coordinate at the end from that of elimination.
    difference: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let mut records = Vec::new();
    for motion in motions(args.quick) {
        let (name, ready) = motion.entrant;
        let mut ready = match ready {
            Ok(ready) => ready,
            Err(refusal) => {
                complain(&refusal.message);
                return Ok(refusal.exit);
            }
        };
        if ready.move_to_start().is_err() {
            complain(&format!("error: {name} has no equilibrium to start from\n"));
            return Ok(Exit::Faulty);
        }
        let (method, settings) = (motion.method, Settings::new(motion.tol, motion.t_end));
        records.extend(measured(&name, &ready, &Settings { method, ..settings }, args.limit));
    }
    print(&if args.json { text(&records) } else { table(&records).to_string() })?;
    Ok(Exit::Good)
}

/// The car over its bump, a chain, a linkage, a tree and a ladder.
fn motions(quick: bool) -> Vec<Motion> {
    let size = |n: u32| if quick { n / 10 } else { n };
    let time = |t: f64| if quick { t / 10.0 } else { t };
    let motion = |entrant, method, tol, t_end| Motion { entrant, method, tol, t_end };
    let generated = |shape, n| standard::generated(shape, Space::Spatial, size(n));
    vec![
        motion(standard::shipped("hmmwv14_stiff"), Method::Auto, 1e-3, time(4.0)),
        motion(standard::car(), Method::Auto, 1e-5, time(1.0)),
        motion(standard::chain(Space::Spatial, size(1000)), Method::Auto, 1e-5, time(1.0)),
        motion(standard::shipped("four_bar"), Method::Auto, 1e-5, time(2.0)),
        motion(generated(Shape::Tree, 1000), Method::Auto, 1e-5, time(1.0)),
        motion(generated(Shape::Ladder, 100), Method::Auto, 1e-5, time(1.0)),
    ]
}

fn measured(case: &str, ready: &Ready, settings: &Settings, limit: f64) -> Vec<Record> {
    let channels = Channels::of_run(ready.system());
    let picked = Picked::of_groups(&channels, &[]);
    let track = Track { ready, channels: &channels, picked: &picked, limit };
    let mut records: Vec<Record> = Vec::new();
    let mut direct: Option<(f64, Vec<f64>)> = None;
    for solver in SOLVERS {
        let settings = Settings { solver, ..settings.clone() };
        let outing = match track.best(&settings) {
            Ok(outing) => outing,
            Err(why) => {
                complain(&format!("{case}, {}: {why}\n", solver.name()));
                continue;
            }
        };
        let (run, wall) = (outing.run, outing.wall);
        let (wall_of_direct, end) = direct.get_or_insert_with(|| (wall, run.state.q.clone()));
        let far = run.state.q.iter().zip(end).fold(0.0_f64, |most, (a, b)| most.max((a - *b).abs()));
        records.push(Record {
            case: case.into(),
            joints: ready.system().layout.groups.len(),
            method: run.methods.last().map_or("", |(_, method)| method.name()),
            tol: settings.rtol,
            solver: solver.name(),
            steps: run.statistics.steps,
            solves: run.accelerations,
            iterations_mean: run.iterations.map(|all| all.mean()),
            iterations_most: run.iterations.map(|all| all.most),
            renewals: run.iterations.map(|all| all.renewals),
            rescues: run.iterations.map(|all| all.rescues),
            wall_s: wall,
            ratio: wall / *wall_of_direct,
            difference: far,
        });
    }
    records
}

fn table(records: &[Record]) -> Table {
    let columns = [
        ("mechanism", Align::Left),
        ("joints", Align::Right),
        ("method", Align::Left),
        ("solver", Align::Left),
        ("steps", Align::Right),
        ("solves", Align::Right),
        ("iterations", Align::Right),
        ("most", Align::Right),
        ("factors", Align::Right),
        ("rescued", Align::Right),
        ("time", Align::Right),
        ("ratio", Align::Right),
        ("difference", Align::Right),
    ];
    Table::new(columns, records.len(), |k| {
        let r = &records[k];
        let maybe = |n: Option<usize>| n.map_or(String::new(), count);
        [
            r.case.clone(),
            count(r.joints),
            r.method.into(),
            r.solver.into(),
            count(r.steps),
            count(r.solves),
            r.iterations_mean.map_or(String::new(), |mean| number(mean, 3)),
            maybe(r.iterations_most),
            maybe(r.renewals),
            maybe(r.rescues),
            shown(1e9 * r.wall_s),
            number(r.ratio, 3),
            number(r.difference, 2),
        ]
    })
}
