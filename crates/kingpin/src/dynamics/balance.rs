//! The equations of motion of independent coordinates as a balance of forces.

use super::mechanism::{Mechanism, Trouble, largest};
use super::reduced::Reduced;
use crate::accel::AccelFailure;
use crate::spatial::{V3, apply, euler};

impl Reduced<'_> {
    /// Accelerations of all coordinates for those of the independent ones, by the acceleration equations.
    fn complete(&mut self, a: &[f64]) {
        for (a, &c) in a.iter().zip(&self.partition.independent) {
            self.qddot[c] = *a;
        }
        for &c in &self.partition.dependent {
            self.qddot[c] = 0.0;
        }
        let bodies = &self.mechanism.work.bodies;
        for (x, &row) in self.step.iter_mut().zip(&self.partition.rows) {
            let right = match self.jacobian.equation[row] {
                Some(equation) => self.mechanism.work.gamma[equation],
                None => {
                    let body = row + self.mechanism.system.bodies() - self.jacobian.rows.len();
                    -2.0 * bodies[body].pdot.iter().map(|x| x * x).sum::<f64>()
                }
            };
            let known = self.jacobian.rows[row].iter().map(|&(place, c)| self.values[place] * self.qddot[c]);
            *x = right - known.sum::<f64>();
        }
        self.partition.lu.solve(&mut self.step);
        for (x, &c) in self.step.iter().zip(&self.partition.dependent) {
            self.qddot[c] = *x;
        }
    }

    /// Forces less inertia forces in coordinates, for the accelerations `qddot`; into `force`.
    fn unbalanced(&mut self) {
        let Mechanism { system, work, .. } = &self.mechanism;
        let (nq, nv) = (system.nq(), system.nv());
        let each = self.qddot.chunks_exact(nq).zip(self.force.chunks_exact_mut(nq)).enumerate();
        for (b, (acc, out)) in each {
            let (inertia, force) = (&system.inertia[b], &work.force[b * nv..(b + 1) * nv]);
            if nq == 3 {
                out[0] = force[0] - inertia.mass * acc[0];
                out[1] = force[1] - inertia.mass * acc[1];
                out[2] = force[2] - inertia.tensor[0][0] * acc[2];
                continue;
            }
            let p = &work.bodies[b].p;
            let turn = euler::g_times(p, &[acc[3], acc[4], acc[5], acc[6]]).map(|x| 2.0 * x);
            let inertial = apply(&inertia.tensor, &turn);
            let torque: V3 = std::array::from_fn(|k| force[3 + k] - inertial[k]);
            for k in 0..3 {
                out[k] = force[k] - inertia.mass * acc[k];
            }
            let radial = euler::gt_times(p, &torque);
            for k in 0..4 {
                out[3 + k] = 2.0 * radial[k];
            }
        }
    }

    /// The force that is missing for accelerations `a` of the independent coordinates, Qhat - Mhat a, from the
    /// equations of motion as they stand, without solving for accelerations: the stiff forces enter along their
    /// present directions and do not pass through a mass matrix that changes, so that the iteration of a stage
    /// converges where differences of accelerations would not.
    pub(super) fn balance(
        &mut self,
        t: f64,
        v: &[f64],
        vdot: &[f64],
        a: &[f64],
        out: &mut [f64],
    ) -> Result<(), Trouble> {
        self.recover(t, v, vdot)?;
        if self.partition.lu.factor(&self.values) == 0.0 {
            self.factored = false;
            return Err(Trouble::Partition);
        }
        let Mechanism { system, work, .. } = &mut self.mechanism;
        system.set(work, t, &self.q, &self.velocity);
        system.evaluate_constraints(work);
        system.evaluate_forces(work);
        self.complete(a);
        self.unbalanced();
        // P^T force: what acts on dependent coordinates is passed on to the independent ones
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
        if largest(out).is_finite() { Ok(()) } else { Err(AccelFailure::NotFinite.into()) }
    }
}
