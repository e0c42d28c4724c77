//! The results folder of a command.

use crate::output::{Exit, colour, complain, complain_styled, warn};
use kingpin::model::Model;
use kingpin_io::{Overrides, read_text};
use kingpin_results::{Error, Reader};
use std::path::{Path, PathBuf};

/// The folder of results, as every command takes it that reads one.
#[derive(clap::Args)]
pub struct FolderArgs {
    /// Folder of results of `kingpin run`, also of one that is running or was interrupted
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

impl FolderArgs {
    /// Opens it; failures are reported, and so is what the disk has damaged.
    pub fn open(&self) -> Result<Reader, Exit> {
        let reader = Reader::open(&self.dir).map_err(told)?;
        reader.verify().map_err(told)?;
        for said in reader.damaged_extras().map_err(told)? {
            let advice = "the frames are intact; run `kingpin run` with the same model and options and \
                     `--resume` to repair it";
            warn("damaged-results", &format!("{said}\n\n  help: {advice}\n\n"));
        }
        Ok(reader)
    }
}

/// The model of results, as the folder keeps it; failures are told.
pub fn model_of(reader: &Reader) -> Result<Model, Exit> {
    let text = reader.model_text().map_err(told)?;
    let path = reader.dir().join("model.toml");
    let folder = path.parent().unwrap_or(Path::new(""));
    let loaded = read_text(&path.display().to_string(), &text, folder, &Overrides::none());
    if loaded.model.is_none() {
        complain_styled(&loaded.render(colour()));
    }
    // numbers of bodies are those of the run, nodes of beams among them
    loaded.model.map(|model| model.expand().0).ok_or(Exit::Usage)
}

/// Tells why results could not be read or written.
pub fn told(error: Error) -> Exit {
    complain(&format!("error: {error}\n"));
    Exit::Usage
}
