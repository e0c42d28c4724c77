//! PinInSlot.

use super::{Coordinate, JointElement};
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::Y;

described! {
    /// A pin of the second body in a straight slot of the first. 1 equation: y1 . d = 0, x along the slot.
    pub struct PinInSlot {}
}

impl JointElement for PinInSlot {
    fn ends(&self) -> EndsKind {
        EndsKind::Axes
    }
    fn spaces(&self) -> Spaces {
        Spaces::Planar
    }
    fn compose(&self, c: &mut Composer) {
        c.no_offset(Y);
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Displacement]
    }
}
