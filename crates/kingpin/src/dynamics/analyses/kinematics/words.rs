//! Why a mechanism could not be driven, in words.

use super::KinematicFailure;
use crate::analysis::Diagnosis;
use crate::model::{Finding, Subject};
use crate::system::RowName;
use crate::words::{many, number};

/// Joints and drivers named.
const NAMED: usize = 5;

impl KinematicFailure {
    /// The message, at the joint or driver that it is about.
    pub fn finding(&self, diagnosis: &Diagnosis) -> Finding {
        finding(self, diagnosis)
    }
}

fn finding(failure: &KinematicFailure, diagnosis: &Diagnosis) -> Finding {
    match failure {
        KinematicFailure::Free { dof } => {
            let verb = if *dof == 1 { "is" } else { "are" };
            let degrees = many(*dof, "degree");
            let message = format!(
                "{degrees} of freedom {verb} not driven, so the drivers do not determine the positions"
            );
            Finding::error(Subject::Model, "", message)
                .hint(format!("add {}, or use `kingpin run`", many(*dof, "driver")))
        }
        KinematicFailure::States { name } => {
            let message = format!(
                "kinematics does not integrate states or sample controllers, which `{name}` requires"
            );
            Finding::error(Subject::Model, "", message).hint("use `kingpin run`")
        }
        KinematicFailure::Locked { t, equations } => {
            let message = format!(
                "the mechanism locks up at t = {} s: no position satisfies the drivers after it; {}",
                number(*t, 6),
                concerned(equations)
            );
            Finding::error(first(equations), "", message)
                .hint("choose an earlier end time, or change the motions of the drivers")
        }
        KinematicFailure::Singular { t, equations } => {
            let message = format!("singular position at t = {} s: {}", number(*t, 6), concerned(equations));
            Finding::error(first(equations), "", message)
                .hint("the motion may branch here: choose other instants, or drive another joint")
        }
        KinematicFailure::Powerless { t, subject, motions, actuators } => {
            let (motions, actuators) = (quoted(motions), quoted(actuators));
            let message = format!(
                "at t = {} s {actuators} cannot produce the motion of {motions}: their forces have \
                     no effect on it",
                number(*t, 6)
            );
            Finding::error(subject.clone(), "", message)
                .hint("choose other actuators, or an earlier end time")
        }
        KinematicFailure::Unproduced { t, subject, motion, left } => {
            let message = format!(
                "at t = {} s no inputs found that produce the motion of `{motion}` (residual: {} of \
                     the largest force)",
                number(*t, 6),
                number(*left, 2)
            );
            Finding::error(subject.clone(), "", message)
                .hint("forces must depend smoothly on the inputs and have a sufficient range")
        }
        KinematicFailure::Trouble { t, trouble } => {
            Finding::error(trouble.subject(diagnosis), "", format!("at t = {} s: {trouble}", number(*t, 6)))
        }
    }
}

/// Names in a row.
fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn first(equations: &[RowName]) -> Subject {
    equations.first().map_or(Subject::Model, |row| row.subject.clone())
}

/// The equations that depend on each other, by joint and driver.
fn concerned(equations: &[RowName]) -> String {
    let mut items: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in equations {
        match items.iter_mut().find(|(name, _)| *name == row.name) {
            Some((_, labels)) => labels.push(row.label),
            None => items.push((&row.name, vec![row.label])),
        }
    }
    let shown = items.iter().take(NAMED).map(|(name, labels)| format!("`{name}` ({})", labels.join(", ")));
    let shown: Vec<String> = shown.collect();
    match items.len().saturating_sub(NAMED) {
        _ if items.is_empty() => "the equations are dependent there".into(),
        0 => format!("dependent there: {}", shown.join(", ")),
        more => format!("dependent there: {}, and {more} more", shown.join(", ")),
    }
}
