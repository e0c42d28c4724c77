//! The explicit formula of order 5 with an embedded formula of order 4 by [Dormand and Prince 1980], with
//! Shampine's dense output of order 4 as arranged in [Hairer, Norsett and Wanner 1993, section II.6].

use super::nested_weights;

/// Stages, the last of them the derivative at the end of the step.
pub const STAGES: usize = 7;

/// Nodes.
pub const C: [f64; STAGES] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];

/// Rows of A; the last row holds the weights b.
pub const A: [[f64; STAGES]; STAGES] = [
    [0.0; STAGES],
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0, 0.0],
];

/// Weights of the error estimate, order 5 less order 4.
pub const ERROR: [f64; STAGES] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Highest term of the dense output.
pub const DENSE: [[f64; STAGES]; 1] = [[
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
]];

/// Weights of the derivatives in the solution at `theta`.
pub fn dense_weights(theta: f64) -> [f64; STAGES] {
    nested_weights(theta, &A[STAGES - 1], STAGES - 1, &DENSE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::formula::trees::{Trees, worst};

    fn rows() -> Vec<Vec<f64>> {
        A.iter().map(|row| row.to_vec()).collect()
    }

    #[test]
    fn order_conditions_hold() {
        let b = A[STAGES - 1];
        let embedded: [f64; STAGES] = std::array::from_fn(|i| b[i] - ERROR[i]);
        assert!(Trees::up_to(5).residual(&rows(), &b, 1.0) < 1e-14);
        assert!(Trees::up_to(6).residual(&rows(), &b, 1.0) > 1e-4);
        assert!(Trees::up_to(4).residual(&rows(), &embedded, 1.0) < 1e-14);
        assert!(Trees::up_to(5).residual(&rows(), &embedded, 1.0) > 1e-4);
        let sums: Vec<f64> = A.iter().map(|row| row.iter().sum()).collect();
        assert!(worst(&sums, &C) < 1e-14);
    }

    #[test]
    fn dense_output_has_order_4() {
        for theta in [0.0, 0.2, 0.5, 0.7, 1.0] {
            assert!(Trees::up_to(4).residual(&rows(), &dense_weights(theta), theta) < 1e-14);
        }
        assert!(worst(&dense_weights(1.0), &A[STAGES - 1]) < 1e-15);
    }
}
