//! The report of a study, for people and as JSON.

use crate::report::entry;
use crate::run::progress::duration;
use crate::table::{Align, Table};
use crate::words::{count, many, number};
use kingpin_study::{Column, Digest, Row, Study, TABLE};
use serde_json::json;
use std::path::Path;
use std::time::Duration;

/// Digits of values.
const DIGITS: usize = 6;

/// What was done and what came of it.
pub fn report(study: &Study, digest: &Digest, first: usize, elapsed: Duration, dir: Option<&Path>) -> String {
    let points = study.points().len();
    let done = digest.rows() - first;
    let mut text = match digest.rows() == points {
        true => format!("{} in {}\n\n", many(done, "point"), duration(elapsed.as_secs_f64())),
        false => format!("Interrupted after {} of {} points\n\n", count(digest.rows()), count(points)),
    };
    if first > 0 {
        entry(&mut text, "completed before", &count(first), "");
    }
    entry(&mut text, "good", &count(digest.good), "");
    for (title, number) in [("doubtful", digest.doubtful), ("failed", digest.failed)] {
        if number > 0 {
            entry(&mut text, title, &count(number), "");
        }
    }
    text += &format!("\n{}", ranges(study, digest));
    for (k, (point, reason)) in digest.reasons.iter().enumerate() {
        text += &format!("{}  point {point} {reason}\n", if k == 0 { "\n" } else { "" });
    }
    if let Some(dir) = dir {
        text += &format!("\n  {}  one line per point\n", dir.join(TABLE).display());
        if digest.rows() < points {
            text += "\n  Repeat the command with `--resume` to continue.\n";
        }
    }
    text
}

/// Least and largest value of each scalar, and where.
fn ranges(study: &Study, digest: &Digest) -> String {
    let scalars = &study.columns()[study.points().variations().len()..];
    let columns = [
        ("scalar", Align::Left),
        ("unit", Align::Left),
        ("least", Align::Right),
        ("at", Align::Left),
        ("largest", Align::Right),
        ("at", Align::Left),
    ];
    let table = Table::new(columns, scalars.len(), |k| {
        let Column { name, unit } = &scalars[k];
        let (least, most) = match digest.ranges.get(k).copied().flatten() {
            Some([least, most]) => (shown(study, least), shown(study, most)),
            None => Default::default(),
        };
        [name.clone(), unit.clone(), least.0, least.1, most.0, most.1]
    });
    table.to_string()
}

/// A value, and the parameters where it is.
fn shown(study: &Study, (value, point): (f64, usize)) -> (String, String) {
    let values = study.points().values(point);
    let place = study.points().variations().iter().zip(values).map(|(variation, value)| {
        let unit = if variation.unit.is_empty() { String::new() } else { format!(" {}", variation.unit) };
        format!("{} = {}{unit}", variation.name, number(value, 4))
    });
    (number(value, DIGITS), place.collect::<Vec<_>>().join(", "))
}

/// The first line of JSON: what the columns are.
pub fn json_heading(study: &Study) -> String {
    let varied = study.points().variations().len();
    let column = |column: &Column| json!({ "name": column.name, "unit": column.unit });
    let columns = study.columns();
    let heading = json!({
        "points": study.points().len(),
        "parameters": columns[..varied].iter().map(column).collect::<Vec<_>>(),
        "scalars": columns[varied..].iter().map(column).collect::<Vec<_>>(),
    });
    format!("{heading}\n")
}

/// The line of a point.
pub fn json_row(row: &Row) -> String {
    let (point, values, scalars) = (row.point, &row.values, &row.scalars);
    let outcome = row.outcome.words();
    format!("{}\n", json!({ "point": point, "values": values, "scalars": scalars, "outcome": outcome }))
}
