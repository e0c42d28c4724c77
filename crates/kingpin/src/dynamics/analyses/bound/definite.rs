//! How far a stiffness is from being definite.

use crate::dynamics::forms::whole::{BoundPencil, StiffnessSide};

/// The symmetric part of a stiffness with as much mass as makes it definite.
pub(in crate::dynamics::analyses) struct Definite {
    /// How much mass that is, 1/s^2: between one and 1.2 times the lowest eigenvalue, without its sign; zero if none is
    /// lower than what counts as nothing.
    pub mass: f64,
    /// Eigenvalues below what counts as nothing.
    pub negatives: usize,
}

/// By how much the mass grows until it is enough, and bisections behind.
const GROWTH: f64 = 16.0;
const BISECTIONS: usize = 4;
/// Decades of masses to try.
const MOST: usize = 40;

impl Definite {
    /// Counts negative eigenvalues with more and more mass, from `nothing` on. `None` where
    /// nothing helps. O(entries of the factor), some 5 to 15 times
    pub fn new(pencil: &BoundPencil, nothing: f64) -> Option<Definite> {
        let negatives = Self::negatives(pencil, nothing)?;
        if negatives == 0 {
            return Some(Definite { mass: 0.0, negatives });
        }
        let (mut low, mut high) = (nothing, GROWTH * nothing);
        for _ in 0..MOST {
            if Self::negatives(pencil, high)? == 0 {
                break;
            }
            (low, high) = (high, GROWTH * high);
        }
        for _ in 0..BISECTIONS {
            let middle = (low * high).sqrt();
            let enough = Self::negatives(pencil, middle)? == 0;
            (low, high) = if enough { (low, middle) } else { (middle, high) };
        }
        Some(Definite { mass: high, negatives })
    }

    /// Negative eigenvalues with so much mass. A singular matrix is one by chance.
    pub fn negatives(pencil: &BoundPencil, mass: f64) -> Option<usize> {
        [1.0, 1.07, 0.93].into_iter().find_map(|part| {
            let factor = pencil.factor(part * mass, StiffnessSide::Symmetric)?;
            pencil.negatives(&factor)
        })
    }
}
