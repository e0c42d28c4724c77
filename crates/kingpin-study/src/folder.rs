//! A study on the disk: what it is, its table, and curves if they were asked for. A study that was interrupted or
//! damaged, however that came about, goes on behind the last line of its table up to which everything is as it was
//! written. The manifest `sums` says which files are ours, and what is in them.

use crate::gauge::Curves;
use crate::point::Row;
use crate::study::{Column, Study};
use crate::table::{heading, line, parse};
use kingpin_files::{
    Chain, Chunk, Found, Manifest, Sum, disk, is_part, open_own, put_aside, remove_leftovers, replace,
};
use kingpin_results::format::{Cells, cell};
use kingpin_results::store::{Lock, fingerprint};
use kingpin_results::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The file that says what a study is.
pub const DEFINITION: &str = "study.json";
/// The file of its table.
pub const TABLE: &str = "table.csv";
/// The folder of curves, a file for each point.
pub const CURVES: &str = "curves";
/// The manifest.
const SUMS: &str = "sums";
/// The first line of the manifest.
const HEAD: &str = "kingpin-study-sums 1";
/// The version of all that. The first had no manifest.
const VERSION: u32 = 2;
/// What mends damaged studies.
const REMEDY: &str = "run `kingpin sweep` with the same arguments and `--resume` to compute it again";

/// What a study is, as its folder keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// Version of the folder.
    pub version: u32,
    /// The model file, as it was named.
    pub model: String,
    /// Parameters set at all points.
    pub set: Vec<String>,
    /// What is varied.
    pub vary: Vec<String>,
    /// What is computed.
    pub of: Vec<String>,
    /// Samples, if points are drawn.
    pub samples: Option<usize>,
    /// Seed of what is drawn.
    pub seed: Option<u64>,
    /// Whether samples are a Latin hypercube.
    pub latin_hypercube: bool,
    /// Patterns of channels that are kept over time.
    pub channels: Vec<String>,
    /// Points.
    pub points: usize,
    /// Names and units of the columns of numbers, parameters first.
    pub columns: Vec<(String, String)>,
    /// How the command made its runs, for those who run a point again: words such as `--t-end 2`.
    #[serde(default)]
    pub settings: Vec<String>,
    /// Follows from the model and its settings.
    pub hash: String,
}

impl Definition {
    /// That of a study of a model file.
    pub fn new(study: &Study, model: &str, set: &[String]) -> Definition {
        let sampling = study.points().sampling();
        let columns = study.columns().iter().map(|Column { name, unit }| (name.clone(), unit.clone()));
        Definition {
            version: VERSION,
            model: model.into(),
            set: set.to_vec(),
            vary: study.points().variations().iter().map(|variation| variation.text.clone()).collect(),
            of: study.scalars().iter().map(|scalar| scalar.text.clone()).collect(),
            samples: sampling.map(|sampling| sampling.count),
            seed: sampling.map(|sampling| sampling.seed),
            latin_hypercube: sampling.is_some_and(|sampling| sampling.latin),
            channels: study.curves().to_vec(),
            points: study.points().len(),
            columns: columns.collect(),
            settings: Vec::new(),
            hash: fingerprint(study.identity().as_bytes()),
        }
    }

    /// Reads it from a folder.
    pub fn open(dir: &Path) -> Result<Definition, Error> {
        let path = dir.join(DEFINITION);
        let text = fs::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if is_study(dir) => {
                Error::new(ErrorKind::Damaged, &path, format!("`{}` is missing", path.display()), REMEDY)
            }
            io::ErrorKind::NotFound => {
                let message = format!("there is no study in `{}`", dir.display());
                Error::new(ErrorKind::NoResults, dir, message, "`kingpin sweep` writes one")
            }
            _ => Error::io("read", &path, &error),
        })?;
        serde_json::from_slice(&text)
            .map_err(|error| Error { advice: REMEDY.into(), ..Error::damaged(&path, error) })
    }

    /// As the folder keeps it.
    fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The columns of numbers, parameters first.
    pub fn titles(&self) -> Vec<Column> {
        let column = |(name, unit): &(String, String)| Column { name: name.clone(), unit: unit.clone() };
        self.columns.iter().map(column).collect()
    }

    /// The first thing in which another study differs, in words.
    fn difference(&self, other: &Definition) -> Option<&'static str> {
        // the same settings may be said in other words
        let other = &Definition { settings: self.settings.clone(), ..other.clone() };
        let differs = [
            (self.version != other.version, "it was written by another version"),
            (self.vary != other.vary, "the varied values differ"),
            (self.of != other.of, "the metrics differ"),
            (self.samples != other.samples, "the samples differ"),
            (self.seed != other.seed, "the seed differs"),
            (self.latin_hypercube != other.latin_hypercube, "the sampling method differs"),
            (self.channels != other.channels, "the recorded channels differ"),
            (self.hash != other.hash, "the model, its parameters or its settings differ"),
            (self != other && self.model == other.model, "it is described differently"),
        ];
        differs.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
    }
}

