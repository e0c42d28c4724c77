//! Writes a folder of results while a run goes on.

use super::checkpoint::Checkpoint;
use super::events::EventLine;
use super::lock::Lock;
use super::rows::Appender;
use super::sums::HEAD;
use super::survey::{Survey, look};
use super::{CHECKPOINT, EVENTS, HEADER, Header, MODEL, Outcome, ROWS, STEPS, SUMMARY, SUMS, Summary, slots};
use crate::error::{Error, ErrorKind};
use kingpin::dynamics::{self, Happening, Run, Step};
use kingpin_files::{Chain, Chunk, Found, Part, Sum, disk, put_aside, remove_leftovers, replace};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
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
    /// The chain of the lines of `sums`.
    pub(super) chain: Chain,
    pub(super) frames: u64,
    pub(super) steps_written: u64,
    /// When everything was handed to the operating system.
    pub(super) flushed: Instant,
    /// When the last checkpoint was written, and how many there were.
    pub(super) checked: Option<Instant>,
    pub(super) checkpoints: u32,
    /// Files that stood in the way and have another name now.
    pub(super) aside: Vec<PathBuf>,
    /// Nobody else may write into the folder.
    pub(super) _lock: Lock,
}

impl Writer {
    /// Starts a folder, which is made if there is none. Results that are there already are replaced with `force`,
    /// and kept, with an error, without. Other files in the folder are left alone, and a file that no run has put
    /// there under a name that results need is never replaced. `model` is the text of the model with all that it
    /// includes and all values set from outside, as `kingpin_io::to_toml_with` writes it.
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
        let new = Found::at(dir).is_ok_and(|found| found.is_nothing());
        disk::create_dir_all(dir).map_err(|error| Error::io("create the folder", dir, &error))?;
        let prepared = || {
            // before the lock is there: what is not ours shall not be touched
            let ours = Survey::of(dir)?.ours;
            let lock = Lock::take(dir, ours)?;
            let survey = Survey::of(dir)?;
            if !force && survey.is_useful()? {
                let message = format!("`{}` already contains results", dir.display());
                let advice = "choose another folder, or permit overwriting";
                return Err(Error::new(ErrorKind::Exists, dir, message, advice));
            }
            Ok((lock, survey))
        };
        let (lock, survey) = prepared().inspect_err(|_| {
            if new {
                disk::remove_dir(dir);
            }
        })?;
        Writer::start(lock, &survey, dir, header, model, Vec::new())
    }

    /// Starts a folder that is locked, in place of all that is there of ours.
    pub(super) fn start(
        lock: Lock,
        survey: &Survey,
        dir: &Path,
        header: &Header,
        model: &str,
        mut aside: Vec<PathBuf>,
    ) -> Result<Writer, Error> {
        let (sums, chain) = begin_sums(survey, dir, &mut aside)?;
        let mut writer = Writer {
            dir: dir.into(),
            width: header.width(),
            rows: Appender::create(&dir.join(ROWS))?,
            steps: Appender::create(&dir.join(STEPS))?,
            events: Appender::create(&dir.join(EVENTS))?,
            sums: Appender::resume(&dir.join(SUMS), sums)?,
            chain,
            frames: 0,
            steps_written: 0,
            flushed: Instant::now(),
            checked: None,
            checkpoints: 0,
            aside,
            _lock: lock,
        };
        writer.whole(MODEL, model.as_bytes())?;
        writer.whole(HEADER, &json(&dir.join(HEADER), header)?)?;
        writer.sums.sync()?;
        Ok(writer)
    }

    /// Notes a chunk of a file.
    pub(super) fn note(&mut self, name: &str, chunk: Chunk) -> Result<(), Error> {
        self.sums.line(&self.chain.line(name, chunk))
    }

    /// Writes a file as a whole, after its checksum. What is there may be replaced.
    pub(super) fn whole(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.note(name, Chunk::whole(bytes.len() as u64, Sum::of(bytes)))?;
        // a line that a power cut loses is missed later, and the file written again
        self.sums.flush()?;
        let path = self.dir.join(name);
        replace(&path, bytes).map_err(|error| Error::io("write", &path, &error))
    }

    /// Files that stood in the way under names of results and have another name now.
    pub fn put_aside(&self) -> &[PathBuf] {
        &self.aside
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
        self.events.line(&(line + "\n"))?;
        self.flush_if_due()
    }

    /// Whether it is time for a checkpoint.
    pub fn checkpoint_is_due(&self) -> bool {
        match steps_to_checkpoint() {
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
        let path = self.dir.join(CHECKPOINT);
        let fail = |error: std::io::Error| Error::io("write", &path, &error);
        // a file of somebody else is not written over
        if !Found::at(&path).map_err(fail)?.is_nothing() && !slots::is_ours(&path).map_err(fail)? {
            self.aside.push(put_aside(&path).map_err(fail)?);
        }
        replace(&path, &bytes).map_err(fail)?;
        self.checkpoints = self.checkpoints.wrapping_add(1);
        self.checked = Some(Instant::now());
        Ok(())
    }

    /// Waits until everything is on the disk, and its checksums.
    fn sync(&mut self) -> Result<(), Error> {
        for (name, part) in [(ROWS, &mut self.rows), (STEPS, &mut self.steps), (EVENTS, &mut self.events)] {
            part.sync()?;
            if let Some(chunk) = part.seal() {
                self.sums.line(&self.chain.line(name, chunk))?;
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
        // nothing is read from the last checkpoint any more, but that it is missing shall be noticed
        if let Ok(bytes) = fs::read(self.dir.join(CHECKPOINT)) {
            self.note(CHECKPOINT, Chunk::whole(bytes.len() as u64, Sum::of(&bytes)))?;
        }
        let bytes = json(&self.dir.join(SUMMARY), summary)?;
        self.whole(SUMMARY, &bytes)?;
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

/// Begins the manifest anew and removes everything else of ours; its length, and its chain. At any moment in between
/// there is a manifest, or nothing else: the folder is known to be ours.
fn begin_sums(survey: &Survey, dir: &Path, aside: &mut Vec<PathBuf>) -> Result<(u64, Chain), Error> {
    let (mut text, mut chain) = Chain::begin(HEAD);
    for name in [ROWS, STEPS, EVENTS] {
        text += &chain.line(name, Chunk::CLAIM);
    }
    let path = dir.join(SUMS);
    let fail = |error: std::io::Error| Error::io("write", &path, &error);
    let there = !look(&path)?.is_nothing();
    if there && survey.sums.state == super::sums::State::Good {
        survey.retire_all(aside)?;
        replace(&path, text.as_bytes()).map_err(fail)?;
    } else {
        aside.extend(survey.retire(SUMS)?);
        let mut part = Part::beside(&path).map_err(fail)?;
        part.write_all(text.as_bytes()).and_then(|()| part.sync()).map_err(fail)?;
        part.place_new(&path).map_err(fail)?;
        survey.retire_all(aside)?;
    }
    remove_leftovers(dir).map_err(fail)?;
    Ok((text.len() as u64, chain))
}

/// Steps between two checkpoints, if the variable `KINGPIN_TEST_CHECKPOINT` says so: for tests, which must not depend
/// on the clock.
fn steps_to_checkpoint() -> Option<u64> {
    static EVERY: OnceLock<Option<u64>> = OnceLock::new();
    let read = || disk::test_variable("KINGPIN_TEST_CHECKPOINT")?.parse().ok().filter(|every| *every > 0);
    *EVERY.get_or_init(read)
}

pub(super) fn json(path: &Path, value: &impl serde::Serialize) -> Result<Vec<u8>, Error> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|error| Error::damaged(path, error))?;
    text.push(b'\n');
    Ok(text)
}
