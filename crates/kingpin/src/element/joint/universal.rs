//! Universal.

use super::{JointElement, JointSymbol, Observed};
use crate::described;
use crate::element::articulation::{Articulation, Move};
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::Z;

described! {
    /// A universal (Cardan) joint: the points coincide and the two pins remain perpendicular. 4 equations: points
    /// coincide and z1 . z2 = 0, where z1 is the pin on the first body (`axis1`) and z2 the pin on the second
    /// (`axis2`). Singular when the shafts are perpendicular.
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
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Cross
    }
    fn observe(&self, c: &mut Composer) -> Vec<Observed> {
        let [first, second] = c.probe_cross();
        let about = "angle of the cross on the first body about its pin, zero in the given pose, counted over \
             full revolutions";
        let other = "angle of the second body on the cross about its pin, zero in the given pose, counted over \
             full revolutions";
        vec![
            Observed { name: "angle1", about, probe: first },
            Observed { name: "angle2", about: other, probe: second },
        ]
    }
    fn articulate(&self, c: &Composer) -> Option<Articulation> {
        c.carry_from_given(&[Move::Turn(Z), Move::TurnSecond(Z)])
    }
    fn starts(&self) -> &'static [&'static str] {
        &["angle1", "angle2"]
    }
}
