//! Radau IIA of order 5 on second-order equations: the unknowns are the accelerations of its three stages, which are
//! coupled and solved for together.

use super::matrix::{IterationMatrix, add};
use super::scheme::{Scheme, StepEnds, Trial};
use crate::integrate::formula::radau::{
    A, C, ERROR_POSITION, ERROR_VELOCITY, GAMMA, MU, MU_INVERSE, PAIR, STAGES, StageRow, T, T_INVERSE,
    dense_weights, parabola,
};
use crate::integrate::pace::PaceRule;
use crate::integrate::problem::SecondOrder;
use crate::integrate::report::Attempt;
use crate::integrate::snapshot::snapshot;

/// The estimate over the error at a tolerance of 1, about: with it, errors are a few times the tolerance.
const CREDIT: f64 = 2.5;
/// Error of the iteration allowed, as a part of the tolerance: at most, and at a tolerance of 1 as far as steps are many. It
/// is that of the solution, which the last stage is.
const LEFT_OVER: [f64; 2] = [0.01, 0.06];

/// Simplified Newton iteration on stages taken apart by the eigenvectors of A [Hairer and Wanner 1996, section IV.8]. With
/// accelerations as unknowns the stages of positions and velocities follow, and what their equations lack, transformed,
/// is the right side of one real system with `Mhat + g M1 + g^2 M2` and a complex one of the same size.
#[derive(Debug, Clone)]
pub struct RadauFormula {
    /// Accelerations of the stages, one after the other: of the attempt and of the last step.
    a: Vec<f64>,
    before: Vec<f64>,
    /// What the first two of these have over the last, as far as it means something in the coordinates of the attempt.
    ahead: Vec<f64>,
    /// What the stages lack, then their corrections.
    lack: Vec<f64>,
    /// The latter as changes of positions.
    moved: Vec<f64>,
}

snapshot!(RadauFormula as "radau" { before });

impl RadauFormula {
    /// Accelerations along the parabola of the last step, whose end may have other coordinates now: what it adds to its
    /// end is added to the start.
    fn predict<P: SecondOrder>(&mut self, trial: &mut Trial<'_, P>) {
        let unknowns = trial.a0.len();
        self.a.chunks_exact_mut(unknowns.max(1)).for_each(|a| a.copy_from_slice(trial.a0));
        if trial.h_before == 0.0 || unknowns == 0 {
            return;
        }
        let (stages, last) = self.before.split_at((STAGES - 1) * unknowns);
        self.ahead.copy_from_slice(stages);
        for ahead in self.ahead.chunks_exact_mut(unknowns) {
            add(-1.0, last, ahead);
            trial.problem.meaningful(ahead);
        }
        for (i, a) in self.a.chunks_exact_mut(unknowns).enumerate() {
            // all weights together are one
            let weights = parabola(1.0 + C[i] * trial.h / trial.h_before);
            self.ahead.chunks_exact(unknowns).zip(weights).for_each(|(ahead, w)| add(w, ahead, a));
        }
    }

    /// Position and velocity of stage `i`.
    fn place<P: SecondOrder>(&self, trial: &mut Trial<'_, P>, i: usize) {
        let (n, h) = (trial.y0.len() / 2, trial.h);
        trial.stage.copy_from_slice(trial.y0);
        let (v, vdot) = trial.stage.split_at_mut(n);
        add(h * C[i], &trial.y0[n..], v);
        add_all(h * h, &MU[i], &self.a, v);
        add_all(h, &A[i], &self.a, vdot);
    }

