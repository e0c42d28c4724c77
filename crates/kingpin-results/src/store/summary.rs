//! How a run ended.

use serde::{Deserialize, Serialize};

/// The content of `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Name of the model.
    pub model: String,
    /// Hash of the model as it was run.
    pub hash: String,
    /// What ran it, such as `kingpin 0.3.0`.
    pub generator: String,
    /// All settings that change numbers, by name.
    pub settings: serde_json::Map<String, serde_json::Value>,
    /// Whether it reached its end.
    pub outcome: Outcome,
    /// A sentence, such as `t = 2 s reached`.
    pub message: String,
    /// Counts and times, in the order of reports.
    pub facts: Vec<Fact>,
    /// What makes its results doubtful although it reached its end; shown before everything else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

impl Summary {
    /// The end of the run that began with a header.
    pub fn new(header: &super::Header, outcome: Outcome, message: String, facts: Vec<Fact>) -> Summary {
        Summary {
            model: header.model.clone(),
            hash: header.hash.clone(),
            generator: header.generator.clone(),
            settings: header.settings.clone(),
            outcome,
            message,
            facts,
            warnings: Vec::new(),
        }
    }

    /// The time at which the run ended.
    pub fn reached(&self) -> Option<f64> {
        self.facts.iter().find(|fact| fact.kind == FactKind::Reached)?.value.as_f64()
    }

    /// The same with warnings.
    pub fn with_warnings(mut self, warnings: Vec<Warning>) -> Summary {
        self.warnings = warnings;
        self
    }
}

/// Something that the user of the results must know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What kind it is, in words that stay the same for scripts; empty where results of older versions had none.
    #[serde(default)]
    pub code: String,
    /// A sentence, with names in backticks.
    pub what: String,
    /// Its cause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Its remedy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// Whether a run reached its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It did, or an event ended it.
    Done,
    /// The user stopped it; it can go on.
    Interrupted,
    /// It could not go on.
    Failed,
}

/// One named value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Its name.
    pub name: String,
    /// A number, a text, or null.
    pub value: serde_json::Value,
    /// Its unit; empty for pure numbers and texts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// What it is for programs.
    #[serde(default, skip_serializing_if = "FactKind::is_plain")]
    pub kind: FactKind,
}

/// What a fact is for programs, which must not go by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FactKind {
    /// Something to be shown.
    #[default]
    Plain,
    /// The time at which the run ended.
    Reached,
    /// A part of the time that the computation took.
    Cost,
}

impl FactKind {
    fn is_plain(&self) -> bool {
        *self == FactKind::Plain
    }
}

impl Fact {
    /// A named value.
    pub fn new(name: &str, value: impl Into<serde_json::Value>, unit: &str) -> Fact {
        Fact { name: name.into(), value: value.into(), unit: unit.into(), kind: FactKind::Plain }
    }

    /// The time at which the run ended.
    pub fn reached(t: f64) -> Fact {
        Fact { kind: FactKind::Reached, ..Fact::new("time reached", t, "s") }
    }

    /// A part of the time that the computation took.
    pub fn cost(name: &str, seconds: f64) -> Fact {
        Fact { kind: FactKind::Cost, ..Fact::new(name, seconds, "s") }
    }
}
