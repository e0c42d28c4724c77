//! Step size control.

use super::Norm;
use super::problem::Ode;
use super::report::{Attempt, Halt};
use super::snapshot::snapshot;

/// How step sizes follow from errors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PaceRule {
    /// `h_new = h (1/err)^(1/q)`.
    Standard,
    /// Proportional and integral control (Gustafsson): the error of the step before enters with power `beta`.
    ProportionalIntegral {
        /// 0.04 for DOPRI5; 0 is the standard controller.
        beta: f64,
    },
    /// The standard law, and no more than what the last two steps together predict (Gustafsson).
    Predictive,
    /// The step size stays; errors are estimated but not heeded.
    Fixed,
}

/// The spectral radius at infinity of methods that can be given one, unless the user says so.
pub const RADIUS: f64 = 0.8;

/// Settings of a method, most of them of the step size control.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Control {
    /// The law.
    pub controller: PaceRule,
    /// Factor on the step size that the law proposes.
    pub safety: f64,
    /// Smallest ratio of consecutive step sizes.
    pub shrink: f64,
    /// Largest ratio of consecutive step sizes.
    pub grow: f64,
    /// Smallest step size; below the resolution of time it has no effect. The last step may be smaller.
    pub h_min: f64,
    /// Largest step size.
    pub h_max: f64,
    /// First step size; `None` chooses one.
    pub h_start: Option<f64>,
    /// Spectral radius at infinity of methods that can be given one: what is left in a step of oscillations that are much
    /// faster than the steps.
    pub radius: f64,
}

impl Default for Control {
    fn default() -> Self {
        Self {
            controller: PaceRule::Standard,
            safety: 0.9,
            shrink: 0.2,
            grow: 5.0,
            h_min: 0.0,
            h_max: f64::INFINITY,
            h_start: None,
            radius: RADIUS,
        }
    }
}

impl Control {
    /// Steps of size `h` whatever the error.
    pub fn fixed(h: f64) -> Self {
        Self { controller: PaceRule::Fixed, h_start: Some(h.abs()), ..Self::default() }
    }
}

/// Where the next step ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct StepTarget {
    pub h: f64,
    pub t: f64,
}

/// The step size control at work. Step sizes are signed.
#[derive(Debug, Clone)]
pub(super) struct Pace {
    pub control: Control,
    /// Proposed size of the next step; 0 before the first.
    pub h: f64,
    t_end: f64,
    /// One more than the order of the lower formula.
    exponent: f64,
    error_before: f64,
    /// Size of the step before, if there was one.
    h_before: f64,
    rejected: usize,
    /// Bound on the size of steps besides that of the control.
    longest: f64,
}

snapshot!(Pace as "pace" { h, t_end, error_before, h_before, rejected, longest });

/// The least that the error of the step before is taken for in a prediction.
const LEAST_ERROR: f64 = 1e-2;
/// Attempts at one step before giving up; each shrinks the step.
const MOST_REJECTIONS: usize = 60;

impl Pace {
    pub fn new(control: Control, exponent: usize, t: f64, t_end: f64) -> Self {
        let h = control.h_start.map_or(0.0, |h| h.abs().min(control.h_max).copysign(t_end - t));
        Self {
            control,
            h,
            t_end,
            exponent: exponent as f64,
            error_before: 1e-4,
            h_before: 0.0,
            rejected: 0,
            longest: f64::INFINITY,
        }
    }

    /// Sets a new end; a reversal of direction turns the step round.
    pub fn reach(&mut self, t: f64, t_end: f64) {
        self.t_end = t_end;
        self.h = self.h.abs().copysign(t_end - t);
    }

    /// Bounds all steps to come.
    pub fn bound(&mut self, h: f64) {
        self.longest = if self.control.controller == PaceRule::Fixed { f64::INFINITY } else { h };
    }

    /// +1 or -1 towards the end.
    pub fn direction(&self, t: f64) -> f64 {
        1f64.copysign(self.t_end - t)
    }

    /// Whether `t` is the end.
    pub fn finished(&self, t: f64) -> bool {
        t == self.t_end
    }

    /// Chooses the first step size if there is none yet.
    pub fn start(&mut self, choose: impl FnOnce(f64) -> f64, t: f64) {
        if self.h == 0.0 {
            let longest = (self.t_end - t).abs().min(self.control.h_max);
            self.h = choose(longest).min(longest).max(self.control.h_min).copysign(self.t_end - t);
        }
    }

    /// Makes the next step no longer than this, unless the steps have a fixed size.
    pub fn shorten(&mut self, longest: f64) {
        if self.control.controller != PaceRule::Fixed && self.h.abs() > longest {
            self.h = longest.copysign(self.h);
        }
    }

