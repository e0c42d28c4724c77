//! A run from its start to its end or failure, and all that is reported of it.

use super::folder::{Folder, Resumed};
use super::frames::{Picked, Rows};
use super::progress::Progress;
use super::watch::Watch;
use super::{summary, warnings};
use crate::naming::option;
use crate::ready::Ready;
use kingpin::accel;
use kingpin::dynamics::{Checkpoint, Coordinates, End, FailureReport, Run, Settings};
use kingpin::mechanism::{self, Outcome};
use kingpin::results::Channels;
use kingpin_results::store::{Header, Held, Warning};
use kingpin_results::{Error, ErrorKind, Recorder};
use std::path::{Path, PathBuf};

/// What became of a run.
pub struct Journey<'a> {
    pub ready: &'a Ready,
    pub settings: Settings,
    /// The solver for accelerations.
    pub solver: accel::Solver,
    /// Number of threads.
    pub threads: usize,
    pub run: Run,
    /// The failure, if it failed.
    pub failure: Option<FailureReport>,
    /// Time of the integration, frames and files included, in seconds.
    pub wall: f64,
    /// Part of it that went into channels and files since it was started or resumed.
    pub output: f64,
    /// Shortest and longest step.
    pub steps: Option<(f64, f64)>,
    pub channels: Channels,
    /// Values of all channels at the end; accelerations and reactions that could not be solved for are NaN.
    pub last: Vec<f64>,
    pub picked: Picked,
    pub rows: Rows,
    /// Warnings.
    pub warnings: Vec<Warning>,
    /// Where results are.
    pub results: Option<Results>,
}

/// A folder of results that is filled.
#[derive(Default)]
pub struct Results {
    pub dir: PathBuf,
    pub frames: u64,
    /// The tables made of them.
    pub tables: Vec<PathBuf>,
    /// The page made of them.
    pub page: Option<PathBuf>,
    /// Nobody else writes there.
    pub _held: Option<Held>,
}

impl Journey<'_> {
    /// Whether its implicit methods had sparse matrices.
    pub fn is_sparse(&self) -> bool {
        let implicit = self.run.statistics.jacobians > 0;
        implicit && self.settings.is_sparse(&self.ready.dynamics(self.settings.solver))
    }

    /// In which coordinates its implicit methods told motions.
    pub fn coordinates(&self) -> Coordinates {
        match self.settings.coordinates {
            Coordinates::Auto if self.is_sparse() => Coordinates::Tangent,
            Coordinates::Auto => Coordinates::Partition,
            chosen => chosen,
        }
    }

    /// Whether the user stopped it.
    pub fn interrupted(&self) -> bool {
        self.failure.is_none() && self.run.end == End::Stopped
    }
}

/// Simulates, into a folder if there is one.
pub fn travel<'a>(
    ready: &'a Ready,
    settings: Settings,
    channels: Channels,
    picked: Picked,
    progress: Progress,
    (folder, from): (Option<Folder>, Option<Resumed>),
) -> Result<Journey<'a>, Error> {
    let (mut kept, mut writer) = (None, None);
    if let Some(folder) = folder {
        kept = Some((folder.dir, folder.header));
        writer = Some(folder.writer);
    }
    let recorder = writer.map(|writer| Recorder::new(&channels, writer));
    let start = match &from {
        Some(resumed) => resumed.at.clone(),
        None => Checkpoint::at_start(&ready.start, &settings),
    };
    let span = (start.run.state.t, settings.t_end);
    let mut watch = Watch::new(&channels, &picked, span, progress, recorder);
    if let Some(resumed) = &from {
        watch.carry_on(&resumed.carried);
    }
    let outcome = ready.run_spelled(&settings, &start, &mut watch, option);
    let outcome = outcome.map_err(|error| unfit_checkpoint(kept.as_ref(), &error))?;
    let Outcome { run, solver, threads, failure, warnings } = outcome;
    let (wall, output) = (watch.wall(), watch.output.as_secs_f64());
    watch.finish();
    let (steps, rows) = (watch.steps, std::mem::take(&mut watch.rows));
    let writer = watch.recorder.take().map(Recorder::finish).transpose()?;
    let last = last_values(ready, &settings, &run, &channels);
    let mut journey = Journey {
        ready,
        settings,
        solver,
        threads,
        run,
        failure,
        wall,
        output,
        steps,
        channels,
        last,
        picked,
        rows,
        warnings: warnings::kept(warnings),
        results: None,
    };
    if let (Some(writer), Some((dir, header))) = (writer, kept) {
        let frames = writer.frames();
        let held = Some(writer.finish(&summary::summary(&journey, &header))?);
        journey.results = Some(Results { dir, frames, _held: held, ..Results::default() });
    }
    Ok(journey)
}

/// A checkpoint that this program cannot go on from, though it is whole.
fn unfit_checkpoint(kept: Option<&(PathBuf, Header)>, error: &mechanism::Error) -> Error {
    let dir = kept.map(|kept| kept.0.as_path()).unwrap_or(Path::new(""));
    let message = format!("the run in `{}` cannot be resumed: {error}", dir.display());
    Error::new(ErrorKind::Unfit, dir, message, "start again with `--force`")
}

fn last_values(ready: &Ready, settings: &Settings, run: &Run, channels: &Channels) -> Vec<f64> {
    let mut mechanism = ready.dynamics_at(&run.state, settings.solver);
    mechanism.work.exchanged = run.energy.exchanged;
    let mut values = vec![0.0; channels.len()];
    channels.fill(mechanism.system, &mechanism.work, &mechanism.result, &mut values);
    values
}
