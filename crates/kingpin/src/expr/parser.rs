//! The grammar: precedence climbing from tokens straight to a postfix program.
//!
//! ```text
//! expression = or ;  or = and { "||" and } ;  and = comparison { "&&" comparison }
//! comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//! sum = product { ("+" | "-") product } ;  product = unary { ("*" | "/") unary }
//! unary = ("-" | "+" | "!") unary | power ;  power = quantity [ "^" unary ]
//! quantity = name | (number | "(" expression ")" | name "(" arguments ")") [ units ]
//! units = factor { ("*" | "/") factor } ;  factor = unit [ "^" [ "-" ] digits ]
//! ```
//!
//! `units` goes on as long as a unit follows `*` or `/`, whatever names the scope holds: what a text means
//! depends on the text alone. Where a name of the scope stands there, see [`super::collision`].

use super::code::Code;
use super::error::{ExprError, quoted};
use super::function::{CONSTANTS, FUNCTIONS, constant_named, function_named};
use super::op::Op;
use super::quantity::Unitness;
use super::scope::{Binding, Scope};
use super::token::{Tok, Token, tokens};
use super::unit::{UnitReader, unit_named, unit_suggestion};
use std::ops::Range;

/// Deepest nesting of parentheses, signs and powers.
const MAX_NESTING: usize = 100;

/// An operand that has been read: where it stands, its dimension, the first step of its code.
pub(super) struct Operand {
    pub(super) span: Range<usize>,
    pub(super) unit: Unitness,
    pub(super) start: usize,
}

/// A text being read. Faults of meaning are collected; a fault of grammar ends the reading.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token<'a>>,
    at: usize,
    nesting: usize,
    pub(super) scope: &'a Scope<'a>,
    pub(super) code: Code,
    pub(super) errors: Vec<ExprError>,
    /// Variables named anywhere, even in parts that were folded away.
    pub(super) named: Vec<u32>,
    pub(super) bare_factor: bool,
    /// A name of the scope that was read as a unit.
    pub(super) read_as_unit: Option<Box<str>>,
}

/// Precedence of comparisons, which do not chain.
const COMPARISON: u8 = 3;

