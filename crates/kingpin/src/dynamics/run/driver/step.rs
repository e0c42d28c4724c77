//! One step of a run: taken, looked at, accounted for.

use super::Pilot;
use crate::accel::AccelFailure;
use crate::dynamics::instant::{DENSE, Dynamics, Trouble};
use crate::dynamics::run::auto::{Relief, implicit};
use crate::dynamics::run::holding::Unseen;
use crate::dynamics::run::passage::Taken;
use crate::dynamics::run::{Observer, Run, Step};
use crate::dynamics::stepping::Method;
use crate::dynamics::stepping::engine::Engine;
use crate::dynamics::watch::events::{FirstCrossing, Happening};
use crate::integrate::{Halt, StepReport};
use crate::system::State;
use std::ops::ControlFlow;

/// What a step led to.
pub(super) enum After {
    Go,
    Stop,
    Event(Happening),
    Change(Method),
    Hold(Vec<usize>),
}

/// Crossings in a row without any progress before one step is taken unwatched.
const STANDING: usize = 8;

/// Length of that step, in parts of the one proposed.
const SHORT: f64 = 1e-7;

/// How often a step that ends at a singular position is taken anew.
const ANEW: usize = 3;

/// The first step of a method that knows nothing of those before, in parts of the last and of the root of the
/// tolerance.
const STARTING: f64 = 0.02;

/// The last moment before a time.
fn before(t: f64) -> f64 {
    t - 4.0 * f64::EPSILON * t.abs()
}

/// Residuals where a step was cut short unless the observer wants no more, and the event that ends the run there.
type Arrival = (ControlFlow<(), (f64, f64)>, Option<Happening>);

impl Pilot {
    /// Takes a step and looks at all that it led to.
    pub(super) fn step(
        &mut self,
        engine: &mut dyn Engine,
        observer: &mut dyn Observer,
    ) -> Result<After, Halt<Trouble>> {
        let newton = engine.statistics().newton_iterations;
        let watching = !self.watch.is_idle() && self.standing < STANDING;
        self.ledger.depart(engine, &self.at.run.state);
        self.before.copy_from(&self.at.run.state);
        if watching || !self.vet.is_idle() {
            let Dynamics { system, work, .. } = engine.mechanism();
            // the instant may still be that of a frame
            system.set_state(work, &self.at.run.state);
            self.vet.start(system, work);
        }
        if watching {
            self.note_wandering(engine);
            self.watch.start(engine);
        }
        if !watching && !self.watch.is_idle() {
            // as short as can be: nobody looks where it leads
            let h = (SHORT * engine.proposal().abs()).max(1e3 * f64::EPSILON * self.at.run.state.t.abs());
            engine.restart(&self.at.run.state, Some(h), self.aim);
        }
        let (mut report, bridged) = self.take(engine)?;
        let t = report.t;
        let problem = |error| Halt::Problem { t, error };
        let crossing =
            if watching { self.crossing(engine, &report, observer).map_err(problem)? } else { None };
        let mut stop = None;
        let given = match &crossing {
            None => {
                self.note_calm(engine, t, watching)?;
                self.arrive(engine, &report, bridged, observer).map_err(problem)?
            }
            Some(crossing) => {
                let (given, event) = self.arrive_at(engine, &report, crossing, observer)?;
                (report.t, stop) = (crossing.t, event);
                given
            }
        };
        let ControlFlow::Continue((position_residual, velocity_residual)) = given else {
            return Ok(After::Stop);
        };
        if self.at.run.state.t == self.stop && self.stop != self.settings.t_end {
            self.pass(engine, observer).map_err(problem)?;
        }
        self.ledger.arrive(engine, &self.at.run.state, &mut self.at.run.energy);
        let Run { state, attitudes, .. } = &mut self.at.run;
        self.attitudes.look(engine.mechanism().system, state, attitudes);
        let State { t, q, v, .. } = &self.at.run.state;
        self.yardstick.note(*t, q, v);
        observer.accepted(&self.at.run.state);
        let newton_iterations = engine.statistics().newton_iterations - newton;
        let method = self.at.method();
        let step = Step { report, method, newton_iterations, position_residual, velocity_residual };
        if observer.step(&step).is_break() {
            return Ok(After::Stop);
        }
        if let Some(event) = stop {
            return Ok(After::Event(event));
        }
        if let Some(met) = self.rehold.take() {
            return Ok(After::Hold(met));
        }
        let relieved = self.relieved(engine, &report).map_err(problem)?;
        engine.settle().map_err(problem)?;
        let explicit = matches!(method, Method::Dopri5 | Method::Dop853);
        let dense = self.settings.wants_dense() || engine.mechanism().system.forces_read;
        let small = !dense || engine.mechanism().freedoms() <= DENSE;
        let auto = self.settings.method == Method::Auto;
        if auto && explicit && report.stiff && small {
            let sparse = self.settings.is_sparse(engine.mechanism());
            return Ok(After::Change(implicit(self.settings.rtol, sparse)));
        }
        if auto && relieved {
            return Ok(After::Change(Method::Dop853));
        }
        Ok(After::Go)
    }

    /// How fast what others hold at rest may be before it counts as moving.
    fn note_wandering(&self, engine: &mut dyn Engine) {
        let Dynamics { system, work, wander, .. } = engine.mechanism();
        wander.clear();
        if system.holds.iter().any(|hold| hold.is_idle(&work.pieces)) {
            let rtol = self.settings.rtol;
            let of = |hold| Unseen::of_hold(system, hold, &self.yardstick, rtol).wander;
            wander.extend(system.holds.iter().map(of));
        }
    }

