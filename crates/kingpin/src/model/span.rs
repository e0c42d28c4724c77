//! Spans: elements of beams.

/// An element of a geometrically exact beam. Its nodes are bodies, from end to end at the places of Gauss, Lobatto and
/// Legendre; the pose that the model gives them is free of stress. It has no mass: that of the beam is in its bodies.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Span {
    /// Its name in messages and channels, such as `blade.3`.
    pub name: String,
    /// The bodies at its nodes, two or more. Their body frames, not their centres of mass, are the nodes, with x along
    /// the beam.
    pub bodies: Vec<String>,
    /// Length of its arc.
    pub length: f64,
    /// Stiffness of its section in the axes of the nodes: axial, shear y, shear z, torsion, bending y, bending z; planar
    /// models use axial, shear y and bending z. One that is the same all along, or one for each of its places of Gauss,
    /// of which there is one less than nodes.
    pub stiffness: Vec<[[f64; 6]; 6]>,
    /// Damping as a time: the resultants are C (eps + damping eps').
    pub damping: f64,
}
