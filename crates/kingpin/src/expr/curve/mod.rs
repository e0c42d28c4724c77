//! Tables of points joined by a monotone cubic, a spline, lines or steps.

mod error;
mod slopes;
mod spline;
#[cfg(test)]
mod tests;

use crate::scalar::Scalar;
pub use error::CurveError;
use slopes::slopes;

/// What a curve does outside its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extrapolate {
    /// Goes on along the end slope: for force laws.
    Linear,
    /// Keeps the end value: for tables over time. The slope inside is that of the table, so there is a corner.
    Hold,
}

/// How the points of a curve are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// By cubics that are monotone where the points are: the slope is continuous.
    #[default]
    Monotone,
    /// By the cubic spline: the curvature is continuous, and between the points it may swing beyond them.
    Spline,
    /// By straight lines.
    Linear,
    /// Each value holds until the next point.
    Step,
}

impl Join {
    /// All ways, with their names.
    pub const NAMES: [(&'static str, Join); 4] = [
        ("monotone", Join::Monotone),
        ("spline", Join::Spline),
        ("linear", Join::Linear),
        ("step", Join::Step),
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        Join::NAMES.iter().find(|(_, join)| *join == self).map_or("", |(name, _)| name)
    }
}

/// The slopes of a curve at its first and last point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ends {
    /// Those of the parabola through the first and the last three points, as far as the curve stays monotone; of a spline
    /// as `NotAKnot`.
    #[default]
    Parabola,
    /// Those with which the curve is not bent at its ends.
    Natural,
    /// These.
    Given([f64; 2]),
    /// Of a spline: the first two intervals have one cubic, and the last two.
    NotAKnot,
    /// Of a spline that ends where it began: slope and curvature are the same there.
    Periodic,
}

