//! The report of `kingpin kinematics` for people.

use super::record::Record;
use crate::naming::title;
use crate::ready::Ready;
use crate::report::entry;
use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::dynamics::Kinematics;
use std::path::PathBuf;

/// Digits shown.
const DIGITS: usize = 6;
/// Lines of the table at most, besides the first.
const LINES: usize = 20;
/// Tables of so many lines are shown whole.
const SHORT: usize = 30;

/// The whole report.
pub fn report(ready: &Ready, record: &Record, kinematics: &Kinematics, made: &[(PathBuf, String)]) -> String {
    let mut text = title(ready.model()) + "\n\n";
    text += &table(record).to_string();
    text += "\n";
    entry(&mut text, "frames", &count(kinematics.frames), "");
    entry(&mut text, "steps", &count(kinematics.steps), "");
    entry(&mut text, "position residual", &number(kinematics.position_residual, 2), "");
    entry(&mut text, "velocity residual", &number(kinematics.velocity_residual, 2), "");
    let wide = made.iter().map(|(path, _)| path.display().to_string().len()).max().unwrap_or(0);
    for (k, (path, about)) in made.iter().enumerate() {
        let gap = if k == 0 { "\n" } else { "" };
        text += &format!("{gap}  {:<wide$}  {about}\n", path.display().to_string());
    }
    text
}

fn table(record: &Record) -> Table {
    let mut columns = vec![("t [s]".to_string(), Align::Right)];
    for channel in record.channels() {
        let unit = if channel.unit.is_empty() { String::new() } else { format!(" [{}]", channel.unit) };
        columns.push((format!("{}{unit}", channel.name), Align::Right));
    }
    let largest = |column: usize| record.column(column).fold(0.0_f64, |m, x| m.max(x.abs()));
    let round_off: Vec<f64> = (0..record.shown.len()).map(|k| 1e-11 * largest(k).max(1e-3)).collect();
    let times = record.all.times();
    // as many instants as fit, at even intervals, the first and the last among them
    let last = times.len().saturating_sub(1);
    let lines = last.min(if times.len() <= SHORT { last } else { LINES });
    let rows = if times.is_empty() { 0 } else { lines + 1 };
    Table::with_columns(columns, rows, |line| {
        let row = if lines == 0 { 0 } else { (line * last).div_ceil(lines) };
        let values = record.all.row(row).unwrap_or_default();
        let shown = record
            .shown
            .iter()
            .zip(&round_off)
            .map(|(&k, least)| number(if values[k].abs() < *least { 0.0 } else { values[k] }, DIGITS));
        std::iter::once(number(times[row], DIGITS)).chain(shown).collect()
    })
}
