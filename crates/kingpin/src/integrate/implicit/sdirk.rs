//! SDIRK4/15 on second-order equations.

use super::matrix::add;
use super::scheme::{Scheme, StepEnds, Trial};
use crate::integrate::formula::sdirk::{
    SDIRK_4_15, SDIRK_4_15_DENSE, SDIRK_4_15_ERROR, SDIRK_4_15_INVERSE, STAGES, Sdirk, dense_weights,
};
use crate::integrate::problem::SecondOrder;
use crate::integrate::report::Attempt;
use crate::integrate::snapshot::snapshot;

/// SDIRK4/15 in first-order form: the unknowns of a stage are its increments z of position and velocity.
#[derive(Debug, Clone)]
pub struct Sdirk15Formula {
    predictor: [[f64; STAGES]; STAGES],
    /// Increments and derivatives of the stages, one after the other.
    z: Vec<f64>,
    g: Vec<f64>,
}

impl Sdirk15Formula {
    const SET: Sdirk = SDIRK_4_15;

    /// Known part of the increment, `h sum_{j<i} a_ij g_j`, in `base`, and the increment predicted.
    fn start_stage<P: SecondOrder>(&mut self, trial: &Trial<'_, P>, i: usize, base: &mut [f64]) {
        let (n, h) = (trial.a0.len(), trial.h);
        let z = &mut self.z[2 * n * i..][..2 * n];
        base.fill(0.0);
        z.fill(0.0);
        let (position, velocity) = z.split_at_mut(n);
        add(self.predictor[i][0], &trial.y0[n..], position);
        add(self.predictor[i][0], trial.a0, velocity);
        for (j, g_j) in self.g.chunks_exact((2 * n).max(1)).take(i).enumerate() {
            add(h * Self::SET.a[i][j], g_j, base);
            add(self.predictor[i][j + 1], g_j, z);
        }
        for (z, known) in z.iter_mut().zip(base) {
            *z = *known + trial.weights.velocity * *z;
        }
    }

    /// `(I - gamma h G) dz = base + gamma h g(y0 + z) - z`, repeated.
    fn solve_stage<P: SecondOrder>(
        &mut self,
        trial: &mut Trial<'_, P>,
        i: usize,
        base: &[f64],
    ) -> Result<(), Attempt<P::Error>> {
        let (n, t) = (trial.a0.len(), trial.t + Self::SET.c[i] * trial.h);
        let z = &mut self.z[2 * n * i..][..2 * n];
        trial.convergence.start_stage();
        loop {
            trial.stage.copy_from_slice(trial.y0);
            add(1.0, z, trial.stage);
            let (v, vdot) = trial.stage.split_at_mut(n);
            let (position, g) = (&mut trial.residual[..n], trial.weights.velocity);
            // acceleration that the increment of the velocity stands for
            for l in 0..n {
                position[l] = base[l] + g * vdot[l] - z[l];
                trial.correction[l] = (z[n + l] - base[n + l]) / g;
            }
            trial.statistics.evaluations += 1;
            trial.statistics.newton_iterations += 1;
            let (stage, a) = ((t, &*v, &*vdot), &trial.correction[..n]);
            let corrected = trial.problem.correct_state(trial.matrix, g, stage, a, trial.residual);
            corrected.map_err(Attempt::Problem)?;
            add(1.0, trial.residual, z);
            let error = (&trial.residual[..], trial.convergence.loss);
            let size = trial.problem.measure_losing(trial.norm, trial.h, error, (trial.y0, trial.y0));
            match trial.convergence.note(size) {
                Some(true) => return Ok(()),
                Some(false) => {}
                None => return Err(Attempt::NewtonDiverged),
            }
        }
    }
}

snapshot!(Sdirk15Formula as "sdirk15" {});

impl Scheme for Sdirk15Formula {
    const ORDER: usize = 4;
    const EXPONENT: usize = 4;
    const MOST_CAUTION: f64 = 10.0;
    const OF_ACCELERATIONS: bool = false;
    const GAMMA: f64 = SDIRK_4_15.gamma;
    const EXACT_JACOBIAN: bool = false;
    const FILTERED: bool = true;
    const GIVES_ACCELERATION: bool = true;

    fn new(n: usize, _: usize) -> Self {
        Self {
            predictor: std::array::from_fn(|i| Self::SET.predictor(i)),
            z: vec![0.0; 2 * n * STAGES],
            g: vec![0.0; 2 * n * STAGES],
        }
    }

    fn attempt<P: SecondOrder>(&mut self, trial: &mut Trial<'_, P>) -> Result<(), Attempt<P::Error>> {
        let (n, h) = (trial.a0.len(), trial.h);
        let base = std::mem::take(&mut trial.base);
        trial.error.fill(0.0);
        for i in 0..STAGES {
            self.start_stage(trial, i, base);
            self.solve_stage(trial, i, base)?;
            // derivative from the increments, not from another evaluation: g = A^-1 z / h
            let g = &mut self.g[2 * n * i..][..2 * n];
            g.fill(0.0);
            for (j, z) in self.z.chunks_exact((2 * n).max(1)).take(i + 1).enumerate() {
                add(SDIRK_4_15_INVERSE[i][j] / h, z, g);
            }
            add(SDIRK_4_15_ERROR[i], &self.z[2 * n * i..][..2 * n], trial.error);
        }
        let last = 2 * n * (STAGES - 1);
        trial.y1.copy_from_slice(trial.y0);
        add(1.0, &self.z[last..], trial.y1);
        trial.a1.copy_from_slice(&self.g[last + n..]);
        Ok(())
    }

    fn dense(&self, theta: f64, ends: &StepEnds<'_>, out: &mut [f64]) {
        let weights = dense_weights(&SDIRK_4_15_DENSE, theta);
        out.copy_from_slice(ends.y0);
        for (j, z) in self.z.chunks_exact(out.len().max(1)).enumerate() {
            add(weights[j], z, out);
        }
    }
}
