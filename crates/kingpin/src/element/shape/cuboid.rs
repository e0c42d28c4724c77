//! Box.

use super::ShapeElement;
use crate::described;
use crate::model::value::Vec3;

described! {
    /// A box centred at its place, edges along the axes of the body or marker.
    pub struct Cuboid {
        /// Lengths of the edges.
        size: Vec3 [Kind::Vector("m"), range = Range::NonNegative];
        /// Colour as `#rrggbb` or a CSS name; without it, one is chosen.
        colour: Option<String> [Kind::Text] = None;
    }
}

impl ShapeElement for Cuboid {
    fn reach(&self) -> f64 {
        0.5 * self.size.norm()
    }
}
