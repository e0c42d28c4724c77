//! Why a run failed, laid out for a terminal.

use crate::ready::Ready;
use crate::table::{Align, Table};
use crate::words::{Spelling, count, number, quantity, visible};
use kingpin::analysis::explain::misfit_gap;
use kingpin::dynamics::{FailureReport, Why};
use kingpin::model::{Finding, Subject};
use kingpin_io::Diagnostic;

/// Steps shown.
const STEPS: usize = 5;
/// Equations shown.
const EQUATIONS: usize = 8;

/// The whole report, with the lines of the model file that matter most.
/// Advice writes settings as `spelling` says.
pub fn report(failure: &FailureReport, ready: &Ready, spelling: Spelling, colour: bool) -> String {
    let headline = failure.headline();
    let (subject, field) = failure.place(ready.model());
    let mut text = visible(&format!("error: {headline}\n")).into_owned();
    if subject != Subject::Model {
        let diagnostic = Diagnostic::from_finding(&Finding::error(subject, field, headline), &ready.sources);
        text = kingpin_io::render(&[diagnostic], &ready.sources, colour);
    }
    let mut more = format!("\n  Why    {}\n", indented(&failure.why_words(), 9));
    more += &evidence(failure);
    more += &steps(failure);
    more += "\n  Remedies\n\n";
    for (k, advice) in failure.remedies_in(spelling).iter().enumerate() {
        more += &format!("  {}. {}\n", k + 1, indented(advice, 5));
    }
    // the lines of the model have their colours
    text + &visible(&more)
}

/// The equations and joints concerned.
fn evidence(failure: &FailureReport) -> String {
    let mut text = String::new();
    if matches!(failure.why, Why::BeyondReach { .. }) && !failure.misfits.is_empty() {
        text += &format!(
            "\n  Remaining gaps at t = {} s, in the closest position\n\n",
            number(failure.misfit_t, 4)
        );
        for misfit in failure.misfits.iter().take(EQUATIONS) {
            let what = if matches!(misfit.subject, Subject::Driver(_)) { "driver" } else { "joint" };
            text += &format!("    {what} `{}`: {}\n", misfit.name, misfit_gap(misfit.length, misfit.angle));
        }
        text += &more(failure.misfits.len());
    }
    if matches!(failure.why, Why::BeyondReach { .. } | Why::Singular) && !failure.dependent.is_empty() {
        let distance = failure.independence.map_or(String::new(), |(before, now)| {
            format!(
                " (relative distance from dependence: {} at the start, {} now)",
                number(before, 1),
                power(now)
            )
        });
        text += &format!("\n  Equations that became dependent{distance}\n\n");
        for involved in failure.dependent.iter().take(EQUATIONS) {
            text += &format!("    {}\n", involved.row);
        }
        text += &more(failure.dependent.len());
    }
    text
}

fn more(all: usize) -> String {
    if all > EQUATIONS { format!("    … and {} more\n", count(all - EQUATIONS)) } else { String::new() }
}

/// The last steps.
fn steps(failure: &FailureReport) -> String {
    let shown = &failure.steps[failure.steps.len().saturating_sub(STEPS)..];
    if shown.is_empty() {
        return "\n  No step was accepted.\n".into();
    }
    let columns = [
        ("t [s]", Align::Right),
        ("step", Align::Right),
        ("error/tol", Align::Right),
        ("rejected before", Align::Right),
        ("Newton", Align::Right),
        ("method", Align::Left),
    ];
    let table = Table::new(columns, shown.len(), |k| {
        let step = &shown[k];
        [
            number(step.report.t, 9),
            quantity(step.report.h(), "s"),
            share(step.report.error),
            count(step.report.rejected),
            count(step.newton_iterations),
            step.method.name().into(),
        ]
    });
    format!("\n  Last steps\n\n{table}")
}

/// An error in parts of the tolerance.
fn share(error: f64) -> String {
    if error < 0.01 { "< 0.01".into() } else { number(error, 2) }
}

/// A small number by its power of ten alone: its digits are chance.
fn power(x: f64) -> String {
    if x > 0.0 { format!("about 1e{}", x.log10().round()) } else { "0".into() }
}

/// Folds a text at 110 characters, later lines indented.
fn indented(text: &str, by: usize) -> String {
    let (mut out, mut length) = (String::new(), by);
    for word in text.split(' ') {
        let letters = word.chars().count();
        if length + letters > 110 {
            out.truncate(out.trim_end().len());
            out += &format!("\n{}", " ".repeat(by));
            length = by;
        }
        out += word;
        out.push(' ');
        length += letters + 1;
    }
    out.trim_end().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_by_their_power() {
        assert_eq!(power(3e-8), "about 1e-8");
    }

    #[test]
    fn long_lines_are_folded() {
        let text = indented(&"word ".repeat(40), 4);
        assert!(text.lines().count() == 2 && text.lines().all(|line| line.chars().count() <= 110), "{text}");
        assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("    word")));
    }
}
