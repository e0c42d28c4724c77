//! Parameters of all files, with overrides from the command line.

mod gathering;
mod ranges;

use crate::context::Context;
use crate::diagnostic::{Diagnostic, Report};
use crate::escape::place_in_string;
use crate::load::{Document, Files};
use crate::read::space_of;
use crate::source::{Location, SourceFile, Span};
use crate::suggest::suggest;
use crate::tree::{Data, Entry, Node};
use crate::unit_names::{other_name, unit_name};
use crate::vectors::{Term, VectorFault, Vectors, components};
use crate::write::plain_amount;
use gathering::{Gathered, gather, warn_of_units};
use kingpin::expr::{Binding, ExprError, ParamDef, Parameters, Quantity, is_identifier, resolve_parameters};
use kingpin::model::{Function, Space};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};

pub use ranges::ParameterRange;
pub(crate) use ranges::range_in;

/// Values of parameters that replace those of the files, and functions of the program that reads them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// Assignments such as `L=2` or `k=3 kN/m`, as `--set` takes them; `left.L=2` for a parameter of an assembly.
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
    /// Whether the text was made of that of the file.
    made: bool,
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
    /// Assignments to parameters of assemblies.
    pub settings: Vec<Setting>,
    /// Names of points, whose components are among the parameters.
    pub points: Vec<String>,
}

/// An assignment of the command line to a parameter of an assembly.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    /// Its name, with those of the assemblies.
    name: String,
    value: String,
    key: Location,
    place: Location,
    /// Whether there is such a parameter.
    used: Cell<bool>,
}

/// A value that an assembly is given for one of its parameters.
pub(crate) struct Given {
    pub name: String,
    /// Place of the name.
    pub key: Location,
    pub quantity: Quantity,
}

/// Gathers the parameters of all files, applies the overrides and evaluates.
pub(crate) fn resolve(files: &mut Files, overrides: &Overrides, report: &mut Report) -> Resolved {
    let Gathered { mut definitions, points } = gather(&files.documents, space_of(files), &[], report);
    warn_of_units(&definitions, report);
    let mut settings = Vec::new();
    for assignment in &overrides.assignments {
        apply(files, &mut definitions, assignment, &mut settings, report);
    }
    let resolved = evaluated(&files.sources, definitions, files.documents.len(), Vec::new(), report);
    let own = overrides.assignments.is_empty();
    ranges::check(&files.documents, &files.sources, &resolved, own, report);
    Resolved { settings, points, ..resolved }
}

/// The parameters of an assembly, which sees those of what is around it. Errors are reported to `report`; `of` is what
/// stands before the names of its items, and where the model asks for it.
pub(crate) fn resolve_within(
    documents: &[Document],
    outer: &Context<'_>,
    report: &RefCell<Report>,
    (prefix, place): (&str, Location),
    given: &[Given],
    settings: &[Setting],
) -> Resolved {
    let mut own = Report::default();
    let outside: Vec<&str> = outer.known.points().collect();
    let Gathered { mut definitions, points } = gather(documents, outer.space, &outside, &mut own);
    let assembly = crate::assembly::shown(prefix);
    for Given { name, key, quantity } in given {
        match definitions.iter_mut().find(|definition| definition.name == *name) {
            Some(definition) => definition.def = ParamDef::Text(plain_amount(quantity)),
            None => {
                let (name, what) = match name.split_once('.') {
                    Some((point, _)) => (point, "point"),
                    None => (name.as_str(), "parameter"),
                };
                let of = |definition: &&Definition| definition.name.contains('.') == (what == "point");
                let stem =
                    |definition: &'_ Definition| definition.name.split('.').next().unwrap_or("").to_string();
                let mut names: Vec<String> = definitions.iter().filter(of).map(stem).collect();
                names.dedup();
                let names = names.iter().map(String::as_str).collect();
                let message = format!("the assembly `{assembly}` has no {what} `{}`", name.escape_debug());
                let hint = hint_of(name, names, "the assembly");
                report.borrow_mut().push(Diagnostic::error(*key, message).hint(hint));
            }
        }
    }
    for setting in settings {
        let name = setting.name.strip_prefix(prefix);
        let definition = definitions.iter_mut().find(|definition| Some(definition.name.as_str()) == name);
        if let Some(definition) = definition {
            setting.used.set(true);
            let def = ParamDef::Text(setting.value.clone());
            *definition = Definition { name: definition.name.clone(), def, ..setting.definition() };
        }
    }
    let is_own = |name: &str| definitions.iter().any(|definition| definition.name == name);
    let around = outer.known.parameters();
    let seen = around.names().filter(|name| !is_own(name)).filter_map(|name| match around.lookup(name)? {
        Binding::Constant(quantity) => Some((name.to_string(), ParamDef::Text(plain_amount(&quantity)))),
        Binding::Variable { .. } => None,
    });
    let seen: Vec<_> = seen.filter(|(_, def)| *def != ParamDef::Text("NaN".into())).collect();
    let count = documents.len();
    let resolved = evaluated(&outer.files.sources, definitions, count, seen, &mut own);
    ranges::check(documents, &outer.files.sources, &resolved, false, &mut own);
    let mut report = report.borrow_mut();
    own.sorted().into_iter().for_each(|diagnostic| report.push(diagnostic.assembly(place, assembly)));
    Resolved { points, ..resolved }
}

