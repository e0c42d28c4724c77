//! The trapezoidal rule on second-order equations with embedded backward Euler:
//!
//! ```text
//! v1  = v0 + h v0' + h^2 (beta0 v0'' + beta v1'')      v1' = v0' + h (gamma0 v0'' + gamma v1'')
//! error: h^2 (ep0 v0'' + ep1 v1'')                     error': h (ev0 v0'' + ev1 v1'')
//! ```
//!
//! Backward Euler takes the same `v1''`, so the estimate costs nothing; it is the error of a formula of order
//! 1, much larger than that of the rule itself.

/// Weight of the new acceleration in the velocity.
pub const GAMMA: f64 = 0.5;
/// Weight of the new acceleration in the position, `gamma^2`.
pub const BETA: f64 = 0.25;
/// Weights of the old and the new acceleration in the position's error.
pub const ERROR_POSITION: [f64; 2] = [0.25, -0.75];
/// Weights of the old and the new acceleration in the velocity's error.
pub const ERROR_VELOCITY: [f64; 2] = [0.5, -0.5];

#[cfg(test)]
mod tests {
    use super::*;

    /// Both formulas on `v'' = 1` and `v'' = 6 t` over a unit step from rest.
    #[test]
    fn orders_are_2_and_1() {
        let [p0, p1] = ERROR_POSITION;
        let [v0, v1] = ERROR_VELOCITY;
        assert_eq!(BETA, GAMMA * GAMMA);
        // constant acceleration: the rule is exact, backward Euler only in the velocity
        assert_eq!((BETA + BETA, GAMMA + GAMMA), (0.5, 1.0));
        assert_eq!((p0 + p1, v0 + v1), (0.5 - 1.0, 0.0));
        // linear acceleration: the rule is exact in the velocity, backward Euler misses it by 3
        assert_eq!((GAMMA * 6.0, v1 * 6.0), (3.0, 3.0 - 6.0));
        // the position by backward Euler is h^2 v1''
        assert_eq!((BETA - p0, BETA - p1), (0.0, 1.0));
    }
}
