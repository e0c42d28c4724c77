//! Global coordinate of a point.

use super::MeasureElement;
use crate::described;
use crate::element::compose::{Composer, Probe};
use crate::model::ends::EndsKind;

described! {
    /// A global coordinate of a point of a body, or the angle of a planar body.
    pub struct MeasuredCoordinate {
        /// Which coordinate.
        coordinate: String [Kind::Choice(&["x", "y", "z", "angle"])];
    }
}

impl MeasureElement for MeasuredCoordinate {
    fn ends(&self) -> EndsKind {
        EndsKind::One
    }
    fn unit(&self) -> &'static str {
        if self.coordinate == "angle" { "rad" } else { "m" }
    }
    fn compose(&self, c: &mut Composer) -> Option<Probe> {
        c.named_coordinate("coordinate", &self.coordinate)
    }
}
