//! A field as read: ready to give its value for each value of the indices of patterns.

use crate::context::Context;
use crate::function::{self, Signature};
use crate::lists;
use crate::orientation::orientation;
use crate::shape::{Numbers, Shape, inertia, scalar, vector};
use crate::source::Span;
use crate::suggest::{listed, suggest};
use crate::template::Template;
use crate::tree::{Data, Node};
use kingpin::model::Space;
use kingpin::model::describe::{Field, Kind};
use kingpin::model::value::Value;

/// A field as read.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
    /// The same for all indices.
    Fixed(Value),
    /// A name or a reference.
    Name { template: Template, field: &'static str, span: Span },
    /// Words, some of which depend on indices.
    Words(Vec<Template>),
    /// Numbers that depend on indices.
    Numbers(Numbers),
    /// Named places.
    Places { names: Vec<String>, numbers: Numbers },
    /// A function whose text depends on indices.
    Function(Box<function::Indexed>),
    /// Several functions.
    Functions(Vec<Plan>),
}

impl Plan {
    /// Reads the value of a field; `None` after a report.
    pub fn read(context: &Context<'_>, field: &Field, node: &Node) -> Option<Plan> {
        let planar = context.space == Space::Planar;
        let numbers = match field.kind {
            Kind::Name | Kind::Refer(_) => return name(context, field, node),
            Kind::Text => return text(context, field, node).map(Plan::Fixed),
            Kind::Flag => return flag(context, field, node),
            Kind::Choice(words) => return choice(context, field, words, node),
            Kind::Words => return words(context, field, node),
            Kind::Sets => return lists::sets(context, field, node).map(Plan::Fixed),
            Kind::Counts => return lists::counts(context, field, node).map(Plan::Fixed),
            Kind::Choices(words) => return choices(context, field, words, node),
            Kind::Function { unit, variables, measures } => {
                let signature =
                    Signature { field: field.name, unit, variables, measures, range: field.range };
                return function::function(context, field, signature, node);
            }
            Kind::Functions { unit, variables, measures } => {
                let signature =
                    Signature { field: field.name, unit, variables, measures, range: field.range };
                return functions(context, field, signature, node);
            }
            Kind::Curve { .. } => return function::curve(context, field, node),
            Kind::Count => scalar(context, field, "", Shape::Count, node),
            Kind::Number(unit) => scalar(context, field, unit, Shape::Number, node),
            Kind::Vector(unit) => vector(context, field, unit, Shape::Vector, node),
            Kind::Direction => vector(context, field, "", Shape::Direction, node),
            Kind::Spin(unit) if planar => scalar(context, field, unit, Shape::PlanarSpin, node),
            Kind::Spin(unit) => vector(context, field, unit, Shape::Vector, node),
            Kind::Inertia => inertia(context, field, node),
            Kind::Orientation => orientation(context, field, node),
            Kind::Numbers(unit) => lists::list(context, field, unit, node),
            Kind::Matrix => lists::matrix_rows(context, field, node),
            Kind::Path(unit) => lists::path(context, field, unit, node),
            Kind::Section(units) => lists::section(context, field, units, node),
            Kind::Places => {
                let (names, numbers) = lists::places(context, field, node)?;
                return Some(Plan::Places { names, numbers });
            }
        };
        Plan::numbers(context, numbers?)
    }

    /// A field of numbers; what does not depend on indices is evaluated at once.
    pub fn numbers(context: &Context<'_>, numbers: Numbers) -> Option<Plan> {
        if numbers.is_fixed() {
            return numbers.eval(context, &[]).map(Plan::Fixed);
        }
        Some(Plan::Numbers(numbers))
    }

    /// The value for given indices; `None` after a report.
    pub fn eval(&self, context: &Context<'_>, indices: &[f64]) -> Option<Value> {
        match self {
            Plan::Fixed(value) => Some(value.clone()),
            Plan::Name { template, field, span } => {
                let name = template.eval(context, indices)?;
                accept_name(context, field, *span, name).map(Value::Text)
            }
            Plan::Words(words) => {
                let each: Vec<_> = words.iter().map(|word| word.eval(context, indices)).collect();
                each.into_iter().collect::<Option<Vec<_>>>().map(Value::Texts)
            }
            Plan::Numbers(numbers) => numbers.eval(context, indices),
            Plan::Places { names, numbers } => match numbers.eval(context, indices)? {
                Value::Places(places) => {
                    let named = names.iter().zip(places).map(|(name, (_, x))| (name.clone(), x));
                    Some(Value::Places(named.collect()))
                }
                other => Some(other),
            },
            Plan::Function(function) => function.eval(context, indices),
            Plan::Functions(all) => {
                let each = all.iter().map(|plan| match plan.eval(context, indices)? {
                    Value::Function(function) => Some(function),
                    _ => None,
                });
                each.collect::<Option<Vec<_>>>().map(Value::Functions)
            }
        }
    }
}

