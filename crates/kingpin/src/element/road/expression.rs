//! Road given by an expression.

use super::{Profile, RoadElement};
use crate::described;
use crate::model::function::Function;

described! {
    /// A road whose height is an expression of the distance travelled, `x`.
    pub struct ExpressionRoad {
        /// The height.
        height: Function [Kind::Function { unit: "m", variables: &[("x", "m")], measures: false }];
    }
}

impl RoadElement for ExpressionRoad {
    fn profile(&self) -> Profile {
        Profile::Expression(self.height.clone())
    }
}
