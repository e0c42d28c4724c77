//! A run that can be driven on step by step.

use super::checkpoint::Checkpoint;
use super::driver::{Next, Pilot};
use super::holding::Bench;
use super::{Observer, Run, Unwatched, holding};
use crate::accel::Pcg;
use crate::dynamics::instant::readings::{not_sparse, not_unique};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::scales::{Four, Scale, Scales, Yardstick, expect, predict};
use crate::dynamics::stepping::engine::{Engine, Setup, engine};
use crate::dynamics::stepping::{Matrices, Method, Settings};
use crate::integrate::Unfit;
use crate::system::State;
use std::sync::Arc;

/// A run between two steps. One method drives it after the other; what became of it so far can be seen at any time.
pub struct Course<'a> {
    driver: Pilot,
    settings: Settings,
    /// What errors are measured against.
    yardstick: Arc<Yardstick>,
    /// Mechanisms with what holds.
    bench: Bench<'a>,
    stage: Stage<'a>,
}

/// How far ahead forces are looked at where something is let go, at most, in parts of what is left of the run.
const AHEAD: f64 = 0.01;

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
        let mut from = from.clone();
        let sampled = if from.memory.is_empty() {
            sample_start(&mut mechanism, &mut from.run.state, settings)
        } else {
            Ok(())
        };
        let from = &from;
        let settings = settings.for_freedoms(mechanism.freedoms(), from.t_start());
        let yardstick = yardstick(&mut mechanism, from, &settings);
        let driver = Pilot::new(&mechanism, from, &settings, yardstick.clone());
        let jump = driver.jump_ahead(&mechanism);
        mechanism.solves = from.run.accelerations;
        let bench = Bench::new(mechanism.system, mechanism.accelerator.problem.clone(), settings.solver);
        let mut course = Course { driver, settings, yardstick, bench, stage: Stage::Over };
        if let Err(error) = sampled.and_then(|()| course.start(&mut mechanism, from.steps == 0)) {
            course.driver.at.run.end = course.driver.cannot_start(error);
            return Ok(course);
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
        let sparse = self.settings.matrices == Matrices::Sparse && !method.is_explicit();
        if let Some(trouble) = not_sparse(self.bench.base, sparse) {
            return Err(trouble);
        }
        let at = &self.driver.at;
        let (state, h) = (&at.run.state, at.h);
        engine(method, Setup { mechanism, state, settings: &self.settings, yardstick: &self.yardstick, h })
    }

    /// Finds out what holds where a run begins, and what can be told at all.
    fn start(&mut self, mechanism: &mut Dynamics, begins: bool) -> Result<(), Trouble> {
        let state = &mut self.driver.at.run.state;
        mechanism.system.set_state(&mut mechanism.work, state);
        if let Some(trouble) = not_unique(mechanism) {
            return Err(trouble);
        }
        if begins && mechanism.system.reads_in_switches {
            mechanism.evaluate()?;
            mechanism.system.settle_pieces(&mut mechanism.work);
            state.pieces.copy_from_slice(&mechanism.work.pieces);
        }
        if begins && !mechanism.system.holds.is_empty() {
            let unseen = self.driver.unseen(self.bench.base);
            holding::settle_start(&mut self.bench, &mut self.driver.at.run.state, &unseen)?;
        }
        Ok(())
    }

    /// The mechanism with what is held at the state of the run.
    fn held(&mut self, mechanism: Dynamics<'a>) -> Dynamics<'a> {
        let active = self.bench.base.active_holds(&self.driver.at.run.state.pieces);
        if mechanism.system.active == active {
            return mechanism;
        }
        let mut other = self.bench.dynamics(&active);
        (other.solves, other.corrections) = (mechanism.solves, mechanism.corrections);
        self.driver.adapt(&other);
        other
    }

    /// Finds out what becomes of all that may hold where some of it has changed, or at a state that somebody else has made.
    /// `false` if that cannot be told: the run is over.
    fn settle(
        &mut self,
        (mechanism, ahead): (Dynamics<'a>, f64),
        met: Option<&[usize]>,
        observer: &mut dyn Observer,
    ) -> bool {
        let unseen = self.driver.unseen(self.bench.base);
        let state = &mut self.driver.at.run.state;
        self.bench.solves = 0;
        let settled = match met {
            Some(met) => holding::settle(&mut self.bench, state, met, &unseen),
            None => holding::settle_start(&mut self.bench, state, &unseen),
        };
        match settled {
            Ok(settled) => {
                self.driver.note_settled(self.bench.base, settled, observer);
                let before = mechanism.freedoms();
                let mut mechanism = self.held(mechanism);
                mechanism.solves += self.bench.solves;
                if mechanism.freedoms() > before {
                    self.foresee(&mut mechanism, ahead);
                }
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

    /// What is let go may get as far as forces take it, which may begin with none: those a little later count too.
    fn foresee(&mut self, mechanism: &mut Dynamics, ahead: f64) {
        let state = &self.driver.at.run.state;
        let rest = self.settings.t_end - state.t;
        let by = AHEAD * rest.abs();
        let by = rest.signum() * if ahead > 0.0 { ahead.min(by) } else { by };
        let later = a_little_later(mechanism, state, by);
        self.yardstick.predict(mechanism, &later, f64::INFINITY);
        self.yardstick.expect(mechanism, &later, by);
        self.yardstick.predict(mechanism, state, f64::INFINITY);
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
                && !self.change(next, observer)
            {
                return false;
            }
        }
    }

    /// Takes leave of a method; whether another one goes on.
    fn change(&mut self, next: Next, observer: &mut dyn Observer) -> bool {
        let (Stage::Going(engine) | Stage::Made(engine, _)) = std::mem::replace(&mut self.stage, Stage::Over)
        else {
            return false;
        };
        let at = &mut self.driver.at;
        at.h = next.step_of(&*engine);
        if let (Next::Hold(_), Method::Adams) = (&next, at.method()) {
            // a method of many steps begins with short ones
            at.h = Some(2e-2 * self.settings.rtol.sqrt() * engine.proposal().abs()).filter(|h| *h > 0.0);
        }
        at.run.statistics = at.run.statistics.plus(engine.statistics());
        at.run.repartitions += engine.renewals();
        let ahead = engine.proposal().abs();
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
            Next::Hold(met) => self.settle((mechanism, ahead), met.as_deref(), observer),
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

    /// The result so far. Before the end, what the method under way counts is not yet in the statistics.
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
                    Ok(()) if !self.bench.base.holds.is_empty() => {
                        self.change(Next::Hold(None), &mut Unwatched)
                    }
                    Ok(()) => true,
                    Err(error) => self.change(Next::End(self.driver.cannot_start(error)), &mut Unwatched),
                }
            }
        }
    }
}

