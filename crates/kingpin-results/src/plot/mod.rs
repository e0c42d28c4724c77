//! Line charts of channels over time, as SVG, as PNG and as text; curves of measurements as SVG. However long the results are, only what a pixel can show
//! is kept in memory, spikes included.

mod chart;
mod curves;
mod number;
mod png;
mod svg;
mod terminal;
mod ticks;
mod trace;

pub use curves::{Axis, Curve, curves};
pub use png::png;
pub use svg::svg;
pub use terminal::terminal;

use crate::error::{Error, ErrorKind};
use crate::format::chosen;
use crate::store::{Choice, Reader};
use trace::Trace;

/// Results to plot, of which there may be several over the same time.
#[derive(Clone, Copy)]
pub struct PlottedRun<'a> {
    /// The results.
    pub reader: &'a Reader,
    /// What is plotted of them.
    pub choice: &'a Choice,
    /// What its curves are told apart by; empty for a single run.
    pub label: &'a str,
}

impl<'a> PlottedRun<'a> {
    /// One run alone.
    pub fn only(reader: &'a Reader, choice: &'a Choice) -> PlottedRun<'a> {
        PlottedRun { reader, choice, label: "" }
    }
}

/// Channels over time, reduced to a number of columns.
struct Traces {
    /// Name and unit of each.
    names: Vec<(String, String)>,
    t: (f64, f64),
    list: Vec<Trace>,
}

/// Reads what is chosen once; an error if there is nothing to plot.
fn read(runs: &[PlottedRun], columns: usize) -> Result<Traces, Error> {
    let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
    for run in runs {
        let (from, to) = ends(run)?;
        (first, last) = (first.min(from), last.max(to));
    }
    // one frame is a point in the middle of a second
    let t = if last > first { (first, last) } else { (first - 0.5, first + 0.5) };
    let (mut names, mut list) = (Vec::new(), Vec::new());
    for PlottedRun { reader, choice, label } in runs {
        let channels = chosen(reader, choice)?;
        let mut own: Vec<Trace> = channels.iter().map(|_| Trace::new(t, columns)).collect();
        let mut rows = reader.selected(choice)?;
        while let Some(row) = rows.next_row()? {
            for (trace, &channel) in own.iter_mut().zip(&channels) {
                trace.add(row[0], row[1 + channel]);
            }
        }
        list.extend(own);
        names.extend(channels.iter().map(|&k| {
            let info = &reader.header().channels[k];
            let name = if label.is_empty() { info.name.clone() } else { format!("{} ({label})", info.name) };
            (name, info.unit.clone())
        }));
    }
    Ok(Traces { names, t, list })
}

/// First and last time.
fn ends(run: &PlottedRun) -> Result<(f64, f64), Error> {
    let PlottedRun { reader, choice, .. } = run;
    let mut ends = reader.selected(&Choice { frames: Some(2), every: None, ..(*choice).clone() })?;
    let Some(first) = ends.next_row()?.map(|row| row[0]) else {
        let message = format!("`{}` contains no frame", reader.dir().display());
        return Err(Error::new(
            ErrorKind::Unfit,
            reader.dir(),
            message,
            "run the model with an output interval",
        ));
    };
    Ok((first, ends.next_row()?.map_or(first, |row| row[0])))
}

/// A range that all traces fit into with a little room, and that is never empty.
fn range<'a>(traces: impl Iterator<Item = &'a Trace>) -> (f64, f64) {
    let (low, high) = traces
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), trace| (a.min(trace.low), b.max(trace.high)));
    if low > high {
        return (-1.0, 1.0);
    }
    // noise of rounding is not worth a scale of its own
    let least = 1e-9 * low.abs().max(high.abs());
    if high - low <= least {
        let room = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
        return (low - room, high + room);
    }
    let room = 0.04 * (high - low);
    (low - room, high + room)
}
