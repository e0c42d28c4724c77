//! The natural cubic spline through points, by the length of its arc.

use crate::model::value::Vec3;

/// Points, the second derivatives there, and lengths.
pub(super) struct Spline {
    points: Vec<Vec3>,
    bends: Vec<Vec3>,
    /// The parameter at the points: lengths of the chords, summed.
    knots: Vec<f64>,
    /// Lengths of the arc up to the points.
    lengths: Vec<f64>,
}

/// Places and weights of Gauss on 0 to 1, good to degree 9.
const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_23),
    (0.5, 0.284_444_444_444_444_44),
    (0.769_234_655_052_841_6, 0.239_314_335_249_683_23),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];
/// Parts of an interval in which the length of its arc is summed.
const PARTS: usize = 16;

impl Spline {
    /// Through two points or more, no two neighbours of which are the same. O(points).
    pub fn through(points: &[Vec3]) -> Spline {
        let mut knots = vec![0.0];
        for pair in points.windows(2) {
            knots.push(knots[knots.len() - 1] + (pair[1] - pair[0]).norm());
        }
        let bends = bends(points, &knots);
        let mut spline = Spline { points: points.to_vec(), bends, knots, lengths: vec![0.0] };
        for k in 1..points.len() {
            let own = spline.arc(k - 1, spline.knots[k]);
            spline.lengths.push(spline.lengths[k - 1] + own);
        }
        spline
    }

    /// Length of its arc.
    pub fn length(&self) -> f64 {
        self.lengths.last().copied().unwrap_or(0.0)
    }

    /// Place and direction at some length of the arc.
    pub fn at(&self, s: f64) -> (Vec3, Vec3) {
        let k = self.lengths.partition_point(|length| *length <= s).clamp(1, self.points.len() - 1) - 1;
        let (wanted, own) = (s - self.lengths[k], self.lengths[k + 1] - self.lengths[k]);
        let (low, high) = (self.knots[k], self.knots[k + 1]);
        let mut u = low + (high - low) * wanted / own;
        for _ in 0..20 {
            let step = (self.arc(k, u) - wanted) / self.slope(k, u).norm();
            u = (u - step).clamp(low, high);
            if step.abs() < 1e-15 * high {
                break;
            }
        }
        (self.place(k, u), self.slope(k, u).normalize())
    }

    /// Length of the arc from the start of an interval to a parameter inside.
    fn arc(&self, k: usize, u: f64) -> f64 {
        let low = self.knots[k];
        let h = (u - low) / PARTS as f64;
        let part = |p: usize| GAUSS.map(|(x, w)| w * self.slope(k, low + h * (p as f64 + x)).norm());
        (0..PARTS).flat_map(part).sum::<f64>() * h
    }

    fn place(&self, k: usize, u: f64) -> Vec3 {
        let (h, a, b) = self.parts(k, u);
        let (ca, cb) = ((a.powi(3) - a) * h * h / 6.0, (b.powi(3) - b) * h * h / 6.0);
        self.points[k] * a + self.points[k + 1] * b + self.bends[k] * ca + self.bends[k + 1] * cb
    }

    fn slope(&self, k: usize, u: f64) -> Vec3 {
        let (h, a, b) = self.parts(k, u);
        let (ca, cb) = ((1.0 - 3.0 * a * a) * h / 6.0, (3.0 * b * b - 1.0) * h / 6.0);
        (self.points[k + 1] - self.points[k]) / h + self.bends[k] * ca + self.bends[k + 1] * cb
    }

    /// Width of an interval, and the shares of its ends.
    fn parts(&self, k: usize, u: f64) -> (f64, f64, f64) {
        let h = self.knots[k + 1] - self.knots[k];
        let b = (u - self.knots[k]) / h;
        (h, 1.0 - b, b)
    }
}

/// Second derivatives at the points, zero at both ends: a tridiagonal system.
fn bends(points: &[Vec3], knots: &[f64]) -> Vec<Vec3> {
    let n = points.len();
    let (mut factor, mut bends) = (vec![0.0; n], vec![Vec3::zeros(); n]);
    for k in 1..n - 1 {
        let (left, right) = (knots[k] - knots[k - 1], knots[k + 1] - knots[k]);
        let side = (points[k + 1] - points[k]) / right - (points[k] - points[k - 1]) / left;
        let pivot = 2.0 * (left + right) - left * factor[k - 1];
        factor[k] = right / pivot;
        bends[k] = (side * 6.0 - bends[k - 1] * left) / pivot;
    }
    for k in (1..n - 1).rev() {
        let next = bends[k + 1];
        bends[k] -= next * factor[k];
    }
    bends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_lengths_are_met() {
        // a quarter of a circle of radius 2; natural ends are straight, which costs some of the cube of the spacing
        let points: Vec<Vec3> = (0..=32)
            .map(|k| (f64::from(k) / 32.0 * std::f64::consts::FRAC_PI_2).sin_cos())
            .map(|(s, c)| Vec3::new(2.0 * c, 2.0 * s, 0.0))
            .collect();
        let spline = Spline::through(&points);
        assert!((spline.length() - std::f64::consts::PI).abs() < 1e-5, "{}", spline.length());
        let (middle, along) = spline.at(0.5 * spline.length());
        assert!((middle - points[16]).norm() < 1e-6);
        assert!((along - Vec3::new(-1.0, 1.0, 0.0).normalize()).norm() < 1e-6);
        assert!((spline.at(0.0).0 - points[0]).norm() < 1e-14);
        assert!((spline.at(spline.length()).0 - points[32]).norm() < 1e-13);
        // lengths between two places are those of the arc
        let chords: f64 = (0..1000)
            .map(|k| f64::from(k) / 1000.0 * spline.length())
            .map(|s| (spline.at(s + 1e-3 * spline.length()).0 - spline.at(s).0).norm())
            .sum();
        assert!((chords - spline.length()).abs() < 1e-6);
    }
}
