//! `kingpin sweep`: parameter studies.

pub mod again;
mod progress;
mod ranks;
mod text;

use crate::domains::{Parted, companions};
use crate::input::ModelArgs;
use crate::output::{Exit, colour, complain, complain_styled, note_warning, print, report, warn};
use crate::run::options::{Options, positive_time};
use again::RunSettings;
use kingpin::model::Model;
use kingpin_results::Error;
use kingpin_study::{
    Definition, Digest, Points, Refusal, Row, Sampling, Scalar, Study, StudyFolder, Variation,
};
use progress::Watch;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Run a parameter study: simulate a model for many parameter values and tabulate metrics of each run
///
/// `--vary` takes a range with a number of points, `k=10..100 N/m:20`, with linear spacing, or logarithmic spacing if
/// `log` is appended; a list, `c=[1,2,5]`; or a distribution from which `--samples` random values are drawn: `k=10..100
/// N/m` (uniform), `m=normal(50,5) kg`. Several `--vary` options give all combinations.
///
/// `--metric` is an expression in max, min, mean, rms, integral, first, last, time_of_max, time_of_min of channels, and
/// in channel values at a time or an event: `at(tip.z, 0.5 s)`, `at(speed, landing)`. `peak=max(tip.z)` names the column.
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Parameter and its values, such as `"k=10..100 N/m:20"` or `"c=[1,2,5]"`
    #[arg(long, value_name = "VALUES", required = true)]
    vary: Vec<String>,
    /// Number to compute for each run, such as `"max(tip.z)"`
    #[arg(long, value_name = "EXPRESSION", required = true)]
    metric: Vec<String>,
    /// Number of random samples, for each combination of the other values
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,
    /// Random seed; the same seed gives the same points
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "samples")]
    seed: u64,
    /// Draw a Latin hypercube: each parameter has one value in each of N equally probable intervals
    #[arg(long, requires = "samples")]
    latin_hypercube: bool,
    /// Channels to record over time for each point, such as `tip.*`
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',')]
    channels: Vec<String>,
    /// Output interval; metrics are computed from the frames [default: `frame` of the model, else t_end/1000]
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    frame: Option<f64>,
    #[command(flatten)]
    options: Options,
    /// Folder for the study [default: MODEL-study]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Replace an existing study
    #[arg(long, conflicts_with = "resume")]
    force: bool,
    /// Resume the interrupted study in the folder, or start one if there is none; the table is identical to that of an
    /// uninterrupted study
    #[arg(long)]
    resume: bool,
    /// Print the table as JSON, one line per point; no folder is written unless `-o` is given
    #[arg(long)]
    json: bool,
    /// Do not show progress
    #[arg(long)]
    quiet: bool,
}

/// Runs the command, on all ranks that there are.
pub fn run(args: &Args) -> io::Result<Exit> {
    match companions() {
        Ok(parted) => run_among(args, &parted).map(|exit| parted.end(exit, false)),
        Err(exit) => Ok(exit),
    }
}

fn run_among(args: &Args, parted: &Parted) -> io::Result<Exit> {
    let study = match args.study() {
        Ok(study) => study,
        Err(refusal) => {
            complain_styled(&refusal.render(colour()));
            let model = matches!(*refusal, Refusal::Model(_));
            return Ok(if model { Exit::Faulty } else { Exit::Usage });
        }
    };
    let (warnings, sources) = study.warnings();
    report(warnings, sources);
    match args.fill(&study, parted) {
        Ok(done) => done,
        Err(error) => {
            complain(&format!("error: {error}\n"));
            Ok(Exit::Usage)
        }
    }
}

impl Args {
    fn study(&self) -> Result<Study, Box<Refusal>> {
        let mut variations = Vec::new();
        for text in &self.vary {
            let refused = |error| Box::new(Refusal::Variation(text.clone(), error));
            variations.push(Variation::parse(text).map_err(refused)?);
        }
        let sampling = self.samples.map(|count| Sampling {
            count: usize::try_from(count).unwrap_or(usize::MAX),
            seed: self.seed,
            latin: self.latin_hypercube,
        });
        let points = Points::new(variations, sampling).map_err(|(which, error)| {
            Box::new(match which {
                Some(k) => Refusal::Variation(self.vary[k].clone(), error),
                None => Refusal::Sampling(error),
            })
        })?;
        let draft = self
            .model
            .draft()
            .map_err(|loaded| Box::new(Refusal::Model(Box::new((loaded.diagnostics, loaded.sources)))))?;
        let (options, frame) = (self.options.clone(), self.frame);
        let configure = move |model: &Model| {
            let mut settings = options.settings(model)?;
            settings.frame = frame.or(model.simulation.frame);
            Ok(settings)
        };
        let scalars = self.metric.iter().map(|text| Scalar::new(text)).collect();
        let curves = self.channels.iter().map(|name| name.trim().to_string()).collect();
        Study::with(draft, self.model.overrides(), points, scalars, curves, Box::new(configure))
    }

