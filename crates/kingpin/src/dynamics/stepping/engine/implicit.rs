//! Implicit methods on the independent coordinates.

use super::{Engine, Make, Setup};
use crate::dynamics::forms::descriptor::Inflated;
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::stepping::bridge::Bridges;
use crate::integrate::Implicit as Scheming;
use crate::integrate::{
    HilberHughesTaylor, Norm, Outcome, Rosenbrock, Scheme, Sdirk15, SecondOrder, Snapshot, SnapshotReader,
    SnapshotWriter, Statistics, StepReport, Stepper, Trapezoidal, Unfit,
};
use crate::system::State;

/// What implicit steppers do besides stepping.
pub(in crate::dynamics) trait Partitioned<'a>:
    Stepper<Reduced<'a>, Error = Trouble> + Snapshot
{
    /// Goes on in other independent coordinates.
    fn change_coordinates(&mut self, y: &[f64]);
    /// Makes what it has of the equations itself fit those that were restored.
    fn fit(&mut self, _: &Reduced<'a>) -> Result<(), Unfit> {
        Ok(())
    }
    /// Goes over to the chart of the next step.
    fn rebase(&mut self, reduced: &mut Reduced<'a>) -> Result<(), Outcome<Trouble>>;
}

macro_rules! partitioned {
    ($($stepper:ty),*) => {$(
        impl<'a> Partitioned<'a> for $stepper {
            fn change_coordinates(&mut self, y: &[f64]) {
                <$stepper>::change_coordinates(self, y);
            }
            fn rebase(&mut self, reduced: &mut Reduced<'a>) -> Result<(), Outcome<Trouble>> {
                <$stepper>::rebase(self, reduced)
            }
        }
    )*};
}
partitioned!(Trapezoidal, HilberHughesTaylor, Sdirk15, Rosenbrock);

impl<'a, F: Scheme> Partitioned<'a> for Inflated<Scheming<F>> {
    fn change_coordinates(&mut self, y: &[f64]) {
        Self::change_coordinates(self, y);
    }

    fn rebase(&mut self, reduced: &mut Reduced<'a>) -> Result<(), Outcome<Trouble>> {
        Self::rebase(self, reduced)
    }

    fn fit(&mut self, reduced: &Reduced<'a>) -> Result<(), Unfit> {
        Self::fit(self, reduced)
    }
}

/// What the problem said, where only it can have failed.
fn trouble(outcome: Outcome<Trouble>) -> Trouble {
    if let Outcome::Problem { error, .. } = outcome { error } else { Trouble::Partition }
}

/// An implicit method on the independent coordinates.
pub(in crate::dynamics) struct Implicit<'a, S> {
    reduced: Reduced<'a>,
    stepper: S,
    make: Make<S>,
    norm: Norm,
    y: Vec<f64>,
    before: Statistics,
    bridges: Bridges,
    t_end: f64,
    /// What errors of all coordinates are measured against.
    whole: Norm,
}

impl<'a, S: Partitioned<'a> + 'a> Implicit<'a, S> {
    pub fn boxed(
        mechanism: Dynamics<'a>,
        state: &State,
        setup: Setup,
        h: Option<f64>,
        make: impl Fn(Norm, Option<f64>, f64, &[f64], f64) -> S + 'static,
    ) -> Result<Box<dyn Engine<'a> + 'a>, Trouble> {
        let settings = setup.settings;
        let mut reduced = Reduced::new(mechanism, state)?;
        reduced.linearising = settings.linearising;
        reduced.yardstick = Some(setup.yardstick.clone());
        let n = reduced.dim();
        let norm = settings.norm(n);
        let mut y = vec![0.0; 2 * n];
        reduced.independent(&mut y);
        let stepper = make(norm.clone(), h, state.t, &y, settings.t_end);
        let (before, bridges, t_end) = (Statistics::default(), Bridges::default(), settings.t_end);
        let whole = Norm::worst(setup.yardstick.clone());
        Ok(Box::new(Self { reduced, stepper, make: Box::new(make), norm, y, before, bridges, t_end, whole }))
    }

    /// Chooses the coordinates anew at the last accepted state, where the chart is based.
    fn repartition(&mut self) -> Result<bool, Trouble> {
        if !self.reduced.is_based_at(self.stepper.t()) {
            return Ok(false);
        }
        let changed = self.reduced.repartition()?;
        if changed {
            self.reduced.independent(&mut self.y);
            self.stepper.change_coordinates(&self.y);
        }
        Ok(changed)
    }
}

