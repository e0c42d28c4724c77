//! A model file that is read and parsed once, for models that differ in their parameters alone.

use crate::bytes::text_of;
use crate::diagnostic::Report;
use crate::load::{Files, Shelf, identity};
use crate::parameters::{Overrides, ParameterRange, range_in};
use crate::pattern::Limits;
use crate::read::{Loaded, finished, unreadable};
use crate::tree::Data;
use std::path::{Path, PathBuf};

/// The files of a model, read and parsed: what becomes of them depends on the values of parameters. Changes of the
/// files on the disk change nothing of it; meshes are read when they are needed.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Name of the file, as messages show it.
    pub(crate) name: String,
    /// Where files beside it are looked up.
    pub(crate) folder: PathBuf,
    pub(crate) files: Files,
    /// What was found on the way.
    pub(crate) report: Report,
}

/// A parameter as a file defines it.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterText {
    /// Its name.
    pub name: String,
    /// Its value: a number, or what stands between the quotes.
    pub text: String,
    /// Name of the file.
    pub file: String,
    /// Text of the file as it was read, without a mark in front.
    pub source: String,
    /// Where the value stands in it, quotes included.
    pub bytes: std::ops::Range<usize>,
    /// Between which values it is to be moved, if a file says so.
    pub range: Option<ParameterRange>,
}

impl Draft {
    pub(crate) fn new(shelf: Shelf, name: &str, text: String, folder: &Path, path: &Path) -> Draft {
        let (mut files, mut report) = (Files::new(shelf), Report::default());
        files.add(name.into(), text, folder, identity(path), &mut report);
        Draft { name: name.into(), folder: folder.into(), files, report }
    }

    /// Reads a file and its includes. A file that cannot be read is an error with a message, as it is loaded.
    pub fn of_path(path: impl AsRef<Path>) -> Result<Draft, Box<Loaded>> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let text = text_of(path).map_err(|why| Box::new(unreadable(&name, &why)))?;
        Ok(Draft::new(Shelf::Disk, &name, text, path.parent().unwrap_or(Path::new("")), path))
    }

    /// Parses a text; `name` is shown in messages, includes are relative to `folder`.
    pub fn of_text(name: &str, text: &str, folder: impl AsRef<Path>) -> Draft {
        let folder = folder.as_ref();
        Draft::new(Shelf::Disk, name, text.into(), folder, &folder.join(name))
    }

    /// The model with some values of its parameters.
    pub fn load(&self, overrides: &Overrides) -> Loaded {
        self.clone().into_loaded(overrides)
    }

    /// The same, where no other values are wanted afterwards.
    pub fn into_loaded(self, overrides: &Overrides) -> Loaded {
        self.finished(overrides, Limits::default())
    }

    /// Parameters as the files define them, each once, in the order of the files.
    pub fn parameters(&self) -> Vec<ParameterText> {
        let mut found: Vec<ParameterText> = Vec::new();
        for document in &self.files.documents {
            let Some(Data::Table(table)) = document.tree.get("parameters").map(|node| &node.data) else {
                continue;
            };
            let Some(source) = self.files.sources.get(document.file as usize) else { continue };
            for entry in &table.entries {
                let text = match &entry.value.data {
                    Data::Text(text) => text.clone(),
                    data => data.number().map(|number| format!("{number:?}")).unwrap_or_default(),
                };
                let (file, bytes) = (source.name.clone(), entry.value.span.range());
                let (name, range) = (entry.key.clone(), range_in(&self.files.documents, &entry.key));
                let new = ParameterText { name, text, file, source: source.text.clone(), bytes, range };
                // a file may define anew what its includes define
                match found.iter_mut().find(|known| known.name == new.name) {
                    Some(known) => *known = new,
                    None => found.push(new),
                }
            }
        }
        found
    }

    pub(crate) fn finished(self, overrides: &Overrides, limits: Limits) -> Loaded {
        finished(self, overrides, limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_path;

    #[test]
    fn a_draft_gives_what_the_file_gives() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models/pendulum.toml");
        let draft = Draft::of_path(&path).expect("a file");
        for overrides in [Overrides::none(), Overrides::none().set("l", "2 m"), Overrides::new(["lenght=2"])]
        {
            let (from_draft, from_file) = (draft.load(&overrides), read_path(&path, &overrides));
            assert_eq!(from_draft.render(false), from_file.render(false));
            let text = |loaded: &Loaded| loaded.model.as_ref().map(crate::to_toml);
            assert_eq!(text(&from_draft), text(&from_file));
        }
        let error = Draft::of_path("no/such/file.toml").expect_err("nothing to read");
        assert!(error.render(false).contains("there is no such file"));
    }
}
