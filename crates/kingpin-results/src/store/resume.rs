//! Goes on with a folder of results: from the last point up to which everything is as it was written.

use super::checkpoint::Checkpoint;
use super::lock::Lock;
use super::made;
use super::rows::Appender;
use super::sums::{Damage, HEAD, State, Sums, Verdict};
use super::survey::{Survey, look};
use super::writer::json;
use super::{
    CHECKPOINT, EVENTS, HEADER, Header, MODEL, ROWS, Reader, STEP_COLUMNS, STEPS, SUMMARY, SUMS, Summary,
    TABLES, Writer, slots,
};
use crate::error::{Error, ErrorKind};
use kingpin_files::{Chain, Chunk, Manifest, Sum, disk, put_aside, remove_leftovers};
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

/// A folder in which a run has begun; nobody else writes there.
#[derive(Debug)]
pub struct Begun {
    dir: PathBuf,
    lock: Lock,
    survey: Survey,
    summary: Option<Summary>,
    verdict: Verdict,
}

impl Begun {
    /// Looks at a folder; nothing comes back where no run has begun.
    pub fn open(dir: &Path) -> Result<Option<Begun>, Error> {
        if !dir.is_dir() {
            return Ok(None);
        }
        let lock = Lock::take(dir, Survey::of(dir)?.ours)?;
        let survey = Survey::of(dir)?;
        if !survey.has_begun()? {
            return Ok(None);
        }
        let verdict = survey.sums.verify(dir)?;
        let intact = verdict.damages.iter().all(|damage| damage.name != SUMMARY);
        let text = fs::read(dir.join(SUMMARY)).ok().filter(|_| intact);
        let summary = text.and_then(|text| serde_json::from_slice(&text).ok());
        Ok(Some(Begun { dir: dir.into(), lock, survey, summary, verdict }))
    }

    /// Its header, if it is not damaged.
    pub fn header(&self) -> Option<&Header> {
        let damaged = self.verdict.damages.iter().any(|damage| damage.name == HEADER);
        self.survey.header.as_ref().filter(|_| !damaged)
    }

    /// Whether the run began with this header: what its checksum says where it is damaged.
    pub fn began_with(&self, header: &Header) -> Result<bool, Error> {
        let bytes = json(&self.dir.join(HEADER), header)?;
        let content = Chunk::whole(bytes.len() as u64, Sum::of(&bytes));
        Ok(self.survey.sums.manifest.wrote(HEADER, content))
    }

    /// How the run ended; nothing if it has not, or if nobody knows any more.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    /// Whether everything is what was written; tables, pages and checkpoints aside.
    pub fn is_whole(&self) -> bool {
        self.verdict.damages.is_empty()
    }

    /// The run is over: what it has no use for is removed, in case it was killed before it could. Checkpoints that are
    /// damaged go as well, for nothing needs them; what they were is said. The folder stays locked.
    pub fn tidy(self) -> Result<(Lock, Vec<String>), Error> {
        let mut damages = Vec::new();
        let last = self.dir.join(CHECKPOINT);
        if self.survey.sums.manifest.knows(CHECKPOINT) && look(&last)?.is_nothing() {
            damages.push(format!(
                "`{}` is missing; it is needed only to continue the run to a later end time",
                last.display()
            ));
        }
        for path in places(&self.dir) {
            let Ok(bytes) = fs::read(&path) else { continue };
            if Checkpoint::from_bytes(&path, &bytes).is_ok() {
                continue;
            }
            let fail = |error: std::io::Error| Error::io("replace", &path, &error);
            let shown = path.display();
            if slots::is_ours(&path).map_err(fail)? {
                disk::remove(&path).map_err(fail)?;
                damages.push(format!("`{shown}` was damaged and is not needed; it was removed"));
            } else {
                let aside = put_aside(&path).map_err(fail)?;
                damages
                    .push(format!("`{shown}` is not a checkpoint and was renamed to `{}`", aside.display()));
            }
        }
        slots::thin(&self.dir);
        remove_leftovers(&self.dir).map_err(|error| Error::io("read", &self.dir, &error))?;
        Ok((self.lock, damages))
    }

