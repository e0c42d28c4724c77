//! Dimensions of operators and functions, and what is said when they do not fit.

use super::dim::Dim;
use super::error::{ExprError, quoted};
use super::function::{Builtin, DimensionRule};
use super::op::Op;
use super::parser::{Operand, Parser};
use super::quantity::Unitness;
use std::ops::Range;

impl Parser<'_> {
    /// Ends an operator with two operands.
    pub(super) fn combine(&mut self, op: Op, left: Operand, right: Operand) -> Operand {
        let span = left.span.start..right.span.end;
        let unit = match op {
            Op::Mul | Op::Div => {
                self.note_bare_factor(&left, &right);
                if op == Op::Mul { left.unit.times(right.unit) } else { left.unit.over(right.unit) }
            }
            Op::Add => self.agree(&left, &right, "be added"),
            Op::Sub => self.agree(&left, &right, "be subtracted"),
            Op::And | Op::Or => Unitness::Bare,
            _ => {
                self.agree(&left, &right, "be compared");
                Unitness::Bare
            }
        };
        self.code.emit(op);
        Operand { span, unit, start: left.start }
    }

    /// The common dimension of two operands, or an error.
    fn agree(&mut self, a: &Operand, b: &Operand, verb: &str) -> Unitness {
        if let Some(common) = a.unit.unify(b.unit) {
            return common;
        }
        let (left, right) = (self.described(a), self.described(b));
        let span = a.span.start.min(b.span.start)..a.span.end.max(b.span.end);
        self.errors.push(ExprError::new(span, format!("{left} and {right}: they cannot {verb}")));
        Unitness::Unknown
    }

    /// "`3 m` is a length (m)".
    fn described(&self, node: &Operand) -> String {
        let what = quoted(self.text, &node.span);
        match node.unit {
            Unitness::Known(dim) => format!("{what} is {}", dim.noun()),
            _ => format!("{what} is a pure number"),
        }
    }

    /// Remembers that a plain number met a dimension in a product: if the result does not fit, that is why.
    fn note_bare_factor(&mut self, left: &Operand, right: &Operand) {
        let dimensional = |unit: Unitness| unit.dim().is_some_and(|d| !d.is_pure() || d.is_angle());
        self.bare_factor |= (left.unit == Unitness::Bare && dimensional(right.unit))
            || (right.unit == Unitness::Bare && dimensional(left.unit));
    }

    /// Dimension of a power; both operands have been emitted, the exponent last.
    pub(super) fn power_unit(&mut self, base: &Operand, exponent: &Operand) -> Unitness {
        let span = base.span.start..exponent.span.end;
        if !exponent.unit.is_pure() {
            let what = self.described(exponent);
            self.errors.push(ExprError::new(span, format!("an exponent must be a pure number, but {what}")));
            return Unitness::Unknown;
        }
        let Unitness::Known(dim) = base.unit else { return base.unit };
        let fixed = self.code.constant(exponent.start..self.code.len());
        match fixed.map(|c| dim.powf(c)) {
            Some(Some(raised)) => Unitness::Known(raised),
            _ if dim.is_pure() => Unitness::Known(Dim::NONE),
            // an exponent that could not be understood has been reported already
            Some(None) if fixed.is_some_and(f64::is_nan) => Unitness::Unknown,
            fits => {
                let what = self.described(base);
                let ratio = format!("({} / 1 {dim})", self.text[base.span.clone()].trim());
                let message = match fits {
                    None => format!("{what}, so its exponent must be a constant integer"),
                    Some(_) => format!("{what}, which cannot be raised to a fractional power"),
                };
                let hint = format!("divide by a unit first to get a pure number: `{ratio}^…`");
                self.errors.push(ExprError::new(span, message).with_hint(hint));
                Unitness::Unknown
            }
        }
    }

    /// Checks the arguments of a call, emits it (the arguments are emitted already) and gives its dimension.
    pub(super) fn apply_function(
        &mut self,
        f: &Builtin,
        args: &[Operand],
        start: usize,
        span: &Range<usize>,
    ) -> Unitness {
        if let Some(error) = wrong_count(f, args.len(), span) {
            return self.fail(start, error);
        }
        if let Some(error) = self.wrong_order(f, args) {
            self.errors.push(error);
        }
        let unit = self.function_unit(f, args);
        match f.op {
            Op::Select => self.code.choose([args[0].start, args[1].start, args[2].start]),
            _ if f.variadic => {} // emitted argument by argument
            op => self.code.emit(op),
        }
        unit
    }

    fn function_unit(&mut self, f: &Builtin, args: &[Operand]) -> Unitness {
        let verb = format!("be arguments of {}() together", f.name);
        match f.rule {
            DimensionRule::Pure => {
                self.need_pure(f, &args[0]);
                Unitness::Bare
            }
            DimensionRule::Same => self.all_agree(args.iter(), &verb),
            DimensionRule::Agree => {
                self.all_agree(args.iter(), &verb);
                Unitness::Bare
            }
            DimensionRule::Power => self.power_unit(&args[0], &args[1]),
            DimensionRule::Root(power) => self.root_unit(f, &args[0], power),
            DimensionRule::Transition => {
                self.all_agree([&args[0], &args[1], &args[3]].into_iter(), &verb);
                self.agree(&args[2], &args[4], "be both ends of a transition")
            }
            DimensionRule::Choice => self.agree(&args[1], &args[2], "be choices of one if()"),
        }
    }

    /// All arguments of a kind.
    fn all_agree<'n>(&mut self, mut args: impl Iterator<Item = &'n Operand>, verb: &str) -> Unitness {
        let Some(mut reference) = args.next() else { return Unitness::Bare };
        let mut common = reference.unit;
        for arg in args {
            let unit = self.agree(reference, arg, verb);
            if common.dim().is_none() {
                (common, reference) = (unit, arg);
            }
        }
        common
    }

    fn need_pure(&mut self, f: &Builtin, arg: &Operand) {
        let Unitness::Known(dim) = arg.unit else { return };
        if dim.is_pure() {
            return;
        }
        let trigonometric = matches!(f.op, Op::Sin | Op::Cos | Op::Tan);
        let kind = if trigonometric { "an angle" } else { "a pure number" };
        let what = self.described(arg);
        let error = ExprError::new(arg.span.clone(), format!("{}() needs {kind}, but {what}", f.name));
        self.errors.push(if trigonometric && dim == Dim::TIME {
            error.with_hint("multiply the time by a rate, such as `2 rad/s`")
        } else {
            error.with_hint(format!("divide it by a quantity of its own kind, such as `2 {dim}`"))
        });
    }

    fn root_unit(&mut self, f: &Builtin, arg: &Operand, power: f64) -> Unitness {
        let Unitness::Known(dim) = arg.unit else { return arg.unit };
        if let Some(root) = dim.powf(power) {
            return Unitness::Known(root);
        }
        let what = self.described(arg);
        let message = format!("{what}, and {}() of it has no unit with integer powers", f.name);
        self.errors.push(ExprError::new(arg.span.clone(), message));
        Unitness::Unknown
    }

    /// Fixed bounds that are the wrong way round.
    fn wrong_order(&self, f: &Builtin, args: &[Operand]) -> Option<ExprError> {
        let (low, high, may_equal) = match f.op {
            Op::Step | Op::Smooth5 => (1, 3, false),
            Op::Clamp => (1, 2, true),
            Op::Pulse => (1, 2, false),
            _ => return None,
        };
        let value = |k: usize| {
            let end = args.get(k + 1).map_or(self.code.len(), |next| next.start);
            self.code.constant(args[k].start..end)
        };
        let (a, b) = (value(low)?, value(high)?);
        if a < b || (a == b && may_equal) || a.is_nan() || b.is_nan() {
            return None;
        }
        let span = args[low].span.start..args[high].span.end;
        let relation = if may_equal { "must not exceed" } else { "must be less than" };
        let message = format!(
            "{}(): {} {relation} {}, but they are {a} and {b}",
            f.name, f.arguments[low], f.arguments[high]
        );
        Some(ExprError::new(span, message).with_hint(format!(
            "the order is {}({})",
            f.name,
            f.shown_arguments()
        )))
    }
}

/// Too few or too many arguments.
fn wrong_count(f: &Builtin, found: usize, span: &Range<usize>) -> Option<ExprError> {
    let least = f.arguments.len();
    if found == least || (found > least && f.variadic) {
        return None;
    }
    let needed = match (least, f.variadic) {
        (1, _) => "1 argument".into(),
        (n, false) => format!("{n} arguments"),
        (n, true) => format!("at least {n} arguments"),
    };
    let given = match found {
        0 => "none is given".into(),
        1 => "1 is given".into(),
        n => format!("{n} are given"),
    };
    let message = format!("{}() takes {needed}, but {given}", f.name);
    Some(ExprError::new(span.clone(), message).with_hint(format!(
        "{}({}): {}",
        f.name,
        f.shown_arguments(),
        f.about
    )))
}
