//! Radau IIA of order 5: collocation at three places, the last of them the end of the step. Stages have order 3, and it
//! is stiffly accurate and L-stable [Hairer and Wanner 1996, section IV.5].

/// Stages of the formula.
pub const STAGES: usize = 3;

/// Weights of the stages.
pub type StageRow = [f64; STAGES];

const ROOT_6: f64 = 2.449489742783178;

/// Nodes.
pub const C: StageRow = [(4.0 - ROOT_6) / 10.0, (4.0 + ROOT_6) / 10.0, 1.0];

/// Coefficients; the last row holds the weights.
pub const A: [StageRow; STAGES] = [
    [(88.0 - 7.0 * ROOT_6) / 360.0, (296.0 - 169.0 * ROOT_6) / 1800.0, (-2.0 + 3.0 * ROOT_6) / 225.0],
    [(296.0 + 169.0 * ROOT_6) / 1800.0, (88.0 + 7.0 * ROOT_6) / 360.0, (-2.0 - 3.0 * ROOT_6) / 225.0],
    [(16.0 - ROOT_6) / 36.0, (16.0 + ROOT_6) / 36.0, 1.0 / 9.0],
];

/// A A, the weights of accelerations in positions.
pub const MU: [StageRow; STAGES] = [times_a(&A[0]), times_a(&A[1]), times_a(&A[2])];

/// Its inverse: accelerations from positions.
pub const MU_INVERSE: [StageRow; STAGES] = inverse(&MU);

/// The inverse by cofactors.
const fn inverse(m: &[StageRow; STAGES]) -> [StageRow; STAGES] {
    let mut out = [[0.0; STAGES]; STAGES];
    let mut i = 0;
    while i < STAGES {
        let mut j = 0;
        while j < STAGES {
            let (a, b, c, d) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            out[j][i] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
            j += 1;
        }
        i += 1;
    }
    let determinant = m[0][0] * out[0][0] + m[0][1] * out[1][0] + m[0][2] * out[2][0];
    let mut k = 0;
    while k < STAGES * STAGES {
        out[k / 3][k % 3] /= determinant;
        k += 1;
    }
    out
}

/// The real eigenvalue of A.
pub const GAMMA: f64 = 0.27488882959567734;

/// One of the other two, its real and imaginary parts.
pub const PAIR: [f64; 2] = [0.16255558520216132, -0.1849493244071408];

/// The real transformation T for which `T^-1 A T` is the real eigenvalue and the block of the pair,
/// `[re -im; im re]` [Hairer and Wanner 1996, section IV.8].
pub const T: [StageRow; STAGES] = [
    [0.09123239487089295, -0.1412552950209542, -0.030029194105147424],
    [0.241717932707107, 0.20412935229379994, 0.3829421127572619],
    [0.966048182615093, 1.0, 0.0],
];

/// Its inverse.
pub const T_INVERSE: [StageRow; STAGES] = [
    [4.325579890063155, 0.33919925181580984, 0.5417705399358749],
    [-4.178718591551905, -0.32768282076106237, 0.47662355450055044],
    [-0.5028726349457868, 2.571926949855605, -0.5960392048282249],
];

/// Weights of the increments of the stages in the error estimate, beside `GAMMA h f_0`: an embedded formula of order 3.
const ERROR: StageRow =
    [GAMMA * (-13.0 - 7.0 * ROOT_6) / 3.0, GAMMA * (-13.0 + 7.0 * ROOT_6) / 3.0, -GAMMA / 3.0];

/// Weights of accelerations in the error estimate of the velocity, beside [`GAMMA`] of the start.
pub const ERROR_VELOCITY: StageRow = times_a(&ERROR);

/// Weights of accelerations in the error estimate of the position.
pub const ERROR_POSITION: StageRow = times_a(&ERROR_VELOCITY);

/// The row vector `w A`.
const fn times_a(w: &StageRow) -> StageRow {
    let mut out = [0.0; STAGES];
    let mut j = 0;
    while j < STAGES {
        out[j] = w[0] * A[0][j] + w[1] * A[1][j] + w[2] * A[2][j];
        j += 1;
    }
    out
}

/// Weights of the stages in the parabola through them at a place in parts of their step, which may be beyond it.
pub fn parabola(theta: f64) -> StageRow {
    std::array::from_fn(|j| {
        let others = (0..STAGES).filter(|&k| k != j);
        others.map(|k| (theta - C[k]) / (C[j] - C[k])).product()
    })
}

