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

/// Channels over time, reduced to a number of columns.
struct Traces {
    /// Places of the channels.
    channels: Vec<usize>,
    t: (f64, f64),
    list: Vec<Trace>,
}

/// Reads what is chosen once; an error if there is nothing to plot.
fn read(reader: &Reader, choice: &Choice, columns: usize) -> Result<Traces, Error> {
    let channels = chosen(reader, choice)?;
    let mut ends = reader.selected(&Choice { frames: Some(2), every: None, ..choice.clone() })?;
    let Some(first) = ends.next_row()?.map(|row| row[0]) else {
        let message = format!("there is no frame to plot in `{}`", reader.dir().display());
        return Err(Error::new(ErrorKind::Unfit, reader.dir(), message, "run the model with frames"));
    };
    let last = ends.next_row()?.map_or(first, |row| row[0]);
    // one frame is a point in the middle of a second
    let t = if last > first { (first, last) } else { (first - 0.5, first + 0.5) };
    let mut list: Vec<Trace> = channels.iter().map(|_| Trace::new(t, columns)).collect();
    let mut rows = reader.selected(choice)?;
    while let Some(row) = rows.next_row()? {
        for (trace, &channel) in list.iter_mut().zip(&channels) {
            trace.add(row[0], row[1 + channel]);
        }
    }
    Ok(Traces { channels, t, list })
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
