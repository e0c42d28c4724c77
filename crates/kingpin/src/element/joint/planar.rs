//! Planar.

use super::{JointElement, JointSymbol, Observed};
use crate::described;
use crate::element::articulation::{Articulation, Move};
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::{X, Y, Z};

described! {
    /// A planar joint: the second body slides and rotates in the plane normal to the axis. 3 equations: x1 . z2 = y1
    /// . z2 = 0 and z1 . d = 0, z along the normal.
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
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Disc
    }
    fn observe(&self, c: &mut Composer) -> Vec<Observed> {
        let about = "displacement in the plane along the x axis of the first frame";
        let x = Observed { name: "displacement_x", about, probe: c.probe_offset(X) };
        let about = "displacement in the plane along the y axis of the first frame";
        let y = Observed { name: "displacement_y", about, probe: c.probe_offset(Y) };
        let about = "angle about the normal from the first body to the second, counted over full revolutions";
        let turn = Observed { name: "angle", about, probe: c.probe_angle() };
        vec![x, y, turn]
    }
    fn articulate(&self, c: &Composer) -> Option<Articulation> {
        c.carry(&[Move::Slide(X), Move::Slide(Y), Move::Turn(Z)])
    }
    fn starts(&self) -> &'static [&'static str] {
        &["displacement_x", "displacement_y", "angle"]
    }
}
