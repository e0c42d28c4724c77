//! What is said when an expression cannot be understood.

use crate::elsewhere::meant_here;
use std::fmt;
use std::ops::Range;

/// A fault in an expression, with the place in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExprError {
    /// The bytes of the text the message is about.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would put it right, where that can be guessed.
    pub hint: Option<String>,
}

impl ExprError {
    /// An error without a hint.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        ExprError { span, message: message.into(), hint: None }
    }

    /// The same error with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ExprError {}

/// The candidate closest to a mistyped name, if one is close enough to be meant.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    // the same in other letters, or the word of another program, before words that look like it
    let same = candidates.iter().find(|own| own.eq_ignore_ascii_case(name));
    if let Some(meant) = same.copied().or_else(|| meant_here(name, candidates.iter().copied())) {
        return Some(meant);
    }
    let letters = name.chars().count();
    // a third of the letters may be wrong; a single letter only in its case
    let allowed = if letters < 2 { 0 } else { (letters / 3).max(1) };
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let distance = strsim::damerau_levenshtein(name, candidate).max(1);
        if distance <= allowed && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A piece of the text in back quotes, shortened when long.
pub(super) fn quoted(text: &str, span: &Range<usize>) -> String {
    const LONGEST: usize = 32;
    let piece = text.get(span.clone()).unwrap_or(text).trim();
    match piece.char_indices().nth(LONGEST) {
        None => format!("`{piece}`"),
        Some((cut, _)) => format!("`{}…`", &piece[..cut]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closest_prefers_case_then_few_edits() {
        let names = ["stiffness", "damping", "L", "mass"];
        assert_eq!(closest("stifness", names), Some("stiffness"));
        assert_eq!(closest("Mass", names), Some("mass"));
        assert_eq!(closest("l", names), Some("L"));
        assert_eq!(closest("x", names), None);
        assert_eq!(closest("gravity", names), None);
    }

    #[test]
    fn display_joins_message_and_hint() {
        let error = ExprError::new(0..1, "no").with_hint("yes");
        assert_eq!(error.to_string(), "no (yes)");
        assert_eq!(quoted("ä".repeat(40).as_str(), &(0..80)).chars().count(), 35);
    }
}
