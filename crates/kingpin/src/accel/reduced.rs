//! The reduced matrix in classical storage: dense, band, envelope [Serban 1997, section 4].

use super::accelerator::{NoSolution, Solve};
use super::assembler::{Assembler, Weights};
use super::elimination::VANISHING;
use super::method::{self, SolverEntry};
use super::problem::{Numbers, Problem};
use crate::linalg::{Band, DenseCholesky, Entry, Envelope, ZeroPivot};
use crate::topology::{gibbs_king, gibbs_poole_stockmeyer};

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
    ) -> Result<(), NoSolution> {
        self.assembler.reduce(problem, n, &mut self.values, (acc, lam));
        self.storage.factor(&mut self.values)?;
        self.storage.solve(&self.values, lam, &mut self.scratch);
        problem.accelerations(n, lam, acc);
        Ok(())
    }
}

/// Block envelope along the Gibbs-King order.
pub(super) const ENVELOPE: SolverEntry = SolverEntry {
    name: "reduced-envelope",
    about: "envelope Cholesky of the reduced matrix, Gibbs-King order",
    dense: false,
    storage: |problem| {
        let envelope = method::measure(problem, &gibbs_king(&problem.graph())).envelope.envelope;
        (envelope + method::joints(problem)) * method::block(problem)
    },
    build: |_, problem| Box::new(ReducedCholesky::envelope(problem, gibbs_king(&problem.graph()).order())),
    explained: "\
reduced-envelope
Envelope Cholesky factorisation of the reduced matrix of the joints, in Gibbs-King
order: the usual approach before sparse methods.
$ kingpin accelerations hmmwv14.toml --solver reduced-envelope
> elimination, reduced-band, envelope",
};

/// Band along the Gibbs-Poole-Stockmeyer order.
pub(super) const BAND: SolverEntry = SolverEntry {
    name: "reduced-band",
    about: "band Cholesky of the reduced matrix, Gibbs-Poole-Stockmeyer order",
    dense: false,
    storage: |problem| {
        let order = gibbs_poole_stockmeyer(&problem.graph());
        let bandwidth = method::measure(problem, &order).envelope.bandwidth;
        (bandwidth + 1) * method::joints(problem) * method::block(problem)
    },
    build: |_, problem| {
        Box::new(ReducedCholesky::band(problem, gibbs_poole_stockmeyer(&problem.graph()).order()))
    },
    explained: "\
reduced-band
Band Cholesky factorisation of the reduced matrix of the joints, in
Gibbs-Poole-Stockmeyer order. Efficient for chains, inefficient for mechanisms with a
hub.
$ kingpin accelerations chain50.toml --solver reduced-band
> reduced-envelope, elimination",
};

/// The whole matrix.
pub(super) const DENSE: SolverEntry = SolverEntry {
    name: "reduced-dense",
    about: "dense Cholesky of the reduced matrix",
    dense: true,
    storage: |problem| (problem.rows as u64).pow(2),
    build: |_, problem| Box::new(ReducedCholesky::dense(problem)),
    explained: "\
reduced-dense
Dense Cholesky factorisation of the reduced matrix of the joints. Simple, and slow
beyond about fifty equations: the time grows with their cube.
$ kingpin accelerations four_bar.toml --solver reduced-dense
> elimination, augmented-dense",
};
