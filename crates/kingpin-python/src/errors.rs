//! What fails, as exceptions of the package.

use kingpin::mechanism::Error;
use kingpin::model::Finding;
use kingpin_cli::reports::{self, Ready};
use kingpin_io::{Diagnostic, Sources, render};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// An exception of the package by its name there, with a text and what else it carries.
fn exception(py: Python<'_>, name: &str, text: &str, more: &[(&str, Py<PyAny>)]) -> PyErr {
    let made = || {
        let class = py.import("kingpin._errors")?.getattr(name)?;
        let made = class.call1((text.trim_end(),))?;
        for (key, value) in more {
            made.setattr(*key, value)?;
        }
        Ok(made)
    };
    made().map_or_else(|error| error, PyErr::from_value)
}

/// A call that makes no sense.
pub fn asked(py: Python<'_>, what: &str, advice: &str) -> PyErr {
    let text = if advice.is_empty() { what.to_string() } else { format!("{what}\n\n  help: {advice}") };
    exception(py, "CallError", &text, &[])
}

/// A model that cannot be used: all messages, with the lines that they are about.
pub fn faulty(py: Python<'_>, diagnostics: &[Diagnostic], sources: &Sources) -> PyErr {
    let text = render(diagnostics, sources, false);
    match listed(py, diagnostics, sources) {
        Ok(list) => exception(py, "ModelError", &text, &[("diagnostics", list)]),
        Err(error) => error,
    }
}

/// Something that a mechanism refuses, at its place in the model.
pub fn refused(py: Python<'_>, ready: &Ready, findings: &[Finding]) -> PyErr {
    faulty(py, &Diagnostic::from_findings(findings, &ready.sources), &ready.sources)
}

/// A text that cannot be read as settings.
pub fn unreadable(py: Python<'_>, text: &str) -> PyErr {
    exception(py, "CallError", text, &[])
}

/// A function in Python that gave something else than a number.
pub fn no_number(py: Python<'_>, text: &str) -> PyErr {
    exception(py, "FunctionError", text, &[])
}

/// A run that failed; what came before is in its results.
pub fn failed(py: Python<'_>, text: &str, t: f64, results: Option<Py<PyAny>>) -> PyErr {
    let mut more = Vec::new();
    match t.into_pyobject(py) {
        Ok(t) => more.push(("t", t.into_any().unbind())),
        Err(error) => match error {},
    }
    more.extend(results.map(|results| ("recording", results)));
    exception(py, "RunError", text, &more)
}

/// A run that the user stopped.
pub fn interrupted(py: Python<'_>, text: &str, recording: Py<PyAny>) -> PyErr {
    exception(py, "Interrupted", text, &[("recording", recording)])
}

/// Whatever a mechanism did not do.
pub fn of(py: Python<'_>, ready: &Ready, error: &Error) -> PyErr {
    match error {
        Error::Model(_) => refused(py, ready, &error.findings()),
        Error::Run(failure) => failed(py, &reports::failure(failure, ready, argument), failure.t, None),
        Error::Asked { what, advice } => asked(py, what, advice),
        Error::Checkpoint(_) | Error::Sink(_) => asked(py, &error.to_string(), ""),
    }
}

/// A setting as an argument of a call: `` `tol=1e-6` ``.
pub fn argument(name: &str, value: &str) -> String {
    let name = match name {
        "rtol" => "tol",
        "most_steps" => "max_steps",
        other => other,
    };
    let plain = value.parse::<f64>().is_ok();
    if plain { format!("`{name}={value}`") } else { format!("`{name}=\"{value}\"`") }
}

/// The messages with their places, as dictionaries.
pub fn listed(py: Python<'_>, diagnostics: &[Diagnostic], sources: &Sources) -> PyResult<Py<PyAny>> {
    let list = PyList::empty(py);
    for diagnostic in diagnostics {
        let one = PyDict::new(py);
        let at = diagnostic.place.and_then(|place| sources.line_column(place));
        let file = diagnostic.place.and_then(|place| sources.file(place.file)).map(|file| &file.name);
        one.set_item("severity", if diagnostic.is_error() { "error" } else { "warning" })?;
        one.set_item("message", &diagnostic.message)?;
        one.set_item("file", file)?;
        one.set_item("line", at.map(|(line, _)| line))?;
        one.set_item("column", at.map(|(_, column)| column))?;
        one.set_item("hint", &diagnostic.hint)?;
        list.append(one)?;
    }
    Ok(list.into_any().unbind())
}
