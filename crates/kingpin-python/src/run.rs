//! Runs from start to end, and what they leave.

use crate::columns::Columns;
use crate::errors;
use crate::function::calling;
use crate::watch::Watch;
use kingpin::dynamics::{Checkpoint, End, Settings};
use kingpin::mechanism::{Outcome, Sink, SinkObserver};
use kingpin::model::Simulation as Given;
use kingpin::results::Channels;
use kingpin::system;
use kingpin::threads;
use kingpin_cli::reports::{self, Ready};
use kingpin_results::{Folder, Writer};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What a run has left in memory.
#[pyclass(frozen, module = "kingpin._native")]
pub struct Recording {
    pub ready: Arc<Ready>,
    pub columns: Columns,
    pub outcome: Option<Outcome>,
}

/// How a run is to be made, beside its settings.
pub struct Plan<'a> {
    pub settings: Settings,
    pub start: Option<system::State>,
    pub channels: Vec<String>,
    pub progress: Option<&'a Py<PyAny>>,
    pub folder: Option<String>,
    pub force: bool,
    /// Whether functions in Python are called, which stay on one thread.
    pub calls: bool,
}

/// Runs a mechanism.
pub fn run(py: Python<'_>, ready: &Arc<Ready>, mut plan: Plan<'_>) -> PyResult<Py<Recording>> {
    if plan.calls {
        plan.settings.threads = Some(1);
    }
    let channels = Channels::wanted(ready.system(), &plan.channels);
    let start = match plan.start.take() {
        Some(start) => fitting(py, ready, start)?,
        None => calling(py, || ready.start().cloned(), |_| None)?
            .map_err(|error| errors::of(py, ready, &error))?,
    };
    let settings = framed(py, plan.settings.clone(), &start, &channels)?;
    let duration = (settings.t_end - start.t).max(0.0);
    let frames = settings.frame.map_or(1, |frame| (duration / frame).ceil() as usize + 2);
    let stop = AtomicBool::new(false);
    let mut watch = Watch::new(Columns::with_room(frames), &stop);
    watch.progress = plan.progress;
    watch.folder = plan.folder.as_deref().map(|dir| folder(ready, &channels, dir, plan.force)).transpose()?;
    watch.begin(&channels).map_err(|error| PyOSError::new_err(error.to_string()))?;
    let from = Checkpoint::at_start(&start, &settings);
    let pooled = threads::number(settings.threads, ready.system().bodies()) > 1;
    watch.elsewhere = pooled;
    let mut observer = SinkObserver::new(&channels, &mut watch);
    let mut go = || ready.run_spelled(&settings, &from, &mut observer, errors::argument);
    let outcome = if pooled {
        beside(py, &stop, go)?
    } else {
        calling(py, &mut go, |done| done.as_ref().ok().map(|outcome| outcome.run.state.t))?
    };
    let told = observer.finish().err().map(|error| error.to_string());
    let outcome = outcome.map_err(|error| errors::of(py, ready, &error))?;
    let stopped = stop.load(Ordering::Relaxed);
    if let Some(folder) = watch.folder.take() {
        folder.finish(&outcome).map_err(|error| PyOSError::new_err(error.to_string()))?;
    }
    let (error, columns) = (watch.error.take(), watch.columns);
    let recording = Recording { ready: ready.clone(), columns, outcome: Some(outcome) };
    end(py, Py::new(py, recording)?, stopped, error, told)
}

/// What is returned or raised, by how the run ended.
fn end(
    py: Python<'_>,
    recording: Py<Recording>,
    stopped: bool,
    error: Option<PyErr>,
    told: Option<String>,
) -> PyResult<Py<Recording>> {
    let Recording { ready, outcome, .. } = recording.get();
    let t = outcome.as_ref().map_or(0.0, |outcome| outcome.run.state.t);
    let kept = || recording.clone_ref(py).into_any();
    match error {
        Some(error) if !error.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py) => {
            return Err(error);
        }
        _ if stopped => {
            let text = format!("stopped at t = {} s; `results` holds what was computed", ready_number(t));
            return Err(errors::interrupted(py, &text, kept()));
        }
        _ => {}
    }
    if let Some(why) = told {
        return Err(PyOSError::new_err(format!("the results could not be stored: {why}")));
    }
    match outcome.as_ref().and_then(|outcome| outcome.failure.as_ref()) {
        Some(failure) => {
            let text = reports::failure(failure, ready, errors::argument);
            Err(errors::failed(py, &text, t, Some(kept())))
        }
        None => Ok(recording),
    }
}

fn ready_number(t: f64) -> String {
    kingpin::words::number(t, 6)
}

/// A state as a start, if it is one of this mechanism.
fn fitting(py: Python<'_>, ready: &Ready, start: system::State) -> PyResult<system::State> {
    let own = ready.state();
    let sizes =
        |state: &system::State| [state.q.len(), state.v.len(), state.pieces.len(), state.inputs.len()];
    if sizes(&start) != sizes(own) {
        return Err(errors::asked(py, "the state belongs to another mechanism", ""));
    }
    Ok(start)
}

