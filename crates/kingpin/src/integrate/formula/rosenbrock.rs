//! The L-stable Rosenbrock formula of order 4 with an embedded formula of order 3 in Nyström form.
//!
//! It is ROS4 [Hairer and Wanner 1996, section IV.7; Negrut 1998, section 4.3] for equations `y'' = f(t, y, y')`, with e the root of
//! `24 e^4 - 96 e^3 + 72 e^2 - 16 e + 1` at which the formula is L-stable. With
//! `S = I - h e J2 - h^2 e^2 J1`, `J1 = df/dy`, `J2 = df/dy'`, all at the start of the step:
//!
//! ```text
//! Y_i   = y0  + h a_i y0' + h sum_{j<i} t_ij u_j
//! Y'_i  = y0' + sum_{j<i} w_ij u_j
//! S u_i = h e f(t0 + a_i h, Y_i, Y'_i) + h^2 e e_i (f_t + J1 y0') + e sum_{j<i} c_ij u_j
//!         + h^2 e J1 sum_{j<i} d_ij u_j
//! y1    = y0 + h y0' + h sum p_i u_i        y1' = y0' + sum s_i u_i
//! error: h sum ep_i u_i                     error': sum ev_i u_i
//! ```
#![allow(clippy::excessive_precision)] // coefficients as published, to 20 digits

/// Stages of the formula; the last two share their evaluation of f.
pub const STAGES: usize = 4;

/// Diagonal coefficient e.
pub const E: f64 = 0.57281606248213485541;
/// Nodes.
pub const A: [f64; STAGES] = [0.0, 1.1456321249642697108, 0.65521497716246703607, 0.65521497716246703607];
/// Factors of the terms with `f_t` and `J1 y0'`.
pub const E_ROW: [f64; STAGES] =
    [0.57281606248213485541, -1.7691770777109208746, 0.75929394500212055081, -0.10489462620786676292];
/// Stage velocities.
pub const W: [[f64; 3]; STAGES] = [
    [0.0, 0.0, 0.0],
    [2.0, 0.0, 0.0],
    [1.8679481466559784020, 0.23444556814091009283, 0.0],
    [1.8679481466559784020, 0.23444556814091009283, 0.0],
];
/// Stage positions.
pub const T: [[f64; 3]; STAGES] = [
    [0.0, 0.0, 0.0],
    [1.1456321249642697108, 0.0, 0.0],
    [0.78950916437133019664, 0.13429418720886316057, 0.0],
    [0.78950916437133019664, 0.13429418720886316057, 0.0],
];
/// Coupling of the stages.
pub const C: [[f64; 3]; STAGES] = [
    [0.0, 0.0, 0.0],
    [-7.1376499213588970644, 0.0, 0.0],
    [2.5809235306936040405, 0.65162986532770642400, 0.0],
    [-2.1371152877552758065, -0.32146952972573591396, -0.69496605444903781850],
];
/// Coupling of the stages through J1.
pub const D: [[f64; 3]; STAGES] = [
    [0.0, 0.0, 0.0],
    [-1.1963610152287860192, 0.0, 0.0],
    [1.4702802302877707336, 0.34810583268836927214, 0.0],
    [0.0037650883729466377874, -0.10976248642014044584, -0.22803103964460189148],
];
/// Weights of the velocity.
pub const S: [f64; STAGES] =
    [2.2555662310268404295, 0.28705505957984148068, 0.43531196714727794247, 1.0935076529988494062];
/// Weights of the position.
pub const P: [f64; STAGES] = [1.5927508168733216738, 0.19593826483450879905, 0.0, 0.62637874808488156153];
/// Weights of the error of the velocity.
pub const ERROR_VELOCITY: [f64; STAGES] =
    [0.18716706731249601670, 0.048373709495754722369, 0.071938620606184140050, 0.72695052468663017443];
