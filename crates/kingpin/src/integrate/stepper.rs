//! The interface common to all one-step and multistep methods, and the loop that drives them.

use super::norm::Norm;
use super::pace::Control;
use super::report::{Halt, Statistics, StepReport};
use super::snapshot::Unfit;
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

    /// Goes on from the same state in other coordinates, as many: nothing known of the old ones is used again, but
    /// the step size stays. [`dense`](Self::dense) is meaningless until the next step.
    ///
    /// # Panics
    /// If `y` has not one element per component.
    fn change_coordinates(&mut self, y: &[f64]);

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
    fn step(&mut self, problem: &mut P) -> Result<StepReport, Halt<Self::Error>>;

    /// Solution inside the last step as good as its end: by the dense output where that is as accurate, else by a
    /// part of the step of its own.
    fn inside(&mut self, _: &mut P, theta: f64, out: &mut [f64]) {
        self.dense(theta, out);
    }

    /// Lets the problem go over to coordinates for the next step, once the last one is no longer of interest: after
    /// that, [`dense`](Solution::dense) speaks of coordinates that are gone. A step does so by itself.
    fn rebase(&mut self, _: &mut P) -> Result<(), Halt<Self::Error>> {
        Ok(())
    }

    /// Makes what it has of the equations itself fit those that were restored.
    fn fit(&mut self, _: &P) -> Result<(), Unfit> {
        Ok(())
    }
}

/// A method that can be started anywhere.
pub trait Begin: Solution + Sized {
    /// Whether the solution inside a step is as accurate as its end.
    const FINE_INSIDE: bool;
    /// How many times an error of a single derivative, times the step, shows in the estimate of the error of steps.
    const MAGNIFIES: f64 = 1.0;

    /// The control it has unless told otherwise.
    fn customary() -> Control {
        Control::default()
    }

    /// Starts at a state, to stop at `t_end`.
    fn begin(norm: Norm, control: Control, t: f64, y: &[f64], t_end: f64) -> Self;
}

/// What methods tell of themselves that have a time `t`, a state `y`, a `pace` and `statistics`.
macro_rules! accessors {
    () => {
        fn t(&self) -> f64 {
            self.t
        }

        fn state(&self) -> &[f64] {
            &self.y
        }

        fn finished(&self) -> bool {
            self.pace.finished(self.t)
        }

        fn limit(&mut self, h: f64) {
            self.pace.bound(h);
        }

        fn proposal(&self) -> f64 {
            self.pace.h
        }

        fn statistics(&self) -> crate::integrate::report::Statistics {
            self.statistics
        }
    };
}
pub(super) use accessors;

/// How an integration ended well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
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
) -> Result<Ending, Halt<S::Error>> {
    let mut steps = 0;
    while !stepper.finished() {
        if steps == most_steps {
            return Err(Halt::TooManySteps { t: stepper.t(), steps });
        }
        let report = stepper.step(problem)?;
        steps += 1;
        if observer(stepper, &report).is_break() {
            return Ok(Ending::Stopped);
        }
    }
    Ok(Ending::Reached)
}
