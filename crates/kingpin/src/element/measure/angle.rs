//! Angle of a joint.

use super::MeasureElement;
use crate::described;
use crate::element::compose::{Composer, Probe};

described! {
    /// The angle of a joint.
    pub struct MeasuredAngle {
        /// The joint.
        joint: String [Kind::Refer(Target::Joint)];
    }
}

impl MeasureElement for MeasuredAngle {
    fn unit(&self) -> &'static str {
        "rad"
    }
    fn compose(&self, c: &mut Composer) -> Option<Probe> {
        c.joint_angle("joint", &self.joint)
    }
}
