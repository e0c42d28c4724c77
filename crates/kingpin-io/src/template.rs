//! Names with `{…}` in them: the braces hold an expression whose whole value takes their place.

use crate::context::{Context, Piece};
use crate::number::{Number, expression};
use crate::source::Span;
use std::fmt::Write;

/// A name in pieces.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    parts: Vec<TemplatePart>,
}

#[derive(Clone, Debug)]
enum TemplatePart {
    Text(Box<str>),
    Value { number: Number, source: Box<str>, span: Span },
}

/// Whole numbers beyond this size are not exact.
const MAX_WHOLE: f64 = 1e15;

impl Template {
    /// Reads the text of a string; `None` after a report.
    pub fn read(context: &Context<'_>, field: &str, string: Span, text: &str) -> Option<Template> {
        let mut parts = Vec::new();
        let (mut at, mut good) = (0, true);
        while let Some(open) = text[at..].find('{').map(|k| at + k) {
            push_text(&mut parts, &text[at..open]);
            let Some(close) = text[open..].find('}').map(|k| open + k) else {
                let piece = Piece::whole(string, text);
                context.error(piece.place(context.text, open..open + 1), "this `{` is not closed");
                return None;
            };
            let piece = Piece { string, offset: open + 1, text: &text[open + 1..close], made: false };
            let span = piece.place(context.text, 0..piece.text.len());
            match expression(context, field, "", piece) {
                Some(number) => parts.push(TemplatePart::Value { number, source: piece.text.into(), span }),
                None => good = false,
            }
            at = close + 1;
        }
        push_text(&mut parts, &text[at..]);
        good.then_some(Template { parts })
    }

    /// Whether it is the same for all indices.
    pub fn is_fixed(&self) -> bool {
        self.parts.iter().all(|part| match part {
            TemplatePart::Text(_) => true,
            TemplatePart::Value { number, .. } => number.is_fixed(),
        })
    }

    /// The name for given indices; `None` after a report.
    pub fn eval(&self, context: &Context<'_>, indices: &[f64]) -> Option<String> {
        let mut name = String::new();
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => name.push_str(text),
                TemplatePart::Value { number, source, span } => {
                    let value = number.eval(context, indices);
                    if value.fract() != 0.0 || value.abs() > MAX_WHOLE || value.is_nan() {
                        if !(value.is_nan() && context.known.faulty) {
                            let which = context.for_indices(indices);
                            let message = format!("`{{{source}}}` must be an integer, but is {value}{which}");
                            context.error(*span, message);
                        }
                        return None;
                    }
                    // writing to a string does not fail
                    let _ = write!(name, "{}", value as i64);
                }
            }
        }
        Some(name)
    }
}

fn push_text(parts: &mut Vec<TemplatePart>, text: &str) {
    if !text.is_empty() {
        parts.push(TemplatePart::Text(text.into()));
    }
}

#[cfg(test)]
mod tests {
    use crate::{Overrides, read_text};

    fn names(text: &str) -> Vec<String> {
        let loaded = read_text("a.toml", text, ".", &Overrides::none());
        let said = loaded.render(false);
        loaded.model.expect(&said).roads.into_iter().map(|road| road.name).collect()
    }

    #[test]
    fn braces_hold_whole_numbers() {
        let made = names(
            "[[pattern]]\nfrom = -1\nto = 1\n[[pattern.road]]\ntype = 'flat'\nname = 'a{2*i}b{i + 1}'\n",
        );
        assert_eq!(made, ["a-2b0", "a0b1", "a2b2"]);
    }

    #[test]
    fn braces_work_outside_of_patterns_too() {
        assert_eq!(names("[parameters]\nN = 3\n[[road]]\ntype = 'flat'\nname = 'é{N - 1}'\n"), ["é2"]);
    }
}
