//! Writes a model as a model file.

use crate::catalog::{self, Apart, ItemKind, Part, Section};
use crate::lists::stations_text;
use kingpin::expr::{Curve, Ends, Quantity, Unitness};
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
        Ends::Given(slopes) => format!(", ends = {}", list(slopes.to_vec())),
    };
    format!("{{ {x} = {}, {y} = {}{ends} }}", list(first), list(second))
}

/// A parameter with its unit.
fn amount(quantity: &Quantity) -> String {
    let value = number(quantity.value);
    let Unitness::Known(dim) = quantity.unit else { return value };
    let unit = dim.to_string();
    match unit.strip_prefix("1/") {
        // units cannot begin with a division
        Some(below) => {
            let parts = below.split('/').map(|part| format!("/(1 {part})"));
            quoted(&format!("{value}{}", parts.collect::<String>()))
        }
        None if unit == "1" => value,
        None => quoted(&format!("{value} {unit}")),
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
mod tests {
    use super::*;
    use crate::{Overrides, read_text};
    use kingpin::expr::{Dim, Extrapolate, Scope, parse};
    use kingpin::model::describe::Range;
    use kingpin::model::{Body, SectionMatrix, Stations};

    #[test]
    fn numbers_read_back_the_same() {
        for x in [0.0, -0.0, 1.0, -3.0, 0.1, 1e-7, 1e15, 1.5e59, f64::MIN_POSITIVE, std::f64::consts::PI] {
            let text = format!("name = 'a'\ngravity = [{}, 0, 0]\n", number(x));
            let model = read_text("a.toml", &text, ".", &Overrides::none()).model.unwrap();
            assert_eq!(model.gravity.x.to_bits(), x.to_bits(), "{text}");
        }
    }

    /// Some value for a field.
    fn sample(field: &Field, space: Space, turn: usize) -> Value {
        let number = |k: f64| k + field.name.len() as f64 / 7.0;
        let vector = match space {
            Space::Planar => Vec3::new(number(1.0), number(2.0), 0.0),
            Space::Spatial => Vec3::new(number(1.0), number(2.0), number(3.0)),
        };
        let ends = [Ends::Natural, Ends::Parabola, Ends::Given([0.5, -0.1])][field.name.len() % 3];
        let curve =
            |outside| Curve::with_ends(vec![0.0, 0.1, 3.0], vec![1.0, 2.0, 4.0], outside, ends).unwrap();
        match field.kind {
            Kind::Name | Kind::Refer(_) | Kind::Text => Value::Text(format!("{} é\"", field.name)),
            Kind::Flag => Value::Flag(turn == 1),
            Kind::Count => Value::Count(7),
            Kind::Number(_) if field.range == Range::Share => Value::Number(0.5),
            Kind::Number(_) => Value::Number(number(0.0)),
            Kind::Spin(_) if space == Space::Planar => Value::Vector(Vec3::new(0.0, 0.0, number(1.0))),
            Kind::Vector(_) | Kind::Direction | Kind::Spin(_) => Value::Vector(vector),
            Kind::Inertia if space == Space::Planar => Value::Inertia(Mat3::from_diagonal_element(0.1)),
            Kind::Inertia if turn == 0 => Value::Inertia(Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 2.5))),
            Kind::Inertia => Value::Inertia(Mat3::new(3.0, 0.1, 0.2, 0.1, 4.0, 0.3, 0.2, 0.3, 5.0)),
            Kind::Orientation => Value::Orientation(match turn {
                0 => Orientation::EulerParameters([0.1, 0.7, 0.1, 0.7]),
                1 => Orientation::AxisAngle { axis: Vec3::new(1.0, 2.0, 3.0), angle: 0.7 },
                _ => Orientation::Axes { first: (1, Vec3::x()), second: (2, Vec3::y()) },
            }),
            Kind::Choice(words) => Value::Text(words[turn % words.len()].into()),
            Kind::Words => Value::Texts(vec!["left".into(), "right é".into()]),
            Kind::Choices(words) => Value::Texts(words.iter().map(|word| word.to_string()).collect()),
            Kind::Function { variables, .. } => Value::Function(match turn {
                0 => Function::Constant(number(0.0)),
                1 => Function::Table(curve(Extrapolate::Hold)),
                _ => {
                    let mut scope = Scope::new();
                    for (k, (name, _)) in variables.iter().enumerate() {
                        scope.variable(*name, k as u32, None);
                    }
                    Function::Expr(parse(&format!("if({} > 0, 3, 2)", variables[0].0), &scope).unwrap())
                }
            }),
            Kind::Curve { .. } => Value::Curve(curve(Extrapolate::Linear)),
            Kind::Path(_) => Value::Path(vec![vector, -vector, vector * 0.5]),
            Kind::Places => Value::Places(vec![("mid é".into(), 0.5), ("far".into(), 0.75)]),
            Kind::Counts => Value::Counts(vec![1, 20]),
            Kind::Sets => Value::Sets(vec![("base é".into(), vec![1, 20]), ("none".into(), vec![])]),
            Kind::Section(_) => {
                let mut rows = [[0.0; 6]; 6];
                for &k in SectionMatrix::used(space) {
                    rows[k][k] = number(k as f64);
                }
                (rows[0][5], rows[5][0]) = if turn == 1 { (0.1, 0.2) } else { (0.0, 0.0) };
                let matrix = SectionMatrix(rows);
                Value::Section(if turn == 2 {
                    Stations(vec![(0.0, matrix), (1.0, matrix)])
                } else {
                    matrix.into()
                })
            }
        }
    }

    #[test]
    fn every_kind_reads_back_the_same() {
        for (space, turn) in
            [Space::Planar, Space::Spatial].into_iter().flat_map(|s| [(s, 0), (s, 1), (s, 2)])
        {
            let mut model = Model::new("all", space);
            for section in Section::ALL {
                let kinds = section.kinds().iter().enumerate();
                for (k, kind) in kinds.filter(|(_, kind)| kind.spaces.contain(space)) {
                    let mut parts = catalog::Parts { name: kind.tag.into(), ..Default::default() };
                    for (part, field) in kind.fields.iter().filter(|(_, field)| field.spaces.contain(space)) {
                        let value = sample(field, space, turn);
                        match part {
                            Part::Name => {}
                            Part::Ends => parts.ends.push((field.name, value)),
                            Part::Start => parts.start.push((field.name, value)),
                            Part::Fitting => parts.fitting.push((field.name, value)),
                            Part::Own => parts.own.push((field.name, value)),
                        }
                    }
                    catalog::add_item(&mut model, section, k, &mut parts).unwrap();
                }
            }
            // what a superelement was reduced to is there as text, whatever mesh it names
            for own in &mut model.superelements {
                let (text, body) = crate::superelement::example();
                (own.fields.reduction, own.reduced) = (Some(text), Some(body.into()));
            }
            for own in &mut model.structures {
                crate::structure::make_sound(own, space);
                assert!(own.mesh.is_some());
            }
            let text = to_toml(&model);
            let read = read_text("all.toml", &text, ".", &Overrides::none());
            assert_eq!(read.model.as_ref(), Some(&model), "{text}\n{}", read.render(false));
        }
    }

    #[test]
    fn axes_in_any_order_keep_their_meaning() {
        let given = Orientation::Axes { first: (2, Vec3::new(1.0, 1.0, 0.0)), second: (0, Vec3::z()) };
        let mut model = Model::new("a", Space::Spatial);
        model.body(Body { orientation: given, ..Body::spatial("b", 1.0, [1.0; 3]) });
        let read = read_text("a.toml", &to_toml(&model), ".", &Overrides::none()).model.unwrap();
        let difference = read.bodies[0].orientation.matrix().unwrap() - given.matrix().unwrap();
        assert!(difference.amax() < 1e-15);
    }

    #[test]
    fn strings_read_back_the_same() {
        let name = "a \"quoted\" \\ tab\t newline\n é";
        let mut model = Model::new(name, Space::Planar);
        model.description = "x\r\ny".into();
        let read = read_text("a.toml", &to_toml(&model), ".", &Overrides::none());
        assert_eq!(read.model.unwrap(), model);
    }

    #[test]
    fn parameters_keep_their_units() {
        let mut parameters = BTreeMap::new();
        for (name, dim) in [("k", Dim::STIFFNESS), ("w", Dim::ANGULAR_VELOCITY), ("q", Dim::new(0, -2, -4))] {
            parameters.insert(name.to_string(), Quantity::known(2.5, dim));
        }
        parameters.insert("f".into(), Quantity::known(3.0, Dim::new(0, 0, -1)));
        parameters.insert("n".into(), Quantity::unknown(-1e-3));
        let text = to_toml_with(&Model::new("a", Space::Spatial), &parameters);
        let read = read_text("a.toml", &text, ".", &Overrides::none());
        assert_eq!(read.parameters, parameters, "{}", read.render(false));
    }
}
