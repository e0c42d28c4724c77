//! Bodies and markers.

use super::value::{Mat3, Orientation, Vec3};
use crate::described;

described! {
    /// A rigid body. The model gives the pose of its frame; the centre of mass may be elsewhere. With `point = true`
    /// it is a point mass with a position but no orientation, to which distances, springs, spherical joints and other
    /// elements that need only a point can be attached. With `point = true` and `scalar = true` it has one
    /// coordinate: a mass that moves along the global x axis.
    pub struct Body {
        /// Its name.
        name: String [Kind::Name];
        /// Mass; not needed for a point that is attached to bars with mass.
        mass: f64 [Kind::Number("kg"), range = Range::Positive, required = true, unless = "point|density|material"] = 0.0;
        /// Density of its shapes, from which mass, centre of mass and inertia are computed; shapes are added, and
        /// holes subtracted. Values that are given explicitly take precedence: a `mass`, to which the density is
        /// scaled; an `inertia`; a `com`, while the inertia remains that of the shapes about their own centre.
        density: Option<f64> [Kind::Number("kg/m^3"), range = Range::Positive, spaces = Spaces::Spatial] = None;
        /// Density by the name of a material: `steel`, `aluminium`, ... (`kingpin list materials`).
        material: Option<String> [Kind::Text, spaces = Spaces::Spatial] = None;
        /// Whether it is a point mass: it has neither inertia nor orientation.
        point: bool [Kind::Flag] = false;
        /// Whether a point has only the coordinate x: it stays at y = 0 and z = 0.
        scalar: bool [Kind::Flag] = false;
        /// Inertia about the centre of mass in the axes of the body: a number (planar); three principal
        /// moments, six entries xx, yy, zz, xy, xz, yz of the tensor, or its three rows (spatial).
        inertia: Mat3 [Kind::Inertia, required = true, unless = "point|density|material"] = Mat3::zeros();
        /// Accepts an inertia that violates the triangle inequality, as in some published data.
        unphysical_inertia: bool [Kind::Flag, spaces = Spaces::Spatial] = false;
        /// Centre of mass in the axes of the body: the origin, or that of the shapes of a body with a density.
        com: Option<Vec3> [Kind::Vector("m")] = None;
        /// Initial position of the origin of the body frame.
        position: Vec3 [Kind::Vector("m")] = Vec3::zeros();
        /// Initial orientation: Euler parameters, axis and angle, or two axes.
        orientation: Orientation [Kind::Orientation, spaces = Spaces::Spatial] = Orientation::IDENTITY;
        /// Initial angle, counted over full revolutions.
        angle: f64 [Kind::Number("rad"), spaces = Spaces::Planar] = 0.0;
        /// Initial velocity of the origin of the body frame.
        velocity: Vec3 [Kind::Vector("m/s")] = Vec3::zeros();
        /// Initial angular velocity, in the axes of the body.
        angular_velocity: Vec3 [Kind::Spin("rad/s")] = Vec3::zeros();
        /// Initial positions the assembly must not change.
        fixed: Vec<String> [Kind::Choices(&["x", "y", "z", "rotation", "all"])] = Vec::new();
        /// Initial velocities the assembly must not change.
        fixed_velocity: Vec<String> [Kind::Choices(&["x", "y", "z", "rotation", "all"])] = Vec::new();
        /// Default colour of its shapes, `#rrggbb` or a CSS name; chosen automatically if not given.
        colour: Option<String> [Kind::Text] = None;
        /// Default opacity of its shapes, from 0 (invisible) to 1 (opaque).
        opacity: f64 [Kind::Number(""), range = Range::Share] = 1.0;
    }
}

impl Body {
    /// A spatial body with principal moments of inertia, at the origin, at rest.
    pub fn spatial(name: &str, mass: f64, inertia: [f64; 3]) -> Body {
        Body { name: name.into(), mass, inertia: Mat3::from_diagonal(&inertia.into()), ..Body::default() }
    }

    /// A planar body at the origin, at rest.
    pub fn planar(name: &str, mass: f64, inertia: f64) -> Body {
        Body { name: name.into(), mass, inertia: Mat3::from_diagonal_element(inertia), ..Body::default() }
    }

    /// A point mass at the origin, at rest.
    pub fn point(name: &str, mass: f64) -> Body {
        Body { name: name.into(), mass, point: true, ..Body::default() }
    }

    /// A mass that moves along the global x axis alone, at the origin, at rest: one coordinate.
    pub fn scalar(name: &str, mass: f64) -> Body {
        Body { scalar: true, ..Body::point(name, mass) }
    }

    /// Its centre of mass in the axes of the body: the origin if it is not given.
    pub fn centre(&self) -> Vec3 {
        self.com.unwrap_or_default()
    }

    /// Placed at `position`.
    pub fn at(self, position: [f64; 3]) -> Body {
        Body { position: position.into(), ..self }
    }
}

described! {
    /// A frame on a body, to which joints, forces and measures can refer.
    pub struct Marker {
        /// Its name.
        name: String [Kind::Name];
        /// Its body, or `ground`.
        body: String [Kind::Refer(Target::Body)];
        /// Position in the axes of the body, or in global axes if `global` is set.
        position: Vec3 [Kind::Vector("m")] = Vec3::zeros();
        /// Orientation relative to the body, or to the global axes if `global` is set.
        orientation: Option<Orientation> [Kind::Orientation, spaces = Spaces::Spatial] = None;
        /// Angle relative to the body, or to the global axes if `global` is set.
        angle: f64 [Kind::Number("rad"), spaces = Spaces::Planar] = 0.0;
        /// Direction of the z axis, instead of an orientation.
        axis: Option<Vec3> [Kind::Direction, spaces = Spaces::Spatial] = None;
        /// Whether position and orientation are in global axes for the given pose of the body.
        global: bool [Kind::Flag] = false;
    }
}
