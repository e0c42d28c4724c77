//! Why a mechanism could not be assembled.

use crate::model::finding::{Finding, Subject};

/// A joint or driver that cannot be closed.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// The joint or driver.
    pub subject: Subject,
    /// Its name.
    pub name: String,
    /// What remains between its points, in metres (or metres per second).
    pub length: f64,
    /// What remains between its directions or angles, in radians (or radians per second).
    pub angle: f64,
}

/// An initial joint coordinate, or its rate.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenCoordinate {
    /// The joint.
    pub subject: Subject,
    /// The field of the joint.
    pub field: &'static str,
    /// What results call it, such as `crank_pin.angle`.
    pub name: String,
}

/// Why a mechanism could not be assembled.
#[derive(Clone, Debug, PartialEq)]
pub enum AssemblyFailure {
    /// No configuration near the given one satisfies all constraints: these joints contradict each other.
    Inconsistent {
        /// The joints that cannot be closed together, worst first.
        misfits: Vec<Misfit>,
        /// What is missing in all, in metres: the sum over the joints.
        length: f64,
        /// The same for directions, in radians.
        angle: f64,
        /// The last described of the joints, with what it misses by when all others are closed; `None` if
        /// the others contradict each other without it.
        gap: Option<Misfit>,
    },
    /// The velocities that are prescribed contradict each other.
    InconsistentVelocities {
        /// The joints and drivers concerned, worst first.
        misfits: Vec<Misfit>,
    },
    /// Initial joint coordinates, or their rates, that cannot hold together; without any one of them the others
    /// can.
    Contradiction {
        /// They.
        given: Vec<GivenCoordinate>,
    },
    /// The iteration got lost; the given values are probably far from any solution.
    NoConvergence {
        /// The joints that are worst off.
        misfits: Vec<Misfit>,
        /// Iterations spent.
        iterations: usize,
    },
    /// An expression gave no finite number.
    NotFinite {
        /// The joint or driver concerned, if it is one.
        name: Option<String>,
        /// What is wrong with it, if that is known.
        finding: Option<Box<Finding>>,
    },
}
