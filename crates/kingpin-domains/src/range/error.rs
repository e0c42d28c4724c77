//! Why a structure could not be solved for, in the names of its parts.

use super::structure::{Interface, Part};
use std::fmt;

/// What is wrong with a structure, or why a solution was not found.
#[derive(Debug, Clone, PartialEq)]
pub enum RangeError {
    /// A port is held by two interfaces.
    PortTaken {
        /// The substructure.
        part: String,
        /// Its port.
        port: usize,
        /// The interfaces.
        interfaces: [String; 2],
    },
    /// Interfaces that join nodes which others have joined: the constraint metric is singular.
    Loop {
        /// Names of the interfaces around the loop; the last closes it.
        interfaces: Vec<String>,
    },
    /// A substructure whose matrix is not positive definite.
    NotDefinite {
        /// Its name.
        part: String,
        /// Its node.
        node: usize,
    },
    /// A frame whose nodes are on one line has no six rigid motions.
    Line {
        /// The interface.
        interface: String,
    },
    /// The constraint metric lost definiteness at an interface.
    Singular {
        /// The interface.
        interface: String,
    },
    /// Conjugate gradients did not get there.
    NoConvergence {
        /// Iterations done.
        iterations: usize,
        /// What is left, over the right side.
        residual: f64,
    },
}

impl RangeError {
    pub(crate) fn port_taken(
        parts: &[Part],
        interfaces: &[Interface],
        (part, port): (usize, usize),
        before: usize,
        now: usize,
    ) -> RangeError {
        let interfaces = [before, now].map(|j| interfaces[j].name.clone());
        RangeError::PortTaken { part: parts[part].name.clone(), port, interfaces }
    }

    pub(crate) fn loop_of(interfaces: &[Interface], way: &[usize]) -> RangeError {
        RangeError::Loop { interfaces: way.iter().map(|&j| interfaces[j].name.clone()).collect() }
    }
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            RangeError::PortTaken { part, port, interfaces: [a, b] } => write!(
                f,
                "interfaces `{a}` and `{b}` both use port {port} of `{part}`: list the frame as \
                     another port of it"
            ),
            RangeError::Loop { interfaces } => {
                let names: Vec<String> = interfaces.iter().map(|name| format!("`{name}`")).collect();
                let (last, others) = names.split_last().map_or(("", &[][..]), |(l, o)| (l.as_str(), o));
                write!(
                    f,
                    "interface {last} connects nodes that {} already connect, so the constraint \
                         metric is singular: omit one interface of the loop",
                    others.join(", ")
                )
            }
            RangeError::NotDefinite { part, node } => {
                write!(
                    f,
                    "the matrix of `{part}` is not positive definite at node {node}: give the node mass"
                )
            }
            RangeError::Line { interface } => write!(
                f,
                "the nodes of interface `{interface}` are on one line: use the method \
                     `block-jacobi` or `direct`"
            ),
            RangeError::Singular { interface } => {
                write!(f, "the constraint metric is singular at interface `{interface}`")
            }
            RangeError::NoConvergence { iterations, residual } => write!(
                f,
                "conjugate gradients did not converge in {iterations} iterations (relative residual \
                     {residual:.1e}): use the method `direct`"
            ),
        }
    }
}

impl std::error::Error for RangeError {}
