//! The state of a mechanism.

use crate::numbers::array;
use kingpin::system;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Where a mechanism is at an instant, and how fast: time, coordinates, velocities, inputs.
#[pyclass(frozen, module = "kingpin._native")]
pub struct State(pub system::State);

/// What a state is made of, for pickling.
type Parts = (f64, Vec<f64>, Vec<f64>, Vec<f64>, Vec<u8>, Vec<f64>);

#[pymethods]
impl State {
    #[new]
    fn new(t: f64, q: Vec<f64>, v: Vec<f64>, turns: Vec<f64>, pieces: Vec<u8>, inputs: Vec<f64>) -> State {
        State(system::State { t, q, v, turns, pieces, inputs })
    }

    #[getter]
    fn t(&self) -> f64 {
        self.0.t
    }

    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.0.q)
    }

    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.0.v)
    }

    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.0.inputs)
    }

    /// The same with some parts changed.
    #[pyo3(signature = (*, q=None, v=None))]
    fn replace(&self, q: Option<Vec<f64>>, v: Option<Vec<f64>>) -> State {
        let mut state = self.0.clone();
        if let Some(q) = q {
            state.q = q;
        }
        if let Some(v) = v {
            state.v = v;
        }
        State(state)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts)> {
        let system::State { t, q, v, turns, pieces, inputs } = self.0.clone();
        Ok((py.get_type::<State>().into_any(), (t, q, v, turns, pieces, inputs)))
    }

    fn __copy__(&self) -> State {
        State(self.0.clone())
    }

    #[pyo3(signature = (memo=None))]
    fn __deepcopy__(&self, memo: Option<&Bound<'_, PyDict>>) -> State {
        let _ = memo;
        State(self.0.clone())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<State>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __repr__(&self) -> String {
        format!("State(t={}, {} coordinates, {} velocities)", self.0.t, self.0.q.len(), self.0.v.len())
    }
}
