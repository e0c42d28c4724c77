//! What the reading of a field needs to know of its surroundings.

use crate::assembly::{Instance, shown};
use crate::diagnostic::{Diagnostic, Report};
use crate::escape::place_in_string;
use crate::known::Known;
use crate::load::Files;
use crate::source::{Location, Span};
use crate::vectors::{Term, Vectors};
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
    /// All files of the model.
    pub files: &'a Files,
    /// The assembly that the file is used for.
    pub instance: Option<&'a Instance<'a>>,
    /// Names of the indices, outermost first, each with the value that expressions are first checked with.
    pub indices: Vec<(&'a str, i64)>,
}

impl Context<'_> {
    pub fn at(&self, span: Span) -> Location {
        Location { file: self.file, span }
    }

    pub fn push(&self, diagnostic: Diagnostic) {
        let diagnostic = match self.instance {
            Some(instance) => diagnostic.assembly(instance.place, shown(&instance.prefix)),
            None => diagnostic,
        };
        self.report.borrow_mut().push(diagnostic);
    }

    /// The word for the space of the model.
    pub fn space_word(&self) -> &'static str {
        match self.space {
            Space::Planar => "planar",
            Space::Spatial => "spatial",
        }
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

    /// An expression in numbers alone, if there are points or functions of vectors in it; `Err` after a report.
    pub fn in_numbers(&self, string: Span, text: &str) -> Result<Option<Term>, ()> {
        let is_point = |name: &str| self.known.is_point(name);
        let vectors = Vectors { space: self.space, is_point: &is_point };
        if !vectors.concern(text) {
            return Ok(None);
        }
        vectors.read(text).map(Some).map_err(|(place, why)| {
            self.error(Piece::whole(string, text).place(self.text, place), why);
        })
    }

    /// The same, where a number is needed.
    pub fn as_number(&self, string: Span, text: &str) -> Result<Option<String>, ()> {
        match self.in_numbers(string, text)? {
            Some(Term::Scalar(text)) => Ok(Some(text)),
            Some(Term::Vector(_)) => {
                self.error(string, "a vector is given where a number is needed");
                Err(())
            }
            None => Ok(None),
        }
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
    /// Whether the text was made of that of the file, so that places in it mean nothing there.
    pub made: bool,
}

impl<'t> Piece<'t> {
    /// A whole string.
    pub fn whole(string: Span, text: &'t str) -> Piece<'t> {
        Piece { string, offset: 0, text, made: false }
    }

    /// A text that was made of a whole string.
    pub fn made(string: Span, text: &'t str) -> Piece<'t> {
        Piece { string, offset: 0, text, made: true }
    }

    /// The place of some bytes of the piece in the file.
    pub fn place(&self, file: &str, part: std::ops::Range<usize>) -> Span {
        if self.made {
            return self.string;
        }
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
