//! The equations of motion of independent coordinates as a balance of forces.

use super::reduced::Reduced;
use crate::accel::AccelFailure;
use crate::dynamics::instant::{Dynamics, Trouble, largest};

impl Reduced<'_> {
    /// Accelerations of all coordinates for those of the independent ones, by the acceleration equations; those of
    /// the bodies in `acc`. The factors are those of the instant at hand, whose constraints are evaluated.
    pub(in crate::dynamics) fn complete(&mut self, a: &[f64]) {
        match &self.plane {
            Some(plane) => plane.along(a, &mut self.xddot),
            None => {
                self.xddot.fill(0.0);
                let own = a.iter().zip(&self.partition.independent);
                own.for_each(|(a, &c)| self.xddot[c] = *a);
            }
        }
        // what the bodies have of their acceleration when the dependent coordinates have none
        self.chart.accelerations(&self.x, &self.xdot, &self.xddot, &mut self.acc);
        let work = &self.mechanism.work;
        for (x, &row) in self.step.iter_mut().zip(&self.partition.rows) {
            let known = self.jacobian.rows[row].iter().map(|&(place, c)| work.phi_v[place] * self.acc[c]);
            *x = work.gamma[self.jacobian.equation[row]] - known.sum::<f64>();
        }
        self.partition.lu.solve(&mut self.step);
        if let Some(plane) = &mut self.plane {
            self.change.fill(0.0);
            let own = self.step.iter().zip(&self.partition.dependent);
            own.for_each(|(x, &c)| self.change[c] = *x);
            plane.level(&mut self.change);
            self.xddot.iter_mut().zip(&self.change).for_each(|(a, change)| *a += change);
        } else {
            for (x, &c) in self.step.iter().zip(&self.partition.dependent) {
                self.xddot[c] = *x;
            }
        }
        self.chart.accelerations(&self.x, &self.xdot, &self.xddot, &mut self.acc);
    }

    /// Forces less inertia forces on the coordinates, for the accelerations in `acc`; into `force`.
    pub(super) fn unbalanced(&mut self) {
        let Dynamics { system, work, .. } = &self.mechanism;
        system.mass_times(&self.acc, &mut self.force);
        system.add_shared_inertia(work, &self.acc, &mut self.force);
        self.force.iter_mut().zip(&work.force).for_each(|(out, force)| *out = force - *out);
        self.chart.forces(&mut self.force);
    }

    /// Methods that solve for stages together come back to each in turn: its last iterate is the closest there is, and
    /// its factors are the best; whether there is one. In the plane factors stay those of the motions at hand.
    fn return_to_stage(&mut self, t: f64) -> bool {
        if !self.factored {
            return false;
        }
        let Some(stage) = self.stages.iter().find(|stage| stage.known && stage.t == t) else { return false };
        if t != self.t {
            self.t = t;
            self.x.copy_from_slice(&stage.x);
            self.xdot.copy_from_slice(&stage.xdot);
            if self.plane.is_none() {
                self.partition.lu.copy_numbers(&stage.lu);
            }
        }
        true
    }

    /// Keeps the instant at hand as an iterate of its stage, in the place of the oldest other.
    fn keep_stage(&mut self) {
        let place = match self.stages.iter().position(|stage| stage.known && stage.t == self.t) {
            Some(place) => place,
            None => {
                self.stages.rotate_right(1);
                0
            }
        };
        let stage = &mut self.stages[place];
        (stage.t, stage.known) = (self.t, true);
        stage.x.copy_from_slice(&self.x);
        stage.xdot.copy_from_slice(&self.xdot);
        stage.lu.copy_numbers(&self.partition.lu);
    }

    /// The force that is missing for accelerations `a` of the independent coordinates, Qhat - Mhat a, from the
    /// equations of motion as they stand, without solving for accelerations: the stiff forces enter along their
    /// present directions and do not pass through a mass matrix that changes, so that the iteration of a stage
    /// converges where differences of accelerations would not.
    pub(in crate::dynamics) fn balance(
        &mut self,
        t: f64,
        v: &[f64],
        vdot: &[f64],
        a: &[f64],
        out: &mut [f64],
    ) -> Result<(), Trouble> {
        let returned = self.return_to_stage(t);
        self.recover_stage((t, v, vdot), returned)?;
        self.keep_stage();
        let Dynamics { system, work, .. } = &mut self.mechanism;
        system.set(work, t, &self.q, &self.velocity);
        system.evaluate_constraints(work);
        self.complete(a);
        let Dynamics { system, work, .. } = &mut self.mechanism;
        if system.readings.is_empty() {
            system.evaluate_forces(work);
            self.unbalanced();
        } else {
            self.agree_with_reactions()?;
        }
        self.reduce_force(out);
        if largest(out).is_finite() { Ok(()) } else { Err(AccelFailure::NotFinite.into()) }
    }

    /// What forces on all coordinates do on those of the form: P^T force, or B^T force in the plane.
    fn reduce_force(&mut self, out: &mut [f64]) {
        if let Some(plane) = &self.plane {
            return plane.forces(&self.force, out);
        }
        // what acts on dependent coordinates is passed on to the independent ones
        for (y, &c) in self.step.iter_mut().zip(&self.partition.dependent) {
            *y = self.force[c];
        }
        self.partition.lu.solve_transposed(&mut self.step);
        for (y, &row) in self.step.iter().zip(&self.partition.rows) {
            for &(place, c) in &self.jacobian.rows[row] {
                self.force[c] -= y * self.values[place];
            }
        }
        for (out, &c) in out.iter_mut().zip(&self.partition.independent) {
            *out = self.force[c];
        }
    }
}
