//! The trapezoidal rule with embedded backward Euler.

use super::matrix::add;
use super::newton::solve_acceleration;
use super::scheme::{Scheme, StepEnds, Trial};
use crate::integrate::formula::trapezoidal::{BETA, ERROR_POSITION, ERROR_VELOCITY, GAMMA};
use crate::integrate::problem::SecondOrder;
use crate::integrate::report::Attempt;
use crate::integrate::snapshot::snapshot;

/// `v1 = v0 + h v0' + h^2/4 (v0'' + v1'')`, `v1' = v0' + h/2 (v0'' + v1'')`. The error estimate is the
/// difference from backward Euler with the same `v1''`: of order 1, hence cautious.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrapezoidalRule;

snapshot!(TrapezoidalRule as "trapezoidal" {});

impl Scheme for TrapezoidalRule {
    const ORDER: usize = 2;
    const EXPONENT: usize = 2;
    const OF_ACCELERATIONS: bool = true;
    const GAMMA: f64 = GAMMA;
    const EXACT_JACOBIAN: bool = false;
    const FILTERED: bool = true;
    const GIVES_ACCELERATION: bool = true;

    fn new(_: usize, _: usize) -> Self {
        Self
    }

    fn attempt<P: SecondOrder>(&mut self, trial: &mut Trial<'_, P>) -> Result<(), Attempt<P::Error>> {
        let (n, h) = (trial.y0.len() / 2, trial.h);
        // known part of position and velocity
        let base = std::mem::take(&mut trial.base);
        base.copy_from_slice(trial.y0);
        let (v, vdot) = base.split_at_mut(n);
        add(h, &trial.y0[n..], v);
        add(BETA * h * h, trial.a0, v);
        add(GAMMA * h, trial.a0, vdot);
        // acceleration extrapolated from the step before
        let a = std::mem::take(&mut trial.a1);
        a.copy_from_slice(trial.a0);
        if trial.h_before != 0.0 {
            let ratio = h / trial.h_before;
            add(ratio, trial.a0, a);
            add(-ratio, trial.a_before, a);
        }
        solve_acceleration(trial, trial.t1, base, a)?;
        trial.y1.copy_from_slice(trial.stage);
        for i in 0..n {
            trial.error[i] = h * h * (ERROR_POSITION[0] * trial.a0[i] + ERROR_POSITION[1] * a[i]);
            trial.error[n + i] = h * (ERROR_VELOCITY[0] * trial.a0[i] + ERROR_VELOCITY[1] * a[i]);
        }
        Ok(())
    }

    fn dense(&self, theta: f64, ends: &StepEnds<'_>, out: &mut [f64]) {
        ends.hermite(theta, out);
    }
}
