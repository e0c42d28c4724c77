//! Writes a model as a model file.

use crate::catalog::{self, Apart, ItemKind, Part, Section};
use crate::lists::stations_text;
use kingpin::expr::{Curve, Ends, Join, Quantity, Unitness};
use kingpin::model::describe::{Field, FieldValues, Kind};
use kingpin::model::value::Value;
use kingpin::model::{Function, Mat3, Model, Orientation, Space, Vec3};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The model as a model file. Values that fields have anyway are left out.
///
/// Expressions of functions are written as they were read: if they name parameters of the file they came from,
/// use [`to_toml_with`] to write these too.
pub fn to_toml(model: &Model) -> String {
    to_toml_with(model, &BTreeMap::new())
}

/// The model as a model file that defines the given parameters, such as [`Loaded`](crate::Loaded) holds them.
pub fn to_toml_with(model: &Model, parameters: &BTreeMap<String, Quantity>) -> String {
    let mut out = String::new();
    let mut line = |key: &str, value: String| out.push_str(&format!("{key} = {value}\n"));
    line("name", quoted(&model.name));
    if !model.description.is_empty() {
        line("description", quoted(&model.description));
    }
    line("space", quoted(if model.space == Space::Planar { "planar" } else { "spatial" }));
    if model.gravity != Vec3::zeros() {
        line("gravity", vector(&model.gravity, model.space));
    }
    if !parameters.is_empty() {
        out.push_str("\n[parameters]\n");
        for (name, quantity) in parameters {
            // writing to a string does not fail
            let _ = writeln!(out, "{name} = {}", amount(quantity));
        }
    }
    let mut settings = String::new();
    let own = kingpin::model::describe::Described::values(&model.simulation);
    fields(&mut settings, catalog::simulation(), Part::Own, &own, model.space);
    if !settings.is_empty() {
        out.push_str("\n[simulation]\n");
        out.push_str(&settings);
    }
    for section in Section::ALL {
        for item in catalog::items(model, section) {
            write_item(&mut out, section, &item, model.space);
        }
    }
    out
}

fn write_item(out: &mut String, section: Section, item: &Apart<'_>, space: Space) {
    let _ = writeln!(out, "\n[[{}]]", section.word());
    if section.has_types() {
        let _ = writeln!(out, "type = {}", quoted(item.kind.tag));
    }
    if let Some(name) = item.name {
        let _ = writeln!(out, "name = {}", quoted(name));
    }
    fields(out, item.kind, Part::Ends, &item.ends, space);
    fields(out, item.kind, Part::Start, &item.start, space);
    fields(out, item.kind, Part::Fitting, &item.fitting, space);
    fields(out, item.kind, Part::Own, &item.own, space);
}

/// The fields of one part of an item that are not as they would be anyway.
fn fields(out: &mut String, kind: &ItemKind, part: Part, values: &FieldValues, space: Space) {
    for (name, value) in values {
        let Some(field) = kind.field(part, name).filter(|field| field.spaces.contain(space)) else {
            continue;
        };
        if part != Part::Own || !kind.goes_without_saying(name, value) {
            let _ = writeln!(out, "{name} = {}", value_text(field, value, space));
        }
    }
}

/// A value as it stands behind the equals sign.
pub(crate) fn value_text(field: &Field, value: &Value, space: Space) -> String {
    match value {
        Value::Number(x) => number(*x),
        Value::Vector(v) if matches!(field.kind, Kind::Spin(_)) && space == Space::Planar => number(v.z),
        Value::Vector(v) => vector(v, space),
        Value::Text(text) => quoted(text),
        Value::Flag(flag) => flag.to_string(),
        Value::Count(n) => n.to_string(),
        Value::Inertia(m) => inertia(m, space),
        Value::Orientation(o) => orientation(o),
        Value::Texts(texts) => {
            format!("[{}]", texts.iter().map(|t| quoted(t)).collect::<Vec<_>>().join(", "))
        }
        Value::Function(Function::Constant(x)) => number(*x),
        Value::Function(Function::Expr(expr)) => quoted(expr.text()),
        // a file cannot say it: who reads it back is told so here
        Value::Function(Function::Closure(closure)) => quoted(&format!("{closure:?}")),
        Value::Function(Function::Table(curve)) => {
            let variable = match field.kind {
                Kind::Function { variables: [(name, _), ..], .. } => name,
                _ => "t",
            };
            columns(variable, "value", curve)
        }
        Value::Functions(all) => {
            let one = |function: &Function| value_text(field, &Value::Function(function.clone()), space);
            format!("[{}]", all.iter().map(one).collect::<Vec<_>>().join(", "))
        }
        Value::Numbers(all) => list(all.iter().copied()),
        Value::Matrix(rows) => {
            let each = rows.iter().map(|row| list(row.iter().copied()));
            format!("[{}]", each.collect::<Vec<_>>().join(", "))
        }
        Value::Curve(curve) => columns("x", "y", curve),
        Value::Path(points) => {
            format!("[{}]", points.iter().map(|p| vector(p, space)).collect::<Vec<_>>().join(", "))
        }
        Value::Places(places) => {
            let each = places.iter().map(|(name, x)| format!("{} = {}", quoted(name), number(*x)));
            format!("{{ {} }}", each.collect::<Vec<_>>().join(", "))
        }
        Value::Sets(sets) => {
            let each = sets
                .iter()
                .map(|(name, of)| format!("{} = {}", quoted(name), list(of.iter().map(|&k| k as f64))));
            format!("{{ {} }}", each.collect::<Vec<_>>().join(", "))
        }
        Value::Counts(of) => list(of.iter().map(|&k| k as f64)),
        Value::Section(stations) => stations_text(stations, space, list),
    }
}

