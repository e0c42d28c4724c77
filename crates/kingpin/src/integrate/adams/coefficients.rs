//! Coefficients of the Adams formulas for unequal steps [Shampine and Gordon 1975,
//! chapter 5].

/// Highest order of the predictor.
pub const HIGHEST: usize = 12;

/// Coefficients of one step. Index i of every list belongs to the difference of order i.
#[derive(Debug, Clone)]
pub struct Coefficients {
    /// `psi_i = t_{n+1} - t_{n-i}`: sums of step sizes, the latest first.
    pub psi: [f64; HIGHEST],
    /// Factors that carry differences to the new step.
    pub beta: [f64; HIGHEST],
    /// Weights of the differences in the integral over the step.
    pub g: [f64; HIGHEST + 1],
    /// Ratios of differences to those of equal steps.
    pub sigma: [f64; HIGHEST + 1],
}

impl Coefficients {
    pub fn new() -> Self {
        Self { psi: [0.0; HIGHEST], beta: [1.0; HIGHEST], g: [1.0; HIGHEST + 1], sigma: [1.0; HIGHEST + 1] }
    }

    /// For a step `h` at order `k` after steps of sizes `before`, the latest first. O(k^2).
    pub fn set(&mut self, h: f64, before: &[f64], k: usize) {
        let mut alpha = [0.0; HIGHEST];
        let (mut sum, mut sum_before) = (h, 0.0);
        self.beta[0] = 1.0;
        self.sigma[0] = 1.0;
        for i in 0..k {
            self.psi[i] = sum;
            alpha[i] = h / sum;
            self.sigma[i + 1] = (i + 1) as f64 * alpha[i] * self.sigma[i];
            if i + 1 < k {
                sum_before += before[i];
                self.beta[i + 1] = self.beta[i] * sum / sum_before;
                sum += before[i];
            }
        }
        // iterated integrals w_q of the Newton polynomials; g is the first of each row
        let mut w: [f64; HIGHEST + 1] = std::array::from_fn(|q| 1.0 / (q + 1) as f64);
        self.g[0] = 1.0;
        for i in 1..=k {
            for q in 0..=k - i {
                w[q] = if i == 1 { 1.0 / ((q + 1) * (q + 2)) as f64 } else { w[q] - alpha[i - 1] * w[q + 1] };
            }
            self.g[i] = w[0];
        }
    }

    /// Weights of `hi phi_i`, i = 0..=k, in the difference of the solutions at `t_{n+1} + hi` and `t_{n+1}`
    /// along the polynomial through the last k + 1 derivatives. O(k^2).
    pub fn interpolation(&self, hi: f64, k: usize) -> [f64; HIGHEST + 1] {
        let mut w: [f64; HIGHEST + 1] = std::array::from_fn(|q| 1.0 / (q + 1) as f64);
        let mut g = [1.0; HIGHEST + 1];
        let mut term = 0.0;
        for j in 1..=k {
            let psi = self.psi[j - 1];
            let (gamma, eta) = ((hi + term) / psi, hi / psi);
            for q in 0..=k - j {
                w[q] = gamma * w[q] - eta * w[q + 1];
            }
            g[j] = w[0];
            term = psi;
        }
        g
    }
}

/// Magnitudes of the coefficients of the implicit formulas for equal steps: 1, 1/2, 1/12, 1/24, 19/720, ...
pub fn implicit_constants() -> [f64; HIGHEST + 2] {
    let mut c = [1.0; HIGHEST + 2];
    for m in 1..c.len() {
        c[m] = -(1..=m).map(|i| c[m - i] / (i + 1) as f64).sum::<f64>();
    }
    c.map(f64::abs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_steps_give_the_classical_adams_formulas() {
        let mut c = Coefficients::new();
        c.set(0.5, &[0.5; 12], 5);
        let bashforth = [1.0, 1.0 / 2.0, 5.0 / 12.0, 3.0 / 8.0, 251.0 / 720.0, 95.0 / 288.0];
        for i in 0..=5 {
            assert!((c.g[i] - bashforth[i]).abs() < 1e-15);
            assert!((c.sigma[i] - 1.0).abs() < 1e-15);
        }
        assert_eq!(c.beta[..5], [1.0; 5]);
        let moulton = [1.0, 0.5, 1.0 / 12.0, 1.0 / 24.0, 19.0 / 720.0, 3.0 / 160.0, 863.0 / 60480.0];
        assert!(moulton.iter().zip(implicit_constants()).all(|(a, b)| (a - b).abs() < 1e-15));
    }
}
