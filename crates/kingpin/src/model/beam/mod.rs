//! Beams: slender bodies with bending, torsion, shear and stretching. Before a model is compiled each becomes bodies
//! at its nodes and elements between them.

mod elements;
mod expand;
mod frames;
mod node;
mod outline;
mod part;
mod path;
mod profile;
mod section;
mod spline;
mod stations;
#[cfg(test)]
mod tests;

pub(super) use expand::take_apart;
pub use part::BeamPart;
pub use section::SectionMatrix;
pub use stations::Stations;

use super::finding::{Finding, Subject};
use super::function::Function;
use super::value::Vec3;
use crate::described;

/// What is wrong with a beam.
#[derive(Debug)]
pub(crate) struct BeamFault {
    field: &'static str,
    message: String,
    hint: Option<String>,
}

impl BeamFault {
    fn new(field: &'static str, message: impl Into<String>) -> BeamFault {
        BeamFault { field, message: message.into(), hint: None }
    }

    fn hint(self, hint: impl Into<String>) -> BeamFault {
        BeamFault { hint: Some(hint.into()), ..self }
    }

    /// As a finding about beam number `k`.
    fn finding(self, k: usize, beam: &Beam) -> Finding {
        let message = format!("beam `{}`: {}", beam.name, self.message);
        Finding { hint: self.hint, ..Finding::error(Subject::Beam(k), self.field, message) }
    }
}

/// The greatest order of an element.
pub const MOST_ORDER: usize = 14;
/// The greatest number of nodes of a beam.
pub const MOST_NODES: usize = 1_000_000;

