//! What an implicit method gives between two steps.

use super::{Implicit, Jacobian, LastStep};
use crate::integrate::Norm;
use crate::integrate::implicit::matrix::IterationMatrix;
use crate::integrate::implicit::scheme::{Scheme, StepEnds};
use crate::integrate::pace::Control;
use crate::integrate::stepper::{Begin, Solution, accessors};

impl<S: Scheme, M: IterationMatrix> Solution for Implicit<S, M> {
    accessors!();

    fn reach(&mut self, t_end: f64) {
        self.pace.reach(self.t, t_end);
    }

    fn dense(&self, theta: f64, out: &mut [f64]) {
        let LastStep { h, y0, a0, y1, a1, .. } = &self.last;
        self.scheme.dense(theta, &StepEnds { h: *h, y0, a0, y1, a1 }, out);
    }

    fn change_coordinates(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        self.a_known = false;
        self.rebase = false;
        self.jacobian = Jacobian::None;
        self.last.h = 0.0;
    }

    /// The next step first evaluates the acceleration anew.
    fn replace_state(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        self.a_known = false;
        if self.jacobian == Jacobian::Here {
            self.jacobian = Jacobian::Earlier;
        }
    }
}

impl<S: Scheme, M: IterationMatrix> Begin for Implicit<S, M> {
    const FINE_INSIDE: bool = false;

    fn customary() -> Control {
        Control { controller: S::CONTROLLER, ..Control::default() }
    }

    fn begin(norm: Norm, control: Control, t: f64, y: &[f64], t_end: f64) -> Self {
        Self::new(norm, control, t, y, t_end)
    }
}
