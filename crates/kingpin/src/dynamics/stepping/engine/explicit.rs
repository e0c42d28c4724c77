//! Explicit methods on all coordinates.

use super::{Engine, Make, Setup};
use crate::dynamics::forms::full::Full;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::stepping::bridge::Bridges;
use crate::integrate::{
    Adams, Dop853, Dopri5, Norm, Ode, Outcome, Snapshot, SnapshotReader, SnapshotWriter, Statistics,
    StepReport, Stepper, Unfit,
};
use crate::system::State;

/// What explicit steppers do besides stepping.
pub(in crate::dynamics) trait Projecting<'a>:
    Stepper<Full<'a>, Error = Trouble> + Snapshot
{
    /// One accepted step that ends on the constraints. One that cannot be moved onto them was too long.
    fn step_onto(&mut self, full: &mut Full<'a>) -> Result<StepReport, Outcome<Trouble>>;
}

macro_rules! projecting {
    ($($stepper:ty),*) => {$(
        impl<'a> Projecting<'a> for $stepper {
            fn step_onto(&mut self, full: &mut Full<'a>) -> Result<StepReport, Outcome<Trouble>> {
                self.step_projected(full, |full, t, y| full.project(t, y).map(|_| ()))
            }
        }
    )*};
}
projecting!(Dopri5, Dop853, Adams);

/// An explicit method on all coordinates.
pub(in crate::dynamics) struct Explicit<'a, S> {
    full: Full<'a>,
    stepper: S,
    make: Make<S>,
    norm: Norm,
    y: Vec<f64>,
    before: Statistics,
    bridges: Bridges,
}

impl<'a, S: Projecting<'a> + 'a> Explicit<'a, S> {
    pub fn boxed(
        mechanism: Dynamics<'a>,
        state: &State,
        setup: Setup,
        h: Option<f64>,
        make: impl Fn(Norm, Option<f64>, f64, &[f64], f64) -> S + 'static,
    ) -> Box<dyn Engine<'a> + 'a> {
        let system = mechanism.system;
        let norm = Norm::worst(setup.yardstick.clone());
        let mut full = Full::new(mechanism);
        system.set_state(&mut full.mechanism.work, state);
        let y = [&state.q[..], &state.v[..]].concat();
        debug_assert_eq!(y.len(), full.dim());
        let stepper = make(norm.clone(), h, state.t, &y, setup.settings.t_end);
        let (before, bridges) = (Statistics::default(), Bridges::default());
        Box::new(Self { full, stepper, make: Box::new(make), norm, y, before, bridges })
    }

    fn write(&self, t: f64, state: &mut State) {
        let (q, v) = self.y.split_at(state.q.len());
        state.t = t;
        state.q.copy_from_slice(q);
        state.v.copy_from_slice(v);
        state.turns.copy_from_slice(&self.full.mechanism.work.turns);
        state.pieces.copy_from_slice(&self.full.mechanism.work.pieces);
    }
}

impl<'a, S: Projecting<'a> + 'a> Snapshot for Explicit<'a, S> {
    fn save(&self, out: &mut SnapshotWriter) {
        self.full.mechanism.save(out);
        self.stepper.save(out);
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        self.full.mechanism.restore(from)?;
        self.stepper.restore(from)
    }
}

impl<'a, S: Projecting<'a> + 'a> Engine<'a> for Explicit<'a, S> {
    fn step(&mut self) -> Result<StepReport, Outcome<Trouble>> {
        self.stepper.step_onto(&mut self.full)
    }

    fn bridge(&mut self, from: &State, until: f64, place: f64) -> Option<StepReport> {
        self.bridges.cross(&mut self.full.mechanism, &self.norm, from, (until, place))
    }

    fn state(&mut self, state: &mut State) -> Result<(), Trouble> {
        if self.bridges.end(&mut self.full.mechanism, state).is_some() {
            return Ok(());
        }
        self.y.copy_from_slice(self.stepper.state());
        self.write(self.stepper.t(), state);
        let Dynamics { system, work, .. } = &mut self.full.mechanism;
        system.set(work, state.t, &state.q, &state.v);
        system.evaluate_constraints(work);
        Ok(())
    }

    fn inside(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble> {
        if let Some(inside) = self.bridges.inside(&mut self.full.mechanism, (theta, t), state) {
            return inside;
        }
        self.stepper.inside(&mut self.full, theta, &mut self.y);
        self.full.project(t, &mut self.y)?;
        self.write(t, state);
        Ok(())
    }

    fn glance(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble> {
        if let Some(inside) = self.bridges.inside(&mut self.full.mechanism, (theta, t), state) {
            return inside;
        }
        self.stepper.dense(theta, &mut self.y);
        self.write(t, state);
        Ok(())
    }

    fn is_rough(&self) -> bool {
        self.stepper.is_rough() && !self.bridges.standing()
    }

    /// The dense output is nearly as accurate as the steps.
    fn cut(&mut self, theta: f64, t: f64, _: &State, state: &mut State) -> Result<(), Outcome<Trouble>> {
        self.inside(theta, t, state).map_err(|error| Outcome::Problem { t, error })
    }

    fn settle(&mut self) -> Result<(), Trouble> {
        Ok(())
    }

    fn restart(&mut self, state: &State, h: Option<f64>, t_end: f64) {
        let Dynamics { system, work, .. } = &mut self.full.mechanism;
        system.set_state(work, state);
        self.y = [&state.q[..], &state.v[..]].concat();
        self.bridges.leave();
        self.before = self.before.plus(self.stepper.statistics());
        self.stepper = (self.make)(self.norm.clone(), h, state.t, &self.y, t_end);
    }

    fn reach(&mut self, t_end: f64) {
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

    fn repartitions(&self) -> usize {
        0
    }

    fn mechanism(&mut self) -> &mut Dynamics<'a> {
        &mut self.full.mechanism
    }

    fn into_mechanism(self: Box<Self>) -> Dynamics<'a> {
        self.full.mechanism
    }
}
