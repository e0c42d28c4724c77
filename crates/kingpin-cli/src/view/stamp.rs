//! When files were written, to see whether they were saved since.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Every file with the time it was written and its length.
pub type Stamp = Vec<(PathBuf, Option<(SystemTime, u64)>)>;

/// The same files now.
pub fn now(stamp: &Stamp) -> Stamp {
    stamp.iter().map(|(path, _)| stamp_of(path)).collect()
}

/// One file now.
pub fn stamp_of(path: &Path) -> (PathBuf, Option<(SystemTime, u64)>) {
    let found = fs::metadata(path).ok();
    (path.into(), found.and_then(|found| Some((found.modified().ok()?, found.len()))))
}
