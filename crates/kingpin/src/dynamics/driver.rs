//! Drives a method through a run: steps, crossings of switches, frames.

use super::Method;
use super::checkpoint::Checkpoint;
use super::engine::Engine;
use super::events::{Crossing, Event, Watch};
use super::mechanism::{DENSE, Mechanism, Trouble};
use super::run::{End, Frame, Observer, Run, Step};
use super::scales::Yardstick;
use super::settings::Settings;
use crate::integrate::{Outcome, StepReport, Unfit};
use crate::model::event::EventAction;
use crate::system::State;
use std::ops::ControlFlow;
use std::rc::Rc;

/// How one method's part of a run ended.
pub(super) enum Next {
    End(End),
    Change(Method),
}

impl Next {
    /// The size of the next step: another method has its own idea.
    pub fn step_of(&self, engine: &dyn Engine) -> Option<f64> {
        let h = engine.proposal().abs();
        (h > 0.0 && !matches!(self, Next::Change(_))).then_some(h)
    }
}

/// What a step led to.
enum After {
    Go,
    Stop,
    Event(Event),
    Change(Method),
}

/// Crossings in a row without any progress before one step is taken unwatched.
const STANDING: usize = 8;

/// Crossings noted in one step before the others are left alone.
const QUIET: usize = 16;

/// The last moment before a time.
fn before(t: f64) -> f64 {
    t - 4.0 * f64::EPSILON * t.abs()
}

/// Drives a method through a run.
pub(super) struct Driver<'o> {
    settings: &'o Settings,
    pub observer: &'o mut dyn Observer,
    /// Where the run is.
    pub at: Checkpoint,
    /// One place per equation.
    room: Vec<f64>,
    inside: State,
    /// State before the step, where there are switches to watch.
    before: State,
    watch: Watch,
    /// What errors are measured against.
    yardstick: Rc<Yardstick>,
    /// Crossings in a row without progress.
    standing: usize,
}

impl<'o> Driver<'o> {
    /// Ready to go on from a checkpoint.
    pub fn new(
        mechanism: &Mechanism,
        checkpoint: &Checkpoint,
        settings: &'o Settings,
        yardstick: Rc<Yardstick>,
        observer: &'o mut dyn Observer,
    ) -> Self {
        let state = &checkpoint.run.state;
        Driver {
            settings,
            observer,
            at: checkpoint.clone(),
            room: vec![0.0; mechanism.system.layout.rows],
            inside: state.clone(),
            before: state.clone(),
            watch: Watch::new(mechanism.system.switches()),
            yardstick,
            standing: 0,
        }
    }

