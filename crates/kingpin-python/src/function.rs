//! Functions in Python that forces and motions follow.

use crate::errors;
use kingpin::model::Function;
use kingpin::words::number;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::cell::RefCell;
use std::sync::Arc;

/// Such as «force `drag`, `magnitude`», what it reads, the function, and its slopes.
pub type Given = (String, Vec<String>, Py<PyAny>, Option<Py<PyAny>>);

/// A function in Python at its place in a model.
struct Caller {
    place: String,
    reads: Vec<String>,
    function: Py<PyAny>,
    slopes: Option<Py<PyAny>>,
}

/// What went wrong in a function, and where.
struct Fault {
    error: PyErr,
    place: String,
    /// Its time, if it reads that.
    t: Option<f64>,
}

thread_local! {
    /// The first fault of what this thread is about. Mechanisms with functions in Python stay on one thread.
    static FAULT: RefCell<Option<Fault>> = const { RefCell::new(None) };
}

/// The function for a model.
pub fn law((place, reads, function, slopes): Given) -> Function {
    let sloped = slopes.is_some();
    let caller = Arc::new(Caller { place, reads, function, slopes });
    let names: Vec<&str> = caller.reads.iter().map(String::as_str).collect();
    let value = caller.clone();
    let value = move |x: &[f64]| value.value(x);
    if !sloped {
        return Function::closure(&names, value);
    }
    let slopes = caller.clone();
    Function::sloped(&names, value, move |x, out| slopes.slopes(x, out))
}

impl Caller {
    /// Its value; NaN after a fault, which ends what is under way.
    fn value(&self, x: &[f64]) -> f64 {
        self.called(x, f64::NAN, |py| {
            let value = self.function.bind(py).call1(PyTuple::new(py, x)?)?;
            value.extract().map_err(|_| self.no_number(py, "a number", &value))
        })
    }

    fn slopes(&self, x: &[f64], out: &mut [f64]) {
        let Some(slopes) = &self.slopes else { return };
        let found = self.called(x, vec![f64::NAN; x.len()], |py| {
            let given = slopes.bind(py).call1(PyTuple::new(py, x)?)?;
            // a single slope may come as a number
            let list = given.extract::<Vec<f64>>().or_else(|_| given.extract::<f64>().map(|one| vec![one]));
            let wanted = format!("{} slopes", x.len());
            list.ok().filter(|list| list.len() == x.len()).ok_or_else(|| self.no_number(py, &wanted, &given))
        });
        out.copy_from_slice(&found);
    }

    /// What a call gives, or what stands for it after a fault.
    fn called<R>(&self, x: &[f64], instead: R, call: impl FnOnce(Python<'_>) -> PyResult<R>) -> R {
        if FAULT.with_borrow(Option::is_some) {
            return instead;
        }
        Python::attach(call).unwrap_or_else(|error| {
            let t = self.reads.iter().zip(x).find(|(name, _)| *name == "t").map(|(_, t)| *t);
            FAULT.set(Some(Fault { error, place: self.place.clone(), t }));
            instead
        })
    }

    fn no_number(&self, py: Python<'_>, wanted: &str, given: &Bound<'_, PyAny>) -> PyErr {
        let shape = given.getattr("shape").ok().map(|shape| format!(" of shape {shape}"));
        let kind = given.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        let text = format!(
            "{}: the function must return {wanted}, but returned `{kind}`{}",
            self.place,
            shape.unwrap_or_default()
        );
        errors::no_number(py, &text)
    }
}

/// Does something in which functions may be called, without holding the interpreter. A fault in a function comes back
/// as it is, with a note where and when; `t` tells the time that was reached.
pub fn calling<R: Send>(
    py: Python<'_>,
    what: impl FnOnce() -> R + Send,
    t: impl FnOnce(&R) -> Option<f64>,
) -> PyResult<R> {
    FAULT.set(None);
    let done = py.detach(what);
    match FAULT.take() {
        None => Ok(done),
        Some(Fault { error, place, t: read }) => {
            let when = match (read, t(&done)) {
                (Some(t), _) => format!(", at t = {} s", number(t, 6)),
                (None, Some(t)) => format!(", in the step from t = {} s on", number(t, 6)),
                (None, None) => String::new(),
            };
            annotate(py, &error, &format!("in the function of {place}{when}"))?;
            Err(error)
        }
    }
}

/// Adds a note to an exception, as Python does from 3.11 on.
fn annotate(py: Python<'_>, error: &PyErr, note: &str) -> PyResult<()> {
    let value = error.value(py);
    if value.hasattr("add_note")? {
        value.call_method1("add_note", (note,))?;
        return Ok(());
    }
    value.setattr("__notes__", vec![note])
}
