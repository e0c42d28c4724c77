//! Shapes to draw, which bodies may have their mass of. One file each and a line below.

#[doc(hidden)]
pub mod colour;
pub mod material;
#[doc(hidden)]
pub mod surface;
#[doc(hidden)]
pub mod volume;

use crate::model::value::Vec3;
use std::sync::Arc;
use surface::Triangles;

/// What shapes are made of, about the place of the shape, in the axes of its body or marker.
#[derive(Clone, Debug, PartialEq)]
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
    /// A tube centred at the place.
    Tube {
        /// Its radius.
        radius: f64,
        /// That of the hole along it.
        inner: f64,
        /// Its length.
        length: f64,
        /// Its axis, of any length.
        direction: Vec3,
    },
    /// A cone, the middle of whose axis is the place.
    Cone {
        /// Radius of its base.
        radius: f64,
        /// Its length.
        length: f64,
        /// The direction of its tip, of any length.
        direction: Vec3,
    },
    /// A round bar from the place to another point.
    Bar {
        /// The other end, counted from the place.
        to: Vec3,
        /// Its radius.
        radius: f64,
    },
    /// Triangles, whose corners are counted from the place.
    Mesh(Arc<Triangles>),
}

impl Part {
    /// Radius of the sphere around the place that holds all of it.
    pub fn reach(&self) -> f64 {
        match self {
            Part::Cuboid { size } => 0.5 * size.norm(),
            Part::Ball { radius } => *radius,
            Part::Cylinder { radius, length, .. }
            | Part::Tube { radius, length, .. }
            | Part::Cone { radius, length, .. } => radius.hypot(0.5 * length),
            Part::Bar { to, radius } => to.norm() + radius,
            Part::Mesh(own) => own.reach(),
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
    /// How much it hides what is behind it, if it says so.
    fn opacity(&self) -> Option<f64>;
    /// The density it was given.
    fn density(&self) -> Option<f64>;
    /// Whether it is a hole.
    fn is_hole(&self) -> bool;
    /// What is drawn of it: nothing of a hole.
    fn drawn(&self) -> Vec<Part> {
        if self.is_hole() { Vec::new() } else { self.parts() }
    }
    /// Radius of the sphere around the place of the shape that holds all of it.
    fn reach(&self) -> f64 {
        self.parts().iter().map(Part::reach).fold(0.0, f64::max)
    }
}

/// What all shapes say by fields of the same names.
macro_rules! stuff {
    () => {
        fn colour(&self) -> Option<&str> {
            self.colour.as_deref()
        }
        fn opacity(&self) -> Option<f64> {
            self.opacity
        }
        fn density(&self) -> Option<f64> {
            self.density
        }
        fn is_hole(&self) -> bool {
            self.hole
        }
    };
}
use stuff;

crate::element_list! {
    /// All shapes.
    pub enum ShapeKind: ShapeElement {
        cuboid::Cuboid = "box",
        sphere::Sphere = "sphere",
        cylinder::Cylinder = "cylinder",
        rod::Rod = "rod",
        tube::Tube = "tube",
        cone::Cone = "cone",
        mesh::Mesh = "mesh",
    }
}
