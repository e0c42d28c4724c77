//! What the Adams method gives between two steps.

use super::{Adams, Derivative};
use crate::integrate::report::Statistics;
use crate::integrate::stepper::Solution;

impl Solution for Adams {
    fn t(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn finished(&self) -> bool {
        self.pace.finished(self.t)
    }

    /// A reversal of direction restarts the method.
    fn reach(&mut self, t_end: f64) {
        if self.pace.direction(self.t) * (t_end - self.t) < 0.0 {
            self.derivative = Derivative::Unknown;
            (self.k, self.k_old, self.starting) = (1, 0, true);
            self.phi.fill(0.0);
            self.pace.h = 0.0;
        }
        self.pace.reach(self.t, t_end);
    }

    /// Along the interpolating polynomial of the last step, blended so that it starts where the step started.
    fn dense(&self, theta: f64, out: &mut [f64]) {
        self.along((theta - 1.0) * (self.t - self.t_old), out);
        let blend = (1.0 - theta) * (1.0 - theta) * (1.0 + 2.0 * theta);
        out.iter_mut().zip(&self.gap).for_each(|(out, gap)| *out += blend * gap);
    }

    /// The next step first evaluates the derivative anew.
    fn replace_state(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        if self.derivative == Derivative::Known {
            self.derivative = Derivative::Replaced;
        }
    }

    fn limit(&mut self, h: f64) {
        self.pace.bound(h);
    }

    fn proposal(&self) -> f64 {
        self.pace.h
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
