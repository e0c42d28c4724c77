//! Positions and velocities from their tangent parts.

use super::Whole;
use super::bordered::{level, lift};
use crate::dynamics::forms::recover::STILL;
use crate::dynamics::instant::{Dynamics, Trouble, largest};

/// Corrections greater than this many times what counts as none lead nowhere.
const FAR: f64 = 1e14;
/// Most iterations of a recovery.
const ITERATIONS: usize = 25;
/// Convergence slower than this makes a new factor worth its price.
const SLOW: f64 = 0.1;

impl<const EXACT: bool> Whole<'_, EXACT> {
    /// x = v + D mu on the constraints and x' = v' + D nu along them; leaves the constraints evaluated there.
    pub(super) fn recover(&mut self, t: f64, v: &[f64], vdot: &[f64]) -> Result<(), Trouble> {
        if !self.base.regular {
            return Err(Trouble::Partition);
        }
        self.solved = false;
        // values at the time of the last recovery are close to it: the next iterate of a stage
        let (near, (x, xdot)) =
            (self.recovered && self.factored && t == self.t, self.asked.split_at_mut(v.len()));
        for (own, asked, wanted) in [(&mut self.x, x, v), (&mut self.xdot, xdot, vdot)] {
            for ((own, asked), wanted) in own.iter_mut().zip(asked).zip(wanted) {
                *own = if near { wanted + (*own - *asked) } else { *wanted };
                *asked = *wanted;
            }
        }
        if !self.factored {
            self.here.copy_numbers(&self.base.factor);
        }
        self.t = t;
        let recovered = self.recover_positions().and_then(|()| self.recover_velocities());
        (self.factored, self.recovered) = (recovered.is_ok(), recovered.is_ok());
        recovered
    }

    /// Factors [W^-1 Phi_0^T; Phi_x 0] for the configuration of the work.
    pub(super) fn refactor(&mut self) -> Result<(), Trouble> {
        self.chart.jacobian(self.mechanism.system, &self.mechanism.work, &mut self.values);
        let numbers = [&self.base.phi[..], &self.values[..]];
        let regular = level(&self.structure.single, &self.base.metric, numbers, &mut self.here);
        if regular { Ok(()) } else { Err(Trouble::Partition) }
    }

    /// Solves for the change D (Phi_x D)^-1 e of the equations in `equations`; its size.
    fn correction(&mut self) -> f64 {
        let (single, room) = (&self.structure.single, &mut self.room);
        lift(single, &self.here, &room.equations, &mut room.right);
        room.change.iter_mut().zip(single.coordinates(&room.right)).for_each(|(change, x)| *change = x);
        largest(&room.change)
    }

    fn recover_positions(&mut self) -> Result<(), Trouble> {
        let mut before = f64::INFINITY;
        for _ in 0..ITERATIONS {
            self.chart.check(&self.x)?;
            self.chart.place(&self.x, &mut self.q);
            let Dynamics { system, work, .. } = &mut self.mechanism;
            system.set(work, self.t, &self.q, &self.velocity);
            system.evaluate_constraints(work);
            for (e, &equation) in self.room.equations.iter_mut().zip(&self.jacobian.equation) {
                *e = work.phi[equation];
            }
            let size = self.correction();
            if !size.is_finite() || size > FAR * self.base.still {
                break;
            }
            self.x.iter_mut().zip(&self.room.change).for_each(|(x, change)| *x -= change);
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
        let phi = &self.mechanism.work.phi;
        let worst = (0..phi.len()).max_by(|&a, &b| phi[a].abs().total_cmp(&phi[b].abs()));
        Trouble::Positions { row: worst, residual: worst.map_or(0.0, |row| phi[row].abs()) }
    }

    fn recover_velocities(&mut self) -> Result<(), Trouble> {
        self.chart.jacobian(self.mechanism.system, &self.mechanism.work, &mut self.values);
        let still = STILL * (1.0 + largest(&self.xdot));
        let (mut before, mut settled) = (f64::INFINITY, false);
        for _ in 0..ITERATIONS {
            let equations = &mut self.room.equations;
            self.structure.single.equations_times(&self.values, &self.xdot, equations);
            for (e, &equation) in equations.iter_mut().zip(&self.jacobian.equation) {
                *e -= self.mechanism.work.nu[equation];
            }
            let size = self.correction();
            if !size.is_finite() {
                break;
            }
            self.xdot.iter_mut().zip(&self.room.change).for_each(|(x, change)| *x -= change);
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
