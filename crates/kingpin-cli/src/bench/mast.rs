//! `kingpin bench mast`: accelerations and implicit steps of masts and stations of growing size.

mod charts;
mod measure;

use super::clock::shown;
use crate::check::json::text;
use crate::output::{Exit, complain, print};
use crate::table::{Align, Table};
use crate::words::count;
use measure::{Model, measured};
use serde::Serialize;
use std::io;
use std::path::PathBuf;

/// Measure iterations, accelerations and steps of truss masts and a space station
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    /// Numbers of modules of the masts, with 63 degrees of freedom each
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_value = "2,8,64,512,4096,10000",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    modules: Vec<u32>,
    /// Use modules that all differ, so that none share a factorisation
    #[arg(long)]
    distinct: bool,
    /// Size of the implicit steps, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 1e-3, value_parser = crate::run::options::positive)]
    step: f64,
    /// Interface solver of implicit steps [default: the fastest by prediction]
    #[arg(long, value_name = "METHOD", value_parser = ["block-jacobi", "mixed", "direct"])]
    method: Option<String>,
    /// Time per measurement, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.3, value_parser = crate::run::options::positive)]
    budget: f64,
    /// Folder for charts
    #[arg(long, value_name = "DIR")]
    charts: Option<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// One task on one structure.
#[derive(Serialize)]
pub struct Record {
    structure: &'static str,
    task: &'static str,
    method: &'static str,
    modules: usize,
    freedoms: usize,
    /// Modules that differ.
    distinct: usize,
    iterations: usize,
    /// The shortest time met.
    seconds_per_step: f64,
    bytes: usize,
    bytes_per_module: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let masts = args.modules.iter().map(|&n| if args.distinct { Model::Uneven(n) } else { Model::Mast(n) });
    let stations = [1, 2, 4, 8, 16, 32].map(Model::Station);
    let mut records = Vec::new();
    for model in masts.chain(stations.into_iter().filter(|_| args.charts.is_some())) {
        match measured(model, args.step, args.method.as_deref(), args.budget) {
            Ok(found) => records.extend(found),
            Err(error) => {
                complain(&format!("error: {} of {}: {error}\n", model.name(), model.size()));
                return Ok(Exit::Faulty);
            }
        }
    }
    if let Some(folder) = &args.charts
        && let Err(error) = charts::write(folder, &records)
    {
        complain(&format!("error: cannot write charts into `{}`: {error}\n", folder.display()));
        return Ok(Exit::Usage);
    }
    print(&if args.json { text(&records) } else { table(&records).to_string() })?;
    Ok(Exit::Good)
}

fn table(records: &[Record]) -> Table {
    let columns = [
        ("structure", Align::Left),
        ("modules", Align::Right),
        ("freedoms", Align::Right),
        ("task", Align::Left),
        ("method", Align::Left),
        ("iterations", Align::Right),
        ("time", Align::Right),
        ("per module", Align::Right),
        ("bytes per module", Align::Right),
    ];
    Table::new(columns, records.len(), |k| {
        let r = &records[k];
        [
            r.structure.into(),
            count(r.modules),
            count(r.freedoms),
            r.task.into(),
            r.method.into(),
            count(r.iterations),
            shown(1e9 * r.seconds_per_step),
            shown(1e9 * r.seconds_per_step / r.modules as f64),
            count(r.bytes_per_module as usize),
        ]
    })
}
