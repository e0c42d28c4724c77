//! What the Adams method gives between two steps.

use super::{Adams, Derivative};
use crate::integrate::norm::Norm;
use crate::integrate::pace::Control;
use crate::integrate::stepper::{Begin, Solution, accessors};

impl Adams {
    /// Forgets the steps before.
    fn start_anew(&mut self) {
        self.derivative = Derivative::Unknown;
        (self.k, self.k_old, self.starting) = (1, 0, true);
        self.phi.fill(0.0);
    }
}

impl Solution for Adams {
    accessors!();

    /// A reversal of direction restarts the method.
    fn reach(&mut self, t_end: f64) {
        if self.pace.direction(self.t) * (t_end - self.t) < 0.0 {
            self.start_anew();
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

    /// At order one again, but with steps as long as they were.
    fn change_coordinates(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        self.start_anew();
        self.starting = false;
    }

    /// The next step first evaluates the derivative anew.
    fn replace_state(&mut self, y: &[f64]) {
        self.y.copy_from_slice(y);
        if self.derivative == Derivative::Known {
            self.derivative = Derivative::Replaced;
        }
    }
}

impl Begin for Adams {
    const FINE_INSIDE: bool = true;
    /// Differences of order 12 magnify by 4096, of which the formulas take a hundredth or two.
    const MAGNIFIES: f64 = 100.0;

    fn begin(norm: Norm, control: Control, t: f64, y: &[f64], t_end: f64) -> Self {
        Self::new(norm, control, t, y, t_end)
    }
}
