//! One item of a model file, such as a joint: its table is read once and gives an item for each value of the
//! indices of the patterns around it.

mod naming;

use crate::assembly::{ItemNames, shown};
use crate::catalog::{self, ItemKind, Parts, Section};
use crate::changes::Changes;
use crate::context::Context;
use crate::diagnostic::Report;
use crate::plan::Plan;
use crate::source::{Origin, SourceMap, Span};
use crate::suggest::{listed, meant, suggest};
use crate::tree::{Data, Entry, Node, Table};
use kingpin::elsewhere::{self, advice_on};
use kingpin::model::describe::{Described, Field, Kind, Spaces};
use kingpin::model::value::Value;
use kingpin::model::{Model, Space, Start};
use std::cell::RefCell;

/// An item as read.
pub(crate) struct ItemPlan<'a> {
    context: Context<'a>,
    section: Section,
    kind: usize,
    /// Absent if only its name is asked for.
    origin: Option<u32>,
    fields: Vec<(catalog::Part, &'static str, Plan)>,
    /// The name, kept apart because it is needed even if the rest could not be read.
    name: Option<Plan>,
    failed: bool,
}

/// The model as far as it has been built.
#[derive(Default)]
pub(crate) struct Build {
    pub model: Model,
    pub map: SourceMap,
    /// Items that could not be read; they stand in the model with their names alone.
    pub failed: Vec<(Section, usize)>,
    /// Names of all items, if they were asked for.
    pub names: ItemNames,
    /// Values that are given elsewhere.
    pub changes: Changes,
    parts: Parts,
}

