//! Functions of time and measures, and curves.

use crate::context::{Context, Piece};
use crate::diagnostic::Diagnostic;
use crate::known::{Variables, with_indices};
use crate::names::{names_in, with_value};
use crate::number::{Placed, check_unit, number};
use crate::plan::Plan;
use crate::shape::{CurveForm, EndSlopes, Numbers, Shape, numbers, plain};
use crate::source::Span;
use crate::suggest::{listed, suggest};
use crate::tables::{ColumnFile, Wanted};
use crate::template::Template;
use crate::tree::{Data, Node, Table};
use kingpin::expr::{Expr, Join, parse};
use kingpin::model::Function;
use kingpin::model::describe::{Field, Kind, Range};
use kingpin::model::value::Value;

/// What a function field declares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signature {
    pub field: &'static str,
    pub unit: &'static str,
    pub variables: Variables,
    pub measures: bool,
    /// Where a function that is a number must lie.
    pub range: Range,
}

/// The text of a function that depends on the indices of patterns: it is read for each of them.
#[derive(Clone, Debug)]
pub(crate) struct Indexed {
    signature: Signature,
    text: Template,
    span: Span,
}

/// Reads a function; `None` after a report.
pub(crate) fn function(
    context: &Context<'_>,
    field: &Field,
    signature: Signature,
    node: &Node,
) -> Option<Plan> {
    let numbers = |shape, list| {
        Plan::numbers(
            context,
            Numbers { field: field.name, range: field.range, span: node.span, shape, list },
        )
    };
    match &node.data {
        Data::Table(_) => {
            let (abscissa, unit) = signature.variables.first().copied().unwrap_or(("t", "s"));
            let (list, form) = columns(context, field, [(abscissa, unit), ("value", signature.unit)], node)?;
            numbers(Shape::Table(form), list)
        }
        Data::Text(text) if text.starts_with(CALL) => called(context, &text[1..], node.span),
        Data::Text(text) => match context.as_number(node.span, text).ok()? {
            Some(made) => {
                context.known.note_uses(text);
                expression(context, signature, Piece::made(node.span, &made))
            }
            None => expression(context, signature, Piece::whole(node.span, text)),
        },
        Data::Integer(_) | Data::Number(_) => {
            numbers(Shape::Constant, vec![number(context, field.name, signature.unit, node)?])
        }
        other => {
            let message =
                format!("`{}` must be a number, an expression or a table, not {}", field.name, other.noun());
            context.error(node.span, message);
            None
        }
    }
}

/// What stands before the name of a function of the program that reads the file.
const CALL: char = '@';

/// A function of the program that reads the file; `None` after a report.
fn called(context: &Context<'_>, name: &str, span: Span) -> Option<Plan> {
    let functions = &context.known.functions;
    if let Some(function) = functions.get(name) {
        return Some(Plan::Fixed(Value::Function(function.clone())));
    }
    let message = format!("there is no function `{}` here", name.escape_debug());
    let hint = if functions.is_empty() {
        "functions can be defined only by the program that reads the model: write an expression".into()
    } else {
        let names = || functions.keys().map(String::as_str);
        suggest(name, names()).unwrap_or_else(|| format!("there are {}", listed(names(), "and")))
    };
    context.error_hint(span, message, Some(hint));
    None
}

/// Reads a curve; `None` after a report.
pub(crate) fn curve(context: &Context<'_>, field: &Field, node: &Node) -> Option<Plan> {
    let Kind::Curve { x, y } = field.kind else { return None };
    let (list, form) = columns(context, field, [("x", x), ("y", y)], node)?;
    if form.join == Join::Step {
        let message =
            format!("`{}` cannot have jumps: step interpolation is for functions of time", field.name);
        context.error_hint(node.span, message, Some("choose `join = \"linear\"`, or omit it".into()));
        return None;
    }
    let shape = Shape::Curve(form);
    Plan::numbers(context, Numbers { field: field.name, range: field.range, span: node.span, shape, list })
}

/// The key of slopes at the ends of a table.
const ENDS: &str = "ends";
/// The key of how its points are joined.
const JOIN: &str = "join";
/// The key of the file that holds the columns.
const FILE: &str = "file";