/// The shortest text that reads as the same number.
pub(crate) fn number(x: f64) -> String {
    if x.fract() == 0.0 && x.abs() < 1e15 && !(x == 0.0 && x.is_sign_negative()) {
        return format!("{x}");
    }
    match x {
        _ if x.is_nan() => "nan".into(),
        _ if x.is_infinite() => (if x > 0.0 { "inf" } else { "-inf" }).into(),
        _ => format!("{x:?}"),
    }
}

fn list(numbers: impl IntoIterator<Item = f64>) -> String {
    format!("[{}]", numbers.into_iter().map(number).collect::<Vec<_>>().join(", "))
}

fn vector(v: &Vec3, space: Space) -> String {
    list(v.iter().copied().take(if space == Space::Planar { 2 } else { 3 }))
}

fn inertia(m: &Mat3, space: Space) -> String {
    let diagonal = m.diagonal();
    if space == Space::Planar {
        number(m[(2, 2)])
    } else if *m == Mat3::from_diagonal(&diagonal) {
        list(diagonal.iter().copied())
    } else if *m == m.transpose() {
        list(diagonal.iter().copied().chain([m[(0, 1)], m[(0, 2)], m[(1, 2)]]))
    } else {
        let rows = (0..3).map(|i| list((0..3).map(|j| m[(i, j)])));
        format!("[{}]", rows.collect::<Vec<_>>().join(", "))
    }
}

fn orientation(o: &Orientation) -> String {
    let axis = |i: usize, v: &Vec3| format!("{} = {}", ["x", "y", "z"][i.min(2)], list(v.iter().copied()));
    match *o {
        // a file takes those of unit length only
        Orientation::EulerParameters(p) => {
            let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
            let off = (length - 1.0).abs() > 1e-3 && length > 0.0;
            format!("{{ euler_parameters = {} }}", list(if off { p.map(|x| x / length) } else { p }))
        }
        Orientation::AxisAngle { axis, angle } => {
            format!("{{ axis = {}, angle = {} }}", list(axis.iter().copied()), number(angle))
        }
        Orientation::Axes { first: (i, a), second: (j, b) } if i < j => {
            format!("{{ {}, {} }}", axis(i, &a), axis(j, &b))
        }
        // a file takes the first in the order of letters for exact: write axes that are perpendicular already
        Orientation::Axes { .. } => match o.matrix() {
            Ok(m) => format!("{{ {}, {} }}", axis(0, &m.column(0).into()), axis(1, &m.column(1).into())),
            Err(_) => "{ }".into(),
        },
        Orientation::Angle(angle) => format!("{{ axis = [0, 0, 1], angle = {} }}", number(angle)),
    }
}

fn columns(x: &str, y: &str, curve: &Curve) -> String {
    let (first, second): (Vec<f64>, Vec<f64>) = curve.points().unzip();
    let ends = match curve.ends() {
        Ends::Parabola => String::new(),
        Ends::Natural => ", ends = \"natural\"".into(),
        Ends::NotAKnot => ", ends = \"not-a-knot\"".into(),
        Ends::Periodic => ", ends = \"periodic\"".into(),
        Ends::Given(slopes) => format!(", ends = {}", list(slopes.to_vec())),
    };
    let join = match curve.join() {
        Join::Monotone => String::new(),
        other => format!(", join = {}", quoted(other.name())),
    };
    format!("{{ {x} = {}, {y} = {}{join}{ends} }}", list(first), list(second))
}

/// A parameter with its unit.
fn amount(quantity: &Quantity) -> String {
    let text = plain_amount(quantity);
    if text.contains(' ') { quoted(&text) } else { text }
}

/// A quantity as expressions write it.
pub(crate) fn plain_amount(quantity: &Quantity) -> String {
    let value = number(quantity.value);
    let Unitness::Known(dim) = quantity.unit else { return value };
    let unit = dim.to_string();
    match unit.strip_prefix("1/") {
        // units cannot begin with a division
        Some(below) => {
            let parts = below.split('/').map(|part| format!("/(1 {part})"));
            format!("{value}{}", parts.collect::<String>())
        }
        None if unit == "1" => value,
        None => format!("{value} {unit}"),
    }
}

/// A text as a TOML string.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests;