    /// The next attempt: a step that would end just short of the end, or beyond, ends there exactly.
    pub fn target<E>(&self, t: f64) -> Result<StepTarget, Halt<E>> {
        let rest = self.t_end - t;
        let size = self.h.abs().min(self.longest);
        if size * 1.01 >= rest.abs() {
            return Ok(StepTarget { h: rest, t: self.t_end });
        }
        let resolution = 10.0 * f64::EPSILON * t.abs();
        if self.h.abs() < self.control.h_min || self.h.abs() <= resolution || !self.h.is_finite() {
            return Err(Halt::StepTooSmall { t, h: self.h });
        }
        let h = size.copysign(self.h);
        Ok(StepTarget { h, t: t + h })
    }

    /// Whether a step with this error is good enough. An error that is no number is not.
    pub fn accepts(&self, error: f64) -> bool {
        error <= 1.0 || (self.control.controller == PaceRule::Fixed && error.is_finite())
    }

    /// Notes an accepted step; returns the number of attempts rejected before it.
    pub fn accepted(&mut self, h: f64, error: f64) -> usize {
        let rejected = std::mem::take(&mut self.rejected);
        let Control { safety, shrink, grow, .. } = self.control;
        let beta = match self.control.controller {
            PaceRule::Fixed => return rejected,
            PaceRule::Standard | PaceRule::Predictive => 0.0,
            PaceRule::ProportionalIntegral { beta } => beta,
        };
        let power = 1.0 / self.exponent - 0.75 * beta;
        let ratio = safety * self.error_before.powf(beta) / error.max(f64::MIN_POSITIVE).powf(power);
        let mut ratio = ratio.clamp(shrink, grow);
        if self.control.controller == PaceRule::Predictive {
            ratio = ratio.min(self.predicted(h, error));
        }
        if rejected > 0 {
            ratio = ratio.min(1.0);
        }
        self.error_before = error.max(1e-4);
        self.h_before = h.abs();
        // a step cut short by the end says nothing against the size proposed before
        let size = (h.abs() * ratio).max(if h.abs() < self.h.abs() { self.h.abs() } else { 0.0 });
        self.h = size.min(self.control.h_max).copysign(self.h);
        rejected
    }

    /// The ratio that the growth of the error from the step before predicts; no bound where there is none.
    fn predicted(&self, h: f64, error: f64) -> f64 {
        if self.h_before == 0.0 {
            return f64::INFINITY;
        }
        let Control { safety, shrink, .. } = self.control;
        let (before, error) = (self.error_before.max(LEAST_ERROR), error.max(f64::MIN_POSITIVE));
        let trend = (before / (error * error)).powf(1.0 / self.exponent);
        (safety * h.abs() / self.h_before * trend).max(shrink)
    }

    /// Whether the last attempt was rejected.
    pub fn has_rejected(&self) -> bool {
        self.rejected > 0
    }

    /// Notes an accepted step whose method has its own law for the `next` size.
    pub fn accepted_then(&mut self, h: f64, next: f64) -> usize {
        if self.control.controller != PaceRule::Fixed {
            let size = next.abs().max(if h.abs() < self.h.abs() { self.h.abs() } else { 0.0 });
            self.h = size.min(self.control.h_max).copysign(self.h);
        }
        std::mem::take(&mut self.rejected)
    }

    /// Notes a step rejected by a method that has its own law: the next is `ratio` times as long. Returns the
    /// number of rejections in a row.
    pub fn rejected_then<E>(&mut self, t: f64, h: f64, ratio: f64) -> Result<usize, Halt<E>> {
        self.shrink(h, ratio);
        if self.rejected > MOST_REJECTIONS { Err(Halt::StepTooSmall { t, h }) } else { Ok(self.rejected) }
    }

    /// Notes a step rejected for its error.
    pub fn rejected<E>(&mut self, t: f64, h: f64, error: f64) -> Result<(), Halt<E>> {
        if !error.is_finite() {
            return self.failed(Attempt::NotFinite, t, h, 0.25);
        }
        let power = match self.control.controller {
            PaceRule::ProportionalIntegral { beta } => 1.0 / self.exponent - 0.75 * beta,
            _ => 1.0 / self.exponent,
        };
        let ratio = (self.control.safety / error.powf(power)).clamp(self.control.shrink, 1.0);
        self.shrink(h, ratio);
        if self.rejected > MOST_REJECTIONS { Err(Halt::StepTooSmall { t, h }) } else { Ok(()) }
    }

    /// Notes an attempt that came to nothing; it is worth another try with a smaller step.
    pub fn failed<E>(&mut self, why: Attempt<E>, t: f64, h: f64, ratio: f64) -> Result<(), Halt<E>> {
        self.shrink(h, ratio);
        let smallest = self.control.h_min.max(10.0 * f64::EPSILON * t.abs());
        let hopeless = self.rejected > MOST_REJECTIONS || self.h.abs() < smallest;
        let fixed = self.control.controller == PaceRule::Fixed;
        if hopeless || fixed { Err(why.outcome(t, h)) } else { Ok(()) }
    }

