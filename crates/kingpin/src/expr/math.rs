//! The functions of the expression language that are not methods of a [`Scalar`].
//!
//! Where a function has a kink or a jump, the branch is chosen by value and differentiated as it stands.

use crate::scalar::Scalar;

/// A constant.
fn number<T: Scalar>(x: f64) -> T {
    T::from_f64(x)
}

/// One for true, zero for false.
pub(super) fn truth<T: Scalar>(b: bool) -> T {
    number(if b { 1.0 } else { 0.0 })
}

/// The argument without its value: derivatives only.
fn variation<T: Scalar>(x: T) -> T {
    x - number(x.value())
}

/// `x^y`. With y0 the value of y this is `x^y0 * exp((y - y0) ln x)`: the factor `x^y0` is right for any
/// base while y is constant, and the exponential adds what a varying y brings (base positive).
pub(super) fn power<T: Scalar>(x: T, y: T) -> T {
    let whole = x.powf(y.value());
    let dy = variation(y);
    // at base zero, x^y ln x tends to zero for y > 0
    if dy.is_zero() || (x.value() == 0.0 && y.value() > 0.0) {
        return whole;
    }
    whole * (dy * x.ln()).exp()
}

/// `sqrt(x^2 + y^2)` without overflow; at the origin all derivatives are taken as zero.
pub(super) fn hypot<T: Scalar>(x: T, y: T) -> T {
    let size = x.value().abs().max(y.value().abs());
    if size == 0.0 {
        return T::zero();
    }
    // squares of ordinary numbers are safe; others are scaled first
    if (1e-150..1e150).contains(&size) {
        return (x * x + y * y).sqrt();
    }
    let unit = number::<T>(size);
    let (a, b) = (x / unit, y / unit);
    (a * a + b * b).sqrt().scale(size)
}

/// Remainder of `x / y` with the sign of y, so that it is periodic through zero.
pub(super) fn modulo<T: Scalar>(x: T, y: T) -> T {
    let (x0, y0) = (x.value(), y.value());
    let mut rest = x0 % y0;
    let mut count = ((x0 - rest) / y0).round();
    if rest != 0.0 && (rest < 0.0) != (y0 < 0.0) {
        rest += y0;
        count -= 1.0;
    }
    number::<T>(rest) + variation(x) - variation(y).scale(count)
}

/// The smaller one, the first when equal; not a number if one of them is not.
pub(super) fn min<T: Scalar>(a: T, b: T) -> T {
    if b.value() < a.value() || b.value().is_nan() { b } else { a }
}

/// The larger one, the first when equal; not a number if one of them is not.
pub(super) fn max<T: Scalar>(a: T, b: T) -> T {
    if b.value() > a.value() || b.value().is_nan() { b } else { a }
}

/// `x` kept between `lo` and `hi`.
pub(super) fn clamp<T: Scalar>([x, lo, hi]: [T; 3]) -> T {
    if x.value() < lo.value() {
        lo
    } else if x.value() > hi.value() {
        hi
    } else {
        x
    }
}

/// -1, 0 or 1.
pub(super) fn sign<T: Scalar>(x: T) -> T {
    let x = x.value();
    number(if x == 0.0 || x.is_nan() { x } else { x.signum() })
}

/// A function of the value alone, constant between its jumps.
pub(super) fn stair<T: Scalar>(x: T, f: fn(f64) -> f64) -> T {
    number(f(x.value()))
}

/// The whole number near that of `g` which agrees with a piece modulo 256.
pub(super) fn whole<T: Scalar>(g: T, piece: T) -> T {
    number(super::pieces::whole(g.value(), piece.value() as u8))
}

/// The value of a sign on its pieces.
pub(super) fn signed<T: Scalar>(piece: T) -> T {
    number(match piece.value() as u8 {
        0 => -1.0,
        1 => 1.0,
        _ => 0.0,
    })
}

