//! `kingpin bench accel`: every solver on every mechanism.

use super::clock::{Budget, shown};
use super::contest::{Contestant, Timing, timings, too_large};
use super::standard::{self, Entrant};
use crate::check::json::text;
use crate::output::{Exit, complain, print};
use crate::ready::Ready;
use crate::table::{Align, Table};
use crate::words::{many, number};
use kingpin::accel::{Accelerator, Choice, Problem, Solver, choose_method};
use kingpin_io::{Overrides, read_path};
use serde::Serialize;
use std::io;
use std::path::Path;
use std::time::Duration;

/// The method that all others are compared with: what is usually done.
const USUAL: Solver = Solver::AugmentedSparse;

/// Measure the times of all solvers for accelerations
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    /// Model files [default: Andrews' mechanism, a car, planar and spatial chains]
    #[arg(value_name = "MODEL")]
    models: Vec<String>,
    /// Numbers of links of the spatial chains
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [50, 200, 1000], conflicts_with = "models",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    sizes: Vec<u32>,
    /// Measuring time per solver and model; three measurements are made
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 200)]
    budget: u64,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// A line of the JSON output.
#[derive(Serialize)]
struct Record {
    model: String,
    solver: &'static str,
    ns: f64,
    ratio: Option<f64>,
    whole_ns: f64,
    only_ns: f64,
    setup_ns: f64,
    /// Predicted time of accelerations only, on the machine that the prediction was made for.
    predicted_ns: Option<f64>,
    chosen: bool,
}

/// A solver on one mechanism: its times, or why there are none.
type Line = (Solver, Result<Timing, String>);

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let budget = Budget { each: Duration::from_millis(args.budget) };
    let mut exit = Exit::Good;
    let mut records = Vec::new();
    let entrants: Box<dyn Iterator<Item = Entrant>> = if args.models.is_empty() {
        Box::new(standard::set(&args.sizes))
    } else {
        Box::new(args.models.iter().map(|path| given(path)))
    };
    for (name, ready) in entrants {
        match ready {
            Ok(ready) => {
                let lines = contest(&ready, budget);
                let choice = choose_method(&Problem::new(ready.system(), ready.redundant()));
                if args.json {
                    records.extend(recorded(&name, &lines, &choice));
                } else {
                    print(&report(&name, &ready, &lines, &choice))?;
                }
            }
            Err(refusal) => {
                complain(&refusal.message);
                exit = refusal.exit;
            }
        }
    }
    if args.json {
        print(&text(&records))?;
    }
    Ok(exit)
}

/// A model file, called by its name without ending.
fn given(path: &str) -> Entrant {
    let stem = Path::new(path).file_stem().map_or(path.into(), |stem| stem.to_string_lossy().into_owned());
    (stem, standard::ready(read_path(path, &Overrides::none())))
}

fn contest(ready: &Ready, budget: Budget) -> Vec<Line> {
    let problem = Problem::new(ready.system(), ready.redundant());
    let (mut taking_part, mut lines) = (Vec::new(), Vec::new());
    for method in Solver::ALL {
        let build = || Accelerator::new(ready.system(), ready.redundant(), method);
        let contestant = match too_large(&problem, method) {
            Some(why) => Err(why),
            None => Contestant::new(ready, build).map_err(|failure| format!("failed: {failure}")),
        };
        match contestant {
            Ok(contestant) => taking_part.push((method, contestant)),
            Err(why) => lines.push((method, Err(why))),
        }
    }
    let (methods, mut contestants): (Vec<Solver>, Vec<Contestant>) = taking_part.into_iter().unzip();
    let times = timings(ready, &mut contestants, budget);
    lines.extend(methods.into_iter().zip(times.into_iter().map(Ok)));
    lines.sort_by_key(|(method, _)| Solver::ALL.iter().position(|known| known == method));
    lines
}

/// The time of the usual method, or of the dense one where that has none.
fn usual(lines: &[Line]) -> Option<f64> {
    let of = |wanted: Solver| {
        let found = lines.iter().find(|(method, _)| *method == wanted)?;
        found.1.as_ref().ok().map(|timing| timing.ns)
    };
    of(USUAL).or_else(|| of(Solver::AugmentedDense))
}

fn recorded(name: &str, lines: &[Line], choice: &Choice) -> Vec<Record> {
    let usual = usual(lines);
    let record = |(method, timing): &Line| {
        let timing = timing.as_ref().ok()?;
        Some(Record {
            model: name.into(),
            solver: method.name(),
            ns: timing.ns,
            ratio: usual.map(|usual| timing.ns / usual),
            whole_ns: timing.whole_ns,
            only_ns: timing.only_ns,
            setup_ns: timing.setup_ns,
            predicted_ns: choice.forecasts.iter().find(|f| f.method == *method).map(|f| f.ns),
            chosen: choice.method == *method,
        })
    };
    lines.iter().filter_map(record).collect()
}

fn report(name: &str, ready: &Ready, lines: &[Line], choice: &Choice) -> String {
    let usual = usual(lines);
    let columns = [
        ("solver", Align::Left),
        ("solve", Align::Right),
        ("ratio", Align::Right),
        ("with evaluation", Align::Right),
        ("accelerations only", Align::Right),
        ("set-up", Align::Right),
        ("note", Align::Left),
    ];
    let table = Table::new(columns, lines.len(), |k| {
        let (method, timing) = &lines[k];
        let name = method.name().to_string();
        match timing {
            Ok(t) => {
                let ratio = usual.map_or(String::new(), |usual| number(t.ns / usual, 3));
                let [a, b, c, d] = [t.ns, t.whole_ns, t.only_ns, t.setup_ns].map(shown);
                let note = if choice.method == *method { "chosen" } else { "" };
                [name, a, ratio, b, c, d, note.into()]
            }
            Err(why) => {
                let [a, b, c, d, e] = [const { String::new() }; 5];
                [name, a, b, c, d, e, why.clone()]
            }
        }
    });
    let system = ready.system();
    format!(
        "{name}: {}, {}; ratio to {}\n\n{table}\n",
        many(system.bodies(), "body"),
        many(system.joint_equations(), "equation"),
        USUAL.name()
    )
}
