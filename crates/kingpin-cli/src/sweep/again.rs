//! The settings of the runs of a study as its folder keeps them: words of the command, so that a point can be run again.

use crate::run::options::{Options, positive_time};
use clap::{CommandFactory, Parser};
use kingpin::dynamics::Settings;
use kingpin::model::Model;

/// Settings that the command of a study gives its runs.
#[derive(Clone, Parser)]
#[command(no_binary_name = true)]
pub struct RunSettings {
    #[command(flatten)]
    options: Options,
    #[arg(long, value_parser = positive_time)]
    frame: Option<f64>,
}

impl RunSettings {
    /// From words such as `--t-end 2`.
    pub fn of(words: &[String]) -> Result<RunSettings, String> {
        RunSettings::try_parse_from(words).map_err(|error| error.to_string())
    }

    /// The words of a command line that say how runs are made; how many threads make them is none of these.
    pub fn words(line: impl IntoIterator<Item = String>) -> Vec<String> {
        let command = RunSettings::command();
        let known =
            |name: &str| name != "threads" && command.get_arguments().any(|arg| arg.get_long() == Some(name));
        let (mut words, mut line) = (Vec::new(), line.into_iter());
        while let Some(word) = line.next() {
            let Some(name) = word.strip_prefix("--") else { continue };
            match name.split_once('=') {
                Some((name, value)) if known(name) => words.extend([format!("--{name}"), value.to_string()]),
                None if known(name) => {
                    words.extend(line.next().map(|value| [word, value]).into_iter().flatten())
                }
                _ => {}
            }
        }
        words
    }

    /// The settings of a run.
    pub fn settings(&self, model: &Model) -> Result<Settings, String> {
        let mut settings = self.options.settings(model)?;
        settings.frame = self.frame.or(model.simulation.frame);
        Ok(settings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_command_are_its_settings_again() {
        let line = "kingpin sweep a.toml --vary k=1..2:3 --t-end 2 --metric max(x) --frame=50ms --threads 3 --tol 1e-8 --quiet";
        let words = RunSettings::words(line.split(' ').map(String::from));
        assert_eq!(words, ["--t-end", "2", "--frame", "50ms", "--tol", "1e-8"]);
        let given = RunSettings::of(&words).expect("settings");
        let settings = given.settings(&Model::default()).expect("settings");
        assert_eq!((settings.t_end, settings.frame, settings.rtol), (2.0, Some(0.05), 1e-8));
        assert!(RunSettings::of(&["--t-end".into()]).is_err());
    }
}
