//! Sphere.

use super::{Part, ShapeElement};
use crate::described;

described! {
    /// A sphere (a disc in planar models) centred at its point.
    pub struct Sphere {
        /// Radius.
        radius: f64 [Kind::Number("m"), range = Range::Positive];
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

impl ShapeElement for Sphere {
    fn parts(&self) -> Vec<Part> {
        vec![Part::Ball { radius: self.radius }]
    }
    super::stuff!();
}
