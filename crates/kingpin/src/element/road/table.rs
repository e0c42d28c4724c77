//! Road given by points.

use super::{Profile, RoadElement};
use crate::described;
use crate::expr::Curve;

described! {
    /// A road through given points, interpolated by a monotone cubic or as selected by `join`. The corners of
    /// straight segments are located as events. The road is level before the first and after the last point.
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
