//! `kingpin equilibrium`: static equilibria.

pub mod json;
mod path;
mod text;

use crate::domains::{DomainArgs, Parted};
use crate::input::ModelArgs;
use crate::output::{Exit, print};
use crate::ready::{demand_cut, refuse};
use crate::run::options::matrices;
use kingpin::dynamics::Matrices;
use std::io;

/// What `--json` prints, and the exit codes.
const AFTER: &str = "\
With --json: `model`, `t`, `iterations`, `residual_acceleration` [m/s^2], `stable`, `unstable` (a list of `rate` \
[1/s] and `body`), `unstable_directions` (their total number; the fastest are \
listed), `free_directions`, `matrices`, `domains` if there are sub-domains, and `final` (all channels by name, in SI units). Without an \
equilibrium: `warnings` and `errors` as printed by `kingpin check --json`.

With --load-path and --json: `model`, `t`, `end` (`reached`, `back`, `points` or `short`) and `points`, a list of `factor`, \
`kind` (`regular`, `limit` or `branching`), `body` (at limit and branching points: the body that moves most), \
`unstable_directions`, `moved` [m] (the largest displacement of a body), and `measures` by name in SI units.

Exit codes: 0 success; 1 the model cannot be simulated, or has no equilibrium; 2 wrong usage or unreadable input.";

/// Find a static equilibrium and its stability
///
/// Initial velocities are ignored, time is fixed at the start, and drivers hold their initial position. In directions
/// without stiffness and load, such as those of a vehicle on a flat road, the heaviest body keeps its position.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    domains: DomainArgs,
    /// Matrices [default: as in the model]
    #[arg(long, value_name = "NAME", value_parser = matrices())]
    matrices: Option<Matrices>,
    /// Trace equilibria while all loads (gravity, applied forces and torques) grow from zero, past limit and branching
    /// points, and print them as a table
    #[arg(long)]
    load_path: bool,
    /// Load factor at the end of the path
    #[arg(
        long,
        value_name = "FACTOR",
        default_value_t = 1.0,
        requires = "load_path",
        allow_negative_numbers = true
    )]
    to: f64,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let parted = match args.domains.parted(args.matrices) {
        Ok(parted) => parted,
        Err(exit) => return Ok(exit),
    };
    let exit = at_rest(args, &parted)?;
    Ok(parted.end(exit, false))
}

fn at_rest(args: &Args, parted: &Parted) -> io::Result<Exit> {
    let ready = match demand_cut(&args.model, args.json, parted)? {
        Ok(ready) => ready,
        Err(exit) => return Ok(exit),
    };
    if args.load_path {
        return path::run(&ready, args.to, args.json);
    }
    match ready.equilibrium_with(parted.matrices(args.matrices, ready.settings().matrices)) {
        Err(error) => refuse(&ready, &error.findings(), args.json),
        Ok(equilibrium) => {
            print(&if args.json {
                json::report(&ready, &equilibrium)
            } else {
                text::report(&ready, &equilibrium)
            })?;
            Ok(Exit::Good)
        }
    }
}
