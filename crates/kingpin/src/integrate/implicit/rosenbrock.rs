//! The Rosenbrock–Nyström formula: four linear systems with one matrix, no iteration.

use super::matrix::{IterationMatrix, add};
use super::scheme::{Scheme, StepEnds, Trial};
use crate::integrate::formula::rosenbrock::{
    A, C, D, E, E_ROW, ERROR_POSITION, ERROR_VELOCITY, P as POSITION, S, STAGES, T, W,
};
use crate::integrate::problem::SecondOrder;
use crate::integrate::report::Attempt;
use crate::integrate::snapshot::snapshot;

/// The L-stable formula of order 4, multiplied by the mass matrix:
/// `Pi u_i = e Mhat (h f_i + h^2 e_i f_t + sum c_ij u_j) - h^2 e M2 (e_i v0' + sum d_ij u_j)`.
#[derive(Debug, Clone)]
pub struct RosenbrockFormula {
    /// Solutions of the stages, one after the other.
    u: Vec<f64>,
    /// Acceleration of the stage.
    f: Vec<f64>,
}

impl RosenbrockFormula {
    /// Acceleration at stage `i`: the first is known, the last shares that of the third.
    fn evaluate<P: SecondOrder>(&mut self, trial: &mut Trial<'_, P>, i: usize) -> Result<(), P::Error> {
        let (n, h) = (trial.a0.len(), trial.h);
        if i == 0 {
            self.f.copy_from_slice(trial.a0);
        }
        if i == 0 || i == 3 {
            return Ok(());
        }
        trial.stage.copy_from_slice(trial.y0);
        let (v, vdot) = trial.stage.split_at_mut(n);
        add(h * A[i], &trial.y0[n..], v);
        for (j, u) in self.u.chunks_exact(n.max(1)).take(i).enumerate() {
            add(h * T[i][j], u, v);
            add(W[i][j], u, vdot);
        }
        trial.statistics.evaluations += 1;
        trial.problem.acceleration(trial.t + A[i] * h, v, vdot, &mut self.f)
    }
}

snapshot!(RosenbrockFormula as "rosenbrock" {});

impl Scheme for RosenbrockFormula {
    const ORDER: usize = 4;
    const EXPONENT: usize = 4;
    const MOST_CAUTION: f64 = 20.0;
    const OF_ACCELERATIONS: bool = false;
    const GAMMA: f64 = E;
    const EXACT_JACOBIAN: bool = true;
    const FILTERED: bool = false;
    const GIVES_ACCELERATION: bool = false;
    const TAKEN_ANEW: bool = true;

    fn new(n: usize, _: usize) -> Self {
        Self { u: vec![0.0; STAGES * n], f: vec![0.0; n] }
    }

    fn attempt<P: SecondOrder>(&mut self, trial: &mut Trial<'_, P>) -> Result<(), Attempt<P::Error>> {
        // four systems with the matrix of the step: Mhat + e h M1 + (e h)^2 M2 times u_i = right side of stage i
        let (n, h) = (trial.a0.len(), trial.h);
        for i in 0..STAGES {
            self.evaluate(trial, i).map_err(Attempt::Problem)?;
            let (known, rest) = self.u.split_at_mut(i * n);
            // what is multiplied by the mass and by the stiffness
            let matrix = &mut *trial.matrix;
            matrix.begin();
            matrix.add_acceleration(h, &self.f);
            matrix.add_time(h * h * E_ROW[i]);
            matrix.add_displacement(E_ROW[i], &trial.y0[n..]);
            for (j, u_j) in known.chunks_exact(n.max(1)).enumerate() {
                matrix.add_acceleration(C[i][j], u_j);
                matrix.add_displacement(D[i][j], u_j);
            }
            matrix.solve_stage(E, -h * h * E, &mut rest[..n]);
        }
        trial.y1.copy_from_slice(trial.y0);
        trial.error.fill(0.0);
        let (v, vdot) = trial.y1.split_at_mut(n);
        let (position, velocity) = trial.error.split_at_mut(n);
        add(h, &trial.y0[n..], v);
        for (i, u) in self.u.chunks_exact(n.max(1)).enumerate() {
            add(h * POSITION[i], u, v);
            add(S[i], u, vdot);
            add(h * ERROR_POSITION[i], u, position);
            add(ERROR_VELOCITY[i], u, velocity);
        }
        Ok(())
    }

    fn dense(&self, theta: f64, ends: &StepEnds<'_>, out: &mut [f64]) {
        ends.guarded_hermite(theta, out);
    }
}
