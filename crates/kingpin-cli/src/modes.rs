//! `kingpin modes`: eigenvalues of the linearised equations, and who takes part.

mod json;
mod text;

use crate::input::ModelArgs;
use crate::output::{Exit, print};
use crate::ready::{demand, refuse};
use crate::run::options::matrices;
use clap::ValueEnum;
use kingpin::dynamics::{Matrices, ModeChoice};
use std::io;

/// What `--json` prints, and the exit codes.
const AFTER: &str = "\
With --json: `model`, `at`, `t`, `dof`, `acceleration` (the largest, [m/s^2]), `zero_eigenvalues`, `free` (motions without stiffness, in words), \
`fastest_force`, `matrices`, `all` (whether these are all modes), and `modes`, each with `real`, `imaginary` [1/s], `frequency` [Hz], `damping_ratio`, \
`time_constant` [s], `residual`, `bodies`, `coordinates` and `forces` (lists of `name` and `share`). A conjugate pair is one \
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
    /// How many modes to show, fastest first; all if not given. With sparse matrices, or with --near: how many to look for;
    /// 20 with sparse matrices if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// Look for the modes next to this frequency, in Hz. With sparse matrices the slowest, if not given
    #[arg(long, value_name = "F", value_parser = frequency)]
    near: Option<f64>,
    /// Which matrices to use; default: as the model says. Dense ones give all modes, sparse ones some of a mechanism at
    /// rest, of any size
    #[arg(long, value_name = "WHICH", value_parser = matrices())]
    matrices: Option<Matrices>,
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

/// A frequency.
fn frequency(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|f| f.is_finite() && *f >= 0.0);
    number.ok_or_else(|| "not a frequency: a number of Hz, zero or more".into())
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let ready = match demand(&args.model, args.json)? {
        Ok(ready) => ready,
        Err(exit) => return Ok(exit),
    };
    let matrices = args.matrices.unwrap_or(ready.settings().matrices);
    let choice = ModeChoice { matrices, count: args.count.map(|n| n as usize), near: args.near };
    let state = match args.at {
        At::Start => ready.start.clone(),
        At::Equilibrium => match ready.equilibrium_with(matrices) {
            Ok(equilibrium) => equilibrium.state,
            Err(error) => return refuse(&ready, &error.findings(), args.json),
        },
    };
    // at equilibrium the drivers stand still
    let found = match args.at {
        At::Start => ready.modes_with(&state, &choice),
        At::Equilibrium => ready.modes_at_rest_with(&state, &choice),
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
