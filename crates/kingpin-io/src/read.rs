//! Reads a model file with all it includes into a [`Model`].

use crate::bytes::text_of;
use crate::catalog::{Part, Section, simulation};
use crate::check::independent_findings;
use crate::context::Context;
use crate::diagnostic::{Diagnostic, Report};
use crate::draft::Draft;
use crate::known::{Known, UnitUse};
use crate::load::{Files, Shelf};
use crate::parameters::{Overrides, Resolved, resolve, unused_settings};
use crate::pattern::{Expansion, Limits, Pass, blocks, expand_all};
use crate::plan::Plan;
use crate::source::{Location, SourceMap, Sources, Span};
use crate::suggest::{listed, suggest};
use crate::syntax::may_follow;
use crate::tree::{Data, Table};
use crate::unit_names::{other_name, unit_name};
use crate::{changes, structure, superelement, surface};
use kingpin::elsewhere::{self, advice_on, meant_here};
use kingpin::expr::Quantity;
use kingpin::model::describe::{Described, Field, FieldValues, Kind, Range, Spaces};
use kingpin::model::value::Value;
use kingpin::model::{EventAction, Finding, Model, Severity, Simulation, Space, Subject};
use kingpin::system::System;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// What came out of reading a model file.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The model, unless there were errors.
    pub model: Option<Model>,
    /// The files and the places of all items in them.
    pub sources: Sources,
    /// All errors and warnings, in the order of the files.
    pub diagnostics: Vec<Diagnostic>,
    /// The values of all parameters that have one.
    pub parameters: BTreeMap<String, Quantity>,
}

/// The keys at the top of a model file that hold a value.
pub(crate) const TOP: [Field; 4] = [
    top("name", Kind::Text, " Name of the model; default: the name of the file.\n", ""),
    top("description", Kind::Text, " Description, one or two sentences.\n", ""),
    top(
        "space",
        Kind::Choice(SPACES),
        " Planar (bodies move in the x-y plane) or spatial model.\n",
        "\"spatial\"",
    ),
    top("gravity", Kind::Vector("m/s^2"), " Gravitational acceleration.\n", "[0, 0, 0]"),
];

/// The words for planar and spatial models.
const SPACES: &[&str] = &["planar", "spatial"];

const fn top(name: &'static str, kind: Kind, doc: &'static str, default: &'static str) -> Field {
    Field { name, kind, required: false, unless: "", range: Range::Any, spaces: Spaces::Both, doc, default }
}

/// Reads a model file.
pub fn read_path(path: impl AsRef<Path>, overrides: &Overrides) -> Loaded {
    let path = path.as_ref();
    let name = path.display().to_string();
    match text_of(path) {
        Ok(text) => {
            let folder = path.parent().unwrap_or(Path::new(""));
            read(Shelf::Disk, &name, text, folder, path, overrides, Limits::default())
        }
        Err(why) => unreadable(&name, &why),
    }
}

/// Reads the text of a model file; `name` is shown in messages, includes are relative to `folder`.
pub fn read_text(name: &str, text: &str, folder: impl AsRef<Path>, overrides: &Overrides) -> Loaded {
    let folder = folder.as_ref();
    let path = folder.join(name);
    read(Shelf::Disk, name, text.into(), folder, &path, overrides, Limits::default())
}

/// Reads one of several texts with known names; includes are looked up among them and nowhere else.
pub fn read_texts(name: &str, texts: &[(&str, &str)], overrides: &Overrides) -> Loaded {
    read_texts_within(name, texts, overrides, Limits::default())
}

/// As [`read_texts`], within other limits than usual.
pub fn read_texts_within(
    name: &str,
    texts: &[(&str, &str)],
    overrides: &Overrides,
    limits: Limits,
) -> Loaded {
    let Some((_, text)) = texts.iter().find(|(known, _)| *known == name) else {
        return unreadable(name, "there is no such file");
    };
    let shelf = Shelf::Texts(texts.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect());
    let folder = Path::new(name).parent().unwrap_or(Path::new(""));
    read(shelf, name, text.to_string(), folder, Path::new(name), overrides, limits)
}

