//! Cylindrical.

use super::{Coordinate, JointElement, JointSymbol};
use crate::described;
use crate::element::articulation::{Articulation, Move};
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::{X, Y, Z};

described! {
    /// A cylindrical joint: the second body rotates about the axis and slides along it. 4 equations: x1 . z2 = y1 .
    /// z2 = 0 and x1 . d = y1 . d = 0, z along the axis.
    pub struct Cylindrical {}
}

impl JointElement for Cylindrical {
    fn ends(&self) -> EndsKind {
        EndsKind::Axes
    }
    fn spaces(&self) -> Spaces {
        Spaces::Spatial
    }
    fn compose(&self, c: &mut Composer) {
        c.axes_parallel();
        c.no_offset(X);
        c.no_offset(Y);
    }
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Sleeve
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Angle, Coordinate::Displacement]
    }
    fn articulate(&self, c: &Composer) -> Option<Articulation> {
        c.carry(&[Move::Turn(Z), Move::Slide(Z)])
    }
    fn starts(&self) -> &'static [&'static str] {
        &["angle", "displacement"]
    }
}
