//! `kingpin bench integrate`: what accuracy costs, method by method.

pub(super) mod errors;
mod json;
pub(super) mod outing;
pub(super) mod reference;
mod text;

use crate::domains::Parted;
use crate::input::ModelArgs;
use crate::output::{Exit, complain, print};
use crate::ready::{Ready, demand_start};
use crate::run::frames::Picked;
use crate::run::options::{self, Options};
use errors::Errors;
use kingpin::dynamics::{Method, Settings};
use kingpin::linalg::Arithmetic;
use kingpin::results::{Channels, Group};
use outing::{Outing, Samples};
use reference::Reference;
use std::io;

/// Compare accuracy and cost of the integration methods on a model
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Methods to compare, such as `dopri5,for-rosen` [default: all with automatic step size]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = options::method())]
    methods: Vec<Method>,
    /// Tolerances
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = options::positive,
          default_values = ["1e-2", "1e-3", "1e-4", "1e-5"])]
    tols: Vec<f64>,
    /// Step sizes for `newmark` and `hht`, such as `1ms,0.5ms`
    #[arg(long, value_name = "TIMES", value_delimiter = ',', value_parser = options::positive_time)]
    h: Vec<f64>,
    /// End time [default: `t_end` of the model]
    #[arg(long, value_name = "TIME", value_parser = options::positive_time)]
    t_end: Option<f64>,
    /// Number of instants at which solutions are compared
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    grid: u32,
    /// Compare only this channel, such as `crank.angle`
    #[arg(long, value_name = "NAME")]
    channel: Option<String>,
    /// Time limit of a run
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = options::positive)]
    limit: f64,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// How accurate a run is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Accuracy {
    /// A tolerance.
    Tolerance(f64),
    /// A fixed step.
    Step(f64),
}

/// One method at one accuracy.
pub struct Entry {
    pub method: Method,
    pub accuracy: Accuracy,
    /// Work and errors; or why there are none.
    pub result: Result<(Outing, Option<Errors>), String>,
}

/// All that was found out about a mechanism.
pub struct Comparison<'a> {
    pub ready: &'a Ready,
    pub channels: &'a Channels,
    pub t_end: f64,
    pub grid: u32,
    /// Or why there is none.
    pub reference: Result<Reference, String>,
    pub entries: Vec<Entry>,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let ready = match demand_start(&args.model, args.json, Arithmetic::Fastest, &Parted::alone())? {
        Ok(ready) => ready,
        Err(exit) => return Ok(exit),
    };
    let channels = Channels::new(ready.system());
    let prepared = picked(&channels, args.channel.as_ref()).and_then(|picked| {
        let pairs = pairs(args)?;
        let settings = Options::default().settings(ready.model());
        Ok((picked, pairs, settings?))
    });
    let (picked, pairs, mut settings) = match prepared {
        Ok(prepared) => prepared,
        Err(message) => {
            complain(&format!("error: {message}\n"));
            return Ok(Exit::Usage);
        }
    };
    settings.t_end = args.t_end.unwrap_or(settings.t_end);
    let comparison = compare(args, &ready, &channels, &picked, &pairs, &settings);
    print(&match (args.json, args.channel.is_some()) {
        (true, _) => json::report(&comparison),
        (false, false) => text::report(&comparison),
        (false, true) => text::of_one_channel(&comparison),
    })?;
    if args.json {
        complain(&text::notes(&comparison));
    }
    let any = comparison.entries.iter().any(|entry| entry.result.is_ok());
    Ok(if any && comparison.reference.is_ok() { Exit::Good } else { Exit::Faulty })
}

/// What is compared: one channel, or positions and velocities of all bodies.
fn picked(channels: &Channels, channel: Option<&String>) -> Result<Picked, String> {
    match channel {
        Some(name) => Picked::new(channels, std::slice::from_ref(name)),
        None => Ok(Picked::of_groups(channels, &[Group::Position, Group::Orientation, Group::Velocity])),
    }
}

/// Every method at every accuracy that it knows.
fn pairs(args: &Args) -> Result<Vec<(Method, Accuracy)>, String> {
    let mut methods = args.methods.clone();
    if methods.is_empty() {
        methods = Method::ALL.into_iter().filter(|m| !m.has_fixed_step() || !args.h.is_empty()).collect();
    }
    if let (Some(method), true) = (methods.iter().find(|m| m.has_fixed_step()), args.h.is_empty()) {
        let name = method.name();
        return Err(format!("`{name}` needs step sizes\n\n  help: give some, such as `--h 1ms,0.5ms`"));
    }
    let accuracies = |method: &Method| -> Vec<Accuracy> {
        if method.has_fixed_step() {
            args.h.iter().map(|&h| Accuracy::Step(h)).collect()
        } else {
            args.tols.iter().map(|&tol| Accuracy::Tolerance(tol)).collect()
        }
    };
    Ok(methods.iter().flat_map(|m| accuracies(m).into_iter().map(|a| (*m, a))).collect())
}

fn compare<'a>(
    args: &Args,
    ready: &'a Ready,
    channels: &'a Channels,
    picked: &Picked,
    pairs: &[(Method, Accuracy)],
    settings: &Settings,
) -> Comparison<'a> {
    let every = (settings.t_end - ready.start.t) / f64::from(args.grid);
    let framed = Settings { frame: (every > 0.0).then_some(every), ..settings.clone() };
    let finest = args.tols.iter().copied().fold(f64::INFINITY, f64::min);
    let track = outing::Track { ready, channels, picked, limit: args.limit };
    let reference = reference::compute(&track, &framed, finest);
    let mut entries: Vec<Entry> = Vec::new();
    for &(method, accuracy) in pairs {
        // what takes too long will not be faster with a smaller tolerance
        let hopeless = entries.last().filter(|e| e.method == method).and_then(|e| e.result.as_ref().err());
        if let Some(why) = hopeless.filter(|why| why.starts_with(outing::SKIPPED)) {
            entries.push(Entry { method, accuracy, result: Err(why.clone()) });
            continue;
        }
        let settings = with(&framed, method, accuracy);
        let result = track.best(&settings).and_then(|outing| {
            let samples = |r: &Reference| -> Result<Errors, String> {
                let samples: Samples = track.samples(&settings)?;
                Ok(Errors::between(&samples, &r.samples, channels, picked))
            };
            Ok((outing, reference.as_ref().ok().map(samples).transpose()?))
        });
        entries.push(Entry { method, accuracy, result });
    }
    Comparison { ready, channels, t_end: settings.t_end, grid: args.grid, reference, entries }
}

/// Settings of one run.
fn with(settings: &Settings, method: Method, accuracy: Accuracy) -> Settings {
    let mut own = Settings { method, h: None, ..settings.clone() };
    match accuracy {
        Accuracy::Tolerance(tol) => own.set_tolerance(tol),
        Accuracy::Step(h) => own.h = Some(h),
    }
    own
}

trait SetTolerance {
    fn set_tolerance(&mut self, tol: f64);
}

impl SetTolerance for Settings {
    fn set_tolerance(&mut self, tol: f64) {
        self.rtol = tol;
    }
}
