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
                "{degrees} of freedom {verb} left to no driver: positions do not follow from time alone"
            );
            Finding::error(Subject::Model, "", message)
                .hint(format!("add {} for what is free, or use `kingpin run`", many(*dof, "driver")))
        }
        KinematicFailure::States { name } => {
            let message = format!(
                "kinematics follows drivers alone: it integrates no states and takes no samples, as `{name}` wants"
            );
            Finding::error(Subject::Model, "", message).hint("use `kingpin run`")
        }
        KinematicFailure::Locked { t, equations } => {
            let message = format!(
                "the mechanism locks at t = {} s: no position follows the drivers any further; {}",
                number(*t, 6),
                concerned(equations)
            );
            Finding::error(first(equations), "", message)
                .hint("end before that time, or change what the drivers prescribe")
        }
        KinematicFailure::Singular { t, equations } => {
            let message = format!("singular position at t = {} s: {}", number(*t, 6), concerned(equations));
            Finding::error(first(equations), "", message)
                .hint("the motion may branch here: choose other times, or drive another joint")
        }
        KinematicFailure::Powerless { t, subject, motions, actuators } => {
            let (motions, actuators) = (quoted(motions), quoted(actuators));
            let message = format!(
                "at t = {} s {actuators} cannot produce the motion of {motions}: whatever they exert changes nothing there",
                number(*t, 6)
            );
            Finding::error(subject.clone(), "", message)
                .hint("choose other actuators, or end before that time")
        }
        KinematicFailure::Unproduced { t, subject, motion, left } => {
            let message = format!(
                "at t = {} s no inputs were found that produce the motion of `{motion}` ({} of the largest force is left)",
                number(*t, 6),
                number(*left, 2)
            );
            Finding::error(subject.clone(), "", message)
                .hint("forces must follow from the inputs smoothly, and reach far enough")
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
        _ if items.is_empty() => "equations depend on each other there".into(),
        0 => format!("dependent there: {}", shown.join(", ")),
        more => format!("dependent there: {}, and {more} more", shown.join(", ")),
    }
}
