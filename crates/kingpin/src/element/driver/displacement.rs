//! Driven displacement of a joint.

use super::DriverElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::function::Function;

described! {
    /// Prescribes the displacement of a joint as a function of time. 1 equation: displacement = motion(t).
    pub struct DrivenDisplacement {
        /// The joint.
        joint: String [Kind::Refer(Target::Joint)];
        /// The displacement as a function of `t`.
        motion: Function [Kind::Function { unit: "m", variables: &[("t", "s")], measures: false }];
    }
}

impl DriverElement for DrivenDisplacement {
    fn joint(&self) -> Option<&str> {
        Some(&self.joint)
    }
    fn compose(&self, c: &mut Composer) {
        if let Some(probe) = c.joint_displacement("joint", &self.joint) {
            c.drive(probe, &self.motion, "displacement as prescribed");
        }
    }
}
