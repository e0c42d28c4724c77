//! `kingpin static`: where a mechanism comes to rest.

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
[1/s] and `body`), `unstable_directions` (how many there are in all; the fastest are \
listed), `free_directions`, `matrices`, with sub-domains `domains`, and `final`, all channels by name in SI units. Without an equilibrium: \
`warnings` and `errors` as of `kingpin check --json`.

With --path and --json: `model`, `t`, `end` (`reached`, `back`, `points` or `short`) and `points`, a list of `factor`, \
`kind` (`regular`, `limit` or `branching`), `body` (who moves most at the last two), `unstable_directions`, `moved` \
[m], how far the body has come that has come farthest, and `measures` by name in SI units.

Exit codes: 0 all good; 1 the model cannot be simulated, or has no equilibrium; 2 bad usage or unreadable input.";

/// Find where the mechanism comes to rest: positions, forces, and whether it stays there
///
/// Velocities of the model do not count, time stands still at the start, and drivers hold their position of that
/// time. Where nothing holds the mechanism and nothing pushes it, such as a vehicle on a flat road, its heaviest
/// body stays where it is.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    domains: DomainArgs,
    /// Which matrices to use; default: as the model says
    #[arg(long, value_name = "WHICH", value_parser = matrices())]
    matrices: Option<Matrices>,
    /// Follow equilibria under loads that grow from nothing, past points where the mechanism snaps or buckles, and print
    /// them as a table. Loads are weight and applied forces and torques
    #[arg(long = "path")]
    follow: bool,
    /// What loads are multiplied by at the end of the path
    #[arg(
        long,
        value_name = "FACTOR",
        default_value_t = 1.0,
        requires = "follow",
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
    if args.follow {
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
