//! First and second derivatives of every function against difference quotients.

use super::*;
use crate::scalar::{Dual, Scalar};

fn expression(text: &str) -> Expr {
    let mut scope = Scope::new();
    scope.variable("x", 0, None).variable("y", 1, None);
    parse(text, &scope).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

/// Difference quotient of order four.
fn quotient(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let central = |h: f64| (f(x + h) - f(x - h)) / (2.0 * h);
    let h = 2e-4;
    (4.0 * central(h) - central(2.0 * h)) / 3.0
}

/// Derivatives of `text` along the direction (a, b) through a point.
fn check(text: &str, at: [f64; 2], along: [f64; 2]) {
    let expr = expression(text);
    let place = |s: f64| [at[0] + s * along[0], at[1] + s * along[1]];
    let first = |s: f64| {
        let p = place(s);
        expr.eval_with(|k| Dual::new(p[k], along[k])).d
    };
    let nested: Dual<Dual<f64>> =
        expr.eval_with(|k| Dual::new(Dual::new(at[k], along[k]), Dual::from_f64(along[k])));
    let close = |a: f64, b: f64| (a - b).abs() < 2e-8 * (1.0 + b.abs());
    assert_eq!(nested.re.re, expr.eval(&at), "{text}: value");
    let (d1, d2) = (quotient(|s| expr.eval(&place(s)), 0.0), quotient(first, 0.0));
    assert!(close(nested.d.re, d1) && close(nested.re.d, d1), "{text} at {at:?}: {} but {d1}", nested.d.re);
    assert!(close(nested.d.d, d2), "{text} at {at:?}: second {} but {d2}", nested.d.d);
}

#[test]
fn every_function_and_operator() {
    let texts = [
        "sin(x)",
        "cos(x)",
        "tan(x)",
        "asin(x)",
        "acos(x)",
        "atan(x)",
        "atan2(x, y)",
        "sinh(x)",
        "cosh(x)",
        "tanh(x)",
        "exp(x)",
        "ln(x)",
        "log10(x)",
        "sqrt(x)",
        "cbrt(x)",
        "cbrt(-x)",
        "pow(x, 3)",
        "pow(x, y)",
        "hypot(x, y)",
        "abs(x)",
        "abs(-x)",
        "sign(x)*y",
        "floor(x)*y",
        "ceil(x)*y",
        "round(x)*y",
        "mod(x, 0.1*y)",
        "mod(-x, y)",
        "min(x, y, 1)",
        "max(x, y, 0.1)",
        "clamp(x, 0, 1)*y",
        "clamp(x, y, y + 1)",
        "ramp(x, 0.2*y)",
        "pulse(x, 0, 1)*y",
        "step(x, 0, y, 1, 2*y)",
        "step(x, -0.1*y, y, 1 + y, 3)",
        "smooth5(x, 0, y, 1, 2*y)",
        "smooth5(0.5, -x, 1, y, x)",
        "if(x < 0.5, x^2, y^3)",
        "if(x > 0.5, x^2, y^3)",
        "x + y",
        "x - y*x",
        "x*y",
        "x/y",
        "-x",
        "+x",
        "x^2",
        "x^-3",
        "x^2.5",
        "x^0.5",
        "(-x)^3",
        "x^y",
        "y^x",
        "2^x",
        "x^100",
        "(x < y)*x",
        "(x >= y)*x",
        "(x == x)*y^2",
        "(x != y)*x^2",
        "(x <= y || y > 2)*x",
        "(x > 0 && !(y < 0))*x*y",
        "exp(-x/y)*sin(3*x) + y^2*ln(x)",
        "sqrt(x^2 + y^2)/(1 + tanh(x*y))",
    ];
    for text in texts {
        for at in [[0.37, 0.83], [0.61, 0.29]] {
            for along in [[1.0, 0.0], [0.0, 1.0], [0.6, -0.8]] {
                check(text, at, along);
            }
        }
    }
    for function in FUNCTIONS {
        let call = format!("{}(", function.name);
        assert!(texts.iter().any(|text| text.contains(&call)), "{} is not tested", function.name);
    }
}

/// Polynomials are exact where the logarithm of the base does not exist.
#[test]
fn powers_at_zero() {
    for n in 0..6 {
        let expr = expression(&format!("x^{n}"));
        let d = |k: i32| (0..k).map(|j| f64::from(n - j)).product::<f64>() * if n == k { 1.0 } else { 0.0 };
        assert_eq!(expr.time_jet(&[0.0, 0.0], 0), [d(0), d(1), d(2)], "x^{n}");
    }
    // exponents that are whole only at run time
    let expr = expression("x^y");
    let mut out = [9.0; 2];
    assert_eq!(expr.partials(&[0.0, 2.0], &mut out), 0.0);
    assert_eq!(out, [0.0, 0.0]);
    assert_eq!(expr.time_jet(&[0.0, 2.0], 0), [0.0, 0.0, 2.0]);
    assert_eq!(expr.time_jet(&[-2.0, 3.0], 0), [-8.0, 12.0, -12.0]);
    assert_eq!(expression("x^1.5").time_jet(&[0.0, 0.0], 0)[..2], [0.0, 0.0]);
}

/// The branch is chosen by value, at kinks too.
#[test]
fn kinks() {
    let slope = |text: &str, x: f64| expression(text).time_jet(&[x, 0.0], 0)[1];
    assert_eq!(slope("abs(x)", 0.0), 1.0);
    assert_eq!(slope("min(x, 2*x)", 0.0), 1.0);
    assert_eq!(slope("max(2*x, x)", 0.0), 2.0);
    assert_eq!(slope("clamp(x, 0, 1)", 1.0), 1.0);
    assert_eq!(slope("ramp(x, 0)", 0.0), 1.0);
    assert_eq!(slope("if(x < 0, 3*x, 5*x)", 0.0), 5.0);
    assert_eq!(slope("hypot(x, y)", 0.0), 0.0);
}

/// Third derivatives come out of three nested duals.
#[test]
fn third_derivative() {
    let expr = expression("sin(2*x)*exp(x)");
    let seed: Dual<Dual<Dual<f64>>> = Dual::variable(Dual::variable(Dual::variable(0.4)));
    let third = expr.eval(&[seed, Dual::zero()]).d.d.d;
    // (e^x sin 2x)''' = e^x (-11 sin 2x - 2 cos 2x)
    let expected = 0.4_f64.exp() * (-11.0 * 0.8_f64.sin() - 2.0 * 0.8_f64.cos());
    assert!((third - expected).abs() < 1e-13);
}
