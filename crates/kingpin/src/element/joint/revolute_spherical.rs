//! RevoluteSpherical.

use super::{JointElement, JointSymbol};
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::Z;

described! {
    /// A massless rod with a hinge on the first body and a ball joint on the second. 2 equations: z1 . d = 0 and |d|
    /// = length. By default the distance in the given pose is kept.
    pub struct RevoluteSpherical {
        /// Length of the rod.
        length: Option<f64> [Kind::Number("m"), range = Range::Positive] = None;
    }
}

impl JointElement for RevoluteSpherical {
    fn ends(&self) -> EndsKind {
        EndsKind::Axes
    }
    fn spaces(&self) -> Spaces {
        Spaces::Spatial
    }
    fn compose(&self, c: &mut Composer) {
        c.no_offset(Z);
        c.distance(self.length);
    }
    fn symbol(&self) -> JointSymbol {
        JointSymbol::Rod
    }
}
