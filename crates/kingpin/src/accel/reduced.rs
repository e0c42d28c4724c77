//! The reduced matrix in classical storage: dense, band, envelope [seed 000, section 4].

use super::accelerator::Solve;
use super::assembler::{Assembler, RightSide, Weights};
use super::elimination::VANISHING;
use super::problem::{Numbers, Problem};
use crate::linalg::{Band, DenseCholesky, Entry, Envelope, ZeroPivot};

/// The storage of the reduced matrix.
#[derive(Clone, Debug)]
enum Storage {
    Dense(DenseCholesky),
    Band(Band),
    Envelope(Envelope),
}

impl Storage {
    fn len(&self) -> usize {
        match self {
            Storage::Dense(s) => s.len(),
            Storage::Band(s) => s.len(),
            Storage::Envelope(s) => s.len(),
        }
    }
    fn locate(&self, i: usize, j: usize) -> Option<Entry> {
        match self {
            Storage::Dense(s) => s.locate(i, j),
            Storage::Band(s) => s.locate(i, j),
            Storage::Envelope(s) => s.locate(i, j),
        }
    }
    fn factor(&self, values: &mut [f64]) -> Result<(), ZeroPivot> {
        match self {
            Storage::Dense(s) => s.factor(values, VANISHING),
            Storage::Band(s) => s.factor(values, VANISHING),
            Storage::Envelope(s) => s.factor(values, VANISHING),
        }
    }
    fn solve(&self, values: &[f64], x: &mut [f64], scratch: &mut [f64]) {
        match self {
            Storage::Dense(s) => s.solve(values, x),
            Storage::Band(s) => s.solve(values, x, scratch),
            Storage::Envelope(s) => s.solve(values, x, scratch),
        }
    }
}

/// Cholesky factorisation of the reduced matrix in a given storage and order.
#[derive(Clone, Debug)]
pub struct ReducedCholesky {
    storage: Storage,
    assembler: Assembler,
    values: Vec<f64>,
    scratch: Vec<f64>,
}

impl ReducedCholesky {
    /// Dense storage.
    pub fn dense(problem: &Problem) -> ReducedCholesky {
        ReducedCholesky::new(
            problem,
            Storage::Dense(DenseCholesky::analyse(&problem.pattern(&problem.graph()))),
        )
    }

    /// Band storage along an order.
    pub fn band(problem: &Problem, order: &[usize]) -> ReducedCholesky {
        ReducedCholesky::new(problem, Storage::Band(Band::analyse(&problem.pattern(&problem.graph()), order)))
    }

    /// Envelope storage along an order.
    pub fn envelope(problem: &Problem, order: &[usize]) -> ReducedCholesky {
        let pattern = problem.pattern(&problem.graph());
        ReducedCholesky::new(problem, Storage::Envelope(Envelope::analyse(&pattern, order)))
    }

    fn new(problem: &Problem, storage: Storage) -> ReducedCholesky {
        let weights = Weights::Mass(&problem.inertia);
        let assembler = Assembler::new(problem, weights, None, storage.len(), &|i, j| storage.locate(i, j));
        ReducedCholesky {
            values: vec![0.0; storage.len()],
            scratch: vec![0.0; problem.rows],
            storage,
            assembler,
        }
    }
}

impl Solve for ReducedCholesky {
    fn solve(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        acc: &mut [f64],
        lam: &mut [f64],
    ) -> Result<(), ZeroPivot> {
        problem.start(n, acc, lam);
        let side = &mut RightSide { free: acc, b: lam };
        let weights = Weights::Mass(&problem.inertia);
        self.assembler.assemble_with(weights, n.phi_v, &mut self.values, side);
        self.storage.factor(&mut self.values)?;
        self.storage.solve(&self.values, lam, &mut self.scratch);
        problem.accelerations(n, lam, acc);
        Ok(())
    }
}
