//! Orientation of a body in space.

use super::MeasureElement;
use crate::described;
use crate::element::compose::{Axis, Composer, Probe};
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// The orientation of a body (or a marker on it): a component of the rotation vector, axis times angle, from the
    /// global frame to its frame. For a rotation about one global axis it is the angle about that axis: roll about x,
    /// pitch about y, yaw about z. The rotation is at most half a revolution.
    pub struct MeasuredRotation {
        /// Which component.
        component: String [Kind::Choice(&["x", "y", "z"])];
    }
}

impl MeasureElement for MeasuredRotation {
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
        if !c.is_spatial() {
            return None;
        }
        let axis = match self.component.as_str() {
            "x" => Axis::X,
            "y" => Axis::Y,
            _ => Axis::Z,
        };
        Some(c.probe_rotation(axis))
    }
}
