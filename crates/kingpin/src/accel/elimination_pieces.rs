//! Elimination of a large system in pieces: the reduced matrix is assembled and factored branch by branch.

use super::assembler::{Assembler, Weights};
use super::elimination::VANISHING;
use super::problem::Problem;
use crate::linalg::{BlockPattern, BranchedCholesky, ZeroPivot};
use crate::topology::Split;

/// The factor of a large reduced matrix and what assembles each piece of it.
#[derive(Clone, Debug)]
pub(super) struct EliminationPieces {
    pub factor: BranchedCholesky,
    assemblers: Vec<Assembler>,
    /// One number per row, for solutions.
    pub room: Vec<f64>,
}

impl EliminationPieces {
    /// Symbolic phase along an order.
    pub fn new(
        problem: &Problem,
        pattern: &BlockPattern,
        order: &[usize],
        split: Option<&Split>,
        weights: Weights,
    ) -> EliminationPieces {
        let factor = BranchedCholesky::analyse(pattern, order, problem.grain);
        let whole = Assembler::new(problem, weights, split, factor.len(), &|i, j| factor.locate(i, j));
        EliminationPieces { assemblers: whole.cut(factor.cuts()), room: vec![0.0; factor.rows()], factor }
    }

    /// Multiply-adds of one assembly.
    pub fn operations(&self) -> usize {
        self.assemblers.iter().map(Assembler::operations).sum()
    }

    /// Assembles a part.
    pub fn fill(&self, part: usize, weights: Weights, phi_v: &[f64], values: &mut [f64]) {
        self.assemblers[part].assemble(weights, phi_v, values);
    }

    /// Assembles and factors all pieces. No allocation.
    pub fn refactor(&self, weights: Weights, phi_v: &[f64], values: &mut [f64]) -> Result<(), ZeroPivot> {
        self.factor.factor(values, VANISHING, &|part, own| self.fill(part, weights, phi_v, own))
    }

    /// The same, and solves for a right side. No allocation.
    pub fn refactor_and_solve(
        &mut self,
        weights: Weights,
        phi_v: &[f64],
        values: &mut [f64],
        x: &mut [f64],
    ) -> Result<(), ZeroPivot> {
        let EliminationPieces { factor, assemblers, room } = self;
        let fill = |part: usize, values: &mut [f64]| assemblers[part].assemble(weights, phi_v, values);
        factor.factor_and_solve(values, VANISHING, &fill, (x, room))
    }
}
