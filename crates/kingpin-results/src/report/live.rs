//! Frames of a run under way.

use super::column::double;
use super::data::LiveFrames;
use crate::error::Error;
use crate::store::Reader;

/// At most `most` frames after the first `first`, for pages whose data were not thinned; `count` is 0 if there is
/// nothing new. Open a new reader to see what a run has added.
pub fn live_frames(reader: &Reader, first: u64, most: usize) -> Result<LiveFrames, Error> {
    let mut rows = reader.rows_after(first)?;
    let (mut numbers, mut count) = (Vec::new(), 0);
    while count < most as u64
        && let Some(row) = rows.next_row()?
    {
        numbers.extend_from_slice(row);
        count += 1;
    }
    Ok(LiveFrames { first, count, rows: double(&numbers) })
}
