//! Velocity of a point.

use super::MeasureElement;
use crate::described;
use crate::element::compose::{Axis, Composer, Probe};
use crate::model::ends::EndsKind;

described! {
    /// A component of the velocity of the second point as an observer sees it who moves and turns with the first body (or
    /// marker), along an axis of that body (or marker); with `body1 = "ground"` the velocity in global axes. Its `rate`
    /// is the acceleration that the observer sees: a channel of results, which functions cannot read.
    pub struct MeasuredVelocity {
        /// Which component.
        component: String [Kind::Choice(&["x", "y", "z"])];
    }
}

impl MeasureElement for MeasuredVelocity {
    fn ends(&self) -> EndsKind {
        EndsKind::OwnFrames
    }
    fn unit(&self) -> &'static str {
        "m/s"
    }
    fn is_rate(&self) -> bool {
        true
    }
    fn compose(&self, c: &mut Composer) -> Option<Probe> {
        let axis = match self.component.as_str() {
            "x" => Axis::X,
            "y" => Axis::Y,
            _ if c.is_spatial() => Axis::Z,
            other => {
                let message = format!("a velocity in the plane has no component `{other}`");
                c.complain("component", message);
                return None;
            }
        };
        Some(c.probe_offset(axis))
    }
}