/// The angle of the point (x, y), continued beyond its cut from the side that a piece tells.
pub(super) fn atan2_on<T: Scalar>([y, x, piece]: [T; 3]) -> T {
    let angle = y.atan2(x);
    let (positive, now) = (piece.value() != 0.0, y.value() >= 0.0);
    if positive == now || x.value() >= 0.0 {
        angle
    } else {
        angle + number(if positive { std::f64::consts::TAU } else { -std::f64::consts::TAU })
    }
}

/// `x - a` where positive, else zero.
pub(super) fn ramp<T: Scalar>(x: T, a: T) -> T {
    let over = x - a;
    if over.value() < 0.0 { T::zero() } else { over }
}

/// One for `a <= x < b`, else zero.
pub(super) fn pulse<T: Scalar>([x, a, b]: [T; 3]) -> T {
    let x = x.value();
    truth(a.value() <= x && x < b.value())
}

/// From y0 at x0 to y1 at x1 along a shape that runs from 0 to 1; constant outside.
fn transition<T: Scalar>([x, x0, y0, x1, y1]: [T; 5], shape: fn(T) -> T) -> T {
    if x.value() <= x0.value() {
        y0
    } else if x.value() >= x1.value() {
        y1
    } else {
        y0 + (y1 - y0) * shape((x - x0) / (x1 - x0))
    }
}

/// The cubic of [`step`], wherever x is.
pub(super) fn cubic<T: Scalar>([x, x0, y0, x1, y1]: [T; 5]) -> T {
    let s = (x - x0) / (x1 - x0);
    y0 + (y1 - y0) * (s * s * (number::<T>(3.0) - s.scale(2.0)))
}

/// The quintic of [`smooth5`], wherever x is.
pub(super) fn quintic<T: Scalar>([x, x0, y0, x1, y1]: [T; 5]) -> T {
    let s = (x - x0) / (x1 - x0);
    y0 + (y1 - y0) * (s * s * s * (number::<T>(10.0) - s * (number::<T>(15.0) - s.scale(6.0))))
}

/// Cubic smooth step `3 s^2 - 2 s^3`: continuous slope.
pub(super) fn step<T: Scalar>(args: [T; 5]) -> T {
    transition(args, |s| s * s * (number::<T>(3.0) - s.scale(2.0)))
}

