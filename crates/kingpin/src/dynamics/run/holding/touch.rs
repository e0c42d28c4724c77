//! Something that may hold where it may do so.

use crate::dynamics::instant::holds::Response;
use crate::element::hold::{HoldKind, JointHold, RigidStop};

/// Something that may hold, where it may do so.
pub(super) struct Touch<'s> {
    pub number: usize,
    pub hold: &'s JointHold,
    pub response: Response,
    /// Whether its switch has been crossed.
    pub met: bool,
    /// What it held with.
    pub load: f64,
    /// Rates and bounces that are none.
    pub slow: f64,
    pub low: f64,
    /// A rate and an acceleration that show that it moves whatever holds it.
    pub wander: f64,
    pub jolt: f64,
}

impl Touch<'_> {
    /// Whether a rate is none. Near a dead centre a slow coordinate is much of a motion.
    pub fn is_slow(&self, rate: f64) -> bool {
        let share = if self.response.can_move() { self.response.share() } else { 1.0 };
        rate.abs() <= share * self.slow
    }

    /// The stop that it is.
    pub fn stop(&self) -> Option<&RigidStop> {
        match &self.hold.kind {
            HoldKind::Stop(stop) => Some(stop),
            HoldKind::Friction(_) => None,
        }
    }

    /// Whether it is friction.
    pub fn friction(&self) -> bool {
        matches!(self.hold.kind, HoldKind::Friction(_))
    }
}