    /// Turns corrections with the stages. Stiffness acts on changes of positions; what accelerations of stages that have
    /// turned differently do to each other is inertia alone.
    fn turn<P: SecondOrder>(&mut self, trial: &mut Trial<'_, P>) {
        let (n, unknowns) = (trial.y0.len() / 2, trial.a0.len());
        self.moved.resize(STAGES * n, 0.0);
        self.moved.fill(0.0);
        for i in 0..STAGES {
            add_all(1.0, &MU[i], &self.lack, &mut self.moved[i * n..][..n]);
            self.place(trial, i);
            trial.problem.turn(&trial.stage[..n], &mut self.moved[i * n..][..n]);
        }
        for (i, lack) in self.lack.chunks_exact_mut(unknowns.max(1)).enumerate() {
            lack[..n].fill(0.0);
            add_all(1.0, &MU_INVERSE[i], &self.moved, &mut lack[..n]);
        }
    }

    /// One iteration; the size of its correction.
    fn correct<P: SecondOrder>(&mut self, trial: &mut Trial<'_, P>) -> Result<f64, Attempt<P::Error>> {
        let (n, h, unknowns) = (trial.y0.len() / 2, trial.h, trial.a0.len());
        let mut times = C.map(|c| trial.t + c * h);
        times[STAGES - 1] = trial.t1;
        for (i, t) in times.into_iter().enumerate() {
            self.place(trial, i);
            let (v, vdot) = trial.stage.split_at(n);
            let (a, lack) = (&self.a[i * unknowns..][..unknowns], &mut self.lack[i * unknowns..][..unknowns]);
            trial.problem.imbalance(trial.matrix, (t, v, vdot), a, lack).map_err(Attempt::Problem)?;
        }
        trial.statistics.evaluations += STAGES;
        trial.statistics.newton_iterations += 1;
        transform(&T_INVERSE, &mut self.lack);
        let (real, pair) = self.lack.split_at_mut(unknowns);
        let (re, im) = pair.split_at_mut(unknowns);
        trial.matrix.solve_lack(real);
        trial.matrix.solve_pair(re, im);
        trial.problem.follow(trial.matrix, &times, &T);
        transform(&T, &mut self.lack);
        if trial.problem.turns() {
            self.turn(trial);
        }
        add(1.0, &self.lack, &mut self.a);
        // what it means for position and velocity: of each the largest change in a stage
        trial.residual.fill(0.0);
        let (position, velocity) = trial.residual.split_at_mut(n);
        for k in 0..n {
            let a: StageRow = std::array::from_fn(|j| self.lack[j * unknowns + k]);
            let most = |rows: &[StageRow; STAGES]| {
                let changes = rows.map(|row| product(&row, &a));
                // what is no number must stay so
                changes.into_iter().fold(0.0, |most: f64, x| if x.abs() <= most.abs() { most } else { x })
            };
            (position[k], velocity[k]) = (h * h * most(&MU), h * most(&A));
        }
        let error = (&trial.residual[..], trial.convergence.loss);
        Ok(trial.problem.measure_losing(trial.norm, h, error, (trial.y0, trial.y0)))
    }
}

impl Scheme for RadauFormula {
    const ORDER: usize = 5;
    const EXPONENT: usize = 4;
    const OF_ACCELERATIONS: bool = true;
    const GAMMA: f64 = GAMMA;
    const PAIR: Option<[f64; 2]> = Some(PAIR);
    const EXACT_JACOBIAN: bool = false;
    const FILTERED: bool = true;
    const GIVES_ACCELERATION: bool = true;
    const RECONSIDERS: bool = true;
    const SLOWEST: f64 = 0.5;
    const CONTROLLER: PaceRule = PaceRule::Predictive;

    /// Errors are of order 5, the estimate is one of order 3: with `h^4` in proportion to `tol^(4/5)` errors are so to the
    /// tolerance.
    fn credited(tolerance: f64) -> f64 {
        (CREDIT * tolerance.powf(0.2)).min(1.0)
    }

    /// Steps are few, and their number follows the order.
    fn left_over(tolerance: f64) -> f64 {
        LEFT_OVER[0].min(LEFT_OVER[1] * tolerance.powf(0.2))
    }

    fn new(_: usize, unknowns: usize) -> Self {
        let room = || vec![0.0; STAGES * unknowns];
        Self {
            a: room(),
            before: room(),
            ahead: vec![0.0; (STAGES - 1) * unknowns],
            lack: room(),
            moved: Vec::new(),
        }
    }