/// What is loaded if there is nothing to read.
pub(crate) fn unreadable(name: &str, why: &str) -> Loaded {
    let message = format!("cannot read `{name}`: {why}");
    let hint = (!Path::new(name).exists()).then(|| models_beside(Path::new(name)));
    let error =
        Diagnostic { place: None, ..Diagnostic::error(Location::default(), message) }.maybe_hint(hint);
    Loaded { diagnostics: vec![error], ..Loaded::default() }
}

/// Which model file may be meant by a path where there is none.
fn models_beside(path: &Path) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = std::fs::read_dir(folder) else {
        return format!("there is no folder `{}`", folder.display());
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".toml")).take(1000).collect();
    names.sort();
    let wanted = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let near = suggest(&wanted, names.iter().map(String::as_str));
    near.unwrap_or_else(|| match names.as_slice() {
        [] => "check the path; `kingpin new NAME` writes a new model".into(),
        [.., last] if names.len() <= 5 && !last.is_empty() => {
            format!(
                "there {} {}",
                if names.len() == 1 { "is" } else { "are" },
                listed(names.iter().map(String::as_str), "and")
            )
        }
        _ => format!("check the path; the folder contains {} other model files", names.len()),
    })
}

fn read(
    shelf: Shelf,
    name: &str,
    text: String,
    folder: &Path,
    path: &Path,
    overrides: &Overrides,
    limits: Limits,
) -> Loaded {
    Draft::new(shelf, name, text, folder, path).finished(overrides, limits)
}

/// The model of files that were parsed, with some values of its parameters.
pub(crate) fn finished(draft: Draft, overrides: &Overrides, limits: Limits) -> Loaded {
    let Draft { name, folder, mut files, mut report } = draft;
    let resolved = resolve(&mut files, overrides, &mut report);
    let mut reading = Reading::new(&files, &resolved, report);
    reading.known.functions.clone_from(&overrides.functions);
    reading.expansion.limits = limits;
    reading.top_level(&name);
    reading.items();
    let (mut loaded, mut map, mut findings) = reading.finish(&resolved);
    if let Some(model) = &mut loaded.model {
        let unread = surface::read_all(model, &map, &files, &folder);
        // what cannot be read has no mass
        if !unread.iter().any(|finding| finding.severity == Severity::Error) {
            findings.extend(model.weigh());
        }
        findings.extend(unread);
        findings.extend(superelement::reduce_all(model, &mut map, (&files, &folder)));
        findings.extend(structure::mesh_all(model, &files, &folder));
    }
    let failed = findings.iter().any(|finding| finding.severity == Severity::Error);
    loaded.model = loaded.model.filter(|_| !failed);
    loaded.sources = Sources::new(files.sources, map);
    loaded.add_findings(&findings);
    loaded
}

/// A model being read.
struct Reading<'a> {
    files: &'a Files,
    space: Space,
    known: Known,
    report: RefCell<Report>,
    expansion: Expansion,
    parameters: BTreeMap<String, Quantity>,
}

