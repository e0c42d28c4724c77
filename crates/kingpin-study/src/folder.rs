//! A study on the disk: what it is, its table, and curves if they were asked for. A study that was interrupted, however
//! that came about, goes on behind the last whole line of its table.

use crate::gauge::Curves;
use crate::point::Row;
use crate::study::{Column, Study};
use crate::table::{heading, line, parse};
use kingpin_results::format::{Cells, cell};
use kingpin_results::store::{Lock, fingerprint, replace};
use kingpin_results::{Error, ErrorKind};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The file that says what a study is.
pub const DEFINITION: &str = "study.json";
/// The file of its table.
pub const TABLE: &str = "table.csv";
/// The folder of curves, a file for each point.
pub const CURVES: &str = "curves";
/// The version of all that.
const VERSION: u32 = 1;

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
            std::io::ErrorKind::NotFound => {
                let message = format!("there is no study in `{}`", dir.display());
                Error::new(ErrorKind::NoResults, dir, message, "`kingpin sweep` writes one")
            }
            _ => Error::io("read", &path, &error),
        })?;
        serde_json::from_slice(&text).map_err(|error| Error::damaged(&path, error))
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
            (self.vary != other.vary, "other values are varied"),
            (self.of != other.of, "other scalars are computed"),
            (self.samples != other.samples, "other samples are drawn"),
            (self.seed != other.seed, "the seed is another one"),
            (self.latin_hypercube != other.latin_hypercube, "samples are drawn in another way"),
            (self.channels != other.channels, "other channels are kept"),
            (self.hash != other.hash, "the model, its parameters or settings are other ones"),
            (self != other && self.model == other.model, "it was written by another version"),
        ];
        differs.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
    }
}

/// Whether a folder holds a study.
pub fn is_study(dir: &Path) -> bool {
    dir.join(DEFINITION).is_file()
}

/// A folder that a study is filling.
pub struct StudyFolder {
    dir: PathBuf,
    table: File,
    next: usize,
    _lock: Lock,
}

impl StudyFolder {
    /// An empty one. What is there already is replaced only by `force`, and only if it is a study.
    pub fn create(dir: &Path, definition: &Definition, force: bool) -> Result<StudyFolder, Error> {
        if is_study(dir) && !force {
            let message = format!("there is a study in `{}` already", dir.display());
            let advice = "`--force` replaces it, `--resume` goes on with one that was interrupted, `--out DIR` leaves \
                          it alone";
            return Err(Error::new(ErrorKind::Exists, dir, message, advice));
        }
        let occupied = fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some());
        if occupied && !is_study(dir) {
            let message = format!("`{}` holds something else than a study", dir.display());
            return Err(Error::new(ErrorKind::Kept, dir, message, "give another folder"));
        }
        fs::create_dir_all(dir).map_err(|error| Error::io("write", dir, &error))?;
        let lock = Lock::take(dir)?;
        let curves = dir.join(CURVES);
        if curves.exists() {
            fs::remove_dir_all(&curves).map_err(|error| Error::io("remove", &curves, &error))?;
        }
        let path = dir.join(TABLE);
        let fail = |error: std::io::Error| Error::io("write", &path, &error);
        let mut table = File::create(&path).map_err(fail)?;
        table.write_all(heading(&definition.titles()).as_bytes()).map_err(fail)?;
        let text = serde_json::to_string_pretty(definition).unwrap_or_default() + "\n";
        replace(dir, DEFINITION, text.as_bytes())?;
        Ok(StudyFolder { dir: dir.into(), table, next: 0, _lock: lock })
    }

    /// Goes on with the same study; whole rows that are there are given to `known`, what is torn is cut off.
    pub fn resume(
        dir: &Path,
        definition: &Definition,
        known: &mut dyn FnMut(Row),
    ) -> Result<StudyFolder, Error> {
        let there = Definition::open(dir)?;
        if let Some(what) = there.difference(definition) {
            let message = format!("the study in `{}` is another one: {what}", dir.display());
            let advice = "ask for the same study, or start anew with `--force`";
            return Err(Error::new(ErrorKind::Unfit, dir, message, advice));
        }
        let lock = Lock::take(dir)?;
        let path = dir.join(TABLE);
        let fail = |error: std::io::Error| Error::io("write", &path, &error);
        let mut table =
            File::options().read(true).write(true).create(true).truncate(false).open(&path).map_err(fail)?;
        let (mut good, mut next) = (0u64, 0usize);
        let head = heading(&definition.titles());
        each_line(&table, |text| {
            if good == 0 && text != head {
                return false;
            }
            if good > 0 {
                let row =
                    row_of(definition, text).filter(|row| row.point == next && next < definition.points);
                let Some(row) = row else { return false };
                known(row);
                next += 1;
            }
            good += text.len() as u64;
            true
        })
        .map_err(fail)?;
        table.set_len(good).and_then(|()| table.seek(SeekFrom::Start(good)).map(|_| ())).map_err(fail)?;
        if good == 0 {
            table.write_all(head.as_bytes()).map_err(fail)?;
        }
        Ok(StudyFolder { dir: dir.into(), table, next, _lock: lock })
    }

    /// The first point that is missing.
    pub fn next(&self) -> usize {
        self.next
    }

    /// Adds the next row: curves first, so that what the table names is there.
    pub fn add(&mut self, row: &Row) -> Result<(), Error> {
        if let Some(curves) = &row.curves {
            let dir = self.dir.join(CURVES);
            fs::create_dir_all(&dir).map_err(|error| Error::io("write", &dir, &error))?;
            replace(&dir, &curve_file(row.point), csv(curves).as_bytes())?;
        }
        let path = self.dir.join(TABLE);
        self.table.write_all(line(row).as_bytes()).map_err(|error| Error::io("write", &path, &error))?;
        self.next = row.point + 1;
        Ok(())
    }
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
