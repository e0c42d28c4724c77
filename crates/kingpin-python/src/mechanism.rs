//! Models and mechanisms.

use crate::columns::Columns;
use crate::errors;
use crate::function::{self, Given, calling};
use crate::numbers::matrix;
use crate::run::{self, Plan, Recording};
use crate::settings::Asked;
use crate::state::State;
use kingpin::dynamics::{Matrices, ModeChoice};
use kingpin::mechanism::{Progress, Solver};
use kingpin::system;
use kingpin_cli::reports::{self, Ready, prepare, prepare_produced};
use kingpin_io::{Loaded, Overrides, read_path, read_text, render};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// What a model is read from.
#[derive(FromPyObject)]
pub struct Source {
    #[pyo3(item)]
    path: Option<String>,
    /// Name of the text in messages, the text, and the folder of its includes.
    #[pyo3(item)]
    text: Option<(String, String, String)>,
    #[pyo3(item)]
    assignments: Vec<String>,
    #[pyo3(item)]
    functions: BTreeMap<String, Given>,
}

impl Source {
    fn load(self) -> Loaded {
        let mut overrides = Overrides::new(self.assignments);
        for (name, given) in self.functions {
            overrides = overrides.function(&name, function::law(given));
        }
        match (self.path, self.text) {
            (Some(path), _) => read_path(Path::new(&path), &overrides),
            (None, text) => {
                let (name, text, folder) = text.unwrap_or_default();
                read_text(&name, &text, folder, &overrides)
            }
        }
    }
}

/// A mechanism and where its parts stand in the model.
#[pyclass(frozen, module = "kingpin._native")]
pub struct Mechanism {
    pub ready: Arc<Ready>,
    /// Whether functions in Python are called.
    pub calls: bool,
    warnings: String,
}

impl Mechanism {
    /// Does something with the mechanism while others may use the interpreter.
    fn asking<R: Send>(
        &self,
        py: Python<'_>,
        what: impl FnOnce(&Ready) -> Result<R, kingpin::mechanism::Error> + Send,
    ) -> PyResult<R> {
        let ready = &*self.ready;
        calling(py, || what(ready), |_| None)?.map_err(|error| errors::of(py, ready, &error))
    }

    fn state_or_own(&self, state: Option<&Bound<'_, State>>) -> system::State {
        state.map_or_else(|| self.ready.state().clone(), |state| state.get().0.clone())
    }
}

#[pymethods]
impl Mechanism {
    /// With actuators `by` which motions are to be produced, those `of` some drivers or all, their forces are unknown.
    #[new]
    #[pyo3(signature = (source, by = Vec::new(), of = Vec::new()))]
    fn new(py: Python<'_>, source: Source, by: Vec<String>, of: Vec<String>) -> PyResult<Mechanism> {
        let calls = !source.functions.is_empty();
        let [by, of]: [Vec<&str>; 2] = [&by, &of].map(|list| list.iter().map(String::as_str).collect());
        let load =
            || if by.is_empty() { prepare(source.load()) } else { prepare_produced(source.load(), &of, &by) };
        let (ready, diagnostics) = calling(py, load, |_| None)?;
        match ready {
            Ok(ready) => {
                let warnings = render(&diagnostics, &ready.sources, false).trim_end().into();
                Ok(Mechanism { ready: Arc::new(ready), calls, warnings })
            }
            Err(sources) => Err(errors::faulty(py, &diagnostics, &sources)),
        }
    }

    #[getter]
    fn name(&self) -> &str {
        &self.ready.model().name
    }

    #[getter]
    fn warnings(&self) -> &str {
        &self.warnings
    }

    #[getter]
    fn freedoms(&self) -> usize {
        self.ready.freedoms()
    }

