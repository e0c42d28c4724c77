//! Functions of time and measures, and curves.

use crate::context::{Context, Piece};
use crate::diagnostic::Diagnostic;
use crate::known::{Variables, with_indices};
use crate::names::{names_in, with_value};
use crate::number::{Placed, check_unit, number};
use crate::plan::Plan;
use crate::shape::{EndSlopes, Numbers, Shape, numbers, plain};
use crate::source::Span;
use crate::suggest::{listed, suggest};
use crate::template::Template;
use crate::tree::{Data, Node};
use kingpin::expr::{Expr, parse};
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
            let (list, ends) = columns(context, field, [(abscissa, unit), ("value", signature.unit)], node)?;
            numbers(Shape::Table(ends), list)
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
        "functions are given by the program that reads the model, not by a file: write an expression".into()
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
    let (list, ends) = columns(context, field, [("x", x), ("y", y)], node)?;
    let shape = Shape::Curve(ends);
    Plan::numbers(context, Numbers { field: field.name, range: field.range, span: node.span, shape, list })
}

/// The key of slopes at the ends of a table.
const ENDS: &str = "ends";

/// Reads two columns of equal length, given by name and unit, and what is said of the ends of the curve.
fn columns(
    context: &Context<'_>,
    field: &Field,
    columns: [(&'static str, &'static str); 2],
    node: &Node,
) -> Option<(Vec<Placed>, EndSlopes)> {
    let keys = columns.map(|(name, _)| name);
    let form = format!("{{ {} = [...], {} = [...] }}", keys[0], keys[1]);
    let Data::Table(table) = &node.data else {
        let message = format!("`{}` must be a table `{form}`, not {}", field.name, node.data.noun());
        context.error(node.span, message);
        return None;
    };
    let mut good = true;
    let known = |key: &str| key == ENDS || keys.contains(&key);
    for entry in table.entries.iter().filter(|entry| !known(&entry.key)) {
        let hint =
            suggest(&entry.key, keys.into_iter().chain([ENDS])).unwrap_or(format!("the table is `{form}`"));
        context.error_hint(entry.key_span, format!("this table has no `{}`", entry.key), Some(hint));
        good = false;
    }
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
            format!("`{}` has {a} numbers and `{}` has {b}: they must be as many", keys[0], keys[1]);
        context.error(node.span, message);
        return None;
    }
    first.extend(second);
    let (ends, slopes) = match table.get(ENDS) {
        Some(node) => end_slopes(context, &slope_unit(columns[1].1, columns[0].1), node)?,
        None => (EndSlopes::Parabola, Vec::new()),
    };
    first.extend(slopes);
    good.then_some((first, ends))
}

/// Reads what is said of the ends of a curve.
fn end_slopes(context: &Context<'_>, unit: &str, node: &Node) -> Option<(EndSlopes, Vec<Placed>)> {
    match &node.data {
        Data::Text(text) if text == "natural" => Some((EndSlopes::Natural, Vec::new())),
        Data::Array(items) if items.len() == 2 => {
            numbers(context, ENDS, unit, node).map(|slopes| (EndSlopes::Given, slopes))
        }
        _ => {
            let message =
                format!("`{ENDS}` must be \"natural\" or the slopes at the first and the last point");
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
                format!("`{name}` is the variable of this function here, not the {what} of that name");
            let hint = format!("give the {what} another name");
            context
                .push(Diagnostic::warning(context.at(piece.place(context.text, place)), message).hint(hint));
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
mod tests {
    use crate::{Overrides, read_text};
    use kingpin::element::force::ForceKind;
    use kingpin::model::{Function, Model};

    fn read(text: &str) -> Model {
        let loaded = read_text("a.toml", text, ".", &Overrides::none());
        let said = loaded.render(false);
        loaded.model.expect(&said)
    }

    fn actuators(model: &Model) -> Vec<Function> {
        let spring = |kind: &ForceKind| match kind {
            ForceKind::Spring(spring) => spring.actuator.clone(),
            _ => panic!("only springs here"),
        };
        model.forces.iter().map(|force| spring(&force.kind)).collect()
    }

    const SPRING: &str = "[[force]]\ntype = 'spring'\nbody1 = 'a'\nbody2 = 'b'\n";

    #[test]
    fn what_uses_no_variable_is_a_number() {
        let model = read(&format!("[parameters]\nF = '2 kN'\n{SPRING}name = 's'\nactuator = 'F/4'\n"));
        assert_eq!(actuators(&model), [Function::Constant(500.0)]);
    }

    #[test]
    fn numbers_with_and_without_units_have_the_same_range() {
        for actuator in ["1e200", "'1e200 N'", "'1e100 * 1e100 N'"] {
            let text = format!("{SPRING}name = 's'\nactuator = {actuator}\n");
            let said = read_text("a.toml", &text, ".", &Overrides::none()).render(false);
            assert!(said.contains("`actuator` must not exceed 1e60 in size, but is 1e200"), "{said}");
        }
    }

    #[test]
    fn variables_come_before_measures() {
        let measure = "[[measure]]\ntype = 'distance'\nname = 'gap'\nbody1 = 'a'\nbody2 = 'b'\n";
        let model = read(&format!("{SPRING}name = 's'\nactuator = '1 N*s/m * (rate + gap.rate)'\n{measure}"));
        let [Function::Expr(expr)] = &actuators(&model)[..] else { panic!() };
        assert_eq!(expr.variables().collect::<Vec<_>>(), [2, 4]);
        assert_eq!(expr.eval(&[0.0, 0.0, 1.0, 0.0, 10.0]), 11.0);
    }

    #[test]
    fn indices_are_put_into_the_text() {
        let pattern = SPRING.replace("force", "pattern.force");
        let measure = "[[pattern.measure]]\ntype = 'distance'\nname = 'gap{i}'\nbody1 = 'a'\nbody2 = 'b'\n";
        let text = format!(
            "[[pattern]]\nto = 2\n{measure}{pattern}name = 's{{i}}'\nactuator = 'i * gap{{i}} * 3 N/m + i * 1 N'\n"
        );
        let made = actuators(&read(&text));
        let texts: Vec<&str> =
            made.iter().map(|f| if let Function::Expr(e) = f { e.text() } else { "" }).collect();
        assert_eq!(texts, ["(1) * gap1 * 3 N/m + (1) * 1 N", "(2) * gap2 * 3 N/m + (2) * 1 N"]);
        let Function::Expr(second) = &made[1] else { panic!() };
        assert_eq!(second.eval(&[0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0]), 32.0);
    }

    #[test]
    fn programs_give_functions_by_name() {
        let text = format!("{SPRING}name = 's'\nactuator = '@pull'\n");
        let pull = Function::closure(&["rate"], |x| 2.0 * x[0]);
        let given = Overrides::none().function("pull", pull.clone());
        let read_by = |given: &Overrides| read_text("a.toml", &text, ".", given);
        assert_eq!(actuators(&read_by(&given).model.expect("a model")), std::slice::from_ref(&pull));
        let said = read_by(&Overrides::none().function("push", pull)).render(false);
        assert!(said.contains("a.toml:6:12") && said.contains("there are `push`"), "{said}");
        let said = read_by(&Overrides::none()).render(false);
        assert!(said.contains("not by a file"), "{said}");
    }

    #[test]
    fn tables_hold_their_ends() {
        let model = read(&format!("{SPRING}name = 's'\nactuator = {{ t = [0, 1], value = ['1 kN', 0] }}\n"));
        assert_eq!(actuators(&model)[0].eval(&[-5.0, 0.0, 0.0]), 1000.0);
    }
}
