//! Frames, thinned to what a page can load.

use super::choice::Chosen;
use super::column::{double, encoded, single};
use super::data::{Column, Frames};
use crate::error::{Error, ErrorKind};
use crate::store::Reader;

/// Bytes of JSON around a column.
const AROUND: usize = 56;

/// The channels chosen, over as many frames as fit into `limit` bytes of JSON.
pub(super) fn frames(reader: &Reader, chosen: &Chosen, limit: usize) -> Result<Frames, Error> {
    let dir = reader.dir();
    if reader.frames() == 0 {
        let message = format!("`{}` contains no frame", dir.display());
        return Err(Error::new(ErrorKind::Unfit, dir, message, "run the model with an output interval"));
    }
    let channels = chosen.places.len();
    let most = limit.saturating_sub(AROUND * (channels + 2)) / encoded(4 * channels + 8);
    if most < 2 {
        let message = format!("the mechanism in `{}` is too large for the report page", dir.display());
        return Err(Error::new(ErrorKind::Unfit, dir, message, "export parts of the results"));
    }
    let mut rows = reader.thinned(most)?;
    let (mut times, mut columns) = (Vec::new(), vec![Vec::new(); channels]);
    while let Some(row) = rows.next_row()? {
        // times must rise; a run that goes on after an event may repeat one
        if times.last().is_some_and(|last| row[0] <= *last) {
            continue;
        }
        times.push(row[0]);
        for (column, &place) in columns.iter_mut().zip(&chosen.places) {
            column.push(row[1 + place]);
        }
    }
    let columns: Vec<Column> = columns.iter().map(|column| single(column)).collect();
    let thinned = if rows.stride() > 1 { reader.frames() } else { 0 };
    let note = chosen.note(times.len() as u64, thinned);
    Ok(Frames { count: times.len(), times: double(&times), columns, note })
}
