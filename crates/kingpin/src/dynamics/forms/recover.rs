//! Dependent positions and velocities from the independent ones.

use super::partition::Partition;
use super::reduced::{Base, Reduced};
use super::tangent::Tangent;
use crate::dynamics::instant::{Trouble, largest};

/// Corrections below this, relative to the largest coordinate (or rate), end an iteration.
pub(in crate::dynamics) const STILL: f64 = 1e-12;
/// Corrections greater than this many times that lead nowhere.
const FAR: f64 = 1e14;
/// Most iterations of a recovery.
const ITERATIONS: usize = 25;
/// Convergence slower than this makes a new factor worth its price.
const SLOW: f64 = 0.1;

impl Reduced<'_> {
    /// Dependent positions and velocities; leaves the constraints evaluated in this configuration.
    pub(in crate::dynamics) fn recover(&mut self, t: f64, v: &[f64], vdot: &[f64]) -> Result<(), Trouble> {
        self.solved = false;
        self.predict(t, v, vdot);
        if !self.factored {
            self.partition.lu.copy_numbers(&self.base.lu);
        }
        self.t = t;
        let recovered = self.recover_positions().and_then(|()| self.recover_velocities());
        (self.factored, self.recovered) = (recovered.is_ok(), recovered.is_ok());
        recovered
    }

    /// Along the motion of the base, corrected for the independent values by the tangent there. Values at the
    /// time of the last recovery are close to it: the next iterate of a stage.
    fn predict(&mut self, t: f64, v: &[f64], vdot: &[f64]) {
        let (base, tau) = (&self.base, t - self.base.t);
        if t != self.t || !self.factored {
            for c in 0..self.x.len() {
                self.x[c] = base.x[c] + tau * (base.xdot[c] + 0.5 * tau * base.xddot[c]);
                self.xdot[c] = base.xdot[c] + tau * base.xddot[c];
            }
        }
        for (x, values) in [(&mut self.x, v), (&mut self.xdot, vdot)] {
            self.change.fill(0.0);
            for (&c, value) in self.partition.independent.iter().zip(values) {
                self.change[c] = value - x[c];
                x[c] = *value;
            }
            along_tangent(&self.tangent, &self.partition, base, &mut self.change, &mut self.step);
            self.partition.dependent.iter().for_each(|&u| x[u] += self.change[u]);
        }
    }

    /// Factors Phi_u in the configuration of the work.
    fn refactor(&mut self) -> Result<(), Trouble> {
        self.chart.jacobian(self.mechanism.system, &self.mechanism.work, &mut self.values);
        if self.partition.lu.factor(&self.values) == 0.0 { Err(Trouble::Partition) } else { Ok(()) }
    }

    /// Phi_u du = -Phi, repeated with the factor of an earlier configuration until corrections vanish
    /// [Negrut 1998, section 3.1]; a factor that brings less than a digit is renewed.
    fn recover_positions(&mut self) -> Result<(), Trouble> {
        let mut before = f64::INFINITY;
        for _ in 0..ITERATIONS {
            self.chart.check(&self.x)?;
            self.chart.place(&self.x, &mut self.q);
            let (system, work) = (self.mechanism.system, &mut self.mechanism.work);
            system.set(work, self.t, &self.q, &self.velocity);
            system.evaluate_constraints(work);
            for (r, &row) in self.step.iter_mut().zip(&self.partition.rows) {
                *r = work.phi[self.jacobian.equation[row]];
            }
            self.partition.lu.solve(&mut self.step);
            let size = largest(&self.step);
            if !size.is_finite() || size > FAR * self.base.still {
                break;
            }
            for (x, &u) in self.step.iter().zip(&self.partition.dependent) {
                self.x[u] -= x;
            }
            if size <= self.base.still {
                self.chart.place(&self.x, &mut self.q);
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

    /// Phi_u u' = nu - Phi_v v', linear; repeated because the factor is that of an earlier configuration.
    fn recover_velocities(&mut self) -> Result<(), Trouble> {
        self.chart.jacobian(self.mechanism.system, &self.mechanism.work, &mut self.values);
        let still = STILL * (1.0 + largest(&self.xdot));
        let (mut before, mut settled) = (f64::INFINITY, false);
        for _ in 0..ITERATIONS {
            for (k, (x, &row)) in self.step.iter_mut().zip(&self.partition.rows).enumerate() {
                let nu = self.mechanism.work.nu[self.jacobian.equation[row]];
                *x = product(self.tangent.row(k), &self.values, &self.xdot) - nu;
            }
            self.partition.lu.solve(&mut self.step);
            let size = largest(&self.step);
            if !size.is_finite() {
                break;
            }
            for (x, &u) in self.step.iter().zip(&self.partition.dependent) {
                self.xdot[u] -= x;
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
        self.chart.velocities(&self.xdot, &mut self.velocity);
        if settled { Ok(()) } else { Err(Trouble::Partition) }
    }
}

/// Changes of the dependent coordinates for those of the independent ones in `change`, by the tangent at the base:
/// du = -Phi_u^-1 Phi_v dv. O(entries of the factors)
pub(in crate::dynamics) fn along_tangent(
    rows: &Tangent,
    partition: &Partition,
    base: &Base,
    change: &mut [f64],
    room: &mut [f64],
) {
    partition.dependent.iter().for_each(|&u| change[u] = 0.0);
    for (pivot, out) in room.iter_mut().enumerate() {
        *out = -product(rows.row(pivot), &base.values, change);
    }
    base.lu.solve(room);
    for (x, &u) in room.iter().zip(&partition.dependent) {
        change[u] = *x;
    }
}

/// A row of Phi_x, given by places and coordinates, times x.
fn product(row: &[(u32, u32)], values: &[f64], x: &[f64]) -> f64 {
    row.iter().map(|&(place, c)| values[place as usize] * x[c as usize]).sum()
}
