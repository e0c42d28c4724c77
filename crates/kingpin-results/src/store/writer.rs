//! Writes a folder of results while a run goes on.

use super::checkpoint::Checkpoint;
use super::events::EventLine;
use super::lock::Lock;
use super::rows::Appender;
use super::sums::{self, Sum};
use super::{
    ALL, CHECKPOINT, EVENTS, HEADER, Header, MODEL, Outcome, ROWS, STEPS, SUMMARY, SUMS, Summary, TABLES,
    disk, slots,
};
use crate::error::{Error, ErrorKind};
use kingpin::dynamics::{self, Happening, Run, Step};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time that rows are held back at most, while anything comes.
const DELAY: Duration = Duration::from_secs(1);
/// Time between two checkpoints: what a crash may cost, but each waits for the disk.
const BETWEEN: Duration = Duration::from_millis(500);

/// A folder of results under way.
#[derive(Debug)]
pub struct Writer {
    pub(super) dir: PathBuf,
    pub(super) width: usize,
    pub(super) rows: Appender,
    pub(super) steps: Appender,
    pub(super) events: Appender,
    pub(super) sums: Appender,
    pub(super) frames: u64,
    pub(super) steps_written: u64,
    /// When everything was handed to the operating system.
    pub(super) flushed: Instant,
    /// When the last checkpoint was written, and how many there were.
    pub(super) checked: Option<Instant>,
    pub(super) checkpoints: u32,
    /// Nobody else may write into the folder.
    pub(super) _lock: Lock,
}

impl Writer {
    /// Starts a folder, which is made if there is none. Results that are there already are replaced with `force`,
    /// and kept, with an error, without. Other files in the folder are left alone, and a model that no run has put
    /// there is never replaced. `model` is the text of the model with all that it includes and all values set from
    /// outside, as `kingpin_io::to_toml_with` writes it.
    pub fn create(dir: &Path, header: &Header, model: &str, force: bool) -> Result<Writer, Error> {
        if fs::metadata(dir).is_ok_and(|found| !found.is_dir()) {
            let message = format!("`{}` is a file, not a folder", dir.display());
            return Err(Error::new(
                ErrorKind::NotAFolder,
                dir,
                message,
                "choose another name for the results",
            ));
        }
        let new = !dir.exists();
        fs::create_dir_all(dir).map_err(|error| Error::io("make the folder", dir, &error))?;
        let lock = Lock::take(dir)?;
        refuse(dir, force).inspect_err(|_| {
            if new {
                let _ = fs::remove_dir(dir);
            }
        })?;
        clear(dir)?;
        let mut writer = Writer {
            dir: dir.into(),
            width: header.width(),
            rows: Appender::create(&dir.join(ROWS))?,
            steps: Appender::create(&dir.join(STEPS))?,
            events: Appender::create(&dir.join(EVENTS))?,
            sums: Appender::create(&dir.join(SUMS))?,
            frames: 0,
            steps_written: 0,
            flushed: Instant::now(),
            checked: None,
            checkpoints: 0,
            _lock: lock,
        };
        writer.whole(MODEL, model.as_bytes())?;
        writer.whole(HEADER, &json(&dir.join(HEADER), header)?)?;
        writer.sums.sync()?;
        Ok(writer)
    }

    /// Writes a file as a whole, and its checksum.
    pub(super) fn whole(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        replace(&self.dir, name, bytes)?;
        self.sums.line(&sums::line(name, 0, bytes.len() as u64, Sum::of(bytes)))
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Frames written so far.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Adds a frame: the time, then one number per channel.
    pub fn frame(&mut self, row: &[f64]) -> Result<(), Error> {
        if row.len() != self.width {
            let message = format!("a frame of {} numbers instead of {}", row.len(), self.width);
            return Err(Error::new(ErrorKind::Unfit, &self.dir, message, "report this as a bug"));
        }
        self.rows.row(row)?;
        self.frames += 1;
        // the first frame is there at once for those who watch
        if self.frames == 1 { self.flush() } else { self.flush_if_due() }
    }

    /// Adds an accepted step.
    pub fn step(&mut self, step: &Step) -> Result<(), Error> {
        let report = &step.report;
        self.steps.row(&[
            report.t,
            report.h(),
            report.error,
            report.order as f64,
            report.rejected as f64,
            step.newton_iterations as f64,
            step.position_residual,
            step.velocity_residual,
        ])?;
        self.steps_written += 1;
        self.flush_if_due()
    }

    /// Adds an event.
    pub fn event(&mut self, event: &Happening) -> Result<(), Error> {
        let line = EventLine { t: event.t, what: event.what.clone() };
        let line =
            serde_json::to_string(&line).map_err(|error| Error::damaged(&self.dir.join(EVENTS), error))?;
        self.events.line(&line)?;
        self.flush_if_due()
    }

    /// Whether it is time for a checkpoint.
    pub fn checkpoint_is_due(&self) -> bool {
        match disk::steps_to_checkpoint() {
            Some(every) => self.steps_written.is_multiple_of(every),
            None => self.checked.is_none_or(|checked| checked.elapsed() >= BETWEEN),
        }
    }

    /// Replaces the checkpoint; some of those before are kept. Everything written before it is on the disk before it
    /// is, with checksums, so that it never says more than the files hold.
    pub fn checkpoint(&mut self, at: &dynamics::Checkpoint, carried: &[f64]) -> Result<(), Error> {
        self.sync()?;
        let run = Run { events: Vec::new(), ..at.run.clone() };
        let checkpoint = Checkpoint {
            at: dynamics::Checkpoint { run, memory: at.memory.clone(), ..*at },
            frames: self.frames,
            steps: self.steps_written,
            event_bytes: self.events.length(),
            sum_bytes: self.sums.length(),
            number: self.checkpoints,
            carried: carried.into(),
        };
        let bytes = checkpoint.to_bytes();
        slots::keep(&self.dir, self.checkpoints, bytes.len())?;
        replace(&self.dir, CHECKPOINT, &bytes)?;
        self.checkpoints = self.checkpoints.wrapping_add(1);
        self.checked = Some(Instant::now());
        Ok(())
    }

    /// Waits until everything is on the disk, and its checksums.
    fn sync(&mut self) -> Result<(), Error> {
        for part in [&mut self.rows, &mut self.steps, &mut self.events] {
            part.sync()?;
            if let Some(line) = part.seal() {
                self.sums.line(&line)?;
            }
        }
        self.sums.sync()
    }

    /// Hands all whole rows to the operating system, for readers that want them now.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.flushed = Instant::now();
        self.rows.flush()?;
        self.steps.flush()?;
        self.events.flush()
    }

