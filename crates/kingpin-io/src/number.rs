//! Numbers of a model file: written out, or as expressions of parameters and of the indices of patterns.

use crate::context::{Context, Piece};
use crate::diagnostic::Diagnostic;
use crate::known::with_indices;
use crate::names::names_in;
use crate::source::Span;
use crate::tree::{Data, Node};
use kingpin::expr::{Dim, Expr, parse};

/// A number that is read once and evaluated for each value of the indices.
#[derive(Clone, Debug)]
pub(crate) enum Number {
    /// The same always.
    Fixed(f64),
    /// An expression of the indices.
    Indexed(Expr),
    /// An expression that can be read for given indices only, such as a length raised to the power of an index.
    Each(Box<str>),
}

/// A number and its place.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub number: Number,
    pub span: Span,
    /// Whether it was written as an expression.
    pub computed: bool,
}

impl Number {
    pub fn is_fixed(&self) -> bool {
        matches!(self, Number::Fixed(_))
    }

    /// The value for given indices. O(length of the expression).
    pub fn eval(&self, context: &Context<'_>, indices: &[f64]) -> f64 {
        match self {
            Number::Fixed(x) => *x,
            Number::Indexed(expr) => expr.eval(indices),
            Number::Each(text) => {
                let indices = context.indices_at(indices);
                let scope = with_indices(context.known.parameters(), &indices);
                parse(text, &scope).ok().and_then(|expr| expr.constant_value()).unwrap_or(f64::NAN)
            }
        }
    }
}

/// Reads a number of the given unit; `None` after a report.
pub(crate) fn number(context: &Context<'_>, field: &str, unit: &str, node: &Node) -> Option<Placed> {
    let placed = read(context, field, unit, node)?;
    if unit == "rad" {
        warn_of_degrees(context, field, node, &placed);
    }
    Some(placed)
}

/// Warns of a plain number that is an angle of many turns and looks like one in degrees.
fn warn_of_degrees(context: &Context<'_>, field: &str, node: &Node, placed: &Placed) {
    let Number::Fixed(x) = placed.number else { return };
    let has_unit = || match &node.data {
        Data::Text(text) => {
            parse(text, context.known.parameters()).is_ok_and(|expr| expr.unit().dim().is_some())
        }
        _ => false,
    };
    if x.abs() < LIKE_DEGREES || x.fract() != 0.0 || has_unit() {
        return;
    }
    let turns = x.abs() / std::f64::consts::TAU;
    let message =
        format!("`{field}` is {x} rad, or {turns:.1} revolutions: numbers without a unit are in radians");
    let warning = Diagnostic::warning("angle-without-unit", context.at(placed.span), message);
    context.push(
        warning
            .hint(format!("for degrees write `\"{x} deg\"`; if radians are intended, write `\"{x} rad\"`")),
    );
}

/// Whole numbers of radians from here on are suspicious.
const LIKE_DEGREES: f64 = 10.0;

fn read(context: &Context<'_>, field: &str, unit: &str, node: &Node) -> Option<Placed> {
    let span = node.span;
    match &node.data {
        Data::Integer(n) => Some(Placed { number: Number::Fixed(*n as f64), span, computed: false }),
        Data::Number(x) => Some(Placed { number: Number::Fixed(*x), span, computed: false }),
        Data::Text(text) => {
            let made = context.as_number(span, text).ok()?;
            let piece = made.as_ref().map_or(Piece::whole(span, text), |made| Piece::made(span, made));
            context.known.note_uses(text);
            let number = expression(context, field, unit, piece)?;
            Some(Placed { number, span, computed: true })
        }
        other => {
            let message = format!("`{field}` must be a number or an expression, not {}", other.noun());
            context.error(span, message);
            None
        }
    }
}