    /// The end of a step without a crossing; residuals there.
    fn arrive(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        bridged: bool,
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<(), (f64, f64)>, Trouble> {
        self.standing = 0;
        let mechanism = engine.mechanism();
        self.turns.count(mechanism, report.h(), false);
        self.at.run.state.turns.copy_from_slice(&mechanism.work.turns);
        let residuals = self.note_residuals(engine);
        let taken = Taken { bridged, free: !self.settings.method.has_fixed_step(), aim: self.aim };
        self.passage.look(engine, report, taken, &mut self.at.run)?;
        for (t, what) in self.passage.passed.drain(..) {
            let event = Happening { t, what };
            observer.event(&event);
            self.at.run.events.push(event);
        }
        let (end, account) = (&self.at.run.state, &mut self.at.run.energy);
        self.ledger.add(engine, report, 1.0, Some(end), account);
        if self.give_frames(engine, report, report.t, observer)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        engine.mechanism().work.turns.copy_from_slice(&self.at.run.state.turns);
        self.turns.go_on();
        if bridged {
            let mut h = Some(engine.proposal().abs()).filter(|h| *h > 0.0);
            if self.at.method() == Method::Adams {
                // a method of many steps begins with short ones, whose errors are small beside those to come
                h = Some(STARTING * self.settings.rtol.sqrt() * report.h());
            }
            engine.restart(&self.at.run.state, h, self.aim);
            self.turns.start(engine.mechanism());
        }
        Ok(ControlFlow::Continue(residuals))
    }

    /// The end of a step at a crossing; residuals there, and what has happened if the run is to stop.
    fn arrive_at(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        crossing: &FirstCrossing,
        observer: &mut dyn Observer,
    ) -> Result<Arrival, Halt<Trouble>> {
        let problem = |error| Halt::Problem { t: report.t, error };
        self.ledger.add(engine, report, crossing.theta, None, &mut self.at.run.energy);
        if self.give_frames(engine, report, before(crossing.t), observer).map_err(problem)?.is_break() {
            return Ok((ControlFlow::Break(()), None));
        }
        self.standing = if crossing.t > report.t_old { 0 } else { self.standing + 1 };
        let stop = self.cross(engine, report, crossing, observer)?;
        // a run that fails here ends at the crossing: nothing beyond it holds
        let counted = self.counter.crossed(engine.mechanism().system, crossing);
        let fails = |chatter| Halt::Problem { t: crossing.t, error: Trouble::Chatter(chatter) };
        counted.map_err(fails)?;
        Ok((ControlFlow::Continue(self.note_residuals(engine)), stop))
    }

    /// A step over the singular position ahead, if that is planned and can be done; and how long the step to take
    /// instead may be.
    fn bridge(&mut self, engine: &mut dyn Engine) -> (Option<StepReport>, f64) {
        let (until, place) = std::mem::take(&mut self.at.run.path.bridge);
        let h = until - self.before.t;
        if place > 0.0 {
            return (engine.bridge(&self.before, until, place), 0.5 * place * h);
        }
        (None, if until == 0.0 || h <= 0.0 { f64::INFINITY } else { h })
    }

    /// One step that has seen what acts from outside, with its end as the state; one that has not is taken anew,
    /// shorter. Where something depends on an angle, no step turns it too far; and none ends just at a singular
    /// position if it can help it. Whether it was a bridge over one.
    fn take(&mut self, engine: &mut dyn Engine) -> Result<(StepReport, bool), Halt<Trouble>> {
        let free = !self.settings.method.has_fixed_step();
        let bounded = self.turns.bound_steps() && free;
        let ((mut bridge, near), mut tries) = (self.bridge(engine), 0);
        let longest = if bounded { near.min(self.turns.longest()) } else { near };
        engine.limit(longest);
        loop {
            let (report, bridged) = match bridge.take() {
                Some(report) => (report, true),
                None => (engine.step()?, false),
            };
            let t = report.t;
            engine.state(&mut self.at.run.state).map_err(|error| Halt::Problem { t, error })?;
            if !self.at.run.state.is_sound() {
                self.at.run.state.copy_from(&self.before);
                return Err(Halt::Problem { t: self.before.t, error: AccelFailure::NotFinite.into() });
            }
            let mut shorter = None;
            if free && !bridged && tries < ANEW {
                let near = self.passage.too_near(engine.mechanism(), &self.at.run.path);
                shorter = near.then_some(0.8);
                tries += usize::from(near);
            }
            if bounded && shorter.is_none() {
                let counted = self.turns.count(engine.mechanism(), report.h(), true);
                engine.mechanism().work.turns.copy_from_slice(&self.before.turns);
                shorter = (!counted).then_some(0.5);
            }
            if shorter.is_none() && !self.vet.is_idle() {
                let Dynamics { system, work, .. } = engine.mechanism();
                let scales = (&*self.yardstick, &self.at.run.state);
                shorter = self.vet.look(system, work, &report, self.at.method(), scales);
            }
            let Some(part) = shorter else { return Ok((report, bridged)) };
            let h = part * report.h().abs();
            engine.restart(&self.before, Some(h), self.aim);
            engine.limit(if bounded { h.min(longest) } else { longest });
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
}