/// Reads two columns of equal length, given by name and unit, and what is said of the curve through them.
fn columns(
    context: &Context<'_>,
    field: &Field,
    columns: [(&'static str, &'static str); 2],
    node: &Node,
) -> Option<(Vec<Placed>, CurveForm)> {
    let keys = columns.map(|(name, _)| name);
    let form = format!("{{ {} = [...], {} = [...] }}", keys[0], keys[1]);
    let Data::Table(table) = &node.data else {
        let message = format!("`{}` must be a table `{form}`, not {}", field.name, node.data.noun());
        context.error(node.span, message);
        return None;
    };
    let mut good = true;
    let others = [ENDS, JOIN, FILE];
    let known = |key: &str| others.contains(&key) || keys.contains(&key);
    for entry in table.entries.iter().filter(|entry| !known(&entry.key)) {
        let hint =
            suggest(&entry.key, keys.into_iter().chain(others)).unwrap_or(format!("the table is `{form}`"));
        context.error_hint(entry.key_span, format!("this table has no `{}`", entry.key), Some(hint));
        good = false;
    }
    let join = match table.get(JOIN) {
        Some(node) => joined(context, node)?,
        None => Join::Monotone,
    };
    let mut points = match table.get(FILE) {
        Some(file) => from_file(context, columns, table, file),
        None => written_out(context, field, columns, (table, node), good),
    }?;
    let (ends, slopes) = match table.get(ENDS) {
        Some(node) => end_slopes(context, &slope_unit(columns[1].1, columns[0].1), node)?,
        None => (EndSlopes::Parabola, Vec::new()),
    };
    points.extend(slopes);
    good.then_some((points, CurveForm { join, ends }))
}

/// Two columns of a file.
fn from_file(
    context: &Context<'_>,
    columns: [(&'static str, &'static str); 2],
    table: &Table,
    node: &Node,
) -> Option<Vec<Placed>> {
    let Some(name) = node.data.text() else {
        context.error(node.span, format!("`{FILE}` must be the name of a file, not {}", node.data.noun()));
        return None;
    };
    let file = ColumnFile::open(context, name, node.span)?;
    let mut points = Vec::new();
    for (place, (key, unit)) in columns.into_iter().enumerate() {
        let column = match table.get(key).map(|own| (own.data.text(), own)) {
            Some((Some(name), own)) => Some((name, own.span)),
            Some((None, own)) => {
                let message =
                    format!("`{key}` must be the name of a column of the file, not {}", own.data.noun());
                context.error(own.span, message);
                return None;
            }
            None => None,
        };
        points.extend(file.column(context, node.span, &Wanted { key, column, place, unit })?);
    }
    Some(points)
}

/// Two columns of the model itself.
fn written_out(
    context: &Context<'_>,
    field: &Field,
    columns: [(&'static str, &'static str); 2],
    (table, node): (&Table, &Node),
    good: bool,
) -> Option<Vec<Placed>> {
    let keys = columns.map(|(name, _)| name);
    let form = format!("{{ {} = [...], {} = [...] }}", keys[0], keys[1]);
    let missing: Vec<_> = keys.into_iter().filter(|key| table.get(key).is_none()).collect();
    if good && !missing.is_empty() {
        let message = format!("`{}` lacks {}", field.name, listed(missing, "and"));
        context.error_hint(node.span, message, Some(format!("the table is `{form}`")));
        return None;
    }
    let read = |(name, unit)| table.get(name).and_then(|column| numbers(context, name, unit, column));
    let (first, second) = (read(columns[0]), read(columns[1]));
    let (mut first, second) = (first?, second?);
    if first.len() != second.len() {
        let (a, b) = (first.len(), second.len());
        let message =
            format!("`{}` has {a} numbers and `{}` has {b}: the numbers must be equal", keys[0], keys[1]);
        context.error(node.span, message);
        return None;
    }
    first.extend(second);
    Some(first)
}

/// Reads how points are joined.
fn joined(context: &Context<'_>, node: &Node) -> Option<Join> {
    let found = Join::NAMES.iter().find(|(name, _)| node.data.text() == Some(*name));
    if found.is_none() {
        let names = || Join::NAMES.iter().map(|(name, _)| *name);
        let hint = node.data.text().and_then(|text| suggest(text, names()));
        context.error_hint(node.span, format!("`{JOIN}` must be {}", listed(names(), "or")), hint);
    }
    found.map(|(_, join)| *join)
}

/// Reads what is said of the ends of a curve.
fn end_slopes(context: &Context<'_>, unit: &str, node: &Node) -> Option<(EndSlopes, Vec<Placed>)> {
    match &node.data {
        Data::Text(text) if text == "natural" => Some((EndSlopes::Natural, Vec::new())),
        Data::Text(text) if text == "not-a-knot" => Some((EndSlopes::NotAKnot, Vec::new())),
        Data::Text(text) if text == "periodic" => Some((EndSlopes::Periodic, Vec::new())),
        Data::Array(items) if items.len() == 2 => {
            numbers(context, ENDS, unit, node).map(|slopes| (EndSlopes::Given, slopes))
        }
        _ => {
            let message = format!(
                "`{ENDS}` must be \"natural\", \"not-a-knot\", \"periodic\" or the slopes at the first and the last point"
            );
            context.error_hint(node.span, message, Some("for example `ends = [0, 0.5]`".into()));
            None
        }
    }
}