/// Reads a list of functions.
fn functions(context: &Context<'_>, field: &Field, signature: Signature, node: &Node) -> Option<Plan> {
    let Data::Array(items) = &node.data else {
        let message = format!("`{}` must be an array of functions, not {}", field.name, node.data.noun());
        context.error_hint(node.span, message, Some(format!("write `{} = [\"...\"]`", field.name)));
        return None;
    };
    let each: Vec<Option<Plan>> =
        items.iter().map(|item| function::function(context, field, signature, item)).collect();
    each.into_iter().collect::<Option<Vec<_>>>().map(Plan::Functions)
}

/// The text of a string; `None` after a report.
fn string<'n>(context: &Context<'_>, field: &Field, node: &'n Node) -> Option<&'n str> {
    let text = node.data.text();
    if text.is_none() {
        let what = match field.kind {
            Kind::Refer(target) => format!("the name of a {}", target.word()),
            Kind::Name => "a string".into(),
            _ => "a string".into(),
        };
        let message = format!("`{}` must be {what}, not {}", field.name, node.data.noun());
        context.error(node.span, message);
    }
    text
}

fn text(context: &Context<'_>, field: &Field, node: &Node) -> Option<Value> {
    let text = string(context, field, node)?;
    // terminals obey some of them
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        context.error(node.span, format!("`{}` must not contain control characters", field.name));
        return None;
    }
    Some(Value::Text(text.into()))
}

fn name(context: &Context<'_>, field: &Field, node: &Node) -> Option<Plan> {
    let text = string(context, field, node)?;
    if !text.contains('{') {
        return accept_name(context, field.name, node.span, text.into())
            .map(|name| Plan::Fixed(Value::Text(name)));
    }
    let template = Template::read(context, field.name, node.span, text)?;
    let plan = Plan::Name { field: field.name, span: node.span, template };
    match &plan {
        Plan::Name { template, .. } if template.is_fixed() => plan.eval(context, &[]).map(Plan::Fixed),
        _ => Some(plan),
    }
}

/// Names are not empty and fit on a line.
fn accept_name(context: &Context<'_>, field: &str, span: Span, name: String) -> Option<String> {
    let complaint = if name.trim().is_empty() {
        "must not be empty".to_string()
    } else if name.chars().any(char::is_control) {
        "must not contain control characters".into()
    } else if let Some(c) = name.chars().find(|&c| is_invisible(c)) {
        format!("must not contain invisible characters, but contains U+{:04X}", c as u32)
    } else if name.trim() != name {
        "must not begin or end with a space".into()
    } else if name.len() > LONGEST_NAME {
        format!("must not be longer than {LONGEST_NAME} bytes, but has {}", name.len())
    } else {
        return Some(name);
    };
    context.error(span, format!("`{field}` {complaint}"));
    None
}

/// Longest name, in bytes: names become parts of file and channel names.
const LONGEST_NAME: usize = 200;

/// Characters that show nothing, or change how others are shown.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

fn flag(context: &Context<'_>, field: &Field, node: &Node) -> Option<Plan> {
    let Data::Flag(flag) = node.data else {
        let message = format!("`{}` must be `true` or `false`, not {}", field.name, node.data.noun());
        context.error(node.span, message);
        return None;
    };
    Some(Plan::Fixed(Value::Flag(flag)))
}

/// One word out of a list.
fn choice(context: &Context<'_>, field: &Field, words: &[&'static str], node: &Node) -> Option<Plan> {
    one_of(context, field, words, node).map(|word| Plan::Fixed(Value::Text(word.into())))
}

