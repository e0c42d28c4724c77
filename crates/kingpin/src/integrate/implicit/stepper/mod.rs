//! The stepper of implicit methods.

mod estimate;
mod memory;
mod solution;

use crate::integrate::Norm;
use crate::integrate::implicit::matrix::IterationMatrix;
use crate::integrate::implicit::newton::Convergence;
use crate::integrate::implicit::scheme::{Scheme, Trial};
use crate::integrate::pace::{Control, Pace, StepTarget, first_step, from_natural_time};
use crate::integrate::problem::{FirstOrder, SecondOrder, StageWeights};
use crate::integrate::report::{Attempt, Halt, Statistics, StepReport};
use crate::integrate::snapshot::Unfit;
use crate::integrate::stepper::{Solution, Stepper};

/// Convergence so fast that the linearisation is kept for the next step, unless asked otherwise.
const FAST: f64 = 1e-3;
/// Growth of the step that is not worth a new factorisation.
const SMALL_GROWTH: f64 = 1.2;

/// An implicit method on second-order equations with error control and dense output. The state is `(v, v')`.
///
/// A failed iteration is repeated with a new linearisation, then with a smaller step; a step that has not
/// converged is never accepted.
#[derive(Debug, Clone)]
pub struct Implicit<S, M> {
    scheme: S,
    filtered: bool,
    fast: f64,
    norm: Norm,
    pace: Pace,
    matrix: M,
    jacobian: Jacobian,
    /// Weights for which the matrix is factored, if it is.
    factored: Option<StageWeights>,
    convergence: Convergence,
    t: f64,
    y: Vec<f64>,
    a: Vec<f64>,
    a_known: bool,
    /// Whether the problem has not been told yet that the last step is over.
    rebase: bool,
    last: LastStep,
    /// Results of an attempt.
    y1: Vec<f64>,
    a1: Vec<f64>,
    error: Vec<f64>,
    /// Scratch.
    correction: Vec<f64>,
    stage: Vec<f64>,
    residual: Vec<f64>,
    base: Vec<f64>,
    statistics: Statistics,
}

/// Error of the Newton iteration allowed, as a part of the tolerance; not below rounding errors.
fn allowed<S: Scheme>(norm: &Norm) -> f64 {
    let tightest = norm.tightest();
    S::left_over(tightest).max(10.0 * f64::EPSILON / tightest)
}

/// A method as its user has set it.
fn tuned<S: Scheme>(n: usize, unknowns: usize, control: &Control) -> S {
    let mut scheme = S::new(n, unknowns);
    scheme.tune(control);
    scheme
}

/// Where the linearisation at hand was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Jacobian {
    None,
    Here,
    Earlier,
}

/// Where the stages of a step begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StepStart {
    Here,
    /// Where the last step began; its work is not counted.
    Before,
}

/// The ends of the last step.
#[derive(Debug, Clone)]
struct LastStep {
    t: f64,
    h: f64,
    y0: Vec<f64>,
    a0: Vec<f64>,
    y1: Vec<f64>,
    a1: Vec<f64>,
}

impl<S: Scheme, M: IterationMatrix> Implicit<S, M> {
    /// Starts at positions and velocities `y = (v, v')` at `t`, to stop at `t_end`.
    ///
    /// # Panics
    /// If `norm` and `y` differ in length or the length is odd.
    pub fn new(norm: Norm, control: Control, t: f64, y: &[f64], t_end: f64) -> Self {
        assert_eq!(norm.dim(), y.len(), "lengths of the norm and the state");
        assert!(y.len().is_multiple_of(2), "as many velocities as positions");
        let n = y.len() / 2;
        let (single, double) = (vec![0.0; n], vec![0.0; 2 * n]);
        let last =
            LastStep { t, h: 0.0, y0: y.to_vec(), a0: single.clone(), y1: y.to_vec(), a1: single.clone() };
        let convergence = Convergence::new(allowed::<S>(&norm), S::EXPONENT, S::DOUBTING);
        Self {
            scheme: tuned(n, n, &control),
            filtered: S::FILTERED,
            fast: FAST,
            norm,
            pace: Pace::new(control, S::EXPONENT, t, t_end),
            matrix: M::new(n),
            jacobian: Jacobian::None,
            factored: None,
            convergence,
            t,
            y: y.to_vec(),
            a: single.clone(),
            a_known: false,
            rebase: false,
            last,
            y1: double.clone(),
            a1: single.clone(),
            correction: single,
            error: double.clone(),
            stage: double.clone(),
            residual: double.clone(),
            base: double,
            statistics: Statistics::default(),
        }
    }

    /// Whether error estimates pass through `(I - gamma h J)^-1` before they are measured. By default those of
    /// the SDIRK formulas and the trapezoidal rule do, whose raw estimates do not decay for stiff components;
    /// that of the Rosenbrock formula is bounded as it is, and filtered it becomes too optimistic.
    pub fn with_filter(mut self, filtered: bool) -> Self {
        self.filtered = filtered;
        self
    }

