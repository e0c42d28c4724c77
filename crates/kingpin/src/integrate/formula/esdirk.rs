//! Diagonally implicit formulas whose first stage is the start of the step, so that its derivative is that of the end
//! of the step before.
//!
//! An SDIRK formula is one of them that gives its first stage no weight.

use super::sdirk::{SDIRK_4_16, SDIRK_4_16_DENSE, STAGES as IMPLICIT};

/// Stages of the formulas, the start of the step among them.
pub const STAGES: usize = IMPLICIT + 1;

/// Weights of all stages.
pub type NystromWeights = [f64; STAGES];

/// Coefficients of one formula. It is stiffly accurate: the last row of A holds its weights b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Esdirk {
    /// Diagonal of A, but for its first entry.
    pub gamma: f64,
    /// Nodes, the row sums of A.
    pub c: NystromWeights,
    /// Lower triangular matrix; its first row is zero.
    pub a: [NystromWeights; STAGES],
    /// Weights of the embedded formula.
    pub b_hat: NystromWeights,
    /// How many times the difference from the embedded formula is taken for the error.
    pub enlarged: f64,
    /// Dense output: row j holds the factors of `theta^(j+1)` in the weights b_i(theta).
    pub dense: [NystromWeights; 4],
    /// Weights that predict the derivative of a stage from those of the earlier ones.
    pub predictor: [NystromWeights; STAGES],
}

impl Esdirk {
    /// Weights of the formula.
    pub const fn b(&self) -> &NystromWeights {
        &self.a[STAGES - 1]
    }

    /// The row vector `w A`. With A itself for w, these are the weights of stage accelerations in stage positions.
    pub fn times_a(&self, w: &NystromWeights) -> NystromWeights {
        std::array::from_fn(|j| (j..STAGES).map(|i| w[i] * self.a[i][j]).sum())
    }

    /// `b - b_hat`, enlarged: the weights of the error estimate.
    pub fn error_weights(&self) -> NystromWeights {
        std::array::from_fn(|i| self.enlarged * (self.b()[i] - self.b_hat[i]))
    }

    /// Weights of the dense output at `theta`.
    pub fn dense_weights(&self, theta: f64) -> NystromWeights {
        std::array::from_fn(|i| self.dense.iter().rev().fold(0.0, |sum, row| (sum + row[i]) * theta))
    }
}

/// ESDIRK4(3)6L\[2\]SA [Kennedy and Carpenter 2003]: order 4, L-stable, and its stages have order 2, which keeps the order
/// of the whole where stiff parts turn.
///
/// The dense output has order 4: with stages of order 2 there are five conditions of order, met by the five stages that
/// the formula itself gives weight. It is smooth from step to step. Derivatives are predicted by parabolas through
/// stages that lie well apart. The embedded formula is too good to tell errors: what it lacks in terms of order 4 is a
/// sixteenth of what those of the SDIRK formulas lack, and less than what the formula itself lacks in order 5.
pub const ESDIRK_4: Esdirk = Esdirk {
    gamma: 0.25,
    c: [0.0, 0.5, 83.0 / 250.0, 31.0 / 50.0, 17.0 / 20.0, 1.0],
    a: [
        [0.0; STAGES],
        [0.25, 0.25, 0.0, 0.0, 0.0, 0.0],
        [8611.0 / 62500.0, -1743.0 / 31250.0, 0.25, 0.0, 0.0, 0.0],
        [5012029.0 / 34652500.0, -654441.0 / 2922500.0, 174375.0 / 388108.0, 0.25, 0.0, 0.0],
        [
            15267082809.0 / 155376265600.0,
            -71443401.0 / 120774400.0,
            730878875.0 / 902184768.0,
            2285395.0 / 8070912.0,
            0.25,
            0.0,
        ],
        [82889.0 / 524892.0, 0.0, 15625.0 / 83664.0, 69875.0 / 102672.0, -2260.0 / 8211.0, 0.25],
    ],
    b_hat: [
        4586570599.0 / 29645900160.0,
        0.0,
        178811875.0 / 945068544.0,
        814220225.0 / 1159782912.0,
        -3700637.0 / 11593932.0,
        61727.0 / 225920.0,
    ],
    enlarged: 16.0,
    dense: [
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [
            -2160447887.0 / 743597000.0,
            0.0,
            362724125.0 / 67863456.0,
            -12177073.0 / 3490848.0,
            177862.0 / 166175.0,
            -61191.0 / 2839000.0,
        ],
        [
            123861731.0 / 35980500.0,
            0.0,
            -2361631375.0 / 237522096.0,
            546083.0 / 56304.0,
            -11312204.0 / 3489675.0,
            61191.0 / 1419500.0,
        ],
        [
            -1025532137.0 / 743597000.0,
            0.0,
            2272912625.0 / 475044192.0,
            -19304323.0 / 3490848.0,
            2205534.0 / 1163225.0,
            648559.0 / 2839000.0,
        ],
    ],
    predictor: [
        [0.0; STAGES],
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [42.0 / 125.0, 83.0 / 125.0, 0.0, 0.0, 0.0, 0.0],
        parabola(0.62, [(0, 0.0), (1, 0.5), (2, 0.332)]),
        parabola(0.85, [(0, 0.0), (2, 0.332), (3, 0.62)]),
        parabola(1.0, [(2, 0.332), (3, 0.62), (4, 0.85)]),
    ],
};

