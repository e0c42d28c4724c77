//! Lists of items and patterns: what stands in a file once and gives many items.

use crate::assembly::Assembly;
use crate::catalog::Section;
use crate::context::Context;
use crate::diagnostic::{Diagnostic, Report};
use crate::item::{Build, ItemPlan};
use crate::memory::available_memory;
use crate::number::{Number, number};
use crate::parameters::Setting;
use crate::shape::plain;
use crate::source::{SourceMap, Span};
use crate::suggest::{listed, suggest};
use crate::tree::{Data, Entry, Node, Table};
use crate::unit_names::{other_index, unit_name};
use kingpin::expr::is_identifier;
use kingpin::model::describe::Kind;
use std::cell::RefCell;

/// How much a model file may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The greatest number of items that patterns may make, to stop typing errors.
    pub items: usize,
    /// Bytes of memory that there are, if that is known.
    pub memory: Option<u64>,
}

/// Items of a model that a machine with any memory may hold.
const MOST_ITEMS: usize = 10_000_000;
/// Bytes that an item takes until a model has been checked, from chains of rods.
const BYTES: u64 = 4_000;
/// Items that are made although a fault is known, to find more of them.
const FAULTY: usize = 10_000;

impl Default for Limits {
    /// As many items as a machine of any size holds, and no more than this one does.
    fn default() -> Limits {
        Limits { items: MOST_ITEMS, memory: available_memory() }
    }
}

impl Limits {
    /// Items that may be made.
    fn most(&self) -> usize {
        let fitting = self.memory.and_then(|bytes| usize::try_from(bytes / BYTES).ok());
        fitting.unwrap_or(usize::MAX).min(self.items)
    }
}

/// Which items a walk over the file reads. Functions need to know measures, inputs and events, so these come first;
/// events are functions of measures and states, of which a walk of their own tells the names alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Names alone, for references in assemblies; nothing is reported.
    Names,
    Measures,
    StateNames,
    Events,
    Others,
}

impl Pass {
    /// Whether the walk reads a section.
    pub fn reads(self, section: Section) -> bool {
        match section {
            Section::Measure | Section::Input => self == Pass::Measures,
            Section::Event => self == Pass::Events,
            Section::State | Section::Controller => matches!(self, Pass::StateNames | Pass::Others),
            _ => self == Pass::Others,
        }
    }
}

/// A piece of a file that makes items.
pub(crate) enum Block<'a> {
    Item(ItemPlan<'a>),
    Pattern(Pattern<'a>),
    Assembly(Assembly<'a>),
    /// Something that could not be read at all; its items are not known.
    Nothing,
}

/// A pattern as read.
pub(crate) struct Pattern<'a> {
    /// The surroundings of the pattern, without its own index.
    context: Context<'a>,
    header: Span,
    from: (Number, Span),
    to: (Number, Span),
    blocks: Vec<Block<'a>>,
    quiet: bool,
}

/// Reads the items and patterns of a table in the order of the file.
pub(crate) fn blocks<'a>(
    context: &Context<'a>,
    table: &'a Table,
    pass: Pass,
    map: &mut SourceMap,
) -> Vec<Block<'a>> {
    let mut found: Vec<(Span, Block<'a>)> = Vec::new();
    for entry in &table.entries {
        match Section::named(&entry.key) {
            Some(section) if pass == Pass::Names => {
                let scratch = RefCell::new(Report::default());
                let quiet = Context { report: &scratch, ..context.clone() };
                for node in nodes(&quiet, entry) {
                    if let Some(item) = ItemPlan::name_of(context, section, node) {
                        found.push((node.span, Block::Item(item)));
                    }
                }
            }
            Some(section) if pass.reads(section) => {
                for node in nodes(context, entry) {
                    let item = ItemPlan::read(context, section, node, map);
                    found.push((node.span, item.map_or(Block::Nothing, Block::Item)));
                }
            }
            None if entry.key == "assembly" => {
                let scratch = RefCell::new(Report::default());
                let quiet = Context { report: &scratch, ..context.clone() };
                let own: &Context<'_> = if pass == Pass::Others { context } else { &quiet };
                for node in nodes(own, entry) {
                    let assembly = Assembly::read(context, own, node, pass);
                    found.push((node.span, assembly.map_or(Block::Nothing, Block::Assembly)));
                }
            }
            None if entry.key == "pattern" => {
                let scratch = RefCell::new(Report::default());
                let quiet = Context { report: &scratch, ..context.clone() };
                let own: &Context<'_> = if pass == Pass::Others { context } else { &quiet };
                for node in nodes(own, entry) {
                    let pattern = Pattern::read(context, own, node, pass, map);
                    found.push((node.span, pattern.map_or(Block::Nothing, Block::Pattern)));
                }
            }
            _ => {}
        }
    }
    found.sort_by_key(|(span, _)| *span);
    found.into_iter().map(|(_, block)| block).collect()
}

