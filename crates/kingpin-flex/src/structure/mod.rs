//! Sparse stiffness and mass of all nodes.

mod assemble;
mod matrix;
mod recover;
mod statics;

pub use matrix::SymmetricMatrix;
pub use recover::nodal_stresses;

use crate::FlexError;
use crate::mesh::Space;
use nalgebra::{DMatrix, Vector3};

/// Stiffness and mass with the places of the nodes. Coordinate `axes * k + axis` belongs to node `k`.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    /// How many coordinates a node has.
    pub space: Space,
    /// N/m.
    pub stiffness: SymmetricMatrix,
    /// kg, with the places of entries of the stiffness.
    pub mass: SymmetricMatrix,
    /// Numbers of the nodes, as their source has them.
    pub numbers: Vec<u64>,
    /// Where they are.
    pub places: Vec<Vector3<f64>>,
}

impl Structure {
    /// From matrices and places of nodes: as many coordinates for each as the matrices have, two or three. Nodes are
    /// numbered from 1.
    pub fn from_matrices(
        stiffness: &SymmetricMatrix,
        mass: &SymmetricMatrix,
        places: Vec<Vector3<f64>>,
    ) -> Result<Structure, FlexError> {
        let (n, nodes) = (stiffness.order(), places.len());
        let space = if n == 2 * nodes { Space::Plane } else { Space::Solid };
        let size = |what, expected, given| {
            if expected == given { Ok(()) } else { Err(FlexError::WrongSize { what, expected, given }) }
        };
        size("rows of the stiffness", space.axes() * nodes, n)?;
        size("rows of the mass", n, mass.order())?;
        let [stiffness, mass] = SymmetricMatrix::with_places_of_both(stiffness, mass);
        Ok(Structure { space, stiffness, mass, numbers: (1..=nodes as u64).collect(), places })
    }

    /// The place of the node with a number. O(nodes)
    pub fn node(&self, number: u64) -> Result<usize, FlexError> {
        self.numbers.iter().position(|&own| own == number).ok_or(FlexError::NodeUnknown { node: number })
    }

    /// Fields of unit rigid motions about the origin, as columns: translations, then turns.
    pub fn rigid_motions(&self) -> DMatrix<f64> {
        rigid_motions(self.space, &self.places, &Vector3::zeros())
    }

    /// How much mass moves in each direction with every node: the mass between nodes, one row for each.
    ///
    /// # Errors
    /// If the mass is not the same in all directions, or couples them.
    pub fn node_mass(&self) -> Result<SymmetricMatrix, FlexError> {
        let axes = self.space.axes();
        let largest = self.mass.values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let mut entries = Vec::new();
        for (row, column, value) in self.mass.entries() {
            let (a, b) = (row / axes, column / axes);
            let wanted = if row % axes == column % axes { self.mass.get(axes * a, axes * b) } else { 0.0 };
            if (value - wanted).abs() > 1e-9 * largest {
                return Err(FlexError::BadMass { node: self.numbers[b] });
            }
            if row % axes == 0 && column % axes == 0 {
                entries.push((a, b, value));
            }
        }
        Ok(SymmetricMatrix::from_entries(self.places.len(), entries))
    }
}

/// Displacements of places by unit rigid motions about a point, as columns: translations, then turns.
pub(crate) fn rigid_motions(space: Space, places: &[Vector3<f64>], about: &Vector3<f64>) -> DMatrix<f64> {
    let axes = space.axes();
    let mut fields = DMatrix::zeros(axes * places.len(), space.motions());
    for (node, place) in places.iter().enumerate() {
        let arm = place - about;
        for axis in 0..axes {
            fields[(axes * node + axis, axis)] = 1.0;
        }
        let turns: &[usize] = if space == Space::Plane { &[2] } else { &[0, 1, 2] };
        for (k, &turn) in turns.iter().enumerate() {
            let moved = Vector3::ith(turn, 1.0).cross(&arm);
            (0..axes).for_each(|axis| fields[(axes * node + axis, axes + k)] = moved[axis]);
        }
    }
    fields
}
