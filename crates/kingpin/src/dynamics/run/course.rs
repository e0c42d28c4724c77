//! A run that can be driven on step by step.

use super::checkpoint::Checkpoint;
use super::driver::{Next, Pilot};
use super::{Observer, Run, holding};
use crate::accel::{Pcg, Problem};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::scales::{Yardstick, predict};
use crate::dynamics::stepping::engine::{Engine, Setup, engine};
use crate::dynamics::stepping::{Method, Settings};
use crate::integrate::Unfit;
use crate::system::{State, System};
use std::sync::Arc;

/// A run between two steps. One method drives it after the other; what became of it so far can be seen at any time.
pub struct Course<'a> {
    driver: Pilot,
    settings: Settings,
    /// What errors are measured against.
    yardstick: Arc<Yardstick>,
    /// The equations while nothing is held, and the problems of all that was held so far.
    base: &'a System,
    problems: Vec<(Vec<usize>, Problem)>,
    stage: Stage<'a>,
}

/// Who has the equations.
enum Stage<'a> {
    /// Nobody: the next method takes them.
    Free(Box<Dynamics<'a>>),
    /// A method made where the run is; it has yet to be set going.
    Made(Box<dyn Engine<'a> + 'a>, bool),
    /// A method under way.
    Going(Box<dyn Engine<'a> + 'a>),
    /// The run is over.
    Over,
}

impl<'a> Course<'a> {
    /// From a consistent state, or on from a checkpoint with the settings of the run that made it. An error if the
    /// checkpoint is of another mechanism or version.
    pub fn new(mut mechanism: Dynamics<'a>, from: &Checkpoint, settings: &Settings) -> Result<Self, Unfit> {
        let (given, state) = (&mechanism.system.given, &from.run.state);
        let sizes = |state: &State| {
            [state.q.len(), state.v.len(), state.turns.len(), state.pieces.len(), state.inputs.len()]
        };
        if sizes(given) != sizes(state) {
            return Err(Unfit::new("state"));
        }
        let settings = settings.for_freedoms(mechanism.freedoms(), from.t_start());
        let yardstick = yardstick(&mut mechanism, from, &settings);
        let driver = Pilot::new(&mechanism, from, &settings, yardstick.clone());
        let jump = driver.jump_ahead(&mechanism);
        mechanism.solves = from.run.accelerations;
        let (base, free) = (mechanism.system, mechanism.accelerator.problem.clone());
        let problems = vec![(Vec::new(), free)];
        let mut course = Course { driver, settings, yardstick, base, problems, stage: Stage::Over };
        if !base.holds.is_empty() && from.steps == 0 {
            let low = course.driver.low();
            let start = holding::settle_start(&mut mechanism, &mut course.driver.at.run.state, low);
            if let Err(error) = start {
                course.driver.at.run.end = course.driver.cannot_start(error);
                return Ok(course);
            }
        }
        let mechanism = course.held(mechanism);
        if let Some(error) = jump {
            course.driver.at.run.end = course.driver.cannot_start(error);
            return Ok(course);
        }
        if from.memory.is_empty() {
            course.stage = Stage::Free(Box::new(mechanism));
            return Ok(course);
        }
        match course.made(from.method(), mechanism) {
            Ok(mut engine) => {
                course.driver.restore(&mut *engine)?;
                course.stage = Stage::Made(engine, true);
            }
            Err(error) => course.driver.at.run.end = course.driver.cannot_start(error),
        }
        Ok(course)
    }

    fn made(&self, method: Method, mechanism: Dynamics<'a>) -> Result<Box<dyn Engine<'a> + 'a>, Trouble> {
        if let (Some(&joint), false) = (self.base.normals.first(), method.is_explicit()) {
            let joint = self.base.layout.groups[joint].name.clone();
            let why = format!(
                "friction that goes with its reaction needs an explicit method, such as adams, dopri5 or dop853, not {}; with \
                 `reaction = false` and a `preload` any method will do",
                method.name()
            );
            return Err(Trouble::Held { joint, why });
        }
        let at = &self.driver.at;
        let (state, h) = (&at.run.state, at.h);
        engine(method, Setup { mechanism, state, settings: &self.settings, yardstick: &self.yardstick, h })
    }

