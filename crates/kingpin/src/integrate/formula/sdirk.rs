//! Singly diagonally implicit Runge–Kutta formulas of order 4 with five stages and an embedded formula of
//! order 3. Both sets are L-stable and stiffly accurate: the last row of A is b.

/// Stages of the formulas.
pub const STAGES: usize = 5;

/// Coefficients of one formula.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sdirk {
    /// Diagonal of A.
    pub gamma: f64,
    /// Nodes, the row sums of A.
    pub c: [f64; STAGES],
    /// Lower triangular matrix; its last row holds the weights b.
    pub a: [[f64; STAGES]; STAGES],
    /// Weights of the embedded formula of order 3; the last is zero, so it needs the first four stages only.
    pub b_hat: [f64; STAGES],
}

impl Sdirk {
    /// Weights of the formula.
    pub const fn b(&self) -> &[f64; STAGES] {
        &self.a[STAGES - 1]
    }

    /// `mu = A A`, with which the formula acts on second-order equations: stage positions are
    /// `v0 + h c_i vdot0 + h^2 sum_j mu_ij vddot_j`.
    pub fn mu(&self) -> [[f64; STAGES]; STAGES] {
        self.a.map(|row| self.times_a(&row))
    }

    /// The row vector `w A`.
    pub fn times_a(&self, w: &[f64; STAGES]) -> [f64; STAGES] {
        std::array::from_fn(|j| (j..STAGES).map(|i| w[i] * self.a[i][j]).sum())
    }

    /// `b - b_hat`, the weights of the error estimate.
    pub fn error_weights(&self) -> [f64; STAGES] {
        std::array::from_fn(|i| self.b()[i] - self.b_hat[i])
    }

    /// Weights that predict the derivative of stage `i` from those at the start of the step (first weight)
    /// and of the earlier stages: the interpolating polynomial in the nodes, and for the last stage the
    /// derivative with which that stage is the solution of the embedded formula.
    pub fn predictor(&self, i: usize) -> [f64; STAGES] {
        let mut weights = [0.0; STAGES];
        if i + 1 == STAGES {
            for j in 0..i {
                weights[j + 1] = (self.b_hat[j] - self.b()[j]) / self.gamma;
            }
            return weights;
        }
        let node = |j: usize| if j == 0 { 0.0 } else { self.c[j - 1] };
        for j in 0..=i {
            let others = (0..=i).filter(|&m| m != j);
            weights[j] = others.map(|m| (self.c[i] - node(m)) / (node(j) - node(m))).product();
        }
        weights
    }
}

/// SDIRK4 with gamma = 1/4 [Hairer and Wanner 1996, Table IV.6.5].
pub const SDIRK_4_16: Sdirk = Sdirk {
    gamma: 0.25,
    c: [0.25, 0.75, 11.0 / 20.0, 0.5, 1.0],
    a: [
        [0.25, 0.0, 0.0, 0.0, 0.0],
        [0.5, 0.25, 0.0, 0.0, 0.0],
        [17.0 / 50.0, -1.0 / 25.0, 0.25, 0.0, 0.0],
        [371.0 / 1360.0, -137.0 / 2720.0, 15.0 / 544.0, 0.25, 0.0],
        [25.0 / 24.0, -49.0 / 48.0, 125.0 / 16.0, -85.0 / 12.0, 0.25],
    ],
    b_hat: [59.0 / 48.0, -17.0 / 96.0, 225.0 / 32.0, -85.0 / 12.0, 0.0],
};

/// Dense output of [`SDIRK_4_16`]: row j holds the factors of `theta^(j+1)` in the weights b_i(theta). Order 3
/// inside the step, order 4 at its end.
pub const SDIRK_4_16_DENSE: [[f64; STAGES]; 4] = [
    [11.0 / 3.0, 11.0 / 2.0, -125.0 / 18.0, 0.0, -11.0 / 9.0],
    [-463.0 / 72.0, -385.0 / 16.0, 20125.0 / 432.0, -85.0 / 4.0, 557.0 / 108.0],
    [217.0 / 36.0, 661.0 / 24.0, -8875.0 / 216.0, 85.0 / 6.0, -359.0 / 54.0],
    [-20.0 / 9.0, -10.0, 250.0 / 27.0, 0.0, 80.0 / 27.0],
];

