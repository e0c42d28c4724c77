//! Intervals: all values that a function takes while its variables range.
//!
//! Evaluated on an [`Interval`], a smooth expression gives a range that holds all its values; on duals of intervals
//! it gives ranges of derivatives too. The range may be too wide (it knows no relation between two occurrences of a
//! variable), never too narrow but for rounding errors. Narrow features cannot hide from it.

use crate::scalar::Scalar;
use std::f64::consts::{FRAC_PI_2, LOG10_E, PI, TAU};
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// All numbers from `lo` to `hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The least.
    pub lo: f64,
    /// The greatest.
    pub hi: f64,
}

impl Interval {
    /// Every number.
    pub const ALL: Interval = Interval { lo: f64::NEG_INFINITY, hi: f64::INFINITY };

    /// The range between two numbers in any order; everything if one of them is not a number.
    pub fn new(a: f64, b: f64) -> Interval {
        if a.is_nan() || b.is_nan() { Interval::ALL } else { Interval { lo: a.min(b), hi: a.max(b) } }
    }

    /// One number.
    pub fn point(x: f64) -> Interval {
        Interval::new(x, x)
    }

    /// The range of several numbers.
    fn over(all: [f64; 4]) -> Interval {
        let (lo, hi) = all.iter().fold((all[0], all[0]), |(lo, hi), &x| (lo.min(x), hi.max(x)));
        Interval::new(lo, hi)
    }

