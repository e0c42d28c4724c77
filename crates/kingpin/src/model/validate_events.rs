//! What can be wrong with events beyond the range of their fields.

use super::finding::{Finding, Subject};
use super::{EventAction, Function, Model};
use crate::expr::is_identifier;
use std::collections::HashMap;

/// The first item of each name.
fn first_of<'a>(
    names: impl DoubleEndedIterator<Item = &'a String> + ExactSizeIterator,
) -> HashMap<&'a str, usize> {
    names.enumerate().rev().map(|(k, name)| (name.as_str(), k)).collect()
}

/// The names of variables must be names, and their own.
pub(super) fn errors(model: &Model, findings: &mut Vec<Finding>) {
    let measures = first_of(model.measures.iter().map(|m| &m.name));
    for (k, event) in model.events.iter().enumerate() {
        let name = &event.name;
        if let Some(&measure) = measures.get(name.as_str()) {
            let message = format!("a measure and an event have the same name `{name}`");
            let finding = Finding::error(Subject::Event(k), "name", message);
            findings.push(finding.related(Subject::Measure(measure), "the measure is here"));
        } else if event.action() == EventAction::Switch && !name.is_empty() && !is_readable(name) {
            let message = format!(
                "functions cannot read the variable of event `{name}`, because its name is not an \
                 identifier"
            );
            let finding = Finding::error(Subject::Event(k), "name", message);
            findings.push(finding.hint("use letters, digits and `_`"));
        }
    }
}

/// Inputs are read by their names, so these must be names and their own.
pub(super) fn inputs(model: &Model, findings: &mut Vec<Finding>) {
    let measures = first_of(model.measures.iter().map(|m| &m.name));
    let events = first_of(model.events.iter().map(|e| &e.name));
    for (k, input) in model.inputs.iter().enumerate() {
        let name = &input.name;
        let measure = measures.get(name.as_str()).copied().map(Subject::Measure);
        let event = || events.get(name.as_str()).copied().map(Subject::Event);
        if let Some(other) = measure.or_else(event) {
            let message = format!("another item that functions can read has the name `{name}`");
            let finding = Finding::error(Subject::Input(k), "name", message);
            findings.push(finding.related(other, "the other one is here"));
        } else if !name.is_empty() && !is_readable(name) {
            let message =
                format!("functions cannot read input `{name}`, because its name is not an identifier");
            let finding = Finding::error(Subject::Input(k), "name", message);
            findings.push(finding.hint("use letters, digits and `_`"));
        }
    }
}

/// Whether functions can read something by a name: those of items of assemblies have dots, and `.rate` is that of measures.
fn is_readable(name: &str) -> bool {
    is_identifier(name) && !name.ends_with(".rate")
}

/// States and outputs of controllers are read by their names, so these must be names and their own.
pub(super) fn states(model: &Model, findings: &mut Vec<Finding>) {
    let measures = model.measures.iter().enumerate().map(|(k, x)| (x.name.clone(), Subject::Measure(k)));
    let events = model.events.iter().enumerate().map(|(k, x)| (x.name.clone(), Subject::Event(k)));
    let inputs = model.inputs.iter().enumerate().map(|(k, x)| (x.name.clone(), Subject::Input(k)));
    // the first of each name
    let mut seen: HashMap<String, Subject> = HashMap::new();
    for (name, subject) in measures.chain(events).chain(inputs) {
        seen.entry(name).or_insert(subject);
    }
    let states = model.states.iter().enumerate().map(|(k, x)| (Subject::State(k), vec![x.name.clone()]));
    let controllers = model.controllers.iter().enumerate();
    let controllers = controllers.map(|(k, x)| (Subject::Controller(k), x.output_names()));
    for (subject, names) in states.chain(controllers) {
        for name in names.into_iter().filter(|name| !name.is_empty()) {
            let twins = |other: &Subject| {
                std::mem::discriminant(other) == std::mem::discriminant(&subject) && *other != subject
            };
            if let Some(other) = seen.get(&name) {
                // those of one kind are complained of elsewhere
                if twins(other) {
                    continue;
                }
                let message = format!("another item that functions can read has the name `{name}`");
                let finding = Finding::error(subject.clone(), "name", message);
                findings.push(finding.related(other.clone(), "the other one is here"));
                continue;
            }
            if !is_readable(&name) {
                let message =
                    format!("functions cannot read `{name}`, because its name is not an identifier");
                let finding = Finding::error(subject.clone(), "name", message);
                findings.push(finding.hint("use letters, digits and `_`"));
            }
            seen.insert(name, subject.clone());
        }
    }
}

/// Events that cannot happen.
pub(super) fn warnings(model: &Model, findings: &mut Vec<Finding>) {
    for (k, event) in model.events.iter().enumerate() {
        if matches!(event.when, Function::Constant(_)) {
            let message = format!("event `{}` never occurs: `when` is constant", event.name);
            let finding = Finding::warning("event-never-happens", Subject::Event(k), "when", message);
            findings.push(finding.hint("use a function of `t` and measures that crosses zero"));
        }
    }
}