/// Quintic smooth step `10 s^3 - 15 s^4 + 6 s^5`: continuous curvature.
pub(super) fn smooth5<T: Scalar>(args: [T; 5]) -> T {
    transition(args, |s| s * s * s * (number::<T>(10.0) - s * (number::<T>(15.0) - s.scale(6.0))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Dual;

    type D2 = Dual<Dual<f64>>;

    fn var(x: f64) -> D2 {
        Dual::variable(Dual::variable(x))
    }

    #[test]
    fn power_at_and_below_zero() {
        // constant exponents: polynomials stay exact at zero and for negative bases
        let square = power(var(0.0), D2::from_f64(2.0));
        assert_eq!((square.re.re, square.d.re, square.d.d), (0.0, 0.0, 2.0));
        let cube = power(var(-2.0), D2::from_f64(3.0));
        assert_eq!((cube.re.re, cube.d.re, cube.d.d), (-8.0, 12.0, -12.0));
        let line = power(var(0.0), D2::from_f64(1.0));
        assert_eq!((line.re.re, line.d.re, line.d.d), (0.0, 1.0, 0.0));
        assert_eq!(power(var(0.0), D2::zero()).re.re, 1.0);
        let hertz = power(var(0.0), D2::from_f64(1.5));
        assert_eq!((hertz.re.re, hertz.d.re), (0.0, 0.0));
        // x^x: (ln x + 1) x^x and its derivative
        let x: f64 = 0.6;
        let (y, l) = (power(var(x), var(x)), x.ln() + 1.0);
        let value = x.powf(x);
        assert_eq!(y.re.re, value);
        assert!((y.d.re - value * l).abs() < 1e-15);
        assert!((y.d.d - value * (l * l + 1.0 / x)).abs() < 1e-14);
    }

    #[test]
    fn modulo_is_periodic_through_zero() {
        assert_eq!(modulo(-0.25, 1.0), 0.75);
        assert_eq!(modulo(7.5, 2.0), 1.5);
        assert_eq!(modulo(7.5, -2.0), -0.5);
        assert_eq!(modulo(-6.0, 2.0), 0.0);
        let y = modulo(D2::from_f64(7.5), var(2.0));
        assert_eq!((y.re.re, y.d.re), (1.5, -3.0));
        // just below a multiple: neither negative nor past the period
        let x = 3.0 * 0.1_f64.next_down();
        assert!((0.0..0.1).contains(&modulo(x, 0.1)));
    }

    #[test]
    fn hypot_neither_overflows_nor_divides_by_zero() {
        assert!((hypot(3e200, 4e200) / 5e200 - 1.0_f64).abs() < 1e-15);
        assert!((hypot(3e-200, 4e-200) / 5e-200 - 1.0_f64).abs() < 1e-15);
        assert_eq!(hypot(5e-324, 0.0), 5e-324);
        assert_eq!(hypot(var(0.0), D2::zero()), D2::zero());
        let y = hypot(var(3.0), D2::from_f64(4.0));
        assert!((y.re.re - 5.0).abs() < 1e-15 && (y.d.re - 0.6).abs() < 1e-15);
        assert!((y.d.d - 16.0 / 125.0).abs() < 1e-15);
    }

    #[test]
    fn branches_follow_the_value_and_keep_nan() {
        let (a, b) = (var(1.0), var(1.0).scale(2.0));
        assert_eq!(min(a, b), a);
        assert_eq!(max(a, b), b);
        assert!(min(f64::NAN, 1.0).is_nan() && min(1.0, f64::NAN).is_nan());
        assert!(max(f64::NAN, 1.0).is_nan() && max(1.0, f64::NAN).is_nan());
        assert!(clamp([f64::NAN, 0.0, 1.0]).is_nan() && sign(f64::NAN).is_nan());
        assert_eq!(
            [clamp([3.0, 0.0, 1.0]), clamp([-3.0, 0.0, 1.0]), clamp([0.5, 0.0, 1.0])],
            [1.0, 0.0, 0.5]
        );
        assert_eq!([sign(-3.0), sign(0.0), sign(2.0)], [-1.0, 0.0, 1.0]);
        assert_eq!([pulse([1.0, 1.0, 2.0]), pulse([2.0, 1.0, 2.0]), pulse([0.5, 1.0, 2.0])], [1.0, 0.0, 0.0]);
        assert_eq!([ramp(3.0, 1.0), ramp(0.0, 1.0)], [2.0, 0.0]);
    }

    /// Value and as many derivatives as promised are continuous at both ends of a transition.
    #[test]
    fn transitions_join_smoothly() {
        let at = |f: fn([D2; 5]) -> D2, x: f64| {
            f([var(x), D2::from_f64(1.0), D2::from_f64(-2.0), D2::from_f64(3.0), D2::from_f64(5.0)])
        };
        let h = 1e-9;
        for (f, continuous) in [(step::<D2> as fn([D2; 5]) -> D2, 2), (smooth5::<D2>, 3)] {
            for (end, y) in [(1.0, -2.0), (3.0, 5.0)] {
                let inside = at(f, if end == 1.0 { end + h } else { end - h });
                let jets = [inside.re.re - y, inside.d.re, inside.d.d];
                assert!(jets[..continuous].iter().all(|d| d.abs() < 1e-6), "{jets:?}");
                assert_eq!(at(f, end).d, Dual::zero());
            }
            assert!((at(f, 2.0).re.re - 1.5).abs() < 1e-15);
        }
    }
}
