//! Errors in all bodies, and the change from the chart of a step to that of the next.

use super::Whole;
use super::bordered::lift;
use crate::dynamics::forms::recover::Recovering;
use crate::dynamics::instant::Trouble;
use crate::integrate::{Loss, Norm, add};

impl<const EXACT: bool> Whole<'_, EXACT> {
    /// Accelerations of all coordinates whose tangent part is that of `a`, by the acceleration equations; those of the
    /// bodies in `acc`. The factor is that of the instant at hand, whose constraints are evaluated.
    fn complete(&mut self, a: &[f64]) {
        self.xddot.copy_from_slice(a);
        let (room, single) = (&mut self.room, &self.structure.single);
        self.chart.accelerations(&self.x, &self.xdot, &self.xddot, &mut room.acc);
        let work = &self.mechanism.work;
        single.equations_times(&work.phi_v, &room.acc, &mut room.equations);
        for (e, &equation) in room.equations.iter_mut().zip(&self.jacobian.equation) {
            *e = work.gamma[equation] - *e;
        }
        lift(single, &self.here, &room.equations, &mut room.right);
        single.with_coordinates(&room.right, &mut self.xddot, |x, normal| *x += normal);
        self.chart.accelerations(&self.x, &self.xdot, &self.xddot, &mut room.acc);
    }

    /// The worst of all bodies in position, turn, velocity and angular velocity, of a tangent change of the coordinates and
    /// their rates in a step of size `h`.
    pub(super) fn measure_change(
        &mut self,
        norm: &Norm,
        h: f64,
        (error, loss): (&[f64], Option<Loss>),
        (y0, y1): (&[f64], &[f64]),
    ) -> f64 {
        let at = (&self.q[..], &self.velocity[..]);
        match &self.yardstick {
            Some(yardstick) => {
                let changes = self.locked.left_out(error.split_at(self.x.len()));
                yardstick.tangent((h.abs(), loss), at, changes)
            }
            None => norm.of_step(h, error, y0, y1),
        }
    }

    /// The same of the tangent part of an error. O(entries of the factor)
    pub(super) fn measure_error(
        &mut self,
        norm: &Norm,
        h: f64,
        error: &[f64],
        ends: (&[f64], &[f64]),
    ) -> f64 {
        let mut tangent = std::mem::take(&mut self.error);
        tangent.copy_from_slice(error);
        let (positions, rates) = tangent.split_at_mut(self.x.len());
        self.flatten(positions);
        self.flatten(rates);
        let size = self.measure_change(norm, h, (&tangent, None), ends);
        self.error = tangent;
        size
    }

    /// What is tangent of a change of the coordinates where the chart is based, in place: the change less the least one,
    /// in the metric of the form, that does the same to the constraints. O(entries of the factor)
    pub fn flatten(&mut self, x: &mut [f64]) {
        let (room, single) = (&mut self.room, &self.structure.single);
        single.equations_times(&self.base.phi, x, &mut room.equations);
        lift(single, &self.base.factor, &room.equations, &mut room.right);
        single.with_coordinates(&room.right, x, |x, normal| *x -= normal);
    }

    /// Bases the chart at the end of a step, given by its coordinates, and writes these and accelerations there in the
    /// new chart: what a stepper remembers. The first list is that of the last stage; lists may be empty.
    pub(super) fn rebase_with(
        &mut self,
        t: f64,
        y: &mut [f64],
        accelerations: [&mut [f64]; 2],
    ) -> Result<(), Trouble> {
        self.take_over(t, y)?;
        let (mut factored, mut known) = (false, false);
        let [own, other] = accelerations;
        self.base.has_lam = !EXACT && !own.is_empty() && self.notes.find(t).is_some();
        for (list, is_own) in [(other, false), (own, true)] {
            if list.is_empty() {
                continue;
            }
            if self.end.solved && self.end.xddot == list {
                self.room.acc.copy_from_slice(&self.end.acc);
            } else if let Some(note) = self.notes.find(t).filter(|_| is_own && !EXACT) {
                // its normal part is known
                add(1.0, &note.normal[2], list);
                self.chart.accelerations(&self.x, &self.xdot, list, &mut self.room.acc);
                self.base.lam.copy_from_slice(&note.lam);
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
