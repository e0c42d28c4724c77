//! Assemblies: files that are used several times, each time with a name, values of parameters, a place and perhaps as
//! their mirror image.

mod instance;
mod moved;
mod moved_joints;
mod placement;
mod values;

pub(crate) use instance::{Instance, ItemNames, shown};
pub(crate) use moved::Moving;
pub(crate) use placement::Placement;

use crate::context::{Context, Piece};
use crate::diagnostic::Report;
use crate::known::{Known, with_indices};
use crate::parameters::{Given, resolve_within};
use crate::pattern::{Expansion, Pass, blocks, expand_all};
use crate::plan::Plan;
use crate::read::top_keys;
use crate::source::{Location, Span};
use crate::suggest::{listed, suggest};
use crate::tree::{Data, Entry, Node, Table};
use crate::vectors::{Term, components};
use kingpin::expr::{Quantity, is_identifier, parse};
use kingpin::model::describe::{Field, Kind, Range, Spaces};
use kingpin::model::value::Value;
use kingpin::model::{Mat3, Orientation, Vec3};
use std::cell::RefCell;

/// The words for axes.
const AXES: &[&str] = &["x", "y", "z"];

/// The fields of an assembly that are read like those of items.
pub(crate) const FIELDS: [Field; 5] = [
    field(
        "name",
        Kind::Name,
        Spaces::Both,
        true,
        " Prefix of the names of its items, with a dot: `left.hub`.\n",
        "",
    ),
    field("position", Kind::Vector("m"), Spaces::Both, false, " Position of its origin.\n", "[0, 0, 0]"),
    field(
        "orientation",
        Kind::Orientation,
        Spaces::Spatial,
        false,
        " Orientation: Euler parameters, axis and angle, or two axes.\n",
        "{ euler_parameters = [1, 0, 0, 0] }",
    ),
    field("angle", Kind::Number("rad"), Spaces::Planar, false, " Orientation angle.\n", "0"),
    field(
        "mirror",
        Kind::Choice(AXES),
        Spaces::Both,
        false,
        " Axis along which it is mirrored, before it is rotated and moved; default: not mirrored.\n",
        "",
    ),
];

const fn field(
    name: &'static str,
    kind: Kind,
    spaces: Spaces,
    required: bool,
    doc: &'static str,
    default: &'static str,
) -> Field {
    Field { name, kind, required, unless: "", range: Range::Any, spaces, doc, default }
}

/// The other keys of an assembly.
pub(crate) const KEYS: [&str; 3] = ["include", "parameters", "points"];

/// An assembly as read.
pub(crate) struct Assembly<'a> {
    context: Context<'a>,
    header: Span,
    /// Where it names its files.
    include: Location,
    fields: Vec<(&'static str, Plan)>,
    name_span: Span,
    parameters: Option<&'a Table>,
    points: Option<&'a Table>,
    pass: Pass,
}

