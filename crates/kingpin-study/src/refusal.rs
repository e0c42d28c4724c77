//! Why a study cannot begin.

use kingpin::expr::ExprError;
use kingpin::words::visible;
use kingpin_io::{Diagnostic, Location, Sources, Span, render};
use std::fmt;

/// Why a study cannot begin. Texts are those of the user, with the place of what is wrong.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// What is varied.
    Variation(String, ExprError),
    /// What is computed.
    Scalar(String, ExprError),
    /// How points are drawn.
    Sampling(ExprError),
    /// The model, at its own values and at the first point.
    Model(Box<(Vec<Diagnostic>, Sources)>),
    /// Settings, or channels to keep.
    Settings(String),
}

impl Refusal {
    /// As commands show it: with the text, the place underlined, and advice. Texts are named as options of commands.
    pub fn render(&self, colour: bool) -> String {
        let text = |name: &str, text: &str, error: &ExprError| {
            let place = Location { file: 0, span: Span::new(error.span.start, error.span.end) };
            let diagnostic = Diagnostic::error(place, error.message.clone()).maybe_hint(error.hint.clone());
            render(&[diagnostic], &Sources::of_text(name, text), colour)
        };
        match self {
            Refusal::Variation(variation, error) => text("--vary", variation, error),
            Refusal::Scalar(scalar, error) => text("--metric", scalar, error),
            Refusal::Sampling(error) => match &error.hint {
                Some(hint) => visible(&format!("error: {}\n\n  help: {hint}\n", error.message)).into_owned(),
                None => visible(&format!("error: {}\n", error.message)).into_owned(),
            },
            Refusal::Model(said) => render(&said.0, &said.1, colour),
            Refusal::Settings(why) => visible(&format!("error: {why}\n")).into_owned(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render(false).trim_end())
    }
}

impl std::error::Error for Refusal {}
