//! Tables of points joined by a monotone cubic.

use crate::scalar::Scalar;
use std::fmt;

/// What a curve does outside its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extrapolate {
    /// Goes on along the end slope: for force laws.
    Linear,
    /// Keeps the end value: for tables over time. The slope inside is that of the table, so there is a corner.
    Hold,
}

/// The slopes of a curve at its first and last point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ends {
    /// Those of the parabola through the first and the last three points, as far as the curve stays monotone.
    #[default]
    Parabola,
    /// Those with which the curve is not bent at its ends.
    Natural,
    /// These.
    Given([f64; 2]),
}

/// Why points make no curve.
#[derive(Clone, Debug, PartialEq)]
pub enum CurveError {
    /// Fewer than two points.
    TooFew(usize),
    /// Not as many x as y.
    Lengths {
        /// Number of x.
        x: usize,
        /// Number of y.
        y: usize,
    },
    /// A number of this point (counted from zero) is infinite or not a number.
    NotFinite(usize),
    /// A slope given for an end (the first, or not) is infinite or not a number.
    EndNotFinite(bool),
    /// The x of this point (counted from zero) does not exceed the one before.
    NotIncreasing {
        /// Index of the point.
        index: usize,
        /// The x before.
        before: f64,
        /// Its x.
        x: f64,
    },
    /// The slope after this point (counted from zero) exceeds the range of numbers.
    TooSteep(usize),
}

impl fmt::Display for CurveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CurveError::TooFew(n) => write!(f, "a curve needs at least 2 points, but has {n}"),
            CurveError::Lengths { x, y } => write!(f, "a curve needs as many x as y, but has {x} and {y}"),
            CurveError::NotFinite(k) => write!(f, "point {} of the curve is not a finite number", k + 1),
            CurveError::EndNotFinite(first) => {
                write!(f, "the slope at its {} is not a finite number", if *first { "start" } else { "end" })
            }
            CurveError::NotIncreasing { index, before, x } => write!(
                f,
                "the x of a curve must increase, but x = {x} at point {} follows x = {before}",
                index + 1
            ),
            CurveError::TooSteep(k) => {
                write!(f, "the curve is too steep between points {} and {}", k + 1, k + 2)
            }
        }
    }
}

impl std::error::Error for CurveError {}

/// A function through given points: monotone between them where the points are, continuous slope everywhere.
///
/// Piecewise cubic in Hermite form with three-point slopes, limited after F. N. Fritsch and R. E. Carlson,
/// "Monotone piecewise cubic interpolation", SIAM J. Numer. Anal. 17 (1980) 238-246, so that the slopes at the
/// ends of each interval, relative to its secant, lie within the circle of radius 3.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    x: Vec<f64>,
    y: Vec<f64>,
    slope: Vec<f64>,
    outside: Extrapolate,
    ends: Ends,
    /// The switch that tells the interval, where it is held.
    switch: Option<usize>,
    /// Points that divide the curve into parts, and the switch that tells the part, where it is held by these.
    bends: Vec<usize>,
}

impl Default for Curve {
    /// Zero everywhere.
    fn default() -> Self {
        Curve::line(0.0)
    }
}

impl Curve {
    /// The curve through points with strictly increasing x.
    pub fn new(x: Vec<f64>, y: Vec<f64>, outside: Extrapolate) -> Result<Curve, CurveError> {
        Curve::with_ends(x, y, outside, Ends::default())
    }

