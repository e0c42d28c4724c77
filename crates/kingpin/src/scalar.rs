//! Numbers the equations can be written in: `f64`, and dual numbers over any such number.
//!
//! Everything that defines a mechanism (`phi`, forces, expressions) is generic over [`Scalar`];
//! evaluated on nested [`Dual`]s it yields derivatives of any order, independently of the closed forms.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A real number that may carry derivatives along.
pub trait Scalar:
    Copy
    + 'static
    + std::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    /// A constant.
    fn from_f64(x: f64) -> Self;
    /// The value with all derivatives dropped.
    fn value(self) -> f64;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Sine.
    fn sin(self) -> Self;
    /// Cosine.
    fn cos(self) -> Self;
    /// Tangent.
    fn tan(self) -> Self;
    /// Inverse sine.
    fn asin(self) -> Self;
    /// Inverse cosine.
    fn acos(self) -> Self;
    /// Inverse tangent.
    fn atan(self) -> Self;
    /// Angle of the point (`x`, `self`), in (-pi, pi].
    fn atan2(self, x: Self) -> Self;
    /// Hyperbolic sine.
    fn sinh(self) -> Self;
    /// Hyperbolic cosine.
    fn cosh(self) -> Self;
    /// Hyperbolic tangent.
    fn tanh(self) -> Self;
    /// Exponential.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Decadic logarithm.
    fn log10(self) -> Self;
    /// Cube root, of negative numbers too.
    fn cbrt(self) -> Self;
    /// Integer power.
    fn powi(self, n: i32) -> Self;
    /// Power with a constant real exponent; right at base zero wherever the derivative exists.
    fn powf(self, c: f64) -> Self;
    /// Exactly zero, all derivatives included.
    fn is_zero(self) -> bool;

    /// Zero.
    fn zero() -> Self {
        Self::from_f64(0.0)
    }
    /// One.
    fn one() -> Self {
        Self::from_f64(1.0)
    }
    /// Product with a plain number.
    fn scale(self, k: f64) -> Self {
        self * Self::from_f64(k)
    }
    /// Magnitude; the derivative at zero is taken from the right.
    fn abs(self) -> Self {
        if self.value() < 0.0 { -self } else { self }
    }
}

impl Scalar for f64 {
    fn from_f64(x: f64) -> Self {
        x
    }
    fn value(self) -> f64 {
        self
    }
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    fn sin(self) -> Self {
        f64::sin(self)
    }
    fn cos(self) -> Self {
        f64::cos(self)
    }
    fn tan(self) -> Self {
        f64::tan(self)
    }
    fn asin(self) -> Self {
        f64::asin(self)
    }
    fn acos(self) -> Self {
        f64::acos(self)
    }
    fn atan(self) -> Self {
        f64::atan(self)
    }
    fn atan2(self, x: Self) -> Self {
        f64::atan2(self, x)
    }
    fn sinh(self) -> Self {
        f64::sinh(self)
    }
    fn cosh(self) -> Self {
        f64::cosh(self)
    }
    fn tanh(self) -> Self {
        f64::tanh(self)
    }
    fn exp(self) -> Self {
        f64::exp(self)
    }
    fn ln(self) -> Self {
        f64::ln(self)
    }
    fn log10(self) -> Self {
        f64::log10(self)
    }
    fn cbrt(self) -> Self {
        f64::cbrt(self)
    }
    fn powi(self, n: i32) -> Self {
        f64::powi(self, n)
    }
    fn powf(self, c: f64) -> Self {
        f64::powf(self, c)
    }
    fn is_zero(self) -> bool {
        self == 0.0
    }
    fn scale(self, k: f64) -> Self {
        self * k
    }
}

/// `re + eps * d` with `eps^2 = 0`; `d` is the derivative along one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<T> {
    /// The value.
    pub re: T,
    /// The derivative.
    pub d: T,
}

impl<T: Scalar> Dual<T> {
    /// A number with a given derivative.
    pub fn new(re: T, d: T) -> Self {
        Dual { re, d }
    }
    /// The independent variable: derivative one.
    pub fn variable(re: T) -> Self {
        Dual { re, d: T::one() }
    }
    fn chain(self, f: T, df: T) -> Self {
        Dual { re: f, d: df * self.d }
    }
    /// The chain rule where the slope `df` may be infinite: a constant keeps its derivative zero.
    fn chain_steep(self, f: T, df: T) -> Self {
        Dual { re: f, d: if self.d.is_zero() { T::zero() } else { df * self.d } }
    }
}

