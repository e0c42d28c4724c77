//! What can be wrong with a text.

use crate::words::did_you_mean;
use std::fmt;

/// What is wrong with a text, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Counted from 1; 0 where bytes have no lines.
    pub line: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The text ends, or something else stands where this should be.
    Wants(&'static str),
    /// Not a number of the kind that belongs here.
    NotANumber(String),
    /// A kind of element that is not known.
    ElementType(String),
    /// An element names a node that is not there.
    NodeUnknown {
        /// Number of the element.
        element: u64,
        /// Number of the node.
        node: u64,
    },
    /// An element or node of a set is not there.
    NumberUnknown(u64),
    /// A number is given twice.
    Twice(u64),
    /// A set or material of this name is not there.
    NameUnknown {
        /// The name.
        name: String,
        /// Names that are near it.
        near: Vec<String>,
    },
    /// Something that this reader does not do.
    NotSupported(String),
    /// An entry of a matrix that is not symmetric.
    NotSymmetric {
        /// Its row, from 1.
        row: usize,
        /// Its column, from 1.
        column: usize,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Wants(what) => write!(f, "{what} is expected here"),
            Fault::NotANumber(text) => write!(f, "`{text}` is not a valid number here"),
            Fault::ElementType(name) => write!(f, "elements of type {name} are not supported"),
            Fault::NodeUnknown { element, node } => {
                write!(f, "element {element} refers to node {node}, which does not exist")
            }
            Fault::NumberUnknown(number) => write!(f, "{number} does not exist"),
            Fault::Twice(number) => write!(f, "{number} is defined twice"),
            Fault::NameUnknown { name, near } => write!(f, "there is no `{name}`{}", did_you_mean(near)),
            Fault::NotSupported(what) => write!(f, "{what} is not supported"),
            Fault::NotSymmetric { row, column } => {
                write!(f, "the matrix is not symmetric: entry {row}, {column} differs from {column}, {row}")
            }
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}", self.fault)
        } else {
            write!(f, "line {}: {}", self.line, self.fault)
        }
    }
}

impl std::error::Error for ReadError {}
