//! Operations on files, with failures at any of them for tests.
//!
//! Builds with debug assertions, and no others, heed the variable `KINGPIN_TEST_DISK`:
//!
//! | value | what happens |
//! |---|---|
//! | `full:1000` | the disk is full after 1000 bytes; a change of a folder, such as a renamed file, counts as one byte |
//! | `kill:1000` | the program ends there without a word |
//! | `op:7` | the program ends before the seventh operation: a write, a sync, a new, renamed, removed or cut file or folder |
//! | `tear:7` | the same, but half of the bytes of a write get through |

use crate::place::Found;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A variable for tests; none in builds that are shipped.
pub fn test_variable(name: &str) -> Option<String> {
    if cfg!(debug_assertions) { std::env::var(name).ok() } else { None }
}

/// What a test makes happen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Full,
    Kill,
    Operation,
    Tear,
}

/// What happens, and after how many bytes or operations.
struct Fate {
    kind: Kind,
    left: AtomicU64,
}

static FATE: OnceLock<Option<Fate>> = OnceLock::new();

fn fate() -> Option<&'static Fate> {
    let read = || {
        let text = test_variable("KINGPIN_TEST_DISK")?;
        let (kind, count) = text.split_once(':')?;
        let kind = match kind {
            "full" => Kind::Full,
            "kill" => Kind::Kill,
            "op" => Kind::Operation,
            "tear" => Kind::Tear,
            _ => return None,
        };
        Some(Fate { kind, left: AtomicU64::new(count.parse().ok()?) })
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

    fn counts_operations(&self) -> bool {
        matches!(self.kind, Kind::Operation | Kind::Tear)
    }

    fn strike(&self) -> io::Error {
        if self.kind != Kind::Full {
            std::process::abort();
        }
        io::Error::from(io::ErrorKind::StorageFull)
    }
}

/// Before an operation that changes something else than the content of a file.
fn change() -> io::Result<()> {
    match fate() {
        Some(fate) if fate.grant(1) == 0 => Err(fate.strike()),
        _ => Ok(()),
    }
}

/// Writes all bytes.
pub fn write_all(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let Some(fate) = fate() else { return file.write_all(bytes) };
    if fate.counts_operations() {
        if fate.grant(1) == 0 {
            if fate.kind == Kind::Tear {
                let _ = file.write_all(&bytes[..bytes.len() / 2]);
            }
            return Err(fate.strike());
        }
        return file.write_all(bytes);
    }
    let granted = fate.grant(bytes.len() as u64) as usize;
    file.write_all(&bytes[..granted])?;
    if granted < bytes.len() { Err(fate.strike()) } else { Ok(()) }
}

/// Waits until the content of a file is on the disk.
pub fn sync(file: &File) -> io::Result<()> {
    if fate().is_some_and(Fate::counts_operations) {
        change()?;
    }
    file.sync_data()
}

/// Makes a file where nothing is, not even a link.
pub fn create_new(path: &Path) -> io::Result<File> {
    change()?;
    File::options().read(true).write(true).create_new(true).open(path)
}

/// Cuts a file.
pub fn set_len(file: &File, length: u64) -> io::Result<()> {
    change()?;
    file.set_len(length)
}

/// Makes a folder, if there is none. A link to one is none.
pub fn create_dir(path: &Path) -> io::Result<()> {
    match Found::at(path)? {
        Found::Folder => Ok(()),
        Found::Link => Err(Found::link_error()),
        _ => {
            change()?;
            fs::create_dir(path)
        }
    }
}

/// Makes a folder and those above it, if there are none.
pub fn create_dir_all(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    change()?;
    fs::create_dir_all(path)
}

/// Gives a file another name, over what has it.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    change()?;
    fs::rename(from, to)
}

/// Gives a file a further name, which nothing has.
pub fn link(from: &Path, to: &Path) -> io::Result<()> {
    change()?;
    fs::hard_link(from, to)
}

/// Removes a file, if it is there.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        _ => change()?,
    }
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

/// Removes a folder, if it is there and empty.
pub fn remove_dir(path: &Path) {
    if change().is_ok() {
        let _ = fs::remove_dir(path);
    }
}
