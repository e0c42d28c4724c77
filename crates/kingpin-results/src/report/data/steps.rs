//! Steps of a run.

use super::Column;
use serde::Serialize;

/// Accepted steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Steps {
    pub count: usize,
    pub t: Column,
    pub h: Column,
    pub error: Column,
    pub order: Column,
    pub rejected: Column,
    pub newton: Column,
    pub residuals: Vec<Residual>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A residual after each step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Residual {
    pub name: String,
    pub unit: String,
    pub column: Column,
}