/// Reads an expression of parameters and indices.
pub(crate) fn expression(context: &Context<'_>, field: &str, unit: &str, piece: Piece<'_>) -> Option<Number> {
    let known = context.known;
    known.note_uses(piece.text);
    // indices count as plain numbers: with one value each, all faults show
    let first = with_indices(known.parameters(), &context.indices);
    let expr = match parse(piece.text, &first) {
        Ok(expr) => expr,
        Err(errors) => {
            piece.report(context, errors);
            return None;
        }
    };
    check_unit(context, field, unit, piece, &expr)?;
    if !names_in(piece.text).iter().any(|(_, name)| context.is_index(name)) {
        return Some(Number::Fixed(expr.constant_value().unwrap_or(f64::NAN)));
    }
    // the same with the indices left open
    let mut open = known.parameters().child();
    for (k, (name, _)) in context.indices.iter().enumerate() {
        open.variable(*name, k as u32, None);
    }
    Some(match parse(piece.text, &open) {
        Ok(expr) => expr.constant_value().map_or(Number::Indexed(expr), Number::Fixed),
        Err(_) => Number::Each(piece.text.into()),
    })
}

/// Whether the dimension of an expression fits the unit of a field; `None` after a report.
pub(crate) fn check_unit(
    context: &Context<'_>,
    field: &str,
    unit: &str,
    piece: Piece<'_>,
    expr: &Expr,
) -> Option<()> {
    if unit == "*" {
        return Some(());
    }
    let needed = if unit.is_empty() { Dim::NONE } else { Dim::parse(unit).ok()? };
    let place = || (field, context.at(piece.place(context.text, 0..piece.text.len())));
    let own = expr.unit().dim().filter(|_| context.instance.is_none() && !piece.made);
    let Err(error) = expr.expect(needed) else {
        own.into_iter().for_each(|own| context.known.note_unit(piece.text, place(), own, None));
        return Some(());
    };
    own.into_iter().for_each(|own| context.known.note_unit(piece.text, place(), own, Some(needed)));
    let found = expr.unit().dim().map_or_else(|| "something else".into(), Dim::noun);
    let what = if piece.made { "this".into() } else { shown(piece.text) };
    let message = format!("`{field}` expects {}, but {what} is {found}", needed.noun());
    let hint = error.hint.unwrap_or_else(|| match needed.is_pure() {
        true => "write a pure number, or a quotient of quantities of the same kind".into(),
        false => format!("write a quantity in `{needed}` or a unit of the same kind"),
    });
    context.error_hint(piece.place(context.text, 0..piece.text.len()), message, Some(hint));
    None
}

/// A text in back quotes, shortened when long.
pub(crate) fn shown(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(40) {
        Some((cut, _)) => format!("`{}…`", text[..cut].escape_debug()),
        None => format!("`{}`", text.escape_debug()),
    }
}

#[cfg(test)]
mod tests {
    use super::shown;
    use crate::{Overrides, read_text};

    /// Masses of the bodies of a pattern with the given expression.
    fn masses(expression: &str) -> Vec<f64> {
        let text = format!(
            "space = 'planar'\n[parameters]\nedge = '2 m'\nn = 3\n[[pattern]]\nto = 'n'\n\
             [[pattern.body]]\nname = 'b{{i}}'\ninertia = 1\nmass = \"{expression}\"\n"
        );
        let loaded = read_text("a.toml", &text, ".", &Overrides::new(["edge=2 m"]));
        let said = loaded.render(false);
        loaded.model.expect(&said).bodies.iter().map(|body| body.mass).collect()
    }

    #[test]
    fn expressions_are_evaluated_for_each_index() {
        assert_eq!(masses("500 g"), [0.5, 0.5, 0.5]);
        assert_eq!(masses("2*i + edge * 1 kg/m"), [4.0, 6.0, 8.0]);
        // an index alone counts as a plain number in the unit of the field
        assert_eq!(masses("i"), [1.0, 2.0, 3.0]);
        // the dimension of a power is known for a given exponent only
        assert_eq!(masses("edge^i / (1 m)^i * 1 kg"), [2.0, 4.0, 8.0]);
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(shown(" a\n "), "`a`");
        assert_eq!(shown(&"é".repeat(50)).chars().count(), 43);
    }
}
