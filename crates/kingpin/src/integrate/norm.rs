//! The norm in which errors are measured.

use std::fmt;
use std::sync::Arc;

/// What errors are measured against: an error of norm 1 just meets the tolerances.
///
/// Either the root mean square of errors over `atol + rtol |y|`, component by component, or whatever a
/// [`ErrorMeasure`] says, which knows which components belong together.
#[derive(Debug, Clone)]
pub struct Norm(NormKind);

#[derive(Debug, Clone)]
enum NormKind {
    Mean { atol: Vec<f64>, rtol: Vec<f64> },
    Worst(Arc<dyn ErrorMeasure + Send + Sync>),
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

/// Groups of components with tolerances of their own, the worst of which counts: a group without an error changes
/// nothing, so it does not matter what else is integrated along.
pub trait ErrorMeasure: fmt::Debug {
    /// Number of components.
    fn dim(&self) -> usize;

    /// Relative tolerance.
    fn relative(&self) -> f64;

    /// The worst over all groups of `f(a, b)`, where `a` and `b` are the sizes of two errors of a step of size `h`
    /// that ends in `y1`, in units of the tolerance.
    fn worst(&self, h: f64, errors: [&[f64]; 2], y1: &[f64], f: fn(f64, f64) -> f64) -> f64;

    /// `|df| / |dy|` of two states near `y` and their derivatives: the worst over parts that do not act on each
    /// other and whose states differ by more than rounding.
    fn ratio(&self, df: &[f64], dy: &[f64], y: &[f64]) -> f64;

    /// The time in which a state `y` with the derivative `f` moves by what errors are relative to, if it moves.
    fn natural_time(&self, y: &[f64], f: &[f64]) -> Option<f64>;
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
        Self(NormKind::Mean {
            atol: each.iter().map(|t| t.atol).collect(),
            rtol: each.iter().map(|t| t.rtol).collect(),
        })
    }

    /// The worst of groups of components.
    pub fn worst(measure: Arc<dyn ErrorMeasure + Send + Sync>) -> Self {
        Self(NormKind::Worst(measure))
    }

    /// Number of components.
    pub fn dim(&self) -> usize {
        match &self.0 {
            NormKind::Mean { atol, .. } => atol.len(),
            NormKind::Worst(measure) => measure.dim(),
        }
    }

    /// The smallest tolerance of any component at a size of one.
    pub fn tightest(&self) -> f64 {
        let tightest = match &self.0 {
            NormKind::Mean { atol, rtol } => {
                atol.iter().zip(rtol).map(|(a, r)| a.max(*r)).fold(1.0, f64::min)
            }
            NormKind::Worst(measure) => measure.relative(),
        };
        tightest.max(f64::EPSILON)
    }

    /// Norm of `error` at a state `y`. O(dim).
    pub fn at(&self, error: &[f64], y: &[f64]) -> f64 {
        self.between(error, y, y)
    }

    /// Norm of the `error` of a step from `y0` to `y1`: the larger of the two sizes counts. O(dim).
    pub fn between(&self, error: &[f64], y0: &[f64], y1: &[f64]) -> f64 {
        self.of_step(f64::INFINITY, error, y0, y1)
    }

    /// The same for a step of size `h`, over which velocities need not be known better than positions can be told
    /// apart. O(dim).
    pub fn of_step(&self, h: f64, error: &[f64], y0: &[f64], y1: &[f64]) -> f64 {
        match &self.0 {
            NormKind::Mean { .. } => self.mean(error, y0, y1),
            NormKind::Worst(measure) => measure.worst(h, [error, error], y1, |a, _| a),
        }
    }

    /// Norm of a step of size `h` of which two errors are known, and `f` of both is meant, group by group.
    pub fn of_both(
        &self,
        h: f64,
        [a, b]: [&[f64]; 2],
        (y0, y1): (&[f64], &[f64]),
        f: fn(f64, f64) -> f64,
    ) -> f64 {
        match &self.0 {
            NormKind::Mean { .. } => f(self.mean(a, y0, y1), self.mean(b, y0, y1)),
            NormKind::Worst(measure) => measure.worst(h, [a, b], y1, f),
        }
    }

    /// `|df| / |dy|` for the differences of two derivatives and of their states, near `y`; 0 if the states agree.
    pub fn ratio(&self, df: &[f64], dy: &[f64], y: &[f64]) -> f64 {
        match &self.0 {
            NormKind::Mean { .. } => {
                let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
                let apart = square(dy);
                if apart > 0.0 { (square(df) / apart).sqrt() } else { 0.0 }
            }
            NormKind::Worst(measure) => measure.ratio(df, dy, y),
        }
    }

    /// How fast a state moves on the scale of what errors are relative to: `None` if the norm has no such scale,
    /// `Some(None)` if nothing moves.
    pub fn natural_time(&self, y: &[f64], f: &[f64]) -> Option<Option<f64>> {
        match &self.0 {
            NormKind::Mean { .. } => None,
            NormKind::Worst(measure) => Some(measure.natural_time(y, f)),
        }
    }

    fn mean(&self, error: &[f64], y0: &[f64], y1: &[f64]) -> f64 {
        let NormKind::Mean { atol, rtol } = &self.0 else { return f64::NAN };
        let squares = (0..error.len()).map(|i| {
            let size = y0[i].abs().max(y1[i].abs());
            let scaled = error[i] / (atol[i] + rtol[i] * size).max(f64::MIN_POSITIVE);
            scaled * scaled
        });
        (squares.sum::<f64>() / atol.len().max(1) as f64).sqrt()
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
