//! Step-by-step integration.

use super::values::unknown_channel;
use super::{Error, Mechanism, Values};
use crate::accel::Solver;
use crate::dynamics::{
    Checkpoint, Course, Dynamics, End, Happening, History, Observer, Projection, Run, Settings, Step,
    Unwatched, dynamics_at,
};
use crate::system::State;
use crate::threads::{self, Pool};
use crate::words::in_settings;
use std::ops::ControlFlow;

/// A run between two steps, which can be advanced, inspected, modified and saved.
///
/// The step size follows from the tolerance; [`Motion::advance_to`] ends a step at a given time, as controllers need.
pub struct Motion<'m> {
    mechanism: &'m Mechanism,
    course: Course<'m>,
    history: History,
    /// Threads that steps are taken by.
    pool: Pool,
    /// For channels asked for between steps; the method under way does not notice.
    probe: Option<Dynamics<'m>>,
    /// Room for their numbers.
    numbers: Vec<f64>,
    events: Vec<Happening>,
    step: Option<Step>,
}

/// The progress of a motion after successful steps.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// It can go on.
    Going,
    /// It has reached the end time of its settings.
    Reached,
    /// An event of the model ended it.
    Ended(Happening),
}

/// Keeps the last step and what happened.
struct Ears<'a> {
    events: &'a mut Vec<Happening>,
    step: &'a mut Option<Step>,
}

impl Observer for Ears<'_> {
    fn event(&mut self, event: &Happening) {
        self.events.push(event.clone());
    }

    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        *self.step = Some(*step);
        ControlFlow::Continue(())
    }
}

/// There is nothing left to drive.
fn over() -> Error {
    Error::asked("the run has ended", "start another run, or one with a later end time")
}

impl Mechanism {
    /// A motion with the settings of the model, at the start.
    pub fn motion(&self) -> Result<Motion<'_>, Error> {
        self.motion_with(&self.settings())
    }

    /// A motion with other settings.
    pub fn motion_with(&self, settings: &Settings) -> Result<Motion<'_>, Error> {
        let start = self.start()?;
        self.resume(&Checkpoint::at_start(start, settings), settings)
    }

    /// A motion that continues from a checkpoint, with the settings of the original one: the rest has the same bits
    /// as an uninterrupted motion. Only the end time can be later.
    pub fn resume(&self, checkpoint: &Checkpoint, settings: &Settings) -> Result<Motion<'_>, Error> {
        settings.check(in_settings)?;
        let settings = Settings { frame: None, ..settings.clone() };
        let mut history = History::new(settings.t_end, settings.most_steps);
        history.carry_on(checkpoint)?;
        let pool = Pool::new(threads::number(settings.threads, self.system().bodies()));
        let course = pool.within(|| Course::new(self.dynamics(settings.solver), checkpoint, &settings))?;
        let (probe, numbers, events) = (None, Vec::new(), Vec::new());
        Ok(Motion { mechanism: self, course, history, pool, probe, numbers, events, step: None })
    }
}

impl<'m> Motion<'m> {
    /// The time reached.
    pub fn time(&self) -> f64 {
        self.course.state().t
    }

    /// The state reached.
    pub fn state(&self) -> &State {
        self.course.state()
    }

    /// The result so far.
    pub fn run(&self) -> &Run {
        self.course.run()
    }

    /// Number of threads of its steps; results do not depend on it.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// The last step: its size, error and residuals.
    pub fn last_step(&self) -> Option<&Step> {
        self.step.as_ref()
    }

    /// Events since the last call.
    pub fn take_events(&mut self) -> Vec<Happening> {
        std::mem::take(&mut self.events)
    }

    /// One step, with a size from the tolerance.
    pub fn step(&mut self) -> Result<Progress, Error> {
        let mut ears = Ears { events: &mut self.events, step: &mut self.step };
        let (course, history) = (&mut self.course, &mut self.history);
        let goes_on = self.pool.within(|| course.step(&mut history.noting(&mut ears)));
        self.progress(goes_on)
    }

    /// Steps to a time, or to the end if that is before; the last step ends there exactly.
    pub fn advance_to(&mut self, t: f64) -> Result<Progress, Error> {
        let mut ears = Ears { events: &mut self.events, step: &mut self.step };
        let (course, history) = (&mut self.course, &mut self.history);
        let goes_on = self.pool.within(|| course.advance(t, &mut history.noting(&mut ears)));
        self.progress(goes_on)
    }

