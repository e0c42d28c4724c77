//! Writes a folder of results while a run goes on.

use super::checkpoint::Checkpoint;
use super::events::EventLine;
use super::rows::Appender;
use super::{
    ALL, CHECKPOINT, EVENTS, HEADER, Header, MODEL, Outcome, ROWS, STEP_COLUMNS, STEPS, SUMMARY, Summary,
};
use crate::error::{Error, ErrorKind};
use kingpin::dynamics::{self, Event, Run, Step};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time that rows are held back at most, while anything comes.
const DELAY: Duration = Duration::from_secs(1);
/// Time between two checkpoints at least: each waits for the disk.
const BETWEEN: Duration = Duration::from_millis(250);

/// A folder of results under way.
#[derive(Debug)]
pub struct Writer {
    dir: PathBuf,
    width: usize,
    rows: Appender,
    steps: Appender,
    events: Appender,
    frames: u64,
    steps_written: u64,
    event_bytes: u64,
    /// When everything was handed to the operating system.
    flushed: Instant,
    /// A checkpoint that is not written yet, and when the last one was.
    waiting: Option<Checkpoint>,
    checked: Option<Instant>,
}

impl Writer {
    /// Starts a folder, which is made if there is none. Results that are there already are replaced with `force`,
    /// and kept, with an error, without. Other files in the folder are left alone. `model` is the text of the model
    /// with all that it includes and all values set from outside, as `kingpin_io::to_toml_with` writes it.
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
        let taken = ALL.iter().any(|name| dir.join(name).exists());
        if taken && !force {
            let message = format!("there are results in `{}` already", dir.display());
            let advice = "choose another folder, or say that they may be overwritten";
            return Err(Error::new(ErrorKind::Exists, dir, message, advice));
        }
        fs::create_dir_all(dir).map_err(|error| Error::io("make the folder", dir, &error))?;
        for path in ALL.map(|name| dir.join(name)) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Error::io("replace", &path, &error));
                }
                _ => {}
            }
        }
        let writer = Writer {
            dir: dir.into(),
            width: header.width(),
            rows: Appender::create(&dir.join(ROWS))?,
            steps: Appender::create(&dir.join(STEPS))?,
            events: Appender::create(&dir.join(EVENTS))?,
            frames: 0,
            steps_written: 0,
            event_bytes: 0,
            flushed: Instant::now(),
            waiting: None,
            checked: None,
        };
        replace(dir, MODEL, model.as_bytes())?;
        replace(dir, HEADER, &json(&dir.join(HEADER), header)?)?;
        Ok(writer)
    }

    /// Goes on with interrupted results: everything after the last checkpoint is cut off. Nothing is known of runs
    /// without a checkpoint.
    pub fn resume(dir: &Path) -> Result<(Writer, Header, Checkpoint), Error> {
        let reader = super::Reader::open(dir)?;
        let Some(checkpoint) = reader.checkpoint()? else {
            let message = format!("the results in `{}` have no checkpoint to go on from", dir.display());
            return Err(Error::new(ErrorKind::NoResults, dir, message, "start the simulation anew"));
        };
        let (header, bytes) = (reader.header().clone(), |numbers: usize| 8 * numbers as u64);
        let writer = Writer {
            dir: dir.into(),
            width: header.width(),
            rows: Appender::resume(&dir.join(ROWS), checkpoint.frames * bytes(header.width()))?,
            steps: Appender::resume(&dir.join(STEPS), checkpoint.steps * bytes(STEP_COLUMNS.len()))?,
            events: Appender::resume(&dir.join(EVENTS), checkpoint.event_bytes)?,
            frames: checkpoint.frames,
            steps_written: checkpoint.steps,
            event_bytes: checkpoint.event_bytes,
            flushed: Instant::now(),
            waiting: None,
            checked: None,
        };
        match fs::remove_file(dir.join(SUMMARY)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::io("replace", &dir.join(SUMMARY), &error))
            }
            _ => Ok((writer, header, checkpoint)),
        }
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
    pub fn event(&mut self, event: &Event) -> Result<(), Error> {
        let line = EventLine { t: event.t, what: event.what.clone() };
        let line =
            serde_json::to_string(&line).map_err(|error| Error::damaged(&self.dir.join(EVENTS), error))?;
        self.event_bytes += line.len() as u64 + 1;
        self.events.line(&line)?;
        self.flush_if_due()
    }

    /// Notes a checkpoint. They are written a few times a second at most, the last one by [`Writer::save_checkpoint`].
    pub fn checkpoint(&mut self, at: &dynamics::Checkpoint, carried: &[f64]) -> Result<(), Error> {
        let run = Run { events: Vec::new(), ..at.run.clone() };
        self.waiting = Some(Checkpoint {
            at: dynamics::Checkpoint { run, ..*at },
            frames: self.frames,
            steps: self.steps_written,
            event_bytes: self.event_bytes,
            carried: carried.into(),
        });
        let due = self.checked.is_none_or(|checked| checked.elapsed() >= BETWEEN);
        if due { self.save_checkpoint() } else { Ok(()) }
    }

    /// Replaces the checkpoint by the one noted last. Everything written before it is on the disk before it is, so
    /// that it never says more than the files hold.
    pub fn save_checkpoint(&mut self) -> Result<(), Error> {
        let Some(checkpoint) = self.waiting.take() else { return Ok(()) };
        self.rows.sync()?;
        self.steps.sync()?;
        self.events.sync()?;
        replace(&self.dir, CHECKPOINT, &checkpoint.to_bytes())?;
        self.checked = Some(Instant::now());
        Ok(())
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

    /// The run is over. The checkpoint stays only if there is something to go on with.
    pub fn finish(mut self, summary: &Summary) -> Result<(), Error> {
        if summary.outcome == Outcome::Interrupted {
            self.save_checkpoint()?;
        }
        self.rows.sync()?;
        self.steps.sync()?;
        self.events.sync()?;
        replace(&self.dir, SUMMARY, &json(&self.dir.join(SUMMARY), summary)?)?;
        if summary.outcome != Outcome::Interrupted {
            let _ = fs::remove_file(self.dir.join(CHECKPOINT));
        }
        Ok(())
    }
}

impl Drop for Writer {
    /// What was written is kept when a run is given up; an error there has nobody to go to.
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

fn json(path: &Path, value: &impl serde::Serialize) -> Result<Vec<u8>, Error> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|error| Error::damaged(path, error))?;
    text.push(b'\n');
    Ok(text)
}

/// Writes a file as a whole: under another name first, then renamed, so that there is never half of it.
pub fn replace(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let (path, new) = (dir.join(name), dir.join(format!("{name}.new")));
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&new, &path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&new);
        Error::io("write", &path, &error)
    })
}
