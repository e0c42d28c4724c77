//! The table of all cases.

use crate::trial::{Outcome, Verdict};
use std::fmt::Write;

/// The cases in lines, columns for people.
pub fn table(outcomes: &[Outcome]) -> String {
    let mut text = format!("{}\n", head());
    for outcome in outcomes {
        let _ = writeln!(text, "{}", line(outcome));
    }
    text
}

/// The names of the columns.
pub fn head() -> String {
    format!(
        "{:<26}  {:<10}  {:>5}  {:>10}  {:>10}  {:>9}  {:>8}  verdict",
        "motion", "method", "tol", "frames/tol", "end/tol", "steps", "time"
    )
}

/// One case.
pub fn line(outcome: &Outcome) -> String {
    let case = &outcome.case;
    let (word, why) = match &outcome.verdict {
        Verdict::Met => ("met", String::new()),
        Verdict::Wrong => ("WRONG", String::new()),
        Verdict::Said(words) => ("said", format!(": {}", first_line(words))),
    };
    format!(
        "{:<26}  {:<10}  {:>5}  {:>10}  {:>10}  {:>9}  {:>7.2}s  {word}{why}",
        case.motion,
        case.method.name(),
        format!("{:e}", case.tol),
        figure(outcome.frames),
        figure(outcome.end),
        outcome.steps,
        outcome.wall
    )
}

fn first_line(words: &str) -> &str {
    words.lines().next().unwrap_or("")
}

/// Three digits.
fn figure(x: f64) -> String {
    if x == 0.0 || (1e-3..1e4).contains(&x.abs()) { format!("{x:.3}") } else { format!("{x:.2e}") }
}

/// Counts, and the median of errors over tolerances of the runs that ended without a word.
pub fn summary(outcomes: &[Outcome]) -> String {
    let of = |wanted: fn(&Verdict) -> bool| outcomes.iter().filter(|o| wanted(&o.verdict)).count();
    let met = of(|v| *v == Verdict::Met);
    let said = of(|v| matches!(v, Verdict::Said(_)));
    let wrong = of(|v| *v == Verdict::Wrong);
    let median = median(outcomes).map_or("none".into(), figure);
    let steps: usize = outcomes.iter().map(|o| o.steps).sum();
    format!(
        "{} runs: {met} met, {said} said (failed or warned), {wrong} wrong; median of error/tolerance {median}; \
         {steps} steps\n",
        outcomes.len()
    )
}

/// The median of the greatest errors in tolerances, of the runs that ended without a word.
pub fn median(outcomes: &[Outcome]) -> Option<f64> {
    let silent = outcomes.iter().filter(|o| !matches!(o.verdict, Verdict::Said(_)) && o.steps > 0);
    let mut errors: Vec<f64> = silent.map(Outcome::worst).collect();
    errors.sort_by(f64::total_cmp);
    errors.get(errors.len() / 2).copied()
}
