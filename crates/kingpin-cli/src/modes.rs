//! `kingpin modes`: eigenvalues of the linearised equations, and who takes part.

mod json;
mod text;

use crate::input::ModelArgs;
use crate::output::{Exit, print};
use crate::ready::{demand, refuse};
use clap::ValueEnum;
use std::io;

/// What `--json` prints, and the exit codes.
const AFTER: &str = "\
With --json: `model`, `at`, `t`, `dof`, `acceleration` (the largest, [m/s^2]), `zero_eigenvalues`, `free` (motions without stiffness, in words), \
`fastest_force`, and `modes`, each with `real`, `imaginary` [1/s], `frequency` [Hz], `damping_ratio`, \
`time_constant` [s], `bodies`, `coordinates` and `forces` (lists of `name` and `share`). A conjugate pair is one \
mode with a positive imaginary part. Without modes: `warnings` and `errors` as of `kingpin check --json`.

Exit codes: 0 all good; 1 the model cannot be simulated; 2 bad usage or unreadable input.";

/// Linearise the equations exactly and show eigenvalues, frequencies, damping and who takes part
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Where to linearise
    #[arg(long, value_enum, default_value_t = At::Start)]
    at: At,
    /// How many modes to show, fastest first; all if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Where to linearise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum At {
    /// At the assembled start, moving as the model says
    Start,
    /// At the static equilibrium, at rest
    Equilibrium,
}

impl At {
    fn name(self) -> &'static str {
        match self {
            At::Start => "start",
            At::Equilibrium => "equilibrium",
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let ready = match demand(&args.model, args.json)? {
        Ok(ready) => ready,
        Err(exit) => return Ok(exit),
    };
    let state = match args.at {
        At::Start => ready.start.clone(),
        At::Equilibrium => match ready.equilibrium() {
            Ok(equilibrium) => equilibrium.state,
            Err(error) => return refuse(&ready, &error.findings(), args.json),
        },
    };
    // at equilibrium the drivers stand still
    let found = match args.at {
        At::Start => ready.modes(&state),
        At::Equilibrium => ready.modes_at_rest(&state),
    };
    match found {
        Err(error) => refuse(&ready, &error.findings(), args.json),
        Ok(modes) => {
            let shown = args.count.map_or(modes.modes.len(), |n| modes.modes.len().min(n as usize));
            print(&if args.json {
                json::report(&ready, args.at.name(), state.t, &modes, shown)
            } else {
                text::report(&ready, args.at.name(), state.t, &modes, shown)
            })?;
            Ok(Exit::Good)
        }
    }
}
