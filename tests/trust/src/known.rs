//! What is not right yet: cases that are wrong in silence, one a line in `known.txt`.

use crate::trial::{Case, Outcome, Verdict};

/// The cases known to be wrong: motion, method, tolerance.
pub fn known() -> Vec<String> {
    let lines = include_str!("../known.txt").lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(String::from).collect()
}

/// Whether a case is on the list.
pub fn is_known(case: &Case) -> bool {
    known().contains(&case.to_string())
}

/// What differs from the list: wrong and not on it, or on it and no longer wrong.
pub fn surprises(outcomes: &[Outcome]) -> Vec<String> {
    let known = known();
    let mut list = Vec::new();
    for outcome in outcomes {
        let (case, wrong) = (outcome.case.to_string(), outcome.verdict == Verdict::Wrong);
        match (wrong, known.contains(&case)) {
            (true, false) => list.push(format!("wrong: {case}: {:.3e} tolerances", outcome.worst())),
            (false, true) => list.push(format!("no longer wrong, take it off known.txt: {case}")),
            _ => {}
        }
    }
    list
}
