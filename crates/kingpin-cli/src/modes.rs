//! `kingpin modes`: eigenvalues of the linearised equations and participating bodies.

pub mod json;
mod page;
mod text;

use crate::domains::{DomainArgs, Parted};
use crate::folder::told;
use crate::input::ModelArgs;
use crate::output::{Exit, complain, may_write, print, warn};
use crate::page::{MISSING, TEMPLATE};
use crate::ready::{Ready, demand_cut, refuse};
use crate::run::options::matrices;
use crate::words::{count, many};
use clap::ValueEnum;
use kingpin::dynamics::{Matrices, Mode, ModeChoice};
use kingpin::system::State;
use std::io;
use std::path::{Path, PathBuf};

/// What `--json` prints, and the exit codes.
const AFTER: &str = "\
With --json: `model`, `at`, `t`, `dof`, `acceleration` (the largest beyond that of a steady motion, [m/s^2]), \
`moving`, `axes` in which small motions are described (`turn_with`: a body, or null for axes that do not turn; `rate` [rad/s]), \
`left_out` (loads that are functions of time only), `zero_eigenvalues`, `free` (descriptions of motions without stiffness), \
`fastest_force`, `matrices`, `domains` if there are sub-domains, `all` (whether these are all modes), and `modes`, each with `real`, `imaginary` [1/s], `frequency` [Hz], `damping_ratio`, \
`time_constant` [s], `residual`, `bodies`, `coordinates` and `forces` (lists of `name` and `share`). A conjugate pair is one \
mode with a positive imaginary part. On failure: `warnings` and `errors` as printed by `kingpin check --json`.

Exit codes: 0 success; 1 the model cannot be simulated; 2 wrong usage or unreadable input.";

/// Compute eigenvalues, frequencies, damping and participating bodies of the exact linearisation
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// State to linearise at
    #[arg(long, value_enum, default_value_t = At::Start)]
    at: At,
    /// Number of modes, fastest first [default: all; 20 with sparse matrices]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// Compute the modes closest to this frequency, in Hz [default with sparse matrices: 0]
    #[arg(long, value_name = "HZ", value_parser = frequency)]
    near_frequency: Option<f64>,
    #[command(flatten)]
    domains: DomainArgs,
    /// Matrices: dense for all modes, sparse for some modes of a mechanism at rest of any size [default: as in the model]
    #[arg(long, value_name = "NAME", value_parser = matrices())]
    matrices: Option<Matrices>,
    /// Write a page with animated modes, slowest first
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Overwrite the page
    #[arg(long, requires = "report")]
    force: bool,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Where to linearise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum At {
    /// The assembled initial state, with its velocities
    Start,
    /// The static equilibrium
    Equilibrium,
    /// The steady motion near the initial state, such as a rotor at speed with its blades stretched
    Steady,
}

impl At {
    fn name(self) -> &'static str {
        match self {
            At::Start => "start",
            At::Equilibrium => "equilibrium",
            At::Steady => "steady",
        }
    }
}

/// A frequency.
fn frequency(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|f| f.is_finite() && *f >= 0.0);
    number.ok_or_else(|| "expected a frequency of zero or more, in Hz".into())
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    if let Some(path) = &args.report
        && let Err(message) = writable(path, args.force)
    {
        complain(&format!("error: {message}"));
        return Ok(Exit::Usage);
    }
    let parted = match args.domains.parted(args.matrices) {
        Ok(parted) => parted,
        Err(exit) => return Ok(exit),
    };
    let exit = found(args, &parted)?;
    parted.warn_uncut("the modes of a moving mechanism need dense matrices");
    Ok(parted.end(exit, false))
}

fn found(args: &Args, parted: &Parted) -> io::Result<Exit> {
    let ready = match demand_cut(&args.model, args.json, parted)? {
        Ok(ready) => ready,
        Err(exit) => return Ok(exit),
    };
    let matrices = parted.matrices(args.matrices, ready.settings().matrices);
    let choice = ModeChoice { matrices, count: args.count.map(|n| n as usize), near: args.near_frequency };
    let state = match args.at {
        At::Start => ready.start.clone(),
        At::Equilibrium => match ready.equilibrium_with(matrices) {
            Ok(equilibrium) => equilibrium.state,
            Err(error) => return refuse(&ready, &error.findings(), args.json),
        },
        At::Steady => match ready.steady_motion(&ready.start) {
            Ok(state) => state,
            Err(error) => return refuse(&ready, &error.findings(), args.json),
        },
    };
    // at equilibrium the drivers stand still
    let found = match args.at {
        At::Start | At::Steady => ready.modes_with(&state, &choice),
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
            match &args.report {
                Some(_) if !parted.speaks() => Ok(Exit::Good),
                Some(path) => animate(path, &ready, &state, &modes.modes[..shown], args.json),
                None => Ok(Exit::Good),
            }
        }
    }
}

/// Whether a page can be written there.
fn writable(path: &Path, force: bool) -> Result<(), String> {
    if TEMPLATE.is_none() { Err(format!("{MISSING}\n")) } else { may_write(path, force) }
}

/// Writes the page, and says so.
fn animate(path: &Path, ready: &Ready, state: &State, modes: &[Mode], json: bool) -> io::Result<Exit> {
    if modes.is_empty() {
        warn("no-modes", "there are no modes, so no page is written\n");
        return Ok(Exit::Good);
    }
    match page::write(path, ready, state, modes) {
        Err(error) => Ok(told(error)),
        Ok(_) if json => Ok(Exit::Good),
        Ok(written) => {
            let all = if written < modes.len() {
                format!(", the slowest of {}", count(modes.len()))
            } else {
                String::new()
            };
            print(&format!("\n  wrote {}: {}{all}\n", path.display(), many(written, "mode")))?;
            Ok(Exit::Good)
        }
    }
}
