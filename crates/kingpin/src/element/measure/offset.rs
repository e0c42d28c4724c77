//! Offset of a point along an axis of a body.

use super::MeasureElement;
use crate::described;
use crate::element::basic::Basic;
use crate::element::compose::{Composer, Probe};
use crate::model::ends::EndsKind;

described! {
    /// The distance of the second point from the first along an axis fixed to the first body, such as the deflection
    /// of a beam.
    pub struct MeasuredOffset {
        /// Reference length by which it is divided, which makes it dimensionless.
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
