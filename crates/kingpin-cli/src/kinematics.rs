//! `kingpin kinematics`: motion and driver forces of a fully driven mechanism.

mod files;
mod json;
mod record;
mod text;

use crate::input::ModelArgs;
use crate::output::{Exit, complain, print, report};
use crate::ready::{Ready, demand, demand_produced, refuse};
use crate::run::results::Place;
use files::Computed;
use kingpin::dynamics::Production;
use kingpin::mechanism::Recording;
use kingpin::model::Simulation;
use kingpin_io::Diagnostic;
use record::Record;
use std::io;

/// What `--json` prints, and the exit codes.
const AFTER: &str = "\
With --json: `model`, `t_end`, `frames`, `steps`, `position_residual`, `velocity_residual`, `times`, `series` (the \
printed channels by name, one number per time), and `final` (all channels by name, in SI units). If the mechanism \
cannot be driven: `warnings` and `errors` as printed by `kingpin check --json`.

Exit codes: 0 success; 1 the model cannot be simulated, or locks up; 2 wrong usage or unreadable input.";

/// Instants after the first, if none is given and no results are written.
const FRAMES: usize = 20;

/// Compute motion, reactions and driver forces of a fully driven mechanism
///
/// With `--actuators`, inverse dynamics: the required forces of these actuators are computed for the motions that the
/// other drivers prescribe, such as a path. Strokes and forces are channels, and `actuators.csv` holds them as tables
/// that drivers and actuators can read.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// End time, in seconds [default: `t_end` of the model]
    #[arg(long, value_name = "T", value_parser = time)]
    t_end: Option<f64>,
    /// Number of equally spaced instants after the first [default: by `frame` of the model, else 1000; 20 with --json]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
    /// Actuators, motors, drivers or inputs to solve for (the prescribed motion of such drivers is ignored)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    actuators: Vec<String>,
    /// Drivers whose motions the actuators produce [default: all other drivers]
    #[arg(long, value_name = "DRIVERS", value_delimiter = ',', requires = "actuators")]
    motions: Vec<String>,
    /// Channels to print, such as `crank.omega,motor.t` [default: measures and drivers]
    #[arg(long, value_name = "CHANNELS", value_delimiter = ',')]
    channels: Vec<String>,
    #[command(flatten)]
    output: Place,
    /// Print JSON instead of tables; no results are written unless `-o` is given
    #[arg(long)]
    json: bool,
}

impl Args {
    /// The mechanism, with what shall produce its motion.
    fn ready(&self) -> io::Result<Result<(Ready, Production), Exit>> {
        if self.actuators.is_empty() {
            return Ok(demand(&self.model, self.json)?.map(|ready| (ready, Production::default())));
        }
        let names =
            |list: &'_ [String]| -> Vec<String> { list.iter().map(|name| name.trim().into()).collect() };
        let (of, by) = (names(&self.motions), names(&self.actuators));
        let (of, by): (Vec<&str>, Vec<&str>) =
            (of.iter().map(String::as_str).collect(), by.iter().map(String::as_str).collect());
        let ready = match demand_produced(&self.model, self.json, &of, &by)? {
            Ok(ready) => ready,
            Err(exit) => return Ok(Err(exit)),
        };
        let production = ready.produced.as_ref().map(|produced| produced.production(&ready));
        match production.transpose() {
            Ok(production) => Ok(Ok((ready, production.unwrap_or_default()))),
            Err(error) => refuse(&ready, &error.findings(), self.json).map(Err),
        }
    }

    /// Instants after the first.
    fn instants(&self, ready: &Ready, duration: f64, writes: bool) -> Result<usize, String> {
        let frames = match (self.frames, writes) {
            (Some(frames), _) => frames as usize,
            (None, false) => FRAMES,
            (None, true) => {
                let most = crate::run::folder::frame(duration, ready.still_channels());
                match ready.model().simulation.frame.or(most) {
                    Some(frame) if duration > 0.0 => {
                        if let Some(message) = Simulation::too_many_frames(duration, frame) {
                            return Err(message);
                        }
                        (duration / frame).round().max(1.0) as usize
                    }
                    _ => FRAMES,
                }
            }
        };
        Ok(frames)
    }
}

/// A time that is a finite number.
fn time(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|t: &f64| t.is_finite()).ok_or_else(|| "expected a number of seconds".into())
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let (ready, production) = match args.ready()? {
        Ok(ready) => ready,
        Err(exit) => return Ok(exit),
    };
    let t_end = args.t_end.unwrap_or(ready.model().simulation.t_end);
    if t_end < ready.start.t {
        complain("error: the end time is before the start time\n");
        return Ok(Exit::Usage);
    }
    let dir = args.output.dir(&args.model, &ready, !args.json, "kinematics");
    let prepared = record::chosen(ready.still_channels(), &args.channels, &production).and_then(|shown| {
        let frames = args.instants(&ready, t_end - ready.start.t, dir.is_some());
        Ok((shown, frames.map_err(|message| format!("error: {message}\n"))?))
    });
    let (shown, frames) = match prepared {
        Ok(prepared) => prepared,
        Err(message) => {
            complain(&message);
            return Ok(Exit::Usage);
        }
    };
    let short = Diagnostic::from_findings(&ready.short_tables(t_end), &ready.sources);
    report(&short, &ready.sources);
    let mut all = Recording::new();
    let done = match ready.follow(t_end, frames, &production, &mut all) {
        Ok(done) => done,
        Err(error) => return refuse(&ready, &error.findings(), args.json),
    };
    let record = Record { all, shown };
    let computed = Computed { ready: &ready, record: &record, done: &done, production: &production, t_end };
    let made = dir.filter(|_| done.frames > 0).map(|dir| computed.write(&args.output, &dir)).transpose();
    let made = match made {
        Ok(made) => made.unwrap_or_default(),
        Err(error) => {
            complain(&format!("error: {error}\n"));
            return Ok(Exit::Usage);
        }
    };
    if let Some(lock) = ready.lock_of(&done) {
        if !args.json && !record.all.times().is_empty() {
            print(&text::report(&ready, &record, &done, &made))?;
        }
        return refuse(&ready, &lock.findings(), args.json);
    }
    print(&if args.json {
        json::report(&ready, &record, &done, t_end)
    } else {
        text::report(&ready, &record, &done, &made)
    })?;
    Ok(Exit::Good)
}
