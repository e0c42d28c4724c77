//! PinInSlot.

use super::{Coordinate, JointElement, JointSymbol, Observed};
use crate::described;
use crate::element::articulation::{Articulation, Move};
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::{X, Y, Z};

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
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Guide
    }

    fn coordinates(&self) -> &'static [Coordinate] {
        &[Coordinate::Displacement]
    }
    fn observe(&self, c: &mut Composer) -> Vec<Observed> {
        let about = "displacement of the pin along the slot";
        let slide = Observed { name: "displacement", about, probe: c.probe_displacement() };
        let about = "angle from the first body to the second";
        vec![slide, Observed { name: "angle", about, probe: c.probe_angle() }]
    }
    fn articulate(&self, c: &Composer) -> Option<Articulation> {
        c.carry(&[Move::Slide(X), Move::Turn(Z)])
    }
    fn starts(&self) -> &'static [&'static str] {
        &["displacement", "angle"]
    }
}