/// Whether a folder holds a study.
pub fn is_study(dir: &Path) -> bool {
    dir.join(DEFINITION).is_file() || begins_our_sums(&dir.join(SUMS))
}

/// Whether a file begins as the manifest of a study does.
fn begins_our_sums(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD.len() as u64).read_to_end(&mut head));
    read.is_ok() && head == HEAD.as_bytes() && Found::at(path).is_ok_and(|found| found.is_file())
}

/// What a folder holds before anything is written into it.
struct Survey {
    dir: PathBuf,
    /// The manifest, if there is one of ours.
    sums: Option<Manifest>,
    /// Whether the folder is that of a study.
    ours: bool,
}

impl Survey {
    fn of(dir: &Path) -> Result<Survey, Error> {
        let path = dir.join(SUMS);
        let sums = match look(&path)? {
            Found::File(_) => {
                let bytes = fs::read(&path).map_err(|error| Error::io("read", &path, &error))?;
                Manifest::parse(&bytes, HEAD)
            }
            _ => None,
        };
        let ours = sums.is_some() || Definition::open(dir).is_ok();
        Ok(Survey { dir: dir.into(), sums, ours })
    }

    /// That something of somebody else stands in the folder is an error.
    fn refuse_others(&self) -> Result<(), Error> {
        let dir = &self.dir;
        if self.ours || !dir.is_dir() {
            return Ok(());
        }
        // what a study that was killed at once has left is no hindrance
        let entries = fs::read_dir(dir).map_err(|error| Error::io("read", dir, &error))?;
        let names = entries.filter_map(Result::ok).map(|entry| entry.file_name());
        if names.into_iter().all(|name| name == "lock" || is_part(&name)) {
            return Ok(());
        }
        let message = format!("`{}` contains other files than those of a study", dir.display());
        Err(Error::new(ErrorKind::Kept, dir, message, "choose another folder"))
    }

    /// Whether rows are there.
    fn is_useful(&self) -> Result<bool, Error> {
        let path = self.dir.join(TABLE);
        let lines = match look(&path)? {
            Found::File(_) if self.ours => {
                let bytes = fs::read(&path).map_err(|error| Error::io("read", &path, &error))?;
                bytes.iter().filter(|byte| **byte == b'\n').count()
            }
            _ => 0,
        };
        Ok(lines > 1)
    }

    /// Whether a file is what we have written.
    fn is_known(&self, name: &str) -> Result<bool, Error> {
        let path = self.dir.join(name);
        let fail = |error: io::Error| Error::io("read", &path, &error);
        let Some(sums) = self.sums.as_ref().filter(|_| look(&path).is_ok_and(|found| found.is_file())) else {
            return Ok(false);
        };
        match sums.chunks(name).filter(|_| name == TABLE) {
            // nothing is sealed yet: a study that was killed may have begun its heading, or somebody else wrote
            Some([Chunk::CLAIM]) => {
                let (bytes, begins) = (fs::read(&path).map_err(fail)?, heading(&[]));
                let common = bytes.len().min(5);
                Ok(bytes[..common] == begins.as_bytes()[..common])
            }
            Some(list) => {
                let file = File::open(&path).map_err(fail)?;
                Ok(Manifest::compare(file, &list[..list.len().min(1)]).map_err(fail)?.1.is_none())
            }
            None => sums.is_whole(name, &path).map_err(fail),
        }
    }

