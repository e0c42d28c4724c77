//! Shapes to draw; they have no influence on the motion. One file each and a line below.

pub mod colour;

/// What every shape must be able to say.
pub trait ShapeElement {
    /// Radius of the sphere around the place of the shape that holds all of it.
    fn reach(&self) -> f64;
}

crate::element_list! {
    /// All shapes.
    pub enum ShapeKind: ShapeElement {
        cuboid::Cuboid = "box",
        sphere::Sphere = "sphere",
        cylinder::Cylinder = "cylinder",
        rod::Rod = "rod",
    }
}
