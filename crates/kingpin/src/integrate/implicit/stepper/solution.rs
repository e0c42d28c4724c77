//! What an implicit method gives between two steps.

use super::{Implicit, Jacobian, LastStep};
use crate::integrate::implicit::scheme::{Ends, Scheme};
use crate::integrate::report::Statistics;
use crate::integrate::stepper::Solution;

impl<S: Scheme> Solution for Implicit<S> {
    fn t(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn finished(&self) -> bool {
        self.pace.finished(self.t)
    }

    fn reach(&mut self, t_end: f64) {
        self.pace.reach(self.t, t_end);
    }

    fn dense(&self, theta: f64, out: &mut [f64]) {
        let LastStep { h, y0, a0, y1, a1, .. } = &self.last;
        self.scheme.dense(theta, &Ends { h: *h, y0, a0, y1, a1 }, out);
    }

    /// The next step first evaluates the acceleration anew.
    fn replace_state(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        self.a_known = false;
        if self.jacobian == Jacobian::Here {
            self.jacobian = Jacobian::Earlier;
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
