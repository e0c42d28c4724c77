//! Conjugate gradients on the reduced system, with an error that is measured as accelerations are.

use super::super::problem::{Numbers, Problem};
use super::operator::{ReducedProduct, dot};

/// Room for the iteration.
#[derive(Clone, Debug)]
pub(super) struct ConjugateGradients {
    product: ReducedProduct,
    /// The right side.
    pub b: Vec<f64>,
    residual: Vec<f64>,
    z: Vec<f64>,
    direction: Vec<f64>,
    image: Vec<f64>,
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal<'a> {
    /// Error of the accelerations over their size, both in the metric of the mass, that is no more than round-off; and
    /// what must be reached at least.
    pub tolerance: [f64; 2],
    /// For each body, one over the squares of the errors of its acceleration and angular acceleration that are allowed
    /// besides; empty if all are.
    pub weights: &'a [[f64; 2]],
    /// Most iterations.
    pub most: usize,
}

/// What became of it: iterations, and whether the goal was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Iterated {
    pub iterations: usize,
    pub converged: bool,
}

/// Residuals below this are those of round-off.
const ROUND_OFF: f64 = 16.0 * f64::EPSILON;

/// Squared errors that fall at least by this from one iteration to the next can be relied on to do so once more.
const FAST: f64 = 0.1;

/// Iterations after which the residual is looked at itself, not as it was carried along.
const LONG: usize = 20;

impl ConjugateGradients {
    /// For a problem.
    pub fn new(problem: &Problem) -> ConjugateGradients {
        let room = || vec![0.0; problem.rows];
        ConjugateGradients {
            product: ReducedProduct::new(problem),
            b: room(),
            residual: room(),
            z: room(),
            direction: room(),
            image: room(),
        }
    }

    /// Multiply-adds of one iteration, its preconditioner left aside.
    pub fn operations(&self, problem: &Problem) -> usize {
        self.product.operations(problem) + 6 * problem.rows
    }

    /// Sets the right side; `acc` is what bodies would do alone.
    pub fn start(&mut self, problem: &Problem, n: &Numbers, acc: &mut [f64]) {
        let mut b = std::mem::take(&mut self.b);
        self.product.right_side(problem, n, acc, &mut b);
        self.b = b;
    }

    /// Solves S x = b from x = 0. `precondition` turns a residual r into P^-1 r; `free` is Q^T M^-1 Q, the size of
    /// the accelerations without constraints.
    ///
    /// The error of x in the norm of S is the error of the accelerations in the metric of the mass: x^T S x is
    /// a^T M a with a = M^-1 Phi_v^T x. Each iteration takes alpha r^T z off its square [Hestenes 1952, Theorem 6:1],
    /// so what is left follows from how these amounts fall; r^T z itself is the square for P = S. What iterations
    /// change of the accelerations of single bodies tells how much of a square is allowed where bodies have bounds of
    /// their own: what is left is spread over them no worse than the worst of these changes was. No allocation.
    pub fn solve(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        (free, goal): (f64, Goal<'_>),
        mut precondition: impl FnMut(&mut [f64]),
        x: &mut [f64],
    ) -> Iterated {
        let failed = |iterations: usize| Iterated { iterations, converged: false };
        x.fill(0.0);
        self.residual.copy_from_slice(&self.b);
        self.z.copy_from_slice(&self.b);
        precondition(&mut self.z);
        let mut rho = dot(&self.residual, &self.z);
        if rho == 0.0 && self.b.iter().all(|b| *b == 0.0) {
            return Iterated { iterations: 0, converged: true };
        }
        let size = free + rho;
        let [finest, least] = goal.tolerance.map(|part| part.powi(2) * size);
        let floor = ROUND_OFF.powi(2) * size;
        let (mut gain_before, mut fall_before, mut spread) = (f64::NAN, 0.0, 0.0_f64);
        self.direction.copy_from_slice(&self.z);
        for iteration in 1..=goal.most {
            self.product.apply(problem, n, &self.direction, &mut self.image);
            let curvature = dot(&self.direction, &self.image);
            let alpha = rho / curvature;
            // not definite, or not a number
            if !(curvature > 0.0 && rho > 0.0 && alpha.is_finite()) {
                return failed(iteration);
            }
            add(x, alpha, &self.direction);
            add(&mut self.residual, -alpha, &self.image);
            let gain = alpha * rho;
            let change = alpha * alpha * self.product.worst(problem, goal.weights);
            if !goal.weights.is_empty() {
                spread = spread.max(change / gain);
            }
            let enough = if spread > 0.0 { least.min(1.0 / spread).max(finest) } else { least };
            let (fall, first) = (gain / gain_before, iteration == 1);
            let worst = if first { f64::NAN } else { f64::max(fall, fall_before) };
            let left = gain * worst / (1.0 - worst);
            if worst < FAST && left <= enough {
                return Iterated { iterations: iteration, converged: true };
            }
            self.z.copy_from_slice(&self.residual);
            precondition(&mut self.z);
            let next = dot(&self.residual, &self.z);
            let falls = first || worst < 1.0;
            if next <= floor || falls && next.max(left) <= enough {
                let converged = iteration <= LONG || self.is_met(problem, n, x, &mut precondition, enough);
                return Iterated { iterations: iteration, converged };
            }
            let beta = next / rho;
            self.direction.iter_mut().zip(&self.z).for_each(|(d, z)| *d = z + beta * *d);
            (rho, gain_before, fall_before) = (next, gain, if first { 0.0 } else { fall });
        }
        failed(goal.most)
    }

    /// Whether the residual of x, computed anew, is as small as the one that was carried along.
    fn is_met(
        &mut self,
        problem: &Problem,
        n: &Numbers,
        x: &[f64],
        precondition: &mut impl FnMut(&mut [f64]),
        enough: f64,
    ) -> bool {
        self.product.apply(problem, n, x, &mut self.image);
        for (r, (b, image)) in self.residual.iter_mut().zip(self.b.iter().zip(&self.image)) {
            *r = b - image;
        }
        self.z.copy_from_slice(&self.residual);
        precondition(&mut self.z);
        dot(&self.residual, &self.z) <= 1e4 * enough
    }
}

/// y += a x.
fn add(y: &mut [f64], a: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += a * x);
}
