//! `kingpin modes`: eigenvalues of the linearised equations, and who takes part.

mod json;
mod text;

use crate::input::ModelArgs;
use crate::output::{Exit, print};
use crate::ready::{demand, refuse};
use crate::statics::{at_rest, subject};
use clap::ValueEnum;
use kingpin::dynamics::{NoModes, modes};
use kingpin::model::{Finding, Subject};
use std::io;

/// What `--json` prints, and the exit codes.
const AFTER: &str = "\
With --json: `model`, `at`, `t`, `dof`, `zero_eigenvalues`, `free` (motions without stiffness, in words), \
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
        At::Start => ready.assembly.state.clone(),
        At::Equilibrium => match at_rest(&ready) {
            Ok(equilibrium) => equilibrium.state,
            Err(finding) => return refuse(&ready, &[*finding], args.json),
        },
    };
    // at equilibrium the drivers stand still
    let still = (args.at == At::Equilibrium).then(|| ready.system.frozen(state.t));
    match modes(still.as_ref().unwrap_or(&ready.system), &state, ready.redundant()) {
        Err(why) => {
            let subject =
                if let NoModes::Trouble(trouble) = &why { subject(trouble) } else { Subject::Model };
            refuse(&ready, &[Finding::error(subject, "", format!("no modes: {why}"))], args.json)
        }
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
