//! AbsoluteAngle.

use super::JointElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::describe::Spaces;
use crate::model::ends::EndsKind;

described! {
    /// Fixes the angle of a body. 1 equation. By default the value of the given pose is kept.
    pub struct AbsoluteAngle {
        /// The angle.
        value: Option<f64> [Kind::Number("rad")] = None;
    }
}

impl JointElement for AbsoluteAngle {
    fn ends(&self) -> EndsKind {
        EndsKind::One
    }
    fn spaces(&self) -> Spaces {
        Spaces::Planar
    }
    fn compose(&self, c: &mut Composer) {
        c.absolute_angle(self.value);
    }
}
