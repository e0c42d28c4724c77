//! Small motions that a page shows, one at a time.

use super::choice::Chosen;
use super::column::{double, single};
use super::data::{Cell, Data, Frames, PageMode, PageTable, TableColumn};
use super::{Limits, still};
use crate::error::Error;
use crate::store::Reader;
use kingpin::accel::Problem;
use kingpin::dynamics::Mode;
use kingpin::model::Model;
use kingpin::system::System;
use kingpin::words::{number, quantity};

/// Bodies that a row of the table names.
const NAMED: usize = 4;
/// Damping below this part of the frequency is none.
const UNDAMPED: f64 = 1e-9;

/// A page that shows modes moving. The results hold `each` frames of every mode, one mode after the other, with times
/// from zero on.
pub fn modes(
    reader: &Reader,
    model: &Model,
    system: &System,
    problem: &Problem,
    modes: &[Mode],
    each: usize,
) -> Result<Data, Error> {
    let chosen = Chosen::poses(reader);
    let mut data = still(reader, model, system, problem, Limits::default(), &chosen)?;
    let mut rows = reader.rows()?;
    for mode in modes {
        let (mut times, mut columns) = (Vec::new(), vec![Vec::new(); chosen.places.len()]);
        while times.len() < each
            && let Some(row) = rows.next_row()?
        {
            times.push(row[0]);
            for (column, &place) in columns.iter_mut().zip(&chosen.places) {
                column.push(row[1 + place]);
            }
        }
        let columns = columns.iter().map(|column| single(column)).collect();
        let frames = Frames { count: times.len(), times: double(&times), columns, note: None };
        data.modes.push(PageMode { name: name(mode), frames });
    }
    if let Some(first) = data.modes.first() {
        data.frames = first.frames.clone();
    }
    if let Some(tables) = &mut data.tables {
        tables.insert(0, table(modes));
    }
    (data.charts, data.solution) = (None, None);
    Ok(data)
}

fn is_undamped(mode: &Mode) -> bool {
    mode.real.abs() < UNDAMPED * mode.magnitude()
}

/// Such as `3.52 Hz, damping ratio 0.02`.
fn name(mode: &Mode) -> String {
    let time = || quantity(mode.time_constant().unwrap_or(f64::INFINITY), "s");
    if mode.imaginary > 0.0 {
        let damping = if is_undamped(mode) {
            "undamped".into()
        } else {
            format!("damping ratio {}", number(mode.damping_ratio(), 3))
        };
        return format!("{} Hz, {damping}", number(mode.frequency(), 4));
    }
    if mode.real < 0.0 { format!("decays in {}", time()) } else { format!("grows in {}", time()) }
}

fn table(modes: &[Mode]) -> PageTable {
    let heads =
        [("mode", ""), ("frequency", "Hz"), ("damping ratio", ""), ("time constant", "s"), ("bodies", "")];
    let columns = heads.map(|(name, unit)| TableColumn { name: name.into(), unit: unit.into() });
    let row = |(k, mode): (usize, &Mode)| {
        let shares = mode.bodies.iter().take(NAMED);
        let named = shares.map(|share| format!("{} {:.0} %", share.name, 100.0 * share.share));
        let swings = mode.imaginary > 0.0;
        vec![
            Cell::Number((k + 1) as f64),
            if swings { Cell::Number(mode.frequency()) } else { Cell::Empty },
            if swings { Cell::Number(mode.damping_ratio()) } else { Cell::Empty },
            mode.time_constant().filter(|_| !is_undamped(mode)).map_or(Cell::Empty, Cell::Number),
            Cell::Text(named.collect::<Vec<_>>().join(", ")),
        ]
    };
    let note = "Aperiodic modes are drawn as if they oscillated.";
    PageTable {
        title: "Modes".into(),
        note: modes.iter().any(|mode| mode.imaginary == 0.0).then(|| note.into()),
        columns: columns.into(),
        rows: modes.iter().enumerate().map(row).collect(),
    }
}
