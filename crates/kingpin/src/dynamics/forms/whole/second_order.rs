//! All coordinates as implicit methods see them.

use super::Whole;
use super::bordered::Bordered;
use crate::dynamics::forms::measure::{natural_time, retreat};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::{IterationMatrix, Loss, Norm, SecondOrder, Unfit};

impl<const EXACT: bool> Whole<'_, EXACT> {
    /// Derivatives of the equations at the instant at hand, whose accelerations are solved and where the chart is based.
    fn differentiate(&mut self) {
        let Dynamics { system, work, result, .. } = &self.mechanism;
        let joints = system.layout.rows;
        self.multipliers[..joints].copy_from_slice(&result.lam);
        self.multipliers[joints..].fill(0.0);
        system.coordinate_accelerations(work, &result.acc, &mut self.qddot);
        system.evaluate_derivatives(work, &self.qddot, &self.multipliers, &mut self.derivatives);
        self.slopes.read(system, work, &result.acc, &self.multipliers, &self.derivatives);
    }
}

impl<const EXACT: bool> SecondOrder for Whole<'_, EXACT> {
    type Error = Trouble;
    type Matrix = Bordered<EXACT>;

    fn dim(&self) -> usize {
        self.x.len()
    }

    fn acceleration(&mut self, t: f64, v: &[f64], vdot: &[f64], vddot: &mut [f64]) -> Result<(), Trouble> {
        self.solve_at(t, v, vdot)?;
        vddot.copy_from_slice(&self.xddot);
        Ok(())
    }

    fn linearise(
        &mut self,
        t: f64,
        v: &[f64],
        vdot: &[f64],
        out: &mut Bordered<EXACT>,
    ) -> Result<(), Trouble> {
        self.solve_at(t, v, vdot)?;
        debug_assert!(self.is_base(t, v, vdot), "equations are linearised where the chart is based");
        self.differentiate();
        out.shape(&self.structure);
        let (to, slopes) = (&mut out.numbers, &self.slopes);
        to.mass.clone_from(&self.base.mass);
        to.metric.clone_from(&self.base.metric);
        to.phi.clone_from(&self.base.phi);
        to.stiffness.clone_from(&slopes.stiffness);
        to.damping.clone_from(&slopes.damping);
        to.rate.clone_from(&slopes.rate);
        to.force_t.clone_from(&slopes.force_t);
        to.phi_tt.clear();
        to.phi_tt.extend(self.jacobian.equation.iter().map(|&e| self.derivatives.phi_tt[e]));
        if !self.base.regular {
            return Err(Trouble::Partition);
        }
        out.set_level(&self.base.factor);
        Ok(())
    }

    /// `Pi da` is the force that is missing.
    fn correct(
        &mut self,
        matrix: &mut Bordered<EXACT>,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
        da: &mut [f64],
    ) -> Result<(), Trouble> {
        self.balance(t, v, vdot, a)?;
        da.copy_from_slice(&self.room.force);
        matrix.solve_lack(da);
        Ok(())
    }

    /// The force that is missing.
    fn imbalance(
        &mut self,
        _: &mut Bordered<EXACT>,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
        lack: &mut [f64],
    ) -> Result<(), Trouble> {
        self.balance(t, v, vdot, a)?;
        lack.copy_from_slice(&self.room.force);
        Ok(())
    }

    fn correct_state(
        &mut self,
        matrix: &mut Bordered<EXACT>,
        g: f64,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
        residual: &mut [f64],
    ) -> Result<(), Trouble> {
        self.balance(t, v, vdot, a)?;
        self.room.force.iter_mut().for_each(|force| *force *= g);
        let (position, velocity) = residual.split_at_mut(v.len());
        self.flatten(position);
        matrix.solve_multiplied(position, &self.room.force, velocity);
        Ok(())
    }

    fn fit(&self, matrix: &mut Bordered<EXACT>) -> Result<(), Unfit> {
        matrix.fit(&self.structure)
    }

    fn rebase(&mut self, t: f64, y: &mut [f64], accelerations: [&mut [f64]; 2]) -> Result<(), Trouble> {
        self.rebase_with(t, y, accelerations)
    }

    fn measure(&mut self, norm: &Norm, h: f64, error: &[f64], (y0, y1): (&[f64], &[f64])) -> f64 {
        self.measure_bodies(h, error, None).unwrap_or_else(|| norm.of_step(h, error, y0, y1))
    }

    fn measure_losing(
        &mut self,
        norm: &Norm,
        h: f64,
        (error, loss): (&[f64], Loss),
        (y0, y1): (&[f64], &[f64]),
    ) -> f64 {
        self.measure_bodies(h, error, Some(loss)).unwrap_or_else(|| norm.of_step(h, error, y0, y1))
    }

    fn natural_time(&self) -> Option<Option<f64>> {
        Some(natural_time(self.yardstick.as_ref()?, &self.mechanism, &self.q, &self.velocity))
    }

    fn longest_step(&self) -> f64 {
        self.chart.longest(&self.base.xdot)
    }

    fn retreat(&self, error: &Trouble) -> f64 {
        retreat(error)
    }
}
