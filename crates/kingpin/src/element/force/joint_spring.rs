//! Spring and damper on a coordinate of a joint, as fields of the joint ask for.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::element::law::Law;
use crate::model::ends::EndsKind;

described! {
    /// Spring and damper on the angle or the displacement of a joint:
    /// stiffness (coordinate - rest) + damping rate + preload, against the coordinate.
    pub struct JointSpring {
        /// The joint.
        joint: String [Kind::Refer(Target::Joint)];
        /// Whether its angle is meant, or its displacement.
        angle: bool [Kind::Flag];
        /// Per unit of the coordinate.
        stiffness: f64 [Kind::Number("*"), range = Range::NonNegative] = 0.0;
        /// Per unit of its rate.
        damping: f64 [Kind::Number("*"), range = Range::NonNegative] = 0.0;
        /// The coordinate without load.
        rest: f64 [Kind::Number("m")] = 0.0;
        /// Load there.
        preload: f64 [Kind::Number("*")] = 0.0;
    }
}

impl ForceElement for JointSpring {
    fn ends(&self) -> EndsKind {
        EndsKind::None
    }
    fn joint(&self) -> Option<&str> {
        Some(&self.joint)
    }
    fn portrait(&self) -> Portrait {
        let symbol = if self.angle { ForceSymbol::Ring } else { ForceSymbol::Coil };
        Portrait::of_law(symbol, (self.stiffness, None), (self.damping, None))
    }
    fn compose(&self, c: &mut Composer) {
        let Some((probe, words)) = c.joint_coordinate(&self.joint, self.angle) else { return };
        let (stiffness, damping, rest, preload) = (self.stiffness, self.damping, self.rest, self.preload);
        c.spring(probe, Law { stiffness, damping, rest, preload, ..Law::default() }, words);
    }
}
