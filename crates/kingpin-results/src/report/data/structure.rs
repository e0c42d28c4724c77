//! The structure of the equations.

use super::PageTable;
use serde::Serialize;

/// The joint graph and its elimination.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Topology {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub patterns: Vec<Pattern>,
    pub counts: Vec<Count>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
    pub tables: Vec<PageTable>,
}

/// A body of the graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Node {
    pub name: String,
    pub kind: &'static str,
}

/// A joint of the graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Edge {
    pub name: String,
    pub nodes: [usize; 2],
    pub kind: &'static str,
    pub equations: usize,
}

/// A symmetric pattern by its lower triangle.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Pattern {
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub size: usize,
    pub labels: Vec<String>,
    pub entries: Vec<usize>,
    pub fill: Vec<usize>,
}

/// A count before and after ordering.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Count {
    pub name: &'static str,
    pub before: Option<f64>,
    pub after: Option<f64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub unit: &'static str,
}
