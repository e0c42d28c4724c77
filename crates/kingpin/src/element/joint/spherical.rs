//! Spherical.

use super::{JointElement, JointSymbol, Observed};
use crate::described;
use crate::element::articulation::{Articulation, Move};
use crate::element::compose::{Axis, Composer};
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// A ball joint: the points coincide. 3 equations.
    pub struct Spherical {}
}

impl JointElement for Spherical {
    fn ends(&self) -> EndsKind {
        EndsKind::Points
    }
    fn spaces(&self) -> Spaces {
        Spaces::Spatial
    }
    fn compose(&self, c: &mut Composer) {
        c.coincide();
    }
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Ball
    }
    fn observe(&self, c: &mut Composer) -> Vec<Observed> {
        let about = "component of the rotation vector from the first frame to the second, in the first frame; \
             up to half a revolution";
        let names = ["rotation_x", "rotation_y", "rotation_z"];
        let of = |(axis, name)| Observed { name, about, probe: c.probe_rotation(axis) };
        Axis::ALL.into_iter().zip(names).map(of).collect()
    }
    fn articulate(&self, c: &Composer) -> Option<Articulation> {
        c.carry(&[Move::Ball])
    }
    fn starts(&self) -> &'static [&'static str] {
        &["rotation_x", "rotation_y", "rotation_z"]
    }
}
