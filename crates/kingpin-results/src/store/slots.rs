//! Earlier checkpoints, thinned with age: where damage has spoiled what came before the last one, a run need not begin
//! anew.
//!
//! They lie in the folder `checkpoints`. With every checkpoint the one before it is put aside, into slot k if 2^k is
//! the largest power of two that divides its successor's number: slot k is filled by every 2^(k+1)-th, so the distances
//! to the last one about double from slot to slot, and the work that damage costs is never more than a few times what
//! came after it.

use super::survey::look;
use super::{CHECKPOINT, CHECKPOINTS, checkpoint};
use crate::error::Error;
use kingpin_files::{Found, disk, put_aside};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Checkpoints kept besides the last: enough for a year of them.
const SLOTS: u32 = 26;
/// Of checkpoints larger than this, in bytes, only every second slot is used, and none once the run is over.
const LARGE: usize = 4 << 20;

/// The files, the latest not first.
pub(super) fn files(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let dir = dir.join(CHECKPOINTS);
    (0..SLOTS).map(move |k| dir.join(k.to_string()))
}

/// The slot for the predecessor of the checkpoint of this number, if it is kept.
fn slot(number: u32, size: usize) -> Option<u32> {
    let slot = number.trailing_zeros().min(SLOTS - 1);
    (size <= LARGE || slot.is_multiple_of(2)).then_some(slot)
}

/// Whether a file begins as checkpoints do.
pub(super) fn is_checkpoint(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(checkpoint::ANY_MAGIC.len() as u64).read_to_end(&mut head)?;
    Ok(head == checkpoint::ANY_MAGIC)
}

/// Makes sure that the folder of slots is none or a folder, no link.
pub(super) fn make_room(dir: &Path, aside: &mut Vec<PathBuf>) -> Result<(), Error> {
    let path = dir.join(CHECKPOINTS);
    if !matches!(look(&path)?, Found::Nothing | Found::Folder) {
        aside.push(put_aside(&path).map_err(|error| Error::io("replace", &path, &error))?);
    }
    Ok(())
}

/// Puts the last checkpoint aside, before that of this number, which has so many bytes, takes its place. The very first
/// is not kept: it is the start of the run.
pub(super) fn keep(dir: &Path, number: u32, size: usize) -> Result<(), Error> {
    let last = dir.join(CHECKPOINT);
    let Some(slot) = slot(number, size).filter(|_| number > 1 && last.exists()) else { return Ok(()) };
    let aside = dir.join(CHECKPOINTS).join(slot.to_string());
    let put = || {
        disk::create_dir(&dir.join(CHECKPOINTS))?;
        // a file of somebody else is not written over
        if !Found::at(&aside)?.is_nothing() && !is_ours(&aside)? {
            put_aside(&aside)?;
        }
        disk::rename(&last, &aside)
    };
    put().map_err(|error| Error::io("write", &aside, &error))
}

/// Whether a file is a checkpoint, and no link to one.
pub(super) fn is_ours(path: &Path) -> io::Result<bool> {
    Ok(Found::at(path)?.is_file() && is_checkpoint(path)?)
}

/// The run is over: large ones are removed.
pub(super) fn thin(dir: &Path) {
    if !matches!(Found::at(&dir.join(CHECKPOINTS)), Ok(Found::Folder)) {
        return;
    }
    for path in files(dir) {
        let large = matches!(Found::at(&path), Ok(Found::File(data)) if data.len() > LARGE as u64);
        if large && is_ours(&path).unwrap_or(false) {
            let _ = disk::remove(&path);
        }
    }
    // goes only if it is empty
    disk::remove_dir(&dir.join(CHECKPOINTS));
}

/// Removes them; files of others stay where they are.
pub(super) fn clear(dir: &Path, aside: &mut Vec<PathBuf>) -> Result<(), Error> {
    make_room(dir, aside)?;
    if look(&dir.join(CHECKPOINTS))?.is_nothing() {
        return Ok(());
    }
    for path in files(dir) {
        let fail = |error: io::Error| Error::io("replace", &path, &error);
        if !look(&path)?.is_nothing() && is_ours(&path).map_err(fail)? {
            disk::remove(&path).map_err(fail)?;
        }
    }
    disk::remove_dir(&dir.join(CHECKPOINTS));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However long a run was and wherever its damage lies, what must be computed anew is at most a few times what
    /// came after the damage.
    #[test]
    fn earlier_checkpoints_are_dense_near_the_end_and_never_end() {
        for (size, most) in [(1, 3), (LARGE + 1, 10)] {
            let mut slots = [None; SLOTS as usize];
            for last in 1..20_000_u32 {
                if let Some(slot) = slot(last, size).filter(|_| last > 1) {
                    slots[slot as usize] = Some(last - 1);
                }
                for age in [1, 3, 50, 1000, 7777] {
                    let Some(damaged) = last.checked_sub(age) else { continue };
                    let good = slots.iter().flatten().filter(|kept| **kept < damaged).max().copied();
                    // none is the start, which is not kept
                    let lost = last - good.unwrap_or(0);
                    assert!(lost <= most * (age + 1), "{last} - {age}: {good:?}");
                }
            }
        }
    }
}