    /// Removes a file that is what we have written; any other is put aside.
    fn retire(&self, name: &str) -> Result<(), Error> {
        let path = self.dir.join(name);
        let fail = |error: io::Error| Error::io("replace", &path, &error);
        if look(&path)?.is_nothing() {
            return Ok(());
        }
        if self.is_known(name)? { disk::remove(&path) } else { put_aside(&path).map(|_| ()) }.map_err(fail)
    }

    /// Removes curves of points from this one on; files of others in their folder stay.
    fn retire_curves(&self, first: usize) -> Result<(), Error> {
        let dir = self.dir.join(CURVES);
        let fail = |error: io::Error| Error::io("replace", &dir, &error);
        match look(&dir)? {
            Found::Nothing => return Ok(()),
            Found::Folder => {}
            _ => return put_aside(&dir).map(|_| ()).map_err(fail),
        }
        let names = self.sums.iter().flat_map(Manifest::files).map(|(name, _)| name);
        for name in names.filter(|name| curve_of(name).is_some_and(|point| point >= first)) {
            self.retire(name)?;
        }
        if first == 0 {
            disk::remove_dir(&dir);
        }
        remove_leftovers(&dir).map_err(fail)
    }
}

fn look(path: &Path) -> Result<Found, Error> {
    Found::at(path).map_err(|error| Error::io("read", path, &error))
}

/// The point of a file of curves as manifests name it.
fn curve_of(name: &str) -> Option<usize> {
    name.strip_prefix(CURVES)?.strip_prefix('/')?.strip_suffix(".csv")?.parse().ok()
}

/// The name of a file of curves in manifests.
fn curve_name(point: usize) -> String {
    format!("{CURVES}/{}", curve_file(point))
}

/// A folder that a study is filling.
pub struct StudyFolder {
    dir: PathBuf,
    table: File,
    /// Bytes of the table.
    length: u64,
    sums: File,
    chain: Chain,
    next: usize,
    damages: Vec<String>,
    _lock: Lock,
}

impl StudyFolder {
    /// An empty one. What is there already is replaced only by `force`, and only if it is a study.
    pub fn create(dir: &Path, definition: &Definition, force: bool) -> Result<StudyFolder, Error> {
        Survey::of(dir)?.refuse_others()?;
        disk::create_dir_all(dir).map_err(|error| Error::io("write", dir, &error))?;
        let lock = Lock::take(dir, Survey::of(dir)?.ours)?;
        let survey = Survey::of(dir)?;
        if !force && survey.is_useful()? {
            let message = format!("`{}` already contains a study", dir.display());
            let advice = "use `--force` to replace it, `--resume` to continue an interrupted one, or `-o DIR` \
                 for another folder";
            return Err(Error::new(ErrorKind::Exists, dir, message, advice));
        }
        StudyFolder::start(dir, definition, lock, &survey, Vec::new())
    }

    /// Begins anew in a folder that is locked. There is always a manifest while anything of ours is there.
    fn start(
        dir: &Path,
        definition: &Definition,
        lock: Lock,
        survey: &Survey,
        damages: Vec<String>,
    ) -> Result<StudyFolder, Error> {
        let (mut text, mut chain) = Chain::begin(HEAD);
        text += &chain.line(TABLE, Chunk::CLAIM);
        let place = |own: &Survey| {
            let path = dir.join(SUMS);
            if own.sums.is_none() {
                own.retire(SUMS)?;
            }
            replace(&path, text.as_bytes()).map_err(|error| Error::io("write", &path, &error))
        };
        if survey.sums.is_none() {
            place(survey)?;
        }
        for name in [DEFINITION, TABLE] {
            survey.retire(name)?;
        }
        survey.retire_curves(0)?;
        if survey.sums.is_some() {
            place(survey)?;
        }
        remove_leftovers(dir).map_err(|error| Error::io("read", dir, &error))?;
        let path = dir.join(TABLE);
        let table = disk::create_new(&path).map_err(|error| Error::io("write", &path, &error))?;
        let mut folder = StudyFolder {
            dir: dir.into(),
            table,
            length: 0,
            sums: open_sums(dir)?,
            chain,
            next: 0,
            damages,
            _lock: lock,
        };
        folder.append(&heading(&definition.titles()))?;
        folder.whole(DEFINITION, definition.json().as_bytes())?;
        Ok(folder)
    }