/// Weights of the start and the stages in the dense output of velocities and of positions: once and twice the integral of
/// the cubic through all four accelerations, which ends in the solution because the quadrature is exact for it.
pub fn dense_weights(theta: f64) -> [[f64; STAGES + 1]; 2] {
    let nodes = [0.0, C[0], C[1], C[2]];
    let mut weights = [[0.0; STAGES + 1]; 2];
    for j in 0..=STAGES {
        // coefficients of the polynomial that is 1 at node j and 0 at the others, and their integrals
        let mut polynomial = [1.0, 0.0, 0.0, 0.0];
        for (degree, k) in (0..=STAGES).filter(|&k| k != j).enumerate() {
            let scale = 1.0 / (nodes[j] - nodes[k]);
            for p in (0..=degree + 1).rev() {
                let lower = if p > 0 { polynomial[p - 1] } else { 0.0 };
                let own = if p <= degree { polynomial[p] } else { 0.0 };
                polynomial[p] = scale * (lower - nodes[k] * own);
            }
        }
        for (p, x) in polynomial.iter().enumerate() {
            let (power, p) = (theta.powi(p as i32 + 1), p as f64);
            weights[0][j] += x * power / (p + 1.0);
            weights[1][j] += x * power * theta / ((p + 1.0) * (p + 2.0));
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::formula::trees::{Trees, worst};

    fn rows() -> Vec<Vec<f64>> {
        A.iter().map(|row| row.to_vec()).collect()
    }

    #[test]
    fn order_conditions_hold_to_order_5() {
        assert!(Trees::up_to(5).residual(&rows(), &A[2], 1.0) < 1e-14);
        assert!(Trees::up_to(6).residual(&rows(), &A[2], 1.0) > 1e-4);
        for i in 0..STAGES {
            for power in 0..3 {
                let sum: f64 = (0..STAGES).map(|j| A[i][j] * C[j].powi(power)).sum();
                assert!((sum - C[i].powi(power + 1) / f64::from(power + 1)).abs() < 1e-15, "stage {i}");
            }
        }
    }

    #[test]
    fn accelerations_follow_from_positions() {
        for i in 0..STAGES {
            for k in 0..STAGES {
                let one: f64 = (0..STAGES).map(|j| MU[i][j] * MU_INVERSE[j][k]).sum();
                assert!((one - f64::from(u8::from(i == k))).abs() < 1e-12, "{i} {k}: {one}");
            }
        }
    }

    /// `T^-1 A T` is the real eigenvalue and the block of the pair.
    #[test]
    fn the_transformation_takes_the_stages_apart() {
        let blocks = [[GAMMA, 0.0, 0.0], [0.0, PAIR[0], -PAIR[1]], [0.0, PAIR[1], PAIR[0]]];
        for k in 0..STAGES {
            for l in 0..STAGES {
                let sum = |f: &dyn Fn(usize, usize) -> f64| {
                    (0..STAGES)
                        .flat_map(|i| (0..STAGES).map(move |j| (i, j)))
                        .map(|(i, j)| f(i, j))
                        .sum::<f64>()
                };
                let found = sum(&|i, j| T_INVERSE[k][i] * A[i][j] * T[j][l]);
                assert!((found - blocks[k][l]).abs() < 1e-15, "{k} {l}: {found}");
                let one: f64 = (0..STAGES).map(|i| T_INVERSE[k][i] * T[i][l]).sum();
                assert!((one - f64::from(u8::from(k == l))).abs() < 1e-14);
            }
        }
    }

    /// The estimate vanishes for polynomials of degree 3 and not for those of degree 4; of positions it needs no velocity.
    #[test]
    fn the_estimate_has_order_3() {
        let start = |power: i32| if power == 0 { GAMMA } else { 0.0 };
        let moment = |w: &StageRow, power: i32| (0..STAGES).map(|j| w[j] * C[j].powi(power)).sum::<f64>();
        for power in 0..3 {
            assert!((start(power) + moment(&ERROR_VELOCITY, power)).abs() < 1e-14, "{power}");
        }
        assert!(moment(&ERROR_VELOCITY, 3).abs() > 1e-3);
        assert!((GAMMA + (0..STAGES).map(|i| ERROR[i] * C[i]).sum::<f64>()).abs() < 1e-15);
        // twice integrated, one degree less
        assert!(moment(&ERROR_POSITION, 0).abs() < 1e-15 && moment(&ERROR_POSITION, 1).abs() < 1e-15);
    }

    #[test]
    fn the_dense_output_has_order_4_and_is_smooth() {
        let all = [0.0, C[0], C[1], C[2]];
        for theta in [0.1f64, 0.5, 0.9, 1.0] {
            let [velocity, position] = dense_weights(theta);
            for power in 0..4 {
                let moment = |w: &[f64; 4]| (0..4).map(|j| w[j] * all[j].powi(power)).sum::<f64>();
                let p = f64::from(power);
                assert!((moment(&velocity) - theta.powi(power + 1) / (p + 1.0)).abs() < 1e-13);
                let twice = theta.powi(power + 2) / ((p + 1.0) * (p + 2.0));
                assert!((moment(&position) - twice).abs() < 1e-13);
            }
        }
        let [velocity, position] = dense_weights(1.0);
        assert!(velocity[0].abs() < 1e-14 && worst(&velocity[1..], &A[2]) < 1e-14);
        assert!(position[0].abs() < 1e-14 && worst(&position[1..], &MU[2]) < 1e-14);
        assert_eq!(dense_weights(0.0), [[0.0; 4]; 2]);
        assert_eq!(parabola(C[1]), [0.0, 1.0, 0.0]);
    }

    /// `R(z) = 1 + z b (I - z A)^-1 1` far to the left: L-stable.
    #[test]
    fn stiff_components_vanish() {
        let z = -1e9;
        let m: Vec<f64> = (0..9).map(|k| f64::from(u8::from(k % 3 == k / 3)) - z * A[k % 3][k / 3]).collect();
        let (lu, mut m, mut exchange, mut x) = (crate::linalg::DenseLu::new(3), m, [0; 3], [1.0; 3]);
        lu.factor(&mut m, &mut exchange, 0.0).unwrap();
        lu.solve(&m, &exchange, &mut x);
        assert!((1.0 + z * (0..3).map(|i| A[2][i] * x[i]).sum::<f64>()).abs() < 1e-6);
    }
}
