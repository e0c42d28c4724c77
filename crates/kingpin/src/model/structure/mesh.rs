//! The numbers of the mesh of a structure.

use crate::model::value::Vec3;

/// Nodes and cells as plain numbers, in the axes of the mesh.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct StructureMesh {
    /// Names of the nodes: their numbers in the mesh, or `I.J` of a grid.
    pub names: Vec<String>,
    /// Where they are at rest.
    pub places: Vec<Vec3>,
    /// The mass that each has of the cells around it.
    pub masses: Vec<f64>,
    /// The cells.
    pub cells: Vec<MeshCell>,
    /// Sets of nodes that the structure names.
    pub sets: Vec<MeshSet>,
    /// Triangles on its surface, by nodes, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// A cell: its nodes, the constants of its stress, and the gradients of its shape functions at the places that it is summed
/// at.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MeshCell {
    /// Its number in the mesh.
    pub number: u64,
    /// Its nodes.
    pub nodes: Vec<u32>,
    /// Constants of the stress: 2 mu E + lambda tr E.
    pub lambda: f64,
    /// Shear modulus.
    pub mu: f64,
    /// The volumes that its places stand for.
    pub volumes: Vec<f64>,
    /// Gradients of all nodes, place after place.
    pub gradients: Vec<Vec3>,
}

/// A set of nodes.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MeshSet {
    /// Its name.
    pub name: String,
    /// Its nodes.
    pub nodes: Vec<u32>,
    /// The area that each of them carries of the edges or faces between them: integrals of their shape functions.
    pub areas: Vec<f64>,
}

impl StructureMesh {
    /// The set of that name.
    pub fn set(&self, name: &str) -> Option<&MeshSet> {
        self.sets.iter().find(|set| set.name == name)
    }

    /// Its mass.
    pub fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }
}
