//! Conjugate gradients on the reduced system, preconditioned [Negrut 2003, section 5]: S is never formed to be solved
//! with, only now and then to be factored for the systems of later states.

mod entries;
mod gradients;
mod operator;
mod precondition;
mod renewal;

use super::accelerator::{NoSolution, Solve};
use super::elimination::Elimination;
use super::problem::{Numbers, Problem};
use gradients::{ConjugateGradients, Goal, Iterated};
use operator::dot;
use precondition::BlockPreconditioner;
use renewal::Economy;

pub(super) use entries::{EARLIER, INCOMPLETE, JACOBI};
pub use renewal::Iterations;

/// What stands in for the inverse of the reduced matrix.
#[derive(Clone, Debug)]
enum Preconditioner {
    /// The factor of an earlier state; of the state at hand as long as there is none.
    Earlier,
    /// Blocks of the matrix of the state at hand.
    Here(Box<BlockPreconditioner>),
}

/// An iterative solver. What it remembers changes in solutions that steps ask for alone: those asked for in between, for
/// frames or to find out when something happens, leave no trace.
#[derive(Clone, Debug)]
pub struct Pcg {
    preconditioner: Preconditioner,
    gradients: ConjugateGradients,
    /// The factor that preconditions, and the way out where the iteration does not converge.
    direct: Elimination,
    /// Room for the factor of the state at hand, while that of an earlier one is kept.
    spare: Vec<f64>,
    /// Whether the factor is one of an earlier state.
    held: bool,
    tolerance: f64,
    /// What a step allows each body, as [`Goal`] has it; empty where no step is under way.
    weights: Vec<[f64; 2]>,
    /// Most iterations.
    most: usize,
    economy: Economy,
    /// Whether a factor has shown that equations are independent: iterations alone would not tell.
    vetted: bool,
    /// Iterations of the last solution.
    last: usize,
}

/// Errors of accelerations over their size, where nobody asks for less.
const FINEST: f64 = 1e-14;

/// Allowed errors below this are none.
const LEAST: f64 = 1e-100;

/// Most iterations with the factor of an earlier state: those that cost as much as two factors, and these at the least
/// and at the most.
const MOST: [usize; 2] = [12, 60];

/// Most iterations with blocks of the matrix: three for each equation, and these at the least and at the most.
const MOST_OF_BLOCKS: [usize; 2] = [100, 3000];

impl Pcg {
    fn new(problem: &Problem, blocks: Option<BlockPreconditioner>) -> Pcg {
        let direct = Elimination::new(problem, problem.plan(true));
        let gradients = ConjugateGradients::new(problem);
        let work = gradients.operations(problem);
        let solving = blocks.as_ref().map_or(2 * direct.entries(), BlockPreconditioner::operations);
        let economy = Economy {
            iteration: (work + solving) as f64,
            factor: (direct.operations() + problem.plan(true).metrics.scalar_work as usize) as f64,
            ..Economy::default()
        };
        let (most, [least, limit]) = match blocks {
            Some(_) => (3 * problem.rows, MOST_OF_BLOCKS),
            None => ((2.0 * economy.factor / economy.iteration) as usize, MOST),
        };
        Pcg {
            most: most.clamp(least, limit),
            preconditioner: blocks.map_or(Preconditioner::Earlier, |b| Preconditioner::Here(Box::new(b))),
            gradients,
            spare: vec![0.0; direct.entries()],
            direct,
            held: false,
            tolerance: FINEST,
            weights: Vec::with_capacity(problem.bodies()),
            economy,
            vetted: false,
            last: 0,
        }
    }

    /// Sets the error of accelerations over their size that is reached at least; never finer than round-off.
    pub fn set_tolerance(&mut self, tolerance: f64) {
        self.tolerance = tolerance.max(FINEST);
    }

    /// The solutions to come are those of a step, which allows errors of the acceleration and the angular acceleration of
    /// each body, if it can tell. No allocation.
    pub fn begin_step(&mut self, problem: &Problem, allowed: Option<impl Fn(usize) -> [f64; 2]>) {
        self.economy.stepping = true;
        self.weights.clear();
        if let Some(allowed) = allowed {
            let weight = |allowed: f64| allowed.max(LEAST).powi(-2);
            self.weights.extend((0..problem.bodies()).map(|body| allowed(body).map(weight)));
        }
    }

    /// The step is done.
    pub fn end_step(&mut self) {
        self.economy.stepping = false;
        self.weights.clear();
    }

    /// Whether a solution may leave a trace: a step asked for it, and earlier states are what matters.
    fn may_learn(&self) -> bool {
        self.economy.stepping && matches!(self.preconditioner, Preconditioner::Earlier)
    }

    /// Makes the factor of the state at hand the one that preconditions from now on. Where there is none, because
    /// equations are dependent, every solution tries to make its own.
    fn learn(&mut self, problem: &Problem, phi_v: &[f64]) {
        self.held = self.direct.refactor(problem, phi_v).is_ok();
        self.economy.renewed();
    }

    /// Iterations of the last solution.
    pub fn last(&self) -> usize {
        self.last
    }