    fn progress(&mut self, goes_on: bool) -> Result<Progress, Error> {
        let run = self.course.run();
        if goes_on && run.state.t < self.course.settings().t_end {
            return Ok(Progress::Going);
        }
        if goes_on {
            // nothing is left to do but to say so
            self.course.step(&mut Unwatched);
        }
        let run = self.course.run();
        if let Some(failure) = self.mechanism.explained(self.course.settings(), run, &self.history) {
            return Err(failure.into());
        }
        Ok(match &run.end {
            End::Event(event) => Progress::Ended(event.clone()),
            _ => Progress::Reached,
        })
    }

    /// All channels at the state reached.
    pub fn values(&mut self) -> Result<Values<'m>, Error> {
        self.mechanism.values(self.course.state())
    }

    /// A channel at the state reached, such as `crank.angle`.
    pub fn value(&mut self, channel: &str) -> Result<f64, Error> {
        let (mechanism, state) = (self.mechanism, self.course.state());
        let channels = mechanism.all_channels();
        let place = channels.find(channel).ok_or_else(|| unknown_channel(channels, channel))?;
        if !mechanism.system().holds.is_empty() {
            // what holds may be something else each time
            let diagnosis = &mechanism.assembly().diagnosis;
            let held = dynamics_at(mechanism.system(), mechanism.problem(), state, Solver::Auto);
            let mut held = held.map_err(|trouble| mechanism.refuses(trouble.finding(diagnosis)))?;
            held.work.exchanged = self.course.run().energy.exchanged;
            self.numbers.resize(channels.len(), 0.0);
            channels.fill(held.system, &held.work, &held.result, &mut self.numbers);
            return Ok(self.numbers[place]);
        }
        let probe = self.probe.get_or_insert_with(|| mechanism.dynamics(Solver::Auto));
        mechanism.system().set_state(&mut probe.work, state);
        probe
            .accelerate(state.t, &state.q, &state.v)
            .map_err(|trouble| mechanism.refuses(trouble.finding(&mechanism.assembly().diagnosis)))?;
        probe.work.exchanged = self.course.run().energy.exchanged;
        self.numbers.resize(channels.len(), 0.0);
        channels.fill(mechanism.system(), &probe.work, &probe.result, &mut self.numbers);
        Ok(self.numbers[place])
    }

    /// The value of an input.
    pub fn input(&self, name: &str) -> Result<f64, Error> {
        Ok(self.course.state().inputs[self.mechanism.input_place(name)?])
    }

    /// Changes the value of an input of the model. The integration restarts, because forces may jump.
    pub fn set_input(&mut self, name: &str, value: f64) -> Result<(), Error> {
        let k = self.mechanism.input_place(name)?;
        if !value.is_finite() {
            return Err(Error::asked(format!("input `{name}` cannot be {value}"), "give a finite number"));
        }
        if self.course.state().inputs[k] == value {
            return Ok(());
        }
        let system = self.mechanism.system();
        let changed = self.course.interfere(|state| {
            state.inputs[k] = value;
            system.settle_sites(state);
        });
        if changed { Ok(()) } else { Err(over()) }
    }

    /// Continues from another state at the same time. The state is first projected onto the constraints by the
    /// smallest change in the mass metric; the change of energy counts as work.
    pub fn set_state(&mut self, state: &State) -> Result<(), Error> {
        let (mechanism, now) = (self.mechanism, self.course.state());
        if state.q.len() != now.q.len() || state.v.len() != now.v.len() {
            return Err(Error::asked("the state belongs to another mechanism", ""));
        }
        let mut next = State { t: now.t, ..state.clone() };
        let mut dynamics = mechanism.dynamics(mechanism.problem().brief_method());
        mechanism.system().set_state(&mut dynamics.work, &next);
        Projection::new(&dynamics)
            .apply(&mut dynamics, next.t, &mut next.q, &mut next.v)
            .map_err(|trouble| mechanism.refuses(trouble.finding(&mechanism.assembly().diagnosis)))?;
        if self.course.interfere(|state| state.copy_from(&next)) {
            return Ok(());
        }
        Err(over())
    }

    /// Everything needed to continue later, in this process or another; see [`Mechanism::resume`]. It does not affect
    /// the motion.
    pub fn checkpoint(&mut self) -> Checkpoint {
        let mut checkpoint = self.course.checkpoint();
        self.history.save_in(&mut checkpoint);
        checkpoint
    }
}
