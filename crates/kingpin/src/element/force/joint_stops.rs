//! Stops on a coordinate of a joint, as fields of the joint ask for.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::model::ends::EndsKind;

described! {
    /// Stops on the angle or the displacement of a joint: beyond one, stiffness times how far, plus damping times how
    /// fast, and never a pull; or an impact.
    pub struct JointStops {
        /// The joint.
        joint: String [Kind::Refer(Target::Joint)];
        /// Whether its angle is meant, or its displacement.
        angle: bool [Kind::Flag];
        /// The lower stop.
        min: Option<f64> [Kind::Number("m")] = None;
        /// The upper stop.
        max: Option<f64> [Kind::Number("m")] = None;
        /// Per unit of the coordinate.
        stiffness: f64 [Kind::Number("*"), range = Range::NonNegative] = 0.0;
        /// Per unit of its rate.
        damping: f64 [Kind::Number("*"), range = Range::NonNegative] = 0.0;
        /// Of rigid stops.
        restitution: Option<f64> [Kind::Number("*"), range = Range::Share] = None;
    }
}

impl ForceElement for JointStops {
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
        if let Some(restitution) = self.restitution {
            return c.rigid_stops((probe, words), [self.min, self.max], restitution, &self.joint);
        }
        c.stops(&[(1.0, probe)], [self.min, self.max], [self.stiffness, self.damping], (&self.joint, words));
    }
}
