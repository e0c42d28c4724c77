//! `kingpin run`: the motion of a mechanism over time.

pub mod frames;
mod journey;
mod json;
pub mod options;
pub mod progress;
mod text;
mod watch;

use crate::input::ModelArgs;
use crate::output::{Exit, complain, print};
use crate::ready::demand_start;
use frames::Picked;
use kingpin::results::Channels;
use options::Options;
use progress::Progress;
use std::io;

/// Simulate a motion and say how it went: steps, accuracy, energy, time needed, values at the end
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    options: Options,
    /// Print these channels over time, such as `crank.angle,crank.omega`
    #[arg(long, value_name = "CHANNELS", value_delimiter = ',')]
    table: Vec<String>,
    /// Time between two lines of the table; default: `frame` of the model, or a fiftieth of the run
    #[arg(long, value_name = "TIME", value_parser = options::positive_time, requires = "table")]
    frame: Option<f64>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let ready = match demand_start(&args.model, args.json)? {
        Ok(ready) => ready,
        Err(exit) => return Ok(exit),
    };
    let channels = Channels::new(&ready.system);
    let prepared = args.options.settings(&ready.model).and_then(|settings| {
        let picked = Picked::new(&channels, &args.table)?;
        Ok((settings, picked))
    });
    let (mut settings, picked) = match prepared {
        Ok(prepared) => prepared,
        Err(message) => {
            complain(&format!("error: {message}\n"));
            return Ok(Exit::Usage);
        }
    };
    if !args.table.is_empty() {
        let fiftieth = (settings.t_end - ready.assembly.state.t) / 50.0;
        let every = args.frame.or(ready.model.simulation.frame).unwrap_or(fiftieth);
        settings.frame = (every > 0.0).then_some(every);
    }
    let progress = if args.quiet || args.json { Progress::silent() } else { Progress::shown() };
    let journey = journey::travel(&ready, settings, channels, picked, progress);
    print(&if args.json { json::report(&journey) } else { text::report(&journey) })?;
    if let Some(failure) = journey.failure() {
        complain(&format!("error: the run failed: {failure}\n"));
        return Ok(Exit::Faulty);
    }
    Ok(Exit::Good)
}
