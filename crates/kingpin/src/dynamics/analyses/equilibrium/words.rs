//! Why there is no equilibrium, in words.

use super::NoEquilibrium;
use crate::analysis::Diagnosis;
use crate::dynamics::instant::Trouble;
use crate::model::{Finding, Subject};
use crate::system::System;
use crate::words::number;

/// What helps where dense matrices are too large.
pub(in crate::dynamics::analyses) const LET_BE_SPARSE: &str = "let matrices be sparse: they serve any size";

impl NoEquilibrium {
    /// The message, at the body or joint that it is about.
    pub fn finding(&self, system: &System, diagnosis: &Diagnosis) -> Finding {
        match self {
            NoEquilibrium::Unheld { body, acceleration } if *body >= system.masses() => {
                let state = &system.states[body - system.masses()];
                let message = format!(
                    "no equilibrium: nothing stops the state `{}`, which keeps changing by {} a second",
                    state.name,
                    number(*acceleration, 3)
                );
                Finding::error(state.subject.clone(), "", message)
                    .hint("its rate must be able to become zero; let something that it depends on follow it")
            }
            NoEquilibrium::Unheld { body, acceleration } => {
                let message = format!(
                    "no equilibrium: nothing holds body `{}`, which keeps accelerating at {} m/s^2",
                    system.body_names[*body],
                    number(*acceleration, 3)
                );
                Finding::error(Subject::Body(*body), "", message).hint(
                    "hold it by a joint, a driver or a spring, or use `kingpin accelerations` to see what pushes it",
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
                    "no equilibrium: loads that grow bit by bit are borne up to {} times their size, and body `{}` \
                     gives way",
                    number(*factor, 3),
                    system.body_names[*body]
                );
                Finding::error(Subject::Body(*body), "", message).hint(
                    "make it stiffer or the loads smaller; `kingpin equilibrium --load-path` traces the equilibria past the limit point",
                )
            }
            NoEquilibrium::Loose { body } => {
                let message = format!(
                    "no path of loads: without them nothing holds body `{}` where it is",
                    system.body_names[*body]
                );
                Finding::error(Subject::Body(*body), "", message)
                    .hint("hold it by a joint, a driver, a spring or a beam, so that it rests somewhere without loads")
            }
            NoEquilibrium::Sampled { name } => {
                let message = format!(
                    "no equilibrium: controller `{name}` works at samples, so what it gives at rest is not known"
                );
                Finding::error(Subject::Model, "", message).hint(
                    "leave out its `period` to find the equilibrium, or let the mechanism settle in a run",
                )
            }
            NoEquilibrium::States { name } => {
                let message = format!("no path of loads: it does not know states, and `{name}` is one");
                Finding::error(Subject::Model, "", message)
                    .hint("`kingpin equilibrium` without --load-path finds the equilibrium with all states")
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
                let message = format!("at rest, but maybe not in a stable way: {self}");
                Finding::error(Subject::Model, "", message)
                    .hint("let the mechanism settle in a run, with damping, and see whether it stays there")
            }
        }
    }
}

impl std::error::Error for NoEquilibrium {}
