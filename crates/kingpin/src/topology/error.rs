//! What can be wrong with a graph, an order or a split that the caller describes.

use std::fmt;

/// A description that does not make sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopologyError {
    /// A joint names a body beyond the number of bodies.
    BodyOutOfRange {
        /// The joint.
        joint: usize,
        /// The body it names.
        body: usize,
        /// How many bodies there are.
        bodies: usize,
    },
    /// The sequence does not name every index exactly once; `index` is missing, repeated or too large.
    NotAPermutation {
        /// The first offending index.
        index: usize,
    },
    /// A split names a body beyond the number of bodies, or names one twice.
    SplitBody {
        /// The body.
        body: usize,
    },
    /// The pieces of a split body do not carry each of its joints exactly once.
    SplitJoints {
        /// The body.
        body: usize,
        /// A joint that is missing, repeated or foreign.
        joint: usize,
    },
    /// The pieces of a split body and the links between them do not form a tree.
    SplitNotATree {
        /// The body.
        body: usize,
    },
}

impl fmt::Display for TopologyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BodyOutOfRange { joint, body, bodies } => {
                write!(f, "joint {joint} names body {body}, but there are only {bodies} bodies")
            }
            Self::NotAPermutation { index } => {
                write!(f, "not a permutation: index {index} is missing, repeated or too large")
            }
            Self::SplitBody { body } => write!(f, "body {body} does not exist or is split twice"),
            Self::SplitJoints { body, joint } => {
                write!(f, "the pieces of body {body} do not carry joint {joint} exactly once")
            }
            Self::SplitNotATree { body } => write!(f, "the pieces of body {body} do not form a tree"),
        }
    }
}

impl std::error::Error for TopologyError {}
