//! What happens between two steps: crossings of switches, stops, impacts.

use super::Pilot;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::run::Observer;
use crate::dynamics::run::impact;
use crate::dynamics::stepping::engine::Engine;
use crate::dynamics::watch::events::{FirstCrossing, Happening};
use crate::integrate::{Halt, StepReport};
use crate::model::event::EventAction;
use crate::system::State;

/// Crossings noted in one step before the others are left alone.
const QUIET: usize = 16;

impl Pilot {
    /// The first crossing in the last step that changes forces or ends the run; others are noted on the way.
    pub(super) fn crossing(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        observer: &mut dyn Observer,
    ) -> Result<Option<FirstCrossing>, Trouble> {
        for _ in 0..QUIET {
            let Some(crossing) = self.watch.look(engine, report, &mut self.inside)? else { break };
            let Dynamics { system, work, .. } = engine.mechanism();
            let quiet = crossing.switches.iter().all(|&k| system.switch_is_quiet(k, work));
            if !quiet {
                return Ok(Some(crossing));
            }
            self.switch(engine, &crossing, observer);
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
    pub(super) fn cross(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        crossing: &FirstCrossing,
        observer: &mut dyn Observer,
    ) -> Result<Option<Happening>, Halt<Trouble>> {
        let t = crossing.t;
        let cut = engine.cut(crossing.theta, t, &self.before, &mut self.at.run.state);
        if cut.is_err() {
            // nothing of the step holds
            self.at.run.state.copy_from(&self.before);
        }
        cut?;
        let problem = |error| Halt::Problem { t, error };
        let mechanism = engine.mechanism();
        mechanism.system.set_state(&mut mechanism.work, &self.at.run.state);
        self.turns.count(mechanism, t - report.t_old, false);
        let stored = mechanism.system.potential_energy(&mechanism.work);
        let stop = self.switch(engine, crossing, observer);
        self.ledger.switched(engine, stored, &mut self.at.run.energy);
        self.passage.forget(&mut self.at.run);
        let Dynamics { work, .. } = engine.mechanism();
        self.at.run.state.turns.copy_from_slice(&work.turns);
        self.at.run.state.pieces.copy_from_slice(&work.pieces);
        let system = engine.mechanism().system;
        if !system.active.is_empty() || crossing.switches.iter().any(|&k| system.switches[k].holds()) {
            self.rehold = Some(crossing.switches.clone());
        }
        engine.restart(&self.at.run.state, Some(report.h()), self.aim);
        engine.state(&mut self.at.run.state).map_err(problem)?;
        self.turns.start(engine.mechanism());
        Ok(stop)
    }

    /// Notes a step without a crossing; an error if it was not looked for and would have been the third in a row.
    pub(super) fn note_calm(
        &mut self,
        engine: &mut dyn Engine,
        t: f64,
        watching: bool,
    ) -> Result<(), Halt<Trouble>> {
        if watching || self.watch.is_idle() {
            self.counter.calm();
            return Ok(());
        }
        let Dynamics { system, work, .. } = engine.mechanism();
        let wrong = self.watch.is_wrong(system, work);
        let noted = self.counter.unwatched(system, t, wrong);
        noted.map_err(|chatter| Halt::Problem { t, error: Trouble::Chatter(chatter) })
    }

    /// Goes on behind a stop: other pieces, an impact where a velocity jumps. What is continuous needs no restart.
    pub(super) fn pass(
        &mut self,
        engine: &mut dyn Engine,
        observer: &mut dyn Observer,
    ) -> Result<(), Trouble> {
        let h = engine.proposal().abs();
        let mechanism = engine.mechanism();
        let system = mechanism.system;
        self.stops.pass(system);
        self.stop = self.stops.next(system);
        self.aim = self.stop.min(self.halt);
        system.set_state(&mut mechanism.work, &self.at.run.state);
        system.pass_stop(&self.stops, &mut mechanism.work);
        let of = |what: fn(&crate::element::switch::Switch) -> bool| {
            self.stops.passed().iter().any(|&(k, _)| what(&system.switches[k]))
        };
        if of(|switch| switch.drives())
            && let Some(impact) = impact::pass(mechanism, &mut self.at.run.state)?
        {
            let event = Happening { t: self.at.run.state.t, what: impact.what };
            observer.event(&event);
            self.at.run.events.push(event);
            self.ledger.struck(impact.work, &mut self.at.run.energy);
            self.passage.forget(&mut self.at.run);
            if !system.holds.is_empty() {
                // velocities have jumped: friction may go the other way, stops may be met
                self.rehold.get_or_insert_with(Vec::new);
            }
        }
        self.ledger.forget();
        self.at.run.state.pieces.copy_from_slice(&mechanism.work.pieces);
        if !system.readings.is_empty() {
            mechanism.evaluate()?;
        }
        let sampled = system.sample(self.stops.due(), &mut mechanism.work);
        self.at.run.state.inputs.copy_from_slice(&mechanism.work.inputs);
        if sampled || of(|switch| switch.jumps()) {
            if !system.active.is_empty() {
                // what holds may not do so under other forces
                self.rehold.get_or_insert_with(Vec::new);
            }
            let until =
                if self.stop < self.settings.t_end { self.stop - self.at.run.state.t } else { f64::INFINITY };
            self.yardstick.predict(mechanism, &self.at.run.state, until);
            engine.restart(&self.at.run.state, (h > 0.0).then_some(h), self.aim);
            engine.state(&mut self.at.run.state)?;
            self.turns.start(engine.mechanism());
            return Ok(());
        }
        engine.reach(self.aim);
        Ok(())
    }

    /// Goes on from a state that somebody else has changed; the energy that came by it counts as work.
    pub fn interfere(
        &mut self,
        engine: &mut dyn Engine,
        change: impl FnOnce(&mut State),
    ) -> Result<(), Trouble> {
        let h = engine.proposal().abs();
        let mechanism = engine.mechanism();
        let before = energy(mechanism, &self.at.run.state);
        change(&mut self.at.run.state);
        let gained = energy(mechanism, &self.at.run.state) - before;
        self.ledger.struck(gained, &mut self.at.run.energy);
        self.ledger.forget();
        self.passage.forget(&mut self.at.run);
        self.yardstick.predict(mechanism, &self.at.run.state, f64::INFINITY);
        engine.restart(&self.at.run.state, (h > 0.0).then_some(h), self.aim);
        engine.state(&mut self.at.run.state)?;
        self.turns.start(engine.mechanism());
        Ok(())
    }

    /// Goes over to the next pieces; the event that ends the run, if one does.
    pub(super) fn switch(
        &mut self,
        engine: &mut dyn Engine,
        crossing: &FirstCrossing,
        observer: &mut dyn Observer,
    ) -> Option<Happening> {
        let Dynamics { system, work, .. } = engine.mechanism();
        let mut stop = None;
        for &k in &crossing.switches {
            let from = work.pieces[k];
            if system.switches[k].holds() && !system.switch_is_quiet(k, work) {
                continue;
            }
            match crossing.leaves.iter().find(|leaves| leaves.0 == k) {
                Some(&(_, piece)) => system.switch_to(k, piece, work),
                None => system.switch_over(k, work),
            }
            let to = work.pieces[k];
            if system.switch_happens(k, from, to) && !system.switch_is_implicit(k) {
                let event = Happening { t: crossing.t, what: system.switch_event(k, from, to) };
                if system.switch_action(k) == Some(EventAction::Stop) {
                    stop = Some(event.clone());
                }
                if system.switch_action(k).is_some() {
                    observer.happened(k, event.t);
                }
                observer.event(&event);
                self.at.run.events.push(event);
            }
        }
        stop
    }
}

/// Kinetic and potential energy of a state.
fn energy(mechanism: &mut Dynamics, state: &State) -> f64 {
    let Dynamics { system, work, .. } = mechanism;
    system.set_state(work, state);
    system.kinetic_energy(work) + system.potential_energy(work)
}
