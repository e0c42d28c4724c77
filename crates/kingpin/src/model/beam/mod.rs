//! Beams: slender bodies that bend, twist, shear and stretch. Before a model is compiled each becomes bodies at its
//! nodes and elements between them.

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
    /// A geometrically exact beam: large motions and turns, stretching, shearing, bending and twisting, linearly elastic.
    /// It follows a line (`from`, `to`), an arc (`from`, `through`, `to`) or the points of a `path`, and is free of
    /// stress there. Joints, forces and measures hold it by name at its ends, `NAME.start` and `NAME.end`, and at its
    /// `points`; these are bodies with x along the beam. Its section is given by `stiffness` and mass, or by a material
    /// and a shape or its area and moments. Functions of `x` may change along the beam, from x = 0 at its start to 1.
    pub struct Beam {
        /// Its name.
        name: String [Kind::Name];
        /// Where it starts.
        from: Option<Vec3> [Kind::Vector("m")] = None;
        /// Where it ends.
        to: Option<Vec3> [Kind::Vector("m")] = None;
        /// A point between, which makes it an arc of a circle.
        through: Option<Vec3> [Kind::Vector("m")] = None;
        /// Two or more points to follow instead: straight from one to the next, with corners that stay as they are.
        path: Vec<Vec3> [Kind::Path("m")] = Vec::new();
        /// Whether the path is the smooth curve through its points, a natural cubic spline, instead.
        smooth: bool [Kind::Flag] = false;
        /// The y axis of the section points as nearly there as can be; without it, the z axis as nearly as can be along
        /// the global one, or the y axis of a beam along z.
        up: Option<Vec3> [Kind::Direction, spaces = Spaces::Spatial] = None;
        /// Turn of the section about the beam, from the direction of `up`.
        twist: Function [Kind::Function { unit: "rad", variables: &[("x", "")], measures: false }, spaces = Spaces::Spatial] = Function::Constant(0.0);
        /// Number of elements; more where points and corners divide the beam into more.
        elements: usize [Kind::Count] = 4;
        /// Order of the elements: each has a node more than that, up to 14.
        order: usize [Kind::Count] = 3;
        /// Named places along the beam, `{ mid = 0.5 }`: parts of its length between 0 and 1, each of which gets a node.
        points: Vec<(String, f64)> [Kind::Places] = Vec::new();
        /// Stiffness of the section: axial, shear y, shear z, torsion, bending about y, about z; six numbers, or six rows
        /// of six where they are coupled. In the plane axial, shear y and bending about z; three numbers or rows. Or, where
        /// it changes, a table of such at stations from x = 0 to 1, `{ x = [0, 0.4, 1], value = [..., ..., ...] }`: linear
        /// between them, and elements end at each.
        stiffness: Option<Stations> [Kind::Section(["N", "N*m", "N*m^2"])] = None;
        /// Mass per length, with `rotary_inertia`.
        mass_per_length: Option<Function> [Kind::Function { unit: "kg/m", variables: &[("x", "")], measures: false }] = None;
        /// Moments of inertia of the section per length, about its x, y and z axes; in the plane about z.
        rotary_inertia: Option<Vec3> [Kind::Spin("kg*m")] = None;
        /// Mass of the section per length, instead of the two: six numbers or six rows of six as of a rigid slice,
        /// `[m, -m c~; m c~, J]` with its centre c off the beam; in the plane three. Or a table of such at stations.
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
        /// Area; without a shape it is needed.
        area: Option<Function> [Kind::Function { unit: "m^2", variables: &[("x", "")], measures: false }] = None;
        /// Second moment of area about the y axis; without a shape it is needed.
        second_moment_y: Option<Function> [Kind::Function { unit: "m^4", variables: &[("x", "")], measures: false }, spaces = Spaces::Spatial] = None;
        /// Second moment of area about the z axis; without a shape it is needed.
        second_moment_z: Option<Function> [Kind::Function { unit: "m^4", variables: &[("x", "")], measures: false }] = None;
        /// Torsion constant; without it that of the shape, and without a shape it is needed.
        torsion_constant: Option<Function> [Kind::Function { unit: "m^4", variables: &[("x", "")], measures: false }, spaces = Spaces::Spatial] = None;
        /// Part of the area that carries shear along y; without it that of the shape, and without a shape 1.
        shear_factor_y: Option<f64> [Kind::Number(""), range = Range::Positive] = None;
        /// Part of the area that carries shear along z; likewise.
        shear_factor_z: Option<f64> [Kind::Number(""), range = Range::Positive, spaces = Spaces::Spatial] = None;
        /// Damping as a time: strain rates count for strains as if they went on so long.
        damping: f64 [Kind::Number("s"), range = Range::NonNegative] = 0.0;
        /// Load per length along `load_direction`, as a function of time `t`, the place `x` and measures.
        load: Function [Kind::Function { unit: "N/m", variables: &[("t", "s"), ("x", "")], measures: true }] = Function::Constant(0.0);
        /// Global direction of the load.
        load_direction: Option<Vec3> [Kind::Direction] = None;
        /// Load per length that turns with the section, along `follower_direction`.
        follower_load: Function [Kind::Function { unit: "N/m", variables: &[("t", "s"), ("x", "")], measures: true }] = Function::Constant(0.0);
        /// Direction of that load in the axes of the section, x along the beam.
        follower_direction: Option<Vec3> [Kind::Direction] = None;
        /// Initial velocity of its start.
        velocity: Vec3 [Kind::Vector("m/s")] = Vec3::zeros();
        /// Initial angular velocity of the whole beam, in global axes.
        angular_velocity: Vec3 [Kind::Spin("rad/s")] = Vec3::zeros();
        /// Colour as `#rrggbb` or a CSS name; without it, one is chosen.
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
