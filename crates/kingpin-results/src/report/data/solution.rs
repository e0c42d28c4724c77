//! How a run went.

use super::{Entry, Steps, Warning};
use serde::Serialize;

/// How the run went.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Solution {
    pub outcome: PageOutcome,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    pub summary: Vec<Entry>,
    pub settings: Vec<Entry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Steps>,
    pub events: Vec<SolutionEvent>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cost: Vec<Cost>,
}

/// Time that a part of the solution took.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Cost {
    pub name: String,
    pub seconds: f64,
}

/// How the run ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct PageOutcome {
    pub state: &'static str,
    pub message: String,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct SolutionEvent {
    pub t: f64,
    pub name: String,
}
