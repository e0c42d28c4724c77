//! Driven angle of a joint.

use super::DriverElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::function::Function;

described! {
    /// Prescribes the angle of a joint as a function of time. 1 equation: angle = motion(t).
    pub struct DrivenAngle {
        /// The joint.
        joint: String [Kind::Refer(Target::Joint)];
        /// The angle as a function of `t`.
        motion: Function [Kind::Function { unit: "rad", variables: &[("t", "s")], measures: false }];
    }
}

impl DriverElement for DrivenAngle {
    fn joint(&self) -> Option<&str> {
        Some(&self.joint)
    }
    fn compose(&self, c: &mut Composer) {
        if let Some(probe) = c.joint_angle("joint", &self.joint) {
            c.drive(probe, &self.motion, "angle as prescribed");
        }
    }
}