    /// The mechanism with what is held at the state of the run.
    fn held(&mut self, mechanism: Dynamics<'a>) -> Dynamics<'a> {
        let active = self.base.active_holds(&self.driver.at.run.state.pieces);
        if mechanism.system.active == active {
            return mechanism;
        }
        let system = self.base.holding(&active);
        let known = self.problems.iter().position(|(held, _)| *held == active);
        let place = known.unwrap_or_else(|| {
            let mut redundant = self.problems[0].1.redundant();
            redundant.resize(system.layout.rows, false);
            self.problems.push((active, Problem::new(system, &redundant)));
            self.problems.len() - 1
        });
        let mut other = Dynamics::of(system, &self.problems[place].1, self.settings.solver);
        (other.solves, other.corrections) = (mechanism.solves, mechanism.corrections);
        self.driver.adapt(&other);
        other
    }

    /// Finds out anew what holds, at a state that somebody has changed. `false` if that cannot be told: the run is over.
    fn resettle(&mut self) -> bool {
        let mut free = Dynamics::of(self.base, &self.problems[0].1, self.settings.solver);
        free.solves = self.driver.at.run.accelerations;
        let low = self.driver.low();
        match holding::settle_start(&mut free, &mut self.driver.at.run.state, low) {
            Ok(()) => {
                let mechanism = self.held(free);
                self.stage = Stage::Free(Box::new(mechanism));
                true
            }
            Err(error) => {
                self.driver.at.run.end = self.driver.cannot_start(error);
                self.stage = Stage::Over;
                false
            }
        }
    }

    /// One step; `false` once the run is over. Why it is over tells [`Course::run`].
    pub fn step(&mut self, observer: &mut dyn Observer) -> bool {
        loop {
            let next = match std::mem::replace(&mut self.stage, Stage::Over) {
                Stage::Over => return false,
                Stage::Free(mechanism) => match self.made(self.driver.at.method(), *mechanism) {
                    Ok(engine) => {
                        self.stage = Stage::Made(engine, false);
                        None
                    }
                    Err(error) => {
                        self.driver.at.run.end = self.driver.cannot_start(error);
                        return false;
                    }
                },
                Stage::Made(mut engine, restored) => {
                    let next = self.driver.begin(&mut *engine, restored, observer);
                    self.stage = Stage::Going(engine);
                    next
                }
                Stage::Going(mut engine) => {
                    let next = self.driver.advance(&mut *engine, observer);
                    self.stage = Stage::Going(engine);
                    if next.is_none() {
                        return true;
                    }
                    next
                }
            };
            if let Some(next) = next
                && !self.change(next)
            {
                return false;
            }
        }
    }

    /// Takes leave of a method; whether another one goes on.
    fn change(&mut self, next: Next) -> bool {
        let (Stage::Going(engine) | Stage::Made(engine, _)) = std::mem::replace(&mut self.stage, Stage::Over)
        else {
            return false;
        };
        let at = &mut self.driver.at;
        at.h = next.step_of(&*engine);
        if let (Next::Hold, Method::Adams) = (&next, at.method()) {
            // a method of many steps begins with short ones
            at.h = Some(2e-2 * self.settings.rtol.sqrt() * engine.proposal().abs()).filter(|h| *h > 0.0);
        }
        at.run.statistics = at.run.statistics.plus(engine.statistics());
        at.run.repartitions += engine.renewals();
        let mechanism = engine.into_mechanism();
        at.run.accelerations = mechanism.solves;
        at.run.corrections = mechanism.corrections;
        at.run.iterations = mechanism.accelerator.iterative().map(Pcg::counts);
        match next {
            Next::End(end) => {
                self.yardstick.write(&mut at.run.scales);
                at.run.end = end;
                false
            }
            Next::Hold => {
                let mechanism = self.held(mechanism);
                self.stage = Stage::Free(Box::new(mechanism));
                true
            }
            Next::Change(other) => {
                at.run.methods.push((at.run.state.t, other));
                self.stage = Stage::Free(Box::new(mechanism));
                true
            }
        }
    }

    /// Steps to a time, or to the end if that is before; the last step ends there exactly. `false` once the run is
    /// over.
    pub fn advance(&mut self, t: f64, observer: &mut dyn Observer) -> bool {
        self.halt(t);
        let mut goes_on = !matches!(self.stage, Stage::Over);
        while goes_on && self.state().t < t {
            goes_on = self.step(observer);
        }
        self.halt(f64::INFINITY);
        goes_on
    }

    fn halt(&mut self, t: f64) {
        self.driver.halt_at(t);
        if let Stage::Made(engine, _) | Stage::Going(engine) = &mut self.stage {
            self.driver.tell(&mut **engine);
        }
    }

    /// The state after the last step.
    pub fn state(&self) -> &State {
        &self.driver.at.run.state
    }

    /// What became of it so far. Before the end, what the method under way counts is not yet in the statistics.
    pub fn run(&self) -> &Run {
        &self.driver.at.run
    }

    /// What became of it.
    pub fn into_run(self) -> Run {
        self.driver.at.run
    }

    /// The settings it has.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over)
    }

    /// All that it needs to go on from here at another time. Taking it changes nothing of what follows.
    pub fn checkpoint(&mut self) -> Checkpoint {
        match &mut self.stage {
            Stage::Made(engine, true) | Stage::Going(engine) => self.driver.save(&mut **engine),
            _ => self.driver.at.clone(),
        }
    }

    /// Changes the state at the instant of the run and goes on from there. What `change` makes of it must satisfy
    /// the constraints; energy that comes or goes by it counts as work done on the mechanism. `false` if the
    /// equations cannot be evaluated there: the run is over.
    pub fn interfere(&mut self, change: impl FnOnce(&mut State)) -> bool {
        match &mut self.stage {
            Stage::Over => false,
            // nothing has been made of the state yet
            Stage::Free(_) => {
                change(&mut self.driver.at.run.state);
                true
            }
            Stage::Made(engine, _) | Stage::Going(engine) => {
                match self.driver.interfere(&mut **engine, change) {
                    Ok(()) if !self.base.holds.is_empty() => self.change(Next::Hold) && self.resettle(),
                    Ok(()) => true,
                    Err(error) => self.change(Next::End(self.driver.cannot_start(error))),
                }
            }
        }
    }
}

/// What errors of the run are measured against: as the checkpoint has it, or from the start.
fn yardstick(mechanism: &mut Dynamics, checkpoint: &Checkpoint, settings: &Settings) -> Arc<Yardstick> {
    let (system, run) = (mechanism.system, &checkpoint.run);
    let mut scales = run.scales.clone();
    let begins = scales.start.is_empty();
    if begins {
        scales = Yardstick::at_rest(system, run.state.t, &run.state.q);
        predict(mechanism, &run.state, f64::INFINITY, &mut scales);
    }
    let yardstick = Yardstick::new(system, settings.rtol, settings.atol, scales);
    if begins {
        yardstick.note(run.state.t, &run.state.q, &run.state.v);
    }
    Arc::new(yardstick)
}
