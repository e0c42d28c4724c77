//! Drives a method through a run: steps, crossings of switches, frames.

mod crossing;
mod frames;
mod step;

use super::auto::Relief;
use super::checkpoint::Checkpoint;
use super::holding::{Settled, Unseen};
use super::passage::Passage;
use super::{End, Observer};
use crate::accel::Pcg;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::scales::Yardstick;
use crate::dynamics::stepping::Method;
use crate::dynamics::stepping::Settings;
use crate::dynamics::stepping::engine::Engine;
use crate::dynamics::watch::attitudes::Attitudes;
use crate::dynamics::watch::chatter::Counter;
use crate::dynamics::watch::events::{Happening, Watch};
use crate::dynamics::watch::ledger::Ledger;
use crate::dynamics::watch::turns::Turns;
use crate::dynamics::watch::vet::Vet;
use crate::integrate::{Halt, Unfit};
use crate::system::{State, Stops, System};
use std::ops::ControlFlow;
use std::sync::Arc;
use step::After;

/// How one method's part of a run ended.
pub(in crate::dynamics) enum Next {
    End(End),
    Change(Method),
    /// Some of what may hold has changed: the switches that have been crossed, or `None` where all is to be found out anew.
    Hold(Option<Vec<usize>>),
}

impl Next {
    /// The size of the next step, if one is known; another method begins with it too.
    pub fn step_of(&self, engine: &dyn Engine) -> Option<f64> {
        let h = engine.proposal().abs();
        // what is let go moves from rest, whatever was before
        (h > 0.0 && !matches!(self, Next::Hold(_))).then_some(h)
    }
}

/// Drives a method through a run.
pub(in crate::dynamics) struct Pilot {
    settings: Settings,
    /// Where the run is.
    pub at: Checkpoint,
    /// One place per equation.
    room: Vec<f64>,
    inside: State,
    /// State before the step, where there are switches to watch.
    before: State,
    watch: Watch,
    /// What errors are measured against.
    yardstick: Arc<Yardstick>,
    pub(in crate::dynamics) turns: Turns,
    relief: Relief,
    /// Crossings in a row without progress.
    pub(in crate::dynamics) standing: usize,
    /// What came and went.
    pub(in crate::dynamics) ledger: Ledger,
    /// How near singular positions are.
    pub(in crate::dynamics) passage: Passage,
    pub(in crate::dynamics) counter: Counter,
    /// Switches crossed where what holds has to be found out anew.
    rehold: Option<Vec<usize>>,
    vet: Vet,
    attitudes: Attitudes,
    /// Times known before the run at which something is not smooth.
    stops: Stops,
    /// The next of them, or the end.
    stop: f64,
    /// Where those who drive want to have a look in between.
    pub(in crate::dynamics) halt: f64,
    /// Where the steps under way are to end: at the next stop, or where they are to halt.
    aim: f64,
}

impl Pilot {
    /// Ready to go on from a checkpoint.
    pub fn new(
        mechanism: &Dynamics,
        checkpoint: &Checkpoint,
        settings: &Settings,
        yardstick: Arc<Yardstick>,
    ) -> Self {
        let (system, mut at) = (mechanism.system, checkpoint.clone());
        let (from, t, end) = (at.t_start(), at.run.state.t, settings.t_end);
        let mut stops = Stops::new(system, from, end);
        while stops.next(system) <= t && t < end {
            stops.pass(system);
        }
        stops.write(&mut at.run.state.pieces);
        Pilot {
            settings: settings.clone(),
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
            rehold: None,
            vet: Vet::new(mechanism, settings, end - from),
            attitudes: Attitudes::new(system, &checkpoint.run.state, &mut at.run.attitudes),
            stop: stops.next(system),
            halt: f64::INFINITY,
            aim: stops.next(system),
            stops,
            at,
        }
    }

    /// Goes on with a mechanism in which other coordinates are held.
    pub fn adapt(&mut self, mechanism: &Dynamics) {
        self.room.resize(mechanism.system.layout.rows, 0.0);
        self.passage = Passage::new(mechanism, &self.at.run.state);
        self.ledger.forget();
    }