    /// Goes on with results that were interrupted, damaged or are to be extended: everything after the last good
    /// checkpoint is cut off, and tables made of the results are removed. `header` replaces the one that is there:
    /// the caller has compared them. `model` is the text of the model.
    pub fn resume(self, header: &Header, model: &str) -> Result<Resumed, Error> {
        let Begun { dir, lock, survey, verdict, .. } = self;
        let dir = dir.as_path();
        let first = survey.header.as_ref().is_some_and(|header| header.version == 1);
        if survey.sums.state == State::Old || (first && survey.sums.state == State::Missing) {
            let message = format!("the results in `{}` were started by an earlier version", dir.display());
            let advice = "they can be read, but not resumed: start again with `--force`";
            return Err(Error::new(ErrorKind::Unfit, dir, message, advice));
        }
        let mut aside = Vec::new();
        slots::make_room(dir, &mut aside)?;
        let (checkpoint, mut damages) = choose(dir, header, &survey.sums, &verdict);
        damages.extend(verdict.damages.iter().map(|damage| damage.describe(dir, header)));
        let Some(at) = checkpoint else {
            let writer = Writer::start(lock, &survey, dir, header, model, aside)?;
            return Ok(Resumed { writer, checkpoint: None, damages });
        };
        forget_later(dir, &at, &mut aside)?;
        survey.retire_tables(&mut aside)?;
        aside.extend(survey.retire(SUMMARY)?);
        remove_leftovers(dir).map_err(|error| Error::io("read", dir, &error))?;
        let path = dir.join(SUMS);
        let text = fs::read(&path).map_err(|error| Error::io("read", &path, &error))?;
        let chain = Chain::of(text.get(..at.sum_bytes as usize).unwrap_or(&text));
        let bytes = |numbers: usize| 8 * numbers as u64;
        let mut writer = Writer {
            dir: dir.into(),
            width: header.width(),
            // the manifest first: it never says more than the files hold
            sums: Appender::resume(&path, at.sum_bytes)?,
            rows: Appender::resume(&dir.join(ROWS), at.frames * bytes(header.width()))?,
            steps: Appender::resume(&dir.join(STEPS), at.steps * bytes(STEP_COLUMNS.len()))?,
            events: Appender::resume(&dir.join(EVENTS), at.event_bytes)?,
            chain,
            frames: at.frames,
            steps_written: at.steps,
            flushed: Instant::now(),
            checked: None,
            checkpoints: at.number.wrapping_add(1),
            aside,
            _lock: lock,
        };
        let header = json(&dir.join(HEADER), header)?;
        for (name, bytes) in [(MODEL, model.as_bytes()), (HEADER, &header[..])] {
            // the line may be lost, or stand behind the checkpoint
            let content = Chunk::whole(bytes.len() as u64, Sum::of(bytes));
            let noted = Manifest::parse(&text[..at.sum_bytes.min(text.len() as u64) as usize], HEAD);
            let noted = noted.is_some_and(|manifest| manifest.wrote(name, content));
            if !noted || fs::read(dir.join(name)).ok().as_deref() != Some(bytes) {
                survey.make_room(name, bytes, &mut writer.aside)?;
                writer.whole(name, bytes)?;
            }
        }
        writer.sums.sync()?;
        Ok(Resumed { writer, checkpoint: Some(at), damages })
    }
}

impl Writer {
    /// Goes on with results: [`Begun::resume`].
    pub fn resume(dir: &Path, header: &Header, model: &str) -> Result<Resumed, Error> {
        match Begun::open(dir)? {
            Some(begun) => begun.resume(header, model),
            None => Ok(Resumed {
                writer: Writer::create(dir, header, model, false)?,
                checkpoint: None,
                damages: Vec::new(),
            }),
        }
    }
}

/// All places of checkpoints.
fn places(dir: &Path) -> impl Iterator<Item = PathBuf> {
    std::iter::once(dir.join(CHECKPOINT)).chain(slots::files(dir))
}

/// Removes checkpoints after the one from which the run goes on, and those that cannot be read: what they say of the
/// files will not be true any more.
fn forget_later(dir: &Path, chosen: &Checkpoint, aside: &mut Vec<PathBuf>) -> Result<(), Error> {
    for path in places(dir) {
        let fail = |error: std::io::Error| Error::io("replace", &path, &error);
        if look(&path)?.is_nothing() {
            continue;
        }
        if !slots::is_ours(&path).map_err(fail)? {
            aside.push(put_aside(&path).map_err(fail)?);
            continue;
        }
        let bytes = fs::read(&path).map_err(fail)?;
        let found = Checkpoint::from_bytes(&path, &bytes).ok();
        if found.is_none_or(|found| found.steps > chosen.steps) {
            disk::remove(&path).map_err(fail)?;
        }
    }
    Ok(())
}

