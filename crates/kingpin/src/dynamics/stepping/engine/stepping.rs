//! Any method on any form of the equations.

use super::{Engine, Made, Setup};
use crate::dynamics::forms::form::{Form, Terms};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::scales::Yardstick;
use crate::dynamics::stepping::bridge::Bridges;
use crate::integrate::{
    Begin, Control, Halt, Norm, PaceRule, Snapshot, SnapshotReader, SnapshotWriter, Statistics, StepReport,
    Stepper, Unfit,
};
use crate::system::State;
use std::sync::Arc;

/// What an engine asks of a method besides stepping on its form.
pub(in crate::dynamics) trait Works<F>:
    Stepper<F, Error = Trouble> + Begin + Snapshot + Send
{
}
impl<F, S: Stepper<F, Error = Trouble> + Begin + Snapshot + Send> Works<F> for S {}

/// Most steps in which a part of a step is taken anew: what was one step needs few, unless it has stepped over what is
/// far too fast for it, and then nobody knows how many.
const MOST_PARTS: usize = 1000;

/// A method at work on a form.
pub(in crate::dynamics) struct Stepping<F, S> {
    form: F,
    stepper: S,
    control: Control,
    norm: Norm,
    y: Vec<f64>,
    before: Statistics,
    bridges: Bridges,
    t_end: f64,
    /// What errors of all coordinates are measured against.
    whole: Norm,
    yardstick: Arc<Yardstick>,
    /// What an iterative solver may leave, in parts of the tolerance; and that in accelerations of bodies.
    part: f64,
    allowed: Vec<[f64; 2]>,
}

impl<'a, F: Form<'a> + 'a, S: Works<F> + 'a> Stepping<F, S> {
    /// Sets a method to work at a state, with a first step if one is given; an error if there is no such form in this
    /// configuration.
    pub fn boxed(Setup { mut mechanism, state, settings, yardstick, h }: Setup<'a, '_>) -> Made<'a> {
        if let Some(iterative) = mechanism.accelerator.iterative_mut() {
            iterative.set_tolerance(settings.error_of_accelerations());
        }
        let terms = Terms {
            linearising: settings.linearising,
            coordinates: settings.coordinates,
            yardstick: yardstick.clone(),
            stabilisation: settings.stabilisation,
            weights: settings.stabilisation_weights.clone(),
        };
        let (form, y) = F::make(mechanism, state, &terms)?;
        let whole = Norm::worst(yardstick.clone());
        let norm = if F::MEASURES { settings.norm(y.len() / 2) } else { whole.clone() };
        let control = settings.control(S::customary());
        let stepper = begin(&norm, control, h, state.t, &y, settings.t_end);
        let stepping = Self {
            form,
            stepper,
            control,
            norm,
            y,
            before: Statistics::default(),
            bridges: Bridges::default(),
            t_end: settings.t_end,
            whole,
            yardstick: yardstick.clone(),
            part: settings.part_of_tolerance() / S::MAGNIFIES,
            allowed: Vec::new(),
        };
        Ok(Box::new(stepping))
    }

    /// Chooses coordinates anew at the last accepted state.
    fn renew(&mut self) -> Result<bool, Trouble> {
        let changed = self.form.renew(self.stepper.t(), &mut self.y)?;
        if changed {
            self.stepper.change_coordinates(&self.y);
        }
        Ok(changed)
    }

    /// Tells an iterative solver that a step begins, and what errors it allows: of the size proposed, if one
    /// is.
    fn begin_step(&mut self) {
        if self.form.held().accelerator.iterative().is_none() {
            return;
        }
        let proposed = self.stepper.proposal().abs();
        let (h, told) = (if proposed > 0.0 { proposed } else { f64::INFINITY }, self.part > 0.0);
        if told {
            self.yardstick.accelerations(self.part, h, &mut self.allowed);
        }
        let allowed = told.then_some(|body: usize| self.allowed[body]);
        self.form.mechanism().accelerator.begin_step(allowed);
    }

    /// The step is done.
    fn end_step(&mut self) {
        if let Some(iterative) = self.form.mechanism().accelerator.iterative_mut() {
            iterative.end_step();
        }
    }

    /// One accepted step, in other coordinates if these have failed.
    fn take(&mut self) -> Result<StepReport, Halt<Trouble>> {
        let report = match self.stepper.step(&mut self.form) {
            Ok(report) => report,
            // other coordinates may do where these have failed
            Err(outcome @ (Halt::Problem { .. } | Halt::NewtonFailed { .. })) => match self.renew() {
                Ok(true) => self.stepper.step(&mut self.form)?,
                _ => return Err(outcome),
            },
            Err(outcome) => return Err(outcome),
        };
        let t = self.stepper.t();
        let accepted = self.form.accept(t, self.stepper.state());
        accepted.map_err(|error| Halt::Problem { t, error })?;
        Ok(report)
    }

    /// A state inside a step over a singular position, if the last step was one.
    fn on_bridge(&mut self, theta: f64, t: f64, state: &mut State) -> Option<Result<(), Trouble>> {
        self.bridges.inside(self.form.mechanism(), (theta, t), state)
    }
}