    /// Counts of the solutions that steps asked for.
    pub fn counts(&self) -> Iterations {
        self.economy.counts
    }

    /// What it remembers: the factor, if there is one, and counts.
    pub fn memory(&self) -> (Vec<f64>, [usize; 8]) {
        let values = if self.held { self.direct.values().to_vec() } else { Vec::new() };
        (values, self.economy.numbers())
    }

    /// Sets what it remembers; `false` if that is of another mechanism.
    pub fn recall(&mut self, values: &[f64], counts: [usize; 8]) -> bool {
        self.held = !values.is_empty();
        self.economy.set_numbers(counts);
        if self.held && values.len() != self.direct.entries() {
            return false;
        }
        if self.held {
            self.direct.values_mut().copy_from_slice(values);
        }
        true
    }

    /// Solves S x = b in place for a right side of one's own; iterations that it took.
    pub fn solve_reduced(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        tolerance: f64,
        b: &mut [f64],
    ) -> Result<usize, NoSolution> {
        self.gradients.b.copy_from_slice(b);
        let weights = std::mem::take(&mut self.weights);
        let done = self.reduced(problem, n, (0.0, tolerance), b).map(|(iterations, _)| iterations);
        self.weights = weights;
        done
    }

    /// The reduced system with the right side at hand: by iterations, or else by the factor of the state at hand.
    /// Iterations, and whether these were not enough.
    fn reduced(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        (free, tolerance): (f64, f64),
        lam: &mut [f64],
    ) -> Result<(usize, bool), NoSolution> {
        let most = self.most;
        let mut done = self.iterate(problem, n, (free, tolerance, most), lam);
        let mut tried = 0;
        if let Some(Iterated { iterations, converged: false }) = done
            && self.may_learn()
        {
            tried = iterations;
            self.learn(problem, n.phi_v);
            done = self.iterate(problem, n, (free, tolerance, most), lam);
        }
        match done {
            Some(Iterated { iterations, converged: true }) => Ok((tried + iterations, false)),
            _ => {
                tried += done.map_or(0, |done| done.iterations);
                let more = self.solve_directly(problem, n, (free, tolerance, 3), lam)?;
                // a state without an earlier one is none to be rescued from
                Ok((tried + more, done.is_some()))
            }
        }
    }

    /// The iteration with the preconditioner there is; `None` if there is none at this state.
    fn iterate(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        (free, tolerance, most): (f64, f64, usize),
        lam: &mut [f64],
    ) -> Option<Iterated> {
        let goal = Goal { tolerance: [FINEST, tolerance], weights: &self.weights, most };
        match &mut self.preconditioner {
            Preconditioner::Earlier if !self.held => None,
            Preconditioner::Earlier => {
                let direct = &mut self.direct;
                Some(self.gradients.solve(problem, n, (free, goal), |b| direct.solve_again(b), lam))
            }
            Preconditioner::Here(blocks) => {
                blocks.refactor(problem, n.phi_v).ok()?;
                Some(self.gradients.solve(problem, n, (free, goal), |b| blocks.apply(b), lam))
            }
        }
    }

    /// The solution by the factor of the state at hand, refined by what iterations are good for.
    fn solve_directly(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        (free, tolerance, most): (f64, f64, usize),
        lam: &mut [f64],
    ) -> Result<usize, NoSolution> {
        std::mem::swap(self.direct.values_mut(), &mut self.spare);
        let factored = self.direct.refactor(problem, n.phi_v);
        let mut iterations = 0;
        if factored.is_ok() {
            let goal = Goal { tolerance: [FINEST, tolerance], weights: &self.weights, most };
            let direct = &mut self.direct;
            let done = self.gradients.solve(problem, n, (free, goal), |b| direct.solve_again(b), lam);
            iterations = done.iterations;
            if !done.converged {
                // ill-conditioned as it is, the factor is the last word
                lam.copy_from_slice(&self.gradients.b);
                self.direct.solve_again(lam);
            }
        }
        std::mem::swap(self.direct.values_mut(), &mut self.spare);
        factored?;
        Ok(iterations)
    }
}

impl Solve for Pcg {
    fn solve(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        acc: &mut [f64],
        lam: &mut [f64],
    ) -> Result<(), NoSolution> {
        if !self.vetted && matches!(self.preconditioner, Preconditioner::Here(_)) {
            self.direct.refactor(problem, n.phi_v)?;
            self.vetted = true;
        }
        if self.may_learn() && (!self.held || self.economy.spent) {
            self.learn(problem, n.phi_v);
        }
        self.gradients.start(problem, n, acc);
        let free = dot(n.force, acc);
        let (iterations, rescued) = self.reduced(problem, n, (free, self.tolerance), lam)?;
        self.last = iterations;
        self.economy.note(iterations, rescued);
        problem.accelerations(n, lam, acc);
        Ok(())
    }

    fn iterative(&self) -> Option<&Pcg> {
        Some(self)
    }

    fn iterative_mut(&mut self) -> Option<&mut Pcg> {
        Some(self)
    }
}
