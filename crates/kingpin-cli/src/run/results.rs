//! What is made of results when a run is over: tables and the report page.

use super::journey::Journey;
use crate::input::ModelArgs;
use crate::output::{complain, warn};
use crate::page;
use crate::ready::Ready;
use kingpin::results::Channels;
use kingpin_files::disk;
use kingpin_results::format::{self, EXPORTS, Export, Writing};
use kingpin_results::store::Choice;
use kingpin_results::{Error, ErrorKind, Reader};
use std::fs;
use std::path::{Path, PathBuf};

/// Numbers that take so long to write that one wants to know.
const LARGE: usize = 5_000_000;

/// Where results go, and in which forms.
#[derive(clap::Args)]
pub struct Output {
    #[command(flatten)]
    pub place: Place,
    /// Resume the interrupted run in the folder, or start one if there is none; results are identical to those of an
    /// uninterrupted run
    #[arg(long, conflicts_with_all = ["force", "no_results"])]
    pub resume: bool,
}

/// Where results go, and in which forms, of what is not resumed.
#[derive(clap::Args)]
pub struct Place {
    /// Folder for results [default: MODEL-results; MODEL-kinematics of `kingpin kinematics`]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Export formats besides CSV
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', value_parser = crate::export::format(true))]
    format: Vec<&'static Export>,
    /// Replace existing results
    #[arg(long)]
    pub force: bool,
    /// Do not write files
    #[arg(long, conflicts_with_all = ["output", "format", "force"])]
    no_results: bool,
}

impl Place {
    /// The folder, if results are wanted: named after the model and a word, if nobody says how.
    pub fn dir(&self, model: &ModelArgs, ready: &Ready, wanted: bool, word: &str) -> Option<PathBuf> {
        if self.no_results {
            return None;
        }
        match &self.output {
            Some(dir) => Some(dir.clone()),
            None if !wanted && !self.force && self.format.is_empty() => None,
            None => Some(model.beside(&ready.model().name, &format!("-{word}"))),
        }
    }

    /// Whether all forms can be written.
    pub fn check(&self) -> Result<(), Error> {
        if let Some(name) =
            self.format.iter().find(|format| format.missing.is_some()).map(|format| format.name)
        {
            let (first, rest) = name.split_at(1);
            let message = format!("this build cannot write {}{rest} files", first.to_uppercase());
            let advice =
                format!("build it with `cargo build --release --features {name}`, or choose `csv` or `npy`");
            return Err(Error::new(ErrorKind::Unfit, Path::new(""), message, advice));
        }
        Ok(())
    }

    /// Makes the tables that are wanted; of those that were made before only what is missing or damaged.
    pub fn tables(&self, dir: &Path, quiet: bool, again: bool) -> Result<Vec<PathBuf>, Error> {
        let reader = Reader::open(dir)?;
        let all = Choice::default();
        // CSV is always written
        let mut formats: Vec<&Export> = Export::named("csv").into_iter().collect();
        for &format in &self.format {
            if formats.iter().all(|known| known.name != format.name) {
                formats.push(format);
            }
        }
        let before = reader.made()?;
        for format in EXPORTS.iter().filter(|format| again && format.is_table() && format.missing.is_none()) {
            let known = before.contains(&format!("results.{}", format.ending));
            if known && formats.iter().all(|other| other.name != format.name) {
                formats.push(format);
            }
        }
        let mut made = Vec::new();
        for format in formats {
            let path = dir.join(format!("results.{}", format.ending));
            let beside = format.beside.map(|beside| beside(&path));
            let all_made = || -> Result<bool, Error> {
                Ok(reader.is_made(&path)? && beside.as_ref().map_or(Ok(true), |path| reader.is_made(path))?)
            };
            if again && all_made()? {
                continue;
            }
            let mut aside = Vec::new();
            for path in [Some(&path), beside.as_ref()].into_iter().flatten() {
                aside.extend(reader.make_room(path)?.map(|old| (path.clone(), old)));
            }
            if !quiet && reader.frames() as usize * reader.header().channels.len() > LARGE {
                complain(&format!("  writing {}\n", path.display()));
            }
            match format.write {
                Writing::Table(write) => write(&reader, &all, &path)?,
                Writing::Stream(write) => write(&reader, &all, format::Output::file(&path)?)?,
                // not among the formats of tables
                Writing::Motion(_) => continue,
            }
            note_aside(aside)?;
            made.push(path);
        }
        Ok(made)
    }
}

impl Output {
    /// The folder, if results are wanted.
    pub fn dir(&self, model: &ModelArgs, ready: &Ready, printing: bool) -> Option<PathBuf> {
        self.place.dir(model, ready, !printing || self.resume, "results")
    }

    /// Makes tables and the page.
    pub fn make(&self, journey: &mut Journey, quiet: bool) -> Result<(), Error> {
        let ready = journey.ready;
        let Some(results) = &mut journey.results else { return Ok(()) };
        let made = self.place.tables(&results.dir, quiet, false)?;
        results.tables.extend(made);
        results.page = page(&results.dir, ready, quiet)?;
        Ok(())
    }

    /// Makes what is missing of a run that is over, and says so.
    pub fn complete(&self, dir: &Path, ready: &Ready, quiet: bool, failed: bool) -> Result<(), Error> {
        let mut made = self.place.tables(dir, true, true)?;
        if !Reader::open(dir)?.is_made(&dir.join(page::REPORT))? {
            made.extend(page(dir, ready, quiet)?);
        }
        let shown = dir.display();
        complain(&match made.len() {
            _ if failed => String::new(),
            0 => format!("The run in `{shown}` is complete.\n"),
            _ => format!("The run in `{shown}` was complete.\n"),
        });
        made.iter().for_each(|path| complain(&format!("  wrote {}\n", path.display())));
        Ok(())
    }
}

/// The page; one that cannot be made of these results is told, and nothing else is wrong.
fn page(dir: &Path, ready: &Ready, quiet: bool) -> Result<Option<PathBuf>, Error> {
    let reader = Reader::open(dir)?;
    // the run failed at once, and says why
    if reader.frames() == 0 {
        return Ok(None);
    }
    if reader.header().channels.len() < Channels::count(ready.system()) {
        let why = "the report page needs the motion of all bodies, but not all are recorded (use `--channels \
             '*'`)";
        if !quiet {
            complain(&format!("note: no `{}` was written: {why}\n", page::REPORT));
        }
        return Ok(None);
    }
    let report = dir.join(page::REPORT);
    let aside = reader.make_room(&report)?.map(|old| (report, old));
    let written = page::write(dir, ready);
    note_aside(aside)?;
    match written {
        Ok(None) if !quiet => {
            complain(&format!("note: no `{}` was written: {}\n", page::REPORT, page::MISSING));
            Ok(None)
        }
        Err(error) if error.kind == ErrorKind::Unfit => {
            warn("no-report", &format!("no `{}` was written: {error}\n\n", page::REPORT));
            Ok(None)
        }
        other => other,
    }
}

/// Says which files stood in the way and have another name now. One that is what was written in its place was ours
/// after all, and goes.
fn note_aside(aside: impl IntoIterator<Item = (PathBuf, PathBuf)>) -> Result<(), Error> {
    for (path, old) in aside {
        let same = fs::read(&path).is_ok_and(|new| fs::read(&old).is_ok_and(|own| own == new));
        if same {
            disk::remove(&old).map_err(|error| Error::io("replace", &old, &error))?;
        } else {
            super::folder::say_aside(&[old]);
        }
    }
    Ok(())
}
