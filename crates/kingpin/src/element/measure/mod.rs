//! Measures: quantities that expressions may use by name, with their rates. One file each and a line below.

use super::compose::{Composer, Probe};
use crate::element::reading::Reading;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

/// What every measure must be able to say.
#[doc(hidden)]
pub trait MeasureElement {
    /// Which ends it has.
    fn ends(&self) -> EndsKind {
        EndsKind::None
    }
    /// In which models it makes sense.
    fn spaces(&self) -> Spaces {
        Spaces::Both
    }
    /// The unit of its value; the rate is per second.
    fn unit(&self) -> &'static str;
    /// Whether its value is the rate of what is probed.
    fn is_rate(&self) -> bool {
        false
    }
    /// What is probed; `None` after a complaint.
    fn compose(&self, c: &mut Composer) -> Option<Probe>;
    /// The reaction that is read instead; `None` after a complaint too.
    fn reading(&self, _: &mut Composer) -> Option<Reading> {
        None
    }
}

crate::element_list! {
    /// All measures.
    pub enum MeasureKind: MeasureElement {
        distance::MeasuredDistance = "distance",
        angle::MeasuredAngle = "angle",
        displacement::MeasuredDisplacement = "displacement",
        offset::MeasuredOffset = "offset",
        coordinate::MeasuredCoordinate = "coordinate",
        rotation::MeasuredRotation = "rotation",
        rotation_vector::MeasuredRotationVector = "rotation-vector",
        rotation_sequence::MeasuredSequence = "rotation-sequence",
        attitude::MeasuredAttitude = "attitude",
        velocity::MeasuredVelocity = "velocity",
        reaction::MeasuredReaction = "reaction",
    }
}