/// The unit of a slope, or `*` where there is no name for it.
fn slope_unit(y: &str, x: &str) -> String {
    if y.is_empty() || [x, y].contains(&"*") {
        return "*".into();
    }
    if x.is_empty() {
        return y.into();
    }
    // every factor of x goes to the other side of the bar
    let swapped: String = x
        .chars()
        .map(|c| {
            if c == '*' {
                '/'
            } else if c == '/' {
                '*'
            } else {
                c
            }
        })
        .collect();
    format!("{y}/{swapped}")
}

/// Reads an expression of variables and measures.
fn expression(context: &Context<'_>, signature: Signature, piece: Piece<'_>) -> Option<Plan> {
    context.known.note_uses(piece.text);
    warn_of_variables(context, signature, piece);
    let braces = piece.text.contains('{');
    let indexed = names_in(piece.text).iter().any(|(_, name)| context.is_index(name));
    // with braces the text is known for given indices only
    let parsed = if braces { None } else { Some(read_whole(context, signature, piece)?) };
    if braces || indexed {
        let text = Template::read(context, signature.field, piece.string, piece.text)?;
        let plan = Indexed { signature, text, span: piece.string };
        return if context.indices.is_empty() {
            plan.eval(context, &[]).map(Plan::Fixed)
        } else {
            Some(Plan::Function(Box::new(plan)))
        };
    }
    accepted(context, signature, piece.string, parsed?, &[]).map(Plan::Fixed)
}

/// Warns where a variable of the function is used whose name a parameter, measure or event has too.
fn warn_of_variables(context: &Context<'_>, signature: Signature, piece: Piece<'_>) {
    for (place, name) in names_in(piece.text) {
        let variable = signature.variables.iter().any(|(variable, _)| *variable == name);
        if let Some(what) = context.known.hidden_by_variable(name).filter(|_| variable) {
            let message =
                format!("`{name}` is the variable of this function, which hides the {what} of the same name");
            let hint = format!("rename the {what}");
            context.push(
                Diagnostic::warning(
                    "hidden-by-variable",
                    context.at(piece.place(context.text, place)),
                    message,
                )
                .hint(hint),
            );
        }
    }
}

/// Reads an expression without braces, reporting all faults where they stand.
fn read_whole(context: &Context<'_>, signature: Signature, piece: Piece<'_>) -> Option<Expr> {
    let base = context.known.function_scope(signature.variables, signature.measures);
    let scope = with_indices(&base, &context.indices);
    match parse(piece.text, &scope) {
        Ok(expr) => {
            check_unit(context, signature.field, signature.unit, piece, &expr)?;
            Some(portable(context, signature, piece.text, expr))
        }
        Err(errors) => {
            piece.report(context, errors);
            None
        }
    }
}

/// An expression that the model can hold: names that are known to an assembly alone are replaced.
fn portable(context: &Context<'_>, signature: Signature, text: &str, expr: Expr) -> Expr {
    let root = context.instance.map_or(context.known, |instance| instance.root);
    let scope = root.function_scope(signature.variables, signature.measures);
    let text = context.known.portable(text, signature.variables, root);
    text.and_then(|text| parse(&text, &with_indices(&scope, &context.indices)).ok()).unwrap_or(expr)
}

/// The function an expression makes: a number if it uses no variable.
fn accepted(
    context: &Context<'_>,
    signature: Signature,
    span: Span,
    expr: Expr,
    indices: &[f64],
) -> Option<Value> {
    let Some(value) = expr.constant_value() else { return Some(Value::Function(Function::Expr(expr))) };
    let Some(complaint) = signature.range.complaint(value) else {
        return Some(Value::Function(Function::Constant(value)));
    };
    if !(value.is_nan() && context.known.faulty) {
        let which = context.for_indices(indices);
        let field = signature.field;
        context.error(span, format!("`{field}` {complaint}, but is {}{which}", plain(value)));
    }
    None
}

impl Indexed {
    /// The function for given indices; `None` after a report.
    pub fn eval(&self, context: &Context<'_>, indices: &[f64]) -> Option<Value> {
        let mut text = self.text.eval(context, indices)?;
        for (name, value) in context.indices_at(indices) {
            text = with_value(&text, name, value);
        }
        let signature = self.signature;
        let scope = context.known.function_scope(signature.variables, signature.measures);
        let which = context.for_indices(indices);
        match parse(&text, &scope) {
            Ok(expr) => {
                check_unit(context, signature.field, signature.unit, Piece::whole(self.span, &text), &expr)?;
                let expr = portable(context, signature, &text, expr);
                accepted(context, signature, self.span, expr, indices)
            }
            Err(errors) => {
                for error in errors {
                    context.error_hint(self.span, format!("{}{which}", error.message), error.hint);
                }
                None
            }
        }
    }
}

#[cfg(test)]
mod tests;
