//! Methods on the descriptor form, for those who hold a mechanism in its reduced form.

use super::{Descriptor, Room, Saddle};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::instant::Trouble;
use crate::integrate::{Implicit, Outcome, Scheme, Solution, Statistics, StepReport, Stepper};

/// A method whose stages are solved in the descriptor form.
#[derive(Clone, Debug)]
pub struct Inflated<S> {
    /// The method.
    pub stepper: S,
    pub(super) saddle: Saddle,
    pub(super) remembered: Option<super::memory::Numbers>,
    room: Room,
}

impl<S> Inflated<S> {
    /// A method that has not stepped yet.
    pub fn new(stepper: S) -> Self {
        Self { stepper, saddle: Saddle::default(), remembered: None, room: Room::default() }
    }
}

/// An implicit method as the engine sees it.
impl<F: Scheme> Inflated<Implicit<F>> {
    /// Goes on from the same state in other coordinates, as many.
    pub fn change_coordinates(&mut self, y: &[f64]) {
        self.stepper.change_coordinates(y);
    }

    /// Goes over to the chart of the next step.
    pub fn rebase(&mut self, reduced: &mut Reduced) -> Result<(), Outcome<Trouble>> {
        let Self { stepper, saddle, room, .. } = self;
        stepper.rebase(&mut Descriptor { reduced, saddle, room })
    }
}

impl<S: Solution> Solution for Inflated<S> {
    fn t(&self) -> f64 {
        self.stepper.t()
    }
    fn state(&self) -> &[f64] {
        self.stepper.state()
    }
    fn finished(&self) -> bool {
        self.stepper.finished()
    }
    fn reach(&mut self, t_end: f64) {
        self.stepper.reach(t_end);
    }
    fn dense(&self, theta: f64, out: &mut [f64]) {
        self.stepper.dense(theta, out);
    }
    fn replace_state(&mut self, y: &[f64]) {
        self.stepper.replace_state(y);
    }
    fn limit(&mut self, h: f64) {
        self.stepper.limit(h);
    }
    fn proposal(&self) -> f64 {
        self.stepper.proposal()
    }
    fn statistics(&self) -> Statistics {
        self.stepper.statistics()
    }
}

impl<'a, S> Stepper<Reduced<'a>> for Inflated<S>
where
    S: for<'r> Stepper<Descriptor<'r, 'a>, Error = Trouble>,
{
    type Error = Trouble;

    fn step(&mut self, reduced: &mut Reduced<'a>) -> Result<StepReport, Outcome<Trouble>> {
        let Self { stepper, saddle, room, .. } = self;
        stepper.step(&mut Descriptor { reduced, saddle, room })
    }
}
