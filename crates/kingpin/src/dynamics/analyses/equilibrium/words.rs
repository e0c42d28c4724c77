//! Why there is no equilibrium, in words.

use super::NoEquilibrium;
use crate::analysis::Diagnosis;
use crate::model::{Finding, Subject};
use crate::system::System;
use crate::words::number;

impl NoEquilibrium {
    /// The message, at the body or joint that it is about.
    pub fn finding(&self, system: &System, diagnosis: &Diagnosis) -> Finding {
        match self {
            NoEquilibrium::Unheld { body, acceleration } => {
                let message = format!(
                    "no equilibrium: nothing holds body `{}`, which keeps accelerating at {} m/s^2",
                    system.body_names[*body],
                    number(*acceleration, 3)
                );
                Finding::error(Subject::Body(*body), "", message).hint(
                    "hold it by a joint, a driver or a spring, or use `kingpin accel` to see what pushes it",
                )
            }
            NoEquilibrium::NoConvergence { body, acceleration, iterations } => {
                let message = format!(
                    "no equilibrium found in {iterations} steps: body `{}` still accelerates at {} m/s^2",
                    system.body_names[*body],
                    number(*acceleration, 3)
                );
                Finding::error(Subject::Body(*body), "", message).hint(
                    "start closer to the equilibrium, or add damping and let the mechanism settle in a run",
                )
            }
            NoEquilibrium::Trouble(trouble) => {
                Finding::error(trouble.subject(diagnosis), "", format!("no equilibrium: {trouble}"))
            }
            NoEquilibrium::TooLarge { .. } => {
                Finding::error(Subject::Model, "", format!("no equilibrium: {self}"))
            }
        }
    }
}

impl std::error::Error for NoEquilibrium {}
