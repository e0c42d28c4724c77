//! Sphere.

use super::{Part, ShapeElement};
use crate::described;

described! {
    /// A sphere (a disc in planar models) centred at its place.
    pub struct Sphere {
        /// Radius.
        radius: f64 [Kind::Number("m"), range = Range::Positive];
        /// Colour as `#rrggbb` or a CSS name; without it, one is chosen.
        colour: Option<String> [Kind::Text] = None;
    }
}

impl ShapeElement for Sphere {
    fn parts(&self) -> Vec<Part> {
        vec![Part::Ball { radius: self.radius }]
    }
    fn colour(&self) -> Option<&str> {
        self.colour.as_deref()
    }
}
