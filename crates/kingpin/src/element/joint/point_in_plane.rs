//! PointInPlane.

use super::{JointElement, JointSymbol, Observed};
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::{X, Y, Z};

described! {
    /// The point of the second body remains in a plane of the first. 1 equation: z1 . d = 0, z normal to the plane.
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
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Disc
    }
    fn observe(&self, c: &mut Composer) -> Vec<Observed> {
        let about = "displacement in the plane along the x axis of the first frame";
        let x = Observed { name: "displacement_x", about, probe: c.probe_offset(X) };
        let about = "displacement in the plane along the y axis of the first frame";
        let y = Observed { name: "displacement_y", about, probe: c.probe_offset(Y) };
        vec![x, y]
    }
}