/// Some words out of a list.
fn choices(context: &Context<'_>, field: &Field, words: &[&'static str], node: &Node) -> Option<Plan> {
    let Data::Array(items) = &node.data else {
        let message = format!("`{}` must be an array of strings, not {}", field.name, node.data.noun());
        context.error_hint(
            node.span,
            message,
            Some(format!("choose from {}", listed(words.to_vec(), "and"))),
        );
        return None;
    };
    let chosen: Vec<_> = items.iter().map(|item| one_of(context, field, words, item)).collect();
    let chosen: Option<Vec<_>> = chosen.into_iter().collect();
    Some(Plan::Fixed(Value::Texts(chosen?.into_iter().map(String::from).collect())))
}

/// A list of words.
fn words(context: &Context<'_>, field: &Field, node: &Node) -> Option<Plan> {
    let texts: Option<Vec<(Span, &str)>> = match &node.data {
        Data::Array(items) => items.iter().map(|item| Some((item.span, item.data.text()?))).collect(),
        _ => None,
    };
    let Some(texts) = texts else {
        let message = format!("`{}` must be an array of strings, not {}", field.name, node.data.noun());
        context.error(node.span, message);
        return None;
    };
    let each: Vec<_> =
        texts.into_iter().map(|(span, text)| Template::read(context, field.name, span, text)).collect();
    let words = each.into_iter().collect::<Option<Vec<_>>>()?;
    let plan = Plan::Words(words);
    match &plan {
        Plan::Words(words) if words.iter().all(Template::is_fixed) => {
            plan.eval(context, &[]).map(Plan::Fixed)
        }
        _ => Some(plan),
    }
}

fn one_of(context: &Context<'_>, field: &Field, words: &[&'static str], node: &Node) -> Option<&'static str> {
    let list = || listed(words.to_vec(), "or");
    let Some(text) = node.data.text() else {
        let message = format!("`{}` must be {}, not {}", field.name, list(), node.data.noun());
        context.error(node.span, message);
        return None;
    };
    if let Some(word) = words.iter().find(|word| **word == text) {
        return Some(word);
    }
    let message = format!("`{}` must be {}, not `{}`", field.name, list(), text.escape_debug());
    context.error_hint(node.span, message, suggest(text, words.to_vec()));
    None
}

#[cfg(test)]
mod tests {
    use crate::{Overrides, read_text};
    use kingpin::model::Vec3;

    #[test]
    fn every_kind_of_field_is_read() {
        let text = "
            [parameters]
            a = 2
            [[body]]
            name = 'rod'
            mass = '3e6 g'
            inertia = ['a', '2*a', 3]
            com = [1, '20 cm', -1e-3]
            angular_velocity = [0, '60 rpm', 0]
            fixed = ['x', 'rotation']
            [[marker]]
            name = 'm'
            body = 'rod'
            axis = [0, 0, 2]
            global = true
        ";
        let loaded = read_text("a.toml", text, ".", &Overrides::none());
        let said = loaded.render(false);
        let model = loaded.model.expect(&said);
        let body = &model.bodies[0];
        assert_eq!((body.mass, body.inertia.diagonal()), (3000.0, Vec3::new(2.0, 4.0, 3.0)));
        assert_eq!(body.centre(), Vec3::new(1.0, 0.2, -1e-3));
        assert!((body.angular_velocity.y - std::f64::consts::TAU).abs() < 1e-15);
        assert_eq!(body.fixed, ["x", "rotation"]);
        let marker = &model.markers[0];
        assert_eq!((marker.axis, marker.global), (Some(Vec3::new(0.0, 0.0, 2.0)), true));
    }

    #[test]
    fn planar_models_take_planar_values() {
        let text = "space = 'planar'\n[[body]]\nname = 'a'\nmass = 1\ninertia = 2\nposition = [1, 2]\nangular_velocity = 3\nangle = '90 deg'\n";
        let model = read_text("a.toml", text, ".", &Overrides::none()).model.unwrap();
        let body = &model.bodies[0];
        assert_eq!(body.inertia[(2, 2)], 2.0);
        assert_eq!(
            (body.position, body.angular_velocity),
            (Vec3::new(1.0, 2.0, 0.0), Vec3::new(0.0, 0.0, 3.0))
        );
        assert_eq!(body.angle, std::f64::consts::FRAC_PI_2);
    }

    #[test]
    fn names_must_be_names() {
        for name in ["''", "' '", "\"a\\nb\""] {
            let text = format!("[[road]]\ntype = 'flat'\nname = {name}\n");
            assert!(read_text("a.toml", &text, ".", &Overrides::none()).has_errors(), "{name}");
        }
    }
}