impl<'a> Assembly<'a> {
    /// Reads an assembly; `own` is where its faults are reported. `None` after a report.
    pub fn read(
        context: &Context<'a>,
        own: &Context<'_>,
        node: &'a Node,
        pass: Pass,
    ) -> Option<Assembly<'a>> {
        let Data::Table(table) = &node.data else {
            own.error(node.span, format!("an assembly must be a table, not {}", node.data.noun()));
            return None;
        };
        let mut good = unknown_keys(own, table);
        let mut fields = Vec::new();
        for field in FIELDS.iter().filter(|field| field.spaces.contain(context.space)) {
            match table.get(field.name) {
                Some(node) => match Plan::read(own, field, node) {
                    Some(plan) => fields.push((field.name, plan)),
                    None => good = false,
                },
                None if field.required => {
                    own.error(node.span, format!("this assembly needs `{}`", field.name));
                    good = false;
                }
                None => {}
            }
        }
        let Some(include) = table.get("include") else {
            let hint = Some("write `include = [\"corner.toml\"]`".into());
            own.error_hint(node.span, "this assembly needs `include`, its model files", hint);
            return None;
        };
        let mut values = |key: &str| match table.get(key).map(|node| (&node.data, node.span)) {
            Some((Data::Table(table), _)) => Some(table),
            Some((other, span)) => {
                own.error(span, format!("`{key}` must be a table, not {}", other.noun()));
                good = false;
                None
            }
            None => None,
        };
        let (parameters, points) = (values("parameters"), values("points"));
        if !matches!(include.data, Data::Array(_)) {
            let hint = Some("write `include = [\"corner.toml\"]`".into());
            let message = format!("`include` must be an array of file names, not {}", include.data.noun());
            own.error_hint(include.span, message, hint);
        }
        let include = context.at(include.span);
        let name_span = table.get("name").map_or(node.span, |node| node.span);
        let assembly = Assembly {
            context: context.clone(),
            header: node.span,
            include,
            fields,
            name_span,
            parameters,
            points,
            pass,
        };
        (good && context.files.assembly(include).is_some()).then_some(assembly)
    }

    /// Items that it makes at least: those whose number stands in its files as it is.
    pub fn least_size(&self) -> usize {
        self.context.files.least_items(self.include)
    }

    /// Adds all its items to the model.
    pub fn expand(&self, expansion: &mut Expansion, indices: &[f64]) {
        let scratch = RefCell::new(Report::default());
        let quiet = Context { report: &scratch, ..self.context.clone() };
        let own = if self.pass == Pass::Others { &self.context } else { &quiet };
        let outer = &self.context;
        let tell = |limit| {
            let message = format!("patterns and assemblies give more than {limit} items");
            own.error_hint(self.header, message, Some("check the bounds of the patterns".into()));
        };
        if expansion.is_beyond(tell) {
            return;
        }
        let documents = outer.files.assembly(self.include).unwrap_or_default();
        let (Some(name), Some(placement)) = (self.name(own, indices), self.placement(own, indices)) else {
            expansion.incomplete = true;
            return;
        };
        let prefix = match outer.instance {
            Some(instance) => format!("{}{name}.", instance.prefix),
            None => format!("{name}."),
        };
        let Some(given) = self.given(own, indices) else {
            expansion.incomplete = true;
            return;
        };
        let place = outer.at(self.header);
        let resolved =
            resolve_within(documents, outer, own.report, (&prefix, place), &given, &expansion.settings);
        let mut known =
            Known::within(&resolved.parameters, outer.known, &prefix).with_points(&resolved.points);
        resolved.texts.iter().for_each(|text| known.note_uses(text));
        let root = outer.instance.map_or(outer.known, |instance| instance.root);
        known.set_names_of(root);
        if self.pass == Pass::Others {
            known.set_events(&expansion.build.model);
        }
        let placement = outer.instance.map_or(placement, |instance| instance.placement.after(&placement));
        let instance = Instance { prefix, place, placement, root };
        for document in documents {
            let context = Context {
                file: document.file,
                text: outer
                    .files
                    .sources
                    .get(document.file as usize)
                    .map_or("", |source| source.text.as_str()),
                known: &known,
                indices: Vec::new(),
                instance: Some(&instance),
                ..outer.clone()
            };
            if self.pass == Pass::Others {
                check_document(&context, &document.tree);
            }
            let blocks = blocks(&context, &document.tree, self.pass, &mut expansion.build.map);
            expand_all(&blocks, expansion);
        }
        outer.known.note_uses_of(&known, |name| resolved.defined.iter().any(|(own, ..)| own == name));
    }

    fn value(&self, own: &Context<'_>, name: &str, indices: &[f64]) -> Option<Option<Value>> {
        match self.fields.iter().find(|(key, _)| *key == name) {
            Some((_, plan)) => plan.eval(own, indices).map(Some),
            None => Some(None),
        }
    }

    /// Its name; `None` after a report.
    fn name(&self, own: &Context<'_>, indices: &[f64]) -> Option<String> {
        let Some(Some(Value::Text(name))) = self.value(own, "name", indices) else { return None };
        if is_identifier(&name) && !name.contains('.') {
            return Some(name);
        }
        let message = format!("`{}` cannot be the name of an assembly", name.escape_debug());
        let hint = "names of assemblies consist of letters, digits and `_` and start with a letter";
        own.error_hint(self.name_span, message, Some(hint.into()));
        None
    }

    /// Where it stands; `None` after a report.
    fn placement(&self, own: &Context<'_>, indices: &[f64]) -> Option<Placement> {
        let position = match self.value(own, "position", indices)? {
            Some(Value::Vector(position)) => position,
            _ => Vec3::zeros(),
        };
        let mut rotation = match self.value(own, "orientation", indices)? {
            Some(Value::Orientation(given)) => given.matrix().ok()?,
            _ => Mat3::identity(),
        };
        if let Some(Value::Number(angle)) = self.value(own, "angle", indices)? {
            rotation = Orientation::Angle(angle).matrix().ok()?;
        }
        let mirror = match self.value(own, "mirror", indices)? {
            Some(Value::Text(axis)) => AXES.iter().position(|known| *known == axis),
            _ => None,
        };
        Some(Placement::new(position, rotation, mirror))
    }

    /// The values of parameters it is given; `None` after a report.
    fn given(&self, own: &Context<'_>, indices: &[f64]) -> Option<Vec<Given>> {
        let entries = self.parameters.map_or(&[][..], |table| &table.entries);
        let each = entries.iter().map(|entry| {
            let quantity = quantity(own, &entry.key, &entry.value, indices)?;
            Some(Given { name: entry.key.clone(), key: own.at(entry.key_span), quantity })
        });
        // all faults are reported
        let all: Vec<Option<Given>> = each.collect();
        let points = self.points.map_or(&[][..], |table| &table.entries);
        let points: Vec<Option<Vec<Given>>> = points.iter().map(|entry| point(own, entry, indices)).collect();
        let mut all = all.into_iter().collect::<Option<Vec<Given>>>()?;
        all.extend(points.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten());
        Some(all)
    }
}