impl<'a> ItemPlan<'a> {
    /// Reads a table; `None` after a report if it is none.
    pub fn read(
        context: &Context<'a>,
        section: Section,
        node: &Node,
        map: &mut SourceMap,
    ) -> Option<ItemPlan<'a>> {
        let Data::Table(table) = &node.data else {
            let message =
                format!("every `{}` must be a table, but this is {}", section.word(), node.data.noun());
            context.error(node.span, message);
            return None;
        };
        let found = find_kind(context, section, table, node.span);
        let kinds = section.kinds();
        let kind = &kinds[found.unwrap_or(0)];
        let mut item = ItemPlan {
            context: context.clone(),
            section,
            kind: found.unwrap_or(0),
            origin: None,
            fields: Vec::new(),
            name: None,
            failed: found.is_none() || !allowed(context, section, kind, table),
        };
        let mut spans = Vec::new();
        for entry in &table.entries {
            item.read_entry(kind, entry, found.is_some(), &mut spans);
        }
        if found.is_some() {
            item.failed |= !complete(context, section, kind, table, node.span);
        }
        spans.sort_unstable();
        let assembly = context.instance.map(|own| (own.place, shown(&own.prefix).to_string()));
        let fields = spans.into_iter().map(|(name, span)| (name, context.at(span))).collect();
        item.origin =
            Some(map.add_origin(Origin { file: context.file, header: node.span, fields, assembly }));
        Some(item)
    }

    /// Reads one key, or those of a table of fields whose names begin alike.
    fn read_entry(
        &mut self,
        kind: &'static ItemKind,
        entry: &Entry,
        known: bool,
        spans: &mut Vec<(&'static str, Span)>,
    ) {
        let fields = kind.table(&entry.key);
        let Data::Table(inner) = &entry.value.data else { return self.read_field(kind, entry, known, spans) };
        if fields.is_empty() || kind.fields.iter().any(|(_, field)| field.name == entry.key) {
            return self.read_field(kind, entry, known, spans);
        }
        for own in &inner.entries {
            let Some((_, field)) = fields.iter().find(|(rest, _)| *rest == own.key) else {
                let keys: Vec<&str> = fields.iter().map(|(rest, _)| *rest).collect();
                let hint = suggest(&own.key, keys.clone())
                    .unwrap_or_else(|| format!("its fields are {}", listed(keys, "and")));
                let message = format!("`{}` has no `{}`", entry.key, own.key.escape_debug());
                self.context.error_hint(own.key_span, message, Some(hint));
                self.failed = true;
                continue;
            };
            if spans.iter().any(|(name, _)| *name == field.name) {
                let message = format!("`{}` is given twice: as `{}` too", own.key, field.name);
                self.context.error(own.key_span, message);
                self.failed = true;
            }
            self.read_value(catalog::Part::Fitting, field, own, spans);
        }
    }

    /// Reads the name and the kind of an item and says nothing; `None` if there is none.
    pub fn name_of(context: &Context<'a>, section: Section, node: &Node) -> Option<ItemPlan<'a>> {
        let Data::Table(table) = &node.data else { return None };
        let scratch = RefCell::new(Report::default());
        let quiet = Context { report: &scratch, ..context.clone() };
        let kind = find_kind(&quiet, section, table, node.span).unwrap_or(0);
        let field = section.kinds()[kind].fields.iter().find(|(_, field)| field.kind == Kind::Name);
        let (_, field) = field?;
        let name = Plan::read(&quiet, field, table.get(field.name)?);
        let (origin, fields, failed) = (None, Vec::new(), false);
        Some(ItemPlan { context: context.clone(), section, kind, origin, fields, name, failed })
    }

    /// Reads one key; without a known kind only the name is of interest.
    fn read_field(
        &mut self,
        kind: &'static ItemKind,
        entry: &Entry,
        known: bool,
        spans: &mut Vec<(&'static str, Span)>,
    ) {
        let context = &self.context;
        if entry.key == "type" && self.section.has_types() {
            spans.push(("type", entry.value.span));
            return;
        }
        let Some((part, field)) = kind.fields.iter().find(|(_, field)| field.name == entry.key) else {
            if known {
                unknown_key(context, self.section, kind, entry);
                self.failed = true;
            }
            return;
        };
        if !known && field.kind != Kind::Name {
            return;
        }
        if !field.spaces.contain(context.space) {
            let message = format!("`{}` is for {} models", field.name, word(field.spaces));
            context.error_hint(entry.key_span, message, Some(this_model(context.space)));
            self.failed = true;
            return;
        }
        self.read_value(*part, field, entry, spans);
    }

    fn read_value(
        &mut self,
        part: catalog::Part,
        field: &Field,
        entry: &Entry,
        spans: &mut Vec<(&'static str, Span)>,
    ) {
        spans.push((field.name, entry.value.span));
        match Plan::read(&self.context, field, &entry.value) {
            Some(plan) if field.kind == Kind::Name => self.name = Some(plan),
            Some(plan) => self.fields.push((part, field.name, plan)),
            None => self.failed = true,
        }
    }

    /// Adds the item for given indices to the model; with its name alone if something is wrong with it.
    pub fn add(&self, build: &mut Build, indices: &[f64]) {
        let name = self.full_name(indices);
        let Some(origin) = self.origin else {
            return build.names.insert(self.section, name, self.kind);
        };
        let index = self.section.count(&build.model);
        let changed = build.changes.places(self.section, &name);
        let origin = changed.and_then(|changed| build.map.changed_origin(origin, changed)).unwrap_or(origin);
        build.map.add_item(&self.section.subject(index), origin);
        let named = !name.is_empty() || !self.section.has_names();
        if !self.fill(build, &name, named, indices) {
            build.failed.push((self.section, index));
            catalog::add_blank(&mut build.model, self.section, self.kind, &name);
        }
    }

    /// Evaluates all fields, so that all faults are reported, and adds the item if there are none.
    fn fill(&self, build: &mut Build, name: &str, named: bool, indices: &[f64]) -> bool {
        let mut parts = std::mem::take(&mut build.parts);
        parts.ends.clear();
        parts.start.clear();
        parts.fitting.clear();
        parts.own.clear();
        let mut good = named && !self.failed;
        for (part, field, plan) in &self.fields {
            match plan.eval(&self.context, indices) {
                Some(value) if *part == catalog::Part::Ends => parts.ends.push((field, value)),
                Some(value) if *part == catalog::Part::Start => parts.start.push((field, value)),
                Some(value) if *part == catalog::Part::Fitting => parts.fitting.push((field, value)),
                Some(value) => parts.own.push((field, value)),
                None => good = false,
            }
        }
        if self.section.has_types() {
            parts.name = name.into();
        } else {
            parts.own.push(("name", Value::Text(name.into())));
        }
        let good = good && self.settle(&mut parts, &build.names, &build.map);
        let faults = build.changes.apply(self.section, name, &self.section.kinds()[self.kind], &mut parts);
        let good = good && faults.is_empty();
        faults.into_iter().for_each(|fault| self.context.push(fault));
        let added =
            good && catalog::add_item(&mut build.model, self.section, self.kind, &mut parts).is_some();
        build.parts = parts;
        added
    }
}

/// The number of the kind of an item; `None` after a report.
fn find_kind(context: &Context<'_>, section: Section, table: &Table, header: Span) -> Option<usize> {
    if !section.has_types() {
        return Some(0);
    }
    let tags = || section.kinds().iter().map(|kind| kind.tag);
    let here = section.kinds().iter().filter(|kind| kind.spaces.contain(context.space));
    let types = format!("the types are {}", listed(here.map(|kind| kind.tag), "and"));
    let Some(node) = table.get("type") else {
        context.error_hint(header, format!("this {} has no `type`", section.word()), Some(types));
        return None;
    };
    let Some(tag) = node.data.text() else {
        let message = format!("`type` must be a string, not {}", node.data.noun());
        context.error_hint(node.span, message, Some(types));
        return None;
    };
    let found = tags().position(|known| known == tag);
    if found.is_none() {
        let message = format!("there is no {} of type `{}`", section.word(), tag.escape_debug());
        let meant = meant(tag, tags().collect::<Vec<_>>());
        let knows = |own: &Section| own.has_types() && own.kinds().iter().any(|kind| kind.tag == tag);
        let elsewhere = Section::ALL.into_iter().find(knows);
        let hint = match (advice_on(elsewhere::AdviceScope::Type, tag), elsewhere, meant) {
            (Some(advice), ..) => advice.to_string(),
            (_, Some(own), _) => format!("`{tag}` is a type of `[[{}]]`\n{types}", own.word()),
            (.., Some(tag)) => format!("did you mean `{tag}`?\n{types}"),
            _ => types,
        };
        context.error_hint(node.span, message, Some(hint));
    }
    found
}

/// Whether a kind makes sense in the space of the model; reports it if not.
fn allowed(context: &Context<'_>, section: Section, kind: &ItemKind, table: &Table) -> bool {
    if kind.spaces.contain(context.space) {
        return true;
    }
    if let Some(node) = table.get("type") {
        let message = format!("{} is for {} models", described(section, kind), word(kind.spaces));
        context.error_hint(node.span, message, Some(this_model(context.space)));
    }
    false
}

/// "a body", "an `absolute-x` joint".
fn described(section: Section, kind: &ItemKind) -> String {
    let article = |word: &str| if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    match (kind.tag, section.word()) {
        ("", word) => format!("{} {word}", article(word)),
        (tag, word) => format!("{} `{tag}` {word}", article(tag)),
    }
}

fn word(spaces: Spaces) -> &'static str {
    match spaces {
        Spaces::Both => "all",
        Spaces::Planar => "planar",
        Spaces::Spatial => "spatial",
    }
}

fn this_model(space: Space) -> String {
    match space {
        Space::Planar => "this model is planar".into(),
        Space::Spatial => "this model is spatial; `space = \"planar\"` at the top makes it planar".into(),
    }
}

/// Whether all required fields are there; reports what is missing.
fn complete(context: &Context<'_>, section: Section, kind: &ItemKind, table: &Table, header: Span) -> bool {
    // a flag that is set, or another field that is given
    let spares = |key: &str| table.get(key).is_some_and(|node| node.data != Data::Flag(false));
    let spared = |field: &Field| field.unless.split('|').any(spares);
    let needed = |field: &&Field| field.required && field.spaces.contain(context.space) && !spared(field);
    let fields = kind.fields.iter().map(|(_, field)| field).filter(needed);
    let missing: Vec<&str> =
        fields.map(|field| field.name).filter(|name| table.get(name).is_none()).collect();
    if missing.is_empty() {
        return true;
    }
    let what = match table.get("name").and_then(|node| node.data.text()) {
        Some(name) => format!("{} `{}`", section.word(), name.escape_debug()),
        None => format!("this {}", section.word()),
    };
    context.error(header, format!("{what} lacks {}", listed(missing, "and")));
    false
}

fn unknown_key(context: &Context<'_>, section: Section, kind: &ItemKind, entry: &Entry) {
    let keys: Vec<&str> = kind
        .fields
        .iter()
        .filter(|(_, field)| field.spaces.contain(context.space))
        .map(|(_, field)| field.name)
        .collect();
    if section == Section::Joint && Start::fields().iter().any(|field| field.name == entry.key) {
        return unknown_coordinate(context, kind, entry);
    }
    let parts: Vec<&str> = kind.table(&entry.key).iter().map(|(rest, _)| *rest).collect();
    let has = |own: &&ItemKind| own.fields.iter().any(|(_, field)| field.name == entry.key);
    let others: Vec<&str> = section.kinds().iter().filter(has).map(|own| own.tag).take(5).collect();
    let hint = match (parts.first(), suggest(&entry.key, keys.clone())) {
        (Some(first), _) => {
            format!(
                "write a table: `{} = {{ {first} = ... }}`; its fields are {}",
                entry.key,
                listed(parts.clone(), "and")
            )
        }
        (None, _) if advice_on(elsewhere::AdviceScope::Field, &entry.key).is_some() => {
            advice_on(elsewhere::AdviceScope::Field, &entry.key).unwrap_or_default().to_string()
        }
        (None, Some(hint)) => hint,
        (None, None) if !others.is_empty() => format!("it is a field of {}", listed(others, "and")),
        (None, None) => format!("its fields are {}", listed(keys, "and")),
    };
    let message = format!("{} has no field `{}`", described(section, kind), entry.key.escape_debug());
    context.error_hint(entry.key_span, message, Some(hint));
}

/// A coordinate that other joints have.
fn unknown_coordinate(context: &Context<'_>, kind: &ItemKind, entry: &Entry) {
    let own =
        kind.fields.iter().filter(|(part, field)| *part == catalog::Part::Start && field.name != "tree");
    let own: Vec<&str> = own.map(|(_, field)| field.name).collect();
    let hint = match own.is_empty() {
        true => "only joints that can be part of the spanning tree have initial coordinates".to_string(),
        false => format!("its coordinates and rates are {}", listed(own, "and")),
    };
    let message =
        format!("{} has no coordinate `{}`", described(Section::Joint, kind), entry.key.escape_debug());
    context.error_hint(entry.key_span, message, Some(hint));
}

#[cfg(test)]
mod tests {
    use crate::{Overrides, read_text};
    use kingpin::model::Subject;

    #[test]
    fn an_item_says_all_that_is_wrong_with_it() {
        let text =
            "[[joint]]\ntype = 'screw'\nname = 'a{1/2}'\npitch = 0\nbody1 = 3\nboddy2 = 'x'\n[[joint]]\n";
        let loaded = read_text("a.toml", text, ".", &Overrides::none());
        let messages: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "`{1/2}` must be an integer, but is 0.5",
                "`pitch` must not be zero, but is 0",
                "`body1` must be the name of a body, not a number",
                "a `screw` joint has no field `boddy2`",
                "this joint has no `type`",
            ]
        );
    }

    #[test]
    fn every_field_has_its_place() {
        let text =
            "[[joint]]\ntype = 'screw'\nname = 'a'\npitch = 1\naxis = [1, 0, 0]\nbody1 = 'b'\nbody2 = 'c'\n";
        let loaded = read_text("a.toml", text, ".", &Overrides::none());
        for (field, line) in
            [("type", 2), ("name", 3), ("pitch", 4), ("axis", 5), ("body2", 7), ("point1", 3)]
        {
            let place = loaded.sources.locate(&Subject::Joint(0), field).unwrap();
            assert_eq!(loaded.sources.line_column(place).unwrap().0, line, "{field}");
        }
    }
}
