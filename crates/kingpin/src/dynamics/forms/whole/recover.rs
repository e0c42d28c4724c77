//! Positions and velocities from their tangent parts.

use super::Whole;
use super::bordered::{level, lift};
use crate::dynamics::forms::recover::{Recovering, STILL, Sight, recover};
use crate::dynamics::instant::{Dynamics, Trouble, largest};
use crate::integrate::add;

impl<const EXACT: bool> Whole<'_, EXACT> {
    /// x = v + D mu on the constraints and x' = v' + D nu along them; leaves the constraints evaluated there.
    pub(super) fn recover(&mut self, t: f64, v: &[f64], vdot: &[f64]) -> Result<(), Trouble> {
        if !self.base.regular {
            return Err(Trouble::Partition);
        }
        self.solved = false;
        self.x.copy_from_slice(v);
        self.xdot.copy_from_slice(vdot);
        self.ask_for_itself();
        self.renewed = self.renewed && self.warm;
        // the end of a step is its last stage, and what constraints add inside of it is much as in the stages
        if let Some((note, ratio)) = self.notes.near(t, self.base.t).filter(|_| self.warm) {
            add(ratio * ratio, &note.normal[0], &mut self.x);
            add(ratio, &note.normal[1], &mut self.xdot);
        }
        self.t = t;
        let recovered = recover(self);
        (self.warm, self.recovered) = (self.warm && recovered.is_ok(), recovered.is_ok());
        recovered
    }

    /// Solves for the change D (Phi_x D)^-1 e of the equations in `equations`; its size.
    fn correction(&mut self) -> f64 {
        let (single, room) = (&self.structure.single, &mut self.room);
        let factor = if self.renewed { &self.here } else { &self.base.factor };
        lift(single, factor, &room.equations, &mut room.right);
        single.with_coordinates(&room.right, &mut room.change, |change, x| *change = x);
        largest(&room.change)
    }
}

impl<const EXACT: bool> Recovering for Whole<'_, EXACT> {
    fn correct_positions(&mut self) -> Result<f64, Trouble> {
        self.chart.check(&self.x)?;
        self.chart.place(&self.x, &mut self.q);
        self.mechanism.look(self.t, &self.q, &self.velocity);
        for (e, &equation) in self.room.equations.iter_mut().zip(&self.jacobian.equation) {
            *e = self.mechanism.work.phi[equation];
        }
        let size = self.correction();
        add(-1.0, &self.room.change, &mut self.x);
        Ok(size)
    }

    fn correct_velocities(&mut self) -> Result<f64, Trouble> {
        let equations = &mut self.room.equations;
        self.structure.single.equations_times(&self.values, &self.xdot, equations);
        for (e, &equation) in equations.iter_mut().zip(&self.jacobian.equation) {
            *e -= self.mechanism.work.nu[equation];
        }
        let size = self.correction();
        add(-1.0, &self.room.change, &mut self.xdot);
        Ok(size)
    }

    /// Factors [W^-1 Phi_0^T; Phi_x 0].
    fn refactor(&mut self) -> Result<(), Trouble> {
        self.read_jacobian();
        let numbers = [&self.base.phi[..], &self.values[..]];
        self.renewed = level(&self.structure.single, &self.base.metric, numbers, &mut self.here);
        if self.renewed { Ok(()) } else { Err(Trouble::Partition) }
    }

    fn still(&self) -> [f64; 2] {
        [self.base.still, STILL * (1.0 + largest(&self.xdot))]
    }

    fn sight(&mut self) -> Sight<'_> {
        let Dynamics { system, work, .. } = &self.mechanism;
        let (x, state) = ([&self.x[..], &self.xdot], [&mut self.q[..], &mut self.velocity]);
        Sight { system, work, chart: &mut self.chart, x, state, values: &mut self.values }
    }
}