/// A method that begins, with a first step if one is given. Steps of a fixed size need none.
fn begin<S: Begin>(norm: &Norm, control: Control, h: Option<f64>, t: f64, y: &[f64], t_end: f64) -> S {
    let fixed = control.controller == PaceRule::Fixed;
    let control = if fixed { control } else { Control { h_start: h, ..control } };
    S::begin(norm.clone(), control, t, y, t_end)
}

/// What the problem said, where only it can have failed.
fn trouble(outcome: Halt<Trouble>) -> Trouble {
    if let Halt::Problem { error, .. } = outcome { error } else { Trouble::Partition }
}

impl<'a, F: Form<'a> + 'a, S: Works<F> + 'a> Snapshot for Stepping<F, S> {
    fn save(&self, out: &mut SnapshotWriter) {
        self.form.held().save(out);
        self.form.save(out);
        self.stepper.save(out);
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        self.form.mechanism().restore(from)?;
        self.form.restore(from)?;
        self.stepper.restore(from)?;
        self.stepper.fit(&self.form)
    }
}

impl<'a, F: Form<'a> + 'a, S: Works<F> + 'a> Engine<'a> for Stepping<F, S> {
    fn step(&mut self) -> Result<StepReport, Halt<Trouble>> {
        self.begin_step();
        let taken = self.take();
        self.end_step();
        taken
    }

    fn bridge(&mut self, from: &State, until: f64, place: f64) -> Option<StepReport> {
        let report = self.bridges.cross(self.form.mechanism(), &self.whole, from, (until, place));
        if report.is_none() && F::HAS_INSTANT {
            // what was known of the instant is lost
            let h = self.stepper.proposal().abs();
            self.restart(from, Some(h).filter(|h| *h > 0.0), self.t_end);
        }
        report
    }

    fn state(&mut self, state: &mut State) -> Result<(), Trouble> {
        if self.bridges.end(self.form.mechanism(), state).is_some() {
            return Ok(());
        }
        let (t, y) = (self.stepper.t(), self.stepper.state());
        self.form.return_to(t, y)?;
        self.form.write(t, y, state);
        Ok(())
    }

    fn inside(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble> {
        if let Some(inside) = self.on_bridge(theta, t, state) {
            return inside;
        }
        self.form.prepare_inside();
        self.stepper.inside(&mut self.form, theta, &mut self.y);
        self.form.place(t, &mut self.y)?;
        self.form.write(t, &self.y, state);
        Ok(())
    }

    fn glance(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble> {
        if let Some(inside) = self.on_bridge(theta, t, state) {
            return inside;
        }
        self.stepper.dense(theta, &mut self.y);
        self.form.glance(t, &mut self.y)?;
        self.form.write(t, &self.y, state);
        Ok(())
    }

    fn is_rough(&self) -> bool {
        self.stepper.is_rough() && !self.bridges.standing()
    }

    /// By the dense output where that is nearly as accurate as the steps; else the step is taken anew.
    fn cut(&mut self, theta: f64, t: f64, start: &State, state: &mut State) -> Result<(), Halt<Trouble>> {
        if S::FINE_INSIDE {
            return self.inside(theta, t, state).map_err(|error| Halt::Problem { t, error });
        }
        if let Some(inside) = self.on_bridge(theta, t, state) {
            return inside.map_err(|error| Halt::Problem { t, error });
        }
        self.restart(start, Some(t - start.t), t);
        for _ in 0..MOST_PARTS {
            if self.finished() {
                break;
            }
            self.step()?;
        }
        if !self.finished() {
            return Err(Halt::StepTooSmall { t: self.stepper.t(), h: self.stepper.proposal().abs() });
        }
        self.form.write(self.stepper.t(), self.stepper.state(), state);
        Ok(())
    }

    fn settle(&mut self) -> Result<(), Trouble> {
        if self.form.held().accelerator.iterative().is_some() {
            // a solution with another factor has other last digits
            self.form.forget_accelerations();
        }
        // what is solved for there is where the next step starts from
        self.begin_step();
        let rebased = self.stepper.rebase(&mut self.form).map_err(trouble);
        self.end_step();
        if self.finished() {
            return Ok(());
        }
        rebased?;
        if self.form.strained() { self.renew().map(|_| ()) } else { Ok(()) }
    }

    fn restart(&mut self, state: &State, h: Option<f64>, t_end: f64) {
        self.bridges.leave();
        self.t_end = t_end;
        self.form.start(state, &mut self.y);
        self.before = self.before.plus(self.stepper.statistics());
        self.stepper = begin(&self.norm, self.control, h, state.t, &self.y, t_end);
    }

    fn reach(&mut self, t_end: f64) {
        self.t_end = t_end;
        self.stepper.reach(t_end);
    }

    fn limit(&mut self, h: f64) {
        self.stepper.limit(h);
    }

    fn finished(&self) -> bool {
        self.stepper.finished()
    }

    fn proposal(&self) -> f64 {
        self.stepper.proposal()
    }

    fn statistics(&self) -> Statistics {
        self.before.plus(self.stepper.statistics()).plus(self.bridges.statistics)
    }

    fn renewals(&self) -> usize {
        self.form.renewals()
    }

    fn mechanism(&mut self) -> &mut Dynamics<'a> {
        self.form.mechanism()
    }

    fn into_mechanism(self: Box<Self>) -> Dynamics<'a> {
        self.form.into_mechanism()
    }
}
