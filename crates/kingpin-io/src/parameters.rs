//! Parameters of all files, with overrides from the command line.

use crate::diagnostic::{Diagnostic, Report};
use crate::escape::place_in_string;
use crate::load::Files;
use crate::source::{Location, SourceFile, Span};
use crate::suggest::suggest;
use crate::tree::{Data, Entry};
use crate::unit_names::{other_name, unit_name};
use kingpin::expr::{ExprError, ParamDef, Parameters, is_identifier, resolve_parameters};
use kingpin::model::Function;
use std::collections::{BTreeMap, HashMap};

/// Values of parameters that replace those of the files, and functions of the program that reads them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// Assignments such as `L=2` or `k=3 kN/m`, as `--set` takes them.
    pub assignments: Vec<String>,
    /// What fields that hold a function may name with `@` before the name.
    pub functions: BTreeMap<String, Function>,
}

impl Overrides {
    /// None.
    pub fn none() -> Overrides {
        Overrides::default()
    }

    /// From assignments such as `L=2`.
    pub fn new(assignments: impl IntoIterator<Item = impl Into<String>>) -> Overrides {
        let assignments = assignments.into_iter().map(Into::into).collect();
        Overrides { assignments, ..Overrides::default() }
    }

    /// One more.
    #[must_use]
    pub fn set(mut self, name: &str, value: impl std::fmt::Display) -> Overrides {
        self.assignments.push(format!("{name}={value}"));
        self
    }

    /// One more function, which a field of the file names as `"@name"`.
    #[must_use]
    pub fn function(mut self, name: &str, function: Function) -> Overrides {
        self.functions.insert(name.into(), function);
        self
    }
}

/// A parameter as defined.
struct Definition {
    name: String,
    def: ParamDef,
    /// Place of the value, and of the name.
    place: Location,
    key: Location,
    /// Number of the document it stands in.
    document: usize,
    /// Whether the value is a string of a file, with quotes and escapes.
    quoted: bool,
    /// Whether the value is of the wrong kind, which has been reported.
    broken: bool,
}

/// All parameters.
pub(crate) struct Resolved {
    pub parameters: Parameters,
    /// Name, place of the name, and whether the main file defines it; in the order of definition.
    pub defined: Vec<(String, Location, bool)>,
    /// Texts of all definitions, which use parameters too.
    pub texts: Vec<String>,
}

/// Gathers the parameters of all files, applies the overrides and evaluates.
pub(crate) fn resolve(files: &mut Files, overrides: &Overrides, report: &mut Report) -> Resolved {
    let mut definitions = gather(files, report);
    warn_of_units(&definitions, report);
    for assignment in &overrides.assignments {
        apply(files, &mut definitions, assignment, report);
    }
    let defs: Vec<_> = definitions.iter().map(|d| (d.name.clone(), d.def.clone())).collect();
    let parameters = resolve_parameters(&defs);
    let by_name: HashMap<&str, &Definition> = definitions.iter().map(|d| (d.name.as_str(), d)).collect();
    for (name, error) in &parameters.errors {
        if let Some(definition) = by_name.get(name.as_str()).filter(|d| !d.broken) {
            report.push(located(&files.sources, definition, error));
        }
    }
    let last = files.documents.len().saturating_sub(1);
    let texts = defs.into_iter().filter_map(|(_, def)| match def {
        ParamDef::Text(text) => Some(text),
        ParamDef::Number(_) => None,
    });
    Resolved {
        parameters,
        texts: texts.collect(),
        defined: definitions.into_iter().map(|d| (d.name, d.key, d.document == last)).collect(),
    }
}

/// The definitions of all files; a file may define anew what its includes define.
fn gather(files: &Files, report: &mut Report) -> Vec<Definition> {
    let mut definitions: Vec<Definition> = Vec::new();
    let mut index: HashMap<String, usize> = HashMap::new();
    for (document, content) in files.documents.iter().enumerate() {
        let Some(node) = content.tree.get("parameters") else { continue };
        let Data::Table(table) = &node.data else {
            let place = Location { file: content.file, span: node.span };
            let message = format!("`parameters` must be a table, not {}", node.data.noun());
            report.push(Diagnostic::error(place, message).hint("write `[parameters]`"));
            continue;
        };
        for entry in &table.entries {
            let Some(new) = definition(entry, content.file, document, report) else { continue };
            match index.get(&new.name) {
                None => {
                    index.insert(new.name.clone(), definitions.len());
                    definitions.push(new);
                }
                // the file it was defined in is included here: ours wins
                Some(&k) if definitions[k].document >= content.first => definitions[k] = new,
                Some(&k) => {
                    let message = format!("the parameter `{}` is defined in two files", new.name);
                    let first = definitions[k].key;
                    report.push(Diagnostic::error(new.key, message).related(first, "first defined here"));
                }
            }
        }
    }
    definitions
}

