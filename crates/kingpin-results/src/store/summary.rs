//! How a run ended.

use serde::{Deserialize, Serialize};

/// The content of `summary.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Whether it reached its end.
    pub outcome: Outcome,
    /// A sentence, such as `t = 2 s reached`.
    pub message: String,
    /// Counts and times, in the order of reports.
    pub facts: Vec<Fact>,
}

/// Whether a run reached its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It did, or an event or the user ended it.
    Done,
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
}

impl Fact {
    /// A named value.
    pub fn new(name: &str, value: impl Into<serde_json::Value>, unit: &str) -> Fact {
        Fact { name: name.into(), value: value.into(), unit: unit.into() }
    }
}
