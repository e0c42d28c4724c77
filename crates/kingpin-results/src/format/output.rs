//! Where an export goes.

use crate::error::Error;
use crate::store::made;
use kingpin_files::{Chunk, Part, disk};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file, which appears when it is whole, or a stream such as standard output.
pub struct Output<'a> {
    path: PathBuf,
    /// Whether it must be on the disk before it has its name.
    durable: bool,
    to: To<'a>,
}

enum To<'a> {
    /// A file that is not whole yet.
    File(BufWriter<Part>),
    Stream(BufWriter<Box<dyn Write + Send + 'a>>),
}

impl<'a> Output<'a> {
    /// A file; the folders above it are made. An existing one is replaced when the new one is whole; a link is not.
    pub fn file(path: &Path) -> Result<Output<'a>, Error> {
        let fail = |error: io::Error| Error::io("write", path, &error);
        if let Some(above) = path.parent().filter(|above| !above.as_os_str().is_empty()) {
            disk::create_dir_all(above).map_err(|error| Error::io("create the folder", above, &error))?;
        }
        let part = Part::beside(path).map_err(fail)?;
        Ok(Output { path: path.into(), durable: true, to: To::File(BufWriter::with_capacity(1 << 16, part)) })
    }

    /// One file of many, none of which waits for the disk.
    pub fn one_of_many(path: &Path) -> Result<Output<'a>, Error> {
        Ok(Output { durable: false, ..Output::file(path)? })
    }

    /// A stream, with the name that messages give it.
    pub fn stream(name: &str, to: impl Write + Send + 'a) -> Output<'a> {
        Output { path: name.into(), durable: false, to: To::Stream(BufWriter::new(Box::new(to))) }
    }

    /// Where it goes.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.write_all(bytes).map_err(|error| Error::io("write", &self.path, &error))
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str) -> Result<(), Error> {
        self.bytes(text.as_bytes())
    }

    /// Everything is written: the file gets its name. Among results its checksum is noted first.
    pub fn finish(self) -> Result<(), Error> {
        let Output { path, durable, to } = self;
        let fail = |error: io::Error| Error::io("write", &path, &error);
        match to {
            To::Stream(mut stream) => stream.flush().map_err(fail),
            To::File(buffer) => {
                let part = buffer.into_inner().map_err(|error| fail(error.into_error()))?;
                if durable {
                    part.sync().map_err(fail)?;
                }
                made::enter(&path, Chunk::whole(part.length(), part.sum()))?;
                part.replace(&path).map_err(fail)
            }
        }
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::File(file) => file.write(bytes),
            To::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::File(file) => file.flush(),
            To::Stream(stream) => stream.flush(),
        }
    }
}