    /// Notes what became of all that may hold.
    pub fn note_settled(&mut self, system: &System, settled: Settled, observer: &mut dyn Observer) {
        for (k, from, to) in settled.switched {
            if system.switch_happens(k, from, to) {
                let event = Happening { t: self.at.run.state.t, what: system.switch_event(k, from, to) };
                observer.event(&event);
                self.at.run.events.push(event);
            }
        }
        self.ledger.lost(settled.lost, &mut self.at.run.energy);
    }

    /// What is too small to be seen of all that may hold.
    pub fn unseen(&self, system: &System) -> Vec<Unseen> {
        Unseen::of_run(system, &self.yardstick, self.settings.rtol)
    }

    /// A prescribed motion that jumps somewhere ahead, as far as that is known.
    pub fn jump_ahead(&self, mechanism: &Dynamics) -> Option<Trouble> {
        mechanism.system.jump_ahead(self.stops.clone()).map(Trouble::Jump)
    }

    /// Sets a method going, which is made at the state of the run; one that was `restored` is where it was.
    pub fn begin(
        &mut self,
        engine: &mut dyn Engine,
        restored: bool,
        observer: &mut dyn Observer,
    ) -> Option<Next> {
        let fails = |t: f64, error: Trouble| Some(Next::End(End::Failed(Halt::Problem { t, error })));
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
            observer.accepted(&self.at.run.state);
        }
        if self.at.frames == 0 && self.settings.frame.is_some() {
            self.inside.copy_from(&self.at.run.state);
            match self.give_frame(engine, self.at.run.energy.exchanged, observer) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Some(Next::End(End::Stopped)),
                Err(error) => return fails(t, error),
            }
        }
        engine.reach(self.aim);
        None
    }

    /// One step; what became of the method unless it goes on.
    pub fn advance(&mut self, engine: &mut dyn Engine, observer: &mut dyn Observer) -> Option<Next> {
        if self.at.run.state.t == self.settings.t_end {
            return Some(Next::End(End::Reached));
        }
        if self.at.steps == self.settings.most_steps {
            let (t, steps) = (self.at.run.state.t, self.at.steps);
            return Some(Next::End(End::Failed(Halt::TooManySteps { t, steps })));
        }
        self.save_if_wanted(engine, observer);
        self.at.steps += 1;
        match self.step(engine, observer) {
            Ok(After::Go) => None,
            Ok(After::Stop) => Some(Next::End(End::Stopped)),
            Ok(After::Event(event)) => Some(Next::End(End::Event(event))),
            Ok(After::Change(method)) => Some(Next::Change(method)),
            Ok(After::Hold(met)) => Some(Next::Hold(Some(met))),
            Err(outcome) => Some(Next::End(End::Failed(outcome))),
        }
    }

    /// Ends steps at a time in between from now on; beyond all times where that is no longer wanted.
    pub fn halt_at(&mut self, t: f64) {
        self.halt = t;
        self.aim = self.stop.min(t);
    }

    /// The method under way is to do so too.
    pub fn tell(&self, engine: &mut dyn Engine) {
        engine.reach(self.aim);
    }

    /// Gives the observer a checkpoint, if it wants one.
    fn save_if_wanted(&mut self, engine: &mut dyn Engine, observer: &mut dyn Observer) {
        let rest = (self.settings.t_end - self.at.run.state.t).abs();
        // where a step ends at the end of the run exactly
        let last = engine.proposal().abs() * 1.01 >= rest;
        if observer.wants_checkpoint(last) {
            observer.checkpoint(&self.save(engine));
        }
    }

    /// Where the run is, with all that the method remembers.
    pub fn save(&self, engine: &mut dyn Engine) -> Checkpoint {
        let mut at = self.at.clone();
        at.h = Some(engine.proposal().abs()).filter(|h| *h > 0.0);
        at.run.statistics = at.run.statistics.plus(engine.statistics());
        at.run.repartitions += engine.renewals();
        at.run.accelerations = engine.mechanism().solves;
        at.run.corrections = engine.mechanism().corrections;
        at.run.iterations = engine.mechanism().accelerator.iterative().map(Pcg::counts);
        self.yardstick.write(&mut at.run.scales);
        at.memory.keep("engine", engine as &dyn Engine);
        at.memory.keep("driver", self);
        at
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

    /// How the run ends if a method cannot even start.
    pub fn cannot_start(&self, error: Trouble) -> End {
        End::Failed(Halt::Problem { t: self.at.run.state.t, error })
    }
}
