//! Numbers as arrays of NumPy.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;

/// A list of numbers as an array.
pub fn array<'py>(py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyAny>> {
    static FROM: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let from = FROM.import(py, "numpy", "frombuffer")?;
    let bytes = PyBytes::new_with(py, 8 * numbers.len(), |room| {
        for (eight, number) in room.chunks_exact_mut(8).zip(numbers) {
            eight.copy_from_slice(&number.to_ne_bytes());
        }
        Ok(())
    })?;
    from.call1((bytes,))
}

/// A matrix, given column by column, as an array.
pub fn matrix<'py>(py: Python<'py>, shape: (usize, usize), columns: &[f64]) -> PyResult<Bound<'py, PyAny>> {
    let turned = if columns.is_empty() {
        py.import("numpy")?.call_method1("zeros", ((shape.1, shape.0),))?
    } else {
        array(py, columns)?.call_method1("reshape", (shape.1, shape.0))?
    };
    turned.getattr("T")
}
