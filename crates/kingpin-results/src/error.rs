//! The one error of this crate: what failed, where, and what to do about it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why results could not be written or read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What it is.
    pub kind: ErrorKind,
    /// The file or folder concerned; empty if none is.
    pub path: PathBuf,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Remedy.
    pub advice: String,
}

/// The kinds of errors, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// There are results already, and they were not to be replaced.
    Exists,
    /// A file of the user's that is never replaced stands there.
    Kept,
    /// Another program is writing there.
    Busy,
    /// A file stands where a folder is needed.
    NotAFolder,
    /// There are no results there.
    NoResults,
    /// The files are not what this version writes.
    Damaged,
    /// The disk is full.
    Full,
    /// Not allowed to write or read there.
    Denied,
    /// Nobody reads the stream on.
    Closed,
    /// Another failure of the operating system.
    Io,
    /// There is no channel of that name.
    UnknownChannel,
    /// What was asked for makes no sense with these results.
    Unfit,
}

impl Error {
    /// An error with everything said.
    pub fn new(kind: ErrorKind, path: &Path, message: impl Into<String>, advice: impl Into<String>) -> Error {
        Error { kind, path: path.into(), message: message.into(), advice: advice.into() }
    }

    /// A failure of the operating system while `doing` something with a file, such as `write`.
    pub fn io(doing: &str, path: &Path, error: &io::Error) -> Error {
        let shown = path.display();
        let (kind, why, advice) = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                (ErrorKind::Full, "the disk is full", "free some space, or write to another disk")
            }
            io::ErrorKind::FileTooLarge => (
                ErrorKind::Full,
                "the file has reached the size limit of this process",
                "raise the limit with `ulimit -f unlimited`, or write fewer frames; continue a run \
                     with `--resume`",
            ),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                (ErrorKind::Denied, "permission denied", "choose a folder with write permission")
            }
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                (ErrorKind::NotAFolder, "a file exists where a folder is needed", "choose another folder")
            }
            io::ErrorKind::IsADirectory => {
                (ErrorKind::Io, "it is a folder", "choose another name for the file")
            }
            io::ErrorKind::InvalidInput => {
                let advice =
                    "files are not written through links or to devices: remove it, or choose another name";
                return Error::new(
                    ErrorKind::Kept,
                    path,
                    format!("cannot {doing} `{shown}`: {error}"),
                    advice,
                );
            }
            io::ErrorKind::NotFound => (ErrorKind::Io, "no such file or folder", "check the path"),
            other => {
                let kind = if other == io::ErrorKind::BrokenPipe { ErrorKind::Closed } else { ErrorKind::Io };
                let message = format!("cannot {doing} `{shown}`: {error}");
                return Error::new(kind, path, message, "check the disk and try again");
            }
        };
        let advice =
            if kind == ErrorKind::Denied && doing == "read" { "check its read permission" } else { advice };
        Error::new(kind, path, format!("cannot {doing} `{shown}`: {why}"), advice)
    }

    /// A file that is not what this version writes.
    pub fn damaged(path: &Path, why: impl fmt::Display) -> Error {
        let message = format!("`{}` cannot be read: {why}", path.display());
        Error::new(
            ErrorKind::Damaged,
            path,
            message,
            "repeat the command that wrote it with `--resume`, or with `--force` to start again",
        )
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}\n\n  help: {}", self.message, self.advice)
    }
}

impl std::error::Error for Error {}
