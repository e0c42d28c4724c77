//! The instant at hand, the base of the chart and the end of the step: going from one to another.

use super::Reduced;
use crate::dynamics::forms::recover::stillness;

impl Reduced<'_> {
    /// Sets the work to the instant at hand and evaluates the constraints there.
    pub(super) fn look(&mut self) {
        self.mechanism.look(self.t, &self.q, &self.velocity);
    }

    /// Makes an instant of the chart the one at hand.
    fn take(&mut self, at: impl Fn(&Self) -> (f64, &[f64], &[f64], &[f64])) {
        let (mut x, mut xdot) = (std::mem::take(&mut self.x), std::mem::take(&mut self.xdot));
        let mut own = std::mem::take(&mut self.asked);
        let (t, from, rates, asked) = at(self);
        x.copy_from_slice(from);
        xdot.copy_from_slice(rates);
        own.copy_from_slice(asked);
        (self.t, self.x, self.xdot, self.asked, self.solved) = (t, x, xdot, own, false);
        self.chart.place(&self.x, &mut self.q);
        self.chart.velocities(&self.xdot, &mut self.velocity);
        self.look();
        self.chart.jacobian(self.mechanism.system, &self.mechanism.work, &mut self.values);
        (self.factored, self.recovered) = (false, true);
    }

    pub(super) fn return_to_base(&mut self) {
        if !self.is_at_base() {
            self.take(|own| (own.base.t, &own.base.x, &own.base.xdot, &own.base.asked));
        }
    }

    pub(super) fn return_to_end(&mut self) {
        if self.t != self.end.t || self.x != self.end.x || self.xdot != self.end.xdot {
            self.take(|own| (own.end.t, &own.end.x, &own.end.xdot, &own.end_asked));
        }
    }

    /// Bases the chart at the instant at hand, whose constraints are evaluated and whose accelerations are in `acc`.
    pub(in crate::dynamics) fn set_base(&mut self) {
        let system = self.mechanism.system;
        self.chart.base(&self.q, &mut self.x);
        self.xdot.copy_from_slice(&self.velocity);
        self.xddot.copy_from_slice(&self.acc);
        self.chart.jacobian(system, &self.mechanism.work, &mut self.values);
        // a failure is no harm yet: other coordinates may do
        self.condition = self.partition.factor(&self.values).unwrap_or(f64::INFINITY);
        if self.plane.is_some() {
            self.look_at_plane();
        }
        (self.factored, self.recovered) = (self.condition.is_finite(), true);
        self.end.known = false;
        self.stages.iter_mut().for_each(|stage| stage.known = false);
        let base = &mut self.base;
        base.t = self.t;
        base.x.copy_from_slice(&self.x);
        base.xdot.copy_from_slice(&self.xdot);
        base.xddot.copy_from_slice(&self.xddot);
        base.values.copy_from_slice(&self.values);
        base.lu.copy_numbers(&self.partition.lu);
        base.still = stillness(system, &self.x);
        let mut asked = std::mem::take(&mut self.asked);
        self.independent(&mut asked);
        self.base.asked.copy_from_slice(&asked);
        self.asked = asked;
    }

    /// The motions of the plane where the chart is to be based, and how far they have turned. Partitions that are worn are
    /// chosen anew: no coordinate hangs on them. No factors: the next step starts in another plane, or not at all.
    fn look_at_plane(&mut self) {
        if self.worn() && self.partition_anew().is_err() {
            self.condition = f64::INFINITY;
        }
        let followed = self.condition.is_finite() && self.follow().is_ok();
        let Some(plane) = &mut self.plane else { return };
        if followed {
            plane.note_turn();
            self.base.motions.copy_from_slice(plane.motions());
        } else {
            plane.turn = f64::INFINITY;
            plane.return_to(&self.base.motions);
        }
    }

    /// Whether these are the coordinates of the base.
    pub(super) fn is_base(&self, t: f64, v: &[f64], vdot: &[f64]) -> bool {
        let (z, rates) = self.base.asked.split_at(v.len());
        t == self.base.t && v == z && vdot == rates
    }

    /// Whether the instant at hand is the one that these coordinates ask for.
    pub(super) fn is_at(&self, t: f64, v: &[f64], vdot: &[f64]) -> bool {
        let (z, rates) = self.asked.split_at(v.len());
        self.recovered && t == self.t && v == z && vdot == rates
    }

    /// Whether the instant at hand is the one at which the chart is based.
    pub(in crate::dynamics) fn is_at_base(&self) -> bool {
        self.t == self.base.t && self.x == self.base.x && self.xdot == self.base.xdot
    }

    /// Whether the chart is based at a time.
    pub(in crate::dynamics) fn is_based_at(&self, t: f64) -> bool {
        self.base.t == t
    }
}
