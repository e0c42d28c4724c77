//! The norm in which errors are measured.

/// Root mean square of errors over `atol + rtol |y|`, component by component: an error of norm 1 just meets
/// the tolerances.
#[derive(Debug, Clone, PartialEq)]
pub struct Norm {
    atol: Vec<f64>,
    rtol: Vec<f64>,
}

/// Absolute and relative tolerance of a group of components.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Absolute tolerance, in the unit of the component.
    pub atol: f64,
    /// Relative tolerance.
    pub rtol: f64,
}

impl Tolerance {
    /// The same number for both.
    pub const fn both(tolerance: f64) -> Self {
        Self { atol: tolerance, rtol: tolerance }
    }
}

impl Norm {
    /// One tolerance for all components.
    pub fn uniform(dim: usize, tolerance: Tolerance) -> Self {
        Self::new(vec![tolerance; dim])
    }

    /// A state `(v, v')` of `n` positions and as many velocities.
    pub fn second_order(n: usize, position: Tolerance, velocity: Tolerance) -> Self {
        let mut each = vec![position; n];
        each.resize(2 * n, velocity);
        Self::new(each)
    }

    /// A tolerance for each component.
    pub fn new(each: Vec<Tolerance>) -> Self {
        Self { atol: each.iter().map(|t| t.atol).collect(), rtol: each.iter().map(|t| t.rtol).collect() }
    }

    /// Number of components.
    pub fn dim(&self) -> usize {
        self.atol.len()
    }

    /// The smallest tolerance of any component at a size of one.
    pub fn tightest(&self) -> f64 {
        let each = self.atol.iter().zip(&self.rtol).map(|(a, r)| a.max(*r));
        each.fold(1.0, f64::min).max(f64::EPSILON)
    }

    /// What an error of component `i` is measured against where its size is `size`.
    pub fn scale(&self, i: usize, size: f64) -> f64 {
        (self.atol[i] + self.rtol[i] * size.abs()).max(f64::MIN_POSITIVE)
    }

    /// Norm of `error` at a state `y`. O(dim).
    pub fn at(&self, error: &[f64], y: &[f64]) -> f64 {
        self.between(error, y, y)
    }

    /// Norm of the `error` of a step from `y0` to `y1`: the larger of the two sizes counts. O(dim).
    pub fn between(&self, error: &[f64], y0: &[f64], y1: &[f64]) -> f64 {
        let squares = (0..error.len()).map(|i| {
            let scaled = error[i] / self.scale(i, y0[i].abs().max(y1[i].abs()));
            scaled * scaled
        });
        (squares.sum::<f64>() / self.dim().max(1) as f64).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_velocities_have_their_own_tolerances() {
        let norm =
            Norm::second_order(1, Tolerance { atol: 0.1, rtol: 0.0 }, Tolerance { atol: 0.0, rtol: 0.5 });
        let state = [7.0, -4.0];
        // 0.1 of position and 2 of velocity each just meet their tolerance
        assert!((norm.at(&[0.1, 0.0], &state) - 0.5f64.sqrt()).abs() < 1e-15);
        assert!((norm.at(&[0.1, -2.0], &state) - 1.0).abs() < 1e-15);
        assert!((norm.between(&[0.0, 4.0], &state, &[7.0, 8.0]) - 0.5f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn nothing_is_divided_by_zero() {
        let norm = Norm::uniform(1, Tolerance { atol: 0.0, rtol: 1e-6 });
        assert_eq!(norm.at(&[0.0], &[0.0]), 0.0);
        assert!(norm.at(&[1.0], &[0.0]) > 1e100);
    }
}