    fn shrink(&mut self, h: f64, ratio: f64) {
        self.rejected += 1;
        if self.control.controller != PaceRule::Fixed {
            self.h = h * ratio;
        }
    }
}

/// First step size. Where the norm knows how fast the motion is, it follows from that; else an explicit
/// Euler step estimates the second derivative [Hairer, Norsett and Wanner 1993, section II.4]. One evaluation; `f0` is
/// f at the start, `y1` and `f1` are scratch.
pub(super) fn first_step<P: Ode>(
    problem: &mut P,
    (t, y, f0): (f64, &[f64], &[f64]),
    (norm, order): (&Norm, usize),
    longest: f64,
    direction: f64,
    (y1, f1): (&mut [f64], &mut [f64]),
) -> f64 {
    if let Some(time) = norm.natural_time(y, f0) {
        return from_natural_time(time, norm.tightest(), order, longest);
    }
    let (size, speed) = (norm.at(y, y), norm.at(f0, y));
    let guess = if size < 1e-5 || speed < 1e-5 { 1e-6 } else { 0.01 * size / speed };
    let guess = guess.min(longest);
    let h = guess.copysign(direction);
    for i in 0..y.len() {
        y1[i] = y[i] + h * f0[i];
    }
    if problem.rhs(t + h, y1, f1).is_err() {
        return guess * 1e-3;
    }
    for i in 0..y.len() {
        f1[i] -= f0[i];
    }
    let curvature = norm.at(f1, y) / guess;
    let steepest = speed.max(curvature);
    if !steepest.is_finite() {
        return guess * 1e-3;
    }
    let second =
        if steepest <= 1e-15 { (guess * 1e-3).max(1e-6) } else { (0.01 / steepest).powf(1.0 / order as f64) };
    second.min(100.0 * guess)
}

/// The step that a motion on a scale of `time` allows: one of the order of the method and its tolerance; where
/// nothing moves, a small part of what is to come.
pub(super) fn from_natural_time(time: Option<f64>, tolerance: f64, order: usize, longest: f64) -> f64 {
    match time {
        Some(time) => 0.5 * time * tolerance.powf(1.0 / order as f64),
        None => AT_REST * longest,
    }
}

/// First step of what is at rest, as a part of the run.
const AT_REST: f64 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_exactly_at_the_end_and_the_proposal_survives() {
        let mut pace = Pace::new(Control { h_start: Some(0.4), ..Control::default() }, 4, 0.0, 1.0);
        let mut t = 0.0;
        let mut ends = Vec::new();
        while !pace.finished(t) {
            let target = pace.target::<()>(t).unwrap();
            pace.accepted(target.h, 0.9f64.powi(4));
            t = target.t;
            ends.push(t);
        }
        assert_eq!(ends, [0.4, 0.8, 1.0]);
        assert!((pace.h - 0.4).abs() < 1e-15, "{}", pace.h);
    }

    #[test]
    fn the_law_aims_at_the_tolerance() {
        let mut pace = Pace::new(Control { h_start: Some(1.0), ..Control::default() }, 2, 0.0, 100.0);
        pace.accepted(1.0, 0.25);
        assert!((pace.h - 1.8).abs() < 1e-15);
        pace.rejected::<()>(0.0, 1.8, 9.0).unwrap();
        assert!((pace.h - 1.8 * 0.3).abs() < 1e-15);
        // right after a rejection the step does not grow
        pace.accepted(pace.h, 1e-8);
        assert!((pace.h - 1.8 * 0.3).abs() < 1e-15);
        pace.accepted(pace.h, 0.0);
        assert!((pace.h - 1.8 * 0.3 * 5.0).abs() < 1e-15);
    }

    #[test]
    fn failures_end_in_their_own_outcome() {
        let mut pace =
            Pace::new(Control { h_start: Some(1.0), h_min: 0.1, ..Control::default() }, 2, 0.0, 9.0);
        assert!(pace.failed::<()>(Attempt::NotFinite, 0.0, 1.0, 0.25).is_ok());
        let outcome = pace.failed(Attempt::Problem("no"), 0.0, pace.h, 0.25);
        assert_eq!(outcome, Err(Halt::Problem { t: 0.0, error: "no" }));
        assert!(matches!(pace.target::<()>(0.0), Err(Halt::StepTooSmall { .. })));
        let mut fixed = Pace::new(Control::fixed(1.0), 2, 0.0, 9.0);
        let outcome = fixed.failed::<()>(Attempt::NewtonDiverged, 0.0, 1.0, 0.5);
        assert_eq!(outcome, Err(Halt::NewtonFailed { t: 0.0, h: 1.0 }));
        assert!(fixed.accepts(50.0) && !fixed.accepts(f64::NAN));
    }
}
