//! A method at work on a mechanism, whatever its kind.

use super::Method;
use super::descriptor::Inflated;
use super::full::Full;
use super::mechanism::{Mechanism, Trouble};
use super::reduced::Reduced;
use super::scales::Yardstick;
use super::settings::Settings;
use crate::integrate::Implicit as Scheming;
use crate::integrate::{
    Adams, Control, Dop853, Dopri5, HilberHughesTaylor, Norm, Ode, Outcome, Rosenbrock, Scheme, Sdirk15,
    Sdirk16, SecondOrder, Snapshot, SnapshotReader, SnapshotWriter, Solution, Statistics, StepReport,
    Stepper, Trapezoidal, Unfit,
};
use crate::system::State;
use std::rc::Rc;

/// One method, one mechanism; accepted states satisfy the constraints to round-off.
pub(super) trait Engine<'a>: Snapshot {
    /// One accepted step.
    fn step(&mut self) -> Result<StepReport, Outcome<Trouble>>;
    /// The state after the last step; the constraints are evaluated there.
    fn state(&mut self, state: &mut State) -> Result<(), Trouble>;
    /// A consistent state inside the last step.
    fn inside(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble>;
    /// A state inside the last step that may be as far from the constraints as the dense output is.
    fn glance(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble> {
        self.inside(theta, t, state)
    }
    /// The state at time `t` inside the last step, which began at `start`, as accurate as the method itself; the
    /// method must be restarted afterwards.
    fn cut(&mut self, theta: f64, t: f64, start: &State, state: &mut State) -> Result<(), Outcome<Trouble>>;
    /// What must be done before the next step, once the last is no longer of interest.
    fn settle(&mut self) -> Result<(), Trouble>;
    /// Goes on from another state, with a given first step or one it chooses.
    fn restart(&mut self, state: &State, h: Option<f64>, t_end: f64);
    /// Sets where to stop; the last step ends there exactly.
    fn reach(&mut self, t_end: f64);
    /// Bounds the steps to come.
    fn limit(&mut self, h: f64);
    /// Whether the end is reached.
    fn finished(&self) -> bool;
    /// Size of the next step as it stands; 0 if none is chosen yet.
    fn proposal(&self) -> f64;
    /// Work done so far.
    fn statistics(&self) -> Statistics;
    /// Changes of the independent coordinates so far.
    fn repartitions(&self) -> usize;
    /// The mechanism.
    fn mechanism(&mut self) -> &mut Mechanism<'a>;
    /// Gives the mechanism back.
    fn into_mechanism(self: Box<Self>) -> Mechanism<'a>;
}

/// What all engines of a run have in common.
#[derive(Clone, Copy)]
pub(super) struct Setup<'s> {
    pub settings: &'s Settings,
    /// What errors are measured against.
    pub yardstick: &'s Rc<Yardstick>,
}

/// The engine of a method; an error if it cannot start in this configuration.
pub(super) fn engine<'a>(
    method: Method,
    mechanism: Mechanism<'a>,
    state: &State,
    setup: Setup,
    h: Option<f64>,
) -> Result<Box<dyn Engine<'a> + 'a>, Trouble> {
    let settings = setup.settings;
    let control = |own: Control| settings.control(own);
    Ok(match method {
        Method::Adams => {
            let control = control(Control::default());
            Explicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
                Adams::new(norm, with_start(control, h), t, y, t_end)
            })
        }
        Method::Dopri5 => {
            let control = control(Dopri5::customary());
            Explicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
                Dopri5::new(norm, Some(with_start(control, h)), t, y, t_end)
            })
        }
        Method::Dop853 => {
            let control = control(Dop853::customary());
            Explicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
                Dop853::new(norm, Some(with_start(control, h)), t, y, t_end)
            })
        }
        Method::SspTrap => {
            let control = control(Control::default());
            Implicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
                Trapezoidal::new(norm, with_start(control, h), t, y, t_end)
            })?
        }
        Method::InflTrap => {
            let control = control(Control::default());
            Implicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
                Inflated::new(Trapezoidal::new(norm, with_start(control, h), t, y, t_end))
            })?
        }
        Method::InflSdirk => {
            let control = control(Control::default());
            Implicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
                Inflated::new(Sdirk16::new(norm, with_start(control, h), t, y, t_end))
            })?
        }
        Method::Newmark => {
            let control = settings.fixed();
            Implicit::boxed(mechanism, state, setup, h, move |norm, _, t, y, t_end| {
                Trapezoidal::new(norm, control, t, y, t_end)
            })?
        }
        Method::Hht => {
            let control = settings.fixed();
            Implicit::boxed(mechanism, state, setup, h, move |norm, _, t, y, t_end| {
                HilberHughesTaylor::new(norm, control, t, y, t_end)
            })?
        }
        Method::ForSdirk => {
            let control = control(Control::default());
            Implicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
                Sdirk15::new(norm, with_start(control, h), t, y, t_end)
            })?
        }
        Method::ForRosen | Method::Auto => {
            let control = control(Control::default());
            Implicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
                Rosenbrock::new(norm, with_start(control, h), t, y, t_end)
            })?
        }
    })
}