    #[getter]
    fn solver(&self) -> &'static str {
        self.ready.solver()
    }

    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.ready.inputs().to_vec()
    }

    #[getter]
    fn state(&self) -> State {
        State(self.ready.state().clone())
    }

    fn channels(&self) -> Vec<(&str, &str, &str)> {
        self.ready.channels().iter().map(|c| (c.name.as_str(), c.unit, c.about)).collect()
    }

    fn start(&self, py: Python<'_>) -> PyResult<State> {
        self.asking(py, |ready| ready.start().cloned()).map(State)
    }

    fn to_toml(&self) -> String {
        self.ready.model_text()
    }

    /// The report of `kingpin check --json`.
    fn check(&self, py: Python<'_>) -> PyResult<String> {
        self.asking(py, |ready| Ok(reports::examined(ready)))
    }

    /// The report of `kingpin topology --json`.
    fn topology(&self, py: Python<'_>) -> PyResult<String> {
        self.asking(py, |ready| Ok(reports::topology(ready)))
    }

    /// The report of `kingpin equilibrium --json`, and the state.
    fn equilibrium(&self, py: Python<'_>, matrices: Option<&str>) -> PyResult<(String, State)> {
        let matrices = matrices.and_then(Matrices::named).unwrap_or(self.ready.settings().matrices);
        self.asking(py, |ready| {
            let found = ready.equilibrium_with(matrices)?;
            Ok((reports::equilibrium(ready, &found), State(found.state)))
        })
    }

    /// The report of `kingpin modes --json`.
    fn modes(
        &self,
        py: Python<'_>,
        state: Option<&Bound<'_, State>>,
        at: String,
        count: Option<usize>,
        near: Option<f64>,
        matrices: Option<&str>,
    ) -> PyResult<String> {
        let matrices = matrices.and_then(Matrices::named).unwrap_or(self.ready.settings().matrices);
        let choice = ModeChoice { matrices, count, near };
        let state = self.state_or_own(state);
        self.asking(py, |ready| {
            let t = state.t;
            Ok(match at.as_str() {
                "equilibrium" => {
                    reports::modes(ready, "equilibrium", t, &ready.modes_at_rest_with(&state, &choice)?)
                }
                "steady" => {
                    let steady = ready.steady_motion(&state)?;
                    reports::modes(ready, "steady", t, &ready.modes_with(&steady, &choice)?)
                }
                _ => reports::modes(ready, "start", t, &ready.modes_with(&state, &choice)?),
            })
        })
    }

    /// The report of `kingpin accelerations --json`.
    fn accelerations(&self, py: Python<'_>, solver: &str) -> PyResult<String> {
        let Some(solver) = Solver::named(solver) else {
            let names: Vec<&str> = Solver::choices().map(Solver::name).collect();
            let what = format!("there is no solver `{solver}`");
            return Err(errors::asked(py, &what, &format!("there are `{}`", names.join("`, `"))));
        };
        let done = calling(py, || reports::accelerations(&self.ready, solver), |_| None)?;
        done.map_err(|finding| errors::refused(py, &self.ready, &[*finding]))
    }

    /// All channels at a state.
    fn values(&self, py: Python<'_>, state: Option<&Bound<'_, State>>) -> PyResult<BTreeMap<String, f64>> {
        let state = self.state_or_own(state);
        self.asking(py, |ready| {
            let values = ready.values(&state)?;
            Ok(values.iter().map(|(channel, value)| (channel.name.clone(), value)).collect())
        })
    }

    /// The matrices of a linear system, the names of states, inputs, outputs, and the axes of the states.
    #[expect(clippy::type_complexity, reason = "it is converted at once, in Python")]
    fn linearise<'py>(
        &self,
        py: Python<'py>,
        inputs: Vec<String>,
        outputs: Vec<String>,
        state: Option<&Bound<'_, State>>,
    ) -> PyResult<(Vec<Bound<'py, PyAny>>, Vec<String>, Vec<String>, Vec<String>, Option<String>)> {
        let state = self.state_or_own(state);
        let linear = self.asking(py, |ready| {
            let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
            let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
            ready.linearise(&state, &inputs, &outputs)
        })?;
        let matrices = [&linear.a, &linear.b, &linear.c, &linear.d];
        let matrices = matrices.map(|m| matrix(py, m.shape(), m.as_slice()));
        let matrices = matrices.into_iter().collect::<PyResult<Vec<_>>>()?;
        let axes = linear.axes.map(|axes| axes.to_string());
        Ok((matrices, linear.states, linear.inputs, linear.outputs, axes))
    }

    /// The motion of a mechanism that has nothing free, or what its actuators take to produce it.
    fn kinematics(&self, py: Python<'_>, t_end: Option<f64>, frames: usize) -> PyResult<Recording> {
        let t_end = t_end.unwrap_or(self.ready.model().simulation.t_end);
        let columns = self.asking(py, |ready| {
            let mut columns = Columns::with_room(frames + 1);
            match &ready.produced {
                Some(produced) => ready.inverse(produced, t_end, frames, &mut columns)?,
                None => ready.kinematics(t_end, frames, &mut columns)?,
            };
            Ok(columns)
        })?;
        Ok(Recording { ready: self.ready.clone(), columns, outcome: None })
    }

    /// A run from start to end.
    #[expect(clippy::too_many_arguments, reason = "called from one place in Python, by name")]
    fn run(
        &self,
        py: Python<'_>,
        asked: Asked,
        start: Option<&Bound<'_, State>>,
        channels: Vec<String>,
        progress: Option<Py<PyAny>>,
        folder: Option<String>,
        force: bool,
    ) -> PyResult<Py<Recording>> {
        let settings = asked.settings(py, self.ready.model())?;
        let start = start.map(|state| state.get().0.clone());
        let (progress, calls) = (progress.as_ref(), self.calls);
        run::run(py, &self.ready, Plan { settings, start, channels, progress, folder, force, calls })
    }

    /// Seconds that so many runs take from Rust, and those of one step of a run: what calls from Python are compared with.
    fn timed(&self, py: Python<'_>, asked: Asked, runs: usize) -> PyResult<(f64, f64)> {
        let settings = asked.settings(py, self.ready.model())?;
        self.asking(py, |ready| {
            let from = Instant::now();
            for _ in 0..runs {
                ready.simulate_with(&settings)?;
            }
            let whole = from.elapsed().as_secs_f64();
            let (from, mut steps) = (Instant::now(), 0_u32);
            for _ in 0..runs {
                let mut motion = ready.motion_with(&settings)?;
                while motion.step()? == Progress::Going {
                    steps += 1;
                }
                steps += 1;
            }
            Ok((whole, from.elapsed().as_secs_f64() / f64::from(steps)))
        })
    }

    /// The page about a folder of results.
    fn page(&self, py: Python<'_>, dir: &str) -> PyResult<Option<String>> {
        let shown = py.detach(|| reports::page_data(&self.ready, Path::new(dir)));
        let data = shown.map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(reports::page(&data))
    }
}

/// A model as one file, all expressions evaluated.
#[pyfunction]
pub fn toml_text(py: Python<'_>, source: Source) -> PyResult<String> {
    let loaded = source.load();
    match &loaded.model {
        Some(model) => Ok(kingpin_io::to_toml_with(model, &loaded.parameters)),
        None => Err(errors::faulty(py, &loaded.diagnostics, &loaded.sources)),
    }
}

/// The schema of model files.
#[pyfunction]
pub fn schema() -> String {
    kingpin_io::schema().to_string()
}

/// The `kingpin` command; returns its exit code.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<String>) -> u8 {
    py.detach(|| kingpin_cli::main(arguments.into_iter().map(OsString::from)))
}
