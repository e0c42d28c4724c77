//! Grammar, values, evaluation.

use super::*;
use crate::scalar::{Dual, Scalar};

/// The constant value of a text in an empty scope.
fn value(text: &str) -> f64 {
    let expr = parse(text, &Scope::new()).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    expr.constant_value().unwrap()
}

fn xyt() -> Scope<'static> {
    let mut scope = Scope::new();
    scope.variable("x", 0, None).variable("y", 1, None).variable("t", 2, None);
    scope
}

#[test]
fn precedence_and_associativity() {
    let table = [
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^-2", 0.25),
        ("2^-2^2", 0.0625),
        ("8/4/2", 1.0),
        ("8 - 4 - 2", 2.0),
        ("2*-3", -6.0),
        ("--3", 3.0),
        ("+3 - -3", 6.0),
        ("1 - 2^2*3", -11.0),
        ("1 + 1 < 3", 1.0),
        ("3 <= 2 || 1 < 2 && 2 != 2", 0.0),
        ("1 || 0 && 0", 1.0),
        ("!0 && !(3 > 4)", 1.0),
        ("!2", 0.0),
        ("1 == 1", 1.0),
        ("2 >= 3", 0.0),
        (".5e1", 5.0),
        ("-1.5e-3", -0.0015),
    ];
    for (text, expected) in table {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn functions_have_their_values() {
    let table = [
        ("sin(pi/2)", 1.0),
        ("cos(0)", 1.0),
        ("tan(0.3)", 0.3_f64.tan()),
        ("asin(1)", std::f64::consts::FRAC_PI_2),
        ("acos(1)", 0.0),
        ("atan(1)", std::f64::consts::FRAC_PI_4),
        ("atan2(1, -1)", 3.0 * std::f64::consts::FRAC_PI_4),
        ("sinh(1)", 1_f64.sinh()),
        ("cosh(1)", 1_f64.cosh()),
        ("tanh(1)", 1_f64.tanh()),
        ("exp(1)", std::f64::consts::E),
        ("ln(e)", 1.0),
        ("log10(1000)", 3.0),
        ("sqrt(9)", 3.0),
        ("cbrt(-27)", -3.0),
        ("abs(-3)", 3.0),
        ("sign(-3)", -1.0),
        ("floor(-1.5)", -2.0),
        ("ceil(-1.5)", -1.0),
        ("round(2.5)", 3.0),
        ("min(3, 1, 2)", 1.0),
        ("max(3, 1, 5, 2)", 5.0),
        ("mod(-1, 3)", 2.0),
        ("pow(2, 10)", 1024.0),
        ("hypot(3, 4)", 5.0),
        ("clamp(7, 0, 5)", 5.0),
        ("step(1.5, 1, 10, 2, 20)", 15.0),
        ("step(1.25, 1, 0, 2, 1)", 0.15625),
        ("step(0, 1, 10, 2, 20)", 10.0),
        ("step(3, 1, 10, 2, 20)", 20.0),
        ("smooth5(1.25, 1, 0, 2, 1)", 0.103515625),
        ("pulse(1, 1, 2) + pulse(2, 1, 2)", 1.0),
        ("ramp(5, 2) + ramp(1, 2)", 3.0),
        ("if(1 < 2, 3, 4)", 3.0),
        ("tau - 2*pi", 0.0),
    ];
    for (text, expected) in table {
        assert!((value(text) - expected).abs() < 1e-15, "{text} = {}", value(text));
    }
    for function in FUNCTIONS {
        assert!(
            table.iter().any(|(text, _)| text.contains(&format!("{}(", function.name))),
            "{}",
            function.name
        );
    }
}

#[test]
fn quantities() {
    let table = [
        ("12 kN/mm", 12e6),
        ("15 deg", 15.0_f64.to_radians()),
        ("15°", 15.0_f64.to_radians()),
        ("10 mph", 4.4704),
        ("128 lbf*s/in", 128.0 * 4.4482216152605 / 0.0254),
        ("60 rpm", 2.0 * std::f64::consts::PI),
        ("2.5e3 N*m/rad", 2500.0),
        ("9.81 m/s^2", 9.81),
        ("3 kg*m^2", 3.0),
        ("1 in", 0.0254),
        ("10mm", 0.01),
        ("36 km/h", 10.0),
        ("3 m^2", 3.0),
        ("-2 mm^2", -2e-6),
        ("(1 + 2) mm", 0.003),
        ("sqrt(4) km/s", 2000.0),
        ("1 m + 50 cm", 1.5),
        ("6 m / 2 s", 3.0),
        ("10 m/s*2", 20.0),
        ("1/2 m", 0.5),
        ("5 min", 300.0),
        ("10 m/min(2, 3)", 5.0),
        ("2 µs + 1 μs", 3e-6),
        ("if(1 kN > 999 N, 1 m, 2 m)", 1.0),
        ("1 g0", 9.80665),
        ("(2 m)^2", 4.0),
        ("sin(90 deg)", 1.0),
        ("8 rev/min", 8.0 * std::f64::consts::TAU / 60.0),
    ];
    for (text, expected) in table {
        assert!((value(text) / expected - 1.0).abs() < 4e-16, "{text} = {}", value(text));
    }
}

#[test]
fn names_shadow_constants() {
    let mut scope = Scope::new();
    scope.constant("e", Quantity::bare(0.7));
    let mut inner = scope.child();
    inner.constant("i", Quantity::bare(3.0));
    assert_eq!(parse("0.1 m * i + e", &inner).unwrap().constant_value(), Some(0.1 * 3.0 + 0.7));
    assert_eq!(value("e"), std::f64::consts::E);
}

#[test]
fn parameters_fold_and_dead_choices_vanish() {
    let mut scope = xyt();
    scope.constant("k", Quantity::unknown(3.0)).constant("on", Quantity::unknown(0.0));
    let expr = parse("if(on > 0.5, y, k*2*x) + (k - 3)", &scope).unwrap();
    assert!(expr.uses(0) && !expr.uses(1));
    assert_eq!(expr.variables().collect::<Vec<_>>(), [0]);
    assert_eq!(expr.eval(&[2.0, f64::NAN, 0.0]), 12.0);
    let expr = parse("if(on < 0.5, y*x, t) + k", &scope).unwrap();
    assert!(expr.uses(0) && expr.uses(1) && !expr.uses(2));
    assert_eq!(expr.eval(&[2.0, 5.0, f64::NAN]), 13.0);
    assert_eq!(parse("k^2 + 1", &scope).unwrap().constant_value(), Some(10.0));
    assert_eq!(expr.constant_value(), None);
    assert_eq!(expr.text(), "if(on < 0.5, y*x, t) + k");
    assert_eq!(expr, expr.clone());
    assert_eq!(Expr::number(2.5).eval::<f64>(&[]), 2.5);
    assert_eq!(Expr::number(2.5).text(), "2.5");
}

#[test]
fn the_rejected_branch_leaves_no_trace() {
    let expr = parse("if(x > 0, sqrt(x), 0) + y", &xyt()).unwrap();
    let mut out = [9.0; 3];
    assert_eq!(expr.partials(&[-1.0, 2.0, 0.0], &mut out), 2.0);
    assert_eq!(out, [0.0, 1.0, 0.0]);
    // a constant zero under a root does not spoil the other derivatives
    let expr = parse("sqrt(max(0, x)) + max(0, x)^1.5 + y", &xyt()).unwrap();
    assert_eq!(expr.partials(&[-1.0, 2.0, 0.0], &mut out), 2.0);
    assert_eq!(out, [0.0, 1.0, 0.0]);
}

#[test]
fn partials_and_jets() {
    let expr = parse("x^2*y + sin(3*t)*x", &xyt()).unwrap();
    let at = [1.5, -2.0, 0.4];
    let mut out = [0.0; 3];
    let value = expr.partials(&at, &mut out);
    let (s, c) = (1.2_f64.sin(), 1.2_f64.cos());
    let expected = [2.0 * 1.5 * -2.0 + s, 2.25, 4.5 * c];
    assert!((value - (2.25 * -2.0 + s * 1.5)).abs() < 1e-15);
    assert!(out.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{out:?}");
    let jet = expr.time_jet(&at, 2);
    let expected = [value, 4.5 * c, -13.5 * s];
    assert!(jet.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{jet:?}");
    // fewer slots than variables: the rest is left out
    let mut short = [0.0; 1];
    expr.partials(&at, &mut short);
    assert_eq!(short[0], out[0]);
}

#[test]
fn deep_and_long_texts_are_refused_or_work() {
    let message = |text: &str| parse(text, &xyt()).unwrap_err()[0].message.clone();
    for unit in ["(", "-", "!", "2^", "sin(", "x+("] {
        assert!(message(&unit.repeat(100_000)).contains("nested too deeply"), "{unit}");
    }
    let nested = |n: usize| format!("{}x{}", "x+(".repeat(n), ")".repeat(n));
    assert_eq!(parse(&nested(60), &xyt()).unwrap().eval(&[1.0]), 61.0);
    assert!(message(&nested(70)).contains("intermediate values"));
    let long = format!("x{}", "+x".repeat(50_000));
    assert_eq!(parse(&long, &xyt()).unwrap().eval(&[1.0]), 50_001.0);
    let wide = format!("max({}1)", "x,".repeat(1000));
    assert_eq!(parse(&wide, &xyt()).unwrap().eval(&[3.0]), 3.0);
    // the largest stack is used up exactly
    assert_eq!(parse(&nested(63), &xyt()).unwrap().eval(&[Dual::<f64>::variable(1.0)]).d, 64.0);
}

/// A small generator of reproducible numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Whatever is accepted can be evaluated and derived; whatever is refused names a place within the text.
fn survives(text: &str, scope: &Scope<'_>) -> bool {
    match parse(text, scope) {
        Ok(expr) => {
            let vars = [0.3, -1.2, 2.0];
            let mut out = [0.0; 3];
            let value = expr.partials(&vars, &mut out);
            let jet = expr.time_jet(&vars, 2);
            assert!(jet[0] == value || (jet[0].is_nan() || value.is_nan()), "{text}: {} {value}", jet[0]);
            let _ = expr.expect(Dim::FORCE);
            true
        }
        Err(errors) => {
            assert!(!errors.is_empty(), "{text}");
            for error in errors {
                assert!(text.get(error.span.clone()).is_some(), "{text}: {error:?}");
                assert!(!error.message.is_empty());
            }
            false
        }
    }
}

#[test]
fn random_text_never_panics() {
    let mut scope = xyt();
    scope.constant("k", Quantity::known(3.0, Dim::STIFFNESS)).variable("gap", 1, Some(Dim::LENGTH));
    let pieces = [
        "x", "y", "t", "k", "gap", "1", "2.5", "1e3", "0", "(", ")", "(", ")", ",", "+", "-", "*", "/", "^",
        "<", "==", "&&", "||", "!", "mm", "kN", "s", "deg", "m", "if(", "sin(", "max(", "step(", "pow(",
        "sqrt(", "mod(", "clamp(", "hypot(", "foo", "bar(", " ", "pi", "e", "^2", "^-1", "µ", "é", ".", "=",
        "²",
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut accepted = 0;
    for _ in 0..20_000 {
        let length = 1 + random.below(12);
        let text: String = (0..length).map(|_| pieces[random.below(pieces.len())]).collect();
        accepted += usize::from(survives(&text, &scope));
    }
    assert!(accepted > 200, "only {accepted} texts made sense");
    for _ in 0..5_000 {
        let length = random.below(24);
        let bytes: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        survives(&String::from_utf8_lossy(&bytes), &scope);
    }
}

/// Random well-formed expressions: every one is accepted without units, and all scalars give one value.
#[test]
fn random_expressions_evaluate_alike_on_all_scalars() {
    fn grow(random: &mut Random, depth: usize) -> String {
        if depth == 0 {
            return ["x", "y", "t", "2", "0.5", "3"][random.below(6)].into();
        }
        let mut part = || grow(random, depth - 1);
        let (a, b, c) = (part(), part(), part());
        match random.below(9) {
            0 => format!("({a} + {b})"),
            1 => format!("{a}*{b} - {c}"),
            2 => format!("({a})/(2 + abs({b}))"),
            3 => format!("-sin({a})^2"),
            4 => format!("if({a} < {b}, {c}, {a})"),
            5 => format!("hypot({a}, {b})^({c})"),
            6 => format!("mod({a}, 1 + {b}^2)"),
            7 => format!("step({a}, -1, {b}, 1, {c})"),
            _ => format!("min({a}, tanh({b}), {c})"),
        }
    }
    let mut random = Random(7);
    for _ in 0..400 {
        let depth = 1 + random.below(4);
        let text = grow(&mut random, depth);
        let expr = parse(&text, &xyt()).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let vars = [0.31, -1.27, 2.03];
        let plain = expr.eval(&vars);
        let dual = expr.eval(&vars.map(Dual::<Dual<f64>>::from_f64)).value();
        assert!(
            plain.to_bits() == dual.to_bits() || (plain.is_nan() && dual.is_nan()),
            "{text}: {plain} {dual}"
        );
    }
}
