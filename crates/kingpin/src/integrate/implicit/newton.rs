//! When the simplified Newton iteration has converged, and when it never will.

use super::matrix::add;
use super::scheme::Trial;
use crate::integrate::problem::{Loss, SecondOrder};
use crate::integrate::report::Attempt;
use crate::integrate::snapshot::snapshot;

/// Error of the iteration allowed, as a part of the tolerance. The weights of the SDIRK formulas carry errors
/// of the stages to the end of the step multiplied by up to `b_3 / gamma`, about 30.
pub const KAPPA: f64 = 0.003;
/// The least that the rate of the stage before is taken for. That rate is one of the components that converge fastest;
/// errors left in the others, where steps are many, add up to far more than the tolerance.
const LEAST_ETA: f64 = 0.1;
/// Iterations allowed per stage.
const MOST: usize = 10;
/// Errors that it leaves are at most so many times smaller than usual: a mechanism at rest has all the steps there are
/// to a turn, and no iteration gets below rounding errors.
const MOST_CAUTION: f64 = 100.0;

/// What is known of the convergence [Hairer and Wanner 1996, section IV.8].
#[derive(Debug, Clone)]
pub struct Convergence {
    /// Error of the iteration allowed, as a part of the tolerance.
    kappa: f64,
    /// What remains of it where stiff parts turn: it has the same sign from step to step, and there are many to a turn.
    pub loss: Loss,
    /// `theta / (1 - theta)` of the last stage.
    eta: f64,
    /// Whether a rate is not believed of the next iteration: a stage whose last correction is more than what is allowed
    /// takes one more after it has converged by its rate. And whether it has.
    doubting: bool,
    converged: bool,
    /// Worst rate in this step.
    pub worst_rate: f64,
    /// Iterations of the stage and the size of the last correction.
    count: usize,
    size: f64,
}

snapshot!(Convergence as "convergence" { eta, converged, worst_rate, count, size });

impl Convergence {
    /// For a method whose error estimate has an order of one less than the `exponent`.
    pub fn new(kappa: f64, exponent: usize, doubting: bool) -> Self {
        Self {
            kappa,
            doubting,
            converged: false,
            loss: Loss { exponent, caution: MOST_CAUTION },
            eta: 1.0,
            worst_rate: 0.0,
            count: 0,
            size: 0.0,
        }
    }

    /// Before the first stage of an attempt.
    pub fn start_step(&mut self) {
        self.worst_rate = 0.0;
    }

    /// Before the first iteration of a stage.
    pub fn start_stage(&mut self) {
        self.count = 0;
        self.converged = false;
        self.eta = self.eta.powf(0.8).max(LEAST_ETA);
    }

    /// Notes a correction by its norm: whether it was the last, or `None` if the iteration is doomed.
    pub fn note(&mut self, size: f64) -> Option<bool> {
        self.count += 1;
        let before = std::mem::replace(&mut self.size, size);
        if !size.is_finite() {
            return None;
        }
        if self.converged {
            return Some(true);
        }
        if self.count > 1 && before > 0.0 {
            let rate = size / before;
            self.worst_rate = self.worst_rate.max(rate);
            // neither divergence nor a convergence too slow for the iterations left is waited for
            let left = MOST.saturating_sub(self.count) as i32;
            if rate >= 1.0
                || (left == 0 || rate.powi(left) / (1.0 - rate) * size > self.kappa) && size > self.kappa
            {
                self.eta = 1.0;
                return None;
            }
            self.eta = rate / (1.0 - rate);
        }
        self.converged = self.eta * size <= self.kappa;
        Some(self.converged && !(self.doubting && size > self.kappa))
    }
}

/// Solves `a = f(t, base + (b, g) a)` for the unknowns of a stage, starting from `a`, where b and g are the
/// weights; leaves the stage in `trial.stage`.
pub fn solve_acceleration<P: SecondOrder>(
    trial: &mut Trial<'_, P>,
    t: f64,
    base: &[f64],
    a: &mut [f64],
) -> Result<(), Attempt<P::Error>> {
    let (n, g, b) = (base.len() / 2, trial.weights.velocity, trial.weights.position());
    let Trial { problem, matrix, stage, correction, residual, .. } = trial;
    trial.convergence.start_stage();
    loop {
        let (v, vdot) = stage.split_at_mut(n);
        v.copy_from_slice(&base[..n]);
        vdot.copy_from_slice(&base[n..]);
        add(b, a, v);
        add(g, a, vdot);
        trial.statistics.evaluations += 1;
        trial.statistics.newton_iterations += 1;
        problem.correct(matrix, (t, v, vdot), a, correction).map_err(Attempt::Problem)?;
        add(1.0, correction, a);
        // what it means for position and velocity
        let (position, velocity) = residual.split_at_mut(n);
        for i in 0..n {
            velocity[i] = g * correction[i];
            position[i] = trial.weights.ratio * velocity[i];
        }
        add(1.0, position, v);
        add(1.0, velocity, vdot);
        let error = (&residual[..], trial.convergence.loss);
        let size = problem.measure_losing(trial.norm, trial.h, error, (trial.y0, trial.y0));
        match trial.convergence.note(problem.strictness() * size) {
            Some(true) => return Ok(()),
            Some(false) => {}
            None => return Err(Attempt::NewtonDiverged),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Iterations until the verdict for corrections `first rate^k`.
    fn run(first: f64, rate: f64) -> (usize, Option<bool>) {
        let mut c = Convergence::new(KAPPA, 4, false);
        c.start_stage();
        let mut size = first;
        for k in 1.. {
            match c.note(size) {
                Some(false) => size *= rate,
                verdict => return (k, verdict),
            }
        }
        (0, None)
    }

    /// However fast a stage has converged, the first correction of the next may be large.
    #[test]
    fn a_rate_is_not_believed_in_another_stage() {
        let mut c = Convergence::new(KAPPA, 4, false);
        c.start_stage();
        assert_eq!((c.note(1.0), c.note(1e-12)), (Some(false), Some(true)));
        c.start_stage();
        assert_eq!((c.note(1.0), c.note(1e-12)), (Some(false), Some(true)));
        // but one that hardly moves anything is enough
        c.start_stage();
        assert_eq!(c.note(0.02), Some(true));
    }

    #[test]
    fn verdicts_follow_the_rate() {
        assert_eq!(run(1e-4, 0.1), (1, Some(true)));
        // 0.2 then 0.02, whose remaining error is a ninth of it
        assert_eq!(run(0.2, 0.1), (2, Some(true)));
        assert_eq!(run(1.0, 1.5), (2, None));
        // and once more where rates are doubted
        let mut c = Convergence::new(KAPPA, 4, true);
        c.start_stage();
        assert_eq!([0.2, 0.02, 0.002].map(|size| c.note(size)), [Some(false), Some(false), Some(true)]);
        // too slow to converge within the iterations allowed
        assert_eq!(run(1.0, 0.95), (2, None));
        let (count, verdict) = run(1.0, 0.4);
        assert!(verdict == Some(true) && count > 5 && count <= MOST);
        assert_eq!(run(f64::NAN, 0.5).1, None);
    }
}
