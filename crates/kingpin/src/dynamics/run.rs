//! A run over time: steps, frames, and what became of it.

use super::Method;
use super::engine::{Engine, engine};
use super::events::{Crossing, Event, Watch};
use super::mechanism::{DENSE, Mechanism, Trouble};
use super::settings::Settings;
use crate::accel::Accelerations;
use crate::integrate::{Outcome, Statistics, StepReport};
use crate::model::event::EventAction;
use crate::system::{State, System, Work};
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
    /// Accelerations and multipliers.
    pub accelerations: &'a Accelerations,
}

/// An accepted step.
#[derive(Clone, Copy, Debug, PartialEq)]
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

/// Who watches a run. Breaking stops it after the step under way.
pub trait Observer {
    /// An instant asked for by [`Settings::frame`]; the first is the start.
    fn frame(&mut self, _: &Frame) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// Something happened: a tyre met a bump or lost the ground, an event of the user.
    fn event(&mut self, _: &Event) {}
    /// A state was accepted: the start, then the state after each step, before [`Observer::step`] is called.
    fn accepted(&mut self, _: &State) {}
    /// A step was accepted.
    fn step(&mut self, _: &Step) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
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
    /// Changes of the independent coordinates.
    pub repartitions: usize,
    /// Largest residual of the position equations over all accepted states.
    pub position_residual: f64,
    /// Largest residual of the velocity equations over all accepted states.
    pub velocity_residual: f64,
    /// The methods used, each with the time from which on.
    pub methods: Vec<(f64, Method)>,
    /// What happened on the way.
    pub events: Vec<Event>,
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
    Event(Event),
    /// It could not go on.
    Failed(Outcome<Trouble>),
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
    let mechanism = Mechanism::new(system, redundant, settings.solver);
    simulate_with(mechanism, start, settings, observer)
}

