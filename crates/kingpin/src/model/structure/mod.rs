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
    /// A sheet or a solid of cells between points, which moves, turns and deforms as far as it likes: membranes in plane
    /// stress, hexahedra, tetrahedra. Stress is linear in Green's strain. Its nodes are points by the names `NAME.NUMBER` of
    /// a mesh, `NAME.I.J` or `NAME.I.J.K` of a grid, counted from zero along x, y and z; anything can hold them that needs
    /// no axes. Membranes do not bend: in space they are held by their tension alone.
    pub struct StructureFields {
        /// Its name.
        name: String [Kind::Name];
        /// File with its mesh, beside the model: Gmsh (`.msh`), Abaqus or CalculiX (`.inp`).
        mesh: Option<String> [Kind::Text] = None;
        /// The text of that file, which results hold instead of it; not written by hand.
        contents: Option<String> [Kind::Text] = None;
        /// Sides of a grid, instead of a mesh: a sheet in the x-y plane, or with a third side a box.
        size: Option<Vec3> [Kind::Vector("m")] = None;
        /// How many cells the grid has along each side; a sheet in space has 0 along z.
        cells: Option<Vec3> [Kind::Vector("")] = None;
        /// Young's modulus of all cells; without one, materials are those of the mesh.
        youngs_modulus: f64 [Kind::Number("Pa"), range = Range::NonNegative] = 0.0;
        /// Poisson's ratio of all cells.
        poissons_ratio: f64 [Kind::Number("")] = 0.3;
        /// Density of all cells.
        density: f64 [Kind::Number("kg/m^3"), range = Range::NonNegative] = 0.0;
        /// Thickness of cells in a plane.
        thickness: f64 [Kind::Number("m"), range = Range::Positive] = 1.0;
        /// Damping as a time: stress has this times the rate of the strain beside the strain.
        damping: f64 [Kind::Number("s"), range = Range::NonNegative] = 0.0;
        /// Sets of nodes that never move. Sides of a grid are the sets `x0`, `x1`, `y0`, `y1`, `z0` and `z1`.
        fixed: Vec<String> [Kind::Words] = Vec::new();
        /// Other names for single nodes, by their numbers in the mesh: `NAME.POINT` instead of `NAME.NUMBER`.
        points: Vec<(String, f64)> [Kind::Places] = Vec::new();
        /// Sets of nodes with a load: edges of sheets, faces of solids.
        load_on: Vec<String> [Kind::Words] = Vec::new();
        /// The load by area at rest, of fixed direction: a number, or a function of time and measures.
        load: Function [Kind::Function { unit: "Pa", variables: &[("t", "s")], measures: true }] = Function::Constant(0.0);
        /// Direction of the load.
        load_direction: Option<Vec3> [Kind::Direction] = None;
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

/// A structure: what a model says of it, and its cells.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MeshStructure {
    /// What the model says.
    pub fields: StructureFields,
    /// Its cells; without them it stands in the model by its name alone.
    pub mesh: Option<Arc<StructureMesh>>,
}
