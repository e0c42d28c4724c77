//! The list of functions: name, arguments, rule for dimensions, description.

use super::op::Op;

/// How a function treats the dimensions of its arguments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DimensionRule {
    /// The argument is a pure number or an angle; so is the result.
    Pure,
    /// All arguments agree, the result is of their kind.
    Same,
    /// All arguments agree, the result is a pure number.
    Agree,
    /// The result has the dimension to this power.
    Root(f64),
    /// Base and exponent.
    Power,
    /// x, x0, y0, x1, y1: the x agree, the y agree, the result is a y.
    Transition,
    /// condition, a, b: the choices agree.
    Choice,
}

/// A function of the expression language.
#[derive(Debug)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// Names of its arguments.
    pub arguments: &'static [&'static str],
    /// Whether more of the last kind may follow.
    pub variadic: bool,
    /// What it computes.
    pub about: &'static str,
    pub(super) op: Op,
    pub(super) rule: DimensionRule,
}

impl Builtin {
    /// Its arguments as a reader sees them: `x, lo, hi`, or `a, b, ...`.
    pub fn shown_arguments(&self) -> String {
        self.arguments.join(", ") + if self.variadic { ", ..." } else { "" }
    }
}

/// The function of a given name.
pub(super) fn function_named(name: &str) -> Option<&'static Builtin> {
    FUNCTIONS.iter().find(|f| f.name == name)
}

/// A number that has a name; parameters and variables may shadow it.
pub(super) fn constant_named(name: &str) -> Option<f64> {
    CONSTANTS.iter().find(|(n, _)| *n == name).map(|(_, value)| *value)
}

/// Named numbers.
pub const CONSTANTS: &[(&str, f64)] =
    &[("pi", std::f64::consts::PI), ("tau", std::f64::consts::TAU), ("e", std::f64::consts::E)];

const fn row(
    name: &'static str,
    arguments: &'static [&'static str],
    op: Op,
    rule: DimensionRule,
    about: &'static str,
) -> Builtin {
    Builtin { name, arguments, variadic: false, about, op, rule }
}

/// A row of a function of any number of arguments.
const fn any(name: &'static str, op: Op, about: &'static str) -> Builtin {
    Builtin { name, arguments: &["a", "b"], variadic: true, about, op, rule: DimensionRule::Same }
}

/// All functions, in the order a reference should show them.
pub const FUNCTIONS: &[Builtin] = &[
    row("sin", &["x"], Op::Sin, DimensionRule::Pure, "sine"),
    row("cos", &["x"], Op::Cos, DimensionRule::Pure, "cosine"),
    row("tan", &["x"], Op::Tan, DimensionRule::Pure, "tangent"),
    row("asin", &["x"], Op::Asin, DimensionRule::Pure, "inverse sine, in radians"),
    row("acos", &["x"], Op::Acos, DimensionRule::Pure, "inverse cosine, in radians"),
    row("atan", &["x"], Op::Atan, DimensionRule::Pure, "inverse tangent, in radians"),
    row("atan2", &["y", "x"], Op::Atan2, DimensionRule::Agree, "angle of the point (x, y), in (-pi, pi]"),
    row("sinh", &["x"], Op::Sinh, DimensionRule::Pure, "hyperbolic sine"),
    row("cosh", &["x"], Op::Cosh, DimensionRule::Pure, "hyperbolic cosine"),
    row("tanh", &["x"], Op::Tanh, DimensionRule::Pure, "hyperbolic tangent"),
    row("exp", &["x"], Op::Exp, DimensionRule::Pure, "exponential"),
    row("ln", &["x"], Op::Ln, DimensionRule::Pure, "natural logarithm"),
    row("log10", &["x"], Op::Log10, DimensionRule::Pure, "decadic logarithm"),
    row("sqrt", &["x"], Op::Sqrt, DimensionRule::Root(0.5), "square root"),
    row("cbrt", &["x"], Op::Cbrt, DimensionRule::Root(1.0 / 3.0), "cube root"),
    row("pow", &["x", "y"], Op::Pow, DimensionRule::Power, "the power x^y"),
    row("hypot", &["x", "y"], Op::Hypot, DimensionRule::Same, "sqrt(x^2 + y^2)"),
    row("abs", &["x"], Op::Abs, DimensionRule::Same, "magnitude"),
    row("sign", &["x"], Op::Sign, DimensionRule::Agree, "-1, 0 or 1"),
    row("floor", &["x"], Op::Floor, DimensionRule::Same, "largest integer not above x"),
    row("ceil", &["x"], Op::Ceil, DimensionRule::Same, "smallest integer not below x"),
    row("round", &["x"], Op::Round, DimensionRule::Same, "nearest integer, halves away from zero"),
    row("mod", &["x", "y"], Op::Mod, DimensionRule::Same, "remainder of x/y with the sign of y"),
    any("min", Op::Min, "smallest argument"),
    any("max", Op::Max, "largest argument"),
    row("clamp", &["x", "lo", "hi"], Op::Clamp, DimensionRule::Same, "x limited to the range from lo to hi"),
    row("ramp", &["x", "a"], Op::Ramp, DimensionRule::Same, "x - a after a, zero before"),
    row("pulse", &["x", "a", "b"], Op::Pulse, DimensionRule::Agree, "1 for a <= x < b, else 0"),
    row(
        "step",
        &["x", "x0", "y0", "x1", "y1"],
        Op::Step,
        DimensionRule::Transition,
        "from y0 at x0 to y1 at x1, cubic",
    ),
    row(
        "smooth5",
        &["x", "x0", "y0", "x1", "y1"],
        Op::Smooth5,
        DimensionRule::Transition,
        "from y0 at x0 to y1 at x1, quintic",
    ),
    row(
        "if",
        &["condition", "a", "b"],
        Op::Select,
        DimensionRule::Choice,
        "a where the condition is not zero, else b",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn argument_lists_match_the_steps() {
        for f in FUNCTIONS {
            assert_eq!(f.arguments.len(), f.op.arity(), "{}", f.name);
            assert_eq!(FUNCTIONS.iter().filter(|g| g.name == f.name).count(), 1);
        }
        assert!(function_named("min").unwrap().variadic && !function_named("sin").unwrap().variadic);
    }
}
