//! Reactions that functions and friction read: inputs of a state, behind those of the model and what controllers hold.

/// What is read of the reaction of a joint or driver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// The joint, or behind all joints the driver.
    pub group: usize,
    /// Which number of it.
    pub part: ReadingPart,
}

/// A number of a reaction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReadingPart {
    /// The length of its force.
    ForceSize,
    /// The length of its torque.
    TorqueSize,
    /// A component of its force, in the axes of a body or of ground.
    Force {
        /// The axis, in the axes of that body.
        along: [f64; 3],
        /// The body; the number of bodies is ground.
        frame: usize,
    },
    /// A component of its torque.
    Torque {
        /// The axis, in the axes of that body.
        along: [f64; 3],
        /// The body; the number of bodies is ground.
        frame: usize,
    },
    /// What a driver pushes with along the coordinate that it drives.
    Drive,
}

impl ReadingPart {
    /// Whether it is a length, which is never negative.
    pub fn is_size(self) -> bool {
        matches!(self, ReadingPart::ForceSize | ReadingPart::TorqueSize)
    }

    /// Whether it is of the torque.
    pub fn is_torque(self) -> bool {
        matches!(self, ReadingPart::TorqueSize | ReadingPart::Torque { .. })
    }
}