/// The operator of a token and its precedence.
fn infix(tok: Tok<'_>) -> Option<(Op, u8)> {
    Some(match tok {
        Tok::Or => (Op::Or, 1),
        Tok::And => (Op::And, 2),
        Tok::Less => (Op::Less, COMPARISON),
        Tok::LessEqual => (Op::LessEqual, COMPARISON),
        Tok::Greater => (Op::Greater, COMPARISON),
        Tok::GreaterEqual => (Op::GreaterEqual, COMPARISON),
        Tok::Equal => (Op::Equal, COMPARISON),
        Tok::NotEqual => (Op::NotEqual, COMPARISON),
        Tok::Plus => (Op::Add, 4),
        Tok::Minus => (Op::Sub, 4),
        Tok::Star => (Op::Mul, 5),
        Tok::Slash => (Op::Div, 5),
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    /// Reads a whole text; the parser is returned with what it gathered, and the dimension if it got that far.
    pub(super) fn read(text: &'a str, scope: &'a Scope<'a>) -> (Parser<'a>, Option<Unitness>) {
        let mut parser = Parser {
            text,
            tokens: Vec::new(),
            at: 0,
            nesting: 0,
            scope,
            code: Code::default(),
            errors: Vec::new(),
            named: Vec::new(),
            bare_factor: false,
            read_as_unit: None,
        };
        let whole = tokens(text).and_then(|tokens| {
            parser.tokens = tokens;
            parser.whole()
        });
        let unit = whole.map_err(|error| parser.errors.push(error)).ok();
        (parser, unit)
    }

    fn whole(&mut self) -> Result<Unitness, ExprError> {
        if self.peek() == Tok::End {
            return Err(ExprError::new(0..self.text.len(), "the expression is empty"));
        }
        let node = self.binary(1)?;
        if self.peek() == Tok::End { Ok(node.unit) } else { Err(self.misplaced()) }
    }

    fn peek(&self) -> Tok<'a> {
        self.ahead(0).tok
    }

    fn ahead(&self, n: usize) -> &Token<'a> {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }

    /// Takes a token and gives its place.
    fn advance(&mut self) -> Range<usize> {
        let span = self.ahead(0).span.clone();
        self.at += 1;
        span
    }

    /// Operators of a precedence of at least `least`, left to right.
    fn binary(&mut self, least: u8) -> Result<Operand, ExprError> {
        let mut left = self.unary()?;
        while let Some((op, level)) = infix(self.peek()).filter(|(_, level)| *level >= least) {
            self.advance();
            let right = self.binary(level + 1)?;
            if level == COMPARISON && infix(self.peek()).is_some_and(|(_, next)| next == COMPARISON) {
                let span = left.span.start..self.ahead(0).span.end;
                return Err(ExprError::new(span, "comparisons cannot be chained")
                    .with_hint("write `a < b && b < c` instead of `a < b < c`"));
            }
            left = self.combine(op, left, right);
        }
        Ok(left)
    }

    /// Signs and `!`, which bind weaker than `^`.
    fn unary(&mut self) -> Result<Operand, ExprError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            let span = self.ahead(0).span.clone();
            return Err(ExprError::new(span, format!("nested too deeply: more than {MAX_NESTING} levels"))
                .with_hint("define parts of it as parameters"));
        }
        let node = match self.peek() {
            Tok::Minus => self.prefix(Some(Op::Neg)),
            Tok::Plus => self.prefix(None),
            Tok::Not => self.prefix(Some(Op::Not)),
            _ => self.power(),
        };
        self.nesting -= 1;
        node
    }

    fn prefix(&mut self, op: Option<Op>) -> Result<Operand, ExprError> {
        let sign = self.advance();
        let operand = self.unary()?;
        let unit = if op == Some(Op::Not) { Unitness::Bare } else { operand.unit };
        if let Some(op) = op {
            self.code.emit(op);
        }
        Ok(Operand { span: sign.start..operand.span.end, unit, ..operand })
    }

    fn power(&mut self) -> Result<Operand, ExprError> {
        let base = self.quantity()?;
        if self.peek() != Tok::Caret {
            return Ok(base);
        }
        self.advance();
        let exponent = self.unary()?;
        let span = base.span.start..exponent.span.end;
        let unit = self.power_unit(&base, &exponent);
        self.code.emit(Op::Pow);
        Ok(Operand { span, unit, start: base.start })
    }

    /// A number, name, call or parenthesis, with its unit.
    fn quantity(&mut self) -> Result<Operand, ExprError> {
        let start = self.code.len();
        match self.peek() {
            Tok::Number(value) => {
                let span = self.advance();
                self.code.emit(Op::Const(value));
                self.unit_after(Operand { span, unit: Unitness::Bare, start })
            }
            Tok::Open => {
                let open = self.advance();
                let inner = self.binary(1)?;
                let close = self.close(&open)?;
                self.unit_after(Operand { span: open.start..close.end, ..inner })
            }
            Tok::Name(name) if self.ahead(1).tok == Tok::Open => {
                let call = self.call(name)?;
                self.unit_after(call)
            }
            Tok::Name(name) => {
                let span = self.advance();
                let unit = self.resolve(name, &span);
                Ok(Operand { span, unit, start })
            }
            _ => Err(self.value_missing()),
        }
    }

    /// The parenthesis that closes the one at `open`.
    fn close(&mut self, open: &Range<usize>) -> Result<Range<usize>, ExprError> {
        match self.peek() {
            Tok::Close => Ok(self.advance()),
            Tok::End => Err(ExprError::new(open.clone(), "this `(` is not closed")),
            _ => Err(self.misplaced()),
        }
    }

    /// A function and its arguments.
    fn call(&mut self, name: &'a str) -> Result<Operand, ExprError> {
        let start = self.code.len();
        let name_span = self.advance();
        let open = self.advance();
        let function = function_named(name);
        let running = function.filter(|f| f.variadic);
        let mut args = Vec::new();
        if self.peek() != Tok::Close {
            loop {
                args.push(self.binary(1)?);
                // several arguments are taken two at a time, so that the stack stays low
                if let Some(f) = running.filter(|_| args.len() > 1) {
                    self.code.emit(f.op);
                }
                if self.peek() != Tok::Comma {
                    break;
                }
                self.advance();
            }
        }
        let close = self.close(&open)?;
        let span = name_span.start..close.end;
        let unit = match function {
            Some(f) => self.apply_function(f, &args, start, &span),
            None => {
                let error = self.unknown_function(name, name_span);
                self.fail(start, error)
            }
        };
        Ok(Operand { span, unit, start })
    }

    /// The unit after a number or a closing parenthesis.
    fn unit_after(&mut self, node: Operand) -> Result<Operand, ExprError> {
        let Tok::Name(name) = self.peek() else { return Ok(node) };
        let span = self.ahead(0).span.clone();
        let is_call = self.ahead(1).tok == Tok::Open;
        if is_call || unit_named(name).is_none() {
            let known = self.scope.contains(name) || constant_named(name).is_some();
            if is_call || known || unit_suggestion(name).is_none() {
                return Err(self.misplaced());
            }
        }
        let mut run = UnitReader { text: self.text, tokens: &self.tokens[self.at..], used: 0 };
        let unit = run.factor().and_then(|first| run.more(first))?;
        let first = self.at;
        self.at += run.used;
        self.check_collision(&node, first..self.at, unit);
        let span = span.start..self.tokens[self.at - 1].span.end;
        if let Unitness::Known(dim) = node.unit {
            let what = quoted(self.text, &node.span);
            let message = format!("{what} already has a unit: it is {}", dim.noun());
            self.errors.push(ExprError::new(span.clone(), message));
        }
        if unit.mul != 1.0 {
            self.code.emit(Op::Const(unit.mul));
            self.code.emit(Op::Mul);
        }
        if unit.div != 1.0 {
            self.code.emit(Op::Const(unit.div));
            self.code.emit(Op::Div);
        }
        Ok(Operand { span: node.span.start..span.end, unit: Unitness::Known(unit.dim()), ..node })
    }

    /// The value of a name: from the scope, else a named number.
    fn resolve(&mut self, name: &str, span: &Range<usize>) -> Unitness {
        match self.scope.lookup(name) {
            Some(Binding::Constant(q)) => {
                self.code.emit(Op::Const(q.value));
                q.unit
            }
            Some(Binding::Variable { index, unit }) => {
                self.named.push(index);
                self.code.emit(Op::Var(index));
                unit
            }
            None => {
                let known = constant_named(name);
                self.code.emit(Op::Const(known.unwrap_or(f64::NAN)));
                if known.is_some() {
                    return Unitness::Bare;
                }
                let error = self.unknown_name(name, span.clone());
                self.errors.push(error);
                Unitness::Unknown
            }
        }
    }

    /// Notes an error about the operand whose code starts at `start` and goes on without it.
    pub(super) fn fail(&mut self, start: usize, error: ExprError) -> Unitness {
        self.errors.push(error);
        self.code.replace(start, f64::NAN);
        Unitness::Unknown
    }

    fn unknown_name(&self, name: &str, span: Range<usize>) -> ExprError {
        let error = ExprError::new(span, format!("`{name}` is not defined here"));
        if function_named(name).is_some() {
            return error.with_hint(format!("`{name}` is a function: write `{name}(…)`"));
        }
        if unit_named(name).is_some() {
            return error
                .with_hint(format!("`{name}` is a unit, and units follow a number, as in `1 {name}`"));
        }
        let constants = || CONSTANTS.iter().map(|(n, _)| *n);
        if let Some(meant) = self.scope.suggest(name).or_else(|| super::error::closest(name, constants())) {
            return error.with_hint(format!("did you mean `{meant}`?"));
        }
        let mut known: Vec<&str> = self.scope.names().collect();
        known.sort_unstable();
        known.dedup();
        match known.len() {
            0 | 13.. => error,
            _ => error.with_hint(format!("known here: {}", known.join(", "))),
        }
    }

    fn unknown_function(&self, name: &str, span: Range<usize>) -> ExprError {
        if self.scope.contains(name) || constant_named(name).is_some() {
            return ExprError::new(span, format!("`{name}` is a value, not a function"))
                .with_hint(format!("to multiply, write `{name}*(…)`"));
        }
        let error = ExprError::new(span, format!("there is no function `{name}`"));
        let other = match name {
            "log" => Some("ln"),
            _ => super::error::closest(name, FUNCTIONS.iter().map(|f| f.name)),
        };
        match other {
            Some("ln") if name == "log" => {
                error.with_hint("the natural logarithm is `ln`, the decadic `log10`")
            }
            Some(meant) => error.with_hint(format!("did you mean `{meant}`?")),
            None => error,
        }
    }

    /// The token ahead cannot start a value.
    fn value_missing(&self) -> ExprError {
        let token = self.ahead(0);
        let before = self.at.checked_sub(1).map(|k| &self.tokens[k]);
        match (token.tok, before) {
            (Tok::Close, None) => ExprError::new(token.span.clone(), "this `)` has no matching `(`"),
            (Tok::End, Some(before)) => {
                let what = quoted(self.text, &before.span);
                ExprError::new(before.span.clone(), format!("a number or a name is missing after {what}"))
            }
            _ => {
                let what = quoted(self.text, &token.span);
                ExprError::new(token.span.clone(), format!("a number or a name is missing before {what}"))
            }
        }
    }

    /// The token ahead cannot follow a value.
    fn misplaced(&self) -> ExprError {
        let token = self.ahead(0);
        let what = quoted(self.text, &token.span);
        let missing = ExprError::new(token.span.clone(), format!("an operator is missing before {what}"));
        let after_name = self.at > 0 && matches!(self.tokens[self.at - 1].tok, Tok::Name(_));
        match token.tok {
            Tok::Close => ExprError::new(token.span.clone(), "this `)` has no matching `(`"),
            Tok::Comma => ExprError::new(
                token.span.clone(),
                "a `,` is allowed only between the arguments of a function",
            )
            .with_hint("decimals are written with a point: 1.5"),
            Tok::Name(name) if after_name && unit_named(name).is_some() && !self.scope.contains(name) => {
                missing.with_hint(format!(
                    "units follow a number or `)` and are joined by `*` or `/`, as in `2 N*m` or `(x) {name}`"
                ))
            }
            Tok::Caret | Tok::Not => {
                ExprError::new(token.span.clone(), format!("{what} is not allowed here"))
            }
            _ => missing.with_hint(format!("to multiply, write `*` before {what}")),
        }
    }
}
