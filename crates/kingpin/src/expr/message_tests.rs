//! Every message a user can meet, word for word.

use super::*;

fn scope() -> Scope<'static> {
    let mut scope = Scope::new();
    scope.constant("stiffness", Quantity::known(1e3, Dim::STIFFNESS));
    scope.constant("mu", Quantity::unknown(0.3));
    scope.variable("t", 0, Some(Dim::TIME));
    scope.variable("gap", 1, Some(Dim::LENGTH)).variable("gap.rate", 2, Some(Dim::VELOCITY));
    scope.variable("hinge.angle", 3, Some(Dim::ANGLE));
    scope
}

/// All errors of a text: the place in question and the message with its hint.
fn told(text: &str) -> Vec<(&str, String)> {
    let errors = match parse(text, &scope()) {
        Ok(expr) => panic!("{text} was accepted: {expr:?}"),
        Err(errors) => errors,
    };
    errors.into_iter().map(|e| (&text[e.span.clone()], e.to_string())).collect()
}

#[track_caller]
fn says(text: &str, place: &str, message: &str) {
    assert_eq!(told(text), [(place, message.to_string())], "{text}");
}

#[test]
fn names() {
    says("2*gep", "gep", "`gep` is not defined here (did you mean `gap`?)");
    says("gap.rat + 1", "gap.rat", "`gap.rat` is not defined here (did you mean `gap.rate`?)");
    says("Gap", "Gap", "`Gap` is not defined here (did you mean `gap`?)");
    says("2*PI", "PI", "`PI` is not defined here (did you mean `pi`?)");
    says(
        "2*foo",
        "foo",
        "`foo` is not defined here (known here: gap, gap.rate, hinge.angle, mu, stiffness, t)",
    );
    says("2*mm", "mm", "`mm` is not defined here (`mm` is a unit, and units follow a number, as in `1 mm`)");
    says("sin + 1", "sin", "`sin` is not defined here (`sin` is a function: write `sin(…)`)");
    assert_eq!(parse("x", &Scope::new()).unwrap_err()[0].to_string(), "`x` is not defined here");
}

#[test]
fn functions() {
    says("sine(1)", "sine", "there is no function `sine` (did you mean `sin`?)");
    says("log(1)", "log", "there is no function `log` (the natural logarithm is `ln`, the decadic `log10`)");
    says("arctan(1)", "arctan", "there is no function `arctan` (did you mean `atan`?)");
    says("frobnicate(1, 2)", "frobnicate", "there is no function `frobnicate`");
    says("mu(3)", "mu", "`mu` is a value, not a function (to multiply, write `mu*(…)`)");
    says("sin(1, 2)", "sin(1, 2)", "sin() takes 1 argument, but 2 are given (sin(x): sine)");
    says("sin()", "sin()", "sin() takes 1 argument, but none is given (sin(x): sine)");
    says(
        "min(1)",
        "min(1)",
        "min() takes at least 2 arguments, but 1 is given (min(a, b, ...): smallest argument)",
    );
    says(
        "1 + step(t, 0, 1)",
        "step(t, 0, 1)",
        "step() takes 5 arguments, but 3 are given (step(x, x0, y0, x1, y1): from y0 at x0 to y1 at x1, cubic)",
    );
    says(
        "step(t, 2 s, 0, 1 s, 5)",
        "2 s, 0, 1 s",
        "step(): x0 must be less than x1, but they are 2 and 1 (the order is step(x, x0, y0, x1, y1))",
    );
    says(
        "clamp(t, 2, 1)",
        "2, 1",
        "clamp(): lo must not exceed hi, but they are 2 and 1 (the order is clamp(x, lo, hi))",
    );
    says(
        "pulse(t, 1, 1)",
        "1, 1",
        "pulse(): a must be less than b, but they are 1 and 1 (the order is pulse(x, a, b))",
    );
}

