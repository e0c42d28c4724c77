//! Planar.

use super::JointElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::Z;

described! {
    /// Two faces in contact: the second body slides and turns in the plane normal to the axis.
    /// 3 equations: x1 . z2 = y1 . z2 = 0 and z1 . d = 0, z along the normal.
    pub struct Planar {}
}

impl JointElement for Planar {
    fn ends(&self) -> EndsKind {
        EndsKind::Axes
    }
    fn spaces(&self) -> Spaces {
        Spaces::Spatial
    }
    fn compose(&self, c: &mut Composer) {
        c.axes_parallel();
        c.no_offset(Z);
    }
}
