//! Step-by-step integration.

use crate::errors;
use crate::function::calling;
use crate::mechanism::Mechanism;
use crate::settings::Asked;
use crate::state::State;
use kingpin::dynamics::Settings;
use kingpin::mechanism::{Error, Motion, Progress};
use kingpin_cli::reports::Ready;
use kingpin_results::store::Checkpoint;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, TryLockError};

self_cell::self_cell!(
    /// A motion and the mechanism that moves.
    struct Driven {
        owner: Arc<Ready>,

        #[not_covariant]
        dependent: Motion,
    }
);

/// What a run is made anew of: mechanism, settings, checkpoint.
type Packed<'py> = (Py<PyAny>, Py<PyAny>, Bound<'py, PyBytes>);

/// A run between two steps.
#[pyclass(frozen, module = "kingpin._native")]
pub struct Simulation {
    ready: Arc<Ready>,
    driven: Mutex<Driven>,
    /// The mechanism and the settings as Python has them, for pickling.
    origin: (Py<PyAny>, Py<PyAny>),
    /// Whether functions in Python are called, and steps therefore watched for their faults.
    calls: bool,
}

/// Somebody else is about the run.
fn busy(py: Python<'_>) -> PyErr {
    errors::asked(py, "the run is inside a step", "call it between steps, from one thread at a time")
}

