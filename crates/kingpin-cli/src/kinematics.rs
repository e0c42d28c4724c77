//! `kingpin kinematics`: positions to driver forces of a mechanism that has nothing free.

mod json;
mod record;
mod text;

use crate::input::ModelArgs;
use crate::output::{Exit, complain, print};
use crate::ready::{demand, refuse};
use kingpin::mechanism::Recording;
use record::Record;
use std::io;

/// What `--json` prints, and the exit codes.
const AFTER: &str = "\
With --json: `model`, `t_end`, `frames`, `steps`, `position_residual`, `velocity_residual`, `times`, `series` (the \
shown channels by name, a number per time), and `final`, all channels by name in SI units. If the mechanism \
cannot be driven: `warnings` and `errors` as of `kingpin check --json`.

Exit codes: 0 all good; 1 the model cannot be simulated, or locks; 2 bad usage or unreadable input.";

/// Follow the drivers of a mechanism with no degree of freedom: motion, joint and driver forces
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Time at which to end, in seconds; as the model says if not given
    #[arg(long, value_name = "T", value_parser = time)]
    t_end: Option<f64>,
    /// Instants after the first, at even intervals
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    frames: u32,
    /// Channel to show, such as `crank.omega`; may be given again. Measures and drivers if not given
    #[arg(long, value_name = "CHANNEL")]
    show: Vec<String>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// A time that is a finite number.
fn time(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|t: &f64| t.is_finite()).ok_or_else(|| "write a number of seconds".into())
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let ready = match demand(&args.model, args.json)? {
        Ok(ready) => ready,
        Err(exit) => return Ok(exit),
    };
    let t_end = args.t_end.unwrap_or(ready.model().simulation.t_end);
    if t_end < ready.start.t {
        complain("error: the end must not be before the start\n");
        return Ok(Exit::Usage);
    }
    let shown = match record::chosen(ready.still_channels(), &args.show) {
        Ok(shown) => shown,
        Err(message) => {
            complain(&message);
            return Ok(Exit::Usage);
        }
    };
    let mut all = Recording::new();
    let kinematics = match ready.follow(t_end, args.frames as usize, &mut all) {
        Ok(kinematics) => kinematics,
        Err(error) => return refuse(&ready, &error.findings(), args.json),
    };
    let record = Record { all, shown };
    if let Some(lock) = ready.lock_of(&kinematics) {
        if !args.json && !record.all.times().is_empty() {
            print(&text::report(&ready, &record, &kinematics))?;
        }
        return refuse(&ready, &lock.findings(), args.json);
    }
    print(&if args.json {
        json::report(&ready, &record, &kinematics, t_end)
    } else {
        text::report(&ready, &record, &kinematics)
    })?;
    Ok(Exit::Good)
}
