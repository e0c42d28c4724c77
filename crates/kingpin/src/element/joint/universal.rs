//! Universal.

use super::JointElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::Z;

described! {
    /// A cross joint: the points coincide and the two pins stay perpendicular.
    /// 4 equations: points coincide and z1 . z2 = 0, where z1 is the pin on the first body (`axis1`) and z2
    /// the pin on the second (`axis2`). Locks up when the shafts make a right angle.
    pub struct Universal {}
}

impl JointElement for Universal {
    fn ends(&self) -> EndsKind {
        EndsKind::TwoAxes
    }
    fn spaces(&self) -> Spaces {
        Spaces::Spatial
    }
    fn compose(&self, c: &mut Composer) {
        c.coincide();
        c.perpendicular(Z, Z);
    }
}