    /// The same with other slopes at its ends. Between the outermost points and their neighbours it is monotone only
    /// if the given slopes let it be.
    pub fn with_ends(
        x: Vec<f64>,
        y: Vec<f64>,
        outside: Extrapolate,
        ends: Ends,
    ) -> Result<Curve, CurveError> {
        if x.len() != y.len() {
            return Err(CurveError::Lengths { x: x.len(), y: y.len() });
        }
        if x.len() < 2 {
            return Err(CurveError::TooFew(x.len()));
        }
        if let Some(k) = (0..x.len()).find(|&k| !x[k].is_finite() || !y[k].is_finite()) {
            return Err(CurveError::NotFinite(k));
        }
        if let Some(index) = (1..x.len()).find(|&k| x[k] <= x[k - 1]) {
            return Err(CurveError::NotIncreasing { index, before: x[index - 1], x: x[index] });
        }
        if let Ends::Given(given) = ends
            && let Some(k) = given.iter().position(|slope| !slope.is_finite())
        {
            return Err(CurveError::EndNotFinite(k == 0));
        }
        let mut slope = slopes(&x, &y)?;
        let last = x.len() - 1;
        // y'' = 2 (3 secant - 2 m0 - m1) / h at the outer point of an interval
        let unbent = |a: usize, b: usize, inner: f64| 0.5 * (3.0 * ((y[b] - y[a]) / (x[b] - x[a])) - inner);
        match ends {
            Ends::Parabola => {}
            // a line has no other slope
            Ends::Natural if last == 1 => {}
            Ends::Natural => {
                slope[0] = unbent(0, 1, slope[1]);
                slope[last] = unbent(last - 1, last, slope[last - 1]);
            }
            Ends::Given([first, second]) => (slope[0], slope[last]) = (first, second),
        }
        Ok(Curve { x, y, slope, outside, ends, switch: None, bends: Vec::new() })
    }

    /// The straight line `y = k x`.
    pub fn line(k: f64) -> Curve {
        Curve {
            x: vec![0.0, 1.0],
            y: vec![0.0, k],
            slope: vec![k, k],
            outside: Extrapolate::Linear,
            ends: Ends::Parabola,
            switch: None,
            bends: Vec::new(),
        }
    }

    /// The value at `x`, with derivatives. No allocation; O(log n).
    pub fn eval<T: Scalar>(&self, x: T) -> T {
        self.eval_in(self.interval(x.value()), x)
    }

    /// The value at `x` on the interval that a piece tells, modulo 256: the nearest such to that of `x`. Without a
    /// switch, on the interval of `x`.
    pub fn eval_on<T: Scalar>(&self, x: T, pieces: &[u8]) -> T {
        let now = self.interval(x.value());
        match self.switch {
            Some(switch) if !self.bends.is_empty() => {
                // beyond a bend the interval in front of it goes on
                let part = usize::from(pieces[switch]);
                let from = part.checked_sub(1).and_then(|k| self.bends.get(k)).map_or(0, |k| k + 1);
                let to = self.bends.get(part).map_or(self.x.len(), |k| *k);
                self.eval_in(now.clamp(from.min(to), to), x)
            }
            Some(switch) => {
                let held = super::pieces::whole(now as f64, pieces[switch]);
                self.eval_in(held.clamp(0.0, self.x.len() as f64) as usize, x)
            }
            None => self.eval_in(now, x),
        }
    }

    /// The curve with its interval told by a switch.
    pub fn held_by(mut self, switch: usize) -> Curve {
        self.switch = Some(switch);
        self
    }

    /// The curve with its part between the points of these numbers, ascending, told by a switch.
    pub fn parted_by(mut self, switch: usize, bends: Vec<usize>) -> Curve {
        (self.switch, self.bends) = (Some(switch), bends);
        self
    }

    /// The points where the slope changes by half or more from one interval to the next: no method may take the curve
    /// for smooth across them. At most `most`, the sharpest.
    pub fn bends(&self, most: usize) -> Vec<usize> {
        let last = self.x.len() - 1;
        let secant = |k: usize| (self.y[k + 1] - self.y[k]) / (self.x[k + 1] - self.x[k]);
        let beside = |k: usize| {
            // outside it is a line along the end slope
            let outer = if self.outside == Extrapolate::Linear { self.slope[k] } else { 0.0 };
            let before = if k == 0 { outer } else { secant(k - 1) };
            let after = if k == last { outer } else { secant(k) };
            (before, after)
        };
        let mut sharp: Vec<(f64, usize)> = (0..=last)
            .map(|k| (beside(k), k))
            .filter(|((a, b), _)| (a - b).abs() >= 0.5 * a.abs().max(b.abs()) && a != b)
            .map(|((a, b), k)| ((a - b).abs(), k))
            .collect();
        sharp.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut bends: Vec<usize> = sharp.into_iter().take(most).map(|(_, k)| k).collect();
        bends.sort_unstable();
        bends
    }

