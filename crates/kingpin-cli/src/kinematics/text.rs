//! The report of `kingpin kinematics` for people.

use super::record::Record;
use crate::naming::title;
use crate::ready::Ready;
use crate::report::entry;
use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::dynamics::Kinematics;

/// Digits shown.
const DIGITS: usize = 6;

/// The whole report.
pub fn report(ready: &Ready, record: &Record, kinematics: &Kinematics) -> String {
    let mut text = title(ready.model()) + "\n\n";
    text += &table(record).to_string();
    text += "\n";
    entry(&mut text, "frames", &count(kinematics.frames), "");
    entry(&mut text, "steps", &count(kinematics.steps), "");
    entry(&mut text, "position residual", &number(kinematics.position_residual, 2), "");
    entry(&mut text, "velocity residual", &number(kinematics.velocity_residual, 2), "");
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
    Table::with_columns(columns, times.len(), |row| {
        let values = record.all.row(row).unwrap_or_default();
        let shown = record
            .shown
            .iter()
            .zip(&round_off)
            .map(|(&k, least)| number(if values[k].abs() < *least { 0.0 } else { values[k] }, DIGITS));
        std::iter::once(number(times[row], DIGITS)).chain(shown).collect()
    })
}
