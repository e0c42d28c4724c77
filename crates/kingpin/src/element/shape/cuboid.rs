//! Box.

use super::{Part, ShapeElement};
use crate::described;
use crate::model::value::Vec3;

described! {
    /// A box centred at its point, edges along the axes of the body or marker.
    pub struct Cuboid {
        /// Lengths of the edges.
        size: Vec3 [Kind::Vector("m"), range = Range::NonNegative];
        /// Density, if it differs from that of the body; 0 for a shape that is only drawn.
        density: Option<f64> [Kind::Number("kg/m^3"), range = Range::NonNegative] = None;
        /// Whether it is a hole, which is not drawn and is subtracted from the mass of the body.
        hole: bool [Kind::Flag] = false;
        /// Colour as `#rrggbb` or a CSS name; without it, that of the body, or one is chosen.
        colour: Option<String> [Kind::Text] = None;
        /// How much it hides what is behind it: 1 all, 0 nothing; without it, as much as the body says.
        opacity: Option<f64> [Kind::Number(""), range = Range::Share] = None;
    }
}

impl ShapeElement for Cuboid {
    fn parts(&self) -> Vec<Part> {
        vec![Part::Cuboid { size: self.size }]
    }
    super::stuff!();
}