impl<T: Scalar> Add for Dual<T> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Dual { re: self.re + o.re, d: self.d + o.d }
    }
}
impl<T: Scalar> Sub for Dual<T> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Dual { re: self.re - o.re, d: self.d - o.d }
    }
}
impl<T: Scalar> Mul for Dual<T> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Dual { re: self.re * o.re, d: self.d * o.re + self.re * o.d }
    }
}
impl<T: Scalar> Div for Dual<T> {
    type Output = Self;
    fn div(self, o: Self) -> Self {
        let q = self.re / o.re;
        Dual { re: q, d: (self.d - q * o.d) / o.re }
    }
}
impl<T: Scalar> Neg for Dual<T> {
    type Output = Self;
    fn neg(self) -> Self {
        Dual { re: -self.re, d: -self.d }
    }
}
impl<T: Scalar> AddAssign for Dual<T> {
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<T: Scalar> SubAssign for Dual<T> {
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

impl<T: Scalar> Scalar for Dual<T> {
    fn from_f64(x: f64) -> Self {
        Dual { re: T::from_f64(x), d: T::zero() }
    }
    fn value(self) -> f64 {
        self.re.value()
    }
    fn scale(self, k: f64) -> Self {
        Dual { re: self.re.scale(k), d: self.d.scale(k) }
    }
    fn sqrt(self) -> Self {
        let s = self.re.sqrt();
        self.chain_steep(s, T::from_f64(0.5) / s)
    }
    fn sin(self) -> Self {
        self.chain(self.re.sin(), self.re.cos())
    }
    fn cos(self) -> Self {
        self.chain(self.re.cos(), -self.re.sin())
    }
    fn tan(self) -> Self {
        let t = self.re.tan();
        self.chain(t, T::one() + t * t)
    }
    fn asin(self) -> Self {
        self.chain_steep(self.re.asin(), T::one() / (T::one() - self.re * self.re).sqrt())
    }
    fn acos(self) -> Self {
        self.chain_steep(self.re.acos(), -(T::one() / (T::one() - self.re * self.re).sqrt()))
    }
    fn atan(self) -> Self {
        self.chain(self.re.atan(), T::one() / (T::one() + self.re * self.re))
    }
    fn atan2(self, x: Self) -> Self {
        let re = self.re.atan2(x.re);
        if self.d.is_zero() && x.d.is_zero() {
            return Dual { re, d: T::zero() };
        }
        let n = self.re * self.re + x.re * x.re;
        Dual { re, d: (x.re * self.d - self.re * x.d) / n }
    }
    fn sinh(self) -> Self {
        self.chain(self.re.sinh(), self.re.cosh())
    }
    fn cosh(self) -> Self {
        self.chain(self.re.cosh(), self.re.sinh())
    }
    fn tanh(self) -> Self {
        let t = self.re.tanh();
        self.chain(t, T::one() - t * t)
    }
    fn exp(self) -> Self {
        let e = self.re.exp();
        self.chain(e, e)
    }
    fn ln(self) -> Self {
        self.chain(self.re.ln(), T::one() / self.re)
    }
    fn powi(self, n: i32) -> Self {
        if n == 0 {
            return Self::one();
        }
        self.chain(self.re.powi(n), self.re.powi(n - 1).scale(f64::from(n)))
    }
    fn log10(self) -> Self {
        self.chain(self.re.log10(), T::from_f64(std::f64::consts::LOG10_E) / self.re)
    }
    fn cbrt(self) -> Self {
        let c = self.re.cbrt();
        self.chain_steep(c, T::one() / (c * c).scale(3.0))
    }
    fn powf(self, c: f64) -> Self {
        if c == 0.0 {
            return Self::one();
        }
        self.chain_steep(self.re.powf(c), self.re.powf(c - 1.0).scale(c))
    }
    fn is_zero(self) -> bool {
        self.re.is_zero() && self.d.is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nested duals against the known third derivative of a composite function.
    #[test]
    fn third_derivative_of_a_composite() {
        type D3 = Dual<Dual<Dual<f64>>>;
        let x = 0.7_f64;
        let seed: D3 = Dual::variable(Dual::variable(Dual::variable(x)));
        let y = (seed * seed).sin() / (D3::one() + seed.exp());
        // Richardson-extrapolated differences of the second derivative as the reference
        let second = |x: f64| {
            let s: Dual<Dual<f64>> = Dual::variable(Dual::variable(x));
            ((s * s).sin() / (Dual::one() + s.exp())).d.d
        };
        let diff = |h: f64| (second(x + h) - second(x - h)) / (2.0 * h);
        let reference = (4.0 * diff(1e-3) - diff(2e-3)) / 3.0;
        assert!((y.d.d.d - reference).abs() < 1e-9 * reference.abs().max(1.0));
    }

    #[test]
    fn every_function_matches_its_difference_quotient() {
        type F = fn(Dual<f64>) -> Dual<f64>;
        let all: [F; 17] = [
            |x| x.sqrt(),
            |x| x.sin(),
            |x| x.cos(),
            |x| x.tan(),
            |x| x.asin(),
            |x| x.acos(),
            |x| x.atan(),
            |x| x.sinh(),
            |x| x.cosh(),
            |x| x.tanh(),
            |x| x.exp(),
            |x| x.ln(),
            |x| x.log10(),
            |x| (-x).cbrt(),
            |x| x.powi(3),
            |x| x.powf(2.5),
            |x| (-x).abs() / (x * x).atan2(Dual::one() + x),
        ];
        for (k, f) in all.iter().enumerate() {
            let (x, h) = (0.37, 1e-5);
            let at = |x: f64| f(Dual::from_f64(x)).re;
            let slope = (at(x + h) - at(x - h)) / (2.0 * h);
            assert!((f(Dual::variable(x)).d - slope).abs() < 1e-8, "function {k}");
        }
    }

    /// A constant stays a constant where the slope of a function is infinite.
    #[test]
    fn constants_keep_zero_derivatives_at_steep_points() {
        type D2 = Dual<Dual<f64>>;
        let zero = D2::zero();
        for y in [zero.sqrt(), zero.cbrt(), zero.powf(1.5), zero.powf(0.5), zero.atan2(zero)] {
            assert!(y.is_zero(), "{y:?}");
        }
        assert_eq!(D2::one().asin().d, Dual::zero());
        assert_eq!(D2::one().acos().d, Dual::zero());
    }
}
