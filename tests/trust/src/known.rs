//! What is not right yet: cases that are wrong in silence, one a line in `known.txt`.

use crate::trial::{Outcome, Verdict};

/// The cases known to be wrong: motion, method, tolerance.
pub fn known() -> Vec<String> {
    let lines = include_str!("../known.txt").lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(String::from).collect()
}

/// Cases that are wrong and not on the list.
pub fn surprises(outcomes: &[Outcome]) -> Vec<String> {
    let known = known();
    let wrong = outcomes.iter().filter(|o| o.verdict == Verdict::Wrong);
    let new = wrong.filter(|o| !known.contains(&o.case.to_string()));
    new.map(|o| format!("wrong: {}: {:.3e} tolerances", o.case, o.worst())).collect()
}

/// Cases on the list that are no longer wrong.
pub fn stale(outcomes: &[Outcome]) -> Vec<String> {
    let known = known();
    let right = outcomes.iter().filter(|o| o.verdict != Verdict::Wrong).map(|o| o.case.to_string());
    let old = right.filter(|case| known.contains(case));
    old.map(|case| format!("no longer wrong, take it off known.txt: {case}")).collect()
}