impl<'a> Reading<'a> {
    fn new(files: &'a Files, resolved: &Resolved, report: Report) -> Reading<'a> {
        let known = Known::new(&resolved.parameters).with_points(&resolved.points);
        for text in &resolved.texts {
            known.note_uses(text);
        }
        let mut expansion = Expansion::default();
        for (name, place, _) in &resolved.defined {
            expansion.build.map.parameters.insert(name.clone(), *place);
        }
        expansion.settings.clone_from(&resolved.settings);
        // components of points are no parameters of their own
        let values = resolved.parameters.values.iter().filter(|(name, _)| !name.contains('.'));
        let parameters = values.map(|(name, value)| (name.clone(), *value)).collect();
        let (space, report) = (space_of(files), RefCell::new(report));
        Reading { files, space, known, report, expansion, parameters }
    }

    fn context<'c>(&'c self, document: usize) -> Context<'c> {
        let file = self.files.documents[document].file;
        Context {
            file,
            text: &self.files.sources[file as usize].text,
            space: self.space,
            known: &self.known,
            report: &self.report,
            files: self.files,
            instance: None,
            indices: Vec::new(),
        }
    }

    /// Reads everything but items. Files come after their includes, so what they say wins.
    fn top_level(&mut self, name: &str) {
        let last = self.files.documents.len() - 1;
        let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let mut model = Model::new(&stem.unwrap_or_default(), Space::default());
        model.space = self.space;
        let mut settings = FieldValues::new();
        for (k, document) in self.files.documents.iter().enumerate() {
            self.unknown_keys(k, &document.tree);
            for field in &TOP {
                self.top_field(k, &document.tree, field, k == last, &mut model);
            }
            self.simulation(k, &document.tree, &mut settings);
        }
        model.simulation = Simulation::from_values(&mut settings).unwrap_or_default();
        self.expansion.build.model = model;
        let place = Location { file: self.files.documents[last].file, span: Span::default() };
        self.expansion.build.map.model.insert("", place);
    }

    fn unknown_keys(&self, document: usize, tree: &Table) {
        let context = self.context(document);
        let keys = top_keys();
        for entry in tree.entries.iter().filter(|entry| !keys.contains(&entry.key.as_str())) {
            let all = || format!("the keys are {}", listed(keys.clone(), "and"));
            let hint = advice_on(elsewhere::AdviceScope::Top, &entry.key)
                .map(String::from)
                .or_else(|| misplaced(&entry.key))
                .or_else(|| suggest(&entry.key, keys.clone()))
                .or_else(|| owner_of_field(&entry.key))
                .unwrap_or_else(all);
            let message = format!("a model has no `{}`", entry.key.escape_debug());
            context.error_hint(entry.key_span, message, Some(hint));
        }
    }

    /// Reads one of the values at the top; name and description count in the main file only.
    fn top_field(&mut self, document: usize, tree: &Table, field: &Field, main: bool, model: &mut Model) {
        let Some(node) = tree.get(field.name) else { return };
        let context = self.context(document);
        let place = context.at(node.span);
        let value = Plan::read(&context, field, node).and_then(|plan| plan.eval(&context, &[]));
        match (field.name, value) {
            ("name", Some(Value::Text(text))) if main => model.name = text,
            ("description", Some(Value::Text(text))) if main => model.description = text,
            ("gravity", Some(Value::Vector(gravity))) => model.gravity = gravity,
            _ => {}
        }
        self.expansion.build.map.model.insert(field.name, place);
    }

    fn simulation(&mut self, document: usize, tree: &Table, settings: &mut FieldValues) {
        let Some(node) = tree.get("simulation") else { return };
        let mut found = Vec::new();
        let context = self.context(document);
        let Data::Table(table) = &node.data else {
            let message = format!("`simulation` must be a table, not {}", node.data.noun());
            context.error_hint(node.span, message, Some("write `[simulation]`".into()));
            return;
        };
        found.push(("", context.at(node.span)));
        // a table of tolerances holds the fields whose names begin with its own
        let groups = table.entries.iter().filter_map(|entry| match &entry.value.data {
            Data::Table(inner) if entry.key == "atol" => Some(inner),
            _ => None,
        });
        let inner =
            groups.flat_map(|inner| &inner.entries).map(|entry| (format!("atol_{}", entry.key), entry));
        let outer = table
            .entries
            .iter()
            .filter(|entry| entry.key != "atol" || !matches!(entry.value.data, Data::Table(_)));
        for (key, entry) in outer.map(|entry| (entry.key.to_string(), entry)).chain(inner) {
            let Some(field) = simulation().field(Part::Own, &key) else {
                let keys: Vec<&str> = simulation().fields.iter().map(|(_, field)| field.name).collect();
                let all = || format!("the settings are {}", listed(keys.clone(), "and"));
                let hint = advice_on(elsewhere::AdviceScope::Setting, &key)
                    .map(String::from)
                    .or_else(|| suggest(&key, keys.clone()))
                    .unwrap_or_else(all);
                let message = format!("there is no simulation setting `{}`", key.escape_debug());
                context.error_hint(entry.key_span, message, Some(hint));
                continue;
            };
            let plan = Plan::read(&context, field, &entry.value);
            if let Some(value) = plan.and_then(|plan| plan.eval(&context, &[])) {
                settings.retain(|(name, _)| *name != field.name);
                settings.push((field.name, value));
                found.push((field.name, context.at(entry.value.span)));
            }
        }
        self.expansion.build.map.simulation.extend(found);
    }

    /// The result, the places of all items, and what the library has to say if the model is not complete.
    fn finish(self, resolved: &Resolved) -> (Loaded, SourceMap, Vec<Finding>) {
        let Reading { files, known, report, expansion, parameters, .. } = self;
        let mut report = report.into_inner();
        // what may follow from a syntax fault is not said
        report.retain(|diagnostic| {
            diagnostic.place.is_none_or(|place| {
                let document = files.all_documents().find(|document| document.file == place.file);
                let text = &files.sources[place.file as usize].text;
                document.is_none_or(|d| !may_follow(text, &d.faults, place.span.start))
            })
        });
        for document in files.all_documents() {
            for fault in &document.faults {
                let place = Location { file: document.file, span: fault.span };
                let error = Diagnostic::error(place, fault.message.as_str());
                report.push(error.maybe_hint(fault.hint.clone()));
            }
        }
        units_of_parameters(&known, &expansion.build.map.parameters, &mut report);
        unused_settings(&expansion.settings, &mut report);
        let good = !report.has_errors();
        let unused = resolved
            .defined
            .iter()
            .filter(|(name, _, main)| good && *main && !name.contains('.') && !known.is_used(name));
        for (name, place, _) in unused {
            report.push(Diagnostic::warning(
                "unused-parameter",
                *place,
                format!("the parameter `{name}` is not used"),
            ));
        }
        let lost =
            expansion.incomplete || files.incomplete || files.all_documents().any(|d| !d.faults.is_empty());
        let build = expansion.build;
        // with faults, what else is wrong for sure; without, the model is complete and the library's to check
        let others = match (good, lost) {
            (true, _) => doubtful_names(&build.model, &known),
            (false, true) => Vec::new(),
            (false, false) => independent_findings(&build.model, &build.failed),
        };
        let model = good.then_some(build.model);
        let diagnostics = report.sorted();
        (Loaded { model, sources: Sources::default(), diagnostics, parameters }, build.map, others)
    }
}

