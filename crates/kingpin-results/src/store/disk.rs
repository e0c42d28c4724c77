//! Writing to the disk, with failures at any byte for tests.
//!
//! Builds with debug assertions, and no others, heed two variables: `KINGPIN_TEST_DISK` makes the disk full after so many bytes (`full:1000`), or ends the program there
//! without a word (`kill:1000`), where a change of the folder, such as a renamed file, counts as one byte;
//! `KINGPIN_TEST_CHECKPOINT` asks for a checkpoint after every so many steps instead of by the clock.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A variable for tests; none in builds that are shipped.
fn variable(name: &str) -> Option<String> {
    if cfg!(debug_assertions) { std::env::var(name).ok() } else { None }
}

/// What is to happen, and when.
struct Fate {
    kills: bool,
    left: AtomicU64,
}

static FATE: OnceLock<Option<Fate>> = OnceLock::new();

fn fate() -> Option<&'static Fate> {
    let read = || {
        let text = variable("KINGPIN_TEST_DISK")?;
        let (kind, bytes) = text.split_once(':')?;
        Some(Fate { kills: kind == "kill", left: AtomicU64::new(bytes.parse().ok()?) })
    };
    FATE.get_or_init(read).as_ref()
}

impl Fate {
    /// How many of so many bytes can still be written.
    fn grant(&self, wanted: u64) -> u64 {
        let take = |left: u64| Some(left.saturating_sub(wanted));
        let left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).unwrap_or(0);
        left.min(wanted)
    }

    fn strike(&self) -> io::Error {
        if self.kills {
            std::process::abort();
        }
        io::Error::from(io::ErrorKind::StorageFull)
    }
}

/// Steps between two checkpoints, if a test says so.
pub(crate) fn steps_to_checkpoint() -> Option<u64> {
    static EVERY: OnceLock<Option<u64>> = OnceLock::new();
    let read = || variable("KINGPIN_TEST_CHECKPOINT")?.parse().ok().filter(|every| *every > 0);
    *EVERY.get_or_init(read)
}

/// Writes all bytes.
pub(crate) fn write_all(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let Some(fate) = fate() else { return file.write_all(bytes) };
    let granted = fate.grant(bytes.len() as u64) as usize;
    file.write_all(&bytes[..granted])?;
    if granted < bytes.len() { Err(fate.strike()) } else { Ok(()) }
}

/// Before a change of a folder.
fn change() -> io::Result<()> {
    match fate() {
        Some(fate) if fate.grant(1) == 0 => Err(fate.strike()),
        _ => Ok(()),
    }
}

/// Makes an empty file, or empties one.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    change()?;
    File::create(path)
}

/// Makes a folder, if there is none.
pub(crate) fn create_dir(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    change()?;
    fs::create_dir(path)
}

/// Gives a file another name.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    change()?;
    fs::rename(from, to)
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        _ => change()?,
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// A file that is written through [`write_all`].
pub(crate) struct Guarded(pub File);

impl Write for Guarded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write_all(&mut self.0, bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