/// The last checkpoint before any damage, and what is wrong with those that cannot be read.
fn choose(dir: &Path, header: &Header, sums: &Sums, verdict: &Verdict) -> (Option<Checkpoint>, Vec<String>) {
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
        let there = |name: &str| look(&dir.join(name)).is_ok_and(|found| found.is_file());
        let fits = good(ROWS, 8 * found.frames * header.width() as u64)
            && good(STEPS, 8 * found.steps * STEP_COLUMNS.len() as u64)
            && good(EVENTS, found.event_bytes)
            && [ROWS, STEPS, EVENTS].into_iter().all(there)
            && sums.manifest.good >= found.sum_bytes;
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
        let sums = Sums::read(self.dir())?;
        // the first version could do without
        if self.header().version == 1 && sums.state == State::Missing {
            return Ok(());
        }
        match sums.verify(self.dir())?.damages.first() {
            Some(damage) => Err(damage.error(self.dir(), self.header())),
            None => Ok(()),
        }
    }

    /// What is damaged and not needed to read the results: tables, the page, checkpoints; in sentences without a full
    /// stop. Tables that were removed are not missed. O(bytes)
    pub fn damaged_extras(&self) -> Result<Vec<String>, Error> {
        let (dir, mut said) = (self.dir(), Vec::new());
        let made = made::read(dir)?;
        for name in TABLES {
            let path = dir.join(name);
            let fail = |error: std::io::Error| Error::io("read", &path, &error);
            if made.knows(name) && look(&path)?.is_file() && !made.is_whole(name, &path).map_err(fail)? {
                said.push(format!("the checksum of `{}` is wrong", path.display()));
            }
        }
        if !look(&dir.join(super::MADE))?.is_nothing() && (!made::is_ours(dir)? || made.is_damaged) {
            said.push(format!("`{}` is damaged", dir.join(super::MADE).display()));
        }
        // the end of a run was noted before its files were there
        let sums = Sums::read(dir)?.manifest;
        for name in [SUMMARY, CHECKPOINT].into_iter().filter(|name| sums.knows(name)) {
            if look(&dir.join(name))?.is_nothing() {
                said.push(format!("`{}` is missing", dir.join(name).display()));
            }
        }
        for path in places(dir) {
            let Ok(bytes) = fs::read(&path) else { continue };
            if Checkpoint::from_bytes(&path, &bytes).is_err() {
                said.push(format!("`{}` is damaged", path.display()));
            }
        }
        Ok(said)
    }

    /// Whether a table or page among the results is what was made of them.
    pub fn is_made(&self, path: &Path) -> Result<bool, Error> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let fail = |error: std::io::Error| Error::io("read", path, &error);
        if !look(path)?.is_file() {
            return Ok(false);
        }
        // the first version did not note them
        let old = Sums::read(self.dir())?.state == State::Old;
        let made = made::read(self.dir())?;
        Ok(old || (!made.is_damaged && made.is_whole(&name, path).map_err(fail)?))
    }

    /// Makes room for a table or page: what is there and was not made of the results is put aside. Where it is then.
    pub fn make_room(&self, path: &Path) -> Result<Option<PathBuf>, Error> {
        if look(path)?.is_nothing() || self.is_made(path)? {
            return Ok(None);
        }
        put_aside(path).map(Some).map_err(|error| Error::io("replace", path, &error))
    }

    /// Tables and pages that were once made of the results, by their names.
    pub fn made(&self) -> Result<Vec<String>, Error> {
        made::names(self.dir())
    }
}

impl Damage {
    /// The advice for a folder whose header is damaged, too.
    pub fn unknown_run(dir: &Path) -> Error {
        let message = format!(
            "`{}` is damaged, and the run in `{}` was started with another model or other options",
            dir.join(HEADER).display(),
            dir.display()
        );
        let advice = "resume with the original model and options, or start again with `--force`";
        Error::new(ErrorKind::Damaged, dir, message, advice)
    }
}
