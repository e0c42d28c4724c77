//! `kingpin bench multipliers`: the condition number of local multipliers over their penalty.

use crate::check::json::text;
use crate::output::write_beside;
use crate::output::{Exit, complain, print};
use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin_domains::DomainError;
use kingpin_domains::grid::Grid;
use kingpin_domains::solver::study_multipliers;
use kingpin_results::plot::{Axis, Curve, curves};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};

/// Compute the condition number of localised multipliers against their penalty, on a sheet of four sub-domains
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    /// Folder for the chart of condition number against penalty
    #[arg(long, value_name = "FOLDER")]
    charts: Option<PathBuf>,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Record {
    /// Penalty in parts of the largest stiffness.
    pbar: f64,
    kappa: f64,
    interface: usize,
    constraints: usize,
    /// Largest sum of multipliers at a node in parts of the largest multiplier.
    imbalance: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    match (-2..=3).map(|power| record(10_f64.powi(power))).collect::<Result<Vec<Record>, DomainError>>() {
        Ok(records) => {
            if let Some(folder) = &args.charts
                && let Err(error) = write_chart(folder, &records)
            {
                complain(&format!("error: cannot write charts into `{}`: {error}\n", folder.display()));
                return Ok(Exit::Faulty);
            }
            print(&if args.json { text(&records) } else { table(&records).to_string() })?;
            Ok(Exit::Good)
        }
        Err(error) => {
            complain(&format!("error: {error}\n"));
            Ok(Exit::Faulty)
        }
    }
}

/// 6 x 6 elements in 2 x 2 sub-domains.
fn record(pbar: f64) -> Result<Record, DomainError> {
    let (pieces, loads) = Grid::new(2, 2, 3).pieces(0..4)?;
    let study = study_multipliers(&pieces, &loads, pbar)?;
    Ok(Record {
        pbar,
        kappa: study.kappa(),
        interface: study.interface,
        constraints: study.constraints,
        imbalance: study.imbalance,
    })
}

/// Condition number less one over the penalty: in inverse proportion, a line of slope -1.
fn write_chart(folder: &Path, records: &[Record]) -> io::Result<()> {
    let points = records.iter().map(|record| (record.pbar, record.kappa - 1.0)).collect();
    let axes = [
        Axis { label: "penalty in parts of the largest stiffness", logarithmic: true },
        Axis { label: "condition number of F_L, less one", logarithmic: true },
    ];
    let curve = Curve { name: "local multipliers".into(), points };
    let chart = curves("Condition number versus penalty", axes, &[curve], (720.0, 440.0));
    write_beside(&folder.join("figure3.svg"), &chart).map_err(io::Error::other)
}

fn table(records: &[Record]) -> Table {
    let columns = [
        ("penalty", Align::Right),
        ("condition", Align::Right),
        ("less one", Align::Right),
        ("interface", Align::Right),
        ("constraints", Align::Right),
        ("imbalance", Align::Right),
    ];
    Table::new(columns, records.len(), |k| {
        let r = &records[k];
        [
            number(r.pbar, 3),
            number(r.kappa, 6),
            number(r.kappa - 1.0, 5),
            count(r.interface),
            count(r.constraints),
            number(r.imbalance, 1),
        ]
    })
}
