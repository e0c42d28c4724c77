//! Slopes of a cubic spline: its curvature is continuous.

use super::{CurveError, Ends};

/// Points in a thousand million that the ends of a periodic curve may differ by.
const SAME: f64 = 1e-9;

/// Slopes at the points of the spline with these ends; `Parabola` means not-a-knot. O(n).
pub(super) fn slopes(x: &[f64], y: &[f64], ends: Ends) -> Result<Vec<f64>, CurveError> {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|p| p[1] - p[0]).collect();
    let secant: Vec<f64> = y.windows(2).zip(&h).map(|(p, h)| (p[1] - p[0]) / h).collect();
    if let Some(k) = (0..n - 1).find(|&k| !secant[k].is_finite() || !h[k].is_finite()) {
        return Err(CurveError::TooSteep(k));
    }
    let spline = SplineRows { h, secant };
    match ends {
        Ends::Periodic => {
            let size = y.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
            if (y[n - 1] - y[0]).abs() > SAME * size {
                return Err(CurveError::NotPeriodic { first: y[0], last: y[n - 1] });
            }
            Ok(spline.periodic())
        }
        Ends::Given(slopes) => Ok(spline.solve(slopes.map(|slope| [1.0, 0.0, slope]), true)),
        _ if n == 2 => Ok(vec![spline.secant[0]; 2]),
        Ends::Natural => {
            let last = spline.secant[n - 2];
            Ok(spline.solve([[2.0, 1.0, 3.0 * spline.secant[0]], [2.0, 1.0, 3.0 * last]], true))
        }
        Ends::Parabola | Ends::NotAKnot if n == 3 => Ok(spline.parabola()),
        Ends::Parabola | Ends::NotAKnot => Ok(spline.not_a_knot()),
    }
}

struct SplineRows {
    /// Lengths of the intervals.
    h: Vec<f64>,
    /// Their secants.
    secant: Vec<f64>,
}

impl SplineRows {
    /// Curvature is continuous at the inner points:
    /// h_k m_(k-1) + 2 (h_(k-1) + h_k) m_k + h_(k-1) m_(k+1) = 3 (h_k s_(k-1) + h_(k-1) s_k), without its right side if
    /// not `loaded`. The ends are rows [own, neighbour, right side]. Elimination without pivots: rows are dominant.
    fn solve(&self, ends: [[f64; 3]; 2], loaded: bool) -> Vec<f64> {
        let (h, s, n) = (&self.h, &self.secant, self.h.len() + 1);
        let row = |k: usize| match k {
            0 => [0.0, ends[0][0], ends[0][1], ends[0][2]],
            _ if k == n - 1 => [ends[1][1], ends[1][0], 0.0, ends[1][2]],
            _ => {
                let load = if loaded { 3.0 * (h[k] * s[k - 1] + h[k - 1] * s[k]) } else { 0.0 };
                [h[k], 2.0 * (h[k - 1] + h[k]), h[k - 1], load]
            }
        };
        let (mut upper, mut m) = (vec![0.0; n], vec![0.0; n]);
        for k in 0..n {
            let [below, own, above, load] = row(k);
            let (c, d) = if k == 0 { (0.0, 0.0) } else { (upper[k - 1], m[k - 1]) };
            let pivot = own - below * c;
            upper[k] = above / pivot;
            m[k] = (load - below * d) / pivot;
        }
        for k in (0..n - 1).rev() {
            m[k] -= upper[k] * m[k + 1];
        }
        m
    }

    /// The third derivative is continuous at the second point and the last but one.
    fn not_a_knot(&self) -> Vec<f64> {
        let (h, s, n) = (&self.h, &self.secant, self.h.len() + 1);
        let end = |a: usize, b: usize| {
            let both = h[a] + h[b];
            let load = ((h[a] + 2.0 * both) * h[b] * s[a] + h[a] * h[a] * s[b]) / both;
            [h[b], both, load]
        };
        self.solve([end(0, 1), end(n - 2, n - 3)], true)
    }

    /// The parabola through three points.
    fn parabola(&self) -> Vec<f64> {
        let (h, s) = (&self.h, &self.secant);
        let bend = (s[1] - s[0]) / (h[0] + h[1]);
        vec![s[0] - h[0] * bend, s[0] + h[0] * bend, s[1] + h[1] * bend]
    }

