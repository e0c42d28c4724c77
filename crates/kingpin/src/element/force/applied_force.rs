//! Force applied at a point.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::model::ends::EndsKind;
use crate::model::function::Function;
use crate::model::value::Vec3;

described! {
    /// A force applied to a point of a body, along a global or a body-fixed direction.
    pub struct AppliedForce {
        /// Magnitude as a function of time `t` and measures.
        magnitude: Function [Kind::Function { unit: "N", variables: &[("t", "s")], measures: true }];
        /// Direction of the force.
        direction: Vec3 [Kind::Direction];
        /// Whether the direction is given in the axes of the body and rotates with it.
        body_fixed: bool [Kind::Flag] = false;
    }
}

impl ForceElement for AppliedForce {
    fn ends(&self) -> EndsKind {
        EndsKind::One
    }
    fn portrait(&self) -> Portrait {
        Portrait::applied(ForceSymbol::Arrow, self.direction, self.body_fixed)
    }
    fn compose(&self, c: &mut Composer) {
        c.push_force(&self.magnitude, self.direction, self.body_fixed);
    }
}
