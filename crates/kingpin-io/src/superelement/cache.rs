//! Caches of reductions: files of ours beside the model. Nothing else is ever written over.

use crate::meshes::MeshFault;
use kingpin_files::{Found, replace};
use kingpin_flex::FlexError;
use kingpin_flex::reduce::{Superelement, is_superelement};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// The file of a cache, which is ours or not there yet.
pub(super) struct Cache<'a> {
    name: &'a str,
    path: PathBuf,
}

/// What a cache holds.
enum Kept {
    /// Nothing, or the reduction of something else.
    Nothing,
    Body(Box<Superelement>),
    Damaged,
}

impl<'a> Cache<'a> {
    /// The cache of a name, if it may be one: it lies in the folder of the model, and what is there is a cache.
    pub fn new(name: &'a str, folder: &Path) -> Result<Cache<'a>, MeshFault> {
        let shown = name.escape_debug();
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        let path = folder.join(name);
        let above = path.parent().and_then(|above| fs::canonicalize(above).ok());
        let leaves =
            above.zip(fs::canonicalize(folder).ok()).is_some_and(|(above, own)| !above.starts_with(own));
        if !inside || leaves || name.is_empty() {
            let message = format!("a cache must be in the folder of the model or below it, not at `{shown}`");
            return Err(MeshFault::new("cache", message).hint("choose a name such as `link.reduced`"));
        }
        let fault = |what: &str| {
            let message = format!("`{shown}` is {what}, and is not overwritten");
            MeshFault::new("cache", message).hint(
                "choose an unused name for the cache, such as `link.reduced`; a damaged cache can \
                     be removed",
            )
        };
        match Found::at(&path) {
            Ok(Found::File(_)) if begins_a_superelement(&path).unwrap_or(false) => {}
            Ok(Found::File(_)) => return Err(fault("a file that is not a cache")),
            Ok(Found::Link) => return Err(fault("a link")),
            Ok(Found::Folder) => return Err(fault("a folder")),
            Ok(Found::Other) => return Err(fault("a device")),
            // what cannot be seen is not there
            Ok(Found::Nothing) | Err(_) => {}
        }
        Ok(Cache { name, path })
    }

    /// The reduction with this fingerprint: taken out of the cache, or made and put there. With a remark if the cache
    /// was damaged or cannot be written.
    pub fn get(
        &self,
        fingerprint: u64,
        make: impl FnOnce() -> Result<Superelement, FlexError>,
    ) -> Result<(Superelement, Option<MeshFault>), FlexError> {
        let shown = self.name.escape_debug();
        let damaged = match self.kept(fingerprint) {
            Kept::Body(body) => return Ok((*body, None)),
            Kept::Nothing => false,
            Kept::Damaged => true,
        };
        let body = make()?;
        let remark = match replace(&self.path, &body.to_bytes()) {
            Err(error) => {
                let message = format!("the cache `{shown}` cannot be written: {}", reason(&error));
                Some(MeshFault::new("cache", message).hint("the reduction is repeated in every run"))
            }
            Ok(()) => damaged.then(|| {
                let message = format!("the cache `{shown}` was damaged");
                MeshFault::new("cache", message).hint("the reduction was repeated and the cache replaced")
            }),
        };
        Ok((body, remark))
    }

    fn kept(&self, fingerprint: u64) -> Kept {
        let Ok(bytes) = fs::read(&self.path) else { return Kept::Nothing };
        match Superelement::from_bytes(&bytes) {
            Ok(body) if body.fingerprint == fingerprint => Kept::Body(Box::new(body)),
            Ok(_) | Err(FlexError::OtherVersion) => Kept::Nothing,
            Err(_) => Kept::Damaged,
        }
    }
}

/// Whether a file begins as caches of all versions do.
fn begins_a_superelement(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(8).read_to_end(&mut head)?;
    Ok(is_superelement(&head))
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the disk is full".into(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "permission denied".into(),
        io::ErrorKind::NotFound => "there is no such folder".into(),
        _ => error.to_string(),
    }
}
