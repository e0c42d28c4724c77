//! Road given by points.

use super::{Profile, RoadElement};
use crate::described;
use crate::expr::Curve;

described! {
    /// A road through given points, joined by a monotone cubic, or as `join` of the points says. Runs find the corners of
    /// lines as a wheel meets them. In front of the first point and behind the last it is level.
    pub struct TableRoad {
        /// Distance travelled `x` and height `y`.
        points: Curve [Kind::Curve { x: "m", y: "m" }];
    }
}

impl RoadElement for TableRoad {
    fn profile(&self) -> Profile {
        Profile::Table(self.points.clone().level_outside())
    }
}