    /// The number of points not beyond x: 0 before the first.
    fn interval(&self, x: f64) -> usize {
        if x < self.x[0] { 0 } else { self.x.partition_point(|&knot| knot <= x).max(1) }
    }

    fn eval_in<T: Scalar>(&self, interval: usize, x: T) -> T {
        let last = self.x.len() - 1;
        if interval > last {
            return self.beyond(last, x);
        }
        // x may be NaN and then so is the result
        let Some(k) = interval.checked_sub(1) else { return self.beyond(0, x) };
        let h = self.x[k + 1] - self.x[k];
        let secant = (self.y[k + 1] - self.y[k]) / h;
        let (m0, m1) = (self.slope[k], self.slope[k + 1]);
        // cubic Hermite in the distance u from the left knot, in Horner form
        let c2 = T::from_f64((3.0 * secant - 2.0 * m0 - m1) / h);
        let c3 = (m0 + m1 - 2.0 * secant) / h / h;
        let u = x - T::from_f64(self.x[k]);
        T::from_f64(self.y[k]) + u * (T::from_f64(m0) + u * (c2 + u.scale(c3)))
    }

    /// The value on the outer side of an end point.
    fn beyond<T: Scalar>(&self, end: usize, x: T) -> T {
        let y = T::from_f64(self.y[end]);
        match self.outside {
            Extrapolate::Hold => y,
            Extrapolate::Linear => y + (x - T::from_f64(self.x[end])).scale(self.slope[end]),
        }
    }

    /// The integral from zero to `x`. O(n).
    pub fn integral(&self, x: f64) -> f64 {
        self.sum_to(x) - self.sum_to(0.0)
    }

    /// The integral from the first point to `x`.
    fn sum_to(&self, x: f64) -> f64 {
        let last = self.x.len() - 1;
        let beyond = |end: usize| {
            let (u, slope) = (x - self.x[end], self.slope[end]);
            let rise = if self.outside == Extrapolate::Linear { 0.5 * slope * u } else { 0.0 };
            u * (self.y[end] + rise)
        };
        if x <= self.x[0] {
            return beyond(0);
        }
        let mut sum = 0.0;
        for k in 0..last {
            let h = self.x[k + 1] - self.x[k];
            let secant = (self.y[k + 1] - self.y[k]) / h;
            let (m0, m1) = (self.slope[k], self.slope[k + 1]);
            let (c2, c3) = ((3.0 * secant - 2.0 * m0 - m1) / h, (m0 + m1 - 2.0 * secant) / h / h);
            let u = (x - self.x[k]).min(h);
            sum += u * (self.y[k] + u * (m0 / 2.0 + u * (c2 / 3.0 + u * c3 / 4.0)));
            if x <= self.x[k + 1] {
                return sum;
            }
        }
        sum + beyond(last)
    }

    /// The places of the points.
    pub fn knots(&self) -> &[f64] {
        &self.x
    }

    /// The points.
    pub fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.x.iter().copied().zip(self.y.iter().copied())
    }

    /// How its end slopes came about.
    pub fn ends(&self) -> Ends {
        self.ends
    }

    /// Mean slope from its first point to its last.
    pub fn mean_slope(&self) -> f64 {
        let ends = |list: &[f64]| Some(list.last()? - list.first()?);
        match (ends(&self.x), ends(&self.y)) {
            (Some(dx), Some(dy)) if dx > 0.0 => dy / dx,
            _ => 0.0,
        }
    }

    /// What it does outside its table.
    pub fn outside(&self) -> Extrapolate {
        self.outside
    }
}