/// A function through given points: monotone between them where the points are, continuous slope everywhere, unless they
/// are joined otherwise.
///
/// Piecewise cubic in Hermite form with three-point slopes, limited [Fritsch and Carlson 1980] so that the slopes at the
/// ends of each interval, relative to its secant, lie within the circle of radius 3.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    x: Vec<f64>,
    y: Vec<f64>,
    slope: Vec<f64>,
    outside: Extrapolate,
    ends: Ends,
    join: Join,
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
        Curve::joined(x, y, outside, Join::Monotone, ends)
    }

    /// The curve through points that are joined in some way.
    pub fn joined(
        x: Vec<f64>,
        y: Vec<f64>,
        outside: Extrapolate,
        join: Join,
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
        let slope = match (join, ends) {
            (Join::Spline, _) => spline::slopes(&x, &y, ends)?,
            (Join::Monotone, Ends::NotAKnot | Ends::Periodic) => return Err(CurveError::EndsOfOthers),
            (Join::Monotone, _) => monotone(&x, &y, ends)?,
            (_, Ends::Parabola) => lines(&x, &y, join)?,
            _ => return Err(CurveError::EndsOfOthers),
        };
        Ok(Curve { x, y, slope, outside, ends, join, switch: None, bends: Vec::new() })
    }

    /// The straight line `y = k x`.
    pub fn line(k: f64) -> Curve {
        Curve {
            x: vec![0.0, 1.0],
            y: vec![0.0, k],
            slope: vec![k, k],
            outside: Extrapolate::Linear,
            ends: Ends::Parabola,
            join: Join::Monotone,
            switch: None,
            bends: Vec::new(),
        }
    }

    /// The same curve with its values times a number.
    pub fn scaled(&self, factor: f64) -> Curve {
        let mut curve = self.clone();
        curve.y.iter_mut().chain(&mut curve.slope).for_each(|x| *x *= factor);
        if let Ends::Given(slopes) = &mut curve.ends {
            slopes.iter_mut().for_each(|x| *x *= factor);
        }
        curve
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
                let below = self.bends.partition_point(|&k| self.x[k] <= x.value());
                let part = crate::expr::pieces::whole(below as f64, pieces[switch]);
                let part = part.clamp(0.0, self.bends.len() as f64) as usize;
                let from = part.checked_sub(1).and_then(|k| self.bends.get(k)).map_or(0, |k| k + 1);
                let to = self.bends.get(part).map_or(self.x.len(), |k| *k);
                self.eval_in(now.clamp(from.min(to), to), x)
            }
            Some(switch) => {
                let held = crate::expr::pieces::whole(now as f64, pieces[switch]);
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

    /// The same curve, level outside of its points.
    pub fn level_outside(mut self) -> Curve {
        self.outside = Extrapolate::Hold;
        self
    }

    /// Whether it jumps at its points.
    pub fn jumps(&self) -> bool {
        self.join == Join::Step
    }

    /// The points where the slope changes by half or more from one interval to the next, and all corners of lines and
    /// steps: no method may take the curve for smooth across them.
    pub fn bends(&self) -> Vec<usize> {
        let last = self.x.len() - 1;
        if self.jumps() {
            return (1..=last).filter(|&k| self.y[k] != self.y[k - 1]).collect();
        }
        let secant = |k: usize| (self.y[k + 1] - self.y[k]) / (self.x[k + 1] - self.x[k]);
        let beside = |k: usize| {
            // outside it is a line along the end slope
            let outer = if self.outside == Extrapolate::Linear { self.slope[k] } else { 0.0 };
            let before = if k == 0 { outer } else { secant(k - 1) };
            let after = if k == last { outer } else { secant(k) };
            (before, after)
        };
        let sharp = |k: &usize| {
            let (a, b) = beside(*k);
            a != b && (self.join == Join::Linear || (a - b).abs() >= 0.5 * a.abs().max(b.abs()))
        };
        (0..=last).filter(sharp).collect()
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
        let [c1, c2, c3] = self.cubic(k);
        let u = x - T::from_f64(self.x[k]);
        T::from_f64(self.y[k]) + u * (T::from_f64(c1) + u * (T::from_f64(c2) + u.scale(c3)))
    }

    /// Coefficients of the cubic of an interval, in the distance from its left knot; its value there comes before them.
    fn cubic(&self, k: usize) -> [f64; 3] {
        let h = self.x[k + 1] - self.x[k];
        let secant = (self.y[k + 1] - self.y[k]) / h;
        let (m0, m1) = (self.slope[k], self.slope[k + 1]);
        match self.join {
            Join::Linear => [secant, 0.0, 0.0],
            Join::Step => [0.0; 3],
            // Hermite's, in Horner form
            _ => [m0, (3.0 * secant - 2.0 * m0 - m1) / h, (m0 + m1 - 2.0 * secant) / h / h],
        }
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
            let [c1, c2, c3] = self.cubic(k);
            let u = (x - self.x[k]).min(h);
            sum += u * (self.y[k] + u * (c1 / 2.0 + u * (c2 / 3.0 + u * c3 / 4.0)));
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

    /// How its points are joined.
    pub fn join(&self) -> Join {
        self.join
    }

    /// Slopes at its first and its last point, on the side of the table.
    pub fn end_slopes(&self) -> [f64; 2] {
        [self.slope[0], self.slope[self.slope.len() - 1]]
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

/// Slopes of a monotone curve with these ends.
fn monotone(x: &[f64], y: &[f64], ends: Ends) -> Result<Vec<f64>, CurveError> {
    let mut slope = slopes(x, y)?;
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
        // these are for splines
        Ends::NotAKnot | Ends::Periodic => {}
    }
    Ok(slope)
}

/// Slopes of lines and steps: only those at the ends count.
fn lines(x: &[f64], y: &[f64], join: Join) -> Result<Vec<f64>, CurveError> {
    // the same points are too steep
    slopes(x, y)?;
    let last = x.len() - 1;
    let secant = |k: usize| if join == Join::Step { 0.0 } else { (y[k + 1] - y[k]) / (x[k + 1] - x[k]) };
    let mut slope = vec![0.0; x.len()];
    (slope[0], slope[last]) = (secant(0), secant(last - 1));
    Ok(slope)
}
