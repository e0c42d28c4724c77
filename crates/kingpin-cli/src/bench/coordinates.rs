//! `kingpin bench coordinates`: independent coordinates against those of the tangent plane.

use super::clock::shown;
use super::integrate::errors::Errors;
use super::integrate::outing::Track;
use super::integrate::reference;
use super::standard;
use crate::output::{Exit, complain};
use crate::ready::Ready;
use crate::run::frames::Picked;
use crate::run::options::{self, accuracy, positive};
use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::dynamics::{Coordinates, Matrices, Method, Settings};
use kingpin::results::{Channels, Group};
use serde::Serialize;
use std::io;

/// Compare independent coordinates with tangent plane coordinates: steps, iterations, time and error
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    /// Integration methods
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = options::method(),
          default_values = ["for-sdirk", "radau"])]
    methods: Vec<Method>,
    /// Models, such as `four_bar,andrews` [default: all examples, and two that make a hundred revolutions]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', hide_possible_values = true,
          value_parser = clap::builder::PossibleValuesParser::new(standard::names()))]
    models: Vec<String>,
    /// Tolerance
    #[arg(long, value_name = "NUMBER", default_value = "1e-5", value_parser = accuracy)]
    tol: f64,
    /// Time limit of a run
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = positive)]
    limit: f64,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Instants at which solutions are compared.
const GRID: f64 = 50.0;

#[derive(Serialize)]
struct Record {
    case: String,
    freedoms: usize,
    method: &'static str,
    coordinates: &'static str,
    steps: usize,
    rejected: usize,
    /// Partitions chosen anew, or planes laid anew.
    renewals: usize,
    jacobians: usize,
    newton_iterations: usize,
    evaluations: usize,
    /// Largest error of positions and orientations; none without a reference.
    error: Option<f64>,
    wall_s: f64,
    /// Time over that of the partition.
    ratio: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let wanted = |name: &&str| args.models.is_empty() || args.models.iter().any(|wanted| wanted == name);
    let entrants = standard::names().filter(wanted).map(standard::shipped);
    standard::tell(entrants, args.json, |name, ready| measured(args, name, ready), table)
}

fn measured(args: &Args, case: &str, ready: &Ready) -> Vec<Record> {
    let channels = Channels::new(ready.system());
    let picked = Picked::of_groups(&channels, &[Group::Position, Group::Orientation]);
    let track = Track { ready, channels: &channels, picked: &picked, limit: args.limit };
    let given = Settings::of(&ready.model().simulation);
    let frame = Some((given.t_end - ready.start.t) / GRID);
    let given = Settings { rtol: args.tol, matrices: Matrices::Dense, frame, ..given };
    let reference = reference::compute(&track, &given, args.tol);
    let mut records: Vec<Record> = Vec::new();
    for &method in &args.methods {
        let mut first = None;
        for coordinates in [Coordinates::Partition, Coordinates::Tangent] {
            let settings = Settings { method, coordinates, ..given.clone() };
            let outing = match track.best(&settings) {
                Ok(outing) => outing,
                Err(why) => {
                    complain(&format!("{case}, {}, {}: {why}\n", method.name(), coordinates.name()));
                    continue;
                }
            };
            let error = reference.as_ref().ok().and_then(|reference| {
                let samples = track.samples(&settings).ok()?;
                Some(Errors::between(&samples, &reference.samples, &channels, &picked).position.error)
            });
            let (run, wall) = (outing.run, outing.wall);
            let counts = &run.statistics;
            records.push(Record {
                case: case.into(),
                freedoms: ready.dynamics(settings.solver).freedoms(),
                method: method.name(),
                coordinates: coordinates.name(),
                steps: counts.steps,
                rejected: counts.rejected,
                renewals: run.repartitions,
                jacobians: counts.jacobians,
                newton_iterations: counts.newton_iterations,
                evaluations: counts.evaluations,
                error,
                wall_s: wall,
                ratio: wall / *first.get_or_insert(wall),
            });
        }
    }
    records
}

fn table(records: &[Record]) -> Table {
    let columns = [
        ("mechanism", Align::Left),
        ("freedoms", Align::Right),
        ("method", Align::Left),
        ("coordinates", Align::Left),
        ("steps", Align::Right),
        ("rejected", Align::Right),
        ("renewals", Align::Right),
        ("Jacobians", Align::Right),
        ("iterations", Align::Right),
        ("evaluations", Align::Right),
        ("error", Align::Right),
        ("time", Align::Right),
        ("ratio", Align::Right),
    ];
    let row = |r: &Record| {
        vec![
            r.case.clone(),
            count(r.freedoms),
            r.method.into(),
            r.coordinates.into(),
            count(r.steps),
            count(r.rejected),
            count(r.renewals),
            count(r.jacobians),
            count(r.newton_iterations),
            count(r.evaluations),
            r.error.map_or(String::new(), |error| number(error, 2)),
            shown(1e9 * r.wall_s),
            number(r.ratio, 3),
        ]
    };
    Table::whole(
        columns.map(|(name, align)| (name.to_string(), align)).into(),
        records.iter().map(row).collect(),
    )
}
