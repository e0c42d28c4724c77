//! A run over time: steps, frames, and what became of it.

mod auto;
pub(super) mod checkpoint;
pub(super) mod course;
mod driver;
pub(super) mod holding;
mod impact;
mod memory;
pub(super) mod passage;

use crate::accel::{Accelerations, Iterations};
use crate::dynamics::instant::stabilisation::Corrections;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::scales::Scales;
use crate::dynamics::stepping::Method;
use crate::dynamics::stepping::Settings;
use crate::dynamics::watch::attitudes::NearFold;
use crate::dynamics::watch::events::Happening;
use crate::dynamics::watch::ledger::Account;
use crate::integrate::{Halt, Statistics, StepReport, Unfit};
use crate::system::{State, System, Work};
use checkpoint::Checkpoint;
use course::Course;
use passage::Approach;
use std::ops::ControlFlow;

/// An instant of the motion: state, forces and constraints evaluated, accelerations and multipliers solved.
#[derive(Clone, Copy)]
pub struct Frame<'a> {
    /// The equations.
    pub system: &'a System,
    /// The state.
    pub state: &'a State,
    /// What was evaluated there.
    pub work: &'a Work,
    /// Accelerations and multipliers; of some other instant where the observer needs none.
    pub accelerations: &'a Accelerations,
}

/// An accepted step.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Step {
    /// Time, size, error and order of the step.
    pub report: StepReport,
    /// The method that took it.
    pub method: Method,
    /// Newton iterations it took.
    pub newton_iterations: usize,
    /// Largest residual of the position equations after it.
    pub position_residual: f64,
    /// Largest residual of the velocity equations after it.
    pub velocity_residual: f64,
}

/// Who watches a run, on whatever thread it goes. Breaking stops it after the step under way.
pub trait Observer: Send {
    /// An instant asked for by [`Settings::frame`]; the first is the start.
    fn frame(&mut self, _: &Frame) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// Whether frames need accelerations, multipliers and evaluated constraints and forces, besides the state and the
    /// places of all bodies.
    fn needs_accelerations(&self, _: &System) -> bool {
        true
    }
    /// How many numbers it makes of a frame, if it wants nothing else of them. Ranks then share frames: each is
    /// [read](Observer::read) by one of them, and [taken](Observer::take) by all.
    fn frame_numbers(&self) -> Option<usize> {
        None
    }
    /// The numbers of a frame.
    fn read(&mut self, _: &Frame, _: &mut [f64]) {}
    /// A frame that was read, by whomever: instead of [`Observer::frame`].
    fn take(&mut self, _t: f64, _numbers: &[f64]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// Something happened: a tyre met a bump or lost the ground, an event of the user.
    fn event(&mut self, _: &Happening) {}
    /// An event of the model, by its place among them, happened; told before [`Observer::event`].
    fn happened(&mut self, _event: usize, _t: f64) {}
    /// The next time at which it wants to look, besides frames; asked once more when [`Observer::instant`] has been
    /// called. Times that are past are given at the start of the next step. Looking changes nothing of what follows.
    fn next_instant(&mut self) -> Option<f64> {
        None
    }
    /// An instant that it has asked for.
    fn instant(&mut self, _: &Frame) {}
    /// A state was accepted: the start, then the state after each step, before [`Observer::step`] is called.
    fn accepted(&mut self, _: &State) {}
    /// A step was accepted.
    fn step(&mut self, _: &Step) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// Whether the run is to be saved where it is now: asked before every step. `last` says that the step may be the
    /// last, cut short by the end: a run that goes on from before it to a later end has the bits of one that was
    /// meant to go there. What is answered changes nothing of what follows.
    fn wants_checkpoint(&mut self, _last: bool) -> bool {
        false
    }
    /// A checkpoint from which the run can be resumed.
    fn checkpoint(&mut self, _: &Checkpoint) {}
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Observer for Unwatched {}

/// What became of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The last state reached.
    pub state: State,
    /// Counts.
    pub statistics: Statistics,
    /// Acceleration problems solved.
    pub accelerations: usize,
    /// Iterations of the solver, if it is an iterative one.
    pub iterations: Option<Iterations>,
    /// What it took to keep steps of explicit methods on the constraints.
    pub corrections: Corrections,
    /// Changes of the independent coordinates.
    pub repartitions: usize,
    /// Largest residual of the position equations over all accepted states.
    pub position_residual: f64,
    /// Largest residual of the velocity equations over all accepted states.
    pub velocity_residual: f64,
    /// The methods used, each with the time from which on.
    pub methods: Vec<(f64, Method)>,
    /// What came and went of energy.
    pub energy: Account,
    /// How far the equations were from being dependent of late.
    pub path: Approach,
    /// Where what tells attitudes came nearest to its folds, in the order of [`told`](crate::dynamics::told).
    pub attitudes: Vec<NearFold>,
    /// Events of the run.
    pub events: Vec<Happening>,
    /// What errors were measured against; empty before the run has begun.
    pub scales: Scales,
    /// How it ended.
    pub end: End,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// At the end asked for.
    Reached,
    /// The observer wanted no more.
    Stopped,
    /// An event of the user stopped it.
    Event(Happening),
    /// It could not go on.
    Failed(Halt<Trouble>),
}

/// Integrates from a consistent state. `redundant` marks the equations that the assembly found to follow from
/// others. What was computed before a failure is in the result.
pub fn simulate(
    system: &System,
    start: &State,
    redundant: &[bool],
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Run {
    let mechanism = Dynamics::new(system, redundant, settings.solver);
    simulate_with(mechanism, start, settings, observer)
}

/// As [`simulate`], with a mechanism prepared before.
pub fn simulate_with(
    mechanism: Dynamics,
    start: &State,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Run {
    let start = &Checkpoint::at_start(start, settings);
    resume(mechanism, start, settings, observer).unwrap_or_else(|_| start.run.clone())
}

/// Goes on from a checkpoint, with the settings of the run that made it: the rest has the same bits as if it had
/// never stopped. Only the end may be a later one. An error if the checkpoint is of another mechanism or version.
pub fn resume(
    mechanism: Dynamics,
    checkpoint: &Checkpoint,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Result<Run, Unfit> {
    let mut course = Course::new(mechanism, checkpoint, settings)?;
    while course.step(observer) {}
    Ok(course.into_run())
}
