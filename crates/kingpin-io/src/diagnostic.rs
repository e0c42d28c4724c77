//! What there is to say about a model file, with its place.

use crate::source::{Location, Sources};
use kingpin::model::{Finding, Severity};
use std::collections::HashMap;

/// One message about a model file.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What kind of warning it is, in words that stay the same for scripts: `unused-parameter`. Empty of errors.
    pub code: &'static str,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where; absent if it belongs to no file.
    pub place: Option<Location>,
    /// A word beside the place; may be empty.
    pub label: String,
    /// Remedy.
    pub hint: Option<String>,
    /// Another place that belongs to it, with a word on why.
    pub related: Option<(Location, String)>,
    /// How many more messages of the same kind there were at this place, in other items of a pattern.
    pub repeats: usize,
    /// The assembly whose file it is about: where the model asks for it, and its name.
    pub assembly: Option<(Location, String)>,
}

impl Diagnostic {
    /// An error.
    pub fn error(place: Location, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code: "",
            message: message.into(),
            place: Some(place),
            label: String::new(),
            hint: None,
            related: None,
            repeats: 0,
            assembly: None,
        }
    }

    /// A warning of a kind.
    pub fn warning(code: &'static str, place: Location, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, code, ..Diagnostic::error(place, message) }
    }

    /// With a word beside the place.
    #[must_use]
    pub fn label(self, label: impl Into<String>) -> Diagnostic {
        Diagnostic { label: label.into(), ..self }
    }

    /// With advice.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Diagnostic {
        Diagnostic { hint: Some(hint.into()), ..self }
    }

    /// With advice, if there is any.
    #[must_use]
    pub fn maybe_hint(self, hint: Option<String>) -> Diagnostic {
        Diagnostic { hint: hint.or(self.hint.clone()), ..self }
    }

    /// With a second place.
    #[must_use]
    pub fn related(self, place: Location, label: impl Into<String>) -> Diagnostic {
        Diagnostic { related: Some((place, label.into())), ..self }
    }

    /// In a file of an assembly that stands in the model under a name.
    #[must_use]
    pub fn assembly(self, place: Location, name: &str) -> Diagnostic {
        Diagnostic { assembly: Some((place, name.into())), ..self }
    }

    /// A finding of the library, with its place in the files.
    pub fn from_finding(finding: &Finding, sources: &Sources) -> Diagnostic {
        let related = finding.related.as_ref();
        Diagnostic {
            severity: finding.severity,
            code: finding.code,
            message: finding.message.clone(),
            place: sources.locate(&finding.subject, finding.field),
            label: String::new(),
            hint: finding.hint.clone(),
            related: related.and_then(|(subject, label)| Some((sources.locate(subject, "")?, label.clone()))),
            repeats: 0,
            assembly: sources.assembly_of(&finding.subject),
        }
    }

    /// Findings of the library with their places, sorted; those of many items of one pattern are joined.
    pub fn from_findings(findings: &[Finding], sources: &Sources) -> Vec<Diagnostic> {
        let mut report = Report::default();
        for finding in findings {
            report.push(Diagnostic::from_finding(finding, sources));
        }
        report.sorted()
    }

    /// Whether the model cannot be used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Collects diagnostics; those that differ in numbers only and stand at the same place are counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    seen: HashMap<(Location, String), usize>,
    /// How many of them are errors.
    errors: usize,
}

impl Report {
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if let Some(place) = diagnostic.place {
            let key = (place, without_numbers(&diagnostic.message));
            if let Some(&first) = self.seen.get(&key) {
                self.diagnostics[first].repeats += 1;
                return;
            }
            self.seen.insert(key, self.diagnostics.len());
        }
        self.errors += usize::from(diagnostic.is_error());
        self.diagnostics.push(diagnostic);
    }

    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Adds a second place to the errors at one, unless they have one.
    pub fn relate(&mut self, at: Location, place: Location, label: &str) {
        for told in self.diagnostics.iter_mut().filter(|told| told.place == Some(at) && told.is_error()) {
            told.related.get_or_insert_with(|| (place, label.into()));
        }
    }

    /// Removes those that `keep` refuses.
    pub fn retain(&mut self, keep: impl Fn(&Diagnostic) -> bool) {
        self.diagnostics.retain(keep);
        self.errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        self.seen.clear();
    }

    /// All of them in the order of the files.
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|d| (d.place, d.severity));
        self.diagnostics
    }
}

/// What remains the same when a message is repeated for other items of a pattern.
fn without_numbers(message: &str) -> String {
    message.chars().filter(|c| !(c.is_ascii_digit() || matches!(c, '.' | '-' | 'e'))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn at(start: usize) -> Location {
        Location { file: 0, span: Span::new(start, start + 1) }
    }

    #[test]
    fn repeated_messages_are_counted_and_all_are_sorted() {
        let mut report = Report::default();
        report.push(Diagnostic::warning("late", at(9), "late"));
        for i in 0..3 {
            report.push(Diagnostic::error(at(4), format!("`mass` is {}, for i = {i}", 0.5 - i as f64)));
        }
        report.push(Diagnostic::error(at(4), "`mass` has no unit"));
        assert!(report.has_errors());
        let all = report.sorted();
        let starts: Vec<_> = all.iter().map(|d| d.place.unwrap().span.start).collect();
        assert_eq!(starts, [4, 4, 9]);
        assert_eq!((all[0].repeats, all[1].repeats), (2, 0));
        assert!(all[0].message.ends_with("i = 0"));
    }
}
