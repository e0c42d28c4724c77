//! Distance.

use super::{JointElement, JointSymbol};
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// A massless rod with ball joints at both ends: the points keep their distance. 1 equation: |d| = length. By
    /// default the distance in the given pose is kept.
    pub struct Distance {
        /// Length of the rod.
        length: Option<f64> [Kind::Number("m"), range = Range::Positive] = None;
    }
}

impl JointElement for Distance {
    fn ends(&self) -> EndsKind {
        EndsKind::Points
    }
    fn spaces(&self) -> Spaces {
        Spaces::Both
    }
    fn compose(&self, c: &mut Composer) {
        c.distance(self.length);
    }
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Rod
    }
}