    /// Goes on with the same study; whole rows that are there are given to `known`, what is torn or damaged is cut off.
    /// Where none has begun, one begins.
    pub fn resume(
        dir: &Path,
        definition: &Definition,
        known: &mut dyn FnMut(Row),
    ) -> Result<StudyFolder, Error> {
        let survey = Survey::of(dir)?;
        survey.refuse_others()?;
        let begun = survey.is_useful()? || !look(&dir.join(DEFINITION))?.is_nothing();
        if !survey.ours || !begun {
            return StudyFolder::create(dir, definition, false);
        }
        let lock = Lock::take(dir, true)?;
        let survey = Survey::of(dir)?;
        let mut damages = Vec::new();
        let shown = |name: &str| dir.join(name).display().to_string();
        let json = definition.json();
        let own = Chunk::whole(json.len() as u64, Sum::of(json.as_bytes()));
        match Definition::open(dir) {
            Ok(there) if there.version == 1 || survey.sums.is_none() || survey.is_known(DEFINITION)? => {
                if let Some(what) = there.difference(definition) {
                    let message = format!("the study in `{}` differs: {what}", dir.display());
                    let advice = "give the options of that study, or start again with `--force`";
                    return Err(Error::new(ErrorKind::Unfit, dir, message, advice));
                }
            }
            // damaged, but its checksum says that it was the same
            _ if survey.sums.as_ref().is_some_and(|sums| sums.wrote(DEFINITION, own)) => {
                damages.push(format!("`{}` is damaged", shown(DEFINITION)));
            }
            _ => {
                let message = format!(
                    "`{}` is damaged, and the study was started with other arguments",
                    shown(DEFINITION)
                );
                let advice = "resume with the original arguments, or start again with `--force`";
                return Err(Error::new(ErrorKind::Damaged, dir, message, advice));
            }
        }
        let Some(sums) = survey.sums.as_ref() else {
            damages.push(format!("`{}` is missing or damaged", shown(SUMS)));
            return StudyFolder::start(dir, definition, lock, &survey, damages);
        };
        if sums.is_damaged {
            damages.push(format!("`{}` is damaged", shown(SUMS)));
        }
        // lines of the table up to the first of which the row or the curves are not what was written
        let (mut good, mut next, mut chunks) = (0u64, 0usize, Vec::new());
        let sealed = seals(dir, sums)?;
        if let Some(said) = &sealed.damage {
            damages.push(said.clone());
        }
        let head = heading(&definition.titles());
        for (chunk, line) in sealed.lines {
            if good == 0 {
                if line != head {
                    damages.push(format!("`{}` is damaged: it is not the table of this study", shown(TABLE)));
                    break;
                }
            } else {
                let row =
                    row_of(definition, &line).filter(|row| row.point == next && next < definition.points);
                let Some(row) = row else { break };
                let curves = curve_name(next);
                if sums.knows(&curves) && !survey.is_known(&curves)? {
                    damages.push(format!("`{}` is missing or damaged", shown(&curves)));
                    break;
                }
                known(row);
                next += 1;
            }
            good = chunk.to;
            chunks.push(chunk);
        }
        if good == 0 {
            return StudyFolder::start(dir, definition, lock, &survey, damages);
        }
        survey.retire_curves(next)?;
        // the manifest first: it never says more than the files hold
        let (mut text, mut chain) = Chain::begin(HEAD);
        text += &chain.line(TABLE, Chunk::CLAIM);
        for (name, list) in sums.files() {
            if curve_of(name).is_some_and(|point| point < next) {
                list.iter().for_each(|chunk| text += &chain.line(name, *chunk));
            }
        }
        chunks.iter().for_each(|chunk| text += &chain.line(TABLE, *chunk));
        text += &chain.line(DEFINITION, own);
        let path = dir.join(SUMS);
        replace(&path, text.as_bytes()).map_err(|error| Error::io("write", &path, &error))?;
        let path = dir.join(TABLE);
        let fail = |error: io::Error| Error::io("write", &path, &error);
        let mut table = open_own(&path).map_err(fail)?;
        if table.metadata().map_err(fail)?.len() > good {
            disk::set_len(&table, good).map_err(fail)?;
        }
        table.seek(SeekFrom::Start(good)).map_err(fail)?;
        let path = dir.join(DEFINITION);
        if fs::read(&path).ok().as_deref() != Some(json.as_bytes()) {
            survey.retire(DEFINITION)?;
            replace(&path, json.as_bytes()).map_err(|error| Error::io("write", &path, &error))?;
        }
        remove_leftovers(dir).map_err(|error| Error::io("read", dir, &error))?;
        Ok(StudyFolder {
            dir: dir.into(),
            table,
            length: good,
            sums: open_sums(dir)?,
            chain,
            next,
            damages,
            _lock: lock,
        })
    }

