//! Where an export goes.

use crate::error::Error;
use crate::store::disk;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file, which appears when it is whole, or a stream such as standard output.
pub struct Output<'a> {
    path: PathBuf,
    /// The name under which a file is written before it is whole.
    part: Option<PathBuf>,
    to: BufWriter<Box<dyn Write + Send + 'a>>,
}

impl<'a> Output<'a> {
    /// A file; the folders above it are made. An existing one is replaced when the new one is whole.
    pub fn file(path: &Path) -> Result<Output<'a>, Error> {
        if let Some(above) = path.parent().filter(|above| !above.as_os_str().is_empty()) {
            fs::create_dir_all(above).map_err(|error| Error::io("make the folder", above, &error))?;
        }
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(".part");
        let part = path.with_file_name(name);
        let file = disk::create(&part).map_err(|error| Error::io("write", path, &error))?;
        Ok(Output { path: path.into(), part: Some(part), to: BufWriter::new(Box::new(disk::Guarded(file))) })
    }

    /// A stream, with the name that messages give it.
    pub fn stream(name: &str, to: impl Write + Send + 'a) -> Output<'a> {
        Output { path: name.into(), part: None, to: BufWriter::new(Box::new(to)) }
    }

    /// Where it goes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.to.write_all(bytes).map_err(|error| Error::io("write", &self.path, &error))
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) -> Result<(), Error> {
        self.bytes(text.as_bytes())
    }

    /// Everything is written: the file gets its name.
    pub fn finish(mut self) -> Result<(), Error> {
        let done = self.to.flush().and_then(|()| match self.part.take() {
            Some(part) => disk::rename(&part, &self.path).inspect_err(|_| forget(&part)),
            None => Ok(()),
        });
        done.map_err(|error| Error::io("write", &self.path, &error))
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Drop for Output<'_> {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            forget(part);
        }
    }
}

/// Removes what is not whole; if that fails, too, the first error is the one to tell.
fn forget(part: &Path) {
    let _ = fs::remove_file(part);
}
