//! The stepper of explicit Runge–Kutta methods.

use super::formulas::{ExplicitFormula, combine};
use crate::integrate::Norm;
use crate::integrate::pace::{Control, Pace, StepTarget, first_step};
use crate::integrate::problem::Ode;
use crate::integrate::report::{Attempt, Halt, Statistics, StepReport};
use crate::integrate::snapshot::{Snapshot, SnapshotReader, SnapshotWriter, Unfit, snapshot};
use crate::integrate::stepper::{Begin, Solution, Stepper, accessors};
use std::marker::PhantomData;

/// `h |lambda|` beyond which the dense output is not to be trusted.
const ROUGH: f64 = 1.0;

/// An explicit Runge–Kutta method with error control, dense output and detection of stiffness.
#[derive(Debug, Clone)]
pub struct ExplicitRungeKutta<F> {
    norm: Norm,
    pace: Pace,
    with_dense: bool,
    t: f64,
    y: Vec<f64>,
    /// Whether the derivative at (t, y) is in the first stage.
    first_known: bool,
    t_old: f64,
    y_old: Vec<f64>,
    /// Derivatives of the stages, one after the other.
    k: Vec<f64>,
    /// Derivatives of the last accepted step, for the dense output.
    k_dense: Vec<f64>,
    stage: Vec<f64>,
    trial: Vec<f64>,
    scratch: Vec<f64>,
    /// The end of the step where it is to be.
    moved: Vec<f64>,
    /// Whether the dense output of the last step is worse than its end, and stages of a part of it.
    rough: bool,
    fine: Vec<f64>,
    stiffness: Stiffness,
    statistics: Statistics,
    formula: PhantomData<F>,
}

impl<F: ExplicitFormula> ExplicitRungeKutta<F> {
    /// Starts at `(t, y)`, to stop at `t_end`. `None` means the customary control.
    ///
    /// # Panics
    /// If `norm` and `y` differ in length.
    pub fn new(norm: Norm, control: Option<Control>, t: f64, y: &[f64], t_end: f64) -> Self {
        assert_eq!(norm.dim(), y.len(), "lengths of the norm and the state");
        let n = y.len();
        let control = control.unwrap_or_else(F::control);
        Self {
            norm,
            pace: Pace::new(control, F::EXPONENT, t, t_end),
            with_dense: true,
            t,
            y: y.to_vec(),
            first_known: false,
            t_old: t,
            y_old: y.to_vec(),
            k: vec![0.0; F::ALL_STAGES * n],
            k_dense: vec![0.0; F::ALL_STAGES * n],
            stage: vec![0.0; n],
            trial: vec![0.0; n],
            scratch: vec![0.0; 2 * n],
            moved: vec![0.0; n],
            rough: false,
            fine: vec![0.0; F::STAGES * n],
            stiffness: Stiffness::default(),
            statistics: Statistics::default(),
            formula: PhantomData,
        }
    }

    /// Saves the evaluations that only the dense output needs (three per step of order 8, none of order 5).
    /// [`Solution::dense`] is then meaningless for a formula that needs them.
    pub fn without_dense(mut self) -> Self {
        self.with_dense = false;
        self
    }

    /// An attempt that is taken over if its error allows; the norm of the error and `h |lambda|`.
    fn attempt_projected<P: Ode>(
        &mut self,
        problem: &mut P,
        target: StepTarget,
    ) -> Result<(f64, f64), Attempt<P::Error>> {
        let mut error = self.attempt(problem, target)?;
        if !self.pace.accepts(error) {
            return Ok((error, 0.0));
        }
        // the distance to the constraints is an error like the others: a step that is moved too far is rejected
        let stretch = self.stretch(target.h);
        self.moved.copy_from_slice(&self.trial);
        problem.project(target.t, &mut self.moved).map_err(Attempt::Problem)?;
        if self.moved != self.trial {
            let Self { moved, trial, scratch, norm, y, .. } = self;
            scratch.iter_mut().zip(moved.iter().zip(trial)).for_each(|(d, (a, b))| *d = a - *b);
            error = error.max(norm.of_step(target.h.abs(), &scratch[..y.len()], y, moved));
        }
        if self.pace.accepts(error) {
            self.accept(problem, target).map_err(Attempt::Problem)?;
        }
        Ok((error, stretch))
    }

