//! Drives a method through a run: steps, crossings of switches, frames.

use super::Method;
use super::auto::Relief;
use super::checkpoint::Checkpoint;
use super::engine::Engine;
use super::events::{Crossing, Event, Watch};
use super::mechanism::{DENSE, Mechanism, Trouble};
use super::run::{End, Frame, Observer, Step};
use super::scales::Yardstick;
use super::settings::Settings;
use super::turns::Turns;
use crate::integrate::{Outcome, StepReport};
use crate::model::event::EventAction;
use crate::system::State;
use std::ops::ControlFlow;
use std::rc::Rc;

/// How one method's part of a run ended.
pub(super) enum Next {
    End(End),
    Change(Method),
    Checkpoint,
}

impl Next {
    /// The size of the next step; another method begins with it too.
    pub fn step_of(&self, engine: &dyn Engine) -> Option<f64> {
        let h = engine.proposal().abs();
        (h > 0.0).then_some(h)
    }
}

/// What a step led to.
enum After {
    Go,
    Stop,
    Event(Event),
    Change(Method),
    Checkpoint,
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
    turns: Turns,
    relief: Relief,
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
            turns: Turns::new(mechanism.system),
            relief: Relief::new(mechanism),
            standing: 0,
        }
    }

    /// Steps until the end, a failure, a checkpoint, or a change of method.
    pub fn go(&mut self, engine: &mut dyn Engine) -> Next {
        let fails = |t: f64, error: Trouble| Next::End(End::Failed(Outcome::Problem { t, error }));
        let t = self.at.run.state.t;
        if let Err(error) = engine.state(&mut self.at.run.state) {
            return fails(t, error);
        }
        self.turns.start(engine.mechanism());
        if self.at.steps == 0 {
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
            self.at.steps += 1;
            match self.step(engine) {
                Ok(After::Go) => {}
                Ok(After::Stop) => return Next::End(End::Stopped),
                Ok(After::Event(event)) => return Next::End(End::Event(event)),
                Ok(After::Change(method)) => return Next::Change(method),
                Ok(After::Checkpoint) => return Next::Checkpoint,
                Err(outcome) => return Next::End(End::Failed(outcome)),
            }
        }
        Next::End(End::Reached)
    }

    fn step(&mut self, engine: &mut dyn Engine) -> Result<After, Outcome<Trouble>> {
        let newton = engine.statistics().newton_iterations;
        let watching = !self.watch.is_idle() && self.standing < STANDING;
        if watching {
            self.watch.start(engine);
        }
        let mut report = self.take(engine)?;
        let t = report.t;
        let problem = |error| Outcome::Problem { t, error };
        let crossing = if watching { self.crossing(engine, &report).map_err(problem)? } else { None };
        let (residuals, stop);
        match crossing {
            None => {
                (self.standing, stop) = (0, None);
                let mechanism = engine.mechanism();
                self.turns.count(mechanism, report.h(), false);
                self.at.run.state.turns.copy_from_slice(&mechanism.work.turns);
                residuals = self.note_residuals(engine);
                if self.give_frames(engine, &report, report.t).map_err(problem)?.is_break() {
                    return Ok(After::Stop);
                }
                engine.mechanism().work.turns.copy_from_slice(&self.at.run.state.turns);
                self.turns.go_on();
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
        let relieved = self.relieved(engine, &report).map_err(problem)?;
        engine.settle().map_err(problem)?;
        let explicit = matches!(method, Method::Dopri5 | Method::Dop853);
        let small = engine.mechanism().freedoms() <= DENSE;
        let auto = self.settings.method == Method::Auto;
        if auto && explicit && report.stiff && small {
            return Ok(After::Change(Method::ForRosen));
        }
        if auto && relieved {
            return Ok(After::Change(Method::Dop853));
        }
        // in the middle of a cluster of crossings there is more to remember than a checkpoint holds
        let due = self.settings.checkpoint.is_some_and(|every| self.at.steps.is_multiple_of(every.max(1)));
        Ok(if due && self.standing == 0 { After::Checkpoint } else { After::Go })
    }

    /// One step, with its end as the state. Where something depends on an angle, no step turns it too far.
    fn take(&mut self, engine: &mut dyn Engine) -> Result<StepReport, Outcome<Trouble>> {
        self.before.copy_from(&self.at.run.state);
        let bounded = self.turns.bound_steps() && !self.settings.method.has_fixed_step();
        if bounded {
            engine.limit(self.turns.longest());
        }
        loop {
            let report = engine.step()?;
            let t = report.t;
            engine.state(&mut self.at.run.state).map_err(|error| Outcome::Problem { t, error })?;
            if !bounded || self.turns.count(engine.mechanism(), report.h(), true) {
                engine.mechanism().work.turns.copy_from_slice(&self.before.turns);
                return Ok(report);
            }
            engine.restart(&self.before, Some(0.5 * report.h()), self.settings.t_end);
            engine.limit(0.5 * report.h());
        }
    }

    /// Whether the implicit method that `auto` went over to is no longer needed.
    fn relieved(&mut self, engine: &mut dyn Engine, report: &StepReport) -> Result<bool, Trouble> {
        if self.settings.method != Method::Auto || !Relief::due(&self.at.run, self.at.steps) {
            return Ok(false);
        }
        self.yardstick.write(&mut self.at.run.scales);
        self.relief.look(engine.mechanism(), &self.at.run, report.h())
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
        let mechanism = engine.mechanism();
        mechanism.system.set_state(&mut mechanism.work, &self.at.run.state);
        self.turns.count(mechanism, t - report.t_old, false);
        let stop = self.switch(engine, crossing);
        let Mechanism { work, .. } = engine.mechanism();
        self.at.run.state.turns.copy_from_slice(&work.turns);
        self.at.run.state.pieces.copy_from_slice(&work.pieces);
        engine.restart(&self.at.run.state, Some(report.h()), self.settings.t_end);
        engine.state(&mut self.at.run.state).map_err(problem)?;
        self.turns.start(engine.mechanism());
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
                let turns = &mut engine.mechanism().work.turns;
                self.turns.inside(theta, turns);
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
