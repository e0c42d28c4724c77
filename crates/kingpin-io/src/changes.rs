//! Single fields of items that a model gives another value than the file they are described in.

use crate::catalog::{ItemKind, Part, Parts, Section};
use crate::context::Context;
use crate::diagnostic::Diagnostic;
use crate::item::Build;
use crate::pattern::Pass;
use crate::plan::Plan;
use crate::source::{Location, Span};
use crate::suggest::{listed, suggest};
use crate::tree::{Data, Entry, Node, Table};
use kingpin::model::Vec3;
use kingpin::model::describe::{Field, FieldValues, Kind};
use kingpin::model::value::Value;
use std::collections::HashMap;

/// All changes, by section and name of the item.
#[derive(Default)]
pub(crate) struct Changes {
    items: HashMap<(Section, String), Vec<Change>>,
}

/// A field of an item and its value.
struct Change {
    part: Part,
    field: &'static str,
    place: Location,
    value: Changed,
}

enum Changed {
    Whole(Value),
    /// A component of a vector.
    Component(usize, f64),
}

/// The names of components.
const COMPONENTS: [&str; 3] = ["x", "y", "z"];

impl Changes {
    /// The places of the fields of an item that are given elsewhere.
    pub fn places(&self, section: Section, name: &str) -> Option<Vec<(&'static str, Location)>> {
        // most models change nothing
        if self.items.is_empty() {
            return None;
        }
        let changes = self.items.get(&(section, name.to_string()))?;
        let mut places: Vec<(&'static str, Location)> = Vec::new();
        for change in changes {
            if places.iter().all(|(field, _)| *field != change.field) {
                places.push((change.field, change.place));
            }
        }
        Some(places)
    }

    /// Changes the fields of an item; tells of components of vectors that it does not have.
    pub fn apply(&self, section: Section, name: &str, kind: &ItemKind, parts: &mut Parts) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        if self.items.is_empty() {
            return faults;
        }
        for change in self.items.get(&(section, name.to_string())).into_iter().flatten() {
            let values = match change.part {
                Part::Ends => &mut parts.ends,
                Part::Start => &mut parts.start,
                Part::Fitting => &mut parts.fitting,
                Part::Own | Part::Name => &mut parts.own,
            };
            if !change.apply(kind, values) {
                let field = change.field;
                let message =
                    format!("{} `{name}` has no `{field}` whose components could be changed", section.word());
                let hint = format!("give the whole vector: `{field} = [...]`");
                faults.push(Diagnostic::error(change.place, message).maybe_hint(Some(hint)));
            }
        }
        faults
    }
}

impl Change {
    /// Changes a field; `false` if it is a component of a vector that is neither given nor has a value by itself.
    fn apply(&self, kind: &ItemKind, values: &mut FieldValues) -> bool {
        let old = values.iter().position(|(name, _)| *name == self.field).map(|k| values.remove(k).1);
        let new = match &self.value {
            Changed::Whole(value) => value.clone(),
            Changed::Component(k, x) => {
                let old = old.as_ref().or_else(|| kind.default_of(self.field));
                let mut vector = match old {
                    Some(Value::Vector(vector)) => *vector,
                    // the origin, but for bodies that are weighed
                    _ if self.field == "com" && !is_weighed(values) => Vec3::zeros(),
                    _ => return false,
                };
                vector[*k] = *x;
                Value::Vector(vector)
            }
        };
        values.push((self.field, new));
        true
    }
}

/// Whether a body has its centre of mass from its shapes.
fn is_weighed(values: &FieldValues) -> bool {
    values.iter().any(|(name, _)| matches!(*name, "density" | "material"))
}

/// Reads the changes of a file that concern items of a walk.
pub(crate) fn read(context: &Context<'_>, tree: &Table, pass: Pass, build: &mut Build) {
    let Some(node) = tree.get("override") else { return };
    let form = "write `[override.body.chassis]` and the fields below it";
    let Data::Table(table) = &node.data else {
        if pass == Pass::Others {
            let message = format!("`override` must be a table, not {}", node.data.noun());
            context.error_hint(node.span, message, Some(form.into()));
        }
        return;
    };
    for entry in &table.entries {
        let Some(section) = Section::named(&entry.key).filter(|section| section.has_names()) else {
            if pass == Pass::Others {
                let named = Section::ALL.into_iter().filter(|section| section.has_names());
                let words: Vec<&str> = named.map(Section::word).collect();
                let hint = suggest(&entry.key, words.clone());
                let hint = hint.unwrap_or_else(|| format!("there are {}", listed(words, "and")));
                let message = format!("there are no items called `{}` to override", entry.key.escape_debug());
                context.error_hint(entry.key_span, message, Some(hint));
            }
            continue;
        };
        match &entry.value.data {
            Data::Table(items) if pass.reads(section) => {
                items.entries.iter().for_each(|item| read_item(context, section, "", item, build));
            }
            Data::Table(_) => {}
            other if pass == Pass::Others => {
                let message = format!("`override.{}` must be a table, not {}", entry.key, other.noun());
                context.error_hint(entry.value.span, message, Some(form.into()));
            }
            _ => {}
        }
    }
}

