//! Tables of `kingpin bench integrate`.

use super::errors::Errors;
use super::{Accuracy, Comparison, Entry};
use crate::naming::title;
use crate::run::progress::duration;
use crate::table::{Align, Table};
use crate::words::{count, number, quantity};

/// Work and errors of every method.
pub fn report(comparison: &Comparison) -> String {
    let left = |name: &str| (name.to_string(), Align::Left);
    let right = |name: &str| (name.to_string(), Align::Right);
    let columns = vec![
        left("method"),
        right("tol"),
        right("positions"),
        right("velocities"),
        right("t [s]"),
        left("worst"),
        right("steps"),
        right("rejected"),
        right("accel."),
        right("Jacobians"),
        right("time"),
    ];
    let doubt = doubt(comparison);
    let rows = comparison.entries.iter().filter_map(|entry| line(entry, &doubt)).collect();
    let errors = "Errors: largest difference from the reference, in m and rad, m/s and rad/s; `t` and `worst` \
         give time and body of the largest position error\n";
    format!("{}  {errors}\n{}{}", head(comparison), Table::whole(columns, rows), notes(comparison))
}

fn line(entry: &Entry, doubt: &Errors) -> Option<Vec<String>> {
    let (outing, errors) = entry.result.as_ref().ok()?;
    let statistics = &outing.run.statistics;
    let of = |show: &dyn Fn(&Errors) -> String| errors.as_ref().map_or(String::new(), show);
    Some(vec![
        entry.method.name().into(),
        accuracy(entry.accuracy),
        of(&|e| beyond(e.position.error, doubt.position.error)),
        of(&|e| beyond(e.velocity.error, doubt.velocity.error)),
        of(&|e| number(e.position.t, 4)),
        of(&|e| e.position.channel.clone()),
        count(statistics.steps),
        count(statistics.rejected),
        count(outing.run.accelerations),
        count(statistics.jacobians),
        duration(outing.wall),
    ])
}

/// Errors of one channel, a table per method.
pub fn of_one_channel(comparison: &Comparison) -> String {
    let mut text = head(comparison);
    let doubt = doubt(comparison);
    let mut rest = &comparison.entries[..];
    while let Some(first) = rest.first() {
        let own = rest.iter().take_while(|entry| entry.method == first.method).count();
        let (these, others) = rest.split_at(own);
        rest = others;
        let lines: Vec<&Entry> = these.iter().filter(|entry| entry.result.is_ok()).collect();
        if lines.is_empty() {
            continue;
        }
        let right = |name: &str| (name.to_string(), Align::Right);
        let first_column = if first.method.has_fixed_step() { "h" } else { "k" };
        let columns = ["t* [s]", "Delta", "relative [%]", "mean", "steps", "time"].map(right);
        let columns = [right(first_column)].into_iter().chain(columns).collect();
        let rows = lines.into_iter().filter_map(|entry| channel_line(entry, &doubt)).collect();
        text += &format!("\n  {}\n\n{}", first.method.name(), Table::whole(columns, rows));
    }
    let channel = comparison.entries.iter().find_map(|entry| {
        let errors = entry.result.as_ref().ok()?.1.as_ref()?;
        comparison.channels.find(&errors.position.channel)
    });
    if let Some(channel) = channel.map(|k| &comparison.channels.list()[k]) {
        text += &format!(
            "\n  Tolerance 10^k. Delta: largest error of {} [{}], at t*; relative to its value \
                 there; mean: root mean\n  square over all instants.\n",
            channel.name, channel.unit
        );
    }
    text + &notes(comparison)
}

fn channel_line(entry: &Entry, doubt: &Errors) -> Option<Vec<String>> {
    let (outing, errors) = entry.result.as_ref().ok()?;
    let of = |show: &dyn Fn(&Errors) -> String| errors.as_ref().map_or(String::new(), show);
    let first = match entry.accuracy {
        Accuracy::Tolerance(tol) => number(tol.log10(), 3),
        Accuracy::Step(_) => accuracy(entry.accuracy),
    };
    Some(vec![
        first,
        of(&|e| number(e.position.t, 6)),
        of(&|e| beyond(e.position.error, doubt.position.error)),
        of(&|e| number(100.0 * e.position.relative, 3)),
        of(&|e| figure(e.mean)),
        count(outing.run.statistics.steps),
        duration(outing.wall),
    ])
}

fn accuracy(accuracy: Accuracy) -> String {
    match accuracy {
        Accuracy::Tolerance(tol) => number_short(tol),
        Accuracy::Step(h) => quantity(h, "s"),
    }
}

/// A tolerance, such as `1e-4`.
fn number_short(x: f64) -> String {
    let text = format!("{x:.1e}");
    text.replace(".0e", "e")
}

/// An error: two digits do.
fn figure(x: f64) -> String {
    if x == 0.0 { "0".into() } else { format!("{x:.1e}") }
}

/// An error, unless that of the reference is greater.
fn beyond(x: f64, doubt: f64) -> String {
    if x < doubt { format!("< {}", figure(doubt)) } else { figure(x) }
}

/// What the error of the reference may be.
fn doubt(comparison: &Comparison) -> Errors {
    comparison.reference.as_ref().ok().and_then(|r| r.doubt.clone()).unwrap_or_default()
}

/// The mechanism and the reference.
fn head(comparison: &Comparison) -> String {
    let reference = match &comparison.reference {
        Ok(reference) => {
            let good = match &reference.doubt {
                Some(doubt) => format!(
                    ", with position errors of about {} (the difference to a run with ten times the \
                         tolerance)",
                    figure(doubt.position.error)
                ),
                None => String::new(),
            };
            let (name, tol) = (reference.method.name(), number_short(reference.tol));
            format!("Reference: {name} at {tol}{good}")
        }
        Err(why) => format!("No reference solution, so no errors are shown: {why}"),
    };
    format!(
        "{}\n\n  To t = {} s, compared at {} instants\n  {reference}\n",
        title(comparison.ready.model()),
        number(comparison.t_end, 6),
        count(comparison.grid as usize),
    )
}

/// What was left out, and why.
pub fn notes(comparison: &Comparison) -> String {
    let mut text = String::new();
    for entry in &comparison.entries {
        if let Err(why) = &entry.result {
            text += &format!("  {} at {}: {why}\n", entry.method.name(), accuracy(entry.accuracy));
        }
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}