impl<'a, S: Partitioned<'a> + 'a> Snapshot for Implicit<'a, S> {
    fn save(&self, out: &mut SnapshotWriter) {
        self.reduced.mechanism.save(out);
        self.reduced.save(out);
        self.stepper.save(out);
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        self.reduced.mechanism.restore(from)?;
        self.reduced.restore(from)?;
        self.stepper.restore(from)?;
        self.stepper.fit(&self.reduced)
    }
}

impl<'a, S: Partitioned<'a> + 'a> Engine<'a> for Implicit<'a, S> {
    fn step(&mut self) -> Result<StepReport, Outcome<Trouble>> {
        let report = match self.stepper.step(&mut self.reduced) {
            Ok(report) => report,
            // other coordinates may do where these have failed
            Err(outcome) if matches!(outcome, Outcome::Problem { .. } | Outcome::NewtonFailed { .. }) => {
                match self.repartition() {
                    Ok(true) => self.stepper.step(&mut self.reduced)?,
                    _ => return Err(outcome),
                }
            }
            Err(outcome) => return Err(outcome),
        };
        let t = self.stepper.t();
        let accepted = self.reduced.accept(t, self.stepper.state());
        accepted.map_err(|error| Outcome::Problem { t, error })?;
        Ok(report)
    }

    fn bridge(&mut self, from: &State, until: f64, place: f64) -> Option<StepReport> {
        let report = self.bridges.cross(&mut self.reduced.mechanism, &self.whole, from, (until, place));
        if report.is_none() {
            // what was known of the instant is lost
            let h = self.stepper.proposal().abs();
            self.restart(from, Some(h).filter(|h| *h > 0.0), self.t_end);
        }
        report
    }

    fn state(&mut self, state: &mut State) -> Result<(), Trouble> {
        if self.bridges.end(&mut self.reduced.mechanism, state).is_some() {
            return Ok(());
        }
        self.reduced.accept(self.stepper.t(), self.stepper.state())?;
        self.reduced.write_state(state);
        Ok(())
    }

    fn glance(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble> {
        if let Some(inside) = self.bridges.inside(&mut self.reduced.mechanism, (theta, t), state) {
            return inside;
        }
        self.stepper.dense(theta, &mut self.y);
        self.reduced.recover_at(t, &self.y)?;
        self.reduced.write_state(state);
        Ok(())
    }

    fn inside(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble> {
        if let Some(inside) = self.bridges.inside(&mut self.reduced.mechanism, (theta, t), state) {
            return inside;
        }
        // a place inside the step is the same whatever was looked at before
        self.reduced.factored = false;
        self.stepper.inside(&mut self.reduced, theta, &mut self.y);
        self.reduced.factored = false;
        self.reduced.recover_at(t, &self.y)?;
        self.reduced.write_state(state);
        Ok(())
    }

    /// The dense output is of lower order, so the step is taken anew.
    fn cut(&mut self, theta: f64, t: f64, start: &State, state: &mut State) -> Result<(), Outcome<Trouble>> {
        if let Some(inside) = self.bridges.inside(&mut self.reduced.mechanism, (theta, t), state) {
            return inside.map_err(|error| Outcome::Problem { t, error });
        }
        self.restart(start, Some(t - start.t), t);
        while !self.finished() {
            self.step()?;
        }
        self.reduced.write_state(state);
        Ok(())
    }

    fn settle(&mut self) -> Result<(), Trouble> {
        let rebased = self.stepper.rebase(&mut self.reduced).map_err(trouble);
        if self.finished() {
            return Ok(());
        }
        rebased?;
        if self.reduced.strained() { self.repartition().map(|_| ()) } else { Ok(()) }
    }

    fn restart(&mut self, state: &State, h: Option<f64>, t_end: f64) {
        self.bridges.leave();
        self.t_end = t_end;
        self.reduced.start(state);
        self.reduced.independent(&mut self.y);
        self.before = self.before.plus(self.stepper.statistics());
        self.stepper = (self.make)(self.norm.clone(), h, state.t, &self.y, t_end);
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

    fn repartitions(&self) -> usize {
        self.reduced.repartitions
    }

    fn mechanism(&mut self) -> &mut Dynamics<'a> {
        &mut self.reduced.mechanism
    }

    fn into_mechanism(self: Box<Self>) -> Dynamics<'a> {
        self.reduced.mechanism
    }
}
