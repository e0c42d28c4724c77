//! The Adams method of variable order and step size: predictor, evaluation, corrector of one order more,
//! evaluation [Shampine and Gordon 1975].

mod coefficients;
mod memory;
mod order;
mod solution;
#[cfg(test)]
mod tests;

use super::Norm;
use super::pace::{Control, Pace, StepTarget, first_step};
use super::problem::Ode;
use super::report::{Attempt, Halt, Statistics, StepReport};
use super::stepper::Stepper;
use coefficients::{Coefficients, HIGHEST, implicit_constants};

/// The Adams method of orders 1 to 12 in modified divided differences, local extrapolation included. Two
/// evaluations per step.
///
/// Step sizes follow the method's own law (doubling, or at most the same); of [`Control`] it heeds `h_min`,
/// `h_max`, `h_start` and whether the step is fixed.
#[derive(Debug, Clone)]
pub struct Adams {
    norm: Norm,
    pace: Pace,
    highest: usize,
    t: f64,
    y: Vec<f64>,
    t_old: f64,
    y_old: Vec<f64>,
    /// State at the end of the last step before any replacement.
    y_end: Vec<f64>,
    /// What the dense output lacks at the start of the last step.
    gap: Vec<f64>,
    derivative: Derivative,
    /// Order of the next step and of the last.
    k: usize,
    k_old: usize,
    /// Whether order and step size still rise with every step.
    starting: bool,
    /// Sizes of the steps taken, the latest first.
    before: [f64; HIGHEST + 1],
    /// Steps of equal size up to now.
    equal: usize,
    low_orders: usize,
    coefficients: Coefficients,
    constants: [f64; HIGHEST + 2],
    /// Modified divided differences at t, of orders 0 to k_old + 1, one after the other.
    phi: Vec<f64>,
    /// Differences predicted for the end of the step.
    predicted: Vec<f64>,
    p: Vec<f64>,
    f: Vec<f64>,
    scratch: Vec<f64>,
    statistics: Statistics,
}

/// What is known of the derivative at the current state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Derivative {
    Unknown,
    /// The differences belong to another state nearby.
    Replaced,
    Known,
}

/// Errors of one attempt at the order in use and, as if steps were equal, at orders k, k - 1, k - 2.
#[derive(Debug, Clone, Copy)]
struct Errors {
    error: f64,
    at_k: f64,
    below: f64,
    two_below: f64,
}

impl Adams {
    /// Starts at `(t, y)`, to stop at `t_end`.
    ///
    /// # Panics
    /// If `norm` and `y` differ in length.
    pub fn new(norm: Norm, control: Control, t: f64, y: &[f64], t_end: f64) -> Self {
        assert_eq!(norm.dim(), y.len(), "lengths of the norm and the state");
        let n = y.len();
        Self {
            norm,
            pace: Pace::new(control, 2, t, t_end),
            highest: HIGHEST,
            t,
            y: y.to_vec(),
            t_old: t,
            y_old: y.to_vec(),
            y_end: y.to_vec(),
            gap: vec![0.0; n],
            derivative: Derivative::Unknown,
            k: 1,
            k_old: 0,
            starting: true,
            before: [0.0; HIGHEST + 1],
            equal: 0,
            low_orders: 0,
            coefficients: Coefficients::new(),
            constants: implicit_constants(),
            phi: vec![0.0; (HIGHEST + 2) * n],
            predicted: vec![0.0; (HIGHEST + 1) * n],
            p: vec![0.0; n],
            f: vec![0.0; n],
            scratch: vec![0.0; n],
            statistics: Statistics::default(),
        }
    }

    /// Keeps the order of the predictor at most `order`, between 1 and 12.
    pub fn with_highest_order(mut self, order: usize) -> Self {
        self.highest = order.clamp(1, HIGHEST);
        self
    }

