//! Drives a method through a run: steps, crossings of switches, frames.

use super::Method;
use super::auto::Relief;
use super::chatter::Counter;
use super::checkpoint::Checkpoint;
use super::engine::Engine;
use super::events::{Crossing, Event, Watch};
use super::impact;
use super::ledger::Ledger;
use super::mechanism::{DENSE, Mechanism, Trouble};
use super::passage::{Ahead, Passage};
use super::run::{End, Frame, Observer, Run, Step};
use super::scales::Yardstick;
use super::settings::Settings;
use super::turns::Turns;
use super::vet::Vet;
use crate::integrate::{Outcome, StepReport, Unfit};
use crate::model::event::EventAction;
use crate::system::{Exchanged, State, Stops};
use std::ops::ControlFlow;
use std::rc::Rc;

/// How one method's part of a run ended.
pub(super) enum Next {
    End(End),
    Change(Method),
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
}

/// Crossings in a row without any progress before one step is taken unwatched.
const STANDING: usize = 8;

/// Length of that step, in parts of the one proposed.
const SHORT: f64 = 1e-7;

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
    pub(super) turns: Turns,
    relief: Relief,
    /// Crossings in a row without progress.
    pub(super) standing: usize,
    /// What came and went.
    pub(super) ledger: Ledger,
    /// How near singular positions are.
    pub(super) passage: Passage,
    pub(super) counter: Counter,
    vet: Vet,
    /// Times known before the run at which something is not smooth.
    stops: Stops,
    /// Where the steps under way are to end: at the next stop, or at the end.
    aim: f64,
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
        let (system, mut at) = (mechanism.system, checkpoint.clone());
        let (from, t, end) = (at.t_start(), at.run.state.t, settings.t_end);
        let mut stops = Stops::new(system, from, end);
        while stops.next(system) <= t && t < end {
            stops.pass(system);
        }
        stops.write(&mut at.run.state.pieces);
        Driver {
            settings,
            observer,
            room: vec![0.0; system.layout.rows],
            inside: at.run.state.clone(),
            before: at.run.state.clone(),
            watch: Watch::new(system),
            yardstick,
            turns: Turns::new(mechanism.system),
            relief: Relief::new(mechanism),
            standing: 0,
            ledger: Ledger::new(system, &at.run.state),
            passage: Passage::new(mechanism, &at.run.state),
            counter: Counter::new(system.switches(), end - from),
            vet: Vet::new(mechanism, settings, end - from),
            aim: stops.next(system),
            stops,
            at,
        }
    }

    /// A prescribed motion that jumps somewhere ahead, as far as that is known.
    pub fn jump_ahead(&self, mechanism: &Mechanism) -> Option<Trouble> {
        mechanism.system.jump_ahead(self.stops.clone()).map(Trouble::Jump)
    }

    /// Steps until the end, a failure, or a change of method. A method that was `restored` is where it was.
    pub fn go(&mut self, engine: &mut dyn Engine, restored: bool) -> Next {
        let fails = |t: f64, error: Trouble| Next::End(End::Failed(Outcome::Problem { t, error }));
        let t = self.at.run.state.t;
        if !restored && let Err(error) = engine.state(&mut self.at.run.state) {
            return fails(t, error);
        }
        if !restored {
            self.turns.start(engine.mechanism());
        }
        if self.at.steps == 0 && !restored {
            self.note_residuals(engine);
            self.ledger.start(engine, &self.at.run.state, &mut self.at.run.energy);
            self.observer.accepted(&self.at.run.state);
        }
        if self.at.frames == 0 && self.settings.frame.is_some() {
            self.inside.copy_from(&self.at.run.state);
            match self.give_frame(engine, self.at.run.energy.exchanged) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Next::End(End::Stopped),
                Err(error) => return fails(t, error),
            }
        }
        engine.reach(self.aim);
        while self.at.run.state.t != self.settings.t_end {
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
        self.ledger.depart(engine, &self.at.run.state);
        self.before.copy_from(&self.at.run.state);
        if watching || !self.vet.is_idle() {
            let Mechanism { system, work, .. } = engine.mechanism();
            // the instant may still be that of a frame
            system.set_state(work, &self.at.run.state);
            self.vet.start(system, work);
        }
        if watching {
            self.watch.start(engine);
        }
        if !watching && !self.watch.is_idle() {
            // as short as can be: nobody looks where it leads
            let h = (SHORT * engine.proposal().abs()).max(1e3 * f64::EPSILON * self.at.run.state.t.abs());
            engine.restart(&self.at.run.state, Some(h), self.aim);
        }
        let mut report = self.take(engine)?;
        let t = report.t;
        let problem = |error| Outcome::Problem { t, error };
        let crossing = if watching { self.crossing(engine, &report).map_err(problem)? } else { None };
        let (residuals, stop);
        match crossing {
            None => {
                stop = None;
                self.note_calm(engine, t, watching)?;
                self.standing = 0;
                let mechanism = engine.mechanism();
                self.turns.count(mechanism, report.h(), false);
                self.at.run.state.turns.copy_from_slice(&mechanism.work.turns);
                residuals = self.note_residuals(engine);
                let ahead = self.singular(engine, &report).map_err(problem)?;
                let until = if let Ahead::Over(theta) = ahead { theta } else { 1.0 };
                let (end, account) = (&self.at.run.state, &mut self.at.run.energy);
                self.ledger.add(engine, &report, until, Some(end), account);
                let t = self.at.run.state.t;
                if self.give_frames(engine, &report, t).map_err(problem)?.is_break() {
                    return Ok(After::Stop);
                }
                report.t = t;
                engine.mechanism().work.turns.copy_from_slice(&self.at.run.state.turns);
                self.turns.go_on();
                if let Some(h) = ahead.next(&report, engine.proposal()) {
                    engine.restart(&self.at.run.state, Some(h), self.aim);
                    self.turns.start(engine.mechanism());
                }
            }
            Some(crossing) => {
                self.ledger.add(engine, &report, crossing.theta, None, &mut self.at.run.energy);
                let given = self.give_frames(engine, &report, before(crossing.t)).map_err(problem)?;
                if given.is_break() {
                    return Ok(After::Stop);
                }
                self.standing = if crossing.t > report.t_old { 0 } else { self.standing + 1 };
                stop = self.cross(engine, &report, &crossing)?;
                // a run that fails here ends at the crossing: nothing beyond it holds
                let counted = self.counter.crossed(engine.mechanism().system, &crossing);
                let fails = |chatter| Outcome::Problem { t: crossing.t, error: Trouble::Chatter(chatter) };
                counted.map_err(fails)?;
                report.t = crossing.t;
                residuals = self.note_residuals(engine);
            }
        }
        if self.at.run.state.t == self.aim && self.aim != self.settings.t_end {
            self.pass(engine).map_err(problem)?;
        }
        let (position_residual, velocity_residual) = residuals;
        self.ledger.arrive(engine, &self.at.run.state, &mut self.at.run.energy);
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
        at.memory.keep("driver", self);
        self.observer.checkpoint(&at);
    }

    /// Brings a method, made at the state of the checkpoint, to where it was.
    pub fn restore(&mut self, engine: &mut dyn Engine) -> Result<(), Unfit> {
        let memory = std::mem::take(&mut self.at.memory);
        if !memory.recall("engine", engine)? || !memory.recall("driver", self)? {
            return Err(Unfit::new("engine"));
        }
        engine.mechanism().solves = self.at.run.accelerations;
        Ok(())
    }

    /// The run as it is if a method cannot even start.
    pub fn fails(mut self, error: Trouble) -> Run {
        self.at.run.end = End::Failed(Outcome::Problem { t: self.at.run.state.t, error });
        self.at.run
    }

    /// Singular positions in the last step or just behind it; the state is that behind them.
    fn singular(&mut self, engine: &mut dyn Engine, report: &StepReport) -> Result<Ahead, Trouble> {
        let explicit = matches!(self.at.method(), Method::Adams | Method::Dopri5 | Method::Dop853);
        let explicit = explicit && self.watch.is_idle();
        let limits = (self.settings.rtol, self.aim);
        let run = &mut self.at.run;
        let (ahead, passed) = self.passage.look(engine, report, limits, explicit, run)?;
        if let Some((t, what)) = passed {
            let event = Event { t, what };
            self.observer.event(&event);
            self.at.run.events.push(event);
        }
        Ok(ahead)
    }

    /// One step that has seen what acts from outside, with its end as the state; one that has not is taken anew,
    /// shorter. Where something depends on an angle, no step turns it too far.
    fn take(&mut self, engine: &mut dyn Engine) -> Result<StepReport, Outcome<Trouble>> {
        let bounded = self.turns.bound_steps() && !self.settings.method.has_fixed_step();
        if bounded {
            engine.limit(self.turns.longest());
        }
        loop {
            let report = engine.step()?;
            let t = report.t;
            engine.state(&mut self.at.run.state).map_err(|error| Outcome::Problem { t, error })?;
            let mut shorter = None;
            if bounded {
                let counted = self.turns.count(engine.mechanism(), report.h(), true);
                engine.mechanism().work.turns.copy_from_slice(&self.before.turns);
                shorter = (!counted).then_some(0.5);
            }
            if shorter.is_none() && !self.vet.is_idle() {
                let Mechanism { system, work, .. } = engine.mechanism();
                let scales = (&*self.yardstick, &self.at.run.state);
                shorter = self.vet.look(system, work, &report, self.at.method(), scales);
            }
            let Some(part) = shorter else { return Ok(report) };
            let h = part * report.h().abs();
            engine.restart(&self.before, Some(h), self.aim);
            if bounded {
                engine.limit(h.min(self.turns.longest()));
            }
            self.at.run.state.copy_from(&self.before);
        }
    }

    /// Whether the implicit method that `auto` went over to is no longer needed.
    fn relieved(&mut self, engine: &mut dyn Engine, report: &StepReport) -> Result<bool, Trouble> {
        if self.settings.method != Method::Auto || !Relief::due(&self.at.run, self.at.steps) {
            return Ok(false);
        }
        self.yardstick.write(&mut self.at.run.scales);
        // a step that is about to grow is none that an explicit method could take
        let h = report.h().abs().max(engine.proposal().abs());
        self.relief.look(engine.mechanism(), &self.at.run, h)
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
        let stored = mechanism.system.potential_energy(&mechanism.work);
        let stop = self.switch(engine, crossing);
        self.ledger.switched(engine, stored, &mut self.at.run.energy);
        self.passage.forget(&mut self.at.run);
        let Mechanism { work, .. } = engine.mechanism();
        self.at.run.state.turns.copy_from_slice(&work.turns);
        self.at.run.state.pieces.copy_from_slice(&work.pieces);
        engine.restart(&self.at.run.state, Some(report.h()), self.aim);
        engine.state(&mut self.at.run.state).map_err(problem)?;
        self.turns.start(engine.mechanism());
        Ok(stop)
    }

    /// Notes a step without a crossing; an error if it was not looked for and would have been the third in a row.
    fn note_calm(&mut self, engine: &mut dyn Engine, t: f64, watching: bool) -> Result<(), Outcome<Trouble>> {
        if watching || self.watch.is_idle() {
            self.counter.calm();
            return Ok(());
        }
        let Mechanism { system, work, .. } = engine.mechanism();
        let wrong = self.watch.is_wrong(system, work);
        let noted = self.counter.unwatched(system, t, wrong);
        noted.map_err(|chatter| Outcome::Problem { t, error: Trouble::Chatter(chatter) })
    }

    /// Goes on behind a stop: other pieces, an impact where a velocity jumps. What is continuous needs no restart.
    fn pass(&mut self, engine: &mut dyn Engine) -> Result<(), Trouble> {
        let h = engine.proposal().abs();
        let mechanism = engine.mechanism();
        let system = mechanism.system;
        self.stops.pass(system);
        self.aim = self.stops.next(system);
        system.set_state(&mut mechanism.work, &self.at.run.state);
        system.pass_stop(&self.stops, &mut mechanism.work);
        let of = |what: fn(&crate::element::switch::Switch) -> bool| {
            self.stops.passed().iter().any(|&(k, _)| what(&system.switches[k]))
        };
        if of(|switch| switch.drives())
            && let Some(impact) = impact::pass(mechanism, &mut self.at.run.state)?
        {
            let event = Event { t: self.at.run.state.t, what: impact.what };
            self.observer.event(&event);
            self.at.run.events.push(event);
            self.ledger.struck(impact.work, &mut self.at.run.energy);
            self.passage.forget(&mut self.at.run);
        }
        self.ledger.forget();
        self.at.run.state.pieces.copy_from_slice(&mechanism.work.pieces);
        if of(|switch| switch.jumps()) {
            engine.restart(&self.at.run.state, (h > 0.0).then_some(h), self.aim);
            engine.state(&mut self.at.run.state)?;
            self.turns.start(engine.mechanism());
            return Ok(());
        }
        engine.reach(self.aim);
        Ok(())
    }

    /// Goes over to the next pieces; the event that ends the run, if one does.
    fn switch(&mut self, engine: &mut dyn Engine, crossing: &Crossing) -> Option<Event> {
        let Mechanism { system, work, .. } = engine.mechanism();
        let mut stop = None;
        for &k in &crossing.switches {
            let from = work.pieces[k];
            match crossing.leaves.iter().find(|leaves| leaves.0 == k) {
                Some(&(_, piece)) => system.switch_to(k, piece, work),
                None => system.switch_over(k, work),
            }
            let to = work.pieces[k];
            if system.switch_happens(k, from, to) && !system.switch_is_implicit(k) {
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
            let exchanged = if t == self.at.run.state.t {
                self.inside.copy_from(&self.at.run.state);
                self.at.run.energy.exchanged
            } else {
                let theta = (t - report.t_old) / report.h();
                let turns = &mut engine.mechanism().work.turns;
                self.turns.inside(theta, turns);
                engine.inside(theta, t, &mut self.inside)?;
                self.ledger.inside(t - report.t_old)
            };
            if self.give_frame(engine, exchanged)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
    }

    fn give_frame(
        &mut self,
        engine: &mut dyn Engine,
        exchanged: Exchanged,
    ) -> Result<ControlFlow<()>, Trouble> {
        self.at.frames += 1;
        let mechanism = engine.mechanism();
        mechanism.accelerate(self.inside.t, &self.inside.q, &self.inside.v)?;
        let Mechanism { system, work, result, .. } = mechanism;
        work.exchanged = exchanged;
        Ok(self.observer.frame(&Frame { system, state: &self.inside, work, accelerations: result }))
    }
}
