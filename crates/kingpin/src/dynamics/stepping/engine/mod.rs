//! A method at work on a mechanism, whatever its kind.

mod implicit;
mod stepping;

use super::settings::Settings;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::scales::Yardstick;
use crate::dynamics::stepping::Method;
use crate::integrate::{Halt, Snapshot, Statistics, StepReport};
use crate::system::State;
pub(in crate::dynamics::stepping) use implicit::implicit;
use std::sync::Arc;
pub(in crate::dynamics) use stepping::Stepping;

/// One method, one mechanism; accepted states satisfy the constraints to round-off.
pub(in crate::dynamics) trait Engine<'a>: Snapshot + Send {
    /// One accepted step.
    fn step(&mut self) -> Result<StepReport, Halt<Trouble>>;
    /// A step to a time over a singular position expected at `place`, in parts of it; `None` if that cannot be done
    /// within the tolerance. After one that was done the method must be restarted.
    fn bridge(&mut self, from: &State, until: f64, place: f64) -> Option<StepReport>;
    /// The state after the last step; the constraints are evaluated there.
    fn state(&mut self, state: &mut State) -> Result<(), Trouble>;
    /// A consistent state inside the last step.
    fn inside(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble>;
    /// A state inside the last step that may be as far from the constraints as the dense output is.
    fn glance(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble>;
    /// Whether states that are only glanced at are worse than the ends of the step.
    fn is_rough(&self) -> bool;
    /// The state at time `t` inside the last step, which began at `start`, as accurate as the method itself; the
    /// method must be restarted afterwards.
    fn cut(&mut self, theta: f64, t: f64, start: &State, state: &mut State) -> Result<(), Halt<Trouble>>;
    /// What must be done before the next step, once the last is no longer of interest.
    fn settle(&mut self) -> Result<(), Trouble>;
    /// Goes on from another state, with a given first step or one it chooses.
    fn restart(&mut self, state: &State, h: Option<f64>, t_end: f64);
    /// Sets where to stop; the last step ends there exactly.
    fn reach(&mut self, t_end: f64);
    /// Bounds the steps to come.
    fn limit(&mut self, h: f64);
    /// Whether the end is reached.
    fn finished(&self) -> bool;
    /// Size of the next step as it stands; 0 if none is chosen yet.
    fn proposal(&self) -> f64;
    /// Work done so far.
    fn statistics(&self) -> Statistics;
    /// Changes of the coordinates so far.
    fn renewals(&self) -> usize;
    /// The mechanism.
    fn mechanism(&mut self) -> &mut Dynamics<'a>;
    /// Gives the mechanism back.
    fn into_mechanism(self: Box<Self>) -> Dynamics<'a>;
}

/// An engine; an error if the method cannot start in this configuration.
pub(in crate::dynamics) type Made<'a> = Result<Box<dyn Engine<'a> + 'a>, Trouble>;

/// What an engine is made from.
pub(in crate::dynamics) struct Setup<'a, 's> {
    pub mechanism: Dynamics<'a>,
    /// Start point.
    pub state: &'s State,
    pub settings: &'s Settings,
    /// What errors are measured against.
    pub yardstick: &'s Arc<Yardstick>,
    /// First step, if one is given.
    pub h: Option<f64>,
}

/// The engine of a method.
pub(in crate::dynamics) fn engine<'a>(method: Method, setup: Setup<'a, '_>) -> Made<'a> {
    (method.entry().make)(setup)
}
