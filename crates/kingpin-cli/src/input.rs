//! The model file of a command, and the parameters set on the command line.

use crate::output::be_strict;
use kingpin::model::Severity;
use kingpin_io::{Diagnostic, Draft, Loaded, Overrides, Sources, text_of_stream};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The model and its parameters, as every command takes them.
#[derive(clap::Args)]
pub struct ModelArgs {
    /// Model file; `-` reads standard input
    #[arg(value_name = "MODEL")]
    path: PathBuf,
    /// Set a parameter of the model, such as `L=2` or `"k=3 kN/m"`
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    assignments: Vec<String>,
    /// End with exit code 1 if there are warnings
    #[arg(long)]
    strict: bool,
}

/// What is shown as the file name of standard input.
const STDIN: &str = "<stdin>";
/// The name under which the reader shows assignments of the command line.
pub const ASSIGNMENT: &str = "--set";

impl ModelArgs {
    /// Reads the model. If there was nothing to read, the result has an error and no files.
    pub fn load(&self) -> Loaded {
        self.draft().map_or_else(|loaded| *loaded, |draft| draft.into_loaded(&self.overrides()))
    }

    /// The parameters set beside it.
    pub fn overrides(&self) -> Overrides {
        Overrides::new(self.assignments.iter().cloned())
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The files of the model, read and parsed once; or what is loaded if there is nothing to read.
    pub fn draft(&self) -> Result<Draft, Box<Loaded>> {
        if self.strict {
            be_strict();
        }
        let text = match self.stream() {
            None => return Draft::of_path(&self.path),
            Some(text) => text,
        };
        let name = if self.is_stdin() { STDIN.into() } else { self.path.display().to_string() };
        text.map(|text| Draft::of_text(&name, &text, "."))
            .map_err(|error| Box::new(unreadable(format!("cannot read {}: {error}", self.shown()))))
    }

    /// The text, if it can be read once only, such as standard input or `<(…)` of a shell.
    fn stream(&self) -> Option<Result<String, String>> {
        if self.is_stdin() {
            return Some(text_of_stream(io::stdin()));
        }
        let open = || fs::File::open(&self.path).map_err(|error| error.to_string());
        is_stream(&self.path).then(|| open().and_then(text_of_stream))
    }

    fn is_stdin(&self) -> bool {
        self.path == Path::new("-")
    }

    /// Name of the file without its folder and its ending; none for streams.
    pub fn stem(&self) -> Option<&OsStr> {
        if self.is_stdin() || is_stream(&self.path) { None } else { self.path.file_stem() }
    }

    /// Name of a file or folder that is called like the model, with an ending.
    pub fn beside(&self, otherwise: &str, ending: &str) -> PathBuf {
        let mut name = self.stem().unwrap_or(OsStr::new(otherwise)).to_os_string();
        name.push(ending);
        name.into()
    }

    /// What is read, for messages.
    fn shown(&self) -> String {
        if self.is_stdin() { "standard input".into() } else { format!("`{}`", self.path.display()) }
    }
}

/// Whether an error is the fault of the command line, not of the model.
pub fn is_misuse(diagnostics: &[Diagnostic], sources: &Sources) -> bool {
    let file_of =
        |d: &Diagnostic| d.place.and_then(|place| sources.file(place.file)).map(|file| file.name.as_str());
    let errors = || diagnostics.iter().filter(|d| d.is_error());
    errors().count() > 0 && (sources.files().is_empty() || errors().any(|d| file_of(d) == Some(ASSIGNMENT)))
}

/// What is loaded if there is nothing to read.
fn unreadable(message: String) -> Loaded {
    let diagnostic = Diagnostic {
        severity: Severity::Error,
        code: "",
        message,
        place: None,
        label: String::new(),
        hint: None,
        related: None,
        repeats: 0,
        assembly: None,
    };
    Loaded { diagnostics: vec![diagnostic], ..Loaded::default() }
}

/// Whether a path names something that is neither a file nor a folder.
fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// Accepts `name=value`; what they mean is up to the reader.
pub fn assignment(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => Ok(text.into()),
        _ => Err("write NAME=VALUE".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_need_a_name_and_a_value() {
        assert_eq!(assignment("k=3 kN/m").as_deref(), Ok("k=3 kN/m"));
        for text in ["k", "=3", "k=", " = 2"] {
            assert!(assignment(text).is_err(), "{text}");
        }
    }
}