/// Reads the changes of an item, whose name may have dots and be that of several tables then.
fn read_item(context: &Context<'_>, section: Section, before: &str, entry: &Entry, build: &mut Build) {
    let name = format!("{before}{}", entry.key);
    let Data::Table(fields) = &entry.value.data else {
        return unknown_item(context, section, &name, entry.key_span, build);
    };
    let Some(kind) = build.names.kind(section, &name) else {
        let inside = format!("{name}.");
        if build.names.of(section).iter().any(|known| known.starts_with(&inside)) {
            fields.entries.iter().for_each(|entry| read_item(context, section, &inside, entry, build));
        } else {
            unknown_item(context, section, &name, entry.key_span, build);
        }
        return;
    };
    let kind = &section.kinds()[kind];
    for entry in &fields.entries {
        let changes = read_field(context, section, kind, &name, entry);
        build.changes.items.entry((section, name.clone())).or_default().extend(changes);
    }
}

fn unknown_item(context: &Context<'_>, section: Section, name: &str, span: Span, build: &Build) {
    let names = build.names.of(section);
    let message = format!("there is no {} called `{}`", section.word(), name.escape_debug());
    let hint = suggest(name, names.clone()).unwrap_or_else(|| match names.len() {
        0 => format!("there is no {} at all", section.word()),
        1 => format!("there is {}", listed(names, "and")),
        2..=20 => format!("there are {}", listed(names, "and")),
        n => format!("there are {n}"),
    });
    context.error_hint(span, message, Some(hint));
}

/// Reads a field; nothing after a report.
fn read_field(
    context: &Context<'_>,
    section: Section,
    kind: &'static ItemKind,
    name: &str,
    entry: &Entry,
) -> Vec<Change> {
    let may = |field: &Field| field.kind != Kind::Name && field.spaces.contain(context.space);
    let found = kind.fields.iter().find(|(_, field)| field.name == entry.key && may(field));
    if let (None, Data::Table(inner)) = (found, &entry.value.data)
        && !kind.table(&entry.key).is_empty()
    {
        return inner.entries.iter().filter_map(|own| read_part(context, kind, &entry.key, own)).collect();
    }
    let Some((part, field)) = found else {
        let keys: Vec<&str> =
            kind.fields.iter().filter(|(_, field)| may(field)).map(|(_, field)| field.name).collect();
        let message = match entry.key.as_str() {
            "name" | "type" => format!("the `{}` of an item cannot be overridden", entry.key),
            key => format!("the {} `{}` has no field `{}`", section.word(), name, key.escape_debug()),
        };
        let hint = suggest(&entry.key, keys.clone()).unwrap_or(format!("it has {}", listed(keys, "and")));
        context.error_hint(entry.key_span, message, Some(hint));
        return Vec::new();
    };
    let unit = match field.kind {
        Kind::Vector(unit) | Kind::Spin(unit) => Some(unit),
        Kind::Direction => Some(""),
        _ => None,
    };
    let change =
        |place: Span, value| Change { part: *part, field: field.name, place: context.at(place), value };
    match (&entry.value.data, unit) {
        (Data::Table(components), Some(unit)) => {
            let component = |entry: &Entry| {
                let value = read_component(context, field, unit, entry)?;
                Some(change(entry.value.span, value))
            };
            components.entries.iter().filter_map(component).collect()
        }
        _ => {
            let value = read_value(context, field, &entry.value).map(Changed::Whole);
            value.map(|value| change(entry.value.span, value)).into_iter().collect()
        }
    }
}

/// Reads a field of a table of a joint, such as `stops.min`; `None` after a report.
fn read_part(context: &Context<'_>, kind: &'static ItemKind, table: &str, entry: &Entry) -> Option<Change> {
    let fields = kind.table(table);
    let Some((_, field)) = fields.iter().find(|(rest, _)| *rest == entry.key) else {
        let keys: Vec<&str> = fields.iter().map(|(rest, _)| *rest).collect();
        let hint = suggest(&entry.key, keys.clone())
            .unwrap_or_else(|| format!("its fields are {}", listed(keys, "and")));
        let message = format!("`{table}` has no `{}`", entry.key.escape_debug());
        context.error_hint(entry.key_span, message, Some(hint));
        return None;
    };
    let value = Changed::Whole(read_value(context, field, &entry.value)?);
    Some(Change { part: Part::Fitting, field: field.name, place: context.at(entry.value.span), value })
}

fn read_value(context: &Context<'_>, field: &Field, node: &Node) -> Option<Value> {
    Plan::read(context, field, node)?.eval(context, &[])
}

/// Reads a component of a vector; `None` after a report.
fn read_component(
    context: &Context<'_>,
    field: &Field,
    unit: &'static str,
    entry: &Entry,
) -> Option<Changed> {
    let Some(k) = COMPONENTS.iter().position(|name| *name == entry.key) else {
        let message = format!("`{}` has no component `{}`", field.name, entry.key.escape_debug());
        context.error_hint(entry.key_span, message, Some(format!("there are {}", listed(COMPONENTS, "and"))));
        return None;
    };
    let number = Field { kind: Kind::Number(unit), ..*field };
    match read_value(context, &number, &entry.value)? {
        Value::Number(x) => Some(Changed::Component(k, x)),
        _ => None,
    }
}
