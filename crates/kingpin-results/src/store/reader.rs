//! Reads a folder of results, finished, under way or torn.

use super::choice::Choice;
use super::events::{self, EventLine};
use super::{EVENTS, HEADER, Header, MODEL, ROWS, STEP_COLUMNS, STEPS, SUMMARY, Summary};
use crate::error::{Error, ErrorKind};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A folder of results. Only what is asked for is read.
#[derive(Clone, Debug)]
pub struct Reader {
    dir: PathBuf,
    header: Header,
    frames: u64,
    steps: u64,
    summary: Option<Summary>,
}

/// Columns in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Times.
    pub t: Vec<f64>,
    /// One list per column asked for.
    pub columns: Vec<Vec<f64>>,
    /// Every how many rows one was taken.
    pub stride: u64,
}

impl Reader {
    /// Opens a folder. Rows that a run adds later are seen by the next reader.
    pub fn open(dir: &Path) -> Result<Reader, Error> {
        let path = dir.join(HEADER);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                let message = format!("there are no results in `{}`: `{HEADER}` is missing", dir.display());
                let advice = "give a folder that a simulation has written";
                return Err(Error::new(ErrorKind::NoResults, dir, message, advice));
            }
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Err(Error::damaged(&path, "it is not text"));
            }
            Err(error) => return Err(Error::io("read", &path, &error)),
        };
        let header = Header::parse(&path, &text)?;
        let count = |name: &str, width: usize| whole_rows(&dir.join(name), width);
        let (frames, steps) = (count(ROWS, header.width())?, count(STEPS, STEP_COLUMNS.len())?);
        let path = dir.join(SUMMARY);
        let summary = match read_if_any(&path)? {
            Some(text) => Some(serde_json::from_slice(&text).map_err(|error| Error::damaged(&path, error))?),
            None => None,
        };
        Ok(Reader { dir: dir.into(), header, frames, steps, summary })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Names, units, settings.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The text of the model that was run, in one file without includes.
    pub fn model_text(&self) -> Result<String, Error> {
        let path = self.dir.join(MODEL);
        let Some(bytes) = read_if_any(&path)? else {
            let message = format!("`{MODEL}` is missing in `{}`", self.dir.display());
            return Err(Error::new(ErrorKind::NoResults, &path, message, self.header.remedy()));
        };
        String::from_utf8(bytes).map_err(|_| Error::damaged(&path, "it is not text"))
    }

    /// Whole frames.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Whole steps.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How the run ended; nothing if it goes on or was interrupted.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    /// All frames, one after the other: the time, then one number per channel.
    pub fn rows(&self) -> Result<Rows, Error> {
        self.thinned(usize::MAX)
    }

    /// At most so many frames: every n-th from the first on, and the last.
    pub fn thinned(&self, most: usize) -> Result<Rows, Error> {
        Rows::open(&self.dir.join(ROWS), self.header.width(), self.frames, stride(self.frames, most))
    }

    /// The frames of a choice.
    pub fn selected(&self, choice: &Choice) -> Result<Rows, Error> {
        let (path, width) = (self.dir.join(ROWS), self.header.width());
        let mut rows = Rows::open(&path, width, self.frames, 1)?;
        let (first, end) = choice.places(self.frames, |row| rows.time_of(row))?;
        rows.stride = choice.stride(end - first);
        rows.count = end;
        rows.skip_to(first)?;
        Ok(rows)
    }

    /// Every `stride`-th frame from `first` on, and no other last one: a run under way may go on.
    pub fn rows_every(&self, stride: u64, first: u64) -> Result<Rows, Error> {
        let stride = stride.max(1);
        // as if the file ended with the last row wanted
        let count = match self.frames.checked_sub(first + 1) {
            Some(behind) => first + behind / stride * stride + 1,
            None => self.frames,
        };
        let mut rows = Rows::open(&self.dir.join(ROWS), self.header.width(), count, stride)?;
        rows.skip_to(first)?;
        Ok(rows)
    }

    /// Accepted steps, thinned likewise; the columns are [`STEP_COLUMNS`].
    pub fn step_rows(&self, most: usize) -> Result<Rows, Error> {
        Rows::open(&self.dir.join(STEPS), STEP_COLUMNS.len(), self.steps, stride(self.steps, most))
    }

    /// One channel over all frames.
    pub fn column(&self, channel: usize) -> Result<Vec<f64>, Error> {
        let mut table = self.table(&[channel], usize::MAX)?;
        Ok(table.columns.pop().unwrap_or_default())
    }

    /// Some channels over at most so many frames.
    pub fn table(&self, channels: &[usize], most: usize) -> Result<Table, Error> {
        let mut rows = self.thinned(most)?;
        let mut table =
            Table { columns: vec![Vec::new(); channels.len()], stride: rows.stride, ..Table::default() };
        while let Some(row) = rows.next_row()? {
            table.t.push(row[0]);
            for (column, &channel) in table.columns.iter_mut().zip(channels) {
                column.push(row[1 + channel]);
            }
        }
        Ok(table)
    }

    /// Events of the run.
    pub fn events(&self) -> Result<Vec<EventLine>, Error> {
        Ok(read_if_any(&self.dir.join(EVENTS))?.map_or(Vec::new(), |text| events::parse(&text)))
    }
}

