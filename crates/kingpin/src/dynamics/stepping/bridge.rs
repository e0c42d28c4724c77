//! A step over a singular position.
//!
//! Where equations become dependent accelerations cannot be told, though the motion is smooth. A bridge needs none
//! there: it is a collocation step whose places, those of Gauss, lie before and behind the position. States at the
//! places are moved onto the constraints, where accelerations are as good as anywhere; the polynomial through them is
//! the motion. How smooth they are tells the error, and a mechanism that left its branch between two places would
//! not be smooth.

use super::collocation::{Gauss, MOST};
use crate::dynamics::forms::full::derivative;
use crate::dynamics::instant::projection::Projection;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::{Norm, Statistics, StepReport};
use crate::system::State;

/// Sweeps over all places at most.
const SWEEPS: usize = 40;
/// Sweeps that may get worse.
const PATIENCE: usize = 4;
/// A change of a sweep that is small enough, in tolerances.
const STILL: f64 = 1e-3;
/// The least distance of the places from the position, in parts of the step.
const CLEAR: f64 = 0.03;
/// Order as reported, which tells where powers are looked at: not in the middle of the step.
const ORDER: usize = 6;

/// Bridges of a run; made when the first is needed.
#[derive(Default)]
pub(in crate::dynamics) struct Bridges {
    bridge: Option<Box<Bridge>>,
    /// Whether the last step was one.
    standing: bool,
    /// Work done.
    pub statistics: Statistics,
}

struct Bridge {
    projection: Projection,
    gauss: Gauss,
    t: f64,
    until: f64,
    h: f64,
    /// The state at the start and at the end, (q, v).
    start: Vec<f64>,
    end: Vec<f64>,
    /// Derivatives at the places, one after the other.
    slopes: Vec<f64>,
    y: Vec<f64>,
    slope: Vec<f64>,
    error: Vec<f64>,
}

impl Bridges {
    /// A step from a state to a time, over a position expected at `place`, in parts of it. `None` if it cannot be
    /// told, or errs too much.
    pub fn cross(
        &mut self,
        mechanism: &mut Dynamics,
        norm: &Norm,
        from: &State,
        (until, place): (f64, f64),
    ) -> Option<StepReport> {
        let bridge = self.bridge.get_or_insert_with(|| Box::new(Bridge::new(mechanism)));
        let rules = [8, 7, 6].map(Gauss::new);
        let best = rules.into_iter().max_by(|a, b| a.clearance(place).total_cmp(&b.clearance(place)))?;
        bridge.gauss = if rules[0].clearance(place) > 2.0 * CLEAR { rules[0] } else { best };
        if bridge.gauss.clearance(place) < CLEAR {
            return None;
        }
        let solves = mechanism.solves;
        let error = bridge.build(mechanism, norm, from, until);
        self.statistics.evaluations += mechanism.solves - solves;
        let Ok(Some(error)) = error else {
            self.statistics.rejected += 1;
            return None;
        };
        self.statistics.steps += 1;
        self.standing = true;
        Some(StepReport { t_old: from.t, t: until, error, order: ORDER, rejected: 0, stiff: false })
    }

    /// Whether the last step was one.
    pub fn standing(&self) -> bool {
        self.standing
    }

    /// Goes on with other steps.
    pub fn leave(&mut self) {
        self.standing = false;
    }

    /// The end of the last step, if it was a bridge.
    pub fn end(&mut self, mechanism: &mut Dynamics, state: &mut State) -> Option<()> {
        let bridge = self.bridge.as_mut().filter(|_| self.standing)?;
        write(mechanism, bridge.until, &bridge.end, state);
        let Dynamics { system, work, .. } = mechanism;
        system.set(work, state.t, &state.q, &state.v);
        system.evaluate_constraints(work);
        Some(())
    }

    /// A place inside the last step, if it was a bridge.
    pub fn inside(
        &mut self,
        mechanism: &mut Dynamics,
        (theta, t): (f64, f64),
        state: &mut State,
    ) -> Option<Result<(), Trouble>> {
        let bridge = self.bridge.as_mut().filter(|_| self.standing)?;
        Some(bridge.inside(mechanism, theta, t).map(|()| write(mechanism, t, &bridge.y, state)))
    }
}

impl Bridge {
    fn new(mechanism: &Dynamics) -> Bridge {
        let n = mechanism.system.coordinates() + mechanism.system.velocities();
        Bridge {
            projection: Projection::new(mechanism),
            gauss: Gauss::new(MOST),
            t: 0.0,
            until: 0.0,
            h: 0.0,
            start: vec![0.0; n],
            end: vec![0.0; n],
            slopes: vec![0.0; MOST * n],
            y: vec![0.0; n],
            slope: vec![0.0; n],
            error: vec![0.0; n],
        }
    }

