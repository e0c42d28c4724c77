//! Expressions, units and tables of model files.
//!
//! ```
//! use kingpin::expr::{Dim, Quantity, Scope, parse, parse_as};
//!
//! let mut scope = Scope::new();
//! scope.constant("k", Quantity::known(12e6, Dim::STIFFNESS)).variable("gap", 0, Some(Dim::LENGTH));
//! let force = parse_as("-k * gap + 5 kN", &scope, Dim::FORCE).unwrap();
//! assert_eq!(force.eval(&[0.001]), -7000.0);
//!
//! let errors = parse("-k * gsp + 3 s", &scope).unwrap_err();
//! assert_eq!(errors[0].hint.as_deref(), Some("did you mean `gap`?"));
//! ```
//!
//! A text is read once, against a [`Scope`] of parameters and variables, into a flat program ([`Expr`]) that
//! is evaluated without allocation on any [`Scalar`](crate::scalar::Scalar), so derivatives are exact.
//!
//! A number or closing parenthesis followed by a unit is a quantity (`12 kN/mm`, `(1 + 2) deg`). After `*` or
//! `/` the unit goes on as long as the name there is that of a unit: `10 m/s * t`. If the scope has that name
//! too, the text must look like one unit, `100 N/m`, or it is refused because it could mean both, `2 kg*g`.
//! Dimensions are checked by the rules of [`Unitness`].

mod check;
mod code;
mod collision;
mod contact;
mod curve;
mod dim;
mod error;
mod function;
mod interval;
mod made;
mod math;
mod op;
mod parameters;
mod parser;
mod pieces;
mod program;
mod quantity;
mod roots;
mod scope;
mod token;
mod unit;
mod unit_list;

#[cfg(test)]
mod derivative_tests;
#[cfg(test)]
mod grammar_tests;
#[cfg(test)]
mod message_tests;
#[cfg(test)]
mod unit_tests;

pub use curve::{Curve, CurveError, Ends, Extrapolate, Join};
pub use dim::Dim;
pub use error::{ExprError, closest};
pub use function::{Builtin, CONSTANTS, FUNCTIONS};
pub use interval::Interval;
pub use parameters::{ParamDef, Parameters, resolve_parameters};
pub use pieces::{Edges, HELD, Site, whole};
pub use program::{Expr, MAX_DEPTH};
pub use quantity::{Quantity, Unitness};
pub use roots::{RootSearch, first_below};
pub use scope::{Binding, Scope};
pub use token::is_identifier;
pub use unit::{Unit, is_unit};
pub use unit_list::{ListedUnit, units};

use parser::Parser;

/// Reads an expression. On failure all faults found are returned, in the order of the text.
pub fn parse(text: &str, scope: &Scope<'_>) -> Result<Expr, Vec<ExprError>> {
    let (mut parser, unit) = Parser::read(text, scope);
    let depth = parser.code.depth();
    if parser.errors.is_empty() && depth > MAX_DEPTH {
        let message =
            format!("this expression needs {depth} intermediate values at once (limit {MAX_DEPTH})");
        let hint = "define parts of it as parameters, or write `a + b + c` instead of `a + (b + (c + …))`";
        parser.errors.push(ExprError::new(0..text.len(), message).with_hint(hint));
    }
    match unit {
        Some(unit) if parser.errors.is_empty() => Ok(Expr {
            text: text.into(),
            used: parser.code.variables(),
            ops: parser.code.ops,
            held: Vec::new(),
            depth,
            unit,
            bare_factor: parser.bare_factor,
            read_as_unit: parser.read_as_unit,
        }),
        _ => {
            parser.errors.sort_by_key(|error| (error.span.start, error.span.end));
            Err(parser.errors)
        }
    }
}

/// Reads an expression that must have a given dimension; plain numbers are taken in its SI unit.
pub fn parse_as(text: &str, scope: &Scope<'_>, needed: Dim) -> Result<Expr, Vec<ExprError>> {
    let expr = parse(text, scope)?;
    expr.expect(needed).map_err(|error| vec![error])?;
    Ok(expr)
}
