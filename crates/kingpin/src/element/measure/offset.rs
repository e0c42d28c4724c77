//! Offset of a point along an axis of a body.

use super::MeasureElement;
use crate::described;
use crate::element::basic::Basic;
use crate::element::compose::{Composer, Probe};
use crate::model::ends::EndsKind;

described! {
    /// How far the second point is from the first along the axis, which is fixed to the first body: what an observer
    /// there sees of the second, such as the deflection of a beam.
    pub struct MeasuredOffset {
        /// Length that it is told in parts of, which makes it a number.
        per: Option<f64> [Kind::Number("m"), range = Range::Positive] = None;
    }
}

impl MeasureElement for MeasuredOffset {
    fn ends(&self) -> EndsKind {
        EndsKind::Axes
    }
    fn unit(&self) -> &'static str {
        if self.per.is_some() { "" } else { "m" }
    }
    fn compose(&self, c: &mut Composer) -> Option<Probe> {
        match c.probe_displacement() {
            Basic::Dot2(mut gap) => {
                gap.a = gap.a.map(|x| x / self.per.unwrap_or(1.0));
                Some(Basic::Dot2(gap))
            }
            other => Some(other),
        }
    }
}
