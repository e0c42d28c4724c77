//! Files under way: they have a name that nobody else gives a file, until they are whole.

use crate::disk;
use crate::place::Found;
use crate::sum::Sum;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const BEGIN: &str = ".kingpin-";
const END: &str = ".part";

/// A file that is not whole yet; removed if it never becomes so.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    file: File,
    sum: Sum,
    length: u64,
    placed: bool,
}

impl Part {
    /// Begins a file in the folder of its place.
    pub fn beside(place: &Path) -> io::Result<Part> {
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        loop {
            let path = folder.join(name());
            let file = match disk::create_new(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                other => other?,
            };
            // the lock tells others that somebody is at work; file systems without locks do without
            let _ = file.try_lock();
            // somebody who tidied up may have removed it before it was locked
            if Found::at(&path)?.is_nothing() {
                continue;
            }
            return Ok(Part { path, file, sum: Sum::EMPTY, length: 0, placed: false });
        }
    }

    /// The checksum of what was written.
    pub fn sum(&self) -> Sum {
        self.sum
    }

    /// Bytes written.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Gives it the mode and, where that is allowed, the owner of another file.
    pub fn keep_mode(&self, of: &Metadata) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            // only a superuser may give files away
            let _ = std::os::unix::fs::fchown(&self.file, Some(of.uid()), Some(of.gid()));
        }
        self.file.set_permissions(of.permissions())
    }

    /// Waits until it is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        disk::sync(&self.file)
    }

    /// It is whole and takes its place, in which nothing may stand.
    pub fn place_new(mut self, place: &Path) -> io::Result<File> {
        match disk::link(&self.path, place) {
            Ok(()) => {
                disk::remove(&self.path)?;
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
            // a file system without further names for files
            Err(_) if Found::at(place)?.is_nothing() => disk::rename(&self.path, place)?,
            Err(error) => return Err(error),
        }
        self.placed = true;
        self.file.try_clone()
    }

    /// It is whole and takes its place, which nothing or another file has. Links stay as they are: that is an error.
    pub fn replace(mut self, place: &Path) -> io::Result<()> {
        Found::at(place)?.replaceable()?;
        disk::rename(&self.path, place)?;
        self.placed = true;
        Ok(())
    }
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        disk::write_all(&mut self.file, bytes)?;
        self.sum = self.sum.with(bytes);
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.placed {
            // if that fails, too, the first error is the one to report
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Writes a file as a whole, over a file that is there. The caller knows that it may be replaced.
pub fn replace(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = Part::beside(place)?;
    part.write_all(bytes)?;
    part.sync()?;
    part.replace(place)
}

/// A name: random digits and their checksum.
fn name() -> String {
    let digits = RandomState::new().hash_one(std::process::id()) & 0xffff_ffff_ffff;
    format!("{BEGIN}{digits:012x}{:04x}{END}", check(digits))
}

fn check(digits: u64) -> u64 {
    Sum::of(&digits.to_le_bytes()).number() >> 48
}

/// Whether a name is that of a file under way. The checksum in it makes sure that nobody has given it by chance.
pub fn is_part(name: &OsStr) -> bool {
    let inner = name.to_str().and_then(|name| name.strip_prefix(BEGIN)?.strip_suffix(END));
    let Some((digits, sum)) = inner.and_then(|inner| inner.split_at_checked(12)) else { return false };
    match (u64::from_str_radix(digits, 16), u64::from_str_radix(sum, 16)) {
        (Ok(digits), Ok(sum)) => inner.is_some_and(|inner| inner.len() == 16) && sum == check(digits),
        _ => false,
    }
}

/// Removes what programs that were killed have left in a folder. Files at which somebody is at work stay.
pub fn remove_leftovers(folder: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        if !is_part(&entry.file_name()) || !Found::at(&path)?.is_file() {
            continue;
        }
        if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            disk::remove(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_under_way_are_not_given_by_chance() {
        assert!((0..100).all(|_| is_part(OsStr::new(&name()))));
        for other in
            ["", ".kingpin-.part", ".kingpin-0123456789ab0000.part", "results.csv.part", ".kingpin-é"]
        {
            assert!(!is_part(OsStr::new(other)), "{other}");
        }
        let changed = name().replace(".part", "0.part");
        assert!(!is_part(OsStr::new(&changed)), "{changed}");
    }
}