/// Slopes at the points.
fn slopes(x: &[f64], y: &[f64]) -> Result<Vec<f64>, CurveError> {
    let n = x.len();
    let h: Vec<f64> = x.windows(2).map(|p| p[1] - p[0]).collect();
    let secant: Vec<f64> = y.windows(2).zip(&h).map(|(p, h)| (p[1] - p[0]) / h).collect();
    if let Some(k) = (0..n - 1).find(|&k| !secant[k].is_finite() || !h[k].is_finite()) {
        return Err(CurveError::TooSteep(k));
    }
    // three-point slopes, zero at turning points
    let mut m = vec![0.0; n];
    for k in 1..n - 1 {
        let (a, b) = (secant[k - 1], secant[k]);
        if (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0) {
            let weight = h[k] / (h[k - 1] + h[k]);
            m[k] = weight * a + (1.0 - weight) * b;
        }
    }
    m[0] = end_slope(&h, &secant, 0, 1);
    m[n - 1] = end_slope(&h, &secant, n - 2, n.saturating_sub(3));
    // limit them interval by interval: (m0, m1) / secant into the circle of radius 3
    for k in 0..n - 1 {
        if secant[k] == 0.0 {
            (m[k], m[k + 1]) = (0.0, 0.0);
            continue;
        }
        let size = (m[k] / secant[k]).hypot(m[k + 1] / secant[k]);
        if size > 3.0 {
            m[k] *= 3.0 / size;
            m[k + 1] *= 3.0 / size;
        }
    }
    Ok(m)
}