impl Loaded {
    /// Whether there are errors.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Compiles the model; what the library finds wrong or suspicious joins the diagnostics.
    pub fn compile(&mut self) -> Option<System> {
        let (system, findings) = match System::compile(self.model.as_ref()?) {
            Ok((system, findings)) => (Some(system), findings),
            Err(findings) => (None, findings),
        };
        self.add_findings(&findings);
        system
    }

    fn add_findings(&mut self, findings: &[Finding]) {
        self.diagnostics.extend(Diagnostic::from_findings(findings, &self.sources));
        self.diagnostics.sort_by_key(|diagnostic| (diagnostic.place, diagnostic.severity));
    }

    /// All diagnostics as text.
    pub fn render(&self, colour: bool) -> String {
        crate::render::render(&self.diagnostics, &self.sources, colour)
    }
}

/// Warnings about measures and events whose names hide parameters in functions, or are used there and are
/// also those of units.
fn doubtful_names(model: &Model, known: &Known) -> Vec<Finding> {
    let measures = model.measures.iter().enumerate().map(|(k, x)| (Subject::Measure(k), "measure", &x.name));
    let switches = model.events.iter().enumerate().filter(|(_, x)| x.action() == EventAction::Switch);
    let events = switches.map(|(k, x)| (Subject::Event(k), "event", &x.name));
    let mut findings = Vec::new();
    for (subject, what, name) in measures.chain(events) {
        if known.parameters().contains(name) {
            let message = format!("in functions, the {what} `{name}` hides the parameter of the same name");
            findings.push(Finding::warning("hidden-parameter", subject.clone(), "name", message));
        }
        let taken = |other: &str| model.measures.iter().any(|measure| measure.name == other);
        if known.is_used(name)
            && let Some((message, hint)) = unit_name(what, name, |name| other_name(name, taken))
        {
            findings.push(Finding::warning("name-of-a-unit", subject, "name", message).hint(hint));
        }
    }
    findings
}