/// [`SDIRK_4_16`] with the start of the step, which has no weight, as its first stage.
pub fn sdirk_4_16() -> Esdirk {
    let behind = |w: [f64; IMPLICIT]| -> NystromWeights {
        std::array::from_fn(|i| if i == 0 { 0.0 } else { w[i - 1] })
    };
    let mut a = [[0.0; STAGES]; STAGES];
    let mut predictor = [[0.0; STAGES]; STAGES];
    for i in 0..IMPLICIT {
        a[i + 1] = behind(SDIRK_4_16.a[i]);
        predictor[i + 1][..IMPLICIT].copy_from_slice(&SDIRK_4_16.predictor(i));
    }
    Esdirk {
        gamma: SDIRK_4_16.gamma,
        c: behind(SDIRK_4_16.c),
        a,
        b_hat: behind(SDIRK_4_16.b_hat),
        enlarged: 1.0,
        dense: SDIRK_4_16_DENSE.map(behind),
        predictor,
    }
}

/// Weights of three stages, given with their nodes, in the parabola through them at `c`.
const fn parabola(c: f64, [(i, x), (j, y), (k, z)]: [(usize, f64); 3]) -> NystromWeights {
    let mut weights = [0.0; STAGES];
    weights[i] = (c - y) * (c - z) / ((x - y) * (x - z));
    weights[j] = (c - x) * (c - z) / ((y - x) * (y - z));
    weights[k] = (c - x) * (c - y) / ((z - x) * (z - y));
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::formula::trees::Trees;

    fn rows(set: &Esdirk) -> Vec<Vec<f64>> {
        set.a.iter().map(|row| row.to_vec()).collect()
    }

    #[test]
    fn order_conditions_hold_inside_the_step_too() {
        let (set, rows) = (ESDIRK_4, rows(&ESDIRK_4));
        assert!(Trees::up_to(4).residual(&rows, set.b(), 1.0) < 1e-13);
        assert!(Trees::up_to(5).residual(&rows, set.b(), 1.0) > 1e-5);
        assert!(Trees::up_to(3).residual(&rows, &set.b_hat, 1.0) < 1e-13);
        assert!(Trees::up_to(4).residual(&rows, &set.b_hat, 1.0) > 1e-5, "the embedded formula has order 3");
        for theta in [0.1, 0.5, 0.9] {
            assert!(Trees::up_to(4).residual(&rows, &set.dense_weights(theta), theta) < 1e-13);
        }
        for (end, b) in set.dense_weights(1.0).iter().zip(set.b()) {
            assert!((end - b).abs() < 1e-13);
        }
    }

    #[test]
    fn stages_have_order_2_and_predictors_meet_parabolas() {
        let set = ESDIRK_4;
        for i in 0..STAGES {
            let moment = |w: &NystromWeights, power: i32| {
                (0..STAGES).map(|j| w[j] * set.c[j].powi(power)).sum::<f64>()
            };
            assert!((moment(&set.a[i], 0) - set.c[i]).abs() < 1e-14);
            assert!((moment(&set.a[i], 1) - set.c[i] * set.c[i] / 2.0).abs() < 1e-14);
            assert_eq!(set.a[i][i], if i == 0 { 0.0 } else { set.gamma });
            let exact = [0, 0, 1, 2, 2, 2][i];
            for power in 0..=exact * i32::from(i > 0) {
                assert!((moment(&set.predictor[i], power) - set.c[i].powi(power)).abs() < 1e-13 || i == 0);
            }
        }
    }

    /// The dense output is as smooth as the solution: its slopes at both ends are those of the first and last stage.
    #[test]
    fn the_dense_output_is_smooth_from_step_to_step() {
        for i in 0..STAGES {
            let slope = |theta: f64| {
                (0..4).map(|j| (j + 1) as f64 * ESDIRK_4.dense[j][i] * theta.powi(j as i32)).sum::<f64>()
            };
            assert!((slope(0.0) - f64::from(u8::from(i == 0))).abs() < 1e-13);
            assert!((slope(1.0) - f64::from(u8::from(i + 1 == STAGES))).abs() < 1e-13);
        }
    }

    /// `R(z) = 1 + z b (I - z A)^-1 1` for real z, by forward substitution.
    fn stability(set: &Esdirk, b: &NystromWeights, z: f64) -> f64 {
        let mut x = [1.0; STAGES];
        for i in 1..STAGES {
            let known: f64 = (0..i).map(|j| set.a[i][j] * x[j]).sum();
            x[i] = (1.0 + z * known) / (1.0 - z * set.gamma);
        }
        1.0 + z * (0..STAGES).map(|i| b[i] * x[i]).sum::<f64>()
    }

    /// Enlarged, the estimate is that of the SDIRK formulas: what the embedded formulas lack in order 4 is the same.
    #[test]
    fn the_estimate_speaks_of_the_same_errors_as_others() {
        let lacks = |set: &Esdirk| {
            let rows = rows(set);
            set.enlarged * Trees::up_to(4).residual(&rows, &set.b_hat, 1.0)
        };
        let ratio = lacks(&ESDIRK_4) / lacks(&sdirk_4_16());
        assert!((0.5..2.0).contains(&ratio), "{ratio}");
    }

    #[test]
    fn stiff_components_vanish() {
        assert!(stability(&ESDIRK_4, ESDIRK_4.b(), -1e9).abs() < 1e-6);
        assert!((stability(&ESDIRK_4, &ESDIRK_4.b_hat, -1e9).abs() - 0.15).abs() < 0.01);
        assert!((-200..0).all(|k| stability(&ESDIRK_4, ESDIRK_4.b(), 0.5 * f64::from(k)).abs() < 1.0));
    }
}
