//! Translational.

use super::{Coordinate, JointElement, JointSymbol};
use crate::described;
use crate::element::articulation::{Articulation, Move};
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::{X, Y, Z};

described! {
    /// A slider (prismatic joint): the second body translates along the axis of the first without rotation. Spatial:
    /// 5 equations, x1 . z2 = y1 . z2 = x1 . y2 = 0 and x1 . d = y1 . d = 0, z along the axis and d from point 1 to
    /// point 2. Planar: 2 equations, equal angles and y1 . d = 0, x along the axis.
    pub struct Translational {}
}

impl JointElement for Translational {
    fn ends(&self) -> EndsKind {
        EndsKind::Axes
    }
    fn spaces(&self) -> Spaces {
        Spaces::Both
    }
    fn compose(&self, c: &mut Composer) {
        if c.is_spatial() {
            c.axes_parallel();
            c.perpendicular(X, Y);
            c.no_offset(X);
        } else {
            c.same_orientation();
        }
        c.no_offset(Y);
    }
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Guide
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Displacement]
    }
    fn articulate(&self, c: &Composer) -> Option<Articulation> {
        if c.is_spatial() || c.by_markers {
            return c.carry(&[Move::Slide(if c.is_spatial() { Z } else { X })]);
        }
        c.carry_from_given(&[Move::Slide(X)])
    }
    fn starts(&self) -> &'static [&'static str] {
        &["displacement"]
    }
}
