//! One point of a study: its model, its run, its numbers.

use crate::gauge::{Curves, Gauge};
use crate::scalar::{Bound, Names, Scalar, When};
use crate::study::Study;
use kingpin::dynamics::{Checkpoint, End, Frame, Settings};
use kingpin::mechanism::Mechanism;
use kingpin::model::Model;
use kingpin::results::Channels;
use kingpin_io::{Diagnostic, Loaded, Sources};
use std::sync::atomic::AtomicBool;

/// What became of a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It has all its numbers.
    Good,
    /// It has numbers, and something is doubtful about them.
    Doubtful(String),
    /// It has none, for this reason.
    Failed(String),
}

impl Outcome {
    /// A word, and the reason behind it.
    pub fn words(&self) -> String {
        match self {
            Outcome::Good => "good".into(),
            Outcome::Doubtful(why) => format!("doubtful: {why}"),
            Outcome::Failed(why) => format!("failed: {why}"),
        }
    }

    /// The outcome of which [`Outcome::words`] has told.
    pub fn from_words(words: &str) -> Option<Outcome> {
        match words.split_once(": ") {
            None if words == "good" => Some(Outcome::Good),
            Some(("doubtful", why)) => Some(Outcome::Doubtful(why.into())),
            Some(("failed", why)) => Some(Outcome::Failed(why.into())),
            _ => None,
        }
    }
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Number of the point.
    pub point: usize,
    /// The values of the parameters that are varied, in the units of their variations.
    pub values: Vec<f64>,
    /// The scalars, in SI units; none where there is no number.
    pub scalars: Vec<Option<f64>>,
    /// What became of it.
    pub outcome: Outcome,
    /// Channels over time, if some were asked for.
    pub curves: Option<Curves>,
}

/// A mechanism at a point, with all that is asked of it.
pub(crate) struct Prepared {
    pub mechanism: Mechanism,
    pub settings: Settings,
    pub bound: Bound,
    /// Channels that are filled at each frame.
    pub channels: Channels,
    /// Names of those that are kept.
    pub kept: Vec<String>,
    /// Names of the events of the model.
    events: Vec<String>,
}

/// Why a point could not be prepared.
pub(crate) enum Trouble {
    /// The model, or its settings: messages with places.
    Model(Box<(Vec<Diagnostic>, Sources)>),
    /// The settings do not go together.
    Settings(String),
    /// A scalar, by its number.
    Scalar(usize, kingpin::expr::ExprError),
    /// A channel to keep.
    Channel(String),
}

impl Trouble {
    /// In one line.
    pub fn line(&self, scalars: &[Scalar]) -> String {
        let line = match self {
            Trouble::Model(said) => {
                let (diagnostics, sources) = &**said;
                let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
                error.map_or_else(|| "the model has errors".into(), |error| located(error, sources))
            }
            Trouble::Settings(why) | Trouble::Channel(why) => why.clone(),
            Trouble::Scalar(k, error) => {
                format!("`{}`: {error}", scalars.get(*k).map_or("", |scalar| scalar.text.as_str()))
            }
        };
        one_line(&line)
    }
}

/// A message with its place, as compilers write it.
fn located(error: &Diagnostic, sources: &Sources) -> String {
    let place = error.place.and_then(|place| {
        let (line, _) = sources.line_column(place)?;
        Some(format!("{}:{line}: ", sources.file(place.file)?.name))
    });
    format!("{}{}", place.unwrap_or_default(), error.message)
}