    fn attempt<P: SecondOrder>(&mut self, trial: &mut Trial<'_, P>) -> Result<(), Attempt<P::Error>> {
        self.predict(trial);
        trial.convergence.start_stage();
        loop {
            let size = self.correct(trial)?;
            match trial.convergence.note(trial.problem.strictness() * size) {
                Some(true) => break,
                Some(false) => {}
                None => return Err(Attempt::NewtonDiverged),
            }
        }
        // stiffly accurate: the last stage is the solution
        self.place(trial, STAGES - 1);
        trial.y1.copy_from_slice(trial.stage);
        trial.a1.copy_from_slice(&self.a[(STAGES - 1) * trial.a0.len()..]);
        self.estimate(trial.h, trial.a0, trial.error);
        Ok(())
    }

    /// `(I - g G) error = h g (0, a0) + sum of the increments`, without what the filter does.
    fn estimate(&self, h: f64, a0: &[f64], error: &mut [f64]) {
        error.fill(0.0);
        let (position, velocity) = error.split_at_mut(error.len() / 2);
        add_all(h * h, &ERROR_POSITION, &self.a, position);
        add_all(h, &ERROR_VELOCITY, &self.a, velocity);
        add(h * GAMMA, a0, velocity);
    }

    fn accept(&mut self) {
        std::mem::swap(&mut self.a, &mut self.before);
    }

    /// `v' = v0' + h sum w_j a_j` over the start and the stages, and `v` its integral. A start that is off the parabola
    /// through the stages by more than they differ tells of a stiff component that is not yet in its place, and is not
    /// heeded.
    fn dense(&self, theta: f64, ends: &StepEnds<'_>, out: &mut [f64]) {
        let (n, h, unknowns) = (ends.y0.len() / 2, ends.h, ends.a0.len());
        let ([velocity, position], back) = (dense_weights(theta), parabola(0.0));
        for k in 0..n {
            let a: StageRow = std::array::from_fn(|j| self.before[j * unknowns + k]);
            let sum = |[w, rest @ ..]: &[f64; STAGES + 1], start: f64| w * start + product(rest, &a);
            let along = product(&back, &a);
            let spread = a.iter().map(|x| (x - a[0]).abs()).fold(0.0, f64::max);
            let start = if (ends.a0[k] - along).abs() <= spread { ends.a0[k] } else { along };
            let (v, vdot) = (ends.y0[k], ends.y0[n + k]);
            out[k] = v + theta * h * vdot + h * h * sum(&position, start);
            out[n + k] = vdot + h * sum(&velocity, start);
        }
    }
}

fn product(w: &StageRow, a: &StageRow) -> f64 {
    w[0] * a[0] + w[1] * a[1] + w[2] * a[2]
}

/// `out += factor sum w_j a_j` over the stages, as far as `out` reaches.
fn add_all(factor: f64, w: &StageRow, stages: &[f64], out: &mut [f64]) {
    let unknowns = stages.len() / STAGES;
    let (first, rest) = stages.split_at(unknowns);
    let (second, third) = rest.split_at(unknowns);
    let w = w.map(|w| factor * w);
    for (((out, x), y), z) in out.iter_mut().zip(first).zip(second).zip(third) {
        *out += w[0] * x + w[1] * y + w[2] * z;
    }
}

/// Multiplies the three parts of a list by a matrix, in place.
fn transform(matrix: &[StageRow; STAGES], list: &mut [f64]) {
    let unknowns = list.len() / STAGES;
    let (first, rest) = list.split_at_mut(unknowns);
    let (second, third) = rest.split_at_mut(unknowns);
    for ((x, y), z) in first.iter_mut().zip(second).zip(third) {
        let given = [*x, *y, *z];
        let [x1, y1, z1] = matrix.map(|row| product(&row, &given));
        (*x, *y, *z) = (x1, y1, z1);
    }
}