/// Slope at an end: of the parabola through three points, not against the secant of the end interval.
fn end_slope(h: &[f64], secant: &[f64], end: usize, next: usize) -> f64 {
    if secant.len() < 2 {
        return secant[end];
    }
    let slope = secant[end] + (secant[end] - secant[next]) * (h[end] / (h[end] + h[next]));
    if slope.is_finite() && (slope < 0.0) == (secant[end] < 0.0) { slope } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Dual;

    fn curve(x: &[f64], y: &[f64], outside: Extrapolate) -> Curve {
        Curve::new(x.to_vec(), y.to_vec(), outside).unwrap()
    }

    fn slope(c: &Curve, x: f64) -> f64 {
        c.eval(Dual::variable(x)).d
    }

    const X: [f64; 8] = [-2.0, -1.0, -0.5, 0.0, 0.1, 2.0, 2.2, 5.0];
    const Y: [f64; 8] = [-9.0, -8.9, -1.0, 0.0, 0.0, 7.0, 7.1, 30.0];

    #[test]
    fn passes_through_its_points_and_stays_monotone() {
        for outside in [Extrapolate::Linear, Extrapolate::Hold] {
            let c = curve(&X, &Y, outside);
            for (x, y) in c.points() {
                assert!((c.eval(x) - y).abs() < 1e-14);
            }
            let mut before = c.eval(-3.0);
            for k in 1..=9000 {
                let y = c.eval(-3.0 + f64::from(k) * 1e-3);
                assert!(y >= before - 1e-13, "falls at step {k}");
                before = y;
            }
            assert_eq!(c.eval(0.05), 0.0);
        }
    }

    #[test]
    fn slope_is_continuous_and_exact() {
        for outside in [Extrapolate::Linear, Extrapolate::Hold] {
            let c = curve(&X, &Y, outside);
            // a table that holds its end values has corners there
            let inside = if outside == Extrapolate::Hold { &X[1..7] } else { &X[..] };
            for &x in inside {
                let jump = slope(&c, x + 1e-10) - slope(&c, x - 1e-10);
                assert!(jump.abs() < 1e-6, "slope jumps by {jump} at {x}");
            }
            for k in 0..80 {
                let (x, h) = (-2.96 + 0.1 * f64::from(k), 1e-5);
                let quotient = (c.eval(x + h) - c.eval(x - h)) / (2.0 * h);
                assert!((slope(&c, x) - quotient).abs() < 1e-6);
            }
        }
        // second derivative inside an interval
        let c = curve(&X, &Y, Extrapolate::Linear);
        let jet = c.eval(Dual::variable(Dual::variable(3.3)));
        let quotient = (slope(&c, 3.3 + 1e-5) - slope(&c, 3.3 - 1e-5)) / 2e-5;
        assert!((jet.d.d - quotient).abs() < 1e-6);
    }

    #[test]
    fn integral_is_exact() {
        for outside in [Extrapolate::Linear, Extrapolate::Hold] {
            let c = curve(&X, &Y, outside);
            assert_eq!(c.integral(0.0), 0.0);
            // its slope is the curve, inside and outside of the table
            for k in 0..90 {
                let (x, h) = (-3.46 + 0.1 * f64::from(k), 1e-5);
                let quotient = (c.integral(x + h) - c.integral(x - h)) / (2.0 * h);
                assert!((quotient - c.eval(x)).abs() < 1e-7, "{quotient} at {x}");
            }
        }
    }

    #[test]
    fn turning_points_do_not_overshoot() {
        let c = curve(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 1.0, 0.0], Extrapolate::Hold);
        assert!((0..=300).all(|k| (0.0..=1.0).contains(&c.eval(f64::from(k) * 0.01))));
        assert_eq!(slope(&c, 1.0), 0.0);
    }

    #[test]
    fn ends_have_the_slope_of_the_table() {
        for outside in [Extrapolate::Linear, Extrapolate::Hold] {
            // a parabola is met at both ends, a line everywhere
            let c = curve(&[0.0, 1.0, 2.0], &[0.0, 1.0, 4.0], outside);
            assert!(slope(&c, 1e-9).abs() < 1e-8 && (slope(&c, 2.0 - 1e-9) - 4.0).abs() < 1e-7);
            let line = curve(&[0.0, 1.0, 2.0], &[0.0, 3.0, 6.0], outside);
            assert!((0..100).all(|k| (slope(&line, 0.02 * f64::from(k)) - 3.0).abs() < 1e-12));
        }
    }

    #[test]
    fn ends_are_natural_or_given() {
        let made = |ends| Curve::with_ends(X.to_vec(), Y.to_vec(), Extrapolate::Hold, ends).unwrap();
        let natural = made(Ends::Natural);
        let bend = |x: f64| natural.eval(Dual::variable(Dual::variable(x))).d.d;
        assert!(bend(-2.0).abs() < 1e-12 && bend(5.0 - 1e-12).abs() < 1e-9);
        // monotone as before
        let rises =
            |k: u32| natural.eval(-2.0 + 7e-3 * f64::from(k + 1)) >= natural.eval(-2.0 + 7e-3 * f64::from(k));
        assert!((0..999).all(rises));
        let given = made(Ends::Given([0.0, -4.0]));
        assert!(slope(&given, -2.0).abs() < 1e-14 && (slope(&given, 5.0 - 1e-12) + 4.0).abs() < 1e-9);
        // only the outermost intervals know
        for curve in [natural, given] {
            assert_eq!(curve.eval(1.3), made(Ends::Parabola).eval(1.3));
            assert!(curve.points().all(|(x, y)| (curve.eval(x) - y).abs() < 1e-14));
        }
        let line =
            Curve::with_ends(vec![0.0, 2.0], vec![1.0, 5.0], Extrapolate::Hold, Ends::Natural).unwrap();
        assert_eq!(slope(&line, 0.7), 2.0);
        let bad =
            Curve::with_ends(vec![0.0, 1.0], vec![0.0, 1.0], Extrapolate::Hold, Ends::Given([0.0, f64::NAN]));
        assert_eq!(bad.unwrap_err().to_string(), "the slope at its end is not a finite number");
    }

    #[test]
    fn parts_between_bends_go_on_beyond_them() {
        let c =
            curve(&[-1.0, 0.0, 0.1, 1.0, 2.0, 3.0], &[-1.0, 0.0, 5.0, 6.0, 7.0, 8.1], Extrapolate::Linear);
        // at its start it goes on along a slope of zero, since the parabola falls there
        assert_eq!(c.bends(255), [0, 1, 2]);
        assert_eq!(c.bends(1).len(), 1);
        let parted = c.clone().parted_by(0, vec![1, 2]);
        for x in [-2.0, -0.3, 0.05, 0.5, 1.7, 2.9, 9.0] {
            let part = u8::from(x >= 0.0) + u8::from(x >= 0.1);
            assert_eq!(parted.eval_on(x, &[part]), c.eval(x), "{x}");
        }
        // smooth across the bend on either side of it
        for (part, bend) in [(0, 0.0), (1, 0.0), (1, 0.1), (2, 0.1)] {
            let at = |x: f64| parted.eval_on(Dual::variable(Dual::variable(x)), &[part]).d.d;
            assert!((at(bend + 1e-9) - at(bend - 1e-9)).abs() < 1e-2, "{part} at {bend}");
        }
    }

    #[test]
    fn outside_the_table() {
        let linear = curve(&[0.0, 1.0, 2.0], &[0.0, 2.0, 6.0], Extrapolate::Linear);
        assert!((linear.eval(4.0) - (6.0 + 2.0 * slope(&linear, 2.0))).abs() < 1e-14);
        assert!((slope(&linear, 3.0) - 5.0).abs() < 1e-14, "slope of the parabola x^2 + x");
        let hold = curve(&[0.0, 1.0, 2.0], &[0.0, 2.0, 6.0], Extrapolate::Hold);
        assert_eq!((hold.eval(9.0), slope(&hold, 9.0), hold.eval(-9.0)), (6.0, 0.0, 0.0));
        assert!(hold.eval(f64::NAN).is_nan() && linear.eval(f64::NAN).is_nan());
    }

    #[test]
    fn lines_are_reproduced() {
        let c = curve(&[-1.0, 0.5, 0.7, 3.0], &[-2.0, 1.0, 1.4, 6.0], Extrapolate::Linear);
        for x in [-4.0, -0.3, 0.6, 1.9, 7.0] {
            assert!((c.eval(x) - 2.0 * x).abs() < 1e-13);
            assert_eq!(Curve::line(2.0).eval(x), 2.0 * x);
        }
    }

    #[test]
    fn bad_points_are_refused() {
        let make = |x: &[f64], y: &[f64]| Curve::new(x.to_vec(), y.to_vec(), Extrapolate::Hold).unwrap_err();
        assert_eq!(make(&[1.0], &[1.0]), CurveError::TooFew(1));
        assert_eq!(make(&[], &[]), CurveError::TooFew(0));
        assert_eq!(make(&[1.0, 2.0], &[1.0]), CurveError::Lengths { x: 2, y: 1 });
        assert_eq!(make(&[1.0, f64::NAN], &[1.0, 2.0]), CurveError::NotFinite(1));
        assert_eq!(make(&[0.0, 1.0], &[f64::INFINITY, 2.0]), CurveError::NotFinite(0));
        assert_eq!(make(&[0.0, 5e-324], &[0.0, 1.0]), CurveError::TooSteep(0));
        assert_eq!(make(&[-1e308, 1e308], &[0.0, 1.0]), CurveError::TooSteep(0));
        assert_eq!(
            make(&[0.0, 2.0, 2.0], &[0.0; 3]).to_string(),
            "the x of a curve must increase, but x = 2 at point 3 follows x = 2"
        );
    }
}