/// The tables of a list; a single table is taken for a list of one after a report.
fn nodes<'t>(context: &Context<'_>, entry: &'t Entry) -> &'t [Node] {
    match &entry.value.data {
        Data::Array(items) => items,
        Data::Table(_) => {
            let key = &entry.key;
            let header = context.text.get(entry.value.span.range()).filter(|text| text.starts_with('['));
            let hint = header.map_or(format!("write `[[{key}]]`"), |header| format!("write `[{header}]`"));
            context.error_hint(entry.value.span, format!("`{key}` is a list of tables"), Some(hint));
            std::slice::from_ref(&entry.value)
        }
        other => {
            let message = format!("`{}` must be a list of tables, not {}", entry.key, other.noun());
            context.error_hint(entry.value.span, message, Some(format!("write `[[{}]]`", entry.key)));
            &[]
        }
    }
}

impl<'a> Pattern<'a> {
    /// Reads a pattern and all in it. `own` is where faults of the pattern itself are reported.
    fn read(
        context: &Context<'a>,
        own: &Context<'_>,
        node: &'a Node,
        pass: Pass,
        map: &mut SourceMap,
    ) -> Option<Pattern<'a>> {
        let Data::Table(table) = &node.data else {
            own.error(node.span, format!("a pattern must be a table, not {}", node.data.noun()));
            return None;
        };
        let mut good = unknown_keys(own, table);
        let index = index_name(own, table);
        let from = match table.get("from") {
            Some(node) => bound(own, "from", node),
            None => Some((Number::Fixed(1.0), node.span)),
        };
        let to = match table.get("to") {
            Some(node) => bound(own, "to", node),
            None => {
                own.error(node.span, "this pattern needs `to`, the last value of its index");
                None
            }
        };
        // the index is known inside even if its bounds are not
        let first = from.as_ref().map_or(1.0, |(number, _)| {
            let outer: Vec<f64> = context.indices.iter().map(|(_, value)| *value as f64).collect();
            number.eval(context, &outer)
        });
        let mut inner = context.clone();
        inner.indices.push((index.unwrap_or("i"), first as i64));
        let blocks = blocks(&inner, table, pass, map);
        good &= index.is_some();
        let quiet = pass != Pass::Others;
        let pattern =
            Pattern { context: context.clone(), header: node.span, from: from?, to: to?, blocks, quiet };
        good.then_some(pattern)
    }

    /// Adds all items to the model.
    fn expand(&self, build: &mut Expansion, indices: &mut Vec<f64>) {
        let from = self.bound("from", &self.from, indices);
        let to = self.bound("to", &self.to, indices);
        let (Some(from), Some(to)) = (from, to) else {
            build.incomplete = true;
            return;
        };
        // one less than the first says that there shall be none
        if to < from.saturating_sub(1) && !self.quiet {
            let which = self.context.for_indices(indices);
            let message = format!("this pattern is empty: its index goes from {from} to {to}{which}");
            self.context.push(Diagnostic::warning("empty-pattern", self.context.at(self.to.1), message));
        }
        for index in from..=to {
            indices.push(index as f64);
            build.steps += usize::from(self.blocks.is_empty());
            expand(&self.blocks, build, indices);
            indices.pop();
            // a faulty model is of no use: more of it tells no more about its faults
            if !self.quiet && build.steps > FAULTY && self.context.report.borrow().has_errors() {
                build.full = true;
                build.incomplete = true;
            }
            if build.full {
                return;
            }
        }
    }

    /// Items that it makes, one at least for each value of its index; if there are more than the most, the pattern that
    /// makes them. O(items) at worst, and O(1) where the bounds of the patterns in it are numbers.
    fn size(&self, indices: &mut Vec<f64>, most: usize) -> Result<usize, &Pattern<'a>> {
        let whole = |(number, _): &(Number, Span)| {
            let value = number.eval(&self.context, indices);
            (value.fract() == 0.0 && value.abs() < 1e15).then_some(value as i64)
        };
        // what is no bound is reported later
        let (Some(from), Some(to)) = (whole(&self.from), whole(&self.to)) else { return Ok(0) };
        let count = usize::try_from(to.saturating_sub(from).saturating_add(1)).unwrap_or(0);
        if count > most {
            return Err(self);
        }
        let mut inner = |index: i64, most| {
            indices.push(index as f64);
            let size = size(&self.blocks, indices, most);
            indices.pop();
            size
        };
        let mut total = 0_usize;
        if count > 0 && self.is_even() {
            let each = inner(from, most)?;
            total = each.max(1).saturating_mul(count);
        } else {
            for index in from..=to {
                total = total.saturating_add(inner(index, most)?.max(1));
                if total > most {
                    break;
                }
            }
        }
        if total > most { Err(self) } else { Ok(total) }
    }

    /// Whether it makes as much for each value of its index.
    fn is_even(&self) -> bool {
        self.blocks.iter().all(|block| match block {
            Block::Pattern(inner) => inner.from.0.is_fixed() && inner.to.0.is_fixed() && inner.is_even(),
            _ => true,
        })
    }

    /// A bound as a whole number; `None` after a report.
    fn bound(&self, name: &str, (number, span): &(Number, Span), indices: &[f64]) -> Option<i64> {
        let value = number.eval(&self.context, indices);
        if value.fract() == 0.0 && value.abs() < 1e15 {
            return Some(value as i64);
        }
        let known = value.is_nan() && self.context.known.faulty;
        if !known && !self.quiet {
            let which = self.context.for_indices(indices);
            let message = format!("`{name}` must be an integer, but is {}{which}", plain(value));
            self.context.error(*span, message);
        }
        None
    }
}