    /// Largest magnitude.
    pub fn size(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// Whether zero is among the numbers.
    pub fn holds_zero(self) -> bool {
        self.lo <= 0.0 && self.hi >= 0.0
    }

    /// The range of a function that rises everywhere.
    fn rising(self, f: impl Fn(f64) -> f64) -> Interval {
        Interval::new(f(self.lo), f(self.hi))
    }

    /// Both ranges together.
    fn hull(self, other: Interval) -> Interval {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// Whether a point of `first + k period` lies inside.
    fn meets(self, first: f64, period: f64) -> bool {
        ((self.hi - first) / period).floor() >= ((self.lo - first) / period).ceil()
    }

    /// Whether it has at least this width, or none that is a number.
    fn is_wider(self, width: f64) -> bool {
        let own = self.hi - self.lo;
        own.is_nan() || own >= width
    }

    fn wave(self, f: fn(f64) -> f64, top: f64) -> Interval {
        if self.is_wider(TAU) {
            return Interval { lo: -1.0, hi: 1.0 };
        }
        let mut y = Interval::new(f(self.lo), f(self.hi));
        if self.meets(top, TAU) {
            y.hi = 1.0;
        }
        if self.meets(top + PI, TAU) {
            y.lo = -1.0;
        }
        y
    }
}

/// A product in which nothing times infinity is nothing.
fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

impl Add for Interval {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Interval::new(self.lo + o.lo, self.hi + o.hi)
    }
}
impl Sub for Interval {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Interval::new(self.lo - o.hi, self.hi - o.lo)
    }
}
impl Mul for Interval {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Interval::over([
            times(self.lo, o.lo),
            times(self.lo, o.hi),
            times(self.hi, o.lo),
            times(self.hi, o.hi),
        ])
    }
}
impl Div for Interval {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        if o.holds_zero() { Interval::ALL } else { self * Interval::new(1.0 / o.lo, 1.0 / o.hi) }
    }
}
impl Neg for Interval {
    type Output = Self;
    fn neg(self) -> Self {
        Interval { lo: -self.hi, hi: -self.lo }
    }
}
impl AddAssign for Interval {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl SubAssign for Interval {
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl Scalar for Interval {
    fn from_f64(x: f64) -> Self {
        Interval::point(x)
    }
    fn value(self) -> f64 {
        if self.lo == self.hi { self.lo } else { 0.5 * self.lo + 0.5 * self.hi }
    }
    fn sqrt(self) -> Self {
        self.rising(|x| x.max(0.0).sqrt())
    }
    fn sin(self) -> Self {
        self.wave(f64::sin, FRAC_PI_2)
    }
    fn cos(self) -> Self {
        self.wave(f64::cos, 0.0)
    }
    fn tan(self) -> Self {
        let pole = self.is_wider(PI) || self.meets(FRAC_PI_2, PI);
        if pole { Interval::ALL } else { self.rising(f64::tan) }
    }
    fn asin(self) -> Self {
        self.rising(|x| x.clamp(-1.0, 1.0).asin())
    }
    fn acos(self) -> Self {
        self.rising(|x| x.clamp(-1.0, 1.0).acos())
    }
    fn atan(self) -> Self {
        self.rising(f64::atan)
    }
    fn atan2(self, x: Self) -> Self {
        if x.lo > 0.0 {
            return (self / x).atan();
        }
        if self.lo == self.hi && x.lo == x.hi {
            return Interval::point(self.lo.atan2(x.lo));
        }
        Interval { lo: -PI, hi: PI }
    }
    fn sinh(self) -> Self {
        self.rising(f64::sinh)
    }
    fn cosh(self) -> Self {
        let ends = Interval::new(self.lo.cosh(), self.hi.cosh());
        if self.holds_zero() { ends.hull(Interval::point(1.0)) } else { ends }
    }
    fn tanh(self) -> Self {
        self.rising(f64::tanh)
    }
    fn exp(self) -> Self {
        self.rising(f64::exp)
    }
    fn ln(self) -> Self {
        self.rising(|x| x.max(0.0).ln())
    }
    fn log10(self) -> Self {
        self.ln() * Interval::point(LOG10_E)
    }
    fn cbrt(self) -> Self {
        self.rising(f64::cbrt)
    }
    fn powi(self, n: i32) -> Self {
        if n < 0 {
            return Interval::one() / self.powi(-n);
        }
        let ends = Interval::new(self.lo.powi(n), self.hi.powi(n));
        if n % 2 == 0 && n > 0 && self.holds_zero() { ends.hull(Interval::point(0.0)) } else { ends }
    }
    fn powf(self, c: f64) -> Self {
        if c.fract() == 0.0 && c.abs() < 1e6 {
            self.powi(c as i32)
        } else {
            self.rising(|x| x.max(0.0).powf(c))
        }
    }
    fn is_zero(self) -> bool {
        self.lo == 0.0 && self.hi == 0.0
    }
    fn abs(self) -> Self {
        if self.lo >= 0.0 {
            self
        } else if self.hi <= 0.0 {
            -self
        } else {
            Interval { lo: 0.0, hi: self.size() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Scope, parse};
    use crate::scalar::Dual;

    const TEXTS: [&str; 14] = [
        "sin(3*x) * cos(x)",
        "exp(-((x - 1)/0.3)^2)",
        "x^3 - 2*x^2 + x",
        "tanh(x/0.2) + atan(5*x)",
        "1 / (1 + x^2)",
        "sqrt(1 + x^2) - cosh(x/2)",
        "tan(x/3) * sinh(x)",
        "ln(5 + x) + log10(6 + x) + cbrt(x)",
        "(2 + sin(x))^1.5",
        "(2 + x^2)^sin(x)",
        "hypot(x, 2) - atan2(x, 3)",
        "x^-2 + 3",
        "asin(x/9) - acos(x/9)",
        "x * x * x",
    ];

    #[test]
    fn ranges_hold_all_values_and_slopes() {
        let mut scope = Scope::new();
        scope.variable("x", 0, None);
        for text in TEXTS {
            let expr = parse(text, &scope).unwrap();
            for k in 0..60 {
                for width in [1e-6, 0.01, 0.4, 3.0] {
                    let (a, b) = (-3.07 + 0.1 * f64::from(k), -3.07 + 0.1 * f64::from(k) + width);
                    let range = expr.eval(&[Dual::variable(Interval::new(a, b))]);
                    for j in 0..=16 {
                        let x = a + (b - a) * f64::from(j) / 16.0;
                        let y = expr.eval(&[Dual::variable(x)]);
                        let inside = |r: Interval, y: f64| {
                            let slack = 1e-9 * (1.0 + y.abs());
                            y.is_nan() || (r.lo - slack <= y && y <= r.hi + slack)
                        };
                        assert!(inside(range.re, y.re), "{text} at {x}: {} not in {:?}", y.re, range.re);
                        assert!(inside(range.d, y.d), "{text} at {x}: slope {} not in {:?}", y.d, range.d);
                    }
                }
            }
        }
    }
}
