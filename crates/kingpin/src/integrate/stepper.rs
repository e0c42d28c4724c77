//! The interface common to all one-step and multistep methods, and the loop that drives them.

use super::report::{Outcome, Statistics, StepReport};
use std::ops::ControlFlow;

/// A solution under way: the state of a method and what it knows of its last step. The state of a second-order
/// problem is `(v, v')`.
pub trait Solution {
    /// Time reached.
    fn t(&self) -> f64;

    /// State at that time.
    fn state(&self) -> &[f64];

    /// Whether the end is reached.
    fn finished(&self) -> bool;

    /// Sets where to stop; the last step ends there exactly.
    fn reach(&mut self, t_end: f64);

    /// Solution inside the last step, at `t_old + theta h`, `0 <= theta <= 1`. Meaningless before the first
    /// step and after one that failed.
    ///
    /// # Panics
    /// If `out` has not one element per component.
    fn dense(&self, theta: f64, out: &mut [f64]);

    /// Whether [`dense`](Self::dense) is worse than the end of the last step.
    fn is_rough(&self) -> bool {
        false
    }

    /// Replaces the state by one nearby, such as its projection on constraints. The method goes on without a
    /// restart; [`dense`](Self::dense) still speaks of the step as it was.
    ///
    /// # Panics
    /// If `y` has not one element per component.
    fn replace_state(&mut self, y: &[f64]);

    /// Bounds the steps to come, whatever errors would allow; without effect on steps of a fixed size.
    fn limit(&mut self, h: f64);

    /// Size of the next step as it stands, before it is cut short by the end; 0 if none is chosen yet.
    fn proposal(&self) -> f64;

    /// Work done so far.
    fn statistics(&self) -> Statistics;
}

/// A method that advances a solution of problems of type `P`. After construction, steps allocate nothing.
pub trait Stepper<P>: Solution {
    /// Error of the problem.
    type Error;

    /// Advances by one accepted step. After a failure the state is that before the step.
    fn step(&mut self, problem: &mut P) -> Result<StepReport, Outcome<Self::Error>>;

    /// Solution inside the last step as good as its end: by the dense output where that is as accurate, else by a
    /// part of the step of its own.
    fn inside(&mut self, _: &mut P, theta: f64, out: &mut [f64]) {
        self.dense(theta, out);
    }
}

/// How an integration ended well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The end of the interval is reached.
    Reached,
    /// The observer wanted no more.
    Stopped,
}

/// Steps to the end of the interval. The observer is called after each accepted step; it may look at the dense
/// output, replace the state, or stop. At most `most_steps` steps.
pub fn integrate<P, S: Stepper<P>>(
    stepper: &mut S,
    problem: &mut P,
    most_steps: usize,
    mut observer: impl FnMut(&mut S, &StepReport) -> ControlFlow<()>,
) -> Result<End, Outcome<S::Error>> {
    let mut steps = 0;
    while !stepper.finished() {
        if steps == most_steps {
            return Err(Outcome::TooManySteps { t: stepper.t(), steps });
        }
        let report = stepper.step(problem)?;
        steps += 1;
        if observer(stepper, &report).is_break() {
            return Ok(End::Stopped);
        }
    }
    Ok(End::Reached)
}
