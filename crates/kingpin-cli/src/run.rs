//! `kingpin run`: the motion of a mechanism over time.

mod arithmetic;
mod atol;
pub mod failure;
mod failure_json;
pub mod folder;
pub mod frames;
pub mod interrupt;
pub mod journey;
mod json;
pub mod options;
pub mod progress;
mod ranks;
pub mod results;
mod scales;
mod summary;
mod text;
mod warnings;
mod watch;

use crate::domains::{DomainArgs, Parted};
use crate::input::ModelArgs;
use crate::naming::option;
use crate::output::{Exit, colour, complain, complain_styled, note_warning, print};
use crate::ready::{Ready, demand_start};
use folder::Folder;
use frames::Picked;
use kingpin::dynamics::{Matrices, Settings};
use kingpin::linalg::Arithmetic;
use kingpin::model::Simulation;
use kingpin::results::Channels;
use kingpin_results::Error;
use options::Options;
use progress::Progress;
use std::io;
use std::path::PathBuf;

/// Run a time simulation and write results and a report
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    domains: DomainArgs,
    #[command(flatten)]
    output: results::Output,
    /// Print a table of these channels over time, such as `crank.angle,crank.omega`; no results are written unless `-o` is
    /// given
    #[arg(long, value_name = "CHANNELS", value_delimiter = ',')]
    table: Vec<String>,
    /// Channels to record, such as `crank.*,*.omega` [default: all; measures and energies only, if there are more than
    /// 100,000]
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',')]
    channels: Vec<String>,
    /// Output interval [default: `frame` of the model, else t_end/1000; t_end/50 with --table]
    #[arg(long, value_name = "TIME", value_parser = options::positive_time)]
    frame: Option<f64>,
    /// Print JSON instead of tables; no results are written unless `-o` is given
    #[arg(long)]
    json: bool,
    /// Use arithmetic that gives the same bits on all processors (slower)
    #[arg(long)]
    reproducible: bool,
    /// Do not show progress
    #[arg(long)]
    quiet: bool,
}

impl Args {
    /// The channels to record: those asked for, and those to be printed.
    fn wanted(&self, ready: &Ready) -> Channels {
        let large = Channels::count(ready.system()) > Channels::MANY;
        let mut patterns = self.channels.clone();
        if large || !patterns.is_empty() {
            patterns.extend(self.table.iter().cloned());
        }
        Channels::wanted(ready.system(), &patterns)
    }
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let arithmetic = arithmetic::chosen(args.reproducible);
    let parted = match args.domains.parted(args.options.matrices) {
        Ok(parted) => parted,
        Err(exit) => return Ok(exit),
    };
    let exit = parted_run(args, &parted, arithmetic)?;
    Ok(parted.end(exit, false))
}

fn parted_run(args: &Args, parted: &Parted, arithmetic: Arithmetic) -> io::Result<Exit> {
    let ready = match demand_start(&args.model, args.json, arithmetic, parted)? {
        Ok(ready) => ready,
        Err(exit) => return Ok(exit),
    };
    let channels = args.wanted(&ready);
    let prepared = args.options.settings(ready.model()).and_then(|settings| {
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
    let printing = args.json || !args.table.is_empty();
    let dir = args.output.dir(&args.model, &ready, printing);
    let recorded = dir.as_ref().filter(|_| args.output.resume).and_then(|dir| folder::recorded_frame(dir));
    settings.frame = args.frame.or(ready.model().simulation.frame).or(recorded).or_else(|| {
        let duration = settings.t_end - ready.start.t;
        let fiftieth = (duration > 0.0).then_some(duration / 50.0);
        if dir.is_none() { fiftieth } else { folder::frame(duration, &channels) }
    });
    if dir.is_none() && args.table.is_empty() {
        settings.frame = None;
    }
    if parted.cut.is_some() {
        settings.matrices = Matrices::Sparse;
    }
    // ranks are what shares the machine
    if parted.has_others() {
        settings.threads = settings.threads.or(Some(1));
    }
    let duration = settings.t_end - ready.start.t;
    if let Some(message) = settings.frame.and_then(|frame| Simulation::too_many_frames(duration, frame)) {
        complain(&format!("error: {message}\n"));
        return Ok(Exit::Usage);
    }
    match simulate(args, &ready, parted, settings, channels, picked, dir) {
        Ok(exit) => exit,
        Err(error) => {
            complain(&format!("error: {error}\n"));
            // the others know nothing of files
            Ok(parted.end(Exit::Usage, true))
        }
    }
}

fn simulate(
    args: &Args,
    ready: &Ready,
    parted: &Parted,
    settings: Settings,
    channels: Channels,
    picked: Picked,
    dir: Option<PathBuf>,
) -> Result<io::Result<Exit>, Error> {
    let mut place: Option<Folder> = None;
    // one rank writes for all
    if let Some(dir) = dir.filter(|_| parted.speaks()) {
        args.output.place.check()?;
        place = if args.output.resume {
            match folder::go_on(&dir, ready, &channels, &settings)? {
                folder::Found::Run(found) => Some(*found),
                folder::Found::Ended(_lock, failed) => {
                    ranks::end_all(parted);
                    args.output.complete(&dir, ready, args.quiet || args.json, failed.is_some())?;
                    return failed.map_or(Ok(Ok(Exit::Good)), Err);
                }
            }
        } else {
            Some(folder::begin(&dir, ready, &channels, &settings, args.output.place.force)?)
        };
    }
    let Some(from) = ranks::start_of_all(parted, place.as_mut().and_then(|place| place.from.take())) else {
        return Ok(Ok(Exit::Good));
    };
    let quiet = args.quiet || args.json || !parted.speaks();
    let progress = if quiet { Progress::silent() } else { Progress::shown() };
    // of several ranks none can stop alone: an interruption ends them all, and the folder goes on with `--resume`
    if !parted.has_others() {
        interrupt::heed();
    }
    let mut journey = journey::travel(ready, settings, channels, picked, progress, (place, from))?;
    interrupt::ignore();
    parted
        .warn_uncut("no sparse matrix was solved: explicit methods use none, and `auto` may start with an explicit method");
    // the numbers are safe; what is made of them may still fail
    let made = args.output.make(&mut journey, args.quiet || args.json);
    let printed = print(&if args.json { json::report(&journey) } else { text::report(&journey) });
    for warning in &journey.warnings {
        note_warning();
        complain(&format!("\n{}", warnings::text(warning)));
    }
    if let Some(failure) = &journey.failure {
        complain_styled(&format!("\n{}", failure::report(failure, ready, option, colour())));
    }
    made?;
    let exit = match (&journey.failure, journey.interrupted()) {
        (Some(_), _) => Exit::Faulty,
        (None, true) => Exit::Interrupted,
        (None, false) => Exit::Good,
    };
    Ok(printed.map(|()| exit))
}
