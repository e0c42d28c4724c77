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
    /// A linear flexible body with small deformation and large motion. Its floating frame of reference has its own
    /// name; its interfaces are bodies with the names `NAME.INTERFACE`, to which all elements can connect.
    pub struct SuperelementFields {
        /// Its name.
        name: String [Kind::Name];
        /// Mesh file, relative to the model: Gmsh (`.msh`), Abaqus or CalculiX (`.inp`).
        mesh: Option<String> [Kind::Text] = None;
        /// File with its stiffness matrix, instead of a mesh: Matrix Market (`.mtx`) or SciPy (`.npz`), with three
        /// rows per node, or two in planar models.
        stiffness_matrix: Option<String> [Kind::Text] = None;
        /// File with its mass matrix, in the format of `stiffness_matrix`; the mass of a node must be equal along all
        /// axes.
        mass_matrix: Option<String> [Kind::Text] = None;
        /// File with the positions of the nodes of these matrices, one row per node, in m: a table of Matrix Market
        /// (`.mtx`), or the array `places` of NumPy (`.npz`). Nodes are numbered from 1.
        node_places: Option<String> [Kind::Text] = None;
        /// Names of beams of this model, and of bars between them, to reduce instead of a mesh. They are reduced in
        /// their given shape, free of stress; fixed joints between them are part of the superelement. Its interfaces
        /// are nodes of beams by their names, such as `arm.end`, and bodies of the same names.
        of: Vec<String> [Kind::Words] = Vec::new();
        /// Additional sets of nodes by their numbers.
        node_sets: Vec<(String, Vec<usize>)> [Kind::Sets] = Vec::new();
        /// Young's modulus of all elements; if 0, the materials of the mesh are used.
        youngs_modulus: f64 [Kind::Number("Pa"), range = Range::NonNegative] = 0.0;
        /// Poisson's ratio of all elements.
        poissons_ratio: f64 [Kind::Number("")] = 0.3;
        /// Density of all elements.
        density: f64 [Kind::Number("kg/m^3"), range = Range::NonNegative] = 0.0;
        /// Thickness of plane elements.
        thickness: f64 [Kind::Number("m"), range = Range::Positive] = 1.0;
        /// Sets of nodes that form rigid interfaces: their nodes follow the frame of the interface.
        interfaces: Vec<String> [Kind::Words] = Vec::new();
        /// Sets of nodes that form averaged interfaces: the frame follows the mean motion of the nodes, which can
        /// deform.
        mean_interfaces: Vec<String> [Kind::Words] = Vec::new();
        /// Interfaces that are single nodes, by their numbers; they are points without orientation.
        points: Vec<(String, f64)> [Kind::Places] = Vec::new();
        /// Number of modes in addition to the interface modes, lowest frequencies first; default 10.
        modes: Option<usize> [Kind::Count] = None;
        /// Frequency up to which all modes are used, instead of a number of modes.
        up_to: Option<f64> [Kind::Number("Hz"), range = Range::Positive] = None;
        /// Numbers of the modes to use, counted from 1 in order of frequency.
        only_modes: Vec<usize> [Kind::Counts] = Vec::new();
        /// Modes: `held`, fixed-interface modes with constraint modes (Craig-Bampton), or `free`, modes of the free
        /// body.
        basis: String [Kind::Choice(&["held", "free"])] = "held".to_string();
        /// File, relative to the model, in which the reduction is stored and from which it is read while mesh,
        /// material, interfaces and modes are unchanged.
        cache: Option<String> [Kind::Text] = None;
        /// The reduction as text, which results contain instead of the mesh; not written by hand.
        reduction: Option<String> [Kind::Text] = None;
        /// Damping ratio of its modes.
        damping: f64 [Kind::Number(""), range = Range::NonNegative] = 0.0;
        /// Whether foreshortening by bending (geometric stiffness) is included: for bodies with two interfaces and
        /// `basis = "held"` that have material along the whole line between them. By default it is included if all
        /// these conditions hold.
        foreshortening: Option<bool> [Kind::Flag] = None;
        /// Initial position of the origin of its mesh.
        position: Vec3 [Kind::Vector("m")] = Vec3::zeros();
        /// Initial orientation of the axes of its mesh: Euler parameters, axis and angle, or two axes.
        orientation: Orientation [Kind::Orientation, spaces = Spaces::Spatial] = Orientation::IDENTITY;
        /// Initial angle of the axes of its mesh.
        angle: f64 [Kind::Number("rad"), spaces = Spaces::Planar] = 0.0;
        /// Initial velocity of the origin of its mesh.
        velocity: Vec3 [Kind::Vector("m/s")] = Vec3::zeros();
        /// Initial angular velocity, in the axes of its mesh; it initially moves as a rigid body.
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
