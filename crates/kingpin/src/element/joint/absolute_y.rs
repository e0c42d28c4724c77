//! AbsoluteY.

use super::JointElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;
use crate::element::compose::Axis::Y;

described! {
    /// Fixes the y coordinate of a point of a body. 1 equation. By default the value of the given pose is kept.
    pub struct AbsoluteY {
        /// The coordinate.
        value: Option<f64> [Kind::Number("m")] = None;
    }
}

impl JointElement for AbsoluteY {
    fn ends(&self) -> EndsKind {
        EndsKind::One
    }
    fn spaces(&self) -> Spaces {
        Spaces::Planar
    }
    fn compose(&self, c: &mut Composer) {
        c.absolute(Y, self.value);
    }
}
