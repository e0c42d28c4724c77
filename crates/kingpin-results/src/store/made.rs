//! Tables and pages made of results: their checksums, in a manifest of their own, `tables`. Whoever writes such a file
//! into a folder of results enters it here first, so that a file of the user under such a name is told from ours.

use super::{MADE, SUMS, sums};
use crate::error::Error;
use kingpin_files::{Chain, Chunk, Found, Manifest, put_aside, replace};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// The first line.
const HEAD: &str = "kingpin-tables 1";
/// The name in the last line: the file is only ever replaced as a whole, and a cut between two lines is noticed.
const END: &str = "end";

/// The manifest of what was made; empty if there is none that can be read.
pub(super) fn read(dir: &Path) -> Result<Manifest, Error> {
    Ok(find(dir)?.unwrap_or_default())
}

/// The manifest; nothing if there is none, or none of ours.
fn find(dir: &Path) -> Result<Option<Manifest>, Error> {
    let path = dir.join(MADE);
    let fail = |error: io::Error| Error::io("read", &path, &error);
    match Found::at(&path).map_err(fail)? {
        Found::File(_) => {
            let bytes = fs::read(&path).map_err(fail)?;
            let mut manifest = Manifest::parse(&bytes, HEAD);
            if let Some(manifest) = &mut manifest {
                manifest.is_damaged |= !manifest.knows(END) || manifest.good < bytes.len() as u64;
            }
            Ok(manifest)
        }
        _ => Ok(None),
    }
}

/// Names of files that were made.
pub(super) fn names(dir: &Path) -> Result<Vec<String>, Error> {
    let manifest = read(dir)?;
    Ok(manifest.files().map(|(name, _)| name.to_string()).filter(|name| name != END).collect())
}

/// Whether it is ours.
pub(super) fn is_ours(dir: &Path) -> Result<bool, Error> {
    Ok(find(dir)?.is_some())
}

/// Notes what a file is about to become, if it lies in a folder of results.
pub(crate) fn enter(path: &Path, content: Chunk) -> Result<(), Error> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) =
        path.file_name().and_then(|name| name.to_str()).filter(|name| super::TABLES.contains(name))
    else {
        return Ok(());
    };
    if sums::Sums::read(dir)?.state != sums::State::Good {
        return Ok(());
    }
    let own = dir.join(MADE);
    let fail = |error: io::Error| Error::io("write", &own, &error);
    // one at a time; file systems without locks do without
    let turn = File::open(dir.join(SUMS)).map_err(fail)?;
    let _ = turn.lock();
    let known = find(dir)?;
    if known.is_none() && !Found::at(&own).map_err(fail)?.is_nothing() {
        put_aside(&own).map_err(fail)?;
    }
    let known = known.unwrap_or_default();
    let (mut text, mut chain) = Chain::begin(HEAD);
    for (other, list) in known.files().filter(|(other, _)| *other != END) {
        list.iter().for_each(|chunk| text += &chain.line(other, *chunk));
    }
    text += &chain.line(name, content);
    text += &chain.line(END, Chunk::CLAIM);
    replace(&own, text.as_bytes()).map_err(fail)
}
