//! Rotation vector between two frames.

use super::MeasureElement;
use crate::described;
use crate::element::compose::{Axis, Composer, Probe};
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// The orientation of the second body (or marker) relative to the first: a component of the rotation vector, axis
    /// times angle, in the axes of the first. The rotation is at most half a revolution.
    pub struct MeasuredRotationVector {
        /// Which component.
        component: String [Kind::Choice(&["x", "y", "z"])];
    }
}

impl MeasureElement for MeasuredRotationVector {
    fn ends(&self) -> EndsKind {
        EndsKind::OwnFrames
    }
    fn spaces(&self) -> Spaces {
        Spaces::Spatial
    }
    fn unit(&self) -> &'static str {
        "rad"
    }
    fn compose(&self, c: &mut Composer) -> Option<Probe> {
        let axis = match self.component.as_str() {
            "x" => Axis::X,
            "y" => Axis::Y,
            _ => Axis::Z,
        };
        c.is_spatial().then(|| c.probe_rotation(axis))
    }
}
