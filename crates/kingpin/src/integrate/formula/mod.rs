//! Coefficients of the integration formulas, and nothing else. The order conditions are tests beside them.

pub mod dop853;
pub mod dopri5;
pub mod esdirk;
pub mod generalised;
pub mod radau;
pub mod rosenbrock;
pub mod sdirk;
pub mod trapezoidal;
#[cfg(test)]
mod trees;

/// Weights of the stage derivatives at `theta` in a dense output of nested form [Hairer, Norsett and Wanner 1993, section II.6]: Hermite's cubic
/// from the derivatives of stage 0 (start) and stage `end`, then the terms of `higher`.
/// Valid for `0 <= theta <= 1`.
fn nested_weights<const N: usize, const M: usize>(
    theta: f64,
    b: &[f64; N],
    end: usize,
    higher: &[[f64; N]; M],
) -> [f64; N] {
    let rest = 1.0 - theta;
    std::array::from_fn(|i| {
        let start_slope = f64::from(u8::from(i == 0)) - b[i];
        let end_slope = b[i] - f64::from(u8::from(i == end)) - start_slope;
        // innermost first: factors alternate between theta and 1 - theta
        let mut sum = 0.0;
        for (m, row) in higher.iter().enumerate().rev() {
            sum = (sum + row[i]) * if m % 2 == 0 { rest } else { theta };
        }
        theta * (b[i] + rest * (start_slope + theta * (end_slope + sum)))
    })
}
