//! Driven global coordinate of a point of a body.

use super::DriverElement;
use crate::described;
use crate::element::compose::Composer;
use crate::model::ends::EndsKind;
use crate::model::function::Function;

described! {
    /// Prescribes a global coordinate of a point of a body, or the angle of a planar body. 1 equation.
    pub struct DrivenCoordinate {
        /// Which coordinate.
        coordinate: String [Kind::Choice(&["x", "y", "z", "angle"])];
        /// The coordinate as a function of `t`.
        motion: Function [Kind::Function { unit: "*", variables: &[("t", "s")], measures: false }];
    }
}

impl DriverElement for DrivenCoordinate {
    fn ends(&self) -> EndsKind {
        EndsKind::One
    }
    fn compose(&self, c: &mut Composer) {
        if let Some(probe) = c.named_coordinate("coordinate", &self.coordinate) {
            c.drive(probe, &self.motion, "coordinate as prescribed");
        }
    }
}
