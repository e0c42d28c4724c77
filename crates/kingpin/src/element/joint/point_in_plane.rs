//! PointInPlane.

use super::JointElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::Z;

described! {
    /// The point of the second body stays in a plane of the first. 1 equation: z1 . d = 0, z normal to the plane.
    pub struct PointInPlane {}
}

impl JointElement for PointInPlane {
    fn ends(&self) -> EndsKind {
        EndsKind::Axes
    }
    fn spaces(&self) -> Spaces {
        Spaces::Spatial
    }
    fn compose(&self, c: &mut Composer) {
        c.no_offset(Z);
    }
}