/// A number or an expression of the model around an assembly, with its unit; `None` after a report.
fn quantity(context: &Context<'_>, name: &str, node: &Node, indices: &[f64]) -> Option<Quantity> {
    match &node.data {
        Data::Integer(n) => Some(Quantity::unknown(*n as f64)),
        Data::Number(x) => Some(Quantity::unknown(*x)),
        Data::Text(text) => {
            context.known.note_uses(text);
            let made = context.as_number(node.span, text).ok()?;
            let piece =
                made.as_ref().map_or(Piece::whole(node.span, text), |made| Piece::made(node.span, made));
            evaluated(context, piece, indices)
        }
        other => {
            context.error(
                node.span,
                format!("`{name}` must be a number or an expression, not {}", other.noun()),
            );
            None
        }
    }
}

/// The value of an expression of the model around an assembly.
fn evaluated(context: &Context<'_>, piece: Piece<'_>, indices: &[f64]) -> Option<Quantity> {
    let indices = context.indices_at(indices);
    let scope = with_indices(context.known.parameters(), &indices);
    match parse(piece.text, &scope) {
        Ok(expr) => expr.quantity(),
        Err(errors) => {
            piece.report(context, errors);
            None
        }
    }
}

/// The components of a point that an assembly is given; `None` after a report.
fn point(context: &Context<'_>, entry: &Entry, indices: &[f64]) -> Option<Vec<Given>> {
    let axes = components(context.space);
    let given = |(axis, quantity): (&&str, Quantity)| Given {
        name: format!("{}.{axis}", entry.key),
        key: context.at(entry.key_span),
        quantity,
    };
    let quantities: Option<Vec<Quantity>> = match &entry.value.data {
        Data::Array(items) if items.len() == axes.len() => {
            items.iter().map(|item| quantity(context, &entry.key, item, indices)).collect()
        }
        Data::Text(text) => {
            context.known.note_uses(text);
            match context.in_numbers(entry.value.span, text).ok()? {
                Some(Term::Vector(own)) => own
                    .iter()
                    .map(|own| evaluated(context, Piece::made(entry.value.span, own), indices))
                    .collect(),
                _ => {
                    context.error(
                        entry.value.span,
                        format!("`{}` must be a point, but this is a number", entry.key),
                    );
                    None
                }
            }
        }
        _ => {
            let message =
                format!("`{}` must be {} numbers or an expression of points", entry.key, axes.len());
            context.error(entry.value.span, message);
            None
        }
    };
    Some(axes.iter().zip(quantities?).map(given).collect())
}

fn unknown_keys(context: &Context<'_>, table: &Table) -> bool {
    let own = FIELDS.iter().filter(|field| field.spaces.contain(context.space)).map(|field| field.name);
    let keys: Vec<&str> = own.chain(KEYS).collect();
    let mut good = true;
    for entry in table.entries.iter().filter(|entry| !keys.contains(&entry.key.as_str())) {
        let message = format!("an assembly has no `{}`", entry.key.escape_debug());
        let all = || format!("its fields are {}", listed(keys.clone(), "and"));
        let hint = suggest(&entry.key, keys.clone()).unwrap_or_else(all);
        context.error_hint(entry.key_span, message, Some(hint));
        good = false;
    }
    good
}

/// Reports what a file of an assembly must not say.
fn check_document(context: &Context<'_>, tree: &Table) {
    let keys = top_keys();
    for entry in &tree.entries {
        let key = entry.key.as_str();
        if key == "override" {
            context.error(entry.key_span, "`override` belongs in the main model file, not in an assembly");
        } else if !keys.contains(&key) {
            let hint = suggest(key, keys.clone());
            context.error_hint(entry.key_span, format!("a model has no `{}`", key.escape_debug()), hint);
        }
    }
    let space = tree.get("space").and_then(|node| Some((node.data.text()?, node.span)));
    if let Some((word, span)) = space
        && word != context.space_word()
    {
        let message = format!("this assembly is {word}, but the model is {}", context.space_word());
        context.error(span, message);
    }
}
