//! Conjugate gradients, with the condition number seen on the way.

use crate::DomainError;
use nalgebra::DMatrix;

/// A symmetric operator on vectors of which several owners may have copies.
pub(crate) trait Operator {
    /// `y = A x`
    fn apply(&mut self, x: &[f64], y: &mut [f64]) -> Result<(), DomainError>;
    /// `z` is nearly `A^-1 r`
    fn precondition(&mut self, r: &[f64], z: &mut [f64]) -> Result<(), DomainError>;
    /// Takes from a residual what does not count.
    fn project(&mut self, _: &mut [f64]) -> Result<(), DomainError> {
        Ok(())
    }
    /// The product of two vectors, each number counted once.
    fn dot(&mut self, a: &[f64], b: &[f64]) -> f64;
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// What may be left of the residual, in parts of the first.
    pub residual: f64,
    /// Most iterations.
    pub iterations: usize,
}

impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance { residual: 1e-8, iterations: 2000 }
    }
}

/// How a solution was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Iterations, none for a direct solution.
    pub iterations: usize,
    /// Condition number of the preconditioned operator as the iterations have seen it; 1 without any.
    pub kappa: f64,
    /// What is left of the residual, in parts of the first.
    pub residual: f64,
}

/// Vectors of an iteration, kept for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Iteration {
    r: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    ap: Vec<f64>,
    alpha: Vec<f64>,
    beta: Vec<f64>,
}

impl Iteration {
    /// Solves `A x = b` from `x = 0`, or for what is left of `b` where `x` is given: then `b` is that residual already.
    pub fn solve(
        &mut self,
        operator: &mut impl Operator,
        b: &[f64],
        x: &mut [f64],
        tolerance: Tolerance,
    ) -> Result<Outcome, DomainError> {
        let n = b.len();
        for vector in [&mut self.r, &mut self.z, &mut self.p, &mut self.ap] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        self.alpha.clear();
        self.beta.clear();
        self.r.copy_from_slice(b);
        operator.project(&mut self.r)?;
        let first = operator.dot(&self.r, &self.r);
        let (mut left, mut before) = (first, 0.0);
        let ratio = |left: f64| if first > 0.0 { (left / first).sqrt() } else { 0.0 };
        while ratio(left) > tolerance.residual {
            let iteration = self.alpha.len();
            if iteration == tolerance.iterations {
                return Err(DomainError::NotConverged { iterations: iteration, residual: ratio(left) });
            }
            operator.precondition(&self.r, &mut self.z)?;
            let energy = operator.dot(&self.r, &self.z);
            if iteration > 0 {
                self.beta.push(energy / before);
            }
            let beta = self.beta.last().copied().unwrap_or(0.0);
            self.p.iter_mut().zip(&self.z).for_each(|(p, z)| *p = z + beta * *p);
            operator.apply(&self.p, &mut self.ap)?;
            let work = operator.dot(&self.p, &self.ap);
            // a number that is none is not positive either
            if !(work > 0.0 && energy > 0.0) {
                return Err(DomainError::NotDefinite { iteration });
            }
            let alpha = energy / work;
            x.iter_mut().zip(&self.p).for_each(|(x, p)| *x += alpha * p);
            self.r.iter_mut().zip(&self.ap).for_each(|(r, ap)| *r -= alpha * ap);
            operator.project(&mut self.r)?;
            self.alpha.push(alpha);
            before = energy;
            left = operator.dot(&self.r, &self.r);
        }
        Ok(Outcome { iterations: self.alpha.len(), kappa: self.condition(), residual: ratio(left) })
    }

    /// Ratio of the extreme eigenvalues of the tridiagonal matrix that the iteration has made [Saad 2003, 6.7].
    fn condition(&self) -> f64 {
        let n = self.alpha.len();
        if n == 0 {
            return 1.0;
        }
        let mut t = DMatrix::zeros(n, n);
        for k in 0..n {
            t[(k, k)] = 1.0 / self.alpha[k];
            if k > 0 {
                t[(k, k)] += self.beta[k - 1] / self.alpha[k - 1];
                let side = self.beta[k - 1].sqrt() / self.alpha[k - 1];
                (t[(k, k - 1)], t[(k - 1, k)]) = (side, side);
            }
        }
        let values = t.symmetric_eigenvalues();
        values.max() / values.min()
    }
}
