//! The format of `viewer/src/data.ts`, field by field.

mod solution;
mod steps;
mod structure;

pub use solution::{Cost, PageOutcome, Solution, SolutionEvent};
pub use steps::{Residual, Steps};
pub use structure::{Count, Edge, Node, Pattern, Topology};

use serde::Serialize;

/// Written into every file.
pub const FORMAT: &str = "kingpin-view";
/// The version of the format.
pub const VERSION: u32 = 1;

/// A vector.
pub type Vec3 = [f64; 3];

/// Everything the page shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)] // the meaning of every field is told in data.ts
pub struct Data {
    pub format: &'static str,
    pub version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generator: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<bool>,
    pub model: Model,
    pub channels: Vec<Channel>,
    pub frames: Frames,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<PageMode>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<OtherRun>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charts: Option<Vec<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<PageTable>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topology: Option<Topology>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<Solution>,
    /// None where the page cannot change anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controls: Option<Vec<Control>>,
}

/// A parameter that the page may change.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Control {
    pub name: String,
    /// What the file says beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    pub unit: String,
    pub value: f64,
    /// The value of the file.
    pub own: f64,
    pub min: f64,
    pub max: f64,
    /// Values are this far apart, if the file says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// What it is computed from, if it is no number; and what the file says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own_text: Option<String>,
    pub changed: bool,
}

/// Another run of the same mechanism.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct OtherRun {
    pub name: String,
    pub channels: Vec<RunChannel>,
    pub frames: Frames,
}

/// A channel of another run.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct RunChannel {
    pub name: String,
    pub unit: String,
}

/// The mechanism.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Model {
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    pub space: &'static str,
    pub gravity: Vec3,
    /// The file as it was run, with its includes.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    pub bodies: Vec<Body>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beams: Vec<Beam>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meshes: Vec<PageMesh>,
    pub joints: Vec<Joint>,
    pub drivers: Vec<Joint>,
    pub forces: Vec<Force>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ground: Vec<Shape>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roads: Vec<Road>,
}

/// A parameter of the model, as in results.
pub use crate::store::Parameter;
/// A warning about the run, as in results.
pub use crate::store::Warning;

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Body {
    pub name: String,
    pub mass: f64,
    pub com: Vec3,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<Shape>,
    pub pose: Vec<usize>,
    /// Whether it is a point: its pose is a place alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub point: bool,
    /// Of shapes that the page chooses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opacity: Option<f64>,
}

/// A beam, or what of it is between two corners.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Beam {
    pub name: String,
    pub nodes: Vec<usize>,
    pub order: usize,
    pub outline: Vec<[f64; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outlines: Vec<Vec<[f64; 2]>>,
    pub rest: Vec<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modulus: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
}

/// A flexible body whose surface a few amplitudes deform, or points carry.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct PageMesh {
    pub name: String,
    pub body: usize,
    pub nodes: Vec<usize>,
    pub count: usize,
    pub points: Column,
    pub triangles: Vec<u32>,
    pub amplitudes: Vec<usize>,
    pub shapes: Vec<Column>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stresses: Vec<Column>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corners: Option<Vec<Option<usize>>>,
}

/// A shape; only the fields of its type are there.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Shape {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub point: Vec3,
    pub orientation: [f64; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opacity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Column>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triangles: Option<Vec<u32>>,
}

/// A joint or driver.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Joint {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub symbol: &'static str,
    pub bodies: Vec<Option<usize>>,
    pub points: Vec<Vec3>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<Vec3>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<String>,
    pub equations: usize,
}

/// A force.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Force {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub symbol: &'static str,
    pub bodies: Vec<Option<usize>>,
    pub points: Vec<Vec3>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_fixed: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<usize>,
}

/// A road.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Road {
    pub name: String,
    pub points: Vec<[f64; 2]>,
}

/// A channel.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Channel {
    pub name: String,
    pub unit: String,
    pub group: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<(&'static str, usize)>,
}

/// Numbers over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Column {
    /// Single precision in base64.
    F32(String),
    /// Double precision in base64.
    F64(String),
    /// Plain numbers, `null` for gaps.
    Values(Vec<Option<f64>>),
    /// The same everywhere.
    Constant(f64),
    /// Differences from a number, in single precision.
    #[serde(untagged)]
    Shifted {
        /// The differences.
        f32: String,
        /// What is to be added to each.
        offset: f64,
    },
}

impl Default for Column {
    fn default() -> Self {
        Column::Values(Vec::new())
    }
}

/// All frames.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Frames {
    pub count: usize,
    pub times: Column,
    pub columns: Vec<Column>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A small motion to choose.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct PageMode {
    pub name: String,
    pub frames: Frames,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
    /// Nothing.
    Empty,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct PageTable {
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub columns: Vec<TableColumn>,
    pub rows: Vec<Vec<Cell>>,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct TableColumn {
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

/// A named value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Entry {
    pub name: String,
    pub value: Cell,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
}

/// Frames after those that a page has: the message `frames` of the live view.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct LiveFrames {
    pub first: u64,
    pub count: u64,
    pub rows: Column,
}
