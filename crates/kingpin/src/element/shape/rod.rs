//! Rod between two points.

use super::{Part, ShapeElement};
use crate::described;
use crate::model::value::Vec3;

described! {
    /// A round rod from its place to another point of the same body.
    pub struct Rod {
        /// The other end, counted from the place of the shape, in the axes of the body or marker.
        to: Vec3 [Kind::Vector("m")];
        /// Radius.
        radius: f64 [Kind::Number("m"), range = Range::Positive];
        /// Colour as `#rrggbb` or a CSS name; without it, one is chosen.
        colour: Option<String> [Kind::Text] = None;
    }
}

impl ShapeElement for Rod {
    fn parts(&self) -> Vec<Part> {
        vec![Part::Bar { to: self.to, radius: self.radius }]
    }
    fn colour(&self) -> Option<&str> {
        self.colour.as_deref()
    }
}
