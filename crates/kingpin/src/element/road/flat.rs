//! Flat road.

use super::{Profile, RoadElement};
use crate::described;

described! {
    /// A flat road.
    pub struct FlatRoad {
        /// Its height.
        height: f64 [Kind::Number("m")] = 0.0;
    }
}

impl RoadElement for FlatRoad {
    fn profile(&self) -> Profile {
        Profile::Flat(self.height)
    }
}
