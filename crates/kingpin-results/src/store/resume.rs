//! Goes on with a folder of results: from the last point up to which everything is as it was written.

use super::checkpoint::Checkpoint;
use super::lock::Lock;
use super::rows::Appender;
use super::sums::{self, Verdict};
use super::writer::{clear_halves, clear_tables, json};
use super::{
    CHECKPOINT, EVENTS, HEADER, Header, MODEL, ROWS, Reader, STEP_COLUMNS, STEPS, SUMMARY, SUMS, Writer,
    disk, slots,
};
use crate::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A folder to go on with.
#[derive(Debug)]
pub struct Resumed {
    /// Goes on writing.
    pub writer: Writer,
    /// Where the run was; none if it must begin anew.
    pub checkpoint: Option<Checkpoint>,
    /// What was found damaged, in sentences without a full stop.
    pub damages: Vec<String>,
}

impl Writer {
    /// Goes on with results that were interrupted, damaged or are to be extended: everything after the last good
    /// checkpoint is cut off, and tables made of the results are removed. `header` replaces the one that is there:
    /// the caller has compared them. `model` is the text of the model.
    pub fn resume(dir: &Path, header: &Header, model: &str) -> Result<Resumed, Error> {
        let lock = Lock::take(dir)?;
        let text = fs::read(dir.join(SUMS)).unwrap_or_default();
        let verdict = sums::verify(dir, &String::from_utf8_lossy(&text))?;
        let (checkpoint, mut damages) = choose(dir, header, &verdict);
        forget_later(dir, checkpoint.as_ref())?;
        let numbers = [ROWS, STEPS, EVENTS];
        let bad = verdict.damages.iter().filter(|damage| numbers.contains(&damage.name.as_str()));
        damages.extend(bad.map(|damage| damage.describe(dir, header)));
        clear_tables(dir)?;
        let summary = dir.join(SUMMARY);
        disk::remove(&summary).map_err(|error| Error::io("replace", &summary, &error))?;
        let bytes = |numbers: usize| 8 * numbers as u64;
        let [frames, steps, events, sums] =
            checkpoint.as_ref().map_or([0; 4], |at| [at.frames, at.steps, at.event_bytes, at.sum_bytes]);
        let mut writer = Writer {
            dir: dir.into(),
            width: header.width(),
            rows: Appender::resume(&dir.join(ROWS), frames * bytes(header.width()))?,
            steps: Appender::resume(&dir.join(STEPS), steps * bytes(STEP_COLUMNS.len()))?,
            events: Appender::resume(&dir.join(EVENTS), events)?,
            sums: Appender::resume(&dir.join(SUMS), sums)?,
            frames,
            steps_written: steps,
            flushed: Instant::now(),
            checked: None,
            checkpoints: checkpoint.as_ref().map_or(0, |at| at.number.wrapping_add(1)),
            _lock: lock,
        };
        if fs::read(dir.join(MODEL)).ok().as_deref() != Some(model.as_bytes()) || checkpoint.is_none() {
            writer.whole(MODEL, model.as_bytes())?;
        }
        let header = json(&dir.join(HEADER), header)?;
        if fs::read(dir.join(HEADER)).ok().as_deref() != Some(&header[..]) || checkpoint.is_none() {
            writer.whole(HEADER, &header)?;
        }
        writer.sums.sync()?;
        Ok(Resumed { writer, checkpoint, damages })
    }
}

/// All places of checkpoints.
fn places(dir: &Path) -> impl Iterator<Item = PathBuf> {
    std::iter::once(dir.join(CHECKPOINT)).chain(slots::files(dir))
}

/// Removes checkpoints after the one from which the run goes on, and those that cannot be read: what they say of the
/// files will not be true any more.
fn forget_later(dir: &Path, chosen: Option<&Checkpoint>) -> Result<(), Error> {
    for path in places(dir) {
        let Ok(bytes) = fs::read(&path) else { continue };
        let found = Checkpoint::from_bytes(&path, &bytes).ok();
        if found.is_none_or(|found| chosen.is_none_or(|chosen| found.steps > chosen.steps)) {
            disk::remove(&path).map_err(|error| Error::io("replace", &path, &error))?;
        }
    }
    Ok(())
}

/// Removes what a run that is over has no use for, in case it was killed before it could.
pub fn tidy(dir: &Path, _: &Lock) -> Result<(), Error> {
    slots::thin(dir);
    clear_halves(dir)
}

/// The last checkpoint before any damage, and what is wrong with those that cannot be read.
fn choose(dir: &Path, header: &Header, verdict: &Verdict) -> (Option<Checkpoint>, Vec<String>) {
    let (mut best, mut unreadable): (Option<Checkpoint>, _) = (None, Vec::new());
    let good = |name: &str, bytes: u64| bytes <= verdict.good.get(name).copied().unwrap_or(0);
    for path in places(dir) {
        let Ok(bytes) = fs::read(&path) else { continue };
        let found = match Checkpoint::from_bytes(&path, &bytes) {
            Ok(found) => found,
            Err(error) => {
                unreadable.push(error.message);
                continue;
            }
        };
        let fits = good(ROWS, 8 * found.frames * header.width() as u64)
            && good(STEPS, 8 * found.steps * STEP_COLUMNS.len() as u64)
            && good(EVENTS, found.event_bytes)
            && fs::metadata(dir.join(SUMS)).is_ok_and(|sums| sums.len() >= found.sum_bytes);
        if fits && best.as_ref().is_none_or(|best| best.steps < found.steps) {
            best = Some(found);
        }
    }
    (best, unreadable)
}

impl Reader {
    /// The last checkpoint, if there is one.
    pub fn checkpoint(&self) -> Result<Option<Checkpoint>, Error> {
        let path = self.dir().join(CHECKPOINT);
        match fs::read(&path) {
            Ok(bytes) => Checkpoint::from_bytes(&path, &bytes).map(Some),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("read", &path, &error)),
        }
    }

    /// Compares everything with its checksums; the first damage is an error. Of a run under way, what is on the disk
    /// is compared. O(bytes)
    pub fn verify(&self) -> Result<(), Error> {
        let text = match fs::read(self.dir().join(SUMS)) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Error::io("read", &self.dir().join(SUMS), &error)),
        };
        let verdict = sums::verify(self.dir(), &String::from_utf8_lossy(&text))?;
        // without a summary a run goes on or was interrupted, whatever the checksums of the last one say
        let mut damages = verdict.damages.iter();
        match damages.find(|damage| damage.name != SUMMARY || self.summary().is_some()) {
            Some(damage) => Err(damage.error(self.dir(), self.header())),
            None => Ok(()),
        }
    }
}
