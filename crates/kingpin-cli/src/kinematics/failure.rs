//! Why a mechanism could not be driven, in words.

use crate::statics::subject;
use crate::words::{many, number};
use kingpin::dynamics::KinematicFailure;
use kingpin::model::{Finding, Subject};
use kingpin::system::RowName;

/// Equations named.
const NAMED: usize = 4;

/// The message, at the joint or driver that it is about.
pub fn finding(failure: &KinematicFailure) -> Finding {
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
        KinematicFailure::Trouble { t, trouble } => {
            Finding::error(subject(trouble), "", format!("at t = {} s: {trouble}", number(*t, 6)))
        }
    }
}

fn first(equations: &[RowName]) -> Subject {
    equations.first().map_or(Subject::Model, |row| row.subject.clone())
}

/// The equations that depend on each other, by name.
fn concerned(equations: &[RowName]) -> String {
    let shown: Vec<String> = equations.iter().take(NAMED).map(RowName::to_string).collect();
    let more = equations.len().saturating_sub(NAMED);
    match (shown.len(), more) {
        (0, _) => "equations depend on each other there".into(),
        (_, 0) => format!("dependent there: {}", shown.join("; ")),
        _ => format!("dependent there: {}; and {more} more", shown.join("; ")),
    }
}
