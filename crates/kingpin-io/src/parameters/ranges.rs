//! Ranges of parameters: between which values a page that answers lets them be moved.

use super::gathering::table_of;
use super::*;
use kingpin::expr::{Dim, Scope, parse};

/// Between which values a parameter is to be moved, in SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterRange {
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// Values are this far apart; without it, as close as one likes.
    pub step: Option<f64>,
}

/// What is wrong with a range, and where.
struct RangeFault {
    span: Span,
    message: String,
    hint: Option<String>,
}

/// The range of a parameter as the last of some files gives it; none if that is no range.
pub(crate) fn range_in(documents: &[Document], name: &str) -> Option<ParameterRange> {
    let tables = documents.iter().rev().filter_map(|document| match &document.tree.get("ranges")?.data {
        Data::Table(table) => Some(table),
        _ => None,
    });
    let entry = tables.filter_map(|table| table.entries.iter().find(|entry| entry.key == name)).next()?;
    range(&entry.value, "", None).ok()
}

/// Reports what is wrong with the ranges of some files. With `own` values of parameters, those that are outside of their
/// range are warned of.
pub(super) fn check(
    documents: &[Document],
    sources: &[SourceFile],
    resolved: &Resolved,
    own: bool,
    report: &mut Report,
) {
    for document in documents {
        let source = sources.get(document.file as usize).map_or("", |source| &source.text);
        for entry in table_of(document, "ranges", report) {
            let at = |span: Span| Location { file: document.file, span };
            let Some(defined) = resolved.defined.iter().find(|(name, ..)| *name == entry.key) else {
                let names = resolved.defined.iter().map(|(name, ..)| name.as_str());
                let names = names.filter(|name| !name.contains('.')).collect();
                let message = format!("there is no parameter `{}` for this range", entry.key.escape_debug());
                let hint = hint_of(&entry.key, names, "the file");
                report.push(Diagnostic::error(at(entry.key_span), message).hint(hint));
                continue;
            };
            // a parameter that has no value has been reported
            let Some(quantity) = resolved.parameters.values.get(&entry.key) else { continue };
            match range(&entry.value, source, quantity.unit.dim()) {
                Err(RangeFault { span, message, hint }) => {
                    report.push(Diagnostic::error(at(span), message).maybe_hint(hint));
                }
                Ok(range) if own && !(range.min..=range.max).contains(&quantity.value) => {
                    let message = format!("the value of `{}` is outside its range", entry.key);
                    report.push(
                        Diagnostic::warning("outside-of-range", at(entry.value.span), message)
                            .related(defined.1, "the parameter"),
                    );
                }
                Ok(_) => {}
            }
        }
    }
}

/// Reads `[least, greatest]` or `[least, greatest, step]`, of a dimension if one is known.
fn range(node: &Node, source: &str, needed: Option<Dim>) -> Result<ParameterRange, RangeFault> {
    let fault = |span: Span, message: String, hint: &str| RangeFault {
        span,
        message,
        hint: Some(hint.to_string()).filter(|hint| !hint.is_empty()),
    };
    const FORM: &str = "write `[least, greatest]` or `[least, greatest, step]`";
    let Data::Array(items) = &node.data else {
        return Err(fault(node.span, format!("a range must be an array, not {}", node.data.noun()), FORM));
    };
    if !(2..=3).contains(&items.len()) {
        let message = format!(
            "a range has two numbers, and a step as an optional third, but {} are given",
            items.len()
        );
        return Err(fault(node.span, message, FORM));
    }
    let mut numbers = Vec::new();
    for item in items {
        numbers.push(number(item, source, needed)?);
    }
    let (min, max, step) = (numbers[0], numbers[1], numbers.get(2).copied());
    // not a number is no end of a range
    if !(min < max && (max - min).is_finite()) {
        let message = "the upper end of a range must be greater than the lower end".to_string();
        return Err(fault(items[1].span, message, FORM));
    }
    match step {
        Some(step) if !(step > 0.0 && step <= max - min) => {
            let message =
                "the step of a range must be greater than zero and not exceed the range".to_string();
            Err(fault(items[2].span, message, FORM))
        }
        _ => Ok(ParameterRange { min, max, step }),
    }
}

/// A number, perhaps with a unit.
fn number(node: &Node, source: &str, needed: Option<Dim>) -> Result<f64, RangeFault> {
    let Data::Text(text) = &node.data else {
        return node.data.number().ok_or_else(|| RangeFault {
            span: node.span,
            message: format!("a range consists of numbers, not {}", node.data.noun()),
            hint: None,
        });
    };
    let located = |error: ExprError| {
        let written = source.get(node.span.range()).unwrap_or("");
        let span = place_in_string(written, node.span.start, error.span.clone());
        RangeFault { span, message: error.message, hint: error.hint }
    };
    let expr = parse(text, &Scope::new()).map_err(|mut errors| {
        let mut fault = located(errors.swap_remove(0));
        fault.hint.get_or_insert_with(|| {
            "a range consists of numbers with units; parameters are not allowed".into()
        });
        fault
    })?;
    needed.map_or(Ok(()), |needed| expr.expect(needed)).map_err(located)?;
    Ok(expr.constant_value().unwrap_or(f64::NAN))
}