#[test]
fn grammar() {
    says("", "", "the expression is empty");
    says("  ", "  ", "the expression is empty");
    says("2*(1 + 3", "(", "this `(` is not closed");
    says("sin(1 + 3", "(", "this `(` is not closed");
    says("1 + 3)", ")", "this `)` has no matching `(`");
    says(")", ")", "this `)` has no matching `(`");
    says("2 +", "+", "a number or a name is missing after `+`");
    says("2 + * 3", "*", "a number or a name is missing before `*`");
    says("()", ")", "a number or a name is missing before `)`");
    says("max(1,)", ")", "a number or a name is missing before `)`");
    says("2 3", "3", "an operator is missing before `3` (to multiply, write `*` before `3`)");
    says("2 mu", "mu", "an operator is missing before `mu` (to multiply, write `*` before `mu`)");
    says("2 pi", "pi", "an operator is missing before `pi` (to multiply, write `*` before `pi`)");
    says("2(3)", "(", "an operator is missing before `(` (to multiply, write `*` before `(`)");
    says("2 sin(3)", "sin", "an operator is missing before `sin` (to multiply, write `*` before `sin`)");
    says(
        "mu mm",
        "mm",
        "an operator is missing before `mm` (units follow a number or `)` and are joined by `*` or `/`, as in `2 N*m` or `(x) mm`)",
    );
    says(
        "5 N m",
        "m",
        "an operator is missing before `m` (units follow a number or `)` and are joined by `*` or `/`, as in `2 N*m` or `(x) m`)",
    );
    says(
        "1,5",
        ",",
        "a `,` is allowed only between the arguments of a function (decimals are written with a \
             point: 1.5)",
    );
    says(
        "0 < t < 1",
        "0 < t <",
        "comparisons cannot be chained (write `a < b && b < c` instead of `a < b < c`)",
    );
    says("t = 1", "=", "`=` has no meaning here (equality is tested with `==`)");
    says("t ** 2", "**", "`**` has no meaning here (powers are written with `^`)");
    says("3 $ 4", "$", "`$` has no meaning here");
}

#[test]
fn units() {
    says("250 Nm", "Nm", "there is no unit `Nm` (did you mean `N*m`?)");
    says("3 degrees", "degrees", "there is no unit `degrees` (did you mean `deg`?)");
    says("3 Deg", "Deg", "there is no unit `Deg` (did you mean `deg`?)");
    says(
        "2 m m",
        "m",
        "an operator is missing before `m` (units follow a number or `)` and are joined by `*` or `/`, as in `2 N*m` or `(x) m`)",
    );
    says("(3 m) mm", "mm", "`(3 m)` already has a unit: it is a length (m)");
    says(
        "2 m^mu",
        "^mu",
        "the exponent of a unit is an integer, as in `m/s^2` (to raise the whole quantity to a \
             power, put it in parentheses: `(2 m)^n`)",
    );
}

#[test]
fn dimensions() {
    says("3 m + 2 s", "3 m + 2 s", "`3 m` is a length (m) and `2 s` is a time (s): they cannot be added");
    says("gap - t", "gap - t", "`gap` is a length (m) and `t` is a time (s): they cannot be subtracted");
    says("gap < 3 s", "gap < 3 s", "`gap` is a length (m) and `3 s` is a time (s): they cannot be compared");
    says(
        "sin(3 m)",
        "3 m",
        "sin() needs an angle, but `3 m` is a length (m) (divide it by a quantity of its own kind, such as `2 m`)",
    );
    says(
        "sin(2*pi*t)",
        "2*pi*t",
        "sin() needs an angle, but `2*pi*t` is a time (s) (multiply the time by a rate, such as `2 rad/s`)",
    );
    says(
        "exp(-t)",
        "-t",
        "exp() needs a pure number, but `-t` is a time (s) (divide it by a quantity of its own kind, such as `2 s`)",
    );
    says("sqrt(gap)", "gap", "`gap` is a length (m), and sqrt() of it has no unit with integer powers");
    says(
        "gap^1.5",
        "gap^1.5",
        "`gap` is a length (m), which cannot be raised to a fractional power (divide by a unit first to get a pure number: `(gap / 1 m)^…`)",
    );
    says(
        "gap^(t/(1 s))",
        "gap^(t/(1 s))",
        "`gap` is a length (m), so its exponent must be a constant integer (divide by a unit first to get a pure number: `(gap / 1 m)^…`)",
    );
    says("2^(3 m)", "2^(3 m)", "an exponent must be a pure number, but `(3 m)` is a length (m)");
    says(
        "max(gap, 0, t)",
        "gap, 0, t",
        "`gap` is a length (m) and `t` is a time (s): they cannot be arguments of max() together",
    );
    says(
        "if(t > 1, gap, 3 deg)",
        "gap, 3 deg",
        "`gap` is a length (m) and `3 deg` is an angle (rad): they cannot be choices of one if()",
    );
    says(
        "step(t, 0, 1 m, 1, 2 s)",
        "1 m, 1, 2 s",
        "`1 m` is a length (m) and `2 s` is a time (s): they cannot be both ends of a transition",
    );
    says(
        "step(t, 0, 1, 2 m, 2)",
        "t, 0, 1, 2 m",
        "`t` is a time (s) and `2 m` is a length (m): they cannot be arguments of step() together",
    );
    // long operands are shortened
    assert!(
        told("(gap + gap + gap + gap + gap + gap + gap) + t")[0]
            .1
            .starts_with("`(gap + gap + gap + gap + gap + g…`")
    );
}

