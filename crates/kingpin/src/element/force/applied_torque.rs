//! Torque applied to a body.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::model::ends::EndsKind;
use crate::model::function::Function;
use crate::model::value::Vec3;

described! {
    /// A torque applied to a body, about a global direction or one that turns with the body.
    pub struct AppliedTorque {
        /// Magnitude as a function of time `t` and measures.
        magnitude: Function [Kind::Function { unit: "N*m", variables: &[("t", "s")], measures: true }];
        /// Its axis.
        direction: Vec3 [Kind::Direction, spaces = Spaces::Spatial] = Vec3::z();
        /// Whether the axis is meant in the axes of the body and turns with it.
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
