//! PointOnLine.

use super::{Coordinate, JointElement, JointSymbol};
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::{X, Y};

described! {
    /// The point of the second body remains on a line of the first. 2 equations: x1 . d = y1 . d = 0, z along the
    /// line.
    pub struct PointOnLine {}
}

impl JointElement for PointOnLine {
    fn ends(&self) -> EndsKind {
        EndsKind::Axes
    }
    fn spaces(&self) -> Spaces {
        Spaces::Spatial
    }
    fn compose(&self, c: &mut Composer) {
        c.no_offset(X);
        c.no_offset(Y);
    }
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Guide
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Displacement]
    }
}
