//! Structures whose nodes are frames: they move and turn, as those of beams do.

use super::{Structure, SymmetricMatrix, rigid_motions};
use crate::FlexError;
use crate::mesh::Space;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// How a piece of mass follows a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Follows {
    /// The frame.
    pub frame: usize,
    /// The part of its motion that counts.
    pub part: f64,
    /// The place on it whose displacement counts.
    pub point: Vector3<f64>,
}

/// Mass that moves as one rigid body with one frame, or with the mean of several.
#[derive(Clone, Debug, PartialEq)]
pub struct MassPiece {
    /// kg.
    pub mass: f64,
    /// Second moment of its places about its own, `sum m x x^T`.
    pub spread: Matrix3<f64>,
    /// Where it is.
    pub place: Vector3<f64>,
    /// Frames that it follows; the parts add up to one.
    pub follows: Vec<Follows>,
}

impl MassPiece {
    /// A rigid body by its inertia about its centre, which follows one frame.
    pub fn body(mass: f64, inertia: &Matrix3<f64>, place: Vector3<f64>, frame: usize) -> MassPiece {
        let spread = Matrix3::identity() * (0.5 * inertia.trace()) - inertia;
        MassPiece { mass, spread, place, follows: vec![Follows { frame, part: 1.0, point: place }] }
    }

    /// Its displacement and turn, six rows, by the coordinates of all frames: those that are not zero.
    fn motion(&self, space: Space, places: &[Vector3<f64>]) -> (Vec<usize>, DMatrix<f64>) {
        let count = space.motions();
        let coordinates = self.follows.iter().flat_map(|own| count * own.frame..count * (own.frame + 1));
        let mut motion = DMatrix::zeros(6, count * self.follows.len());
        for (k, Follows { frame, part, point }) in self.follows.iter().enumerate() {
            let own = rigid_motions(space, &[*point], &places[*frame], true) * *part;
            for row in 0..count {
                motion.view_mut((space.row(row), count * k), (1, count)).copy_from(&own.row(row));
            }
        }
        (coordinates.collect(), motion)
    }

    /// Its displacement and turn, six rows, by the amplitudes of fields over all coordinates.
    pub(crate) fn moved(&self, structure: &Structure, shapes: &DMatrix<f64>) -> DMatrix<f64> {
        let (coordinates, motion) = self.motion(structure.space, &structure.places);
        motion * shapes.select_rows(&coordinates)
    }
}

impl Structure {
    /// From the stiffness between frames and pieces of mass. Coordinates of each frame are displacements, then turns, about
    /// the axes of the structure; frames are numbered from 1. O(entries)
    ///
    /// # Errors
    /// Sizes that do not fit, and mass that is none.
    pub fn from_frames(
        space: Space,
        places: Vec<Vector3<f64>>,
        stiffness: &SymmetricMatrix,
        pieces: Vec<MassPiece>,
    ) -> Result<Structure, FlexError> {
        let n = space.motions() * places.len();
        if stiffness.order() != n {
            let given = stiffness.order();
            return Err(FlexError::WrongSize { what: "rows of the stiffness", expected: n, given });
        }
        let mut entries = Vec::new();
        for piece in &pieces {
            // also what is no number is no mass
            let sound =
                piece.mass > 0.0 && piece.mass.is_finite() && piece.spread.iter().all(|x| x.is_finite());
            if !sound || piece.follows.iter().any(|own| own.frame >= places.len()) {
                let node = piece.follows.first().map_or(0, |own| own.frame as u64 + 1);
                return Err(FlexError::BadMass { node });
            }
            let (coordinates, motion) = piece.motion(space, &places);
            let inertia = Matrix3::identity() * piece.spread.trace() - piece.spread;
            let (shift, turn) = (motion.rows(0, 3), motion.rows(3, 3));
            let own = shift.tr_mul(&shift) * piece.mass
                + turn.tr_mul(&(DMatrix::from_fn(3, 3, |i, j| inertia[(i, j)]) * turn));
            for (i, &row) in coordinates.iter().enumerate() {
                for (j, &column) in coordinates.iter().enumerate().filter(|&(_, &column)| row <= column) {
                    entries.push((row, column, own[(i, j)]));
                }
            }
        }
        let mass = SymmetricMatrix::from_entries(n, entries);
        if let Some(k) = mass.diagonal().iter().position(|x| *x <= 0.0) {
            return Err(FlexError::BadMass { node: (k / space.motions()) as u64 + 1 });
        }
        let [stiffness, mass] = SymmetricMatrix::with_places_of_both(stiffness, &mass);
        let numbers = (1..=places.len() as u64).collect();
        Ok(Structure { space, stiffness, mass, numbers, places, pieces: Some(pieces) })
    }
}
