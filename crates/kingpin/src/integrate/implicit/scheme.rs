//! What distinguishes one implicit method from another.

use super::newton::{Convergence, KAPPA};
use crate::integrate::Norm;
use crate::integrate::pace::{Control, PaceRule};
use crate::integrate::problem::{SecondOrder, StageWeights};
use crate::integrate::report::{Attempt, Statistics};
use crate::integrate::snapshot::Snapshot;

/// Error of the iteration over as many steps as the natural time of a motion takes, as a part of the tolerance.
pub const OVER_ALL: f64 = 0.3;

/// An implicit formula with the memory of its stages. What it remembers from step to step is its snapshot: stages
/// and what only the dense output needs are not.
pub trait Scheme: Sized + Snapshot {
    /// Order of the solution.
    const ORDER: usize;
    /// One more than the order of the error estimate.
    const EXPONENT: usize;
    /// Weight of the new acceleration in the velocity: the iteration matrix is `Mhat + gamma h M1 + beta h^2 M2`.
    const GAMMA: f64;
    /// Its weight in the position, over that: `beta / gamma`.
    const RATIO: f64 = Self::GAMMA;
    /// The complex weight of methods that solve for stages together, over the step: the iteration matrix is factored for it
    /// too.
    const PAIR: Option<[f64; 2]> = None;
    /// Whether the linearisation must be that of the start of the step.
    const EXACT_JACOBIAN: bool;
    /// Whether the error estimate passes through `(I - gamma h J)^-1`.
    const FILTERED: bool;
    /// Whether an attempt also yields the acceleration at the end of the step.
    const GIVES_ACCELERATION: bool;

    /// Whether the unknowns of a stage are accelerations, and with them whatever else the problem corrects along.
    const OF_ACCELERATIONS: bool;

    /// Whether a shorter step from the same start is a better dense output than any polynomial; its linearisation is
    /// that of the start.
    const TAKEN_ANEW: bool = false;

    /// How many times smaller errors are to be, at most, where stiff parts turn: more than 1 for methods whose stages
    /// have a much lower order than they have, and lose their own there.
    const MOST_CAUTION: f64 = 1.0;

    /// Whether an estimate that rejects a step at the start, or after a rejection, is made again from the acceleration
    /// where it leads to: what is stiff and not yet in its place tells nothing of errors.
    const RECONSIDERS: bool = false;

    /// The rate of convergence up to which steps grow, if it is in proportion to them: methods of long steps meet their
    /// limit again and again. Any unless it is given.
    const SLOWEST: f64 = f64::INFINITY;

    /// Whether the rate of an iteration is not believed of the next, so that one more follows.
    const DOUBTING: bool = false;

    /// How its step sizes follow from errors.
    const CONTROLLER: PaceRule = PaceRule::Standard;

    /// How much of its estimate is taken for the error at a tolerance: less than 1 for methods whose order is much
    /// greater than that of the estimate, more where the estimate is the error itself and adds up over the steps.
    fn credited(tolerance: f64) -> f64 {
        let _ = tolerance;
        1.0
    }

    /// Error of the iteration allowed at a tolerance, as a part of it: errors of the iteration add up over the steps, of
    /// which there are more at tight tolerances, most of all with an estimate of low order.
    fn left_over(tolerance: f64) -> f64 {
        let of_all = OVER_ALL * tolerance.powf(1.0 / Self::EXPONENT as f64);
        KAPPA.min(tolerance.sqrt()).min(of_all)
    }

    /// Memory for `n` positions and accelerations of so many unknowns.
    fn new(n: usize, unknowns: usize) -> Self;

    /// Takes over what the user has set for it.
    fn tune(&mut self, control: &Control) {
        let _ = control;
    }

    /// By how much accelerations of a step of size `h` move velocities and positions.
    fn weights(&self, h: f64) -> StageWeights {
        StageWeights { velocity: Self::GAMMA * h, ratio: Self::RATIO * h }
    }

