//! Driven distance between two points.

use super::DriverElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::ends::EndsKind;
use crate::model::function::Function;

described! {
    /// Prescribes the distance of two points as a function of time, as a hydraulic cylinder does. 1 equation: |d| = motion(t).
    pub struct DrivenDistance {
        /// The distance as a function of `t`; it must remain greater than zero.
        motion: Function [Kind::Function { unit: "m", variables: &[("t", "s")], measures: false }];
    }
}

impl DriverElement for DrivenDistance {
    fn ends(&self) -> EndsKind {
        EndsKind::Points
    }
    fn compose(&self, c: &mut Composer) {
        let probe = c.probe_distance();
        c.drive(probe, &self.motion, "distance as prescribed");
    }
}