/// Puts mistakes of units where they were made: one parameter whose unit fits none of several fields is wrong itself; else
/// the message at the field shows the parameter.
fn units_of_parameters(known: &Known, places: &HashMap<String, Location>, report: &mut Report) {
    let uses = known.unit_uses();
    let faulty: BTreeSet<&String> =
        uses.iter().filter(|own| own.needed.is_some()).map(|own| &own.parameter).collect();
    for name in faulty {
        let Some(place) = places.get(name).copied() else { continue };
        let all: Vec<&UnitUse> = uses.iter().filter(|own| own.parameter == *name).collect();
        let wrong: Vec<&UnitUse> = all.iter().copied().filter(|own| own.needed.is_some()).collect();
        let Some(first) = wrong.first() else { continue };
        let alike = all.iter().all(|own| own.needed == first.needed);
        let (Some(needed), own) = (first.needed, first.own.noun()) else { continue };
        if wrong.len() > 1 && alike {
            let at: BTreeSet<Location> = wrong.iter().map(|own| own.place).collect();
            report.retain(|told| told.place.is_none_or(|place| !at.contains(&place)));
            let message =
                format!("`{name}` is {own}, but all {} fields that use it need {}", at.len(), needed.noun());
            let error = Diagnostic::error(place, message);
            let error = error.hint(format!("write `{name}` in `{needed}` or a unit of the same kind"));
            report.push(error.related(first.place, format!("`{}` needs {}", first.field, needed.noun())));
        } else {
            for own in wrong {
                report.relate(own.place, place, &format!("`{name}` is {}, as given here", own.own.noun()));
            }
        }
    }
}

/// Where a word belongs that stands at the top of a file: a type of an item or a setting of runs.
fn misplaced(key: &str) -> Option<String> {
    let types = || Section::ALL.into_iter().filter(|section| section.has_types());
    let of_type = |tag: &str| types().find(|section| section.kinds().iter().any(|kind| kind.tag == tag));
    let called = || {
        let tags = types().flat_map(|section| section.kinds()).map(|kind| kind.tag);
        // a section is meant before one of its types
        meant_here(key, top_keys()).is_none().then(|| meant_here(key, tags)).flatten()
    };
    let tag = of_type(key).map(|_| key).or_else(called);
    if let Some((tag, section)) = tag.and_then(|tag| Some((tag, of_type(tag)?.word()))) {
        return Some(format!("write `[[{section}]]` with `type = \"{tag}\"`"));
    }
    let setting = simulation().field(Part::Own, key).is_some();
    setting.then(|| format!("write it below `[simulation]`: `{key}` is a simulation setting"))
}

/// The first of the lists whose items have a field.
fn owner_of_field(key: &str) -> Option<String> {
    let has = |section: &Section| {
        section.kinds().iter().any(|kind| kind.fields.iter().any(|(_, own)| own.name == key))
    };
    let own = Section::ALL.into_iter().find(has)?.word();
    Some(format!("write it below the header `[[{own}]]` of the item that it belongs to"))
}

/// The space of a model, which the length of its vectors depends on.
pub(crate) fn space_of(files: &Files) -> Space {
    let words = files.documents.iter().filter_map(|document| document.tree.get("space")?.data.text());
    words.fold(Space::default(), |space, word| match word {
        "planar" => Space::Planar,
        "spatial" => Space::Spatial,
        _ => space,
    })
}

/// All keys at the top of a model file.
pub(crate) fn top_keys() -> Vec<&'static str> {
    let values = TOP.iter().map(|field| field.name).chain(["include", "parameters"]);
    let lists = ["simulation", "pattern", "assembly", "override", "points", "ranges"];
    values.chain(Section::ALL.map(Section::word)).chain(lists).collect()
}

#[cfg(test)]
mod tests;
mod walks;