    /// The derivative at the start, or after a replacement of the state; the first step size.
    fn prepare<P: Ode>(&mut self, problem: &mut P) -> Result<(), Halt<P::Error>> {
        let (t, n) = (self.t, self.y.len());
        if self.derivative != Derivative::Known {
            self.statistics.evaluations += 1;
            problem.rhs(t, &self.y, &mut self.f).map_err(|error| Halt::Problem { t, error })?;
            if !self.f.iter().all(|f| f.is_finite()) {
                return Err(Halt::NotFinite { t });
            }
            if self.derivative == Derivative::Unknown {
                self.phi[..n].copy_from_slice(&self.f);
            } else {
                // a change of the latest derivative changes all differences alike
                for i in 0..n {
                    self.f[i] -= self.phi[i];
                }
                for column in self.phi.chunks_exact_mut(n.max(1)).take(self.k_old + 2) {
                    column.iter_mut().zip(&self.f).for_each(|(phi, change)| *phi += change);
                }
            }
            self.derivative = Derivative::Known;
        }
        if self.pace.h == 0.0 {
            self.statistics.evaluations += 1;
            let Self { pace, phi, y, norm, p, f, .. } = self;
            let (direction, start) = (pace.direction(t), (t, &y[..], &phi[..n]));
            pace.start(|longest| first_step(problem, start, (norm, 2), longest, direction, (p, f)), t);
        }
        Ok(())
    }

    /// Predicts, evaluates, estimates the errors, and if they are small corrects and evaluates again. The new
    /// state is left in `p`, its derivative in `f`.
    fn attempt<P: Ode>(&mut self, problem: &mut P, target: StepTarget) -> Result<Errors, Attempt<P::Error>> {
        let (n, k, h) = (self.y.len(), self.k, target.h);
        // P E: the predictor of order k and the derivative there
        self.coefficients.set(h, &self.before, k);
        self.predict(h);
        self.statistics.evaluations += 1;
        problem.rhs(target.t, &self.p, &mut self.f).map_err(Attempt::Problem)?;
        let mut errors = self.errors(h);
        if self.pace.accepts(errors.error) {
            // C E: one order more, by h g_k times what the derivative differs from the predicted one
            let weight = h * self.coefficients.g[k];
            for i in 0..n {
                self.p[i] += weight * (self.f[i] - self.predicted[i]);
            }
            self.scratch.copy_from_slice(&self.p);
            problem.project(target.t, &mut self.p).map_err(Attempt::Problem)?;
            if self.scratch != self.p {
                self.scratch.iter_mut().zip(&self.p).for_each(|(d, y)| *d -= y);
                let moved = self.norm.of_step(h.abs(), &self.scratch, &self.y, &self.p);
                errors.error = errors.error.max(moved);
            }
            self.statistics.evaluations += 1;
            problem.rhs(target.t, &self.p, &mut self.f).map_err(Attempt::Problem)?;
            if !self.f.iter().all(|f| f.is_finite()) {
                return Err(Attempt::NotFinite);
            }
        }
        Ok(errors)
    }

    /// State and differences at the end of the step from the polynomial through known derivatives.
    fn predict(&mut self, h: f64) {
        let (n, k) = (self.y.len(), self.k);
        let Coefficients { beta, g, .. } = &self.coefficients;
        self.predicted[k * n..][..n].fill(0.0);
        self.p.fill(0.0);
        for i in (0..k).rev() {
            let (column, above) = self.predicted[i * n..].split_at_mut(n);
            for l in 0..n {
                let star = beta[i] * self.phi[i * n + l];
                self.p[l] += g[i] * star;
                column[l] = above[l] + star;
            }
        }
        for l in 0..n {
            self.p[l] = self.y[l] + h * self.p[l];
        }
    }

    /// Errors of orders k, k - 1 and k - 2, each from the first difference that it leaves out.
    fn errors(&mut self, h: f64) -> Errors {
        let (n, k) = (self.y.len(), self.k);
        // norm of the difference of order j of the derivatives with the one just evaluated
        let mut size = |j: usize| {
            for l in 0..n {
                let missing = self.f[l] - self.predicted[l];
                self.scratch[l] = missing + if j == k { 0.0 } else { self.predicted[j * n + l] };
            }
            h.abs() * self.norm.of_step(h.abs(), &self.scratch, &self.y, &self.p)
        };
        let Coefficients { g, sigma, .. } = &self.coefficients;
        let here = size(k);
        let below = if k > 1 { sigma[k - 1] * self.constants[k - 1] * size(k - 1) } else { 0.0 };
        let two_below = if k > 2 { sigma[k - 2] * self.constants[k - 2] * size(k - 2) } else { 0.0 };
        let error = here * (g[k - 1] - g[k]).abs();
        Errors { error, at_k: here * sigma[k] * self.constants[k], below, two_below }
    }