#[test]
fn all_faults_are_told_at_once() {
    let all = told("gep + sine(3) + (1 m + 1 s)*max(1)");
    let places: Vec<_> = all.iter().map(|(place, _)| *place).collect();
    assert_eq!(places, ["gep", "sine", "1 m + 1 s", "max(1)"]);
}

#[test]
fn what_fits() {
    for text in [
        "gap + 1",
        "min(gap, 0.1)",
        "gap + mu",
        "gap*mu + 3 s",
        "sin(hinge.angle) + cos(30 deg) + sin(2) + sin(mu) + sin(2 rad/s*t)",
        "sqrt(gap^2 + 1 mm^2) + 1 m",
        "sqrt(2*stiffness*gap/(1 kg*m)) + 1 Hz",
        "cbrt(gap^3) + gap",
        "0.1*sin(t/(1 s)) + gap",
        "(gap/1 m)^1.5 * 1e3 + 1 N",
        "(gap^2)^0.5 + gap",
        "atan2(gap, 1) + hypot(gap, 2 m)/(1 m)",
        "abs(gap) + clamp(gap, 0, 1 m) + ramp(gap, 1 mm) + mod(gap, 1)",
        "sign(gap)*(1 N)*if(t > 2, 1, 0) + 3 kgf",
        "gap/1 s + gap.rate",
        "t > 1 && gap < 2 m || !t",
        "2*hinge.angle + 3",
        "i0*0.1 m + gap",
    ] {
        let mut scope = scope();
        scope.constant("i0", Quantity::bare(2.0));
        assert!(parse(text, &scope).is_ok(), "{text}: {:?}", parse(text, &scope));
    }
}

#[test]
fn fields_need_their_dimension() {
    let told = |text: &str, needed: Dim| parse_as(text, &scope(), needed).unwrap_err()[0].to_string();
    assert_eq!(told("15 deg", Dim::LENGTH), "this is an angle (rad), but a length (m) is needed");
    assert_eq!(
        told("2*15 deg", Dim::LENGTH).split(" (a ").next(),
        Some("this is an angle (rad), but a length (m) is needed")
    );
    assert_eq!(
        told("3 N", Dim::TORSIONAL_STIFFNESS),
        "this is a force (N), but a torsional stiffness (N*m/rad) is needed"
    );
    assert_eq!(
        told("-1000*gap", Dim::FORCE),
        "this is a length (m), but a force (N) is needed (a number without a unit is a pure number; \
         if it is a stiffness (N/m), write its unit, as in `2 N/m`)"
    );
    assert_eq!(
        told("2 g", Dim::ACCELERATION),
        "this is a mass (kg), but an acceleration (m/s^2) is needed (`g` is the gram; standard gravity is `g0`, as in `1.5 g0`)"
    );
    assert_eq!(told("gap/1 m", Dim::FORCE), "this is a pure number, but a force (N) is needed");
    for text in
        ["3", "mu*gap", "2 kN", "stiffness*gap", "5*sin(hinge.angle)", "5 N*hinge.angle", "if(t > 1, 5, 0)"]
    {
        assert!(parse_as(text, &scope(), Dim::FORCE).is_ok(), "{text}");
    }
}
