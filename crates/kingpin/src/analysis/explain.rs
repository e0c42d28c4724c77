//! Why a mechanism could not be assembled, in words.

use super::assembly::{AssemblyFailure, GivenCoordinate, Misfit};
use crate::model::{Finding, Subject};
use crate::words::{names, number, quantity};
use std::cmp::Reverse;
use std::fmt;

/// The message, at the joint that is worst off.
pub fn finding(failure: &AssemblyFailure) -> Finding {
    if let AssemblyFailure::NotFinite { finding: Some(finding), .. } = failure {
        return (**finding).clone();
    }
    if let AssemblyFailure::Contradiction { given } = failure {
        return contradiction(given);
    }
    let misfits = misfits(failure);
    let subject = misfits.first().map_or(Subject::Model, |misfit| misfit.subject.clone());
    let finding = Finding::error(subject, "", message(failure, &misfits));
    match hint(failure) {
        Some(hint) => finding.hint(hint),
        None => finding,
    }
}

/// Initial joint coordinates that cannot hold together; the message stands at the last of them.
fn contradiction(given: &[GivenCoordinate]) -> Finding {
    let all: Vec<String> = given.iter().map(|given| given.name.clone()).collect();
    let message = match given.len() {
        1 => format!("`{}`: the other constraints do not allow this initial value", all[0]),
        _ => format!("{} contradict each other: these initial values cannot all be satisfied", names(&all)),
    };
    let (subject, field) = given.last().map_or((Subject::Model, ""), |g| (g.subject.clone(), g.field));
    let hint = match given.len() {
        1 => "omit it, and the assembly computes a consistent value",
        _ => "omit one of them, and the assembly computes it",
    };
    let finding = Finding::error(subject, field, message).hint(hint);
    match given.len() {
        0 | 1 => finding,
        n => finding.related(given[n - 2].subject.clone(), "contradicts this one"),
    }
}

/// The joints and drivers that cannot be satisfied together, worst first. Often all are off by the same amount,
/// up to round-off; then they come in the order of the model.
pub fn misfits(failure: &AssemblyFailure) -> Vec<Misfit> {
    let mut all = match failure {
        AssemblyFailure::Inconsistent { misfits, .. }
        | AssemblyFailure::InconsistentVelocities { misfits }
        | AssemblyFailure::NoConvergence { misfits, .. } => misfits.clone(),
        AssemblyFailure::NotFinite { .. } | AssemblyFailure::Contradiction { .. } => Vec::new(),
    };
    let size = |m: &Misfit| m.length + m.angle;
    let worst = all.iter().map(size).fold(f64::MIN_POSITIVE, f64::max);
    // in percent of the worst; a number that is not finite counts as zero
    all.sort_by_key(|m| (Reverse((100.0 * size(m) / worst).round() as u32), m.subject.clone()));
    all
}

/// What remains open in a joint, such as `4 mm and 0.1 rad`.
pub fn gap(failure: &AssemblyFailure, length: f64, angle: f64) -> String {
    let rates = matches!(failure, AssemblyFailure::InconsistentVelocities { .. });
    let metres = if rates { "m/s" } else { "m" };
    let turn = match angle {
        _ if rates => quantity(angle, "rad/s"),
        // angles that are seen are told in degrees
        0.001.. => format!("{} deg", number(angle.to_degrees(), 3)),
        _ => quantity(angle, "rad"),
    };
    match (length > 1e-3 * angle, angle > 1e-3 * length) {
        (true, true) => format!("{} and {turn}", quantity(length, metres)),
        (false, true) => turn,
        _ => quantity(length, metres),
    }
}

/// What remains open in a joint of a position.
pub fn misfit_gap(length: f64, angle: f64) -> String {
    gap(&AssemblyFailure::NoConvergence { misfits: Vec::new(), iterations: 0 }, length, angle)
}

fn message(failure: &AssemblyFailure, misfits: &[Misfit]) -> String {
    match failure {
        AssemblyFailure::Inconsistent { gap: Some(last), .. } => {
            let missing = gap(failure, last.length, last.angle);
            format!(
                "{}: with the other joints closed, `{}` has a gap of {missing}",
                concerned(misfits),
                last.name
            )
        }
        AssemblyFailure::Inconsistent { length, angle, .. } => {
            let (joints, missing) = (concerned(misfits), gap(failure, *length, *angle));
            format!("{joints} cannot all be satisfied near the given pose; the remaining gap is {missing}")
        }
        AssemblyFailure::InconsistentVelocities { .. } => {
            format!("prescribed velocities: {}", concerned(misfits))
        }
        AssemblyFailure::NoConvergence { iterations, .. } => {
            format!("the mechanism could not be assembled within {iterations} iterations")
        }
        AssemblyFailure::Contradiction { given } => contradiction(given).message,
        AssemblyFailure::NotFinite { .. } => {
            "the constraint equations are not finite in the given pose".into()
        }
    }
}

/// The joints and drivers by name, and whom they contradict.
fn concerned(misfits: &[Misfit]) -> String {
    let all: Vec<String> = misfits.iter().map(|m| m.name.clone()).collect();
    match all.len() {
        0 => "the joints contradict each other".into(),
        1 => format!("`{}` contradicts the other constraints", all[0]),
        _ => format!("{} contradict each other", names(&all)),
    }
}

fn hint(failure: &AssemblyFailure) -> Option<String> {
    let hint = match failure {
        AssemblyFailure::Inconsistent { .. } => {
            "check their lengths and points, and which bodies are `fixed`"
        }
        AssemblyFailure::InconsistentVelocities { .. } => {
            "check the motions of drivers, and which bodies have a `fixed_velocity`"
        }
        AssemblyFailure::NoConvergence { .. } => {
            "choose positions and orientations closer to the assembled mechanism"
        }
        AssemblyFailure::NotFinite { .. } | AssemblyFailure::Contradiction { .. } => return None,
    };
    Some(hint.into())
}

impl fmt::Display for AssemblyFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&finding(self).message)
    }
}

impl std::error::Error for AssemblyFailure {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn gaps_are_said_in_the_units_that_matter() {
        let positions = AssemblyFailure::NoConvergence { misfits: vec![], iterations: 3 };
        assert_eq!(gap(&positions, 4e-3, 0.0), "4 mm");
        assert_eq!(gap(&positions, 4e-3, 0.1), "4 mm and 5.73 deg");
        assert_eq!(gap(&positions, 0.0, FRAC_PI_2), "90 deg");
        assert_eq!(gap(&positions, 0.0, 2e-5), "20 µrad");
        let rates = AssemblyFailure::InconsistentVelocities { misfits: vec![] };
        assert_eq!(gap(&rates, 3.0, 1e-9), "3 m/s");
    }

    #[test]
    fn the_message_stands_at_the_worst_joint() {
        let misfit = |k: usize, length: f64| {
            let (subject, name) = (Subject::Joint(k), format!("pin{k}"));
            Misfit { subject, name, length, angle: 0.0 }
        };
        let misfits = vec![misfit(3, 0.02), misfit(2, 0.02 - 1e-9), misfit(1, 0.01)];
        let finding =
            finding(&AssemblyFailure::Inconsistent { misfits, length: 0.05, angle: 0.0, gap: None });
        assert_eq!(finding.subject, Subject::Joint(2));
        let start = "`pin2`, `pin3` and `pin1` contradict each other";
        assert!(
            finding.message.starts_with(start) && finding.message.contains("50 mm"),
            "{}",
            finding.message
        );
    }
}
