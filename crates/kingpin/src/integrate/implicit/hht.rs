//! The method of [Hilber, Hughes and Taylor 1977].

use super::matrix::add;
use super::newton::solve_acceleration;
use super::scheme::{Scheme, StepEnds, Trial};
use crate::integrate::problem::SecondOrder;
use crate::integrate::report::Attempt;
use crate::integrate::snapshot::snapshot;

/// Between -1/3 and 0: how far forces lag behind. Components of high frequency shrink by `(1 + alpha) / (1 - alpha)`
/// in a step.
pub const ALPHA: f64 = -0.05;
/// Newmark's weight of the new acceleration in the position.
const BETA: f64 = (1.0 - ALPHA) * (1.0 - ALPHA) / 4.0;
/// Newmark's weight of the new acceleration in the velocity.
const GAMMA: f64 = 0.5 - ALPHA;

/// Newmark's formulas with accelerations that lag behind:
///
/// ```text
/// v1  = v0 + h v0' + h^2 ((1/2 - beta) a0 + beta a1)      v1' = v0' + h ((1 - gamma) a0 + gamma a1)
/// a1  = (1 + alpha) f(y1) - alpha f(y0)
/// ```
///
/// The unknown is `f(y1)`; the accelerations a are the memory of the method. At the start `a0 = f(y0)`.
#[derive(Debug, Clone)]
pub struct HilberHughesTaylorRule {
    /// Lagging acceleration at the start and at the end of the step.
    start: Vec<f64>,
    end: Vec<f64>,
}

snapshot!(HilberHughesTaylorRule as "hht" { start });

impl Scheme for HilberHughesTaylorRule {
    const ORDER: usize = 2;
    const EXPONENT: usize = 3;
    const OF_ACCELERATIONS: bool = true;
    const GAMMA: f64 = (1.0 + ALPHA) * GAMMA;
    const RATIO: f64 = BETA / GAMMA;
    const EXACT_JACOBIAN: bool = false;
    const FILTERED: bool = false;
    const GIVES_ACCELERATION: bool = true;

    fn new(_: usize, unknowns: usize) -> Self {
        Self { start: vec![0.0; unknowns], end: vec![0.0; unknowns] }
    }

    fn attempt<P: SecondOrder>(&mut self, trial: &mut Trial<'_, P>) -> Result<(), Attempt<P::Error>> {
        let (n, h) = (trial.y0.len() / 2, trial.h);
        if trial.h_before == 0.0 {
            self.start.copy_from_slice(trial.a0);
        }
        // known part of position and velocity
        let base = std::mem::take(&mut trial.base);
        base.copy_from_slice(trial.y0);
        let (v, vdot) = base.split_at_mut(n);
        add(h, &trial.y0[n..], v);
        add(h * h * (0.5 - BETA), &self.start, v);
        add(-h * h * BETA * ALPHA, trial.a0, v);
        add(h * (1.0 - GAMMA), &self.start, vdot);
        add(-h * GAMMA * ALPHA, trial.a0, vdot);
        // acceleration extrapolated from the step before
        let f = std::mem::take(&mut trial.a1);
        f.copy_from_slice(trial.a0);
        if trial.h_before != 0.0 {
            let ratio = h / trial.h_before;
            add(ratio, trial.a0, f);
            add(-ratio, trial.a_before, f);
        }
        solve_acceleration(trial, trial.t1, base, f)?;
        trial.y1.copy_from_slice(trial.stage);
        for ((a1, f1), f0) in self.end.iter_mut().zip(f).zip(trial.a0) {
            *a1 = (1.0 + ALPHA) * *f1 - ALPHA * f0;
        }
        // what a linear acceleration would have added to the position
        trial.error.fill(0.0);
        add(h * h * (BETA - 1.0 / 6.0), &self.end, &mut trial.error[..n]);
        add(-h * h * (BETA - 1.0 / 6.0), &self.start, &mut trial.error[..n]);
        Ok(())
    }

    fn accept(&mut self) {
        std::mem::swap(&mut self.start, &mut self.end);
    }

    fn memory(&mut self) -> &mut [f64] {
        &mut self.start
    }

    fn dense(&self, theta: f64, ends: &StepEnds<'_>, out: &mut [f64]) {
        ends.hermite(theta, out);
    }
}