impl Simulation {
    /// Does something with the motion, unless somebody else is about it: another thread, or a function that this very
    /// step has called. Waiting would be for ever, since they may need the interpreter.
    fn alone<R>(&self, what: impl FnOnce(&mut Motion<'_>) -> R) -> Option<R> {
        let mut driven = match self.driven.try_lock() {
            Ok(driven) => driven,
            // what another thread has left is a motion still
            Err(TryLockError::Poisoned(left)) => left.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        Some(driven.with_dependent_mut(|_, motion| what(motion)))
    }

    /// The same between steps; an error within one.
    fn between<R>(&self, py: Python<'_>, what: impl FnOnce(&mut Motion<'_>) -> R) -> PyResult<R> {
        self.alone(what).ok_or_else(|| busy(py))
    }

    /// Drives it on without holding the interpreter; whether it can go on.
    fn drive(
        &self,
        py: Python<'_>,
        how: impl FnOnce(&mut Motion<'_>) -> Result<Progress, Error> + Send,
    ) -> PyResult<bool> {
        let driven = || self.alone(how);
        let done = if self.calls {
            let t = self.t(py)?;
            calling(py, driven, |_| Some(t))?
        } else {
            py.detach(driven)
        };
        match done {
            Some(Ok(progress)) => Ok(progress == Progress::Going),
            Some(Err(error)) => Err(errors::of(py, &self.ready, &error)),
            None => Err(busy(py)),
        }
    }

    fn asking<R>(
        &self,
        py: Python<'_>,
        what: impl FnOnce(&mut Motion<'_>) -> Result<R, Error>,
    ) -> PyResult<R> {
        self.between(py, what)?.map_err(|error| errors::of(py, &self.ready, &error))
    }

    /// A motion of a mechanism, from its start or from a checkpoint.
    fn driven(
        py: Python<'_>,
        ready: &Arc<Ready>,
        at: Option<Checkpoint>,
        settings: &Settings,
    ) -> PyResult<Driven> {
        let begin = || {
            Driven::try_new(ready.clone(), |ready| match &at {
                Some(checkpoint) => ready.resume(&checkpoint.at, settings),
                None => ready.motion_with(settings),
            })
        };
        calling(py, begin, |_| None)?.map_err(|error| errors::of(py, ready, &error))
    }
}

#[pymethods]
impl Simulation {
    /// A run that has not begun, or goes on from a checkpoint.
    #[new]
    fn begin(
        py: Python<'_>,
        origin: Py<PyAny>,
        mechanism: &Bound<'_, Mechanism>,
        asked: &Bound<'_, PyAny>,
        checkpoint: Option<&[u8]>,
    ) -> PyResult<Simulation> {
        let mechanism = mechanism.get();
        let mut settings = asked.extract::<Asked>()?.settings(py, mechanism.ready.model())?;
        if mechanism.calls {
            settings.threads = Some(1);
        }
        let at = checkpoint.map(|bytes| Checkpoint::from_bytes(Path::new("checkpoint"), bytes)).transpose();
        let at = at.map_err(|error| errors::asked(py, &error.to_string(), ""))?;
        let ready = mechanism.ready.clone();
        let driven = Mutex::new(Simulation::driven(py, &ready, at, &settings)?);
        let origin = (origin, asked.clone().unbind());
        Ok(Simulation { ready, driven, origin, calls: mechanism.calls })
    }

    /// One step, as long as the tolerance allows; whether it can go on.
    fn step(&self, py: Python<'_>) -> PyResult<bool> {
        self.drive(py, |motion| motion.step())
    }

    /// Steps to a time; whether it can go on.
    fn advance(&self, py: Python<'_>, t: f64) -> PyResult<bool> {
        if !t.is_finite() {
            return Err(errors::asked(py, &format!("invalid time {t}"), "give a finite number of seconds"));
        }
        self.drive(py, |motion| motion.advance_to(t))
    }

    #[getter]
    fn t(&self, py: Python<'_>) -> PyResult<f64> {
        self.between(py, |motion| motion.time())
    }

    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<State> {
        self.between(py, |motion| State(motion.state().clone()))
    }

    #[setter]
    fn set_state(&self, py: Python<'_>, state: &Bound<'_, State>) -> PyResult<()> {
        self.asking(py, |motion| motion.set_state(&state.get().0))
    }

    /// An input, or a channel at the state reached.
    fn __getitem__(&self, py: Python<'_>, name: &str) -> PyResult<f64> {
        if self.ready.inputs().iter().any(|input| input == name) {
            return self.asking(py, |motion| motion.input(name));
        }
        let value = || self.alone(|motion| motion.value(name));
        let value = if self.calls { calling(py, value, |_| None)? } else { value() };
        value.ok_or_else(|| busy(py))?.map_err(|error| match error {
            Error::Asked { .. } => PyKeyError::new_err(error.to_string()),
            _ => errors::of(py, &self.ready, &error),
        })
    }

    /// Gives an input another value from now on.
    fn __setitem__(&self, py: Python<'_>, name: &str, value: f64) -> PyResult<()> {
        self.asking(py, |motion| motion.set_input(name, value))
    }

    /// All channels at the state reached.
    fn values(&self, py: Python<'_>) -> PyResult<BTreeMap<String, f64>> {
        let all = || {
            self.alone(|motion| {
                let values = motion.values()?;
                Ok(values.iter().map(|(channel, value)| (channel.name.clone(), value)).collect())
            })
        };
        calling(py, all, |_| None)?
            .ok_or_else(|| busy(py))?
            .map_err(|error| errors::of(py, &self.ready, &error))
    }

    /// What happened since this was asked last: times and words.
    fn events(&self, py: Python<'_>) -> PyResult<Vec<(f64, String)>> {
        let taken = self.between(py, |motion| motion.take_events())?;
        Ok(taken.into_iter().map(|event| (event.t, event.what)).collect())
    }

    /// Steps taken, and attempts rejected.
    #[getter]
    fn steps(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        let statistics = self.between(py, |motion| motion.run().statistics)?;
        Ok((statistics.steps, statistics.rejected))
    }

    /// All that it needs to go on from here, in this process or another.
    fn checkpoint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let at = self.between(py, |motion| motion.checkpoint())?;
        Ok(PyBytes::new(py, &Checkpoint::of(at, Vec::new()).to_bytes()))
    }

    /// It goes on elsewhere from where it is.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Packed<'py>)> {
        let resume = py.import("kingpin._mechanism")?.getattr("_resumed")?;
        let (mechanism, asked) = &self.origin;
        Ok((resume, (mechanism.clone_ref(py), asked.clone_ref(py), self.checkpoint(py)?)))
    }
}