/// The first samples of controllers, which may depend on reactions: those with all that holds, and with nothing put out yet.
fn sample_start(mechanism: &mut Dynamics, state: &mut State, settings: &Settings) -> Result<(), Trouble> {
    let system = mechanism.system;
    if !system.samplers.is_empty() && !system.readings.is_empty() {
        let solved = holding::dynamics_at(system, &mechanism.accelerator.problem, state, settings.solver)?;
        let first = system.first_reading();
        state.inputs[first..].copy_from_slice(&solved.work.inputs[first..]);
    }
    system.sample_start(state, &mut mechanism.work);
    Ok(())
}

/// What errors of the run are measured against: as the checkpoint has it, or from the start.
fn yardstick(mechanism: &mut Dynamics, checkpoint: &Checkpoint, settings: &Settings) -> Arc<Yardstick> {
    let (system, run) = (mechanism.system, &checkpoint.run);
    let mut scales = run.scales.clone();
    let begins = scales.start.is_empty();
    if begins {
        scales = Yardstick::at_rest(system, run.state.t, &run.state.q);
        predict(mechanism, &run.state, f64::INFINITY, &mut scales);
        foresee_still(mechanism, &run.state, settings.t_end, &mut scales);
    }
    let yardstick = Yardstick::new(system, settings.rtol, settings.atol, scales);
    if begins {
        yardstick.note(run.state.t, &run.state.q, &run.state.v);
    }
    Arc::new(yardstick)
}

/// Parts that neither move nor are pushed where a run begins may be so a little later: by forces that go with time, and by
/// states that do.
fn foresee_still(mechanism: &mut Dynamics, state: &State, t_end: f64, scales: &mut Scales) {
    let system = mechanism.system;
    // of a state the least that matters is known
    let least =
        |scale: &Scale| scale.body.checked_sub(system.masses()).map_or(0.0, |k| system.states[k].scale);
    let still = |scale: &Scale| scale.reach == Four { velocity: least(scale), ..Four::default() };
    let by = AHEAD * (t_end - state.t);
    if by == 0.0 || !by.is_finite() || !scales.parts.iter().any(still) {
        return;
    }
    let (later, mut ahead) = (a_little_later(mechanism, state, by), scales.clone());
    predict(mechanism, &later, f64::INFINITY, &mut ahead);
    expect(mechanism, &later, by.abs(), &mut ahead);
    for (scale, ahead) in scales.parts.iter_mut().zip(ahead.parts).filter(|(scale, _)| still(scale)) {
        scale.reach = scale.reach.max(ahead.reach);
    }
}

/// A state after a short time: bodies go on as they do, first-order states as they begin to.
fn a_little_later(mechanism: &mut Dynamics, state: &State, by: f64) -> State {
    let system = mechanism.system;
    let (mut later, way) = (state.clone(), state.v.iter().map(|v| by * v).collect::<Vec<f64>>());
    system.displace(&mut later.q, &way);
    later.t += by;
    system.set_state(&mut mechanism.work, state);
    if !system.states.is_empty() && mechanism.accelerate_only(state.t, &state.q, &state.v).is_ok() {
        for own in &system.states {
            let v = system.nodes[own.node].v;
            later.v[v] += by * mechanism.result.acc[v];
        }
    }
    later
}