/// Rows of a file, one in memory at a time.
#[derive(Debug)]
pub struct Rows {
    path: PathBuf,
    file: BufReader<File>,
    bytes: Vec<u8>,
    row: Vec<f64>,
    /// Rows in the file, and the one that comes next.
    count: u64,
    next: u64,
    stride: u64,
}

impl Rows {
    fn open(path: &Path, width: usize, count: u64, stride: u64) -> Result<Rows, Error> {
        let file = File::open(path).map_err(|error| Error::io("read", path, &error))?;
        let file = BufReader::with_capacity(1 << 16, file);
        let (bytes, row) = (vec![0; 8 * width], vec![0.0; width]);
        Ok(Rows { path: path.into(), file, bytes, row, count, next: 0, stride })
    }

    /// How many rows are still to come.
    pub fn len(&self) -> u64 {
        let left = self.count - self.next;
        if left == 0 { 0 } else { (left - 1).div_ceil(self.stride) + 1 }
    }

    /// Whether none are to come.
    pub fn is_empty(&self) -> bool {
        self.next >= self.count
    }

    /// Every how many rows one comes.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// The next row; none after the last.
    pub fn next_row(&mut self) -> Result<Option<&[f64]>, Error> {
        if self.next >= self.count {
            return Ok(None);
        }
        let fail = |error: io::Error| Error::io("read", &self.path, &error);
        self.file.read_exact(&mut self.bytes).map_err(fail)?;
        for (number, bytes) in self.row.iter_mut().zip(self.bytes.as_chunks().0) {
            *number = f64::from_le_bytes(*bytes);
        }
        // the last row comes even if the stride would miss it
        let last = self.count - 1;
        let next = if self.next == last { self.count } else { (self.next + self.stride).min(last) };
        let gap = next - self.next - 1;
        self.next = next;
        if gap > 0 {
            self.file.seek_relative((gap * self.bytes.len() as u64) as i64).map_err(fail)?;
        }
        Ok(Some(&self.row))
    }

    /// The time of a row; the place in the file is lost.
    fn time_of(&mut self, row: u64) -> Result<f64, Error> {
        let mut bytes = [0; 8];
        let place = SeekFrom::Start(row * self.bytes.len() as u64);
        let read = self.file.seek(place).and_then(|_| self.file.read_exact(&mut bytes));
        read.map_err(|error| Error::io("read", &self.path, &error))?;
        Ok(f64::from_le_bytes(bytes))
    }

    fn skip_to(&mut self, next: u64) -> Result<(), Error> {
        self.next = next.min(self.count);
        let sought = self.file.seek(SeekFrom::Start(self.next * self.bytes.len() as u64));
        sought.map(|_| ()).map_err(|error| Error::io("read", &self.path, &error))
    }
}

/// The smallest stride that leaves at most `most` rows, the last included.
pub(super) fn stride(count: u64, most: usize) -> u64 {
    let gaps = (most as u64).saturating_sub(1).max(1);
    count.saturating_sub(1).div_ceil(gaps).max(1)
}

/// Rows that are there as a whole.
fn whole_rows(path: &Path, width: usize) -> Result<u64, Error> {
    match fs::metadata(path) {
        Ok(found) => Ok(found.len() / (8 * width as u64)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Error::damaged(path, "it is missing")),
        Err(error) => Err(Error::io("read", path, &error)),
    }
}

fn read_if_any(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", path, &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::stride;

    #[test]
    fn strides_keep_the_limit() {
        for count in 0..40_u64 {
            for most in 2..12 {
                let n = stride(count, most);
                let rows = if count == 0 { 0 } else { (count - 1).div_ceil(n) + 1 };
                assert!(rows <= most as u64, "{count} {most}");
                if n > 1 {
                    assert!(
                        (count - 1).div_ceil(n - 1) + 1 > most as u64,
                        "{count} {most}: {n} is too large"
                    );
                }
            }
        }
        assert_eq!(stride(1000, usize::MAX), 1);
    }
}
