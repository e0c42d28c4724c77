//! Rows of doubles, appended in whole rows.

use crate::error::Error;
use kingpin_files::{Chunk, Sum, disk, open_own};
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes held back at most.
const ROOM: usize = 1 << 18;

/// Appends to a file; what is not flushed is lost if the program dies.
#[derive(Debug)]
pub(super) struct Appender {
    path: PathBuf,
    file: File,
    waiting: Vec<u8>,
    /// Bytes handed over, those before the chunk that has no checksum yet, and the sum of that chunk.
    written: u64,
    sealed: u64,
    sum: Sum,
}

impl Appender {
    /// Begins a file where nothing is.
    pub fn create(path: &Path) -> Result<Appender, Error> {
        let file = disk::create_new(path).map_err(|error| Error::io("write", path, &error))?;
        Ok(Appender::new(path, file, 0))
    }

    /// Goes on after the first `length` bytes of a file.
    pub fn resume(path: &Path, length: u64) -> Result<Appender, Error> {
        let fail = |error: std::io::Error| Error::io("write", path, &error);
        let mut file = open_own(path).map_err(fail)?;
        let there = file.metadata().map_err(fail)?.len();
        if there < length {
            return Err(Error::damaged(path, "it is shorter than recorded in the checkpoint"));
        }
        if there > length {
            disk::set_len(&file, length).map_err(fail)?;
        }
        file.seek(SeekFrom::Start(length)).map_err(fail)?;
        Ok(Appender::new(path, file, length))
    }

    fn new(path: &Path, file: File, length: u64) -> Appender {
        let waiting = Vec::with_capacity(ROOM);
        Appender { path: path.into(), file, waiting, written: length, sealed: length, sum: Sum::EMPTY }
    }

    /// Adds one row.
    pub fn row(&mut self, numbers: &[f64]) -> Result<(), Error> {
        self.waiting.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
        self.flush_if_full()
    }

    /// Adds a line, with its end.
    pub fn line(&mut self, line: &str) -> Result<(), Error> {
        self.waiting.extend(line.as_bytes());
        self.flush_if_full()
    }

    /// Bytes so far, those that wait included.
    pub fn length(&self) -> u64 {
        self.written + self.waiting.len() as u64
    }

    fn flush_if_full(&mut self) -> Result<(), Error> {
        if self.waiting.len() >= ROOM { self.flush() } else { Ok(()) }
    }

    /// Hands everything to the operating system.
    pub fn flush(&mut self) -> Result<(), Error> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let done = disk::write_all(&mut self.file, &self.waiting);
        self.written += self.waiting.len() as u64;
        self.sum = self.sum.with(&self.waiting);
        self.waiting.clear();
        done.map_err(|error| Error::io("write", &self.path, &error))
    }

    /// Waits until everything is on the disk.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.flush()?;
        disk::sync(&self.file).map_err(|error| Error::io("write", &self.path, &error))
    }

    /// The checksum of what was handed over since the last one; none if nothing was.
    pub fn seal(&mut self) -> Option<Chunk> {
        if self.sealed == self.written {
            return None;
        }
        let chunk = Chunk { from: self.sealed, to: self.written, sum: self.sum.number() };
        (self.sealed, self.sum) = (self.written, Sum::EMPTY);
        Some(chunk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_one_clear_error() {
        let file = File::options().write(true).open("/dev/full").unwrap();
        let mut rows = Appender::new(Path::new("/dev/full"), file, 0);
        rows.row(&[1.0]).unwrap();
        let error = rows.flush().unwrap_err();
        assert_eq!(error.kind, ErrorKind::Full);
        assert_eq!(
            error.to_string(),
            "cannot write `/dev/full`: the disk is full\n\n  help: free some space, or write to \
                 another disk"
        );
        // what could not be written is not kept for another attempt that would tear a row
        assert!(rows.waiting.is_empty());
    }
}
