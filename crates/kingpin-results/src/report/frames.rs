//! Frames, thinned to what a page can load.

use super::column::{double, note, single};
use super::data::{Column, Frames};
use crate::error::{Error, ErrorKind};
use crate::store::Reader;

/// Bytes of JSON around a column.
const AROUND: usize = 24;

/// All channels, over as many frames as fit into `limit` bytes of JSON.
pub(super) fn frames(reader: &Reader, limit: usize) -> Result<Frames, Error> {
    if reader.frames() == 0 {
        let message = format!("there is no frame to show in `{}`", reader.dir().display());
        return Err(Error::new(ErrorKind::Unfit, reader.dir(), message, "run the model with frames"));
    }
    let channels = reader.header().channels.len();
    // base64 takes four letters for three bytes
    let each = (4 * channels + 8) * 4 / 3;
    let most = (limit.saturating_sub(AROUND * channels) / each.max(1)).max(2);
    let mut rows = reader.thinned(most)?;
    let (mut times, mut columns) = (Vec::new(), vec![Vec::new(); channels]);
    while let Some(row) = rows.next_row()? {
        // times must rise; a run that goes on after an event may repeat one
        if times.last().is_some_and(|last| row[0] <= *last) {
            continue;
        }
        times.push(row[0]);
        for (column, x) in columns.iter_mut().zip(&row[1..]) {
            column.push(*x);
        }
    }
    let columns: Vec<Column> = columns.iter().map(|column| single(column)).collect();
    let note = note(rows.stride(), "frame");
    Ok(Frames { count: times.len(), times: double(&times), columns, note })
}
