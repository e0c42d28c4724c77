//! Distance of two points.

use super::MeasureElement;
use crate::described;
use crate::element::compose::{Composer, Probe};
use crate::model::ends::EndsKind;

described! {
    /// The distance of two points.
    pub struct MeasuredDistance {}
}

impl MeasureElement for MeasuredDistance {
    fn ends(&self) -> EndsKind {
        EndsKind::Points
    }
    fn unit(&self) -> &'static str {
        "m"
    }
    fn compose(&self, c: &mut Composer) -> Option<Probe> {
        Some(c.probe_distance())
    }
}