/// SDIRK4 with gamma = 4/15, the formula of the code of that name [Hairer and Wanner 1996, section IV.6].
pub const SDIRK_4_15: Sdirk = Sdirk {
    gamma: 4.0 / 15.0,
    c: [4.0 / 15.0, 23.0 / 30.0, 17.0 / 30.0, 707.0 / 1931.0, 1.0],
    a: [
        [4.0 / 15.0, 0.0, 0.0, 0.0, 0.0],
        [0.5, 4.0 / 15.0, 0.0, 0.0, 0.0],
        [51069.0 / 144200.0, -7809.0 / 144200.0, 4.0 / 15.0, 0.0, 0.0],
        [
            12047244770625658.0 / 141474406359725325.0,
            -3057890203562191.0 / 47158135453241775.0,
            2239631894905804.0 / 28294881271945065.0,
            4.0 / 15.0,
            0.0,
        ],
        [
            181513.0 / 86430.0,
            -89074.0 / 116015.0,
            83636.0 / 34851.0,
            -69863904375173.0 / 23297141763930.0,
            4.0 / 15.0,
        ],
    ],
    b_hat: [
        33665407.0 / 11668050.0,
        -2284766.0 / 15662025.0,
        11244716.0 / 4704885.0,
        -96203066666797.0 / 23297141763930.0,
        0.0,
    ],
};

/// Inverse of A of [`SDIRK_4_15`]: the stage derivatives are `A^-1 z / h`.
pub const SDIRK_4_15_INVERSE: [[f64; STAGES]; STAGES] = [
    [3.75, 0.0, 0.0, 0.0, 0.0],
    [-225.0 / 32.0, 3.75, 0.0, 0.0, 0.0],
    [-4731183.0 / 738304.0, 70281.0 / 92288.0, 3.75, 0.0, 0.0],
    [
        -647163682356923881.0 / 643865742721594368.0,
        593512117011179.0 / 865410944518272.0,
        -2799539868632255.0 / 2515100557506228.0,
        3.75,
        0.0,
    ],
    [
        -724545451.0 / 212410368.0,
        830832077.0 / 71279616.0,
        -154787885.0 / 3345696.0,
        1047958565627595.0 / 24850284548192.0,
        3.75,
    ],
];

/// `(b - b_hat) A^-1` of [`SDIRK_4_15`]: the error estimate is the sum of these times z_i.
pub const SDIRK_4_15_ERROR: [f64; STAGES] = [
    -7752107607.0 / 11393456128.0,
    17881415427.0 / 11470078208.0,
    -2433277665.0 / 179459416.0,
    96203066666797.0 / 6212571137048.0,
    1.0,
];

/// Dense output of [`SDIRK_4_15`]: row j holds the factors of `theta^(j+1) z_i`. Order 3 inside the step.
pub const SDIRK_4_15_DENSE: [[f64; STAGES]; 4] = [
    [24.74416644927758, -4.325375951824688, 41.39683763286316, -61.04144619901784, -3.391332232917013],
    [-51.98245719616925, 10.52501981094525, -154.2067922191855, 214.3082125319825, 14.71166018088679],
    [33.14347947522142, -19.72986789558523, 230.4878502285804, -287.6629744338197, -18.99932366302254],
    [-5.905188728329743, 13.53022403646467, -117.6778956422581, 134.396208100855, 8.678995715052762],
];