/// A text of several lines in one.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Prepared {
    /// Compiles a model and finds all names.
    pub fn new(study: &Study, loaded: Loaded) -> Result<Prepared, Trouble> {
        let Loaded { model, sources, diagnostics, parameters } = loaded;
        let faulty = |diagnostics, sources| Trouble::Model(Box::new((diagnostics, sources)));
        let Some(model) = model else { return Err(faulty(diagnostics, sources)) };
        let mut settings = (study.configure)(&model).map_err(Trouble::Settings)?;
        // points go side by side, so each has one thread
        settings.threads = Some(1);
        let events: Vec<String> = model.events.iter().map(|event| event.name.clone()).collect();
        let mechanism = Mechanism::new(model).map_err(|error| {
            faulty(Diagnostic::from_findings(&error.findings(), &sources), sources.clone())
        })?;
        let names = Names {
            channels: mechanism.all_channels(),
            parameters: &parameters,
            events: events.iter().map(String::as_str).collect(),
        };
        let bound = Bound::new(&study.scalars, &names).map_err(|(k, error)| Trouble::Scalar(k, error))?;
        let kept = kept(&mechanism, &study.curves)?;
        // nobody asks for energies alone by an empty list
        let wanted = bound.picked.iter().chain(&kept).cloned().chain(["energy.total".to_string()]);
        let channels = Channels::wanted(mechanism.system(), &wanted.collect::<Vec<_>>());
        Ok(Prepared { mechanism, settings, bound, channels, kept, events })
    }

    /// Simulates. None if it was stopped on the way.
    pub fn run(&self, stop: &AtomicBool) -> Option<(Vec<Option<f64>>, Outcome, Option<Curves>)> {
        let none = |why: String| Some((Vec::new(), Outcome::Failed(one_line(&why)), None));
        let start = match self.mechanism.start() {
            Ok(start) => start.clone(),
            Err(error) => return none(error.to_string()),
        };
        let mut settings = self.settings.clone();
        let duration = settings.t_end - start.t;
        settings.frame = settings.frame.or((duration > 0.0).then_some(duration / 1000.0));
        let mut gauge = Gauge::new(&self.channels, &self.bound, &self.kept, stop);
        let ran = self.mechanism.run(&settings, &Checkpoint::at_start(&start, &settings), &mut gauge);
        let outcome = match ran {
            Ok(outcome) => outcome,
            Err(error) => return none(error.to_string()),
        };
        if let Some(failure) = outcome.failure {
            return none(format!("{}; {}", failure.headline(), failure.why_words()));
        }
        if outcome.run.end == End::Stopped {
            return None;
        }
        let state = &outcome.run.state;
        let mut last = self.mechanism.dynamics_at(state, settings.solver);
        last.work.exchanged = outcome.run.energy.exchanged;
        let system = last.system;
        gauge.finish(&Frame { system, state, work: &last.work, accelerations: &last.result });
        let scalars = gauge.scalars();
        let mut doubts: Vec<String> = outcome.warnings.into_iter().map(|warning| warning.what).collect();
        doubts.extend(gauge.missed().map(|when| self.missed(when)));
        let lacking = scalars.iter().any(Option::is_none) && doubts.is_empty();
        doubts.extend(lacking.then(|| "a metric is not finite".to_string()));
        let judged = match doubts.is_empty() {
            true => Outcome::Good,
            false => Outcome::Doubtful(one_line(&doubts.join("; "))),
        };
        Some((scalars, judged, gauge.curves.take()))
    }

    fn missed(&self, when: When) -> String {
        match when {
            When::Event(k) => {
                format!("the event `{}` does not occur", self.events.get(k).map_or("", String::as_str))
            }
            When::Time(t) => format!("the run does not reach t = {t} s"),
            When::Always => String::new(),
        }
    }
}

/// The channels that some patterns name.
fn kept(mechanism: &Mechanism, patterns: &[String]) -> Result<Vec<String>, Trouble> {
    let all = mechanism.all_channels();
    let mut kept = Vec::new();
    for pattern in patterns {
        let found = Channels::wanted(mechanism.system(), std::slice::from_ref(pattern));
        // energies are always among them
        let energy = pattern.starts_with("energy") || pattern.starts_with('*');
        let names = found.list().iter().filter(|channel| energy || !channel.name.starts_with("energy."));
        let before = kept.len();
        kept.extend(names.map(|channel| channel.name.clone()));
        if kept.len() == before {
            let hint = all.closest(pattern).map(|name| format!(" (did you mean `{name}`?)"));
            return Err(Trouble::Channel(format!(
                "there is no channel `{pattern}`{}",
                hint.unwrap_or_default()
            )));
        }
    }
    kept.dedup();
    Ok(kept)
}

/// What settings a model asks for, unless somebody else says so.
pub(crate) fn own_settings(model: &Model) -> Result<Settings, String> {
    Ok(Settings::of(&model.simulation))
}
