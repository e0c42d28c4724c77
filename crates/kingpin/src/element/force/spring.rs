//! Translational spring, damper and actuator.

use super::{ForceElement, ForceSymbol, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::element::equation::Words;
use crate::element::law::Law;
use crate::expr::Curve;
use crate::model::ends::EndsKind;
use crate::model::function::Function;

described! {
    /// Spring, damper and actuator along the line between two points. The tension, positive when it pulls the points
    /// together, is stiffness (length - rest_length) + damping rate + preload + the curves + actuator.
    pub struct Spring {
        /// Force per length.
        stiffness: f64 [Kind::Number("N/m"), range = Range::NonNegative] = 0.0;
        /// Force per speed.
        damping: f64 [Kind::Number("N*s/m"), range = Range::NonNegative] = 0.0;
        /// Length without load; default: the length in the given pose.
        rest_length: Option<f64> [Kind::Number("m"), range = Range::NonNegative] = None;
        /// Tension at the rest length.
        preload: f64 [Kind::Number("N")] = 0.0;
        /// Tension over elongation (length - rest_length), added to the stiffness.
        spring_curve: Option<Curve> [Kind::Curve { x: "m", y: "N" }] = None;
        /// Tension over elongation speed, added to the damping.
        damper_curve: Option<Curve> [Kind::Curve { x: "m/s", y: "N" }] = None;
        /// Tension as a function of time `t`, `length`, `rate` and measures.
        actuator: Function [Kind::Function { unit: "N", variables: &[("t", "s"), ("length", "m"), ("rate", "m/s")], measures: true }] = Function::Constant(0.0);
    }
}

impl ForceElement for Spring {
    fn ends(&self) -> EndsKind {
        EndsKind::Points
    }
    fn portrait(&self) -> Portrait {
        let (spring, damper) = (self.spring_curve.as_ref(), self.damper_curve.as_ref());
        Portrait::of_law(ForceSymbol::Coil, (self.stiffness, spring), (self.damping, damper))
    }
    fn compose(&self, c: &mut Composer) {
        let probe = c.probe_distance();
        let rest = self.rest_length.unwrap_or_else(|| c.value_in_given_pose(&probe));
        let law = Law {
            stiffness: self.stiffness,
            damping: self.damping,
            rest,
            preload: self.preload,
            spring: self.spring_curve.clone(),
            damper: self.damper_curve.clone(),
            actuator: self.actuator.clone(),
        };
        c.spring(
            probe,
            law,
            Words { label: "tension", value: "length", rate: "rate", strength: "force", power: "power", about: None },
        );
    }
}
