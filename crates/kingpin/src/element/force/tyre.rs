//! Tyre: vertical spring and damper of a rigid wheel on a road.

use super::{ForceElement, ForceSymbol, OnRoad, Portrait};
use crate::described;
use crate::element::compose::Composer;
use crate::model::ends::EndsKind;

described! {
    /// A tyre at a wheel centre. The road pushes the centre up (z in space, y in the plane) with
    /// stiffness (radius - (z - z_r(x))) - damping (z' - z_r'(x) x'), where z_r is the height of the road.
    pub struct Tyre {
        /// Radius without load.
        radius: f64 [Kind::Number("m"), range = Range::Positive];
        /// Force per deflection.
        stiffness: f64 [Kind::Number("N/m"), range = Range::NonNegative];
        /// Force per deflection speed.
        damping: f64 [Kind::Number("N*s/m"), range = Range::NonNegative] = 0.0;
        /// Whether it can lift off; the force is then never negative.
        unilateral: bool [Kind::Flag] = true;
        /// Its road; optional if the model has at most one (without a road: flat at height zero).
        road: Option<String> [Kind::Refer(Target::Road)] = None;
    }
}

impl ForceElement for Tyre {
    fn ends(&self) -> EndsKind {
        EndsKind::One
    }
    fn portrait(&self) -> Portrait {
        let law = Portrait::of_law(ForceSymbol::Contact, (self.stiffness, None), (self.damping, None));
        Portrait { radius: Some(self.radius), ..law }
    }
    fn road(&self) -> OnRoad<'_> {
        self.road.as_deref().map_or(OnRoad::Only, OnRoad::Named)
    }
    fn compose(&self, c: &mut Composer) {
        c.push_tyre(self);
    }
}