described! {
    /// A geometrically exact, linearly elastic beam with large displacements and rotations, stretching, shear,
    /// bending and torsion. Its stress-free shape is a line (`from`, `to`), an arc (`from`, `through`, `to`) or a
    /// `path`. Joints, forces and measures connect to its ends, `NAME.start` and `NAME.end`, and to its `points`,
    /// which are bodies with x along the beam. The section is given by `stiffness` and mass, or by a material and a
    /// shape or area and moments. Functions of `x` can vary along the beam, from x = 0 at its start to 1 at its end.
    pub struct Beam {
        /// Its name.
        name: String [Kind::Name];
        /// Start point.
        from: Option<Vec3> [Kind::Vector("m")] = None;
        /// End point.
        to: Option<Vec3> [Kind::Vector("m")] = None;
        /// Intermediate point of a circular arc.
        through: Option<Vec3> [Kind::Vector("m")] = None;
        /// Two or more points of a path of straight segments with rigid corners, instead of `from` and `to`.
        path: Vec<Vec3> [Kind::Path("m")] = Vec::new();
        /// Whether the path is a smooth curve through its points, a natural cubic spline.
        smooth: bool [Kind::Flag] = false;
        /// Direction to which the y axis of the section is aligned as closely as possible; by default the z axis is
        /// aligned with the global z axis, or for a beam along z the y axis with the global y axis.
        up: Option<Vec3> [Kind::Direction, spaces = Spaces::Spatial] = None;
        /// Rotation of the section about the beam axis, relative to `up`.
        twist: Function [Kind::Function { unit: "rad", variables: &[("x", "")], measures: false }, spaces = Spaces::Spatial] = Function::Constant(0.0);
        /// Number of elements; at least one between neighbouring points and corners.
        elements: usize [Kind::Count] = 4;
        /// Polynomial order of the elements, up to 14; each has order + 1 nodes.
        order: usize [Kind::Count] = 3;
        /// Named points along the beam, `{ mid = 0.5 }`: fractions of its length between 0 and 1, each of which
        /// becomes a node.
        points: Vec<(String, f64)> [Kind::Places] = Vec::new();
        /// Stiffness of the section: axial, shear y, shear z, torsion, bending about y, about z; six numbers, or six
        /// rows of six for coupled stiffness. In planar models axial, shear y and bending about z; three numbers or
        /// rows. If it varies, a table at stations from x = 0 to 1, `{ x = [0, 0.4, 1], value = [..., ..., ...] }`:
        /// it is linear between stations, which are also element boundaries.
        stiffness: Option<Stations> [Kind::Section(["N", "N*m", "N*m^2"])] = None;
        /// Mass per length, with `rotary_inertia`.
        mass_per_length: Option<Function> [Kind::Function { unit: "kg/m", variables: &[("x", "")], measures: false }] = None;
        /// Moments of inertia of the section per length, about its x, y and z axes; in planar models about z.
        rotary_inertia: Option<Vec3> [Kind::Spin("kg*m")] = None;
        /// Mass matrix of the section per length, instead of the two fields above: six numbers or six rows of six of
        /// a rigid slice, `[m, -m c~; m c~, J]` with its centre c relative to the beam axis; in planar models three.
        /// Or a table at stations.
        mass_matrix: Option<Stations> [Kind::Section(["kg/m", "kg", "kg*m"])] = None;
        /// Young's modulus.
        youngs_modulus: Option<f64> [Kind::Number("Pa"), range = Range::Positive] = None;
        /// Poisson's ratio.
        poissons_ratio: Option<f64> [Kind::Number("")] = None;
        /// Density.
        density: Option<f64> [Kind::Number("kg/m^3"), range = Range::Positive] = None;
        /// Shape of the section: `circle` (`diameter`), `tube` (`diameter`, `wall`), `rectangle` (`height` along y,
        /// `width` along z) or `i` (`height` along y, `width`, `web` and `flange`).
        section: Option<String> [Kind::Choice(&["circle", "tube", "rectangle", "i"])] = None;
        /// Outer diameter of a circle or tube.
        diameter: Option<Function> [Kind::Function { unit: "m", variables: &[("x", "")], measures: false }] = None;
        /// Thickness of the wall of a tube.
        wall: Option<Function> [Kind::Function { unit: "m", variables: &[("x", "")], measures: false }] = None;
        /// Height of a rectangle or i, along the y axis of the section.
        height: Option<Function> [Kind::Function { unit: "m", variables: &[("x", "")], measures: false }] = None;
        /// Width of a rectangle or i, along the z axis of the section.
        width: Option<Function> [Kind::Function { unit: "m", variables: &[("x", "")], measures: false }] = None;
        /// Thickness of the web of an i.
        web: Option<Function> [Kind::Function { unit: "m", variables: &[("x", "")], measures: false }] = None;
        /// Thickness of the flanges of an i.
        flange: Option<Function> [Kind::Function { unit: "m", variables: &[("x", "")], measures: false }] = None;
        /// Area; required without a shape.
        area: Option<Function> [Kind::Function { unit: "m^2", variables: &[("x", "")], measures: false }] = None;
        /// Second moment of area about the y axis; required without a shape.
        second_moment_y: Option<Function> [Kind::Function { unit: "m^4", variables: &[("x", "")], measures: false }, spaces = Spaces::Spatial] = None;
        /// Second moment of area about the z axis; required without a shape.
        second_moment_z: Option<Function> [Kind::Function { unit: "m^4", variables: &[("x", "")], measures: false }] = None;
        /// Torsion constant; default: that of the shape; required without a shape.
        torsion_constant: Option<Function> [Kind::Function { unit: "m^4", variables: &[("x", "")], measures: false }, spaces = Spaces::Spatial] = None;
        /// Fraction of the area that carries shear along y; default: that of the shape, or 1 without a shape.
        shear_factor_y: Option<f64> [Kind::Number(""), range = Range::Positive] = None;
        /// Fraction of the area that carries shear along z; default as for y.
        shear_factor_z: Option<f64> [Kind::Number(""), range = Range::Positive, spaces = Spaces::Spatial] = None;
        /// Damping time constant: stress resultants are stiffness times (strain + damping times strain rate).
        damping: f64 [Kind::Number("s"), range = Range::NonNegative] = 0.0;
        /// Load per length along `load_direction`, as a function of time `t`, position `x` and measures.
        load: Function [Kind::Function { unit: "N/m", variables: &[("t", "s"), ("x", "")], measures: true }] = Function::Constant(0.0);
        /// Global direction of the load.
        load_direction: Option<Vec3> [Kind::Direction] = None;
        /// Follower load per length, which rotates with the section, along `follower_direction`.
        follower_load: Function [Kind::Function { unit: "N/m", variables: &[("t", "s"), ("x", "")], measures: true }] = Function::Constant(0.0);
        /// Direction of that load in the axes of the section, x along the beam.
        follower_direction: Option<Vec3> [Kind::Direction] = None;
        /// Initial velocity of its start.
        velocity: Vec3 [Kind::Vector("m/s")] = Vec3::zeros();
        /// Initial angular velocity of the whole beam, in global axes.
        angular_velocity: Vec3 [Kind::Spin("rad/s")] = Vec3::zeros();
        /// Colour, `#rrggbb` or a CSS name; chosen automatically if not given.
        colour: Option<String> [Kind::Text] = None;
    }
}

impl Beam {
    /// A straight beam of a material between two points; its section is to be given.
    pub fn straight(name: &str, from: [f64; 3], to: [f64; 3]) -> Beam {
        Beam { name: name.into(), from: Some(from.into()), to: Some(to.into()), ..Beam::default() }
    }

    /// With a stiffness of the section, axial, shear y, shear z, torsion, bending y, bending z, without couplings.
    pub fn stiff(self, diagonal: [f64; 6]) -> Beam {
        Beam { stiffness: Some(SectionMatrix::diagonal(diagonal).into()), ..self }
    }

    /// With a mass and moments of inertia of the section per length.
    pub fn heavy(self, mass: f64, rotary_inertia: [f64; 3]) -> Beam {
        Beam { mass_per_length: Some(mass.into()), rotary_inertia: Some(rotary_inertia.into()), ..self }
    }

    /// Divided into so many elements of an order.
    pub fn divided(self, elements: usize, order: usize) -> Beam {
        Beam { elements, order, ..self }
    }

    /// The name of a node: that of one of its points, or its number from 1 on.
    pub(crate) fn node_name(&self, node: &str) -> String {
        format!("{}.{node}", self.name)
    }
}