    /// Evaluates the derivative at the start, and chooses the first step size.
    fn prepare<P: Ode>(&mut self, problem: &mut P) -> Result<(), Halt<P::Error>> {
        let (t, n) = (self.t, self.y.len());
        if !self.first_known {
            self.statistics.evaluations += 1;
            problem.rhs(t, &self.y, &mut self.k[..n]).map_err(|error| Halt::Problem { t, error })?;
            if !self.k[..n].iter().all(|f| f.is_finite()) {
                return Err(Halt::NotFinite { t });
            }
            self.first_known = true;
        }
        if self.pace.h == 0.0 {
            self.statistics.evaluations += 1;
            let Self { pace, k, y, norm, stage, trial, .. } = self;
            let direction = pace.direction(t);
            let start = (t, &y[..], &k[..n]);
            let choose =
                |longest| first_step(problem, start, (norm, F::ORDER), longest, direction, (stage, trial));
            pace.start(choose, t);
        }
        Ok(())
    }

    /// Evaluates stages `from..to`: k_i = f(t + c_i h, y + h sum_j a_ij k_j).
    fn stages<P: Ode>(&mut self, problem: &mut P, h: f64, from: usize, to: usize) -> Result<(), P::Error> {
        let n = self.y.len();
        for i in from..to {
            let (known, k) = self.k.split_at_mut(i * n);
            combine(&self.y, h, &F::row(i)[..i], known, &mut self.stage);
            self.statistics.evaluations += 1;
            problem.rhs(self.t + F::node(i) * h, &self.stage, &mut k[..n])?;
        }
        Ok(())
    }

    /// The derivative at the end of the step.
    fn end<P: Ode>(&mut self, problem: &mut P, t: f64) -> Result<(), P::Error> {
        let n = self.y.len();
        self.statistics.evaluations += 1;
        problem.rhs(t, &self.trial, &mut self.k[F::STAGES * n..][..n])
    }

    /// One attempt: the new state in `trial`, the norm of its error returned.
    fn attempt<P: Ode>(&mut self, problem: &mut P, target: StepTarget) -> Result<f64, Attempt<P::Error>> {
        let n = self.y.len();
        self.stages(problem, target.h, 1, F::STAGES).map_err(Attempt::Problem)?;
        combine(&self.y, target.h, F::row(F::STAGES), &self.k[..F::STAGES * n], &mut self.trial);
        if F::ERROR_NEEDS_END {
            self.end(problem, target.t).map_err(Attempt::Problem)?;
        }
        let error = F::error(&self.norm, target.h, &self.k, &self.y, &self.trial, &mut self.scratch);
        if !F::ERROR_NEEDS_END && self.pace.accepts(error) {
            self.end(problem, target.t).map_err(Attempt::Problem)?;
        }
        Ok(error)
    }

    /// Takes the trial state over, as it was moved.
    fn accept<P: Ode>(&mut self, problem: &mut P, target: StepTarget) -> Result<(), P::Error> {
        let n = self.y.len();
        if self.with_dense {
            // stages for the dense output alone
            self.stages(problem, target.h, F::STAGES + 1, F::ALL_STAGES)?;
            self.k_dense.copy_from_slice(&self.k);
        }
        self.y_old.copy_from_slice(&self.y);
        self.k.copy_within(F::STAGES * n..(F::STAGES + 1) * n, 0);
        self.first_known = self.moved == self.trial;
        self.y.copy_from_slice(&self.moved);
        self.t_old = self.t;
        self.t = target.t;
        self.statistics.steps += 1;
        Ok(())
    }

    /// A step from the start of the last one to a part of it.
    fn part<P: Ode>(&mut self, problem: &mut P, theta: f64, out: &mut [f64]) -> Result<(), P::Error> {
        let (n, h) = (self.y.len(), theta * (self.t - self.t_old));
        self.fine[..n].copy_from_slice(&self.k_dense[..n]);
        for i in 1..F::STAGES {
            let (known, k) = self.fine.split_at_mut(i * n);
            combine(&self.y_old, h, &F::row(i)[..i], known, &mut self.stage);
            problem.rhs(self.t_old + F::node(i) * h, &self.stage, &mut k[..n])?;
        }
        combine(&self.y_old, h, F::row(F::STAGES), &self.fine, out);
        Ok(())
    }