fn with_start(control: Control, h: Option<f64>) -> Control {
    Control { h_start: h, ..control }
}

/// Makes a stepper: norm, first step, time, state, end.
type Make<S> = Box<dyn Fn(Norm, Option<f64>, f64, &[f64], f64) -> S>;

/// What explicit steppers do besides stepping.
trait Projecting<'a>: Stepper<Full<'a>, Error = Trouble> + Snapshot {
    /// One accepted step that ends on the constraints.
    fn step_onto(&mut self, full: &mut Full<'a>, y: &mut [f64]) -> Result<StepReport, Outcome<Trouble>> {
        let report = self.step(full)?;
        y.copy_from_slice(self.state());
        let t = self.t();
        if full.project(t, y).map_err(|error| Outcome::Problem { t, error })? {
            self.replace_state(y);
        }
        Ok(report)
    }
}

impl<'a> Projecting<'a> for Dopri5 {}
impl<'a> Projecting<'a> for Dop853 {}
impl<'a> Projecting<'a> for Adams {
    fn step_onto(&mut self, full: &mut Full<'a>, y: &mut [f64]) -> Result<StepReport, Outcome<Trouble>> {
        let report = self.step_projected(full, |full, t, y| full.project(t, y).map(|_| ()))?;
        y.copy_from_slice(self.state());
        Ok(report)
    }
}

/// Shorter steps that are tried where the end of one cannot be moved onto the constraints.
const SHORTER: usize = 40;

/// An explicit method on all coordinates.
struct Explicit<'a, S> {
    full: Full<'a>,
    /// The last accepted state and its time, and the end of the run.
    from: (f64, Vec<f64>),
    t_end: f64,
    stepper: S,
    make: Make<S>,
    norm: Norm,
    y: Vec<f64>,
    before: Statistics,
}

impl<'a, S: Projecting<'a> + 'a> Explicit<'a, S> {
    fn boxed(
        mechanism: Mechanism<'a>,
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
        let (from, t_end) = ((state.t, y.clone()), setup.settings.t_end);
        let before = Statistics::default();
        Box::new(Self { full, from, t_end, stepper, make: Box::new(make), norm, y, before })
    }

    /// Goes back to the last accepted state, to try a shorter step.
    fn go_back(&mut self, h: f64) {
        let mut spent = self.stepper.statistics();
        if self.stepper.t() != self.from.0 {
            spent.steps -= 1;
        }
        spent.rejected += 1;
        self.before = self.before.plus(spent);
        self.stepper = (self.make)(self.norm.clone(), Some(h), self.from.0, &self.from.1, self.t_end);
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
        self.from.0 = self.stepper.t();
        self.from.1.copy_from_slice(self.stepper.state());
        let mut rejected = 0;
        loop {
            match self.stepper.step_onto(&mut self.full, &mut self.y) {
                Ok(report) => return Ok(StepReport { rejected: report.rejected + rejected, ..report }),
                // a step that cannot be moved onto the constraints was too long
                Err(Outcome::Problem { t, error }) if t != self.from.0 && rejected < SHORTER => {
                    let h = 0.25 * (t - self.from.0);
                    if h.abs() <= 10.0 * f64::EPSILON * t.abs() {
                        return Err(Outcome::Problem { t: self.from.0, error });
                    }
                    self.go_back(h);
                    rejected += 1;
                }
                Err(outcome) => return Err(outcome),
            }
        }
    }

