//! What can be wrong with a mesh, a structure or its reduction.

use crate::words::did_you_mean;
use kingpin_sparse::SparseError;
use std::fmt;

/// Why a mesh was not assembled or a structure not reduced. Nodes and elements are named by their numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum FlexError {
    /// The mesh has no elements.
    NoElements,
    /// No set has this name.
    SetUnknown {
        /// The name.
        name: String,
        /// Names of sets that are near it.
        near: Vec<String>,
    },
    /// No node has this number.
    NodeUnknown {
        /// The number.
        node: u64,
    },
    /// An element is turned inside out, or so bent that a part of it is.
    Inverted {
        /// Its number.
        element: u64,
    },
    /// An element has no volume, area or length.
    Degenerate {
        /// Its number.
        element: u64,
    },
    /// An element has no material.
    NoSection {
        /// Its number.
        element: u64,
    },
    /// A number of a section is not one of a body.
    BadSection {
        /// Name of the material.
        material: String,
        /// Which number, and what it must be.
        wants: &'static str,
    },
    /// The mesh consists of parts that nothing connects.
    Unconnected {
        /// An element of each part and the number of its nodes.
        parts: Vec<(u64, usize)>,
    },
    /// An interface has no node, or nodes on one line, which do not hold its turns.
    InterfaceTooSmall {
        /// Its name.
        interface: String,
    },
    /// A node of an interface belongs to no element.
    InterfaceLoose {
        /// Its name.
        interface: String,
        /// The node.
        node: u64,
    },
    /// Two interfaces share a node.
    InterfacesShare {
        /// Their names.
        interfaces: [String; 2],
        /// The node.
        node: u64,
    },
    /// Parts of the structure can move without any force while its interfaces are held.
    Mechanism {
        /// A node that moves.
        node: u64,
    },
    /// The modes do not suffice to move interfaces apart from each other.
    TooFewModes {
        /// The first interface that cannot move on its own.
        interface: String,
        /// Modes chosen.
        given: usize,
        /// Modes needed at the least.
        needed: usize,
    },
    /// A mode depends on those before it.
    ModesDepend {
        /// Its number, from 1.
        mode: usize,
    },
    /// There are not as many modes.
    NotSoManyModes {
        /// Number of the mode that was asked for.
        wanted: usize,
        /// How many there are.
        there: usize,
    },
    /// More amplitudes than a body in a mechanism can have.
    TooManyAmplitudes {
        /// How many there would be.
        wanted: usize,
        /// The most there can be.
        most: usize,
    },
    /// The search for modes found others than a count says there are.
    ModesMissed {
        /// Modes found below a frequency.
        found: usize,
        /// Modes there are.
        there: usize,
    },
    /// The search for modes did not converge.
    ModesNotConverged {
        /// Modes wanted.
        wanted: usize,
        /// Vectors of the search.
        vectors: usize,
    },
    /// The mass matrix is not definite, or it is not the same in all directions.
    BadMass {
        /// A node where it is not so.
        node: u64,
    },
    /// Numbers that do not fit: of nodes, rows, fields.
    WrongSize {
        /// Of what.
        what: &'static str,
        /// How many fit.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// The sparse matrix was refused.
    Matrix(SparseError),
    /// Bytes that are no superelement.
    BadBytes {
        /// What was expected.
        wants: &'static str,
    },
    /// The bytes of a superelement that another version has written.
    OtherVersion,
}

impl fmt::Display for FlexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoElements => write!(f, "the mesh has no elements"),
            Self::SetUnknown { name, near } => write!(f, "there is no set `{name}`{}", did_you_mean(near)),
            Self::NodeUnknown { node } => write!(f, "there is no node {node}"),
            Self::Inverted { element } => write!(f, "element {element} is inverted"),
            Self::Degenerate { element } => write!(f, "element {element} is degenerate"),
            Self::NoSection { element } => write!(f, "element {element} has no material"),
            Self::BadSection { material, wants } => write!(f, "material `{material}`: {wants}"),
            Self::Unconnected { parts } => {
                write!(f, "the mesh consists of {} unconnected parts:", parts.len())?;
                let mut words = parts.iter().map(|(e, n)| format!(" that of element {e} with {n} nodes"));
                write!(f, "{}", words.by_ref().take(5).collect::<Vec<_>>().join(","))
            }
            Self::InterfaceTooSmall { interface } => {
                write!(f, "the nodes of interface `{interface}` do not fix its rotation: they lie on a line")
            }
            Self::InterfaceLoose { interface, node } => {
                write!(f, "node {node} of interface `{interface}` belongs to no element")
            }
            Self::InterfacesShare { interfaces: [a, b], node } => {
                write!(f, "interfaces `{a}` and `{b}` share node {node}")
            }
            Self::Mechanism { node } => {
                write!(f, "a part with node {node} is not constrained when all interfaces are fixed")
            }
            Self::TooFewModes { interface, given, needed } => write!(
                f,
                "{given} modes do not determine the motion of interface `{interface}`; at least \
                     {needed} are needed"
            ),
            Self::ModesDepend { mode } => {
                write!(f, "mode {mode} is linearly dependent on the modes before it")
            }
            Self::NotSoManyModes { wanted, there } => {
                write!(f, "mode {wanted} is selected, but there are only {there}")
            }
            Self::TooManyAmplitudes { wanted, most } => {
                write!(f, "{wanted} interface motions and modes are too many (limit {most})")
            }
            Self::ModesMissed { found, there } => {
                write!(f, "{found} of {there} modes were found")
            }
            Self::ModesNotConverged { wanted, vectors } => {
                write!(f, "{wanted} modes did not converge with {vectors} vectors")
            }
            Self::BadMass { node } => {
                write!(f, "the mass at node {node} is not positive, or not the same in all directions")
            }
            Self::WrongSize { what, expected, given } => {
                write!(f, "{expected} {what} are needed, but {given} are given")
            }
            Self::Matrix(error) => write!(f, "{error}"),
            Self::BadBytes { wants } => write!(f, "no superelement: {wants}"),
            Self::OtherVersion => write!(f, "a superelement of another version"),
        }
    }
}

impl std::error::Error for FlexError {}

impl From<SparseError> for FlexError {
    fn from(error: SparseError) -> FlexError {
        FlexError::Matrix(error)
    }
}