    fn flush_if_due(&mut self) -> Result<(), Error> {
        if self.flushed.elapsed() >= DELAY { self.flush() } else { Ok(()) }
    }

    /// The run is over; the folder still belongs to this program while what it returns lives. The last checkpoint
    /// stays.
    pub fn finish(mut self, summary: &Summary) -> Result<Held, Error> {
        self.sync()?;
        let bytes = json(&self.dir.join(SUMMARY), summary)?;
        self.sums.line(&sums::line(SUMMARY, 0, bytes.len() as u64, Sum::of(&bytes)))?;
        self.sums.sync()?;
        replace(&self.dir, SUMMARY, &bytes)?;
        if summary.outcome != Outcome::Interrupted {
            slots::thin(&self.dir);
        }
        Ok(Held { _writer: self })
    }
}

/// A folder whose run is over, held until tables are made of it.
#[derive(Debug)]
pub struct Held {
    _writer: Writer,
}

impl Drop for Writer {
    /// What was written is kept when a run is given up; an error there has nobody to go to.
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

/// Whether something is in the way that may not be replaced.
fn refuse(dir: &Path, force: bool) -> Result<(), Error> {
    let taken = ALL.iter().chain(&TABLES).find(|name| dir.join(name).exists());
    let Some(taken) = taken else { return Ok(()) };
    let (ours, model) = (super::Reader::open(dir), dir.join(MODEL));
    // of a folder that was never finished, or is damaged, only its other files tell
    let written = match (&ours, fs::read(&model)) {
        (_, Err(_)) => true,
        (Ok(reader), Ok(text)) => [&super::fingerprint(&text), ""].contains(&reader.header().hash.as_str()),
        (Err(_), Ok(_)) => [ROWS, STEPS, EVENTS].iter().all(|name| dir.join(name).exists()),
    };
    if !written {
        let message = format!("`{}` is a model that no run has written", model.display());
        let advice = "models are never replaced: choose another folder for the results";
        return Err(Error::new(ErrorKind::Kept, dir, message, advice));
    }
    if force {
        return Ok(());
    }
    let message = if ours.is_ok() || dir.join(HEADER).exists() {
        format!("there are results in `{}` already", dir.display())
    } else {
        format!("`{}` is there already and would be replaced", dir.join(taken).display())
    };
    let advice = "choose another folder, or say that they may be overwritten";
    Err(Error::new(ErrorKind::Exists, dir, message, advice))
}

/// Removes results, and all that was made of them.
pub(super) fn clear(dir: &Path) -> Result<(), Error> {
    slots::clear(dir);
    for name in ALL {
        let path = dir.join(name);
        disk::remove(&path).map_err(|error| Error::io("replace", &path, &error))?;
    }
    clear_tables(dir)
}

/// Removes what was made of results that are about to change, and what is left of files that never became whole.
pub(super) fn clear_tables(dir: &Path) -> Result<(), Error> {
    for name in TABLES {
        let path = dir.join(name);
        disk::remove(&path).map_err(|error| Error::io("replace", &path, &error))?;
    }
    clear_halves(dir)
}

/// Removes what is left of files that never became whole.
pub(super) fn clear_halves(dir: &Path) -> Result<(), Error> {
    for name in TABLES.iter().chain(&ALL) {
        for ending in ["part", "new"] {
            let path = dir.join(format!("{name}.{ending}"));
            disk::remove(&path).map_err(|error| Error::io("replace", &path, &error))?;
        }
    }
    Ok(())
}

pub(super) fn json(path: &Path, value: &impl serde::Serialize) -> Result<Vec<u8>, Error> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|error| Error::damaged(path, error))?;
    text.push(b'\n');
    Ok(text)
}

/// Writes a file as a whole: under another name first, then renamed, so that there is never half of it.
pub fn replace(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let (path, new) = (dir.join(name), dir.join(format!("{name}.new")));
    let write = || {
        let mut file = disk::create(&new)?;
        disk::write_all(&mut file, bytes)?;
        file.sync_data()?;
        disk::rename(&new, &path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&new);
        Error::io("write", &path, &error)
    })
}