    /// Keeps the linearisation for the next step while corrections shrink by at least this `rate` (0.001 unless
    /// set): more where linearising is costly, negative to linearise in every step. Without effect on the
    /// Rosenbrock method.
    pub fn with_reuse(mut self, rate: f64) -> Self {
        self.fast = rate;
        self
    }

    /// Room for unknowns besides the accelerations.
    fn resize(&mut self, unknowns: usize) {
        self.scheme = tuned(self.y.len() / 2, unknowns, &self.pace.control);
        for list in [&mut self.a, &mut self.a1, &mut self.correction, &mut self.last.a0, &mut self.last.a1] {
            list.resize(unknowns, 0.0);
        }
        self.a_known = false;
    }

    /// Acceleration at the start and the first step size.
    fn prepare<P: SecondOrder<Matrix = M>>(&mut self, problem: &mut P) -> Result<(), Halt<P::Error>> {
        let (t, n) = (self.t, self.y.len() / 2);
        let unknowns = if S::OF_ACCELERATIONS { problem.unknowns() } else { n };
        if self.a.len() != unknowns {
            self.resize(unknowns);
        }
        if !self.a_known {
            self.statistics.evaluations += 1;
            let (v, vdot) = self.y.split_at(n);
            let result = problem.acceleration(t, v, vdot, &mut self.a);
            result.map_err(|error| Halt::Problem { t, error })?;
            if !self.a.iter().all(|a| a.is_finite()) {
                return Err(Halt::NotFinite { t });
            }
            self.a_known = true;
        }
        if self.pace.h == 0.0 {
            self.statistics.evaluations += 1;
            self.base[..n].copy_from_slice(&self.y[n..]);
            self.base[n..].copy_from_slice(&self.a[..n]);
            let Self { pace, base, y, norm, stage, residual, .. } = self;
            let (direction, start) = (pace.direction(t), (t, &y[..], &base[..]));
            let time = problem.natural_time();
            let problem = &mut FirstOrder(problem);
            let choose = |longest| {
                if let Some(time) = time {
                    return from_natural_time(time, norm.tightest(), S::EXPONENT, longest);
                }
                first_step(problem, start, (norm, S::EXPONENT), longest, direction, (stage, residual))
            };
            pace.start(choose, t);
        }
        Ok(())
    }

    /// Linearises if there is no linearisation, or none that is good enough.
    fn linearise<P: SecondOrder<Matrix = M>>(&mut self, problem: &mut P) -> Result<(), Halt<P::Error>> {
        let good = if S::EXACT_JACOBIAN { Jacobian::Here } else { Jacobian::Earlier };
        if self.jacobian == Jacobian::Here || self.jacobian == good {
            return Ok(());
        }
        let (t, (v, vdot)) = (self.t, self.y.split_at(self.y.len() / 2));
        self.statistics.jacobians += 1;
        let result = problem.linearise(t, v, vdot, &mut self.matrix);
        result.map_err(|error| Halt::Problem { t, error })?;
        self.jacobian = Jacobian::Here;
        self.factored = None;
        Ok(())
    }

    /// One attempt; returns the norm of the filtered error.
    fn attempt<P: SecondOrder<Matrix = M>>(
        &mut self,
        problem: &mut P,
        target: StepTarget,
    ) -> Result<f64, Attempt<P::Error>> {
        let (n, StepTarget { h, t: t1 }) = (self.y.len() / 2, target);
        // the matrix of this step size, the stages with it, the error filtered by it where stiff components would swamp it
        let weights = self.scheme.weights(h);
        if self.factored != Some(weights) {
            self.statistics.factorisations += 1;
            self.factored = None;
            self.factor(h).map_err(Attempt::Singular)?;
            self.factored = Some(weights);
        }
        self.stages(problem, target, StepStart::Here)?;
        let mut error = self.measure(problem, h);
        if S::RECONSIDERS && !self.pace.accepts(error) && (self.last.h == 0.0 || self.pace.has_rejected()) {
            error = self.reconsider(problem, h).unwrap_or(error);
        }
        if !S::GIVES_ACCELERATION && self.pace.accepts(error) {
            self.statistics.evaluations += 1;
            let (v, vdot) = self.y1.split_at(n);
            problem.acceleration(t1, v, vdot, &mut self.a1).map_err(Attempt::Problem)?;
        }
        Ok(error)
    }

    /// Factors the matrix for a step of size `h`.
    fn factor(&mut self, h: f64) -> Result<(), usize> {
        self.matrix.factor(self.scheme.weights(h))?;
        S::PAIR.map_or(Ok(()), |[re, im]| self.matrix.factor_pair([re * h, im * h]))
    }

