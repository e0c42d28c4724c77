//! Sparse stiffness and mass of all nodes.

mod assemble;
mod frames;
mod matrix;
mod recover;
mod statics;

pub use frames::{Follows, MassPiece};
pub use matrix::SymmetricMatrix;
pub use recover::nodal_stresses;

use crate::FlexError;
use crate::mesh::Space;
use nalgebra::{DMatrix, Vector3};

/// Stiffness and mass with the places of the nodes. Coordinate `n * k + axis` belongs to node `k`, where each has n of them:
/// as many as there are axes, or as rigid motions where nodes are frames.
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
    /// What the mass consists of, where nodes are frames, which turn.
    pub pieces: Option<Vec<MassPiece>>,
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
        Ok(Structure { space, stiffness, mass, numbers: (1..=nodes as u64).collect(), places, pieces: None })
    }

    /// Whether its nodes are frames, which turn.
    pub fn turns(&self) -> bool {
        self.pieces.is_some()
    }

    /// How many coordinates each node has.
    pub fn per_node(&self) -> usize {
        if self.turns() { self.space.motions() } else { self.space.axes() }
    }

    /// The place of the node with a number. O(nodes)
    pub fn node(&self, number: u64) -> Result<usize, FlexError> {
        self.numbers.iter().position(|&own| own == number).ok_or(FlexError::NodeUnknown { node: number })
    }

    /// Fields of unit rigid motions about the origin, as columns: translations, then turns.
    pub fn rigid_motions(&self) -> DMatrix<f64> {
        rigid_motions(self.space, &self.places, &Vector3::zeros(), self.turns())
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

/// Displacements, and turns if they have some, of places by unit rigid motions about a point, as columns: translations,
/// then turns.
pub(crate) fn rigid_motions(
    space: Space,
    places: &[Vector3<f64>],
    about: &Vector3<f64>,
    turning: bool,
) -> DMatrix<f64> {
    let axes = space.axes();
    let each = if turning { space.motions() } else { axes };
    let mut fields = DMatrix::zeros(each * places.len(), space.motions());
    for (node, place) in places.iter().enumerate() {
        let arm = place - about;
        for axis in 0..axes {
            fields[(each * node + axis, axis)] = 1.0;
        }
        (axes..each).for_each(|turn| fields[(each * node + turn, turn)] = 1.0);
        let turns: &[usize] = if space == Space::Plane { &[2] } else { &[0, 1, 2] };
        for (k, &turn) in turns.iter().enumerate() {
            let moved = Vector3::ith(turn, 1.0).cross(&arm);
            (0..axes).for_each(|axis| fields[(each * node + axis, axes + k)] = moved[axis]);
        }
    }
    fields
}
