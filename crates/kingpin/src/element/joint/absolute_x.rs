//! AbsoluteX.

use super::JointElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::X;

described! {
    /// Fixes the x coordinate of a point of a body. 1 equation. By default the value of the given pose is kept.
    pub struct AbsoluteX {
        /// The coordinate.
        value: Option<f64> [Kind::Number("m")] = None;
    }
}

impl JointElement for AbsoluteX {
    fn ends(&self) -> EndsKind {
        EndsKind::One
    }
    fn spaces(&self) -> Spaces {
        Spaces::Planar
    }
    fn compose(&self, c: &mut Composer) {
        c.absolute(X, self.value);
    }
}