/// Weights of a dense output at `theta`: `sum_j table[j][i] theta^(j+1)`.
pub fn dense_weights(table: &[[f64; STAGES]; 4], theta: f64) -> [f64; STAGES] {
    std::array::from_fn(|i| table.iter().rev().fold(0.0, |sum, row| (sum + row[i]) * theta))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::formula::trees::{Trees, worst};

    fn rows(set: &Sdirk) -> Vec<Vec<f64>> {
        set.a.iter().map(|row| row.to_vec()).collect()
    }

    #[test]
    fn order_conditions_hold() {
        for set in [SDIRK_4_16, SDIRK_4_15] {
            let trees = Trees::up_to(4);
            assert_eq!(trees.count(), 8);
            assert!(trees.residual(&rows(&set), set.b(), 1.0) < 1e-13);
            assert!(Trees::up_to(3).residual(&rows(&set), &set.b_hat, 1.0) < 1e-13);
            assert!(trees.residual(&rows(&set), &set.b_hat, 1.0) > 1e-3, "the embedded formula has order 3");
            assert!(Trees::up_to(5).residual(&rows(&set), set.b(), 1.0) > 1e-4);
        }
    }

    #[test]
    fn nodes_are_row_sums_and_the_diagonal_is_constant() {
        for set in [SDIRK_4_16, SDIRK_4_15] {
            for i in 0..STAGES {
                assert!((set.a[i].iter().sum::<f64>() - set.c[i]).abs() < 1e-14);
                assert_eq!(set.a[i][i], set.gamma);
            }
            assert_eq!(set.b_hat[4], 0.0);
        }
    }

    /// `R(z) = 1 + z b (I - z A)^-1 1` for real z, by forward substitution.
    fn stability(set: &Sdirk, b: &[f64; STAGES], z: f64) -> f64 {
        let mut x = [0.0; STAGES];
        for i in 0..STAGES {
            let known: f64 = (0..i).map(|j| set.a[i][j] * x[j]).sum();
            x[i] = (1.0 + z * known) / (1.0 - z * set.gamma);
        }
        1.0 + z * (0..STAGES).map(|i| b[i] * x[i]).sum::<f64>()
    }

    #[test]
    fn the_formulas_damp_at_infinity_and_the_embedded_ones_do_not() {
        for (set, embedded) in [(SDIRK_4_16, 10.0 / 3.0), (SDIRK_4_15, 15047025.0 / 3954688.0)] {
            assert!(stability(&set, set.b(), -1e9).abs() < 1e-6);
            assert!((stability(&set, &set.b_hat, -1e9) - embedded).abs() < 1e-5);
            assert!((stability(&set, set.b(), 0.01) - 0.01f64.exp()).abs() < 1e-11);
        }
    }

    #[test]
    fn mu_has_squared_diagonal_and_integrates_twice() {
        for set in [SDIRK_4_16, SDIRK_4_15] {
            let mu = set.mu();
            for i in 0..STAGES {
                assert!((mu[i][i] - set.gamma * set.gamma).abs() < 1e-15);
                let twice: f64 = (0..=i).map(|j| set.a[i][j] * set.c[j]).sum();
                assert!((mu[i].iter().sum::<f64>() - twice).abs() < 1e-14);
            }
            // position of a constant acceleration after a unit step
            assert!((mu[4].iter().sum::<f64>() - 0.5).abs() < 1e-14);
        }
    }

    #[test]
    fn inverse_and_error_weights_of_4_15_belong_to_it() {
        let (set, inverse) = (SDIRK_4_15, SDIRK_4_15_INVERSE);
        for i in 0..STAGES {
            for j in 0..STAGES {
                let product: f64 = (0..STAGES).map(|k| set.a[i][k] * inverse[k][j]).sum();
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-13);
            }
            let e = set.error_weights();
            let dbar: f64 = (0..STAGES).map(|k| e[k] * inverse[k][i]).sum();
            assert!((dbar - SDIRK_4_15_ERROR[i]).abs() < 1e-12);
        }
    }

    #[test]
    fn dense_output_has_order_3_and_ends_in_the_solution() {
        for theta in [0.1, 0.35, 0.6, 0.9, 1.0] {
            let w16 = dense_weights(&SDIRK_4_16_DENSE, theta);
            // of 4/15 the table is for z: back to weights of the derivatives
            let z = dense_weights(&SDIRK_4_15_DENSE, theta);
            let w15 = SDIRK_4_15.times_a(&z);
            let order = if theta == 1.0 { 4 } else { 3 };
            assert!(Trees::up_to(order).residual(&rows(&SDIRK_4_16), &w16, theta) < 1e-13);
            assert!(Trees::up_to(order).residual(&rows(&SDIRK_4_15), &w15, theta) < 1e-12);
        }
        assert!(worst(&dense_weights(&SDIRK_4_16_DENSE, 1.0), SDIRK_4_16.b()) < 1e-13);
    }

    #[test]
    fn predictors_reproduce_polynomials() {
        for set in [SDIRK_4_16, SDIRK_4_15] {
            for i in 0..STAGES {
                let w = set.predictor(i);
                for power in 0..=i.min(2) as i32 {
                    let at = |j: usize| if j == 0 { 0.0f64 } else { set.c[j - 1] }.powi(power);
                    let predicted: f64 = (0..=i).map(|j| w[j] * at(j)).sum();
                    assert!((predicted - set.c[i].powi(power)).abs() < 1e-11, "stage {i}, power {power}");
                }
            }
        }
    }
}
