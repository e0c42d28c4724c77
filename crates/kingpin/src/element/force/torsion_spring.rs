//! Rotational spring, damper and actuator.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::element::equation::Words;
use crate::element::law::Law;
use crate::expr::Curve;
use crate::model::ends::{Ends, EndsKind};
use crate::model::function::Function;

described! {
    /// Spring, damper and actuator about the axis of a joint (or of its own ends). The restoring torque on the second
    /// body is stiffness (angle - rest_angle) + damping rate + preload + the curves + actuator. The angle is counted
    /// over full revolutions.
    pub struct TorsionSpring {
        /// The joint on whose angle it acts, instead of its own ends.
        joint: Option<String> [Kind::Refer(Target::Joint)] = None;
        /// Torque per angle.
        stiffness: f64 [Kind::Number("N*m/rad"), range = Range::NonNegative] = 0.0;
        /// Torque per angular speed.
        damping: f64 [Kind::Number("N*m*s/rad"), range = Range::NonNegative] = 0.0;
        /// Angle without load.
        rest_angle: f64 [Kind::Number("rad")] = 0.0;
        /// Torque at the rest angle.
        preload: f64 [Kind::Number("N*m")] = 0.0;
        /// Torque over (angle - rest_angle), added to the stiffness.
        spring_curve: Option<Curve> [Kind::Curve { x: "rad", y: "N*m" }] = None;
        /// Torque over angular speed, added to the damping.
        damper_curve: Option<Curve> [Kind::Curve { x: "rad/s", y: "N*m" }] = None;
        /// Torque as a function of time `t`, `angle`, `rate` and measures.
        actuator: Function [Kind::Function { unit: "N*m", variables: &[("t", "s"), ("angle", "rad"), ("rate", "rad/s")], measures: true }] = Function::Constant(0.0);
    }
}

impl ForceElement for TorsionSpring {
    fn ends(&self) -> EndsKind {
        EndsKind::SpatialAxes
    }
    fn ends_of(&self, ends: &Ends) -> EndsKind {
        // on a joint it needs no ends; if it has some all the same, they are resolved and `compose` complains
        if self.joint.is_some() && *ends == Ends::default() { EndsKind::None } else { self.ends() }
    }
    fn joint(&self) -> Option<&str> {
        self.joint.as_deref()
    }
    fn portrait(&self) -> Portrait {
        let (spring, damper) = (self.spring_curve.as_ref(), self.damper_curve.as_ref());
        Portrait::of_law(ForceSymbol::Ring, (self.stiffness, spring), (self.damping, damper))
    }
    fn compose(&self, c: &mut Composer) {
        if self.joint.is_some() && c.places.is_some() {
            c.complain("joint", "give either `joint` or ends, not both".into());
            return;
        }
        let probe = match &self.joint {
            Some(joint) => c.joint_angle("joint", joint),
            None => Some(c.probe_angle()),
        };
        let Some(probe) = probe else { return };
        let law = Law {
            stiffness: self.stiffness,
            damping: self.damping,
            rest: self.rest_angle,
            preload: self.preload,
            spring: self.spring_curve.clone(),
            damper: self.damper_curve.clone(),
            actuator: self.actuator.clone(),
        };
        c.spring(
            probe,
            law,
            Words { label: "torque", value: "angle", rate: "rate", strength: "torque", power: "power", about: None },
        );
    }
}