/// The model under construction and the work done for patterns.
#[derive(Default)]
pub(crate) struct Expansion {
    pub build: Build,
    pub limits: Limits,
    /// Values for parameters of assemblies.
    pub settings: Vec<Setting>,
    steps: usize,
    /// Whether there are too many items.
    full: bool,
    /// Whether items are missing whose names are not known.
    pub incomplete: bool,
    /// Names of states and of outputs of controllers, where a walk looks for them alone.
    pub names: Option<[Vec<String>; 2]>,
}

impl Expansion {
    /// For a walk that looks for names alone.
    pub fn of_names(limits: Limits) -> Expansion {
        Expansion { names: Some(Default::default()), limits, ..Expansion::default() }
    }

    /// Whether patterns and assemblies have made too much; the first time it is found, it is told.
    pub fn is_beyond(&mut self, tell: impl FnOnce(usize)) -> bool {
        if self.steps <= self.limits.most() {
            return false;
        }
        if !self.full {
            tell(self.limits.most());
        }
        (self.full, self.incomplete) = (true, true);
        true
    }

    /// Before another walk.
    pub fn restart(&mut self) {
        self.steps = 0;
        self.full = false;
    }
}

/// Items that blocks make, or the pattern that makes more than the most.
fn size<'b, 'a>(
    blocks: &'b [Block<'a>],
    indices: &mut Vec<f64>,
    most: usize,
) -> Result<usize, &'b Pattern<'a>> {
    let mut total = 0_usize;
    for block in blocks {
        let own = match block {
            Block::Item(_) => 1,
            Block::Pattern(pattern) => pattern.size(indices, most.saturating_sub(total))?,
            Block::Assembly(assembly) => assembly.least_size().saturating_add(1),
            Block::Nothing => 0,
        };
        total = total.saturating_add(own);
    }
    Ok(total)
}