    /// The stages of a step from here, or from where the last one began; the matrix is factored for it.
    fn stages<P: SecondOrder<Matrix = M>>(
        &mut self,
        problem: &mut P,
        StepTarget { h, t: t1 }: StepTarget,
        from: StepStart,
    ) -> Result<(), Attempt<P::Error>> {
        self.convergence.start_step();
        let weights = self.scheme.weights(h);
        let (last, mut uncounted) = (&self.last, Statistics::default());
        let (t, y0, a0, h_before, statistics) = match from {
            StepStart::Here => (self.t, &self.y, &self.a, last.h, &mut self.statistics),
            StepStart::Before => (last.t, &last.y0, &last.a0, 0.0, &mut uncounted),
        };
        self.scheme.attempt(&mut Trial {
            problem,
            norm: &self.norm,
            matrix: &mut self.matrix,
            convergence: &mut self.convergence,
            statistics,
            t,
            h,
            t1,
            weights,
            h_before,
            y0,
            a0,
            a_before: &last.a0,
            y1: &mut self.y1,
            a1: &mut self.a1,
            error: &mut self.error,
            correction: &mut self.correction,
            stage: &mut self.stage,
            residual: &mut self.residual,
            base: &mut self.base,
        })
    }

    /// A step from the start of the last one to a part of it, with the linearisation made there.
    fn part<P: SecondOrder<Matrix = M>>(
        &mut self,
        problem: &mut P,
        theta: f64,
        out: &mut [f64],
    ) -> Result<(), Attempt<P::Error>> {
        let h = theta * self.last.h;
        self.factored = None;
        self.factor(h).map_err(Attempt::Singular)?;
        self.stages(problem, StepTarget { h, t: self.last.t + h }, StepStart::Before)?;
        out.copy_from_slice(&self.y1);
        Ok(())
    }

    fn accept(&mut self, target: StepTarget, error: f64) -> StepReport {
        self.scheme.accept();
        let last = &mut self.last;
        (last.t, last.h) = (self.t, target.h);
        last.y0.copy_from_slice(&self.y);
        last.a0.copy_from_slice(&self.a);
        last.y1.copy_from_slice(&self.y1);
        last.a1.copy_from_slice(&self.a1);
        self.y.copy_from_slice(&self.y1);
        self.a.copy_from_slice(&self.a1);
        self.t = target.t;
        self.rebase = true;
        self.statistics.steps += 1;
        let rejected = self.pace.accepted(target.h, error);
        // keep the linearisation while the iteration converges fast, and the factor while the step grows little
        let keep = !S::EXACT_JACOBIAN && self.convergence.worst_rate <= self.fast;
        self.jacobian = if keep { Jacobian::Earlier } else { Jacobian::None };
        self.pace.shorten(target.h.abs() * (S::SLOWEST / self.convergence.worst_rate).max(1.0));
        let growth = self.pace.h / target.h;
        if keep && (1.0..=SMALL_GROWTH).contains(&growth) {
            self.pace.h = target.h;
        }
        StepReport { t_old: last.t, t: self.t, error, order: S::ORDER, rejected, stiff: false }
    }

    /// After a failed attempt: a new linearisation if the old one may be to blame, else a smaller step.
    fn recover<P: SecondOrder<Matrix = M>>(
        &mut self,
        problem: &P,
        why: Attempt<P::Error>,
        h: f64,
    ) -> Result<(), Halt<P::Error>> {
        self.statistics.rejected += 1;
        let stale = self.jacobian == Jacobian::Earlier;
        if stale && matches!(why, Attempt::NewtonDiverged | Attempt::Singular(_)) {
            self.jacobian = Jacobian::None;
            return Ok(());
        }
        let ratio = match &why {
            Attempt::NewtonDiverged => 0.5,
            Attempt::Problem(error) => problem.retreat(error),
            Attempt::NotFinite | Attempt::Singular(_) => 0.25,
        };
        self.pace.failed(why, self.t, h, ratio)
    }
}

impl<S: Scheme, P: SecondOrder> Stepper<P> for Implicit<S, P::Matrix> {
    type Error = P::Error;

    fn rebase(&mut self, problem: &mut P) -> Result<(), Halt<P::Error>> {
        if self.rebase {
            let (t, accelerations) = (self.t, [&mut self.a[..], self.scheme.memory()]);
            let result = problem.rebase(t, &mut self.y, accelerations);
            result.map_err(|error| Halt::Problem { t, error })?;
            self.rebase = false;
        }
        Ok(())
    }

    fn fit(&mut self, problem: &P) -> Result<(), Unfit> {
        problem.fit(&mut self.matrix)
    }

    fn inside(&mut self, problem: &mut P, theta: f64, out: &mut [f64]) {
        if !S::TAKEN_ANEW || theta >= 1.0 || self.part(problem, theta, out).is_err() {
            self.dense(theta, out);
        }
    }

    fn step(&mut self, problem: &mut P) -> Result<StepReport, Halt<P::Error>> {
        self.rebase(problem)?;
        self.prepare(problem)?;
        self.pace.shorten(problem.longest_step());
        loop {
            let target = self.pace.target(self.t)?;
            self.linearise(problem)?;
            let error = match self.attempt(problem, target) {
                Ok(error) => error,
                Err(why) => {
                    self.recover(problem, why, target.h)?;
                    continue;
                }
            };
            if self.pace.accepts(error) {
                return Ok(self.accept(target, error));
            }
            self.statistics.rejected += 1;
            self.pace.rejected(self.t, target.h, error)?;
        }
    }
}
