//! Places in a step at which a function must be looked at, found by intervals.

use super::nodes::MethodNodes;
use crate::expr::Interval;
use crate::scalar::Dual;

/// Looks for places where a function does what its values elsewhere do not tell.
#[derive(Clone, Debug, Default)]
pub(super) struct Witness {
    /// Places and values.
    points: Vec<(f64, f64)>,
    /// Cells still to be looked at, the next on top.
    cells: Vec<(f64, f64)>,
}

/// Cells looked at in one step.
const CELLS: usize = 300;
/// A range so many times as wide as the spread of the values seen is explained by them.
const EXPLAINED: f64 = 8.0;
/// Effects smaller than this part of the tolerance are of no interest.
const NOTHING: f64 = 0.2;

impl Witness {
    /// The impulse that a step has missed, in parts of the tolerance, and the place by which half of what matters
    /// is missed. `weight` is the effect of one unit over the whole step; `places` are those of points of
    /// tables in the step.
    pub fn missed(
        &mut self,
        nodes: &mut MethodNodes,
        value: impl Fn(f64) -> f64,
        range: impl Fn(Dual<Interval>) -> Dual<Interval>,
        weight: f64,
        places: &[f64],
    ) -> Option<(f64, f64)> {
        for (seen, &theta) in nodes.values.iter_mut().zip(nodes.places) {
            *seen = value(theta);
        }
        self.gather(&value, range, weight, places);
        self.points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let misfit = |&(theta, y): &(f64, f64)| (y - nodes.polynomial(theta)).abs();
        let (mut sum, mut at) = (0.0, None);
        for pair in self.points.windows(2) {
            let area = 0.5 * (pair[1].0 - pair[0].0) * (misfit(&pair[0]) + misfit(&pair[1]));
            sum += weight * area;
            if sum > 1.0 && at.is_none() {
                at = Some(pair[0].0);
            }
        }
        // what is not a number is found elsewhere
        (sum.is_finite()).then_some((sum, at.unwrap_or(1.0)))
    }

    fn gather(
        &mut self,
        value: &impl Fn(f64) -> f64,
        range: impl Fn(Dual<Interval>) -> Dual<Interval>,
        weight: f64,
        places: &[f64],
    ) {
        self.points.clear();
        self.cells.clear();
        for k in 0..=8 {
            let theta = f64::from(k) / 8.0;
            self.points.push((theta, value(theta)));
        }
        // tables are followed from point to point
        for (k, &theta) in places.iter().enumerate() {
            let next = places.get(k + 1).copied().unwrap_or(theta);
            self.points.extend([theta, 0.5 * (theta + next)].map(|theta| (theta, value(theta))));
        }
        self.cells.extend([(0.5, 1.0), (0.0, 0.5)]);
        for _ in 0..CELLS {
            let Some((a, b)) = self.cells.pop() else { return };
            let m = 0.5 * (a + b);
            let (fa, fm, fb) = (value(a), value(m), value(b));
            self.points.extend([(a, fa), (m, fm), (b, fb)]);
            let y = range(Dual::variable(Interval::new(a, b)));
            // the mean value theorem is the better one in small cells
            let width = (y.re.hi - y.re.lo).min(y.d.size() * (b - a));
            let spread = fa.max(fm).max(fb) - fa.min(fm).min(fb);
            let effect = weight * width * (b - a);
            if width <= EXPLAINED * spread || effect <= NOTHING || !effect.is_finite() && b - a < 1e-3 {
                continue;
            }
            self.cells.push((m, b));
            self.cells.push((a, m));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::stepping::Method;
    use crate::expr::{Scope, parse};

    fn missed(text: &str, method: Method) -> f64 {
        let mut scope = Scope::new();
        scope.variable("x", 0, None);
        let expr = parse(text, &scope).unwrap();
        let (value, range) = (|x: f64| expr.eval(&[x]), |x: Dual<Interval>| expr.eval(&[x]));
        Witness::default().missed(&mut MethodNodes::of(method), value, range, 1e4, &[]).unwrap().0
    }

    #[test]
    fn no_peak_is_too_narrow() {
        for method in [Method::Dop853, Method::SspTrap, Method::ForRosen] {
            for width in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
                // of area one
                let text = format!("exp(-((x - 0.4567)/{width})^2) / {width} / sqrt(pi)");
                let missed = missed(&text, method);
                assert!(missed > 3e2 && missed < 1e5, "{width} {}: {missed}", method.name());
            }
        }
    }

    #[test]
    fn what_is_smooth_is_not_missed() {
        for text in ["sin(x)", "exp(-x)", "1/(3 + x)", "tanh(x)", "sqrt(2 + x)", "5"] {
            assert!(missed(text, Method::Dop853) < 1e-3, "{text}");
        }
    }
}
