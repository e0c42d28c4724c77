//! What integrators report: steps, counts and reasons to stop.

use super::snapshot::snapshot;
use std::fmt;

/// An accepted step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepReport {
    /// Time before the step.
    pub t_old: f64,
    /// Time after the step.
    pub t: f64,
    /// Estimated error of the step in the norm of the tolerances; at most 1 unless the step size is fixed.
    pub error: f64,
    /// Order of the formula.
    pub order: usize,
    /// Attempts rejected before this one.
    pub rejected: usize,
    /// Whether the problem has shown itself too stiff for an explicit method; later steps will waste work.
    pub stiff: bool,
}

snapshot!(StepReport as "step" { t_old, t, error, order, rejected, stiff });

impl StepReport {
    /// Size of the step.
    pub fn h(&self) -> f64 {
        self.t - self.t_old
    }
}

/// Work done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Rejected attempts, for whatever reason.
    pub rejected: usize,
    /// Evaluations of the right-hand side or the acceleration.
    pub evaluations: usize,
    /// Linearisations.
    pub jacobians: usize,
    /// Factorisations of the iteration matrix.
    pub factorisations: usize,
    /// Newton iterations over all stages.
    pub newton_iterations: usize,
}

impl Statistics {
    /// Both together.
    pub fn plus(self, other: Statistics) -> Statistics {
        Statistics {
            steps: self.steps + other.steps,
            rejected: self.rejected + other.rejected,
            evaluations: self.evaluations + other.evaluations,
            jacobians: self.jacobians + other.jacobians,
            factorisations: self.factorisations + other.factorisations,
            newton_iterations: self.newton_iterations + other.newton_iterations,
        }
    }
}

/// Why an integrator cannot go on. The last accepted state stays available.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Halt<E> {
    /// The step size fell below its minimum or the resolution of time.
    StepTooSmall {
        /// Time reached.
        t: f64,
        /// Step size that would be needed.
        h: f64,
    },
    /// A number is not finite, however small the step.
    NotFinite {
        /// Time reached.
        t: f64,
    },
    /// The Newton iteration does not converge, however small the step (or with the fixed step asked for).
    NewtonFailed {
        /// Time reached.
        t: f64,
        /// Step size of the last attempt.
        h: f64,
    },
    /// The iteration matrix is singular, however small the step.
    Singular {
        /// Time reached.
        t: f64,
        /// Column without a pivot.
        column: usize,
    },
    /// More steps than allowed.
    TooManySteps {
        /// Time reached.
        t: f64,
        /// Steps taken.
        steps: usize,
    },
    /// The problem cannot be evaluated.
    Problem {
        /// Time reached.
        t: f64,
        /// What the problem says.
        error: E,
    },
}

impl<E: fmt::Display> fmt::Display for Halt<E> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::StepTooSmall { t, h } => write!(f, "at t = {t} the step size would have to be {h:e}"),
            Self::NotFinite { t } => write!(f, "numbers are not finite after t = {t}"),
            Self::NewtonFailed { t, h } => {
                write!(f, "the iteration does not converge after t = {t} with a step of {h:e}")
            }
            Self::Singular { t, column } => {
                write!(f, "the iteration matrix is singular at t = {t} (column {column})")
            }
            Self::TooManySteps { t, steps } => write!(f, "{steps} steps have only reached t = {t}"),
            Self::Problem { t, error } => write!(f, "after t = {t}: {error}"),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Halt<E> {}

/// Why one attempt at a step failed.
#[derive(Debug)]
pub enum Attempt<E> {
    /// A number is not finite.
    NotFinite,
    /// The Newton iteration diverges or is too slow.
    NewtonDiverged,
    /// The iteration matrix has no pivot in this column.
    Singular(usize),
    /// The problem cannot be evaluated.
    Problem(E),
}

impl<E> Attempt<E> {
    /// The outcome if no smaller step is allowed.
    pub fn outcome(self, t: f64, h: f64) -> Halt<E> {
        match self {
            Self::NotFinite => Halt::NotFinite { t },
            Self::NewtonDiverged => Halt::NewtonFailed { t, h },
            Self::Singular(column) => Halt::Singular { t, column },
            Self::Problem(error) => Halt::Problem { t, error },
        }
    }
}
