//! The balance of forces in a stage, in all coordinates.

use super::bordered::Bordered;
use super::{Whole, WholeRoom};
use crate::accel::AccelFailure;
use crate::dynamics::forms::recover::{FAR, ITERATIONS, Recovering};
use crate::dynamics::instant::{Dynamics, Trouble, largest, position_trouble};
use crate::integrate::add;
use crate::threads::{Each, STRETCH, in_pieces};

/// What a stepper asks of a stage.
#[derive(Clone, Copy)]
pub(super) struct StageWish<'s> {
    pub t: f64,
    pub x: &'s [f64],
    pub xdot: &'s [f64],
    pub xddot: &'s [f64],
    /// By how much it is going to move the coordinates, besides what the balance asks for.
    pub gap: Option<&'s [f64]>,
}

/// How far from the constraints forces may be evaluated, as a part of the tolerance.
const NEAR: f64 = 1e-3;
/// Normal parts that shrink by less from iteration to iteration need a factor of their own configuration.
const SLUGGISH: f64 = 0.3;

impl<const EXACT: bool> Whole<'_, EXACT> {
    /// The force that is missing in a stage, Q - M x'' - Phi_x^T lam, into `force`. The stage is what was asked for and
    /// normal parts D mu, D nu, D eta of coordinates, rates and accelerations, known from the iteration before. What is
    /// left of the constraints corrects them, linearly; as a rule they are close enough already, and constraints and forces
    /// are evaluated once. No accelerations are solved for, so that the iteration converges where differences of
    /// accelerations would not.
    pub(super) fn balance(&mut self, matrix: &Bordered<EXACT>, wish: StageWish) -> Result<(), Trouble> {
        if !self.base.regular {
            return Err(Trouble::Partition);
        }
        if !self.warm {
            self.notes.clear();
            (self.renewed, self.warm) = (false, true);
        }
        (self.t, self.solved, self.recovered) = (wish.t, false, false);
        self.assume(&wish);
        if self.approach(wish.gap).is_err() {
            // an attempt that failed may have left what is known of its stages, as this one would
            self.notes.clear();
            self.renewed = false;
            self.assume(&wish);
            self.warm = false;
            self.approach(wish.gap)?;
            self.warm = true;
        }
        let Dynamics { system, work, .. } = &mut self.mechanism;
        system.evaluate_forces(work);
        self.missing();
        matrix.subtract_damping(&self.room.rate_change, &mut self.room.force);
        self.warm = largest(&self.room.force).is_finite();
        if self.warm { Ok(()) } else { Err(AccelFailure::NotFinite.into()) }
    }

    /// Sets the instant at hand to what was asked for with the normal parts that are known.
    fn assume(&mut self, wish: &StageWish) {
        let note = self.notes.at(wish.t, self.base.t, wish.x.len(), &self.base.lam);
        let asked = [wish.x, wish.xdot, wish.xddot];
        let own = [&mut self.x, &mut self.xdot, &mut self.xddot];
        for ((own, asked), normal) in own.into_iter().zip(asked).zip(&note.normal) {
            own.iter_mut().zip(asked).zip(normal).for_each(|((own, asked), normal)| *own = asked + normal);
        }
    }

    /// Corrects the normal parts until places are close to the constraints, which are evaluated there.
    fn approach(&mut self, gap: Option<&[f64]>) -> Result<(), Trouble> {
        let mut before = f64::INFINITY;
        for _ in 0..ITERATIONS {
            self.chart.check(&self.x)?;
            self.chart.place(&self.x, &mut self.q);
            self.chart.velocities(&self.xdot, &mut self.velocity);
            self.mechanism.look(self.t, &self.q, &self.velocity);
            self.correct_normal(gap);
            let size = largest(&self.room.change);
            if !size.is_finite() || size > FAR * self.base.still {
                break;
            }
            let close = size <= self.base.still || self.is_near();
            self.take_over_normal(close);
            if close {
                return Ok(());
            }
            if size > SLUGGISH * before {
                self.refactor()?;
            }
            before = size;
        }
        Err(position_trouble(&self.mechanism.work))
    }

    /// Whether the change of places is nothing beside the tolerance.
    fn is_near(&mut self) -> bool {
        let (h, WholeRoom { change, nothing, .. }) = ((self.t - self.base.t).abs(), &self.room);
        let (at, changes) = ((&self.q[..], &self.velocity[..]), self.locked.left_out((change, nothing)));
        self.yardstick.as_ref().is_some_and(|y| y.tangent((h, None), at, changes) <= NEAR)
    }

    /// Changes of coordinates and rates towards the constraints, into `change` and `rate_change`, and accelerations that
    /// are completed by theirs.
    fn correct_normal(&mut self, gap: Option<&[f64]>) {
        let (room, single, work) = (&mut self.room, &self.structure.single, &self.mechanism.work);
        self.chart.accelerations(&self.x, &self.xdot, &self.xddot, &mut room.acc);
        room.equations.fill(0.0);
        if let Some(gap) = gap {
            single.equations_times(&self.base.phi, gap, &mut room.equations);
        }
        let (kept, ahead) = (&self.jacobian.equation, &room.equations);
        let of_equation = |k: usize| {
            let (e, both) = (kept[k], [&self.velocity[..], &room.acc]);
            let [rate, curve] = single.equation_times(k, &work.phi_v, both);
            [-work.phi[e], work.nu[e] - rate, work.gamma[e] - curve, -ahead[k]]
        };
        if single.equations() > 0 {
            single.write_right(&mut room.four, |_| [0.0; 4], of_equation);
            let factor = if self.renewed { &self.here } else { &self.base.factor };
            single.lu.solve(factor, &mut room.four);
        }
        let (four, both) = (&room.four, (Each(&mut room.change, 0), Each(&mut room.rate_change, 0)));
        in_pieces(0..self.x.len(), STRETCH, both, &|some, (change, rate_change)| {
            for ((c, change), rate_change) in some.zip(change.0).zip(rate_change.0) {
                [*change, *rate_change, ..] = four[single.place_of(c)];
            }
        });
    }

    /// Adds the changes to the normal parts of the stage; to the instant at hand those of accelerations, and of coordinates
    /// and rates too unless they are `close`. What a stepper is going to
    /// move off the constraints is taken back at last, and left in `change`.
    fn take_over_normal(&mut self, close: bool) {
        let note = self.notes.at(self.t, self.base.t, self.x.len(), &self.base.lam);
        let room = &mut self.room;
        let [places, rates, accelerations] = &mut note.normal;
        let (single, four) = (&self.structure.single, &room.four);
        let own = (Each(accelerations, 0), Each(&mut self.xddot, 0));
        let all = ((Each(places, 0), Each(rates, 0)), own);
        in_pieces(0..self.x.len(), STRETCH, all, &|some, ((places, rates), (accelerations, own))| {
            let each = places.0.iter_mut().zip(rates.0).zip(accelerations.0).zip(own.0);
            for (c, (((x, rate), acceleration), own)) in some.zip(each) {
                let [by_position, by_rate, by_acceleration, ahead] = four[single.place_of(c)];
                *x += if close { by_position + ahead } else { by_position };
                *rate += by_rate;
                *acceleration += by_acceleration;
                *own += by_acceleration;
            }
        });
        if close {
            single.with_coordinates(four, &mut room.change, |change, four| *change = four[3]);
            return self.chart.accelerations(&self.x, &self.xdot, &self.xddot, &mut room.acc);
        }
        add(1.0, &room.change, &mut self.x);
        add(1.0, &room.rate_change, &mut self.xdot);
    }

    /// Adds a part of the multipliers that a matrix was solved for to those of the stage looked at last.
    pub(super) fn correct_multipliers(&mut self, part: f64, matrix: &Bordered<EXACT>) {
        let note = self.notes.at(self.t, self.base.t, self.x.len(), &self.base.lam);
        matrix.add_multipliers(part, &mut note.lam);
    }

    /// The same with multipliers of stages that were solved for together, taken apart.
    pub(super) fn correct_together(&mut self, matrix: &Bordered<EXACT>, times: &[f64], weights: &[[f64; 3]]) {
        for (&t, [real, re, im]) in times.iter().zip(weights) {
            let note = self.notes.at(t, self.base.t, self.x.len(), &self.base.lam);
            matrix.add_multipliers(*real, &mut note.lam);
            matrix.add_complex_multipliers([*re, *im], &mut note.lam);
        }
    }

    /// Q - M x'' - Phi_x^T lam of the instant evaluated last, with multipliers that leave nothing of it along what is normal
    /// where the chart is based, D^T of it zero: those known before, corrected with the factor of the base. Phi_x is another
    /// here, so that guesses are corrected twice; those known from a solution with the matrix once. Without that, where
    /// bodies turn far in a step, the iteration would be slow.
    fn missing(&mut self) {
        self.read_jacobian();
        let (room, single) = (&mut self.room, &self.structure.single);
        let Dynamics { system, work, .. } = &self.mechanism;
        system.mass_times(&room.acc, &mut room.force);
        system.add_shared_inertia(work, &room.acc, &mut room.force);
        room.force.iter_mut().zip(&work.force).for_each(|(out, force)| *out = force - *out);
        self.chart.forces(&mut room.force);
        let note = self.notes.at(self.t, self.base.t, self.x.len(), &self.base.lam);
        single.subtract_transposed(&self.values, |e| note.lam[e], &mut room.force);
        let guessed = std::mem::replace(&mut note.guessed, false);
        // without equations there is nothing normal
        let rounds = if single.equations() == 0 { 0 } else { 1 + usize::from(guessed) };
        for _ in 0..rounds {
            let (force, right) = (&mut room.force, &mut room.right);
            single.write_right(right, |c| force[c], |_| 0.0);
            single.lu.solve(&self.base.factor, right);
            single.with_multipliers(right, &mut note.lam, |lam, by| *lam += by);
            single.subtract_transposed(&self.values, |e| single.multiplier(right, e), force);
        }
    }
}
