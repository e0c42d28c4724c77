//! Motor: a torque about the axis of a joint.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::element::equation::Words;
use crate::model::ends::EndsKind;
use crate::model::function::Function;

described! {
    /// A motor on the angle of a joint. Its torque is given, positive when it increases the angle; a driver
    /// prescribes the angle instead. Its power is the power delivered to the mechanism. The angle is counted over
    /// full revolutions.
    pub struct Motor {
        /// The joint.
        joint: String [Kind::Refer(Target::Joint)];
        /// Torque as a function of time `t`, `stroke` (the angle), `speed` and measures.
        torque: Function [Kind::Function { unit: "N*m", variables: &[("t", "s"), ("stroke", "rad"), ("speed", "rad/s")], measures: true }];
    }
}

impl ForceElement for Motor {
    fn ends(&self) -> EndsKind {
        EndsKind::None
    }
    fn joint(&self) -> Option<&str> {
        Some(&self.joint)
    }
    fn portrait(&self) -> Portrait {
        Portrait { symbol: ForceSymbol::Ring, ..Portrait::default() }
    }
    fn compose(&self, c: &mut Composer) {
        if let Some(probe) = c.joint_angle("joint", &self.joint) {
            c.actuate(probe, &self.torque, Words::actuator("torque on", "torque"));
        }
    }
}
