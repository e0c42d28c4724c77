//! Earlier checkpoints, each about twice as old as the one before it: where damage has spoiled what came before the
//! last one, a run need not begin anew.

use super::{CHECKPOINT, disk};
use crate::error::Error;
use std::path::{Path, PathBuf};

/// Checkpoints kept besides the last.
const SLOTS: u32 = 6;
/// The same of large ones, in bytes.
const LARGE: usize = 4 << 20;

/// The files, the latest not first.
pub(super) fn files(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let dir = dir.to_path_buf();
    (0..SLOTS).map(move |k| dir.join(format!("{CHECKPOINT}.{k}")))
}

/// Puts the last checkpoint, the one of this number, aside: slot k is filled by every 2^(k+1)-th.
pub(super) fn keep(dir: &Path, number: u32, size: usize) -> Result<(), Error> {
    let slot = if size > LARGE { 0 } else { number.trailing_zeros().min(SLOTS - 1) };
    let (last, aside) = (dir.join(CHECKPOINT), dir.join(format!("{CHECKPOINT}.{slot}")));
    if !last.exists() {
        return Ok(());
    }
    disk::rename(&last, &aside).map_err(|error| Error::io("write", &aside, &error))
}

/// Removes them.
pub(super) fn clear(dir: &Path) {
    files(dir).for_each(|path| {
        let _ = disk::remove(&path);
    });
}
