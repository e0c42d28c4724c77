//! All coordinates as implicit methods see them.

use super::Whole;
use super::balance::StageWish;
use super::bordered::{Bordered, Slope};
use crate::dynamics::forms::measure::{natural_time, retreat};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::{IterationMatrix, Loss, Norm, SecondOrder, Unfit};
use crate::threads::join;

impl<const EXACT: bool> Whole<'_, EXACT> {
    /// Derivatives of the equations where the chart is based, with the accelerations and multipliers of the stage that
    /// ended there: unless they must be exact, these will do.
    fn differentiate(&mut self, t: f64, v: &[f64], vdot: &[f64]) -> Result<(), Trouble> {
        self.multipliers.fill(0.0);
        if EXACT || !self.base.has_lam {
            self.solve_at(t, v, vdot)?;
            self.multipliers.iter_mut().zip(&self.mechanism.result.lam).for_each(|(to, lam)| *to = *lam);
            self.base.xddot.copy_from_slice(&self.mechanism.result.acc);
        } else {
            self.return_to_base();
            let kept = self.jacobian.equation.iter().zip(&self.base.lam);
            kept.for_each(|(&e, lam)| self.multipliers[e] = *lam);
        }
        let (Dynamics { system, work, .. }, acc) = (&self.mechanism, &self.base.xddot);
        system.coordinate_accelerations(work, acc, &mut self.qddot);
        system.evaluate_derivatives(work, &self.qddot, &self.multipliers, &mut self.derivatives);
        self.slopes.read(system, work, acc, &self.multipliers, &self.derivatives);
        if !self.base.has_lam {
            self.base.lam.copy_from_slice(self.mechanism.accelerator.kept_multipliers());
        }
        Ok(())
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
        debug_assert!(self.is_base(t, v, vdot), "equations are linearised where the chart is based");
        self.differentiate(t, v, vdot)?;
        out.shape(&self.structure);
        let (to, slopes, base) = (&mut out.numbers, &self.slopes, &self.base);
        let Slope { mass, metric, stiffness, damping, phi, rate, .. } = to;
        // two halves of about the same size
        join(
            || {
                stiffness.clone_from(&slopes.stiffness);
                phi.clone_from(&base.phi);
                mass.clone_from(&base.mass);
            },
            || {
                damping.clone_from(&slopes.damping);
                rate.clone_from(&slopes.rate);
                metric.clone_from(&base.metric);
            },
        );
        to.force_t.clone_from(&slopes.force_t);
        if EXACT {
            to.acceleration.clone_from(&slopes.position);
            to.acceleration_rate.clone_from(&slopes.velocity);
            let both = to.acceleration.iter_mut().chain(&mut to.acceleration_rate);
            both.for_each(|x| *x = -*x);
            to.gamma_t.clear();
            to.gamma_t.extend(self.jacobian.equation.iter().map(|&e| self.derivatives.gamma_t[e]));
        }
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
        (t, x, xdot): (f64, &[f64], &[f64]),
        xddot: &[f64],
        da: &mut [f64],
    ) -> Result<(), Trouble> {
        self.imbalance(matrix, (t, x, xdot), xddot, da)?;
        matrix.solve_lack(da);
        self.correct_multipliers(1.0, matrix);
        self.turn(x, da);
        Ok(())
    }

    /// The force that is missing. Constraints are met along with it.
    fn imbalance(
        &mut self,
        matrix: &mut Bordered<EXACT>,
        (t, x, xdot): (f64, &[f64], &[f64]),
        xddot: &[f64],
        lack: &mut [f64],
    ) -> Result<(), Trouble> {
        self.balance(matrix, StageWish { t, x, xdot, xddot, gap: None })?;
        lack.copy_from_slice(&self.room.force);
        self.turning.back(&self.chart, [&self.base.x, x], lack);
        Ok(())
    }

    fn turns(&self) -> bool {
        !self.turning.is_empty()
    }

    fn turn(&mut self, x: &[f64], change: &mut [f64]) {
        self.turning.forth(&self.chart, [&self.base.x, x], change);
    }

    /// Multipliers come along with accelerations.
    fn follow(&mut self, matrix: &Bordered<EXACT>, times: &[f64], weights: &[[f64; 3]]) {
        self.correct_together(matrix, times, weights);
    }

    fn correct_state(
        &mut self,
        matrix: &mut Bordered<EXACT>,
        g: f64,
        (t, x, xdot): (f64, &[f64], &[f64]),
        xddot: &[f64],
        residual: &mut [f64],
    ) -> Result<(), Trouble> {
        let (position, velocity) = residual.split_at_mut(x.len());
        self.balance(matrix, StageWish { t, x, xdot, xddot, gap: Some(position) })?;
        self.room.force.iter_mut().for_each(|force| *force *= g);
        matrix.solve_multiplied((position, &self.room.change), &self.room.force, velocity);
        self.correct_multipliers(1.0 / g, matrix);
        Ok(())
    }

    fn fit(&self, matrix: &mut Bordered<EXACT>) -> Result<(), Unfit> {
        matrix.fit(&self.structure)
    }

    fn rebase(&mut self, t: f64, y: &mut [f64], accelerations: [&mut [f64]; 2]) -> Result<(), Trouble> {
        self.rebase_with(t, y, accelerations)
    }

    /// Corrections are tangent.
    fn meaningful(&mut self, change: &mut [f64]) {
        self.flatten(change);
    }

    fn measure(&mut self, norm: &Norm, h: f64, error: &[f64], ends: (&[f64], &[f64])) -> f64 {
        self.measure_error(norm, h, error, ends)
    }

    /// Corrections of stages are tangent, and so are estimates that were filtered.
    fn measure_losing(
        &mut self,
        norm: &Norm,
        h: f64,
        (error, loss): (&[f64], Loss),
        ends: (&[f64], &[f64]),
    ) -> f64 {
        self.measure_change(norm, h, (error, Some(loss)), ends)
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
