//! Box.

use super::{Part, ShapeElement};
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
    fn parts(&self) -> Vec<Part> {
        vec![Part::Cuboid { size: self.size }]
    }
    fn colour(&self) -> Option<&str> {
        self.colour.as_deref()
    }
}
