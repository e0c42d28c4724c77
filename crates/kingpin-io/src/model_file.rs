//! A model file as programs want it: a model or a mechanism, or one error with everything in it.

use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::parameters::Overrides;
use crate::read::{Loaded, read_path};
use crate::render::render;
use kingpin::mechanism::Mechanism;
use kingpin::model::Model;
use std::fmt;
use std::path::{Path, PathBuf};

/// A model file, with parameters set from outside.
///
/// ```no_run
/// use kingpin_io::ModelFile;
///
/// let mechanism = ModelFile::new("models/pendulum.toml").set("l", "2 m").mechanism()?;
/// let results = mechanism.simulate()?;
/// println!("{}", results.last("bob_x")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ModelFile {
    path: PathBuf,
    overrides: Overrides,
}

/// Why a model file cannot be used: all messages, with the lines of the file that they are about.
#[derive(Clone, Debug)]
pub struct ReadError {
    /// The messages, errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    text: String,
}

impl ModelFile {
    /// A file that is not read yet.
    pub fn new(path: impl AsRef<Path>) -> ModelFile {
        ModelFile { path: path.as_ref().into(), overrides: Overrides::none() }
    }

    /// Gives a parameter of the model another value: a number in SI units, or a text such as `3 kN/m`.
    pub fn set(mut self, name: &str, value: impl fmt::Display) -> ModelFile {
        self.overrides = self.overrides.set(name, value);
        self
    }

    /// The file, read and parsed once, and the parameters set here: for many models that differ in further ones.
    pub fn draft(&self) -> Result<(Draft, Overrides), ReadError> {
        let draft = Draft::of_path(&self.path).map_err(|loaded| ReadError::of(&loaded))?;
        Ok((draft, self.overrides.clone()))
    }

    /// The model as the file describes it.
    pub fn model(&self) -> Result<Model, ReadError> {
        let mut loaded = read_path(&self.path, &self.overrides);
        let model = loaded.model.take();
        model.ok_or_else(|| ReadError::of(&loaded))
    }

    /// The mechanism: compiled and assembled.
    pub fn mechanism(&self) -> Result<Mechanism, ReadError> {
        let mut loaded = read_path(&self.path, &self.overrides);
        let Some(model) = loaded.model.take() else { return Err(ReadError::of(&loaded)) };
        Mechanism::new(model).map_err(|error| {
            loaded.diagnostics.extend(Diagnostic::from_findings(&error.findings(), &loaded.sources));
            ReadError::of(&loaded)
        })
    }
}

impl ReadError {
    pub(crate) fn of(loaded: &Loaded) -> ReadError {
        let text = render(&loaded.diagnostics, &loaded.sources, false);
        ReadError { diagnostics: loaded.diagnostics.clone(), text }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.trim_end())
    }
}

impl std::error::Error for ReadError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped(name: &str) -> ModelFile {
        ModelFile::new(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name))
    }

    #[test]
    fn parameters_are_set_before_the_model_is_made() {
        let model = shipped("pendulum.toml").set("l", "2 m").set("point_mass", 3).model().expect("a model");
        assert_eq!((model.bodies[0].mass, model.bodies[0].centre().x), (4.0, 1.5));
    }

    #[test]
    fn messages_point_at_the_line() {
        let error = shipped("pendulum.toml").set("lenght", 2).mechanism().expect_err("no such parameter");
        assert!(error.to_string().contains("lenght"), "{error}");
        // a rod of no length has no inertia
        let error = shipped("pendulum.toml").set("l", 0).mechanism().expect_err("not a body");
        let text = error.to_string();
        assert!(text.contains("pendulum.toml:") && text.contains("inertia"), "{text}");
    }
}