    /// The first point that is missing.
    pub fn next(&self) -> usize {
        self.next
    }

    /// What was found damaged, in sentences without a full stop.
    pub fn damages(&self) -> &[String] {
        &self.damages
    }

    /// Adds the next row: curves first, so that what the table names is there.
    pub fn add(&mut self, row: &Row) -> Result<(), Error> {
        if let Some(curves) = &row.curves {
            let dir = self.dir.join(CURVES);
            disk::create_dir(&dir).map_err(|error| Error::io("write", &dir, &error))?;
            self.whole(&curve_name(row.point), csv(curves).as_bytes())?;
        }
        self.append(&line(row))?;
        self.next = row.point + 1;
        Ok(())
    }

    /// Adds lines to the table, then their checksum.
    fn append(&mut self, lines: &str) -> Result<(), Error> {
        let path = self.dir.join(TABLE);
        let bytes = lines.as_bytes();
        disk::write_all(&mut self.table, bytes).map_err(|error| Error::io("write", &path, &error))?;
        let to = self.length + bytes.len() as u64;
        let chunk = Chunk { from: self.length, to, sum: Sum::of(bytes).number() };
        self.length = to;
        self.note(TABLE, chunk)
    }

    /// Writes a file as a whole, after its checksum.
    fn whole(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.note(name, Chunk::whole(bytes.len() as u64, Sum::of(bytes)))?;
        let path = self.dir.join(name);
        replace(&path, bytes).map_err(|error| Error::io("write", &path, &error))
    }

    fn note(&mut self, name: &str, chunk: Chunk) -> Result<(), Error> {
        let line = self.chain.line(name, chunk);
        let path = self.dir.join(SUMS);
        disk::write_all(&mut self.sums, line.as_bytes()).map_err(|error| Error::io("write", &path, &error))
    }
}

/// The manifest, to add lines to.
fn open_sums(dir: &Path) -> Result<File, Error> {
    let path = dir.join(SUMS);
    let open = || {
        let mut file = open_own(&path)?;
        file.seek(SeekFrom::End(0)).map(|_| file)
    };
    open().map_err(|error| Error::io("write", &path, &error))
}

/// Lines of a table that are what was written, with their chunks, and what is wrong with the next.
struct Seals {
    lines: Vec<(Chunk, String)>,
    damage: Option<String>,
}

fn seals(dir: &Path, sums: &Manifest) -> Result<Seals, Error> {
    let path = dir.join(TABLE);
    let bytes = match look(&path)? {
        Found::File(_) => fs::read(&path).map_err(|error| Error::io("read", &path, &error))?,
        _ => Vec::new(),
    };
    let mut seals = Seals { lines: Vec::new(), damage: None };
    for &chunk in sums.chunks(TABLE).unwrap_or_default() {
        if chunk == Chunk::CLAIM {
            continue;
        }
        let own = bytes.get(chunk.from as usize..chunk.to as usize);
        let own = own.filter(|own| Sum::of(own).number() == chunk.sum);
        let Some(text) = own.and_then(|own| std::str::from_utf8(own).ok()) else {
            let line = seals.lines.len() + 1;
            seals.damage =
                Some(format!("`{}` is damaged: the checksum of line {line} is wrong", path.display()));
            break;
        };
        seals.lines.push((chunk, text.into()));
    }
    Ok(seals)
}