/// Warnings about parameters that have the name of a unit.
fn warn_of_units(definitions: &[Definition], report: &mut Report) {
    let taken = |name: &str| definitions.iter().any(|definition| definition.name == name);
    for definition in definitions {
        if let Some((message, hint)) =
            unit_name("parameter", &definition.name, |name| other_name(name, taken))
        {
            report.push(Diagnostic::warning(definition.key, message).hint(hint));
        }
        if ["pi", "tau"].contains(&definition.name.as_str()) {
            let message = format!("the parameter `{0}` takes the place of the number `{0}`", definition.name);
            report.push(Diagnostic::warning(definition.key, message));
        }
    }
}

/// A definition in a file; `None` after a report if its name is no name.
fn definition(entry: &Entry, file: u32, document: usize, report: &mut Report) -> Option<Definition> {
    let key = Location { file, span: entry.key_span };
    let place = Location { file, span: entry.value.span };
    if !is_identifier(&entry.key) || entry.key.contains('.') {
        let message = format!("`{}` cannot be the name of a parameter", entry.key.escape_debug());
        let hint = "names consist of letters, digits and `_` and start with a letter";
        report.push(Diagnostic::error(key, message).hint(hint));
        return None;
    }
    let (def, quoted) = match &entry.value.data {
        Data::Text(text) => (ParamDef::Text(text.clone()), true),
        data => (ParamDef::Number(data.number().unwrap_or(f64::NAN)), false),
    };
    let broken = !quoted && entry.value.data.number().is_none();
    if broken {
        let found = entry.value.data.noun();
        let message = format!("a parameter must be a number or an expression, not {found}");
        report.push(Diagnostic::error(place, message));
    }
    Some(Definition { name: entry.key.clone(), def, place, key, document, quoted, broken })
}

/// Applies an assignment of the command line.
fn apply(files: &mut Files, definitions: &mut [Definition], assignment: &str, report: &mut Report) {
    let file = files.sources.len() as u32;
    files.sources.push(SourceFile { name: "--set".into(), text: assignment.into() });
    let at = |start: usize, end: usize| Location { file, span: Span::new(start, end) };
    let Some(equals) = assignment.find('=') else {
        let message = format!("`{}` is no assignment", assignment.escape_debug());
        report.push(Diagnostic::error(at(0, assignment.len()), message).hint("write `--set name=value`"));
        return;
    };
    let (name, value) = (assignment[..equals].trim(), &assignment[equals + 1..]);
    let (key, place) = (at(0, equals), at(equals + 1, assignment.len()));
    if value.trim().is_empty() {
        report.push(Diagnostic::error(place, format!("no value is given for `{}`", name.escape_debug())));
        return;
    }
    match definitions.iter_mut().find(|definition| definition.name == name) {
        Some(definition) => {
            let def = ParamDef::Text(value.into());
            let (name, document) = (definition.name.clone(), definition.document);
            *definition = Definition { name, def, place, key, document, quoted: false, broken: false };
        }
        None => {
            let names: Vec<&str> = definitions.iter().map(|definition| definition.name.as_str()).collect();
            let hint = suggest(name, names.clone()).unwrap_or_else(|| match names.len() {
                0 => "the model has no parameters".into(),
                1..=20 => format!("its parameters are {}", crate::suggest::listed(names, "and")),
                n => format!("it has {n} parameters"),
            });
            let message = format!("the model has no parameter `{}`", name.escape_debug());
            report.push(Diagnostic::error(key, message).hint(hint));
        }
    }
}

/// A fault of a definition, at its place.
fn located(sources: &[SourceFile], definition: &Definition, error: &ExprError) -> Diagnostic {
    let Location { file, span } = definition.place;
    let source = sources.get(file as usize).and_then(|s| s.text.get(span.range())).unwrap_or("");
    let span = match definition.def {
        ParamDef::Text(_) if definition.quoted => place_in_string(source, span.start, error.span.clone()),
        ParamDef::Text(_) => {
            let start = span.start as usize;
            Span::new(start + error.span.start, start + error.span.end)
        }
        ParamDef::Number(_) => span,
    };
    Diagnostic::error(Location { file, span }, error.message.clone()).maybe_hint(error.hint.clone())
}

#[cfg(test)]
mod tests {
    use crate::{Overrides, read_text};
    use kingpin::expr::{Dim, Quantity};

    const TEXT: &str = "[parameters]\nL = '2 m'\nhalf = 'L/2'\nk = 3\n";

    #[test]
    fn overrides_replace_and_carry_through() {
        let loaded = read_text("a.toml", TEXT, ".", &Overrides::new(["L = 30 cm", "k=half"]).set("k", 4.5));
        assert_eq!(loaded.parameters["half"], Quantity::known(0.15, Dim::LENGTH));
        assert_eq!(loaded.parameters["k"], Quantity::unknown(4.5));
        assert_eq!(loaded.sources.files().len(), 4);
    }

    #[test]
    fn bad_overrides_are_shown_as_typed() {
        for (set, said) in
            [("M=1", "no parameter `M`"), ("L", "no assignment"), ("L=", "no value"), ("L=1 +", "missing")]
        {
            let loaded = read_text("a.toml", TEXT, ".", &Overrides::new([set]));
            assert!(loaded.model.is_none());
            let text = loaded.render(false);
            assert!(text.contains(said) && text.contains("--> --set:1:") && text.contains(set), "{text}");
        }
    }
}