/// As [`simulate`], with a mechanism prepared before.
pub fn simulate_with(
    mechanism: Mechanism,
    start: &State,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Run {
    let settings = &settings.for_freedoms(mechanism.freedoms(), start.t);
    let first = match settings.method {
        Method::Auto if settings.position.rtol > 3e-6 => Method::Dopri5,
        Method::Auto => Method::Dop853,
        method => method,
    };
    let run = Run {
        state: start.clone(),
        statistics: Statistics::default(),
        accelerations: 0,
        repartitions: 0,
        position_residual: 0.0,
        velocity_residual: 0.0,
        methods: vec![(start.t, first)],
        events: Vec::new(),
        end: End::Reached,
    };
    let room = vec![0.0; mechanism.system.layout.rows];
    let watch = Watch::new(mechanism.system.switches());
    let mut driver = Driver {
        settings,
        observer,
        run,
        room,
        frames: 0,
        steps: 0,
        inside: start.clone(),
        before: start.clone(),
        watch,
        standing: 0,
    };
    let mut state = start.clone();
    let (mut mechanism, mut method, mut h) = (mechanism, first, settings.h);
    loop {
        let mut engine = match engine(method, mechanism, &state, settings, h) {
            Ok(engine) => engine,
            Err(error) => {
                driver.run.end = End::Failed(Outcome::Problem { t: state.t, error });
                return driver.run;
            }
        };
        let next = driver.go(&mut *engine);
        driver.run.statistics = driver.run.statistics.plus(engine.statistics());
        driver.run.repartitions += engine.repartitions();
        mechanism = engine.into_mechanism();
        driver.run.accelerations = mechanism.solves;
        match next {
            Next::End(end) => {
                driver.run.end = end;
                return driver.run;
            }
            Next::Change(other) => {
                driver.run.methods.push((driver.run.state.t, other));
                state.copy_from(&driver.run.state);
                (method, h) = (other, None);
            }
        }
    }
}

/// How one method's part of a run ended.
enum Next {
    End(End),
    Change(Method),
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

struct Driver<'o> {
    settings: &'o Settings,
    observer: &'o mut dyn Observer,
    run: Run,
    /// One place per equation.
    room: Vec<f64>,
    /// Frames given and steps taken so far.
    frames: usize,
    steps: usize,
    inside: State,
    /// State before the step, where there are switches to watch.
    before: State,
    watch: Watch,
    /// Crossings in a row without progress.
    standing: usize,
}

impl Driver<'_> {
    /// Steps until the end, a failure, or a change of method.
    fn go(&mut self, engine: &mut dyn Engine) -> Next {
        let fails = |t: f64, error: Trouble| Next::End(End::Failed(Outcome::Problem { t, error }));
        let t = self.run.state.t;
        if let Err(error) = engine.state(&mut self.run.state) {
            return fails(t, error);
        }
        if self.steps == 0 {
            self.note_residuals(engine);
            self.observer.accepted(&self.run.state);
        }
        if self.frames == 0 && self.settings.frame.is_some() {
            self.inside.copy_from(&self.run.state);
            match self.give_frame(engine) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Next::End(End::Stopped),
                Err(error) => return fails(t, error),
            }
        }
        while !engine.finished() {
            if self.steps == self.settings.most_steps {
                let (t, steps) = (self.run.state.t, self.steps);
                return Next::End(End::Failed(Outcome::TooManySteps { t, steps }));
            }
            self.steps += 1;
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
            self.before.copy_from(&self.run.state);
            self.watch.start(engine);
        }
        let mut report = engine.step()?;
        let t = report.t;
        let problem = |error| Outcome::Problem { t, error };
        engine.state(&mut self.run.state).map_err(problem)?;
        let crossing = if watching { self.crossing(engine, &report).map_err(problem)? } else { None };
        let (residuals, stop);
        match crossing {
            None => {
                (self.standing, stop) = (0, None);
                let Mechanism { system, work, .. } = engine.mechanism();
                system.count_turns(work);
                self.run.state.turns.copy_from_slice(&work.turns);
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
        self.observer.accepted(&self.run.state);
        let newton_iterations = engine.statistics().newton_iterations - newton;
        let method = self.run.methods.last().map_or(Method::Auto, |m| m.1);
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
            engine.state(&mut self.run.state)?;
        }
        if self.watch.moved {
            engine.state(&mut self.run.state)?;
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
        engine.cut(crossing.theta, t, &self.before, &mut self.run.state)?;
        let problem = |error| Outcome::Problem { t, error };
        let Mechanism { system, work, .. } = engine.mechanism();
        system.set_state(work, &self.run.state);
        system.count_turns(work);
        let stop = self.switch(engine, crossing);
        let Mechanism { work, .. } = engine.mechanism();
        self.run.state.turns.copy_from_slice(&work.turns);
        self.run.state.pieces.copy_from_slice(&work.pieces);
        engine.restart(&self.run.state, Some(report.h()), self.settings.t_end);
        engine.state(&mut self.run.state).map_err(problem)?;
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
                self.run.events.push(event);
            }
        }
        stop
    }

    /// Residuals at the state just evaluated.
    fn note_residuals(&mut self, engine: &mut dyn Engine) -> (f64, f64) {
        let mechanism = engine.mechanism();
        let position = mechanism.position_residual();
        let velocity = mechanism.velocity_residual(&self.run.state.v, &mut self.room);
        self.run.position_residual = self.run.position_residual.max(position);
        self.run.velocity_residual = self.run.velocity_residual.max(velocity);
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
            let mut t = self.frames as f64 * every + self.run.methods[0].0;
            // the end of the run is a frame even where rounding puts it a little beyond
            if (t - until).abs() < 1e-9 * every {
                t = until;
            }
            if t > until {
                return Ok(ControlFlow::Continue(()));
            }
            if t == self.run.state.t {
                self.inside.copy_from(&self.run.state);
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
        self.frames += 1;
        let mechanism = engine.mechanism();
        mechanism.accelerate(self.inside.t, &self.inside.q, &self.inside.v)?;
        let Mechanism { system, work, result, .. } = mechanism;
        Ok(self.observer.frame(&Frame { system, state: &self.inside, work, accelerations: result }))
    }
}
