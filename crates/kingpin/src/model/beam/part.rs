//! What became of a beam.

use std::ops::Range;

/// What became of one beam.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct BeamPart {
    /// Its name.
    pub name: String,
    /// The bodies at its nodes.
    pub bodies: Range<usize>,
    /// Those that have a name of their own: its ends and its points.
    pub named: Vec<usize>,
    /// Its elements.
    pub spans: Range<usize>,
    /// Joints that hold its corners together.
    pub joints: Range<usize>,
    /// Its loads, a force each node.
    pub forces: Range<usize>,
    /// What is drawn of it.
    pub shapes: Range<usize>,
    /// Order of its elements.
    pub order: usize,
    /// Length of its arc.
    pub length: f64,
    /// Its mass.
    pub mass: f64,
    /// Whether something is wrong with it, so that it stands in the model by its names alone.
    pub faulty: bool,
}
