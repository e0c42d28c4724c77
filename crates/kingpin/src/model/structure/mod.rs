//! Structures: sheets and solids of cells between points, which move and deform as far as they like.

mod expand;
mod mesh;

pub use expand::StructurePart;
pub(super) use expand::take_apart;
pub use mesh::{MeshCell, MeshSet, StructureMesh};

use super::function::Function;
use super::value::{Orientation, Vec3};
use crate::described;
use std::sync::Arc;

described! {
    /// A sheet or a solid of finite elements (cells) with large displacements, rotations and deformation: membranes
    /// in plane stress, hexahedra, tetrahedra. Stress is linear in Green's strain. Its nodes are points named
    /// `NAME.NUMBER` for a mesh, `NAME.I.J` or `NAME.I.J.K` for a grid, counted from zero along x, y and z; elements
    /// that need only a point can connect to them. Membranes have no bending stiffness: in space their shape is
    /// maintained by tension only.
    pub struct StructureFields {
        /// Its name.
        name: String [Kind::Name];
        /// Mesh file, relative to the model: Gmsh (`.msh`), Abaqus or CalculiX (`.inp`).
        mesh: Option<String> [Kind::Text] = None;
        /// The text of that file, which results contain instead of it; not written by hand.
        contents: Option<String> [Kind::Text] = None;
        /// Side lengths of a grid, instead of a mesh: a sheet in the x-y plane, or a box with a third side.
        size: Option<Vec3> [Kind::Vector("m")] = None;
        /// Number of cells of the grid along each side; a sheet in space has 0 along z.
        cells: Option<Vec3> [Kind::Vector("")] = None;
        /// Young's modulus of all cells; if 0, the materials of the mesh are used.
        youngs_modulus: f64 [Kind::Number("Pa"), range = Range::NonNegative] = 0.0;
        /// Poisson's ratio of all cells.
        poissons_ratio: f64 [Kind::Number("")] = 0.3;
        /// Density of all cells.
        density: f64 [Kind::Number("kg/m^3"), range = Range::NonNegative] = 0.0;
        /// Thickness of plane cells.
        thickness: f64 [Kind::Number("m"), range = Range::Positive] = 1.0;
        /// Damping time constant: stress is linear in (strain + damping times strain rate).
        damping: f64 [Kind::Number("s"), range = Range::NonNegative] = 0.0;
        /// Sets of fixed nodes. The sides of a grid are the sets `x0`, `x1`, `y0`, `y1`, `z0` and `z1`.
        fixed: Vec<String> [Kind::Words] = Vec::new();
        /// Names of single nodes, by their numbers in the mesh: `NAME.POINT` instead of `NAME.NUMBER`.
        points: Vec<(String, f64)> [Kind::Places] = Vec::new();
        /// Sets of nodes to which the load applies: edges of sheets, faces of solids.
        load_on: Vec<String> [Kind::Words] = Vec::new();
        /// Load per initial area, with a fixed direction: a number, or a function of time and measures.
        load: Function [Kind::Function { unit: "Pa", variables: &[("t", "s")], measures: true }] = Function::Constant(0.0);
        /// Direction of the load.
        load_direction: Option<Vec3> [Kind::Direction] = None;
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

/// A structure: what a model says of it, and its cells.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MeshStructure {
    /// What the model says.
    pub fields: StructureFields,
    /// Its cells; without them it stands in the model by its name alone.
    pub mesh: Option<Arc<StructureMesh>>,
}