    fn state(&mut self, state: &mut State) -> Result<(), Trouble> {
        self.y.copy_from_slice(self.stepper.state());
        self.write(self.stepper.t(), state);
        let Mechanism { system, work, .. } = &mut self.full.mechanism;
        system.set(work, state.t, &state.q, &state.v);
        system.evaluate_constraints(work);
        Ok(())
    }

    fn inside(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble> {
        self.stepper.inside(&mut self.full, theta, &mut self.y);
        self.full.project(t, &mut self.y)?;
        self.write(t, state);
        Ok(())
    }

    fn glance(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble> {
        self.stepper.dense(theta, &mut self.y);
        self.write(t, state);
        Ok(())
    }

    /// The dense output is nearly as accurate as the steps.
    fn cut(&mut self, theta: f64, t: f64, _: &State, state: &mut State) -> Result<(), Outcome<Trouble>> {
        self.inside(theta, t, state).map_err(|error| Outcome::Problem { t, error })
    }

    fn settle(&mut self) -> Result<(), Trouble> {
        Ok(())
    }

    fn restart(&mut self, state: &State, h: Option<f64>, t_end: f64) {
        let Mechanism { system, work, .. } = &mut self.full.mechanism;
        system.set_state(work, state);
        self.y = [&state.q[..], &state.v[..]].concat();
        self.t_end = t_end;
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
        self.before.plus(self.stepper.statistics())
    }

    fn repartitions(&self) -> usize {
        0
    }

    fn mechanism(&mut self) -> &mut Mechanism<'a> {
        &mut self.full.mechanism
    }

    fn into_mechanism(self: Box<Self>) -> Mechanism<'a> {
        self.full.mechanism
    }
}

/// What implicit steppers do besides stepping.
trait Partitioned<'a>: Stepper<Reduced<'a>, Error = Trouble> + Snapshot {
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
struct Implicit<'a, S> {
    reduced: Reduced<'a>,
    stepper: S,
    make: Make<S>,
    norm: Norm,
    y: Vec<f64>,
    before: Statistics,
}

impl<'a, S: Partitioned<'a> + 'a> Implicit<'a, S> {
    fn boxed(
        mechanism: Mechanism<'a>,
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
        Ok(Box::new(Self { reduced, stepper, make: Box::new(make), norm, y, before: Statistics::default() }))
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

    fn state(&mut self, state: &mut State) -> Result<(), Trouble> {
        self.reduced.accept(self.stepper.t(), self.stepper.state())?;
        self.reduced.write_state(state);
        Ok(())
    }

    fn glance(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble> {
        self.stepper.dense(theta, &mut self.y);
        self.reduced.recover_at(t, &self.y)?;
        self.reduced.write_state(state);
        Ok(())
    }

    fn inside(&mut self, theta: f64, t: f64, state: &mut State) -> Result<(), Trouble> {
        // a place inside the step is the same whatever was looked at before
        self.reduced.factored = false;
        self.stepper.inside(&mut self.reduced, theta, &mut self.y);
        self.reduced.factored = false;
        self.reduced.recover_at(t, &self.y)?;
        self.reduced.write_state(state);
        Ok(())
    }

    /// The dense output is of lower order, so the step is taken anew.
    fn cut(&mut self, _: f64, t: f64, start: &State, state: &mut State) -> Result<(), Outcome<Trouble>> {
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
        self.reduced.start(state);
        self.reduced.independent(&mut self.y);
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
        self.before.plus(self.stepper.statistics())
    }

    fn repartitions(&self) -> usize {
        self.reduced.repartitions
    }

    fn mechanism(&mut self) -> &mut Mechanism<'a> {
        &mut self.reduced.mechanism
    }

    fn into_mechanism(self: Box<Self>) -> Mechanism<'a> {
        self.reduced.mechanism
    }
}
