//! The explicit formulas as types.

use crate::integrate::Norm;
use crate::integrate::formula::{dop853, dopri5};
use crate::integrate::pace::{Control, PaceRule};

/// What distinguishes one explicit Runge–Kutta method from another.
pub trait ExplicitFormula {
    /// Order of the solution.
    const ORDER: usize;
    /// One more than the order of the error estimate.
    const EXPONENT: usize;
    /// Stages before the derivative at the end of the step; row `STAGES` of A holds the weights.
    const STAGES: usize;
    /// All stages, with those for the dense output only.
    const ALL_STAGES: usize;
    /// Whether the error estimate needs the derivative at the end of the step.
    const ERROR_NEEDS_END: bool;
    /// `h |lambda|` beyond which the problem is taken for stiff.
    const STABILITY_LIMIT: f64;

    /// Node of a stage.
    fn node(stage: usize) -> f64;
    /// Row of A.
    fn row(stage: usize) -> &'static [f64];
    /// Norm of the error of a step of size `h` from the derivatives `k`; `scratch` is as long as two states.
    fn error(norm: &Norm, h: f64, k: &[f64], y0: &[f64], y1: &[f64], scratch: &mut [f64]) -> f64;
    /// `out = y0 + h sum b_i(theta) k_i`.
    fn dense(theta: f64, h: f64, k: &[f64], y0: &[f64], out: &mut [f64]);
    /// Customary settings of the step size control.
    fn control() -> Control;
}

/// `out = base + h sum_i weights_i k_i`, the derivatives `k` one after the other.
#[inline]
pub fn combine(base: &[f64], h: f64, weights: &[f64], k: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (weight, k) in weights.iter().zip(k.chunks_exact(base.len().max(1))) {
        if *weight != 0.0 {
            for (out, k) in out.iter_mut().zip(k) {
                *out += weight * k;
            }
        }
    }
    for (out, base) in out.iter_mut().zip(base) {
        *out = base + h * *out;
    }
}

/// `out = h sum_i weights_i k_i`.
pub fn weighted(h: f64, weights: &[f64], k: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (weight, k) in weights.iter().zip(k.chunks_exact(out.len().max(1))) {
        if *weight != 0.0 {
            for (sum, k) in out.iter_mut().zip(k) {
                *sum += h * weight * k;
            }
        }
    }
}

/// Order 5(4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DormandPrince5;

impl ExplicitFormula for DormandPrince5 {
    const ORDER: usize = 5;
    const EXPONENT: usize = 5;
    const STAGES: usize = 6;
    const ALL_STAGES: usize = dopri5::STAGES;
    const ERROR_NEEDS_END: bool = true;
    const STABILITY_LIMIT: f64 = 3.25;

    fn node(stage: usize) -> f64 {
        dopri5::C[stage]
    }

    fn row(stage: usize) -> &'static [f64] {
        const A: &[[f64; dopri5::STAGES]; dopri5::STAGES] = &dopri5::A;
        &A[stage]
    }

    fn error(norm: &Norm, h: f64, k: &[f64], y0: &[f64], y1: &[f64], scratch: &mut [f64]) -> f64 {
        let error = &mut scratch[..y0.len()];
        weighted(h, &dopri5::ERROR, k, error);
        norm.of_step(h.abs(), error, y0, y1)
    }

    fn dense(theta: f64, h: f64, k: &[f64], y0: &[f64], out: &mut [f64]) {
        combine(y0, h, &dopri5::dense_weights(theta), k, out);
    }

    fn control() -> Control {
        let controller = PaceRule::ProportionalIntegral { beta: 0.04 };
        Control { controller, shrink: 0.2, grow: 10.0, ..Control::default() }
    }
}

/// Order 8(5,3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DormandPrince8;

impl ExplicitFormula for DormandPrince8 {
    const ORDER: usize = 8;
    const EXPONENT: usize = 8;
    const STAGES: usize = dop853::STAGES;
    const ALL_STAGES: usize = dop853::ALL_STAGES;
    const ERROR_NEEDS_END: bool = false;
    const STABILITY_LIMIT: f64 = 6.1;

    fn node(stage: usize) -> f64 {
        dop853::C[stage]
    }

    fn row(stage: usize) -> &'static [f64] {
        const A: &[[f64; dop853::ALL_STAGES]; dop853::ALL_STAGES] = &dop853::A;
        &A[stage]
    }

    /// `err5^2 / sqrt(err5^2 + 0.01 err3^2)`, which behaves as order 8 [Hairer, Norsett and Wanner 1993, section II.10].
    fn error(norm: &Norm, h: f64, k: &[f64], y0: &[f64], y1: &[f64], scratch: &mut [f64]) -> f64 {
        let (fifth, third) = scratch.split_at_mut(y0.len());
        weighted(h, &dop853::ERROR_5, k, fifth);
        weighted(h, &dop853::error_3(), k, third);
        norm.of_both(h.abs(), [fifth, third], (y0, y1), |fifth, third| match fifth == 0.0 {
            true => 0.0,
            false => fifth * (fifth / fifth.hypot(0.1 * third)),
        })
    }

    fn dense(theta: f64, h: f64, k: &[f64], y0: &[f64], out: &mut [f64]) {
        combine(y0, h, &dop853::dense_weights(theta), k, out);
    }

    fn control() -> Control {
        Control { shrink: 1.0 / 3.0, grow: 6.0, ..Control::default() }
    }
}
