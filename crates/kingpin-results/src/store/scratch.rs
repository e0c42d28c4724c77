//! A folder for results that are read at once and thrown away.

use crate::error::Error;
use std::fs::DirBuilder;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// A new and empty folder for temporary files, which nobody else may look into. The caller removes it.
pub fn scratch() -> Result<PathBuf, Error> {
    let instant = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let dir = std::env::temp_dir().join(format!("kingpin-{}-{instant}", std::process::id()));
    // a folder that is there already is not ours: this fails then
    builder().create(&dir).map_err(|error| Error::io("create the folder", &dir, &error))?;
    Ok(dir)
}

#[cfg(unix)]
fn builder() -> DirBuilder {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

#[cfg(not(unix))]
fn builder() -> DirBuilder {
    DirBuilder::new()
}
