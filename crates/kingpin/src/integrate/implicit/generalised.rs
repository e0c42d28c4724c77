//! The generalised-alpha method [Chung and Hulbert 1993] with steps of changing size.

use super::matrix::add;
use super::newton::solve_acceleration;
use super::scheme::{OVER_ALL, Scheme, StepEnds, Trial};
use crate::integrate::formula::generalised::Generalised;
use crate::integrate::pace::{Control, RADIUS};
use crate::integrate::problem::{SecondOrder, StageWeights};
use crate::integrate::report::Attempt;
use crate::integrate::snapshot::snapshot;

/// The method of [`Generalised`]. The unknown is `f(y1)`; the accelerations a are the memory of the method, at the start
/// `a0 = f(y0)`. Where the step changes, a0 is moved to where it has its place in the new one, which keeps order 2
/// [Bruls and Arnold 2008].
///
/// Errors are those of the formula itself: of the position by the change of f, of the velocity by the change of that
/// from step to step. They add up from step to step, all with the same sign, so that as many steps as the natural time
/// of a motion takes count in each.
#[derive(Debug, Clone)]
pub struct GeneralisedAlphaRule {
    rule: Generalised,
    /// Acceleration of the method at the start and at the end of the step.
    start: Vec<f64>,
    end: Vec<f64>,
    /// How f has changed in the step before, and in this one.
    before: Vec<f64>,
    change: Vec<f64>,
}

snapshot!(GeneralisedAlphaRule as "gen-alpha" { start, before });

impl GeneralisedAlphaRule {
    /// Known part of position and velocity, where `stretch` is the ratio of the step to the one before.
    fn known<P: SecondOrder>(&self, trial: &Trial<'_, P>, stretch: f64, base: &mut [f64]) {
        let (Generalised { am, af, gamma, beta, .. }, h) = (self.rule, trial.h);
        let (v, vdot) = base.split_at_mut(trial.y0.len() / 2);
        // what a1 has of the old acceleration and of the old force
        let (of_a0, of_f0) = (-am / (1.0 - am), af / (1.0 - am));
        let position = [h * h * (0.5 - beta + beta * of_a0), h * h * beta * of_f0];
        let velocity = [h * (1.0 - gamma + gamma * of_a0), h * gamma * of_f0];
        add(h, vdot, v);
        for ([by_a0, by_f0], out) in [(position, v), (velocity, vdot)] {
            add(stretch * by_a0, &self.start, out);
            add((1.0 - stretch) * by_a0 + by_f0, trial.a0, out);
        }
    }

    /// The error of the step, once f is known at its end.
    fn raw_error(&self, h: f64, stretch: Option<f64>, error: &mut [f64]) {
        let n = error.len() / 2;
        let Generalised { error_position, error_velocity, error_start, .. } = self.rule;
        error.fill(0.0);
        let (position, velocity) = error.split_at_mut(n);
        add(h * h * error_position, &self.change, position);
        let Some(stretch) = stretch else {
            // nothing is known of the next derivative, but what a start leaves is
            add(h * error_start.max(error_velocity), &self.change, velocity);
            return;
        };
        let by_curvature = h * error_velocity * 2.0 * stretch / (1.0 + stretch);
        add(by_curvature, &self.change, velocity);
        add(-by_curvature * stretch, &self.before, velocity);
    }
}

impl Scheme for GeneralisedAlphaRule {
    const ORDER: usize = 2;
    const EXPONENT: usize = 3;
    const OF_ACCELERATIONS: bool = true;
    const GAMMA: f64 = Generalised::new(RADIUS).lead() * Generalised::new(RADIUS).gamma;
    const RATIO: f64 = Generalised::new(RADIUS).beta / Generalised::new(RADIUS).gamma;
    const EXACT_JACOBIAN: bool = false;
    const FILTERED: bool = true;
    const GIVES_ACCELERATION: bool = true;

    fn new(_: usize, unknowns: usize) -> Self {
        let room = || vec![0.0; unknowns];
        let rule = Generalised::new(RADIUS);
        Self { rule, start: room(), end: room(), before: room(), change: room() }
    }

    fn tune(&mut self, control: &Control) {
        self.rule = Generalised::new(control.radius);
    }

    fn weights(&self, h: f64) -> StageWeights {
        let Generalised { gamma, beta, .. } = self.rule;
        StageWeights { velocity: self.rule.lead() * gamma * h, ratio: beta / gamma * h }
    }

    /// A natural time takes as many steps as the inverse of the root of the tolerance.
    fn credited(tolerance: f64) -> f64 {
        1.0 / tolerance.sqrt()
    }

    fn left_over(tolerance: f64) -> f64 {
        OVER_ALL * tolerance.sqrt()
    }

    fn attempt<P: SecondOrder>(&mut self, trial: &mut Trial<'_, P>) -> Result<(), Attempt<P::Error>> {
        let stretch = (trial.h_before != 0.0).then(|| trial.h / trial.h_before);
        if stretch.is_none() {
            self.start.copy_from_slice(trial.a0);
        }
        let base = std::mem::take(&mut trial.base);
        base.copy_from_slice(trial.y0);
        self.known(trial, stretch.unwrap_or(1.0), base);
        // f extrapolated from the step before
        let f = std::mem::take(&mut trial.a1);
        f.copy_from_slice(trial.a0);
        if let Some(stretch) = stretch {
            add(stretch, &self.before, f);
        }
        solve_acceleration(trial, trial.t1, base, f)?;
        trial.y1.copy_from_slice(trial.stage);
        let (Generalised { am, af, .. }, stretch_a) = (self.rule, stretch.unwrap_or(1.0));
        for (i, f1) in f.iter().enumerate() {
            let f0 = trial.a0[i];
            let a0 = f0 + stretch_a * (self.start[i] - f0);
            self.change[i] = f1 - f0;
            self.end[i] = ((1.0 - af) * f1 + af * f0 - am * a0) / (1.0 - am);
        }
        self.raw_error(trial.h, stretch, trial.error);
        Ok(())
    }

    fn accept(&mut self) {
        std::mem::swap(&mut self.start, &mut self.end);
        std::mem::swap(&mut self.before, &mut self.change);
    }

    fn memory(&mut self) -> &mut [f64] {
        &mut self.start
    }

    fn dense(&self, theta: f64, ends: &StepEnds<'_>, out: &mut [f64]) {
        ends.hermite(theta, out);
    }
}