    /// Computes `y1`, the raw `error` of the step and maybe the acceleration `a1` at its end.
    fn attempt<P: SecondOrder>(&mut self, trial: &mut Trial<'_, P>) -> Result<(), Attempt<P::Error>>;

    /// The raw error of the step for another acceleration at its start.
    fn estimate(&self, h: f64, a0: &[f64], error: &mut [f64]) {
        let _ = (h, a0, error);
    }

    /// The last attempt was accepted.
    fn accept(&mut self) {}

    /// Accelerations at the end of the last step that the method remembers besides that of the problem.
    fn memory(&mut self) -> &mut [f64] {
        &mut []
    }

    /// Solution inside the step last attempted.
    fn dense(&self, theta: f64, ends: &StepEnds<'_>, out: &mut [f64]);
}

/// One attempt at a step: what is given, what is wanted and scratch.
pub struct Trial<'a, P: SecondOrder> {
    pub problem: &'a mut P,
    pub norm: &'a Norm,
    pub matrix: &'a mut P::Matrix,
    pub convergence: &'a mut Convergence,
    pub statistics: &'a mut Statistics,
    pub t: f64,
    pub h: f64,
    pub t1: f64,
    pub weights: StageWeights,
    /// Size of the step before, or 0.
    pub h_before: f64,
    pub y0: &'a [f64],
    pub a0: &'a [f64],
    /// Acceleration at the start of the step before.
    pub a_before: &'a [f64],
    pub y1: &'a mut [f64],
    pub a1: &'a mut [f64],
    pub error: &'a mut [f64],
    /// One place per unknown.
    pub correction: &'a mut [f64],
    pub stage: &'a mut [f64],
    pub residual: &'a mut [f64],
    pub base: &'a mut [f64],
}

/// States and accelerations at both ends of a step of size `h`.
#[derive(Debug, Clone, Copy)]
pub struct StepEnds<'a> {
    pub h: f64,
    pub y0: &'a [f64],
    pub a0: &'a [f64],
    pub y1: &'a [f64],
    pub a1: &'a [f64],
}

impl StepEnds<'_> {
    /// Hermite's cubics: positions from positions and velocities, velocities from velocities and accelerations.
    pub fn hermite(&self, theta: f64, out: &mut [f64]) {
        let (n, h, rest) = (self.y0.len() / 2, self.h, 1.0 - theta);
        let (start, end) = (rest * rest * (1.0 + 2.0 * theta), theta * theta * (3.0 - 2.0 * theta));
        let (slope_start, slope_end) = (h * theta * rest * rest, -h * theta * theta * rest);
        for i in 0..n {
            out[i] = start * self.y0[i] + end * self.y1[i];
            out[i] += slope_start * self.y0[n + i] + slope_end * self.y1[n + i];
            out[n + i] = start * self.y0[n + i] + end * self.y1[n + i];
            out[n + i] += slope_start * self.a0[i] + slope_end * self.a1[i];
        }
    }

    /// The same without the accelerations of stiff components, which the ends of a step know too badly: there the
    /// velocity is the derivative of the position. Where the two disagree in the middle of the step, a component
    /// counts as stiff. Not for methods whose positions follow from the velocities alone.
    pub fn guarded_hermite(&self, theta: f64, out: &mut [f64]) {
        self.hermite(theta, out);
        let (n, h) = (self.y0.len() / 2, self.h);
        for i in 0..n {
            let (v0, v1) = (self.y0[n + i], self.y1[n + i]);
            // how far the velocity is from the straight line in the middle, by either
            let by_acceleration = 0.125 * h * (self.a0[i] - self.a1[i]);
            let by_position = 1.5 * (self.y1[i] - self.y0[i]) / h - 0.75 * (v0 + v1);
            let larger = by_acceleration.abs().max(by_position.abs());
            if (by_acceleration - by_position).abs() > 0.1 * larger {
                out[n + i] = (1.0 - theta) * v0 + theta * v1 + 4.0 * theta * (1.0 - theta) * by_position;
            }
        }
    }
}