/// The settings with a time between frames.
fn framed(
    py: Python<'_>,
    mut settings: Settings,
    start: &system::State,
    channels: &Channels,
) -> PyResult<Settings> {
    let duration = settings.t_end - start.t;
    settings.frame = settings.frame.or_else(|| reports::frame(duration, channels));
    match settings.frame.and_then(|frame| Given::too_many_frames(duration, frame)) {
        Some(message) => Err(errors::asked(py, &message, "")),
        None => Ok(settings),
    }
}

/// Computes on another thread, while this one, which may be the one that signals come to, listens.
fn beside<R: Send>(py: Python<'_>, stop: &AtomicBool, go: impl FnOnce() -> R + Send) -> PyResult<R> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let computing = scope.spawn(go);
            while !computing.is_finished() {
                std::thread::sleep(Duration::from_millis(5));
                if Python::attach(|py| py.check_signals()).is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
            computing.join()
        })
    })
    .map_err(|_| pyo3::exceptions::PyRuntimeError::new_err("the run panicked: this is a bug in Kingpin"))
}

/// A folder of results to be filled.
fn folder(ready: &Ready, channels: &Channels, dir: &str, force: bool) -> PyResult<Folder> {
    let (header, text) = (reports::header(ready, channels), ready.model_text());
    let writer = Writer::create(Path::new(dir), &header, &text, force);
    writer.map(Folder::of).map_err(|error| PyOSError::new_err(error.to_string()))
}

#[pymethods]
impl Recording {
    /// Names, units and meanings of the channels.
    fn channels(&self) -> Vec<(&str, &str, &str)> {
        self.columns.channels.iter().map(|c| (c.name.as_str(), c.unit, c.about)).collect()
    }

    /// The numbers for NumPy, without a copy: the times, then a row per channel.
    #[getter(__array_interface__)]
    fn array_interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let about = PyDict::new(py);
        about.set_item("version", 3)?;
        about.set_item("typestr", if cfg!(target_endian = "big") { ">f8" } else { "<f8" })?;
        about.set_item("shape", (1 + self.columns.channels.len(), self.columns.frames()))?;
        about.set_item("strides", (8 * self.columns.room(), 8))?;
        about.set_item("data", (self.columns.address(), true))?;
        Ok(about)
    }

    /// Time and words of what happened.
    fn events(&self) -> Vec<(f64, &str)> {
        self.columns.events.iter().map(|event| (event.t, event.what.as_str())).collect()
    }

    /// What is doubtful about the run.
    fn warnings(&self) -> Vec<String> {
        self.outcome.as_ref().map_or(Vec::new(), |o| o.warnings.iter().map(ToString::to_string).collect())
    }

    /// How the run went.
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        let Some(Outcome { run, solver, threads, failure, .. }) = &self.outcome else { return Ok(all) };
        let end = match (failure, &run.end) {
            (Some(failure), _) => failure.headline(),
            (None, End::Event(event)) => format!("stopped by {}", event.what),
            (None, End::Stopped) => "interrupted".into(),
            (None, _) => "the end time was reached".into(),
        };
        let methods: Vec<(f64, &str)> = run.methods.iter().map(|(t, method)| (*t, method.name())).collect();
        all.set_item("end", end)?;
        all.set_item("t", run.state.t)?;
        all.set_item("methods", methods)?;
        all.set_item("solver", solver.name())?;
        all.set_item("threads", threads)?;
        let counts = [
            ("steps", run.statistics.steps),
            ("rejected", run.statistics.rejected),
            ("evaluations", run.statistics.evaluations),
            ("jacobians", run.statistics.jacobians),
            ("factorisations", run.statistics.factorisations),
            ("newton_iterations", run.statistics.newton_iterations),
        ];
        for (name, count) in counts {
            all.set_item(name, count)?;
        }
        all.set_item("position_residual", run.position_residual)?;
        all.set_item("velocity_residual", run.velocity_residual)?;
        Ok(all)
    }

    /// The last state.
    fn state(&self) -> Option<crate::state::State> {
        self.outcome.as_ref().map(|outcome| crate::state::State(outcome.run.state.clone()))
    }

    /// Writes a folder of results, as the command does.
    fn save(&self, dir: &str, force: bool) -> PyResult<()> {
        let lost = |error: &dyn std::fmt::Display| PyOSError::new_err(error.to_string());
        let channels = self.recorded();
        let mut folder = folder(&self.ready, &channels, dir, force)?;
        folder.begin(&channels).map_err(|error| lost(&error))?;
        let mut row = Vec::with_capacity(1 + channels.len());
        for frame in 0..self.columns.frames() {
            row.clear();
            row.extend(self.columns.frame(frame));
            folder.row(row[0], &row[1..]).map_err(|error| lost(&error))?;
        }
        for event in &self.columns.events {
            folder.event(event).map_err(|error| lost(&error))?;
        }
        for step in &self.columns.steps {
            folder.step(step).map_err(|error| lost(&error))?;
        }
        if let Some(outcome) = &self.outcome {
            folder.finish(outcome).map_err(|error| lost(&error))?;
        }
        Ok(())
    }
}

impl Recording {
    /// The channels that were recorded.
    fn recorded(&self) -> Channels {
        let all = self.ready.all_channels();
        let names: Vec<String> = self.columns.channels.iter().map(|channel| channel.name.clone()).collect();
        if all.len() == names.len() { all.clone() } else { Channels::wanted(self.ready.system(), &names) }
    }
}
