//! `kingpin static`: where a mechanism comes to rest.

mod json;
mod text;

use crate::input::ModelArgs;
use crate::output::{Exit, print};
use crate::ready::{Ready, demand, refuse};
use crate::words::number;
use kingpin::accel::AccelFailure;
use kingpin::dynamics::{Equilibrium, NoEquilibrium, Trouble, equilibrium_of, settle_at_equilibrium};
use kingpin::model::{Finding, Subject};
use std::io;

/// What `--json` prints, and the exit codes.
const AFTER: &str = "\
With --json: `model`, `t`, `iterations`, `residual_acceleration` [m/s^2], `stable`, `unstable` (a list of `rate` \
[1/s] and `body`), `free_directions`, and `final`, all channels by name in SI units. Without an equilibrium: \
`warnings` and `errors` as of `kingpin check --json`.

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
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let ready = match demand(&args.model, args.json)? {
        Ok(ready) => ready,
        Err(exit) => return Ok(exit),
    };
    match at_rest(&ready) {
        Err(finding) => refuse(&ready, &[*finding], args.json),
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

/// The equilibrium, or what to say if there is none.
pub fn at_rest(ready: &Ready) -> Result<Equilibrium, Box<Finding>> {
    let found = equilibrium_of(&ready.system, ready.problem(), &ready.assembly.state);
    found.map_err(|why| Box::new(finding(ready, &why)))
}

/// Moves a mechanism whose simulation is to start at equilibrium there; it keeps its velocities.
pub fn move_to_start(ready: &mut Ready) -> Result<(), Box<Finding>> {
    if ready.model.simulation.start != "equilibrium" {
        return Ok(());
    }
    let settled = settle_at_equilibrium(&ready.system, ready.problem(), &ready.assembly.state);
    let (state, _) = settled.map_err(|why| Box::new(finding(ready, &why)))?;
    ready.assembly.state = state;
    Ok(())
}

fn finding(ready: &Ready, why: &NoEquilibrium) -> Finding {
    match why {
        NoEquilibrium::Unheld { body, acceleration } => {
            let message = format!(
                "no equilibrium: nothing holds body `{}`, which keeps accelerating at {} m/s^2",
                ready.system.body_names[*body],
                number(*acceleration, 3)
            );
            Finding::error(Subject::Body(*body), "", message).hint(
                "hold it by a joint, a driver or a spring, or use `kingpin accel` to see what pushes it",
            )
        }
        NoEquilibrium::NoConvergence { body, acceleration, iterations } => {
            let message = format!(
                "no equilibrium found in {iterations} steps: body `{}` still accelerates at {} m/s^2",
                ready.system.body_names[*body],
                number(*acceleration, 3)
            );
            Finding::error(Subject::Body(*body), "", message)
                .hint("start closer to the equilibrium, or add damping and let the mechanism settle in a run")
        }
        NoEquilibrium::Trouble(trouble) => {
            let message = format!("no equilibrium: {trouble}");
            Finding::error(subject(ready, trouble), "", message)
        }
        NoEquilibrium::TooLarge { .. } => {
            Finding::error(Subject::Model, "", format!("no equilibrium: {why}"))
        }
    }
}

/// The item where a trouble shows.
pub fn subject(ready: &Ready, trouble: &Trouble) -> Subject {
    let singular = &ready.assembly.diagnosis.singular;
    match trouble {
        Trouble::Accelerations(AccelFailure::Singular { row: Some(row), .. }) => row.subject.clone(),
        Trouble::Partition => singular.first().map_or(Subject::Model, |joint| joint.subject.clone()),
        _ => Subject::Model,
    }
}
