//! What the library says of a model, for both reports.

use kingpin::analysis::TimeConstant;
use kingpin::mechanism;
use kingpin::model::Model;
use kingpin_io::{Diagnostic, Sources};
use std::ops::Deref;

/// A model that compiles, and what became of it.
pub struct Examination {
    whole: mechanism::Examination,
    /// Time constants of the forces, fastest first; none if the mechanism cannot be assembled.
    pub time_constants: Vec<TimeConstant>,
}

impl Deref for Examination {
    type Target = mechanism::Examination;

    fn deref(&self) -> &mechanism::Examination {
        &self.whole
    }
}

/// Examines a model; the messages come along. Nothing to report if it does not compile.
pub fn examine(model: Model, sources: &Sources) -> (Option<Examination>, Vec<Diagnostic>) {
    match mechanism::Examination::new(model) {
        Ok(whole) => {
            let diagnostics = Diagnostic::from_findings(whole.findings(), sources);
            (Some(Examination { time_constants: whole.time_constants(), whole }), diagnostics)
        }
        Err(error) => (None, Diagnostic::from_findings(&error.findings(), sources)),
    }
}

impl Examination {
    /// The type of a force, as the model file says it.
    pub fn force_type(&self, name: &str) -> &'static str {
        let structure = self.model().structures.iter().any(|own| own.fields.name == name);
        let other = if structure { "structure" } else { "force" };
        self.model().forces.iter().find(|force| force.name == name).map_or(other, |force| force.kind.tag())
    }
}
