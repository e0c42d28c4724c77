//! The size of the error of a step.

use super::Implicit;
use crate::integrate::implicit::matrix::{IterationMatrix, add};
use crate::integrate::implicit::scheme::Scheme;
use crate::integrate::problem::{Loss, SecondOrder};

impl<S: Scheme, M: IterationMatrix> Implicit<S, M> {
    /// Size of the raw error, filtered if that is wanted.
    pub(super) fn measure<P: SecondOrder<Matrix = M>>(&mut self, problem: &mut P, h: f64) -> f64 {
        if self.filtered {
            self.matrix.solve_first_order(&mut self.error);
        }
        let ends = (&self.y[..], &self.y1[..]);
        let loss = Loss { exponent: S::EXPONENT, caution: S::MOST_CAUTION };
        let size = match S::MOST_CAUTION > 1.0 {
            true => problem.measure_losing(&self.norm, h, (&self.error, loss), ends),
            false => problem.measure(&self.norm, h, &self.error, ends),
        };
        size * S::credited(self.norm.tightest())
    }

    /// The error with the rates that the start has when the error found is added to it
    /// [Hairer and Wanner 1996, section IV.8]; none where these cannot be evaluated.
    pub(super) fn reconsider<P: SecondOrder<Matrix = M>>(&mut self, problem: &mut P, h: f64) -> Option<f64> {
        let n = self.y.len() / 2;
        for ((stage, y), error) in self.stage.iter_mut().zip(&self.y).zip(&self.error) {
            *stage = y + error;
        }
        self.statistics.evaluations += 1;
        let (v, vdot) = self.stage.split_at(n);
        problem.acceleration(self.t, v, vdot, &mut self.correction).ok()?;
        self.residual.copy_from_slice(&self.error);
        self.scheme.estimate(h, &self.correction, &mut self.error);
        add(S::GAMMA * h, &self.residual[n..], &mut self.error[..n]);
        Some(self.measure(problem, h))
    }
}