/// Assignments to parameters that no assembly has are errors.
pub(crate) fn unused_settings(settings: &[Setting], report: &mut Report) {
    for setting in settings.iter().filter(|setting| !setting.used.get()) {
        let message = format!("the model has no parameter `{}`", setting.name.escape_debug());
        let hint = "a parameter of an assembly is written ASSEMBLY.PARAMETER";
        report.push(Diagnostic::error(setting.key, message).hint(hint));
    }
}

/// Evaluates all definitions, and values that are known already.
fn evaluated(
    sources: &[SourceFile],
    definitions: Vec<Definition>,
    documents: usize,
    seen: Vec<(String, ParamDef)>,
    report: &mut Report,
) -> Resolved {
    let defs: Vec<_> = definitions.iter().map(|d| (d.name.clone(), d.def.clone())).collect();
    let parameters = resolve_parameters(&[&defs[..], &seen[..]].concat());
    let by_name: HashMap<&str, &Definition> = definitions.iter().map(|d| (d.name.as_str(), d)).collect();
    for (name, error) in &parameters.errors {
        if let Some(definition) = by_name.get(name.as_str()).filter(|d| !d.broken) {
            report.push(located(sources, definition, error));
        }
    }
    let last = documents.saturating_sub(1);
    let texts = defs.into_iter().filter_map(|(_, def)| match def {
        ParamDef::Text(text) => Some(text),
        ParamDef::Number(_) => None,
    });
    Resolved {
        parameters,
        texts: texts.collect(),
        settings: Vec::new(),
        points: Vec::new(),
        defined: definitions.into_iter().map(|d| (d.name, d.key, d.document == last)).collect(),
    }
}

/// Applies an assignment of the command line.
fn apply(
    files: &mut Files,
    definitions: &mut [Definition],
    assignment: &str,
    settings: &mut Vec<Setting>,
    report: &mut Report,
) {
    let file = files.sources.len() as u32;
    files.sources.push(SourceFile { name: "--set".into(), text: assignment.into() });
    let at = |start: usize, end: usize| Location { file, span: Span::new(start, end) };
    let Some(equals) = assignment.find('=') else {
        let message = format!("`{}` is not an assignment", assignment.escape_debug());
        report.push(Diagnostic::error(at(0, assignment.len()), message).hint("write `--set name=value`"));
        return;
    };
    let (name, value) = (assignment[..equals].trim(), &assignment[equals + 1..]);
    let (key, place) = (at(0, equals), at(equals + 1, assignment.len()));
    if value.trim().is_empty() {
        report.push(Diagnostic::error(place, format!("`{}` has no value", name.escape_debug())));
        return;
    }
    match definitions.iter_mut().find(|definition| definition.name == name) {
        Some(definition) => {
            let def = ParamDef::Text(value.into());
            let (name, document) = (definition.name.clone(), definition.document);
            let (quoted, made, broken) = (false, false, false);
            *definition = Definition { name, def, place, key, document, quoted, made, broken };
        }
        None if name.contains('.') && files.has_assemblies() => {
            let (name, value) = (name.to_string(), value.to_string());
            settings.push(Setting { name, value, key, place, used: Cell::new(false) });
        }
        None => {
            let names: Vec<&str> = definitions.iter().map(|definition| definition.name.as_str()).collect();
            let hint = hint_of(name, names, "the model");
            let message = format!("the model has no parameter `{}`", name.escape_debug());
            report.push(Diagnostic::error(key, message).hint(hint));
        }
    }
}

/// Advice on a name that no parameter has.
fn hint_of(name: &str, names: Vec<&str>, whole: &str) -> String {
    suggest(name, names.clone()).unwrap_or_else(|| match names.len() {
        0 => format!("{whole} has no parameters"),
        1..=20 => format!("its parameters are {}", crate::suggest::listed(names, "and")),
        n => format!("it has {n} parameters"),
    })
}

impl Setting {
    /// The definition that it makes.
    fn definition(&self) -> Definition {
        Definition {
            name: String::new(),
            def: ParamDef::Number(0.0),
            place: self.place,
            key: self.key,
            document: 0,
            quoted: false,
            made: false,
            broken: false,
        }
    }
}

/// A fault of a definition, at its place.
fn located(sources: &[SourceFile], definition: &Definition, error: &ExprError) -> Diagnostic {
    let Location { file, span } = definition.place;
    let source = sources.get(file as usize).and_then(|s| s.text.get(span.range())).unwrap_or("");
    let span = match definition.def {
        _ if definition.made => span,
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
mod tests;
