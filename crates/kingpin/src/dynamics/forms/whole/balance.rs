//! The balance of forces in all coordinates, and errors in all bodies.

use super::Whole;
use super::bordered::lift;
use crate::accel::AccelFailure;
use crate::dynamics::instant::{Dynamics, Trouble, largest};
use crate::integrate::Loss;

impl<const EXACT: bool> Whole<'_, EXACT> {
    /// Accelerations of all coordinates whose tangent part is that of `a`, by the acceleration equations; those of the
    /// bodies in `acc`. The factor is that of the instant at hand, whose constraints are evaluated.
    pub(super) fn complete(&mut self, a: &[f64]) {
        self.xddot.copy_from_slice(a);
        let (room, single) = (&mut self.room, &self.structure.single);
        self.chart.accelerations(&self.x, &self.xdot, &self.xddot, &mut room.acc);
        let work = &self.mechanism.work;
        single.equations_times(&work.phi_v, &room.acc, &mut room.equations);
        for (e, &equation) in room.equations.iter_mut().zip(&self.jacobian.equation) {
            *e = work.gamma[equation] - *e;
        }
        lift(single, &self.here, &room.equations, &mut room.right);
        self.xddot.iter_mut().zip(single.coordinates(&room.right)).for_each(|(x, normal)| *x += normal);
        self.chart.accelerations(&self.x, &self.xdot, &self.xddot, &mut room.acc);
    }

    /// The force that is missing for accelerations `a`, less what constraints that are normal where the chart is based
    /// can give: Q - M x'' - Phi_x^T lam with Phi_0 W of it zero; into `force`. No accelerations are solved for, so
    /// that the iteration of a stage converges where differences of accelerations would not.
    pub(super) fn balance(&mut self, t: f64, v: &[f64], vdot: &[f64], a: &[f64]) -> Result<(), Trouble> {
        self.recover(t, v, vdot)?;
        let Dynamics { system, work, .. } = &mut self.mechanism;
        system.set(work, t, &self.q, &self.velocity);
        system.evaluate_constraints(work);
        system.evaluate_forces(work);
        if let Err(trouble) = self.refactor() {
            self.factored = false;
            return Err(trouble);
        }
        self.complete(a);
        let (room, single) = (&mut self.room, &self.structure.single);
        let Dynamics { system, work, .. } = &self.mechanism;
        system.mass_times(&room.acc, &mut room.force);
        system.add_inertance_forces(work, &room.acc, &mut room.force);
        room.force.iter_mut().zip(&work.force).for_each(|(out, force)| *out = force - *out);
        self.chart.forces(&mut room.force);
        room.right.fill(0.0);
        single.spread(0, &room.force, &[], &mut room.right);
        single.lu.solve_transposed(&self.here, &mut room.right);
        single.subtract_transposed(&self.values, single.multipliers(&room.right), &mut room.force);
        if largest(&room.force).is_finite() { Ok(()) } else { Err(AccelFailure::NotFinite.into()) }
    }

    /// The worst of all bodies in position, turn, velocity and angular velocity, of the tangent part of an error of the
    /// coordinates and their rates in a step of size `h`; `None` without a yardstick. O(entries of the factor)
    pub(super) fn measure_bodies(&mut self, h: f64, error: &[f64], loss: Option<Loss>) -> Option<f64> {
        self.yardstick.as_ref()?;
        let (positions, rates) = error.split_at(self.x.len());
        let mut changes = [std::mem::take(&mut self.room.change), std::mem::take(&mut self.room.rate_change)];
        for (change, own) in changes.iter_mut().zip([positions, rates]) {
            change.copy_from_slice(own);
            self.flatten(change);
        }
        let [change, rate_change] = &changes;
        let (at, steps) = ((&self.q[..], &self.velocity[..]), (&change[..], &rate_change[..]));
        let size = self.yardstick.as_ref().map(|yardstick| yardstick.tangent((h.abs(), loss), at, steps));
        [self.room.change, self.room.rate_change] = changes;
        size
    }

    /// What is tangent of a change of the coordinates where the chart is based, in place: the change less the least one,
    /// in the metric of the form, that does the same to the constraints. O(entries of the factor)
    pub fn flatten(&mut self, x: &mut [f64]) {
        let (room, single) = (&mut self.room, &self.structure.single);
        single.equations_times(&self.base.phi, x, &mut room.equations);
        lift(single, &self.base.factor, &room.equations, &mut room.right);
        x.iter_mut().zip(single.coordinates(&room.right)).for_each(|(x, normal)| *x -= normal);
    }

    /// Bases the chart at the end of a step, given by its coordinates, and writes these and accelerations there in the
    /// new chart: what a stepper remembers. Lists of accelerations may be empty.
    pub(super) fn rebase_with(
        &mut self,
        t: f64,
        y: &mut [f64],
        accelerations: [&mut [f64]; 2],
    ) -> Result<(), Trouble> {
        self.take_over(t, y)?;
        let (mut factored, mut known) = (false, false);
        for list in accelerations.into_iter().rev().filter(|list| !list.is_empty()) {
            if self.end.solved && self.end.xddot == list {
                self.room.acc.copy_from_slice(&self.end.acc);
            } else {
                factored = factored || self.refactor().is_ok();
                if factored {
                    self.complete(list);
                    self.solved = false;
                } else {
                    self.solve()?;
                    self.room.acc.copy_from_slice(&self.mechanism.result.acc);
                }
            }
            list.copy_from_slice(&self.room.acc);
            known = true;
        }
        if !known {
            self.chart.accelerations(&self.x, &self.xdot, &self.xddot, &mut self.room.acc);
        }
        self.set_base();
        self.coordinates(y);
        Ok(())
    }
}
