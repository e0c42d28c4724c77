//! Friction on a coordinate of a joint, as fields of the joint ask for.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::element::friction_law::{FrictionLaw, ThroughRest};
use crate::model::ends::EndsKind;

described! {
    /// Friction on the angle or the displacement of a joint.
    pub struct JointFriction {
        /// The joint.
        joint: String [Kind::Refer(Target::Joint)];
        /// Whether its angle is meant, or its displacement.
        angle: bool [Kind::Flag];
        /// While it slides.
        coefficient: f64 [Kind::Number(""), range = Range::NonNegative];
        /// While it sticks.
        at_rest: f64 [Kind::Number(""), range = Range::NonNegative];
        /// Radius at which surfaces slide; one for displacements.
        arm: f64 [Kind::Number("*"), range = Range::NonNegative] = 1.0;
        /// Speed of the passage between the two.
        stribeck: Option<f64> [Kind::Number("m/s"), range = Range::Positive] = None;
        /// Per unit of the rate.
        viscous: f64 [Kind::Number("*"), range = Range::NonNegative] = 0.0;
        /// Normal force besides the reaction.
        preload: f64 [Kind::Number("N"), range = Range::NonNegative] = 0.0;
        /// Whether the reaction counts.
        reaction: bool [Kind::Flag] = true;
        /// Speed over which it goes through rest smoothly.
        smooth: Option<f64> [Kind::Number("m/s"), range = Range::Positive] = None;
    }
}

impl ForceElement for JointFriction {
    fn ends(&self) -> EndsKind {
        EndsKind::None
    }
    fn joint(&self) -> Option<&str> {
        Some(&self.joint)
    }
    fn portrait(&self) -> Portrait {
        let symbol = if self.angle { ForceSymbol::Ring } else { ForceSymbol::Damper };
        Portrait { symbol, ..Portrait::default() }
    }
    fn compose(&self, c: &mut Composer) {
        let Some(on) = c.joint_coordinate(&self.joint, self.angle) else { return };
        let law = FrictionLaw {
            coefficient: self.coefficient,
            at_rest: self.at_rest,
            stribeck: self.stribeck,
            viscous: self.viscous,
            preload: self.preload,
            arm: self.arm,
            rest: self.smooth.map_or(ThroughRest::Sticks(0), ThroughRest::Smooth),
            reacts: self.reaction,
        };
        c.friction(on, law, &self.joint);
    }
}