/// Adds all items of the blocks to the model, if there are not too many: that is known before the first is made, so that a
/// typing error takes neither time nor memory.
pub(crate) fn expand_all(blocks: &[Block<'_>], expansion: &mut Expansion) {
    let limit = expansion.limits.most();
    let beyond = match size(blocks, &mut Vec::new(), limit.saturating_sub(expansion.steps)) {
        Ok(_) => None,
        Err(pattern) => Some((&pattern.context, pattern.header, pattern.quiet)),
    };
    let Some((context, header, quiet)) = beyond else {
        return expand(blocks, expansion, &mut Vec::new());
    };
    if !expansion.full && !quiet {
        let most = expansion.limits.items;
        let message = match size(blocks, &mut Vec::new(), most) {
            // it is the memory that is missing
            Ok(items) if limit < most => {
                let gigabytes = |items: usize| (items as u64).saturating_mul(BYTES) as f64 / 1e9;
                format!(
                    "patterns give {items} items, which need about {:.1} GB of memory, but {:.1} GB \
                         are available",
                    gigabytes(items),
                    gigabytes(limit)
                )
            }
            _ => format!("patterns give more than {most} items"),
        };
        context.error_hint(header, message, Some("check the bounds of this one".into()));
    }
    expansion.full = true;
    expansion.incomplete = true;
}

/// Adds all items of the blocks to the model.
fn expand(blocks: &[Block<'_>], expansion: &mut Expansion, indices: &mut Vec<f64>) {
    for block in blocks {
        match block {
            Block::Item(item) => {
                expansion.steps += 1;
                match &mut expansion.names {
                    Some(names) => item.name_readable(names, indices),
                    None => item.add(&mut expansion.build, indices),
                }
            }
            Block::Pattern(pattern) => pattern.expand(expansion, indices),
            Block::Assembly(assembly) => assembly.expand(expansion, indices),
            Block::Nothing => expansion.incomplete = true,
        }
    }
}

fn bound(context: &Context<'_>, name: &str, node: &Node) -> Option<(Number, Span)> {
    number(context, name, "", node).map(|placed| (placed.number, placed.span))
}

/// Whether all keys of a pattern are known; reports those that are not.
fn unknown_keys(context: &Context<'_>, table: &Table) -> bool {
    let own = ["index", "from", "to", "pattern", "assembly"];
    let keys: Vec<&str> = own.into_iter().chain(Section::ALL.map(Section::word)).collect();
    let mut good = true;
    for entry in table.entries.iter().filter(|entry| !keys.contains(&entry.key.as_str())) {
        let message = format!("a pattern has no `{}`", entry.key.escape_debug());
        let all = || format!("its fields are {}", listed(keys.clone(), "and"));
        let hint = suggest(&entry.key, keys.clone()).unwrap_or_else(all);
        context.error_hint(entry.key_span, message, Some(hint));
        good = false;
    }
    good
}

/// The name of the index; `None` after a report.
fn index_name<'t>(context: &Context<'_>, table: &'t Table) -> Option<&'t str> {
    let Some(node) = table.get("index") else {
        if context.is_index("i") {
            let span = table.get("to").map_or(Span::default(), |node| node.span);
            context
                .error(span, "the index `i` belongs to the enclosing pattern; give this one its own `index`");
            return None;
        }
        return Some("i");
    };
    let Some(name) = node.data.text() else {
        context.error(node.span, format!("`index` must be a name, not {}", node.data.noun()));
        return None;
    };
    let complaint = if !is_identifier(name) || name.contains('.') {
        "is not an identifier"
    } else if context.is_index(name) {
        "is already the index of the enclosing pattern"
    } else if is_variable(name) {
        "is a variable of functions and cannot be an index"
    } else {
        let other = |_: &str| other_index(|other| context.is_index(other));
        if let Some((message, hint)) = unit_name("index", name, other) {
            context.push(Diagnostic::warning("name-of-a-unit", context.at(node.span), message).hint(hint));
        }
        return Some(name);
    };
    context.error(node.span, format!("`{}` {complaint}", name.escape_debug()));
    None
}

/// Whether some function has a variable of that name.
fn is_variable(name: &str) -> bool {
    let kinds = Section::ALL.into_iter().flat_map(|section| section.kinds());
    kinds.flat_map(|kind| &kind.fields).any(|(_, field)| match field.kind {
        Kind::Function { variables, .. } => variables.iter().any(|(variable, _)| *variable == name),
        _ => false,
    })
}

#[cfg(test)]
mod tests;
