//! Diagonally implicit formulas in Nyström form on second-order equations: the unknowns of a stage are its
//! accelerations.

use super::matrix::add;
use super::newton::solve_acceleration;
use super::scheme::{Scheme, StepEnds, Trial};
use crate::integrate::formula::esdirk::{ESDIRK_4, Esdirk, NystromWeights, STAGES, sdirk_4_16};
use crate::integrate::problem::SecondOrder;
use crate::integrate::report::Attempt;
use crate::integrate::snapshot::{Snapshot, SnapshotReader, SnapshotWriter, Unfit};
use std::marker::PhantomData;

/// Which formula it is.
pub trait Tableau {
    /// What its memory is called.
    const NAME: &'static str;
    /// Diagonal of A.
    const GAMMA: f64;
    /// How much more careful it is at most where stiff parts turn.
    const MOST_CAUTION: f64;
    /// Whether its error estimate passes through the filter: not if it decays for stiff components as it is.
    const FILTERED: bool;
    /// Whether the rate of an iteration is not believed of the next.
    const DOUBTING: bool;
    /// Its estimate over the error that counts: what steps leave adds up.
    const CREDIT: f64 = 1.0;
    /// Its coefficients.
    fn set() -> Esdirk;
}

/// SDIRK4/16: order 4, stages of order 1.
#[derive(Debug, Clone)]
pub struct Sdirk16Set;

impl Tableau for Sdirk16Set {
    const NAME: &'static str = "sdirk16";
    const GAMMA: f64 = 0.25;
    const MOST_CAUTION: f64 = 10.0;
    const FILTERED: bool = true;
    const DOUBTING: bool = false;
    fn set() -> Esdirk {
        sdirk_4_16()
    }
}

/// ESDIRK4(3)6L[2]SA: order 4, stages of order 2.
#[derive(Debug, Clone)]
pub struct EsdirkSet;

impl Tableau for EsdirkSet {
    const NAME: &'static str = "esdirk";
    const GAMMA: f64 = ESDIRK_4.gamma;
    const MOST_CAUTION: f64 = 10.0;
    const FILTERED: bool = false;
    /// It keeps its order where stiff parts turn, in steps in which they turn far. There the rates of the iteration go up
    /// and down: errors along a stiff direction and across it give rise to each other, the matrix of the start of the
    /// step carries little of what is across into what is along and much of what is along into what is across. A low
    /// rate says nothing of the next, and what is left takes energy from step to step.
    const DOUBTING: bool = true;
    const CREDIT: f64 = 1.4;
    fn set() -> Esdirk {
        ESDIRK_4
    }
}

/// A formula with the accelerations of its stages.
#[derive(Debug, Clone)]
pub struct NystromFormula<C> {
    set: Esdirk,
    /// A A, the weights of accelerations in positions.
    mu: [NystromWeights; STAGES],
    error_velocity: NystromWeights,
    error_position: NystromWeights,
    /// Accelerations of the implicit stages, one after the other; that of the first stage is known.
    a: Vec<f64>,
    chosen: PhantomData<C>,
}

/// Nothing is remembered from step to step.
impl<C: Tableau> Snapshot for NystromFormula<C> {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section(C::NAME, |_| {});
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section(C::NAME, |_| Ok(()))
    }
}

impl<C: Tableau> Scheme for NystromFormula<C> {
    const ORDER: usize = 4;
    const EXPONENT: usize = 4;
    const MOST_CAUTION: f64 = C::MOST_CAUTION;
    const OF_ACCELERATIONS: bool = true;
    const GAMMA: f64 = C::GAMMA;
    const EXACT_JACOBIAN: bool = false;
    const FILTERED: bool = C::FILTERED;
    const DOUBTING: bool = C::DOUBTING;
    const GIVES_ACCELERATION: bool = true;

    fn credited(_: f64) -> f64 {
        C::CREDIT
    }

    fn new(_: usize, unknowns: usize) -> Self {
        let set = C::set();
        let error_velocity = set.error_weights();
        Self {
            mu: set.a.map(|row| set.times_a(&row)),
            error_velocity,
            error_position: set.times_a(&error_velocity),
            a: vec![0.0; (STAGES - 1) * unknowns],
            set,
            chosen: PhantomData,
        }
    }

    fn attempt<P: SecondOrder>(&mut self, trial: &mut Trial<'_, P>) -> Result<(), Attempt<P::Error>> {
        let (set, n, h) = (&self.set, trial.y0.len() / 2, trial.h);
        let (a0, unknowns) = (trial.a0, trial.a0.len());
        let base = std::mem::take(&mut trial.base);
        for i in 1..STAGES {
            let (known, rest) = self.a.split_at_mut((i - 1) * unknowns);
            let (known, a) = ([a0, known], &mut rest[..unknowns]);
            // known part of position and velocity
            base.copy_from_slice(trial.y0);
            let (v, vdot) = base.split_at_mut(n);
            add(h * set.c[i], &trial.y0[n..], v);
            add_all(h * h, &self.mu[i], known, v);
            add_all(h, &set.a[i], known, vdot);
            // acceleration predicted from the earlier stages
            a.fill(0.0);
            add_all(1.0, &set.predictor[i], known, a);
            solve_acceleration(trial, trial.t + set.c[i] * h, base, a)?;
        }
        // stiffly accurate: the last stage is the solution
        trial.y1.copy_from_slice(trial.stage);
        trial.a1.copy_from_slice(&self.a[(STAGES - 2) * unknowns..]);
        trial.error.fill(0.0);
        let (position, velocity) = trial.error.split_at_mut(n);
        add_all(h * h, &self.error_position, [a0, &self.a], position);
        add_all(h, &self.error_velocity, [a0, &self.a], velocity);
        Ok(())
    }

    /// `v = v0 + theta h v0' + h^2 sum (b(theta) A)_j a_j`, `v' = v0' + h sum b_j(theta) a_j`.
    fn dense(&self, theta: f64, ends: &StepEnds<'_>, out: &mut [f64]) {
        let (n, h) = (ends.y0.len() / 2, ends.h);
        let b = self.set.dense_weights(theta);
        out.copy_from_slice(ends.y0);
        let (v, vdot) = out.split_at_mut(n);
        add(theta * h, &ends.y0[n..], v);
        add_all(h * h, &self.set.times_a(&b), [ends.a0, &self.a], v);
        add_all(h, &b, [ends.a0, &self.a], vdot);
    }
}

/// `out += factor sum w_j a_j` over the start of the step and as many stages as are given after it.
fn add_all(factor: f64, w: &NystromWeights, [a0, stages]: [&[f64]; 2], out: &mut [f64]) {
    let stages = stages.chunks_exact(a0.len().max(1));
    for (w, a) in w.iter().zip(std::iter::once(a0).chain(stages)).filter(|(w, _)| **w != 0.0) {
        add(factor * w, a, out);
    }
}
