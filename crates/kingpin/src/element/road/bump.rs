//! Flat road with a half cylinder across it.

use super::{Profile, RoadElement};
use crate::described;

described! {
    /// A flat road at height zero with a half cylinder, as seen by a rigid wheel: the height is the path of the
    /// lowest point of the wheel, sqrt((R + r)^2 - (x - centre)^2) - R while in contact.
    pub struct BumpRoad {
        /// Position of the axis of the cylinder.
        centre: f64 [Kind::Number("m")];
        /// Radius of the cylinder.
        radius: f64 [Kind::Number("m"), range = Range::Positive];
        /// Radius of the wheel.
        wheel_radius: f64 [Kind::Number("m"), range = Range::Positive];
    }
}

impl RoadElement for BumpRoad {
    fn profile(&self) -> Profile {
        Profile::Bump { centre: self.centre, radius: self.radius, wheel: self.wheel_radius }
    }
}
