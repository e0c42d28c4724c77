//! Superelements: linear flexible bodies, reduced to a few amplitudes.

mod expand;
mod reduced;

pub use expand::FlexiblePart;
pub(super) use expand::take_apart;
pub use reduced::{ReducedBody, ReducedInterface, ReducedSurface};

use super::value::{Orientation, Vec3};
use crate::described;
use std::sync::Arc;

described! {
    /// A linear flexible body in mechanisms: of any size of motion, of small deformation. Its floating frame, under its own
    /// name, follows it in the mean; its interfaces are bodies by the names `NAME.INTERFACE`, which anything can hold.
    pub struct SuperelementFields {
        /// Its name.
        name: String [Kind::Name];
        /// File with its mesh, beside the model: Gmsh (`.msh`), Abaqus or CalculiX (`.inp`).
        mesh: Option<String> [Kind::Text] = None;
        /// File with its stiffness, instead of a mesh: Matrix Market (`.mtx`) or SciPy (`.npz`), with three rows for each
        /// node, or two in the plane.
        stiffness_matrix: Option<String> [Kind::Text] = None;
        /// File with its mass, like `stiffness_matrix`: the same along all axes.
        mass_matrix: Option<String> [Kind::Text] = None;
        /// File with the places of the nodes of these matrices, a row for each, in m: a table of Matrix Market (`.mtx`), or
        /// the array `places` of NumPy (`.npz`). Nodes are numbered from 1.
        node_places: Option<String> [Kind::Text] = None;
        /// Names of beams of this model, and of bars between them, that it is made of instead of a mesh. They are reduced
        /// as they stand, free of stress; fixed joints between these beams are part of it. Its interfaces are nodes of
        /// beams by their names, such as `arm.end`, and bodies by the same names.
        of: Vec<String> [Kind::Words] = Vec::new();
        /// Sets of nodes by their numbers, beside those of the mesh.
        node_sets: Vec<(String, Vec<usize>)> [Kind::Sets] = Vec::new();
        /// Young's modulus of all elements; without one, materials are those of the mesh.
        youngs_modulus: f64 [Kind::Number("Pa"), range = Range::NonNegative] = 0.0;
        /// Poisson's ratio of all elements.
        poissons_ratio: f64 [Kind::Number("")] = 0.3;
        /// Density of all elements.
        density: f64 [Kind::Number("kg/m^3"), range = Range::NonNegative] = 0.0;
        /// Thickness of elements in a plane.
        thickness: f64 [Kind::Number("m"), range = Range::Positive] = 1.0;
        /// Sets of nodes that are interfaces: all nodes of one follow its frame as a rigid body.
        interfaces: Vec<String> [Kind::Words] = Vec::new();
        /// Sets of nodes that are interfaces whose nodes follow the frame in the mean, and stay free among each
        /// other.
        mean_interfaces: Vec<String> [Kind::Words] = Vec::new();
        /// Interfaces that are single nodes, by their numbers: points, which have no axes.
        points: Vec<(String, f64)> [Kind::Places] = Vec::new();
        /// How many modes it has besides what its interfaces do, the slowest; 10 if nothing is said.
        modes: Option<usize> [Kind::Count] = None;
        /// It has all modes slower than this frequency, instead of a number of them.
        up_to: Option<f64> [Kind::Number("Hz"), range = Range::Positive] = None;
        /// The modes it has by their numbers, counted from 1 in the order of their frequencies, instead of the slowest.
        only_modes: Vec<usize> [Kind::Counts] = Vec::new();
        /// Which modes these are: those with all interfaces held, beside which each interface can move by itself, or those
        /// of the free body, which interfaces follow.
        basis: String [Kind::Choice(&["held", "free"])] = "held".to_string();
        /// File beside the model in which the reduction is kept, and from which it is taken as long as mesh, material,
        /// interfaces and modes are the same.
        cache: Option<String> [Kind::Text] = None;
        /// What it was reduced to, as text that results hold instead of the mesh; not written by hand.
        reduction: Option<String> [Kind::Text] = None;
        /// Damping of each of its modes as a part of critical damping.
        damping: f64 [Kind::Number(""), range = Range::NonNegative] = 0.0;
        /// Whether bending shortens it, which stiffens what is stretched and softens what is pressed: for bodies with two
        /// interfaces, held in modes (`basis = "held"`), that have material all along the line between them. If nothing
        /// is said, it does where all of that is so.
        foreshortening: Option<bool> [Kind::Flag] = None;
        /// Where the origin of its mesh is at first.
        position: Vec3 [Kind::Vector("m")] = Vec3::zeros();
        /// How the axes of its mesh are turned at first: Euler parameters, axis and angle, or two axes.
        orientation: Orientation [Kind::Orientation, spaces = Spaces::Spatial] = Orientation::IDENTITY;
        /// Initial angle of the axes of its mesh.
        angle: f64 [Kind::Number("rad"), spaces = Spaces::Planar] = 0.0;
        /// Initial velocity of the origin of its mesh.
        velocity: Vec3 [Kind::Vector("m/s")] = Vec3::zeros();
        /// Initial angular velocity, in the axes of its mesh; it moves as one at first.
        angular_velocity: Vec3 [Kind::Spin("rad/s")] = Vec3::zeros();
    }
}

/// A superelement: what a model says of it, and what it was reduced to.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Superelement {
    /// What the model says.
    pub fields: SuperelementFields,
    /// The body; without one it stands in the model by its name alone.
    pub reduced: Option<Arc<ReducedBody>>,
}