/// Compares everything with its checksums; the first damage is an error. Of a study under way, what is noted is
/// compared. O(bytes)
pub fn verify(dir: &Path, definition: &Definition) -> Result<(), Error> {
    let damaged = |what: String| Err(Error::new(ErrorKind::Damaged, dir, what, REMEDY));
    let shown = |name: &str| dir.join(name).display().to_string();
    let survey = Survey::of(dir)?;
    let Some(sums) = survey.sums.as_ref().filter(|sums| !sums.is_damaged && sums.knows(DEFINITION)) else {
        // the first version had none
        if definition.version == 1 {
            return Ok(());
        }
        return damaged(format!("`{}` is missing or damaged", shown(SUMS)));
    };
    if let Some(damage) = seals(dir, sums)?.damage {
        return damaged(damage);
    }
    let names = sums.files().map(|(name, _)| name).filter(|name| *name != TABLE);
    for name in names {
        // the curves of a row that is not there yet may be under way
        let waits =
            curve_of(name).is_some_and(|_| look(&dir.join(name)).is_ok_and(|found| found.is_nothing()));
        let last = curve_of(name).is_some_and(|point| !has_row(sums, point));
        let under_way = waits && last;
        if !under_way && !survey.is_known(name)? {
            return damaged(format!("`{}` is missing or damaged", shown(name)));
        }
    }
    Ok(())
}

/// Whether a manifest knows the row of a point: lines of the table are the heading and a row for each.
fn has_row(sums: &Manifest, point: usize) -> bool {
    sums.chunks(TABLE).is_some_and(|list| list.len() > point + 1)
}

/// Reads the rows of a table that are whole, in order, until `take` has had enough.
pub fn rows(dir: &Path, definition: &Definition, take: &mut dyn FnMut(Row) -> bool) -> Result<(), Error> {
    let path = dir.join(TABLE);
    let fail = |error: std::io::Error| Error::io("read", &path, &error);
    let file = File::open(&path).map_err(fail)?;
    let mut first = true;
    each_line(&file, |text| std::mem::take(&mut first) || row_of(definition, text).is_some_and(&mut *take))
        .map_err(fail)
}

/// The table by columns: name, unit and cells of each.
pub fn columns_of(dir: &Path, definition: &Definition) -> Result<Vec<(String, String, Cells)>, Error> {
    let (mut points, mut outcomes) = (Vec::new(), Vec::new());
    let mut numbers = vec![Vec::new(); definition.columns.len()];
    rows(dir, definition, &mut |row| {
        points.push(row.point as u64);
        outcomes.push(row.outcome.words());
        let all = row.values.into_iter().map(Some).chain(row.scalars);
        numbers.iter_mut().zip(all).for_each(|(list, value)| list.push(value));
        true
    })?;
    let numbered = definition.columns.iter().zip(numbers);
    let numbered = numbered.map(|((name, unit), list)| (name.clone(), unit.clone(), Cells::Numbers(list)));
    let plain = |name: &str, cells| (name.to_string(), String::new(), cells);
    let first = [plain("point", Cells::Counts(points))];
    Ok(first.into_iter().chain(numbered).chain([plain("outcome", Cells::Words(outcomes))]).collect())
}

/// The name of the file with the curves of a point.
pub fn curve_file(point: usize) -> String {
    format!("{point:06}.csv")
}

/// The row of a whole line.
fn row_of(definition: &Definition, text: &str) -> Option<Row> {
    let scalars = definition.of.len();
    parse(text.strip_suffix('\n')?, definition.columns.len().checked_sub(scalars)?, scalars)
}

/// Lines with their ends, as long as they are wanted.
fn each_line(file: &File, mut take: impl FnMut(&str) -> bool) -> std::io::Result<()> {
    let mut reader = BufReader::new(file);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) if take(text) => {}
            _ => return Ok(()),
        }
    }
}

/// Curves as a table.
fn csv(curves: &Curves) -> String {
    let titles = curves.channels.iter().map(|(name, unit)| match unit.as_str() {
        "" => cell(name),
        unit => cell(&format!("{name} [{unit}]")),
    });
    let mut text = ["t [s]".to_string()].into_iter().chain(titles).collect::<Vec<_>>().join(",") + "\n";
    for row in curves.rows.chunks(1 + curves.channels.len()) {
        let numbers: Vec<String> = row.iter().map(|value| format!("{value:?}")).collect();
        text += &(numbers.join(",") + "\n");
    }
    text
}
