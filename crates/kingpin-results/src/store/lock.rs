//! One program at a time writes into a folder.

use crate::error::{Error, ErrorKind};
use kingpin_files::{Found, Part, disk, open_no_follow, put_aside};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const LOCK: &str = "lock";

/// Who writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Owner {
    pid: u32,
    host: String,
    since: String,
}

/// A folder that belongs to this program until the lock is dropped. The operating system gives it free when the
/// program ends, however it ends: a lock file without an owner is in nobody's way.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    /// Takes the folder, or says who has it. A file `lock` that is none is somebody else's: that is an error, or it is
    /// put aside if the folder is known to be `ours`.
    pub fn take(dir: &Path, ours: bool) -> Result<Lock, Error> {
        let path = dir.join(LOCK);
        let fail = |error: io::Error| Error::io("write", &path, &error);
        loop {
            match Found::at(&path).map_err(fail)? {
                Found::Nothing => match put_lock(&path) {
                    Ok(file) => return Ok(Lock { path, file }),
                    // somebody else was quicker
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                    Err(error) => return Err(fail(error)),
                },
                Found::File(_) => {}
                _ if ours => {
                    put_aside(&path).map_err(fail)?;
                    continue;
                }
                _ => return Err(foreign(dir, &path)),
            }
            let mut file = match open_no_follow(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                other => other.map_err(fail)?,
            };
            let owner = owner(&mut file);
            if owner.is_none() && is_there(&file, &path) {
                if !ours {
                    return Err(foreign(dir, &path));
                }
                put_aside(&path).map_err(fail)?;
                continue;
            }
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(busy(dir, owner)),
                // a file system without locks: the owner that the file names may still be alive
                Err(TryLockError::Error(_)) if !owner.as_ref().is_some_and(Owner::lives) => {}
                Err(TryLockError::Error(_)) => return Err(busy(dir, owner)),
            }
            // its owner has gone; the one before may have removed it between opening and locking
            if is_there(&file, &path) {
                disk::remove(&path).map_err(fail)?;
            }
        }
    }
}

/// Puts a lock where nothing is: it has its owner from the beginning.
fn put_lock(path: &Path) -> io::Result<File> {
    let mut part = Part::beside(path)?;
    let text = serde_json::to_string(&Owner::here())? + "\n";
    part.write_all(text.as_bytes())?;
    part.sync()?;
    part.place_new(path)
}

impl Drop for Lock {
    fn drop(&mut self) {
        if is_there(&self.file, &self.path) {
            let _ = disk::remove(&self.path);
        }
    }
}

impl Owner {
    fn here() -> Owner {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Owner { pid: std::process::id(), host: host(), since: date(since) }
    }

    /// Whether the process is there; of other machines nothing is known.
    fn lives(&self) -> bool {
        self.host != host() || Path::new("/proc").join(self.pid.to_string()).exists()
    }
}

fn host() -> String {
    let name =
        fs::read_to_string("/proc/sys/kernel/hostname").or_else(|_| fs::read_to_string("/etc/hostname"));
    name.map(|name| name.trim().to_string())
        .ok()
        .filter(|name| !name.is_empty())
        .unwrap_or("localhost".into())
}

fn owner(file: &mut File) -> Option<Owner> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.take(10_000).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

fn foreign(dir: &Path, path: &Path) -> Error {
    let message = format!("`{}` exists already and was not written by a run", path.display());
    let advice = "such files are never overwritten: choose another folder for the results, or move the file";
    Error::new(ErrorKind::Kept, dir, message, advice)
}

fn busy(dir: &Path, owner: Option<Owner>) -> Error {
    let who = match owner {
        Some(Owner { pid, host, since }) => format!("process {pid} on `{host}`, started {since}"),
        None => "another program".into(),
    };
    let message = format!("`{}` is in use by {who}", dir.display());
    let advice = "wait until it has finished, stop it, or choose another folder with `-o DIR`";
    Error::new(ErrorKind::Busy, dir, message, advice)
}

#[cfg(unix)]
fn is_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |found: std::io::Result<fs::Metadata>| found.map(|found| (found.dev(), found.ino())).ok();
    let (own, there) = (place(file.metadata()), place(fs::symlink_metadata(path)));
    own.is_some() && own == there
}

#[cfg(not(unix))]
fn is_there(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Seconds since 1970 as a date and time of day [Hinnant 2013].
fn date(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = year + era * 400 + next;
    format!("{year}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(date(951_782_399), "2000-02-28 23:59:59 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(date(1_794_778_229), "2026-11-15 21:30:29 UTC");
    }

    #[test]
    fn one_at_a_time() {
        let dir = crate::store::scratch().unwrap();
        let first = Lock::take(&dir, false).unwrap();
        let error = Lock::take(&dir, false).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Busy);
        let said = format!("is in use by process {} on `{}`, started 20", std::process::id(), host());
        assert!(error.message.contains(&said), "{error}");
        drop(first);
        assert!(!dir.join(LOCK).exists());
        // what somebody left behind
        fs::write(dir.join(LOCK), "{\"pid\":1,\"host\":\"elsewhere\",\"since\":\"long ago\"}\n").unwrap();
        drop(Lock::take(&dir, false).unwrap());
        // what is none is somebody else's
        for mine in ["", "mine", "{\"pid\":1}"] {
            fs::write(dir.join(LOCK), mine).unwrap();
            assert_eq!(Lock::take(&dir, false).unwrap_err().kind, ErrorKind::Kept);
            assert_eq!(fs::read_to_string(dir.join(LOCK)).unwrap(), mine);
        }
        drop(Lock::take(&dir, true).unwrap());
        assert_eq!(fs::read_to_string(dir.join("lock.old")).unwrap(), "{\"pid\":1}");
        fs::remove_dir_all(&dir).unwrap();
    }
}