    /// The folder, if there is to be one.
    fn dir(&self) -> Option<PathBuf> {
        match &self.output {
            Some(dir) => Some(dir.clone()),
            None if self.json && !self.force && !self.resume => None,
            None => Some(self.model.beside("model", "-study")),
        }
    }

    /// Threads of this process: ranks have one each, unless told otherwise.
    fn threads(&self, parted: &Parted) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let all = || if parted.has_others() { 1 } else { cores() };
        self.options.threads.map_or_else(all, |threads| usize::try_from(threads).unwrap_or(usize::MAX))
    }

    /// The folder, if there is to be one, and rows that are in it already. The first rank alone has one.
    fn open(
        &self,
        study: &Study,
        parted: &Parted,
        digest: &mut Digest,
    ) -> Result<(Option<StudyFolder>, Vec<Row>), Error> {
        let own =
            Definition::new(study, &self.model.path().to_string_lossy(), &self.model.overrides().assignments);
        // a folder may have a name that is no text; no setting has
        let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
        let definition = Definition { settings: RunSettings::words(words), ..own };
        let mut known = Vec::new();
        let folder = match self.dir().filter(|_| parted.speaks()) {
            Some(dir) if self.resume => Some(StudyFolder::resume(&dir, &definition, &mut |row| {
                digest.add(&row);
                known.extend(self.json.then_some(row));
            })?),
            Some(dir) => Some(StudyFolder::create(&dir, &definition, self.force)?),
            None => None,
        };
        Ok((folder, known))
    }

    fn fill(&self, study: &Study, parted: &Parted) -> Result<io::Result<Exit>, Error> {
        let mut digest = Digest::default();
        let opened = self.open(study, parted, &mut digest);
        let first = opened.as_ref().ok().map(|(folder, _)| folder.as_ref().map_or(0, StudyFolder::next));
        let first = if parted.has_others() { ranks::first_of_all(parted, first) } else { first };
        let (mut folder, known) = opened?;
        for damage in folder.as_ref().map_or(&[][..], StudyFolder::damages) {
            let next = first.unwrap_or(0);
            let text = format!("{damage}\n\n  help: the study continues from point {next}\n\n");
            warn("damaged-results", &text);
        }
        // the first rank has said why
        let Some(first) = first else { return Ok(Ok(Exit::Good)) };
        let mut printed = if self.json { print(&text::json_heading(study)) } else { Ok(()) };
        for row in &known {
            printed = printed.and_then(|()| print(&text::json_row(row)));
        }
        let stop = Arc::new(AtomicBool::new(false));
        let watch = Watch::new(study.points().len(), first, self.quiet || self.json, stop.clone());
        let mut failed = None;
        let mut take = |row: Row| {
            digest.add(&row);
            if let Some(folder) = &mut folder {
                failed = folder.add(&row).err();
            }
            if self.json {
                printed = std::mem::replace(&mut printed, Ok(())).and_then(|()| print(&text::json_row(&row)));
            }
            watch.done(row.point + 1);
            if failed.is_some() || printed.is_err() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let threads = self.threads(parted);
        if parted.has_others() {
            ranks::run((study, parted), threads, first, &stop, &mut take);
        } else {
            study.run_while(threads, first, &stop, &mut take);
        }
        let elapsed = watch.finish();
        if digest.doubtful + digest.failed > 0 {
            note_warning();
        }
        if let Some(error) = failed {
            return Err(error);
        }
        if !self.json {
            printed = print(&text::report(study, &digest, first, elapsed, self.dir().as_deref()));
        }
        let exit = if digest.rows() < study.points().len() { Exit::Interrupted } else { Exit::Good };
        Ok(printed.map(|()| exit))
    }
}
