//! A reduced flexible body.

use super::Invariants;
use crate::mesh::Space;
use nalgebra::{DMatrix, DVector, Vector3};

/// A frame that others hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// Name of the interface.
    pub name: String,
    /// Whether it turns; a single node does not.
    pub turns: bool,
    /// Where it is in the undeformed body.
    pub place: Vector3<f64>,
    /// Its displacement and turn, six rows, by the amplitudes.
    pub motion: DMatrix<f64>,
}

/// A structure reduced to amplitudes z, with `u = Psi z`.
#[derive(Clone, Debug, PartialEq)]
pub struct Superelement {
    /// Hash of the numbers that it was made from.
    pub fingerprint: u64,
    /// In how many directions it moves.
    pub space: Space,
    /// Its interfaces.
    pub frames: Vec<Frame>,
    /// Frequencies of its modes in Hz, those behind the motions of interfaces.
    pub hertz: Vec<f64>,
    /// `Psi^T K Psi`.
    pub stiffness: DMatrix<f64>,
    /// `Psi^T M Psi`.
    pub mass: DMatrix<f64>,
    /// Numbers of the nodes kept.
    pub nodes: Vec<u64>,
    /// Where they are.
    pub places: Vec<Vector3<f64>>,
    /// Displacements of the nodes kept, three rows for each, by the amplitudes.
    pub displacements: DMatrix<f64>,
    /// Integrals of the mass.
    pub invariants: Invariants,
    /// `G` with which the chord between two interfaces shortens by `z.G z / 2` where the body bends: of bodies with two
    /// interfaces that have material all along it. It means something for slender ones.
    pub foreshortening: Option<DMatrix<f64>>,
}

impl Superelement {
    /// Displacements of the nodes kept. O(nodes * amplitudes)
    pub fn recover(&self, z: &[f64]) -> Vec<Vector3<f64>> {
        let all = &self.displacements * DVector::from_column_slice(z);
        all.as_slice().chunks(3).map(Vector3::from_column_slice).collect()
    }

    /// Amplitudes of unit rigid motions about the origin, one column each, where the frames determine them: with the
    /// Craig-Bampton basis.
    pub fn rigid_amplitudes(&self) -> DMatrix<f64> {
        let mut rigid = DMatrix::zeros(self.mass.nrows(), 6);
        for frame in &self.frames {
            for motion in 0..6 {
                let turn = if motion < 3 { Vector3::zeros() } else { Vector3::ith(motion - 3, 1.0) };
                let shift = if motion < 3 { Vector3::ith(motion, 1.0) } else { turn.cross(&frame.place) };
                let moved = [shift.x, shift.y, shift.z, turn.x, turn.y, turn.z];
                let own = frame.motion.transpose() * DVector::from_column_slice(&moved);
                let mut column = rigid.column_mut(motion);
                column += own;
            }
        }
        rigid
    }
}