    /// Half the step; after three failures order 1, and then what the error demands.
    fn reject<E>(&mut self, target: StepTarget, errors: Errors) -> Result<(), Halt<E>> {
        self.statistics.rejected += 1;
        self.starting = false;
        if !errors.error.is_finite() {
            return self.pace.failed(Attempt::NotFinite, self.t, target.h, 0.25);
        }
        let lower = self.lower(errors);
        let failures = self.pace.rejected_then(self.t, target.h, 0.5)?;
        if failures > 3 && errors.at_k > 2.0 {
            self.pace.h = target.h * (0.5 / errors.at_k).sqrt();
        }
        self.k = if failures >= 3 { 1 } else { self.k - usize::from(lower) };
        Ok(())
    }

    fn accept(&mut self, target: StepTarget, errors: Errors) -> StepReport {
        let (n, k, h) = (self.y.len(), self.k, target.h);
        // new differences
        for l in 0..n {
            let d = self.f[l] - self.predicted[l];
            let above = self.phi[k * n + l];
            self.phi[(k + 1) * n + l] = d - above;
            for i in 0..=k {
                self.phi[i * n + l] = self.predicted[i * n + l] + d;
            }
        }
        // state
        self.y_old.copy_from_slice(&self.y);
        self.y.copy_from_slice(&self.p);
        self.y_end.copy_from_slice(&self.p);
        (self.t_old, self.t) = (self.t, target.t);
        self.equal = if h == self.before[0] { (self.equal + 1).min(self.k_old + 1) } else { 1 };
        self.before.copy_within(..HIGHEST, 1);
        self.before[0] = h;
        self.k_old = k;
        // what the interpolating polynomial misses at the start of the step
        let mut gap = std::mem::take(&mut self.gap);
        self.along(-h, &mut gap);
        gap.iter_mut().zip(&self.y_old).for_each(|(gap, y)| *gap = y - *gap);
        self.gap = gap;
        // order and size of the next step
        let error_next = self.choose_order(h, errors);
        let next = self.choose_size(h, error_next);
        let rejected = self.pace.accepted_then(h, next);
        self.statistics.steps += 1;
        self.low_orders = if k <= 4 { self.low_orders + 1 } else { 0 };
        let stiff = self.low_orders >= 50;
        StepReport { t_old: self.t_old, t: self.t, error: errors.error, order: k + 1, rejected, stiff }
    }

    /// `out` = solution at `hi` after the end of the last step along the interpolating polynomial.
    fn along(&self, hi: f64, out: &mut [f64]) {
        let n = out.len();
        let g = self.coefficients.interpolation(hi, self.k_old);
        out.copy_from_slice(&self.y_end);
        for (weight, phi) in g.iter().zip(self.phi.chunks_exact(n.max(1))).take(self.k_old + 1) {
            out.iter_mut().zip(phi).for_each(|(out, phi)| *out += hi * weight * phi);
        }
    }
}

impl<P: Ode> Stepper<P> for Adams {
    type Error = P::Error;

    /// The end is moved before the last evaluation; that saves the evaluation that [`Solution::replace_state`] costs.
    fn step(&mut self, problem: &mut P) -> Result<StepReport, Halt<P::Error>> {
        self.prepare(problem)?;
        loop {
            let target = self.pace.target(self.t)?;
            let attempt = self.attempt(problem, target);
            let errors = match attempt {
                Ok(errors) => errors,
                Err(why) => {
                    self.statistics.rejected += 1;
                    self.starting = false;
                    self.pace.failed(why, self.t, target.h, 0.25)?;
                    continue;
                }
            };
            if self.pace.accepts(errors.error) {
                return Ok(self.accept(target, errors));
            }
            self.reject(target, errors)?;
        }
    }
}
