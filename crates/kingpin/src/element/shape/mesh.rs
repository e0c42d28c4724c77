//! Surface from a file.

use super::surface::Surface;
use super::{Part, ShapeElement};
use crate::described;

described! {
    /// A surface of triangles from a file: STL, OBJ or glTF. A closed one has volume, centre and inertia exactly.
    pub struct Mesh {
        /// File with its triangles, beside the file that names it: `.stl`, `.obj`, `.gltf` or `.glb`. The origin of the file
        /// is at the place of the shape, its axes are those of the body or marker.
        file: String [Kind::Text];
        /// What a length of 1 in the file is: `1 mm` of files in millimetres.
        scale: f64 [Kind::Number("m"), range = Range::Positive] = 1.0;
        /// Axes along which it is mirrored.
        mirror: Vec<String> [Kind::Choices(&["x", "y", "z"])] = Vec::new();
        /// Its triangles, scaled and mirrored, as text that results hold instead of the file; not written by hand.
        surface: Surface [Kind::Text] = Surface::default();
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

impl ShapeElement for Mesh {
    fn parts(&self) -> Vec<Part> {
        self.surface.0.iter().map(|own| Part::Mesh(own.clone())).collect()
    }
    super::stuff!();
}
