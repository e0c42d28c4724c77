//! Dependent positions and velocities from the independent ones.

use super::jacobian::CoordinateJacobian;
use super::mechanism::{Trouble, largest};
use super::reduced::Reduced;
use crate::spatial::euler;

/// Corrections below this, relative to the largest coordinate (or rate), end an iteration.
pub(super) const STILL: f64 = 1e-12;
/// Corrections greater than this many times that lead nowhere.
const FAR: f64 = 1e14;
/// Most iterations of a recovery.
const ITERATIONS: usize = 25;
/// Convergence slower than this makes a new factor worth its price.
const SLOW: f64 = 0.1;

impl Reduced<'_> {
    /// Dependent positions and velocities; leaves the constraints evaluated in this configuration.
    pub(super) fn recover(&mut self, t: f64, v: &[f64], vdot: &[f64]) -> Result<(), Trouble> {
        self.solved = false;
        if !self.factored {
            self.refactor_at_base()?;
        }
        self.predict(t, v, vdot);
        self.t = t;
        let recovered = self.recover_positions().and_then(|()| self.recover_velocities());
        self.factored = recovered.is_ok();
        recovered
    }

    /// Factors Phi_u at the last accepted state.
    fn refactor_at_base(&mut self) -> Result<(), Trouble> {
        let (system, work) = (self.mechanism.system, &mut self.mechanism.work);
        self.velocity.fill(0.0);
        system.set(work, self.base.t, &self.base.q, &self.velocity);
        system.evaluate_constraints(work);
        self.refactor()
    }

    /// Along the motion of the base, corrected for the independent values by the tangent at hand. Values at the
    /// time of the last recovery are close to it: the next iterate of a stage.
    fn predict(&mut self, t: f64, v: &[f64], vdot: &[f64]) {
        let (base, tau) = (&self.base, t - self.base.t);
        if t != self.t || !self.factored {
            for c in 0..self.q.len() {
                self.q[c] = base.q[c] + tau * (base.qdot[c] + 0.5 * tau * base.qddot[c]);
                self.qdot[c] = base.qdot[c] + tau * base.qddot[c];
            }
        }
        for (k, &c) in self.partition.independent.iter().enumerate() {
            let (dv, dvdot) = (v[k] - self.q[c], vdot[k] - self.qdot[c]);
            for (h, &u) in self.tangent.column(k).iter().zip(&self.partition.dependent) {
                self.q[u] += h * dv;
                self.qdot[u] += h * dvdot;
            }
            (self.q[c], self.qdot[c]) = (v[k], vdot[k]);
        }
    }

    /// Factors Phi_u in the configuration of the work.
    fn refactor(&mut self) -> Result<(), Trouble> {
        let system = self.mechanism.system;
        CoordinateJacobian::from_velocities(system, &self.mechanism.work, &mut self.values);
        if self.partition.lu.factor(&self.values) == 0.0 { Err(Trouble::Partition) } else { Ok(()) }
    }

    fn recover_positions(&mut self) -> Result<(), Trouble> {
        let mut before = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let (system, work) = (self.mechanism.system, &mut self.mechanism.work);
            system.set(work, self.t, &self.q, &self.velocity);
            system.evaluate_constraints(work);
            for (r, &row) in self.step.iter_mut().zip(&self.partition.rows) {
                *r = match self.jacobian.equation[row] {
                    Some(equation) => work.phi[equation],
                    None => {
                        let body = row + system.bodies() - self.jacobian.rows.len();
                        work.bodies[body].p.iter().map(|e| e * e).sum::<f64>() - 1.0
                    }
                };
            }
            self.partition.lu.solve(&mut self.step);
            let size = largest(&self.step);
            if !size.is_finite() || size > FAR * self.base.still {
                break;
            }
            for (x, &u) in self.step.iter().zip(&self.partition.dependent) {
                self.q[u] -= x;
            }
            if size <= self.base.still {
                return Ok(());
            }
            if size > SLOW * before {
                self.refactor()?;
            }
            before = size;
        }
        Err(self.position_trouble())
    }

    /// The worst equation.
    fn position_trouble(&self) -> Trouble {
        let worst = |(row, most): (Option<usize>, f64), (r, phi): (usize, &f64)| {
            if phi.abs() <= most { (row, most) } else { (Some(r), phi.abs()) }
        };
        let (row, residual) = self.mechanism.work.phi.iter().enumerate().fold((None, 0.0), worst);
        Trouble::Positions { row, residual }
    }

    fn recover_velocities(&mut self) -> Result<(), Trouble> {
        let system = self.mechanism.system;
        CoordinateJacobian::from_velocities(system, &self.mechanism.work, &mut self.values);
        let still = STILL * (1.0 + largest(&self.qdot));
        let (mut before, mut settled) = (f64::INFINITY, false);
        for _ in 0..ITERATIONS {
            for (x, &row) in self.step.iter_mut().zip(&self.partition.rows) {
                let nu = self.jacobian.equation[row].map_or(0.0, |e| self.mechanism.work.nu[e]);
                let entries = self.jacobian.rows[row].iter();
                *x = entries.map(|&(place, c)| self.values[place] * self.qdot[c]).sum::<f64>() - nu;
            }
            self.partition.lu.solve(&mut self.step);
            let size = largest(&self.step);
            if !size.is_finite() {
                break;
            }
            for (x, &u) in self.step.iter().zip(&self.partition.dependent) {
                self.qdot[u] -= x;
            }
            if size <= still {
                settled = true;
                break;
            }
            if size > SLOW * before {
                self.refactor()?;
            }
            before = size;
        }
        self.write_velocities();
        if settled { Ok(()) } else { Err(Trouble::Partition) }
    }

    /// Velocities (r', w) from the rates of the coordinates.
    fn write_velocities(&mut self) {
        if self.mechanism.system.nq() == 3 {
            self.velocity.copy_from_slice(&self.qdot);
            return;
        }
        let each = self.q.chunks_exact(7).zip(self.qdot.chunks_exact(7));
        for ((q, rate), v) in each.zip(self.velocity.chunks_exact_mut(6)) {
            v[..3].copy_from_slice(&rate[..3]);
            let w = euler::g_times(&[q[3], q[4], q[5], q[6]], &[rate[3], rate[4], rate[5], rate[6]]);
            for k in 0..3 {
                v[3 + k] = 2.0 * w[k];
            }
        }
    }
}
