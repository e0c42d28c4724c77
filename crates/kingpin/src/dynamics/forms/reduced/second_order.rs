//! The independent coordinates as implicit methods see them.

use super::{Linearising, Reduced};
use crate::dynamics::forms::form::Partitioned;
use crate::dynamics::forms::measure::{natural_time, retreat};
use crate::dynamics::instant::Trouble;
use crate::integrate::{DenseMatrix, IterationMatrix, Linearisation, Loss, Norm, SecondOrder};

impl Reduced<'_> {
    /// The equations linearised at the instant at hand.
    pub fn linearised(&mut self) -> Result<Linearisation, Trouble> {
        let n = self.dim();
        let (mut y, mut out) = (vec![0.0; 2 * n], DenseMatrix::new(n));
        self.independent(&mut y);
        self.linearise(self.t, &y[..n], &y[n..], &mut out)?;
        Ok(out.linear)
    }
}

/// Which way changes and forces of a stage are turned.
#[derive(Clone, Copy)]
enum StageAxes {
    OfStart,
    OfStage,
}

impl Reduced<'_> {
    /// The force that is missing for accelerations `a` at `(t, v, v')`: `Mhat (f(t, v, v') - a)`.
    fn lacking(
        &mut self,
        matrix: &mut DenseMatrix,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
        out: &mut [f64],
    ) -> Result<(), Trouble> {
        if !self.in_forces {
            self.acceleration(t, v, vdot, out)?;
            out.iter_mut().zip(a).for_each(|(f, a)| *f -= a);
            matrix.multiply_by_mass(out);
            return Ok(());
        }
        self.balance(t, v, vdot, a, out)
    }

    /// Turns forces on the coordinates at `v`, or changes of them, to other axes; in the plane of the form they stay.
    fn turn_to(&mut self, axes: StageAxes, v: &[f64], list: &mut [f64]) {
        if !self.turns() {
            return;
        }
        let Self { change, rate_change: x, partition, turning, chart, base, .. } = self;
        for (&c, (v, value)) in partition.independent.iter().zip(v.iter().zip(&*list)) {
            (x[c], change[c]) = (*v, *value);
        }
        match axes {
            StageAxes::OfStart => turning[1].back(chart, [&base.x, x], change),
            StageAxes::OfStage => turning[1].forth(chart, [&base.x, x], change),
        }
        list.iter_mut().zip(&partition.independent).for_each(|(value, &c)| *value = change[c]);
    }
}

impl<'a> Partitioned<'a> for Reduced<'a> {
    fn around(reduced: Reduced<'a>) -> Self {
        reduced
    }

    fn reduced(&self) -> &Reduced<'a> {
        self
    }

    fn reduced_mut(&mut self) -> &mut Reduced<'a> {
        self
    }

    fn into_reduced(self) -> Reduced<'a> {
        self
    }
}

impl SecondOrder for Reduced<'_> {
    type Error = Trouble;
    type Matrix = DenseMatrix;

    fn dim(&self) -> usize {
        self.partition.independent.len()
    }

    fn acceleration(&mut self, t: f64, v: &[f64], vdot: &[f64], vddot: &mut [f64]) -> Result<(), Trouble> {
        self.solve_at(t, v, vdot)?;
        self.read(&self.xddot, vddot);
        Ok(())
    }

    fn linearise(&mut self, t: f64, v: &[f64], vdot: &[f64], out: &mut DenseMatrix) -> Result<(), Trouble> {
        let out = &mut out.linear;
        self.solve_at(t, v, vdot)?;
        let by_columns = match self.linearising {
            Linearising::Exact => self.by_columns.unwrap_or_else(|| self.prefers_columns()),
            // they take the mass of the bodies for all the mass there is, and know no forces that go with reactions
            Linearising::Columns => !self.mechanism.system.is_coupled() && !self.mechanism.system.forces_read,
            Linearising::Reduced | Linearising::Differences => false,
        };
        if self.linearising == Linearising::Exact {
            self.by_columns = Some(by_columns);
        }
        self.in_forces = !by_columns && self.linearising != Linearising::Differences;
        match (self.linearising, by_columns) {
            (Linearising::Differences, _) => self.linearise_by_differences(t, v, vdot, out),
            (_, true) => self.linearise_by_columns(out),
            (_, false) => self.linearise_exact(out),
        }
    }

    /// The force that is missing, in the axes of the start.
    fn imbalance(
        &mut self,
        matrix: &mut DenseMatrix,
        at: (f64, &[f64], &[f64]),
        a: &[f64],
        out: &mut [f64],
    ) -> Result<(), Trouble> {
        self.lacking(matrix, at, a, out)?;
        self.turn_to(StageAxes::OfStart, at.1, out);
        Ok(())
    }

    fn turns(&self) -> bool {
        self.plane.is_none() && !self.turning[1].is_empty()
    }

    fn turn(&mut self, v: &[f64], change: &mut [f64]) {
        self.turn_to(StageAxes::OfStage, v, change);
    }

    /// `Pi da` is the force that is missing.
    fn correct(
        &mut self,
        matrix: &mut DenseMatrix,
        at: (f64, &[f64], &[f64]),
        a: &[f64],
        da: &mut [f64],
    ) -> Result<(), Trouble> {
        self.imbalance(matrix, at, a, da)?;
        matrix.solve(da);
        self.turn(at.1, da);
        Ok(())
    }

    fn correct_state(
        &mut self,
        matrix: &mut DenseMatrix,
        g: f64,
        at: (f64, &[f64], &[f64]),
        a: &[f64],
        residual: &mut [f64],
    ) -> Result<(), Trouble> {
        let force = &mut residual[at.1.len()..];
        self.lacking(matrix, at, a, force)?;
        force.iter_mut().for_each(|force| *force *= g);
        matrix.solve_multiplied(residual);
        Ok(())
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