    /// `y` = the start and the integral of the polynomial up to a part of the step.
    fn along(&mut self, part: f64) {
        let n = self.y.len();
        self.y.copy_from_slice(&self.start);
        for (weight, slopes) in self.gauss.up_to(part).iter().zip(self.slopes.chunks_exact(n)) {
            self.y.iter_mut().zip(slopes).for_each(|(y, f)| *y += self.h * weight * f);
        }
    }

    fn inside(&mut self, mechanism: &mut Dynamics, theta: f64, t: f64) -> Result<(), Trouble> {
        self.along(theta);
        self.project(mechanism, t)
    }

    fn project(&mut self, mechanism: &mut Dynamics, t: f64) -> Result<(), Trouble> {
        let (q, v) = self.y.split_at_mut(mechanism.system.coordinates());
        self.projection.apply_exactly(mechanism, t, q, v)
    }

    /// Sweeps until the places agree; the error of the step in tolerances, or `None` if it is too large.
    fn build(
        &mut self,
        mechanism: &mut Dynamics,
        norm: &Norm,
        from: &State,
        until: f64,
    ) -> Result<Option<f64>, Trouble> {
        let nq = from.q.len();
        (self.t, self.until, self.h) = (from.t, until, until - from.t);
        self.start[..nq].copy_from_slice(&from.q);
        self.start[nq..].copy_from_slice(&from.v);
        mechanism.system.set_state(&mut mechanism.work, from);
        self.begin(mechanism)?;
        let (mut last, mut worse) = (f64::INFINITY, 0);
        for _ in 0..SWEEPS {
            let change = self.sweep(mechanism, norm)?;
            if change <= STILL {
                last = 0.0;
                break;
            }
            // no better than rounding errors allow
            worse += usize::from(change.is_nan() || change >= last);
            if worse >= PATIENCE {
                break;
            }
            last = change.min(last);
        }
        self.along(1.0);
        self.project(mechanism, until)?;
        self.end.copy_from_slice(&self.y);
        let error = last.max(self.roughness(norm));
        Ok((error <= 1.0).then_some(error))
    }

    /// Slopes of a motion with constant accelerations.
    fn begin(&mut self, mechanism: &mut Dynamics) -> Result<(), Trouble> {
        let (n, nq) = (self.y.len(), mechanism.system.coordinates());
        derivative(mechanism, self.t, &self.start, &mut self.slope)?;
        let rates = &mut self.error[..nq];
        for (k, place) in self.gauss.places().iter().enumerate() {
            let tau = place * self.h;
            for ((y, start), slope) in self.y.iter_mut().zip(&self.start).zip(&self.slope) {
                *y = start + tau * slope;
            }
            let (q, v) = self.y.split_at(nq);
            mechanism.system.rates(q, v, rates);
            let slopes = &mut self.slopes[k * n..][..n];
            slopes.copy_from_slice(&self.slope);
            slopes[..nq].copy_from_slice(rates);
        }
        Ok(())
    }

    /// States at all places from the slopes, on the constraints, and the slopes there: the greatest change, in
    /// tolerances.
    fn sweep(&mut self, mechanism: &mut Dynamics, norm: &Norm) -> Result<f64, Trouble> {
        let n = self.y.len();
        let mut most = 0.0_f64;
        for k in 0..self.gauss.len {
            let place = self.gauss.places()[k];
            let t = self.t + place * self.h;
            self.inside(mechanism, place, t)?;
            derivative(mechanism, t, &self.y, &mut self.slope)?;
            let slopes = &mut self.slopes[k * n..][..n];
            for ((error, old), new) in self.error.iter_mut().zip(slopes.iter_mut()).zip(&self.slope) {
                *error = self.h * (new - *old);
                *old = *new;
            }
            let change = norm.of_step(self.h, &self.error, &self.start, &self.y);
            most = if change <= most || most.is_nan() { most } else { change };
        }
        Ok(most)
    }

    /// How much the slopes have of the highest degree that can be told, over the step, in tolerances.
    fn roughness(&mut self, norm: &Norm) -> f64 {
        let n = self.y.len();
        self.error.fill(0.0);
        for (weight, slopes) in self.gauss.highest().iter().zip(self.slopes.chunks_exact(n)) {
            self.error.iter_mut().zip(slopes).for_each(|(e, f)| *e += self.h * weight * f);
        }
        let rough = norm.of_step(self.h, &self.error, &self.start, &self.end);
        if rough.is_nan() { f64::INFINITY } else { rough }
    }
}

fn write(mechanism: &Dynamics, t: f64, y: &[f64], state: &mut State) {
    let (q, v) = y.split_at(state.q.len());
    state.t = t;
    state.q.copy_from_slice(q);
    state.v.copy_from_slice(v);
    state.turns.copy_from_slice(&mechanism.work.turns);
    state.pieces.copy_from_slice(&mechanism.work.pieces);
}
