//! What the reading of a field needs to know of its surroundings.

use crate::diagnostic::{Diagnostic, Report};
use crate::escape::place_in_string;
use crate::known::Known;
use crate::source::{Location, Span};
use kingpin::expr::ExprError;
use kingpin::model::Space;
use std::cell::RefCell;

/// The surroundings of a field: file, space, names, and the indices of the patterns around it.
#[derive(Clone)]
pub(crate) struct Context<'a> {
    /// Number of the file.
    pub file: u32,
    /// Its text.
    pub text: &'a str,
    pub space: Space,
    pub known: &'a Known,
    pub report: &'a RefCell<Report>,
    /// Names of the indices, outermost first, each with the value that expressions are first checked with.
    pub indices: Vec<(&'a str, i64)>,
}

impl Context<'_> {
    pub fn at(&self, span: Span) -> Location {
        Location { file: self.file, span }
    }

    pub fn push(&self, diagnostic: Diagnostic) {
        self.report.borrow_mut().push(diagnostic);
    }

    /// Reports an error.
    pub fn error(&self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::error(self.at(span), message));
    }

    /// Reports an error, with advice if there is any.
    pub fn error_hint(&self, span: Span, message: impl Into<String>, hint: Option<String>) {
        self.push(Diagnostic::error(self.at(span), message).maybe_hint(hint));
    }

    /// Whether a name is an index of a pattern around here.
    pub fn is_index(&self, name: &str) -> bool {
        self.indices.iter().any(|(index, _)| *index == name)
    }

    /// "", or ", for i = 3".
    pub fn for_indices(&self, values: &[f64]) -> String {
        let each = self.indices.iter().zip(values).map(|((name, _), value)| format!("{name} = {value}"));
        let all = each.collect::<Vec<_>>().join(", ");
        if all.is_empty() { all } else { format!(", for {all}") }
    }

    /// The indices with these values.
    pub fn indices_at(&self, values: &[f64]) -> Vec<(&str, i64)> {
        self.indices.iter().zip(values).map(|((name, _), value)| (*name, *value as i64)).collect()
    }
}

/// A piece of a string of the file, whose text is read as an expression.
#[derive(Clone, Copy)]
pub(crate) struct Piece<'t> {
    /// Place of the string, quotes included.
    pub string: Span,
    /// First byte of the piece in the text of the string.
    pub offset: usize,
    /// The piece.
    pub text: &'t str,
}

impl<'t> Piece<'t> {
    /// A whole string.
    pub fn whole(string: Span, text: &'t str) -> Piece<'t> {
        Piece { string, offset: 0, text }
    }

    /// The place of some bytes of the piece in the file.
    pub fn place(&self, file: &str, part: std::ops::Range<usize>) -> Span {
        let source = file.get(self.string.range()).unwrap_or("");
        place_in_string(source, self.string.start, part.start + self.offset..part.end + self.offset)
    }

    /// Reports the faults of the expression.
    pub fn report(&self, context: &Context<'_>, errors: Vec<ExprError>) {
        for error in errors {
            context.error_hint(self.place(context.text, error.span), error.message, error.hint);
        }
    }
}