    /// `h |lambda|` from the last two derivatives, taken at almost the same time [Hairer and Wanner 1996, section IV.2].
    fn stretch(&mut self, h: f64) -> f64 {
        let n = self.y.len();
        let (end, last) = (&self.k[F::STAGES * n..][..n], &self.k[(F::STAGES - 1) * n..][..n]);
        let (df, dy) = self.scratch.split_at_mut(n);
        for i in 0..n {
            df[i] = end[i] - last[i];
            dy[i] = self.trial[i] - self.stage[i];
        }
        h.abs() * self.norm.ratio(df, dy, &self.trial)
    }
}

/// What the dense output needs is not part of it: a step that was saved is no longer of interest.
impl<F: ExplicitFormula> Snapshot for ExplicitRungeKutta<F> {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("runge-kutta", |out| {
            self.pace.save(out);
            self.stiffness.save(out);
            (self.t, self.t_old).save(out);
            self.y.save(out);
            self.first_known.save(out);
            if self.first_known {
                out.numbers(&self.k[..self.y.len()]);
            }
        });
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section("runge-kutta", |from| {
            let dim = self.y.len();
            self.pace.restore(from)?;
            self.stiffness.restore(from)?;
            self.t.restore(from)?;
            self.t_old.restore(from)?;
            self.y.restore(from)?;
            if self.y.len() != dim {
                return Err(from.unfit());
            }
            self.first_known.restore(from)?;
            if self.first_known { from.numbers(&mut self.k[..dim]) } else { Ok(()) }
        })
    }
}

impl<F: ExplicitFormula> Solution for ExplicitRungeKutta<F> {
    accessors!();

    fn reach(&mut self, t_end: f64) {
        self.pace.reach(self.t, t_end);
    }

    fn dense(&self, theta: f64, out: &mut [f64]) {
        F::dense(theta, self.t - self.t_old, &self.k_dense, &self.y_old, out);
    }

    fn is_rough(&self) -> bool {
        self.rough
    }

    fn change_coordinates(&mut self, y: &[f64]) {
        self.replace_state(y);
    }

    fn replace_state(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        self.first_known = false;
    }
}

impl<F: ExplicitFormula> Begin for ExplicitRungeKutta<F> {
    const FINE_INSIDE: bool = true;

    fn customary() -> Control {
        F::control()
    }

    fn begin(norm: Norm, control: Control, t: f64, y: &[f64], t_end: f64) -> Self {
        Self::new(norm, Some(control), t, y, t_end)
    }
}

impl<F: ExplicitFormula, P: Ode> Stepper<P> for ExplicitRungeKutta<F> {
    type Error = P::Error;

    fn step(&mut self, problem: &mut P) -> Result<StepReport, Halt<P::Error>> {
        self.prepare(problem)?;
        loop {
            let target = self.pace.target(self.t)?;
            let h = target.h;
            let (error, stretch) = match self.attempt_projected(problem, target) {
                Ok(result) => result,
                Err(why) => {
                    self.statistics.rejected += 1;
                    self.pace.failed(why, self.t, h, 0.25)?;
                    continue;
                }
            };
            if !self.pace.accepts(error) {
                self.statistics.rejected += 1;
                self.pace.rejected(self.t, h, error)?;
                continue;
            }
            self.rough = stretch > ROUGH;
            let rejected = self.pace.accepted(h, error);
            let stiff = self.stiffness.note(stretch > F::STABILITY_LIMIT);
            return Ok(StepReport { t_old: self.t_old, t: self.t, error, order: F::ORDER, rejected, stiff });
        }
    }

    /// Where `h |lambda|` is large, the polynomial of the dense output magnifies what the step has damped: there a
    /// shorter step from the same start is taken.
    fn inside(&mut self, problem: &mut P, theta: f64, out: &mut [f64]) {
        if !self.rough || theta >= 1.0 || self.part(problem, theta, out).is_err() {
            self.dense(theta, out);
        }
    }
}

/// Counters of [Hairer and Wanner 1996, section IV.2]: stiff after fifteen suspicious steps not interrupted by six innocent ones in a row.
#[derive(Debug, Clone, Default)]
struct Stiffness {
    suspicious: usize,
    innocent: usize,
}

snapshot!(Stiffness as "stiffness" { suspicious, innocent });

impl Stiffness {
    fn note(&mut self, suspicious: bool) -> bool {
        if suspicious {
            self.innocent = 0;
            self.suspicious += 1;
        } else {
            self.innocent += 1;
            if self.innocent == 6 {
                self.suspicious = 0;
            }
        }
        self.suspicious >= 15
    }
}
