//! Settings of a run as a call gives them.

use crate::errors;
use kingpin::dynamics::{Linearising, Settings};
use kingpin::model::Model;
use kingpin_io::simulation_over;
use pyo3::prelude::*;

/// What a call gives beside what a file could say: the name of the call for messages, the lines under `[simulation]`,
/// most steps, whether Jacobians are differences.
#[derive(FromPyObject)]
pub struct Asked {
    #[pyo3(item)]
    call: String,
    #[pyo3(item)]
    text: String,
    #[pyo3(item)]
    max_steps: Option<usize>,
    #[pyo3(item)]
    differences: bool,
}

impl Asked {
    /// The settings of a model with those of the call before them.
    pub fn settings(&self, py: Python<'_>, model: &Model) -> PyResult<Settings> {
        let simulation = simulation_over(&model.simulation, &self.call, &self.text)
            .map_err(|error| errors::unreadable(py, &error.to_string()))?;
        let mut settings = Settings::of(&simulation);
        if let Some(most) = self.max_steps {
            settings.most_steps = most;
        }
        if self.differences {
            settings.linearising = Linearising::Differences;
        }
        match settings.refused(errors::argument) {
            Some((what, advice)) => Err(errors::asked(py, &what, &advice)),
            None => Ok(settings),
        }
    }
}
