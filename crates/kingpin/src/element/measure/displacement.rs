//! Displacement of a joint.

use super::MeasureElement;
use crate::described;
use crate::element::compose::{Composer, Probe};

described! {
    /// The displacement of a joint.
    pub struct MeasuredDisplacement {
        /// The joint.
        joint: String [Kind::Refer(Target::Joint)];
    }
}

impl MeasureElement for MeasuredDisplacement {
    fn unit(&self) -> &'static str {
        "m"
    }
    fn compose(&self, c: &mut Composer) -> Option<Probe> {
        c.joint_displacement("joint", &self.joint)
    }
}
