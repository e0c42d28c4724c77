//! Roll, pitch and yaw.

use super::MeasureElement;
use crate::described;
use crate::element::compose::{Axis, Composer, Probe};
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// Roll, pitch or yaw of a body (or a marker on it) relative to the global axes: yaw about z first, then pitch
    /// about the rotated y axis, then roll about its own x axis. Roll and yaw are between -180 and 180 degrees, pitch
    /// between -90 and 90 degrees. At a pitch of 90 degrees only the sum of roll and yaw is determined: a model must
    /// not start there. For two bodies use a `rotation-sequence`.
    pub struct MeasuredAttitude {
        /// Which angle.
        component: String [Kind::Choice(&["roll", "pitch", "yaw"])];
    }
}

impl MeasureElement for MeasuredAttitude {
    fn ends(&self) -> EndsKind {
        EndsKind::One
    }
    fn spaces(&self) -> Spaces {
        Spaces::Spatial
    }
    fn unit(&self) -> &'static str {
        "rad"
    }
    fn compose(&self, c: &mut Composer) -> Option<Probe> {
        let angle = ["yaw", "pitch", "roll"].iter().position(|word| *word == self.component)?;
        c.is_spatial().then(|| c.probe_sequence([Axis::Z, Axis::Y, Axis::X], angle))
    }
}
