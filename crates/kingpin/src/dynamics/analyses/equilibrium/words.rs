//! Why there is no equilibrium, in words.

use super::NoEquilibrium;
use crate::analysis::Diagnosis;
use crate::dynamics::instant::Trouble;
use crate::model::{Finding, Subject};
use crate::system::System;
use crate::words::number;

/// What helps where dense matrices are too large.
pub(in crate::dynamics::analyses) const LET_BE_SPARSE: &str = "use sparse matrices, which have no size limit";

impl NoEquilibrium {
    /// The message, at the body or joint that it is about.
    pub fn finding(&self, system: &System, diagnosis: &Diagnosis) -> Finding {
        match self {
            NoEquilibrium::Unheld { body, acceleration } if *body >= system.masses() => {
                let state = &system.states[body - system.masses()];
                let message = format!(
                    "no equilibrium: the rate of the state `{}` stays at {} per second",
                    state.name,
                    number(*acceleration, 3)
                );
                Finding::error(state.subject.clone(), "", message).hint(
                    "its rate must be able to become zero: make it depend on a quantity that the \
                         state affects",
                )
            }
            NoEquilibrium::Unheld { body, acceleration } => {
                let message = format!(
                    "no equilibrium: body `{}` is not supported and accelerates at {} m/s^2",
                    system.body_names[*body],
                    number(*acceleration, 3)
                );
                Finding::error(Subject::Body(*body), "", message).hint(
                    "support it by a joint, a driver or a spring; `kingpin accelerations` shows the forces",
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
            NoEquilibrium::Overloaded { factor, body } => {
                let message = format!(
                    "no equilibrium: growing loads can be carried up to a factor of {}, then body \
                         `{}` gives way",
                    number(*factor, 3),
                    system.body_names[*body]
                );
                Finding::error(Subject::Body(*body), "", message).hint(
                    "increase the stiffness or reduce the loads; `kingpin equilibrium --load-path` \
                         traces the equilibria past the limit point",
                )
            }
            NoEquilibrium::Loose { body } => {
                let message = format!(
                    "no load path: without loads body `{}` is not supported",
                    system.body_names[*body]
                );
                Finding::error(Subject::Body(*body), "", message).hint(
                    "support it by a joint, a driver, a spring or a beam, so that it has an \
                         equilibrium without loads",
                )
            }
            NoEquilibrium::Sampled { name } => {
                let message = format!(
                    "no equilibrium: controller `{name}` is sampled, so its output at rest is undefined"
                );
                Finding::error(Subject::Model, "", message)
                    .hint("omit its `period` to find the equilibrium, or let the mechanism settle in a run")
            }
            NoEquilibrium::States { name } => {
                let message =
                    format!("no load path: it is not available for models with states, such as `{name}`");
                Finding::error(Subject::Model, "", message)
                    .hint("use `kingpin equilibrium` without --load-path, which includes states")
            }
            NoEquilibrium::Trouble(trouble) => {
                let message = format!("no equilibrium: {trouble}");
                let finding = Finding::error(trouble.subject(diagnosis), "", message);
                if matches!(trouble, Trouble::TooLarge { .. }) {
                    finding.hint(LET_BE_SPARSE)
                } else {
                    finding
                }
            }
            NoEquilibrium::NoStability => {
                let message = format!("equilibrium found, but its stability is unknown: {self}");
                Finding::error(Subject::Model, "", message)
                    .hint("simulate the mechanism with damping and check whether it stays there")
            }
        }
    }
}

impl std::error::Error for NoEquilibrium {}
