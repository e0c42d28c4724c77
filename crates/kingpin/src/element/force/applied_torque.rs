//! Torque applied to a body.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::model::ends::EndsKind;
use crate::model::function::Function;
use crate::model::value::Vec3;

described! {
    /// A torque applied to a body, about a global or a body-fixed direction.
    pub struct AppliedTorque {
        /// Magnitude as a function of time `t` and measures.
        magnitude: Function [Kind::Function { unit: "N*m", variables: &[("t", "s")], measures: true }];
        /// Axis of the torque.
        direction: Vec3 [Kind::Direction, spaces = Spaces::Spatial] = Vec3::z();
        /// Whether the axis is given in the axes of the body and rotates with it.
        body_fixed: bool [Kind::Flag, spaces = Spaces::Spatial] = false;
    }
}

impl ForceElement for AppliedTorque {
    fn ends(&self) -> EndsKind {
        EndsKind::One
    }
    fn portrait(&self) -> Portrait {
        Portrait::applied(ForceSymbol::TwoTips, self.direction, self.body_fixed)
    }
    fn compose(&self, c: &mut Composer) {
        c.push_torque(&self.magnitude, self.direction, self.body_fixed);
    }
}