    /// Slope and curvature are the same at both ends: slopes are linear in that of the ends.
    fn periodic(&self) -> Vec<f64> {
        let (h, s, n) = (&self.h, &self.secant, self.h.len() + 1);
        if n == 2 {
            return vec![0.0; 2];
        }
        let rest = self.solve([[1.0, 0.0, 0.0]; 2], true);
        let unit = self.solve([[1.0, 0.0, 1.0]; 2], false);
        // half the curvature at the start less that at the end
        let gap = |m: &[f64], s0: f64, s1: f64| {
            (3.0 * s0 - 2.0 * m[0] - m[1]) / h[0] - (m[n - 2] + 2.0 * m[n - 1] - 3.0 * s1) / h[n - 2]
        };
        let slope = -gap(&rest, s[0], s[n - 2]) / gap(&unit, 0.0, 0.0);
        rest.iter().zip(&unit).map(|(a, b)| a + slope * b).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Curve, Extrapolate, Join};
    use crate::scalar::Dual;

    const X: [f64; 7] = [0.0, 0.3, 0.9, 1.1, 2.0, 2.4, 3.0];

    fn spline(y: impl Fn(f64) -> f64, ends: Ends) -> Curve {
        let points = X.iter().map(|x| y(*x)).collect();
        Curve::joined(X.to_vec(), points, Extrapolate::Hold, Join::Spline, ends).unwrap()
    }

    fn jet(c: &Curve, x: f64) -> [f64; 3] {
        let y = c.eval(Dual::variable(Dual::variable(x)));
        [y.re.re, y.d.re, y.d.d]
    }

    #[test]
    fn cubics_are_met() {
        let cubic = |x: f64| 1.0 - 2.0 * x + 0.7 * x * x - 0.4 * x * x * x;
        let slope = |x: f64| -2.0 + 1.4 * x - 1.2 * x * x;
        for ends in [Ends::Parabola, Ends::NotAKnot, Ends::Given([slope(0.0), slope(3.0)])] {
            let c = spline(cubic, ends);
            for k in 0..300 {
                let x = 0.01 * f64::from(k);
                assert!((c.eval(x) - cubic(x)).abs() < 1e-13, "{ends:?} {x}");
            }
        }
        for n in [2, 3] {
            let y = X[..n].iter().map(|x| x * x).collect();
            let c =
                Curve::joined(X[..n].to_vec(), y, Extrapolate::Hold, Join::Spline, Ends::NotAKnot).unwrap();
            let middle = if n == 2 { 0.15 * 0.3 } else { 0.15 * 0.15 };
            assert!((c.eval(0.15) - middle).abs() < 1e-14);
        }
    }

    #[test]
    fn curvature_is_continuous_and_ends_are_as_told() {
        for ends in [Ends::Natural, Ends::NotAKnot, Ends::Periodic, Ends::Given([0.2, -3.0])] {
            let c = spline(|x| (2.0 * std::f64::consts::PI * x / 3.0).sin(), ends);
            for x in &X[1..6] {
                let (left, right) = (jet(&c, x - 1e-10), jet(&c, x + 1e-10));
                assert!((0..3).all(|k| (left[k] - right[k]).abs() < 1e-7), "{ends:?} at {x}");
            }
            let (first, last) = (jet(&c, 0.0), jet(&c, 3.0 - 1e-11));
            match ends {
                Ends::Natural => assert!(first[2].abs() < 1e-12 && last[2].abs() < 1e-8),
                Ends::Periodic => assert!((1..3).all(|k| (first[k] - last[k]).abs() < 1e-8)),
                Ends::Given(_) => assert!((first[1] - 0.2).abs() < 1e-14 && (last[1] + 3.0).abs() < 1e-8),
                _ => {}
            }
        }
    }

    #[test]
    fn what_is_no_spline_is_refused() {
        let make = |join, ends| {
            Curve::joined(vec![0.0, 1.0, 2.0], vec![0.0, 1.0, 3.0], Extrapolate::Hold, join, ends)
        };
        let said = |join, ends| make(join, ends).unwrap_err().to_string();
        assert_eq!(
            said(Join::Spline, Ends::Periodic),
            "a periodic curve must have equal first and last values, but has 0 and 3"
        );
        assert_eq!(make(Join::Monotone, Ends::Periodic), Err(CurveError::EndsOfOthers));
        assert_eq!(make(Join::Linear, Ends::Natural), Err(CurveError::EndsOfOthers));
    }
}