/// Weights of the error of the position.
pub const ERROR_POSITION: [f64; STAGES] =
    [0.15784684696119924786, -0.027040405864448928911, -0.12455968651845054292, 0.41640893717031746668];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::integrate::formula::trees::worst;

    type Square = [[f64; STAGES]; STAGES];

    fn product(x: &Square, y: &Square) -> Square {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..STAGES).map(|k| x[i][k] * y[k][j]).sum()))
    }

    fn sum(x: &Square, y: &Square) -> Square {
        std::array::from_fn(|i| std::array::from_fn(|j| x[i][j] + y[i][j]))
    }

    fn wide(x: &[[f64; 3]; STAGES]) -> Square {
        std::array::from_fn(|i| std::array::from_fn(|j| if j < 3 { x[i][j] } else { 0.0 }))
    }

    fn left(w: &[f64; STAGES], x: &Square) -> [f64; STAGES] {
        std::array::from_fn(|j| (0..STAGES).map(|k| w[k] * x[k][j]).sum())
    }

    /// `E^-1 = I/e - C`, and E itself by forward substitution; then `A = W E`.
    fn classical() -> (Square, Square, Square) {
        let c = wide(&C);
        let inverse: Square =
            std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 / E } else { -c[i][j] }));
        let mut e: Square = [[0.0; STAGES]; STAGES];
        for j in 0..STAGES {
            for i in j..STAGES {
                let known: f64 = (j..i).map(|k| inverse[i][k] * e[k][j]).sum();
                e[i][j] = E * (f64::from(u8::from(i == j)) - known);
            }
        }
        let a = product(&wide(&W), &e);
        (a, e, inverse)
    }

    #[test]
    fn the_diagonal_is_the_l_stable_root() {
        let polynomial = (((24.0 * E - 96.0) * E + 72.0) * E - 16.0) * E + 1.0;
        assert!(polynomial.abs() < 1e-14);
    }

    #[test]
    fn tables_follow_from_the_classical_coefficients() {
        let (a, e, inverse) = classical();
        for i in 0..STAGES {
            assert!((a[i].iter().sum::<f64>() - A[i]).abs() < 1e-14);
            assert!((e[i].iter().sum::<f64>() - E_ROW[i]).abs() < 1e-14);
        }
        // T = A + A A E^-1 and the strict lower part of D = E + E A E^-1
        let t = sum(&a, &product(&a, &product(&a, &inverse)));
        let d = sum(&e, &product(&e, &product(&a, &inverse)));
        for i in 0..STAGES {
            assert!(worst(&t[i], &wide(&T)[i]) < 1e-13);
            assert!(worst(&d[i][..i], &D[i][..i]) < 1e-13);
        }
        // p = b + b A E^-1 with b = s E, and the same for the error
        let b = left(&S, &e);
        let p = left(&left(&b, &a), &inverse);
        assert!((0..STAGES).all(|i| (b[i] + p[i] - P[i]).abs() < 1e-13));
        let b = left(&ERROR_VELOCITY, &e);
        let p = left(&left(&b, &a), &inverse);
        assert!((0..STAGES).all(|i| (b[i] + p[i] - ERROR_POSITION[i]).abs() < 1e-13));
    }

    /// `b Phi(tree)` with B = A + E inside and A at the branching, for the trees up to order 4.
    fn order_residual(b: &[f64; STAGES], order: usize) -> f64 {
        let (a, e, _) = classical();
        let beta = sum(&a, &e);
        let one = [1.0; STAGES];
        let times = |m: &Square, x: &[f64; STAGES]| -> [f64; STAGES] {
            std::array::from_fn(|i| (0..STAGES).map(|k| m[i][k] * x[k]).sum())
        };
        let dot = |x: &[f64; STAGES]| (0..STAGES).map(|i| b[i] * x[i]).sum::<f64>();
        let each =
            |x: &[f64; STAGES], y: &[f64; STAGES]| -> [f64; STAGES] { std::array::from_fn(|i| x[i] * y[i]) };
        let (node, b1) = (times(&a, &one), times(&beta, &one));
        let b2 = times(&beta, &b1);
        let square = each(&node, &node);
        let mut residuals = vec![dot(&one) - 1.0, dot(&b1) - 0.5];
        if order > 2 {
            residuals.extend([dot(&square) - 1.0 / 3.0, dot(&b2) - 1.0 / 6.0]);
        }
        if order > 3 {
            residuals.extend([
                dot(&each(&square, &node)) - 0.25,
                dot(&each(&node, &times(&a, &b1))) - 1.0 / 8.0,
                dot(&times(&beta, &square)) - 1.0 / 12.0,
                dot(&times(&beta, &b2)) - 1.0 / 24.0,
            ]);
        }
        residuals.into_iter().fold(0.0, |worst, r| worst.max(r.abs()))
    }

    #[test]
    fn order_conditions_hold() {
        let (_, e, _) = classical();
        let b = left(&S, &e);
        let error = left(&ERROR_VELOCITY, &e);
        let b_hat: [f64; STAGES] = std::array::from_fn(|i| b[i] - error[i]);
        assert!(order_residual(&b, 4) < 1e-14);
        assert!(order_residual(&b_hat, 3) < 1e-14);
        assert!(order_residual(&b_hat, 4) > 1e-3, "the embedded formula has order 3");
    }

    /// For `y' = lambda y` at infinity, `R = 1 - b B^-1 1` with B = A + E.
    #[test]
    fn the_formula_damps_at_infinity() {
        let (a, e, _) = classical();
        let beta = sum(&a, &e);
        let at_infinity = |b: &[f64; STAGES]| {
            let mut x = [0.0; STAGES];
            for i in 0..STAGES {
                x[i] = (1.0 - (0..i).map(|j| beta[i][j] * x[j]).sum::<f64>()) / beta[i][i];
            }
            1.0 - (0..STAGES).map(|i| b[i] * x[i]).sum::<f64>()
        };
        let b = left(&S, &e);
        let error = left(&ERROR_VELOCITY, &e);
        assert!(at_infinity(&b).abs() < 1e-13);
        assert!((at_infinity(&std::array::from_fn(|i| b[i] - error[i])) + 0.3673).abs() < 1e-4);
    }
}
