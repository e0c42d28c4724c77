//! Shapes to draw; they have no influence on the motion. One file each and a line below.

#[doc(hidden)]
pub mod colour;

use crate::model::value::Vec3;

/// What shapes are made of, about the place of the shape, in the axes of its body or marker.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub enum Part {
    /// A box centred at the place.
    Cuboid {
        /// Lengths of its edges.
        size: Vec3,
    },
    /// A ball centred at the place.
    Ball {
        /// Its radius.
        radius: f64,
    },
    /// A cylinder centred at the place.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Its length.
        length: f64,
        /// Its axis, of any length.
        direction: Vec3,
    },
    /// A round bar from the place to another point.
    Bar {
        /// The other end, counted from the place.
        to: Vec3,
        /// Its radius.
        radius: f64,
    },
}

impl Part {
    /// Radius of the sphere around the place that holds all of it.
    pub fn reach(&self) -> f64 {
        match self {
            Part::Cuboid { size } => 0.5 * size.norm(),
            Part::Ball { radius } => *radius,
            Part::Cylinder { radius, length, .. } => radius.hypot(0.5 * length),
            Part::Bar { to, radius } => to.norm() + radius,
        }
    }
}

/// What every shape must be able to say.
#[doc(hidden)]
pub trait ShapeElement {
    /// What it is made of.
    fn parts(&self) -> Vec<Part>;
    /// The colour it was given.
    fn colour(&self) -> Option<&str>;
    /// Radius of the sphere around the place of the shape that holds all of it.
    fn reach(&self) -> f64 {
        self.parts().iter().map(Part::reach).fold(0.0, f64::max)
    }
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
