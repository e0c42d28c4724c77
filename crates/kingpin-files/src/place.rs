//! What stands at a path, and what may be done there.

use crate::disk;
use crate::part::Part;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

/// What stands at a path; links are not followed.
#[derive(Debug)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A file.
    File(Metadata),
    /// A link, wherever it leads.
    Link,
    /// A folder.
    Folder,
    /// A device, a pipe or a socket.
    Other,
}

impl Found {
    /// Looks.
    pub fn at(path: &Path) -> io::Result<Found> {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
            Err(error) => Err(error),
            Ok(data) if data.is_file() => Ok(Found::File(data)),
            Ok(data) if data.is_dir() => Ok(Found::Folder),
            Ok(data) if data.is_symlink() => Ok(Found::Link),
            Ok(_) => Ok(Found::Other),
        }
    }

    /// Whether nothing is there.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Found::Nothing)
    }

    /// Whether a file is there.
    pub fn is_file(&self) -> bool {
        matches!(self, Found::File(_))
    }

    /// The error of those who meet a link where they want to write.
    pub fn link_error() -> io::Error {
        io::Error::new(io::ErrorKind::InvalidInput, "it is a link")
    }

    /// Nothing or a file; else the reason why no file can be put there.
    pub(crate) fn replaceable(self) -> io::Result<Option<Metadata>> {
        match self {
            Found::Nothing => Ok(None),
            Found::File(data) => Ok(Some(data)),
            Found::Link => Err(Found::link_error()),
            Found::Folder => Err(io::ErrorKind::IsADirectory.into()),
            Found::Other => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a device")),
        }
    }
}

/// Opens a file of ours for reading and writing, never through a link. A file that has further names, such as those
/// that `cp -al` gives it, is copied first: what the other names stand for does not change.
pub fn open_own(path: &Path) -> io::Result<File> {
    let Some(data) = Found::at(path)?.replaceable()? else { return Err(io::ErrorKind::NotFound.into()) };
    if names(&data) > 1 {
        let mut part = Part::beside(path)?;
        io::copy(&mut File::open(path)?, &mut part)?;
        part.keep_mode(&data)?;
        part.replace(path)?;
    }
    open_no_follow(path)
}

#[cfg(unix)]
fn names(data: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(data)
}

#[cfg(not(unix))]
fn names(_: &Metadata) -> u64 {
    1
}

/// Renames what stands at a path to `….old`, `….old2` and so on, whatever is free; the new path.
pub fn put_aside(path: &Path) -> io::Result<PathBuf> {
    let name = |k: usize| {
        let mut name = path.as_os_str().to_os_string();
        name.push(if k == 1 { ".old".into() } else { format!(".old{k}") });
        PathBuf::from(name)
    };
    for free in (1..10_000).map(name) {
        if Found::at(&free)?.is_nothing() {
            disk::rename(path, &free)?;
            return Ok(free);
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Replaces the content of a file that the user has named, as a whole. Where a link stands, the file to which it leads
/// is rewritten and the link stays; the file keeps its mode and, where that is allowed, its owner.
pub fn rewrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = fs::canonicalize(path)?;
    let Some(data) = Found::at(&target)?.replaceable()? else { return Err(io::ErrorKind::NotFound.into()) };
    // a file that may not be written to is not replaced either, though its folder would allow it
    drop(File::options().append(true).open(&target)?);
    let mut part = Part::beside(&target)?;
    io::Write::write_all(&mut part, bytes)?;
    part.keep_mode(&data)?;
    // other names of the file would keep the old text: it is written in place then
    if names(&data) > 1 {
        let mut file = File::options().write(true).open(&target)?;
        disk::write_all(&mut file, bytes)?;
        disk::set_len(&file, bytes.len() as u64)?;
        return disk::sync(&file);
    }
    part.sync()?;
    part.replace(&target)
}

/// Opens a file for reading and writing, never through a link.
pub fn open_no_follow(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW);
    }
    options.open(path)
}