    /// Steps until the end, a failure, or a change of method. A method that was `restored` is where it was.
    pub fn go(&mut self, engine: &mut dyn Engine, restored: bool) -> Next {
        let fails = |t: f64, error: Trouble| Next::End(End::Failed(Outcome::Problem { t, error }));
        let t = self.at.run.state.t;
        if !restored && let Err(error) = engine.state(&mut self.at.run.state) {
            return fails(t, error);
        }
        if self.at.steps == 0 && !restored {
            self.note_residuals(engine);
            self.observer.accepted(&self.at.run.state);
        }
        if self.at.frames == 0 && self.settings.frame.is_some() {
            self.inside.copy_from(&self.at.run.state);
            match self.give_frame(engine) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Next::End(End::Stopped),
                Err(error) => return fails(t, error),
            }
        }
        while !engine.finished() {
            if self.at.steps == self.settings.most_steps {
                let (t, steps) = (self.at.run.state.t, self.at.steps);
                return Next::End(End::Failed(Outcome::TooManySteps { t, steps }));
            }
            self.save_if_wanted(engine);
            self.at.steps += 1;
            match self.step(engine) {
                Ok(After::Go) => {}
                Ok(After::Stop) => return Next::End(End::Stopped),
                Ok(After::Event(event)) => return Next::End(End::Event(event)),
                Ok(After::Change(method)) => return Next::Change(method),
                Err(outcome) => return Next::End(End::Failed(outcome)),
            }
        }
        Next::End(End::Reached)
    }

    fn step(&mut self, engine: &mut dyn Engine) -> Result<After, Outcome<Trouble>> {
        let newton = engine.statistics().newton_iterations;
        let watching = !self.watch.is_idle() && self.standing < STANDING;
        if watching {
            self.before.copy_from(&self.at.run.state);
            // frames may have moved the instant
            let Mechanism { system, work, .. } = engine.mechanism();
            system.set_state(work, &self.before);
            self.watch.start(engine);
        }
        let mut report = engine.step()?;
        let t = report.t;
        let problem = |error| Outcome::Problem { t, error };
        engine.state(&mut self.at.run.state).map_err(problem)?;
        let crossing = if watching { self.crossing(engine, &report).map_err(problem)? } else { None };
        let (residuals, stop);
        match crossing {
            None => {
                (self.standing, stop) = (0, None);
                let Mechanism { system, work, .. } = engine.mechanism();
                system.count_turns(work);
                self.at.run.state.turns.copy_from_slice(&work.turns);
                residuals = self.note_residuals(engine);
                if self.give_frames(engine, &report, report.t).map_err(problem)?.is_break() {
                    return Ok(After::Stop);
                }
            }
            Some(crossing) => {
                let given = self.give_frames(engine, &report, before(crossing.t)).map_err(problem)?;
                if given.is_break() {
                    return Ok(After::Stop);
                }
                self.standing = if crossing.t > report.t_old { 0 } else { self.standing + 1 };
                stop = self.cross(engine, &report, &crossing)?;
                report.t = crossing.t;
                residuals = self.note_residuals(engine);
            }
        }
        let (position_residual, velocity_residual) = residuals;
        let State { t, q, v, .. } = &self.at.run.state;
        self.yardstick.note(*t, q, v);
        self.observer.accepted(&self.at.run.state);
        let newton_iterations = engine.statistics().newton_iterations - newton;
        let method = self.at.method();
        let step = Step { report, method, newton_iterations, position_residual, velocity_residual };
        if self.observer.step(&step).is_break() {
            return Ok(After::Stop);
        }
        if let Some(event) = stop {
            return Ok(After::Event(event));
        }
        engine.settle().map_err(problem)?;
        let explicit = matches!(method, Method::Dopri5 | Method::Dop853);
        let small = engine.mechanism().freedoms() <= DENSE;
        if self.settings.method == Method::Auto && explicit && report.stiff && small {
            return Ok(After::Change(Method::ForRosen));
        }
        Ok(After::Go)
    }

    /// Gives the observer a checkpoint, if it wants one.
    fn save_if_wanted(&mut self, engine: &mut dyn Engine) {
        let rest = (self.settings.t_end - self.at.run.state.t).abs();
        // where a step ends at the end of the run exactly
        let last = engine.proposal().abs() * 1.01 >= rest;
        if !self.observer.wants_checkpoint(last) {
            return;
        }
        let mut at = self.at.clone();
        at.h = Some(engine.proposal().abs()).filter(|h| *h > 0.0);
        at.run.statistics = at.run.statistics.plus(engine.statistics());
        at.run.repartitions += engine.repartitions();
        at.run.accelerations = engine.mechanism().solves;
        self.yardstick.write(&mut at.run.scales);
        at.memory.keep("engine", engine as &dyn Engine);
        at.memory.keep("driver", &(self.standing, self.settings.t_end));
        self.observer.checkpoint(&at);
    }

    /// Brings a method, made at the state of the checkpoint, to where it was.
    pub fn restore(&mut self, engine: &mut dyn Engine) -> Result<(), Unfit> {
        let memory = std::mem::take(&mut self.at.memory);
        let mut own = (0, 0.0);
        if !memory.recall("engine", engine)? || !memory.recall("driver", &mut own)? {
            return Err(Unfit::new("engine"));
        }
        self.standing = own.0;
        if own.1 != self.settings.t_end {
            engine.reach(self.settings.t_end);
        }
        engine.mechanism().solves = self.at.run.accelerations;
        Ok(())
    }

    /// The run as it is if a method cannot even start.
    pub fn fails(mut self, error: Trouble) -> Run {
        self.at.run.end = End::Failed(Outcome::Problem { t: self.at.run.state.t, error });
        self.at.run
    }

    /// The first crossing in the last step that changes forces or ends the run; others are noted on the way.
    fn crossing(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
    ) -> Result<Option<Crossing>, Trouble> {
        for _ in 0..QUIET {
            let Some(crossing) = self.watch.look(engine, report, &mut self.inside)? else { break };
            let Mechanism { system, work, .. } = engine.mechanism();
            let quiet = crossing.switches.iter().all(|&k| system.switch_is_quiet(k, work));
            if !quiet {
                return Ok(Some(crossing));
            }
            self.switch(engine, &crossing);
            // forces do not know of it, so the step may be taken anew with it
            self.before.pieces.copy_from_slice(&engine.mechanism().work.pieces);
            self.watch.go_on(engine, &crossing);
            engine.state(&mut self.at.run.state)?;
        }
        if self.watch.moved {
            engine.state(&mut self.at.run.state)?;
        }
        Ok(None)
    }

    /// Ends the step at a crossing and starts behind it; what has happened if the run is to stop there.
    fn cross(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        crossing: &Crossing,
    ) -> Result<Option<Event>, Outcome<Trouble>> {
        let t = crossing.t;
        engine.cut(crossing.theta, t, &self.before, &mut self.at.run.state)?;
        let problem = |error| Outcome::Problem { t, error };
        let Mechanism { system, work, .. } = engine.mechanism();
        system.set_state(work, &self.at.run.state);
        system.count_turns(work);
        let stop = self.switch(engine, crossing);
        let Mechanism { work, .. } = engine.mechanism();
        self.at.run.state.turns.copy_from_slice(&work.turns);
        self.at.run.state.pieces.copy_from_slice(&work.pieces);
        engine.restart(&self.at.run.state, Some(report.h()), self.settings.t_end);
        engine.state(&mut self.at.run.state).map_err(problem)?;
        Ok(stop)
    }

    /// Goes over to the next pieces; the event that ends the run, if one does.
    fn switch(&mut self, engine: &mut dyn Engine, crossing: &Crossing) -> Option<Event> {
        let Mechanism { system, work, .. } = engine.mechanism();
        let mut stop = None;
        for &k in &crossing.switches {
            let from = work.pieces[k];
            system.switch_over(k, work);
            let to = work.pieces[k];
            if system.switch_happens(k, from, to) {
                let event = Event { t: crossing.t, what: system.switch_event(k, from, to) };
                if system.switch_action(k) == Some(EventAction::Stop) {
                    stop = Some(event.clone());
                }
                self.observer.event(&event);
                self.at.run.events.push(event);
            }
        }
        stop
    }

    /// Residuals at the state just evaluated.
    fn note_residuals(&mut self, engine: &mut dyn Engine) -> (f64, f64) {
        let mechanism = engine.mechanism();
        let position = mechanism.position_residual();
        let velocity = mechanism.velocity_residual(&self.at.run.state.v, &mut self.room);
        self.at.run.position_residual = self.at.run.position_residual.max(position);
        self.at.run.velocity_residual = self.at.run.velocity_residual.max(velocity);
        (position, velocity)
    }

    /// Frames of the last step up to a time.
    fn give_frames(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        until: f64,
    ) -> Result<ControlFlow<()>, Trouble> {
        let Some(every) = self.settings.frame else { return Ok(ControlFlow::Continue(())) };
        loop {
            let mut t = self.at.frames as f64 * every + self.at.t_start();
            // the end of the run is a frame even where rounding puts it a little beyond
            if (t - until).abs() < 1e-9 * every {
                t = until;
            }
            if t > until {
                return Ok(ControlFlow::Continue(()));
            }
            if t == self.at.run.state.t {
                self.inside.copy_from(&self.at.run.state);
            } else {
                let theta = (t - report.t_old) / report.h();
                engine.inside(theta, t, &mut self.inside)?;
            }
            if self.give_frame(engine)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }

    fn give_frame(&mut self, engine: &mut dyn Engine) -> Result<ControlFlow<()>, Trouble> {
        self.at.frames += 1;
        let mechanism = engine.mechanism();
        mechanism.accelerate(self.inside.t, &self.inside.q, &self.inside.v)?;
        let Mechanism { system, work, result, .. } = mechanism;
        Ok(self.observer.frame(&Frame { system, state: &self.inside, work, accelerations: result }))
    }
}
