//! `kingpin accelerations`: accelerations, multipliers and reactions at the assembled state.

pub mod json;
pub mod solve;
mod text;

use crate::input::ModelArgs;
use crate::output::{Exit, print};
use crate::ready::{demand, refuse};
use clap::builder::PossibleValue;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use kingpin::accel::Solver;
use std::io;

/// Compute accelerations, multipliers and reactions at the initial state, with one solver or with all
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Solver for accelerations and multipliers
    #[arg(long, value_name = "NAME", default_value = Solver::Auto.name(), value_parser = solver())]
    solver: Choice,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// The solvers asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    All,
    One(Solver),
}

/// One of the names, or `all`.
fn solver() -> impl TypedValueParser<Value = Choice> {
    let one = Solver::choices().map(|method| PossibleValue::new(method.name()).help(method.about()));
    let all = PossibleValue::new("all").help("all of them, with their differences");
    PossibleValuesParser::new(one.chain([all]))
        .map(|name| Solver::named(&name).map_or(Choice::All, Choice::One))
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let ready = match demand(&args.model, args.json)? {
        Ok(ready) => ready,
        Err(exit) => return Ok(exit),
    };
    let solution = match args.solver {
        Choice::One(method) => solve::one(&ready, method),
        Choice::All => solve::all(&ready),
    };
    match solution {
        Err(finding) => refuse(&ready, &[*finding], args.json),
        Ok(solution) => {
            print(&if args.json { json::report(&solution) } else { text::report(&solution) })?;
            Ok(if solution.is_good() { Exit::Good } else { Exit::Faulty })
        }
    }
}
