//! Fields of many numbers: paths, named places, matrices of sections.

use crate::context::Context;
use crate::number::{Placed, number};
use crate::shape::{Numbers, Shape};
use crate::tree::{Data, Node};
use kingpin::model::describe::Field;
use kingpin::model::value::Value;
use kingpin::model::{SectionMatrix, Space, Stations, Vec3};

fn gather(field: &Field, node: &Node, shape: Shape, list: Vec<Placed>) -> Numbers {
    Numbers { field: field.name, range: field.range, span: node.span, shape, list }
}

/// Reads an array of points.
pub(crate) fn path(context: &Context<'_>, field: &Field, unit: &str, node: &Node) -> Option<Numbers> {
    let name = field.name;
    let Data::Array(items) = &node.data else {
        context.error(node.span, format!("`{name}` must be an array of points, not {}", node.data.noun()));
        return None;
    };
    let count = if context.space == Space::Planar { 2 } else { 3 };
    let point = |item: &Node| crate::shape::array(context, name, unit, item, count);
    let points: Vec<Option<Vec<_>>> = items.iter().map(point).collect();
    let list = points.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
    Some(gather(field, node, Shape::Path(count), list))
}

/// Reads an array of numbers.
pub(crate) fn list(context: &Context<'_>, field: &Field, unit: &str, node: &Node) -> Option<Numbers> {
    let list = crate::shape::numbers(context, field.name, unit, node)?;
    Some(gather(field, node, Shape::List, list))
}

/// Reads rows of numbers, all as long.
pub(crate) fn matrix_rows(context: &Context<'_>, field: &Field, node: &Node) -> Option<Numbers> {
    let name = field.name;
    let Data::Array(items) = &node.data else {
        let message = format!("`{name}` must be an array of rows, not {}", node.data.noun());
        context.error_hint(node.span, message, Some(format!("write `{name} = [[1, 2], [3, 4]]`")));
        return None;
    };
    let rows: Vec<Option<Vec<Placed>>> =
        items.iter().map(|item| crate::shape::numbers(context, name, "*", item)).collect();
    let rows = rows.into_iter().collect::<Option<Vec<_>>>()?;
    let count = rows.first().map_or(0, Vec::len);
    if let Some(k) = rows.iter().position(|row| row.len() != count) {
        let message =
            format!("this row of `{name}` has {} numbers, but the first has {count}", rows[k].len());
        context.error(items[k].span, message);
        return None;
    }
    Some(gather(field, node, Shape::Rows(count), rows.into_iter().flatten().collect()))
}

/// The rows that numbers make.
pub(crate) fn rows(x: &[f64], count: usize) -> Value {
    Value::Matrix(x.chunks_exact(count.max(1)).map(<[f64]>::to_vec).collect())
}

/// Reads a table of names with numbers.
pub(crate) fn places(context: &Context<'_>, field: &Field, node: &Node) -> Option<(Vec<String>, Numbers)> {
    let name = field.name;
    let Data::Table(table) = &node.data else {
        let message = format!("`{name}` must be a table of positions, not {}", node.data.noun());
        context.error_hint(node.span, message, Some(format!("write `{name} = {{ mid = 0.5 }}`")));
        return None;
    };
    let list: Vec<Option<_>> =
        table.entries.iter().map(|entry| number(context, &entry.key, "", &entry.value)).collect();
    let names = table.entries.iter().map(|entry| entry.key.clone()).collect();
    Some((names, gather(field, node, Shape::Places, list.into_iter().collect::<Option<_>>()?)))
}

/// Reads a table of names with lists of whole numbers.
pub(crate) fn sets(context: &Context<'_>, field: &Field, node: &Node) -> Option<Value> {
    let name = field.name;
    let form = || Some(format!("write `{name} = {{ base = [1, 2, 3] }}`"));
    let Data::Table(table) = &node.data else {
        let message = format!("`{name}` must be a table of sets, not {}", node.data.noun());
        context.error_hint(node.span, message, form());
        return None;
    };
    let mut sets = Vec::new();
    for entry in &table.entries {
        let key = entry.key.escape_debug().to_string();
        sets.push((entry.key.clone(), whole_numbers(context, &key, &entry.value, form)?));
    }
    Some(Value::Sets(sets))
}

/// Reads an array of whole numbers.
pub(crate) fn counts(context: &Context<'_>, field: &Field, node: &Node) -> Option<Value> {
    let form = || Some(format!("write `{} = [1, 2, 3]`", field.name));
    whole_numbers(context, field.name, node, form).map(Value::Counts)
}

fn whole_numbers(
    context: &Context<'_>,
    name: &str,
    node: &Node,
    form: impl Fn() -> Option<String>,
) -> Option<Vec<usize>> {
    let Data::Array(items) = &node.data else {
        let message = format!("`{name}` must be an array of integers, not {}", node.data.noun());
        context.error_hint(node.span, message, form());
        return None;
    };
    let whole = |item: &Node| match item.data {
        Data::Integer(k) if k >= 1 => Some(k as usize),
        _ => {
            context.error(item.span, "this must be an integer of 1 or more");
            None
        }
    };
    items.iter().map(whole).collect()
}

/// Reads a matrix of a section: its diagonal, its rows, or a table of such at stations.
pub(crate) fn section(
    context: &Context<'_>,
    field: &Field,
    units: [&str; 3],
    node: &Node,
) -> Option<Numbers> {
    let Data::Table(table) = &node.data else {
        let list = one_matrix(context, field, units, node)?;
        return Some(gather(field, node, Shape::Section(context.space), list));
    };
    let (name, form) = (field.name, "{ x = [0, 1], value = [..., ...] }");
    if let Some(other) = table.entries.iter().find(|entry| entry.key != "x" && entry.key != "value") {
        let hint = Some(format!("the table is `{form}`"));
        context.error_hint(other.key_span, format!("this table has no `{}`", other.key), hint);
        return None;
    }
    let (Some(x), Some(value)) = (table.get("x"), table.get("value")) else {
        let message = format!("`{name}` lacks `x` or `value`");
        context.error_hint(node.span, message, Some(format!("the table is `{form}`")));
        return None;
    };
    let mut list = crate::shape::numbers(context, "x", "", x)?;
    let Data::Array(items) = &value.data else {
        context.error(value.span, format!("`value` must be an array of matrices, not {}", value.data.noun()));
        return None;
    };
    let stations = list.len();
    if items.len() != stations || stations < 2 {
        let message = format!(
            "`x` has {stations} stations and `value` has {} matrices: the numbers must be equal, \
                 and at least 2",
            items.len()
        );
        context.error(node.span, message);
        return None;
    }
    let matrices: Vec<Option<Vec<_>>> =
        items.iter().map(|item| one_matrix(context, field, units, item)).collect();
    let matrices = matrices.into_iter().collect::<Option<Vec<_>>>()?;
    if let Some(k) = matrices.iter().position(|own| own.len() != matrices[0].len()) {
        let message = "diagonals and full matrices are mixed: all stations must use the same form";
        context.error(items[k].span, message);
        return None;
    }
    list.extend(matrices.into_iter().flatten());
    Some(gather(field, node, Shape::Stations(context.space, stations), list))
}

/// Reads the diagonal or the rows of a matrix of a section.
fn one_matrix(context: &Context<'_>, field: &Field, units: [&str; 3], node: &Node) -> Option<Vec<Placed>> {
    let name = field.name;
    let used = SectionMatrix::used(context.space);
    let count = used.len();
    // forces come first, then moments
    let unit = |i: usize, j: usize| units[usize::from(used[i] > 2) + usize::from(used[j] > 2)];
    let complain = || {
        let words = if count == 3 {
            "three numbers or three rows of three"
        } else {
            "six numbers or six rows of six"
        };
        context.error(node.span, format!("`{name}` must be {words}"));
        None
    };
    let Data::Array(items) = &node.data else { return complain() };
    if items.len() != count {
        return complain();
    }
    if !items.iter().any(|item| matches!(item.data, Data::Array(_))) {
        let each = items.iter().enumerate().map(|(k, item)| number(context, name, unit(k, k), item));
        return each.collect::<Vec<_>>().into_iter().collect();
    }
    let mut list = Vec::with_capacity(count * count);
    for (i, item) in items.iter().enumerate() {
        let Data::Array(row) = &item.data else { return complain() };
        if row.len() != count {
            return complain();
        }
        for (j, entry) in row.iter().enumerate() {
            list.push(number(context, name, unit(i, j), entry)?);
        }
    }
    Some(list)
}

/// The points that numbers make.
pub(crate) fn points(x: &[f64], count: usize) -> Value {
    let point = |x: &[f64]| Vec3::new(x[0], x[1], x.get(2).copied().unwrap_or(0.0));
    Value::Path(x.chunks_exact(count).map(point).collect())
}

/// The matrix whose diagonal or rows are given.
pub(crate) fn matrix(x: &[f64], space: Space) -> SectionMatrix {
    let used = SectionMatrix::used(space);
    let n = used.len();
    let mut rows = [[0.0; 6]; 6];
    for (i, &row) in used.iter().enumerate() {
        for (j, &column) in used.iter().enumerate() {
            rows[row][column] = match x.len() == n {
                true if i == j => x[i],
                true => 0.0,
                false => x[n * i + j],
            };
        }
    }
    SectionMatrix(rows)
}

/// Matrices at stations: all places first.
pub(crate) fn stations(x: &[f64], space: Space, count: usize) -> Value {
    let (places, entries) = x.split_at(count);
    let matrices = entries.chunks_exact(entries.len() / count).map(|own| matrix(own, space));
    Value::Section(Stations(places.iter().copied().zip(matrices).collect()))
}

/// Stations as a model file writes them.
pub(crate) fn stations_text(
    stations: &Stations,
    space: Space,
    list: impl Fn(Vec<f64>) -> String + Copy,
) -> String {
    let used = SectionMatrix::used(space);
    let is_coupled =
        |matrix: &SectionMatrix| used.iter().any(|&i| used.iter().any(|&j| i != j && matrix.0[i][j] != 0.0));
    let coupled = stations.0.iter().any(|(_, matrix)| is_coupled(matrix));
    let each: Vec<String> =
        stations.0.iter().map(|(_, matrix)| matrix_text(matrix, used, coupled, list)).collect();
    match &each[..] {
        [only] => only.clone(),
        _ => {
            let places = list(stations.0.iter().map(|(x, _)| *x).collect());
            format!("{{ x = {places}, value = [{}] }}", each.join(", "))
        }
    }
}

/// A matrix as a model file writes it, with rows where some are coupled.
fn matrix_text(
    matrix: &SectionMatrix,
    used: &[usize],
    coupled: bool,
    list: impl Fn(Vec<f64>) -> String,
) -> String {
    if !coupled {
        return list(used.iter().map(|&k| matrix.0[k][k]).collect());
    }
    let rows = used.iter().map(|&i| list(used.iter().map(|&j| matrix.0[i][j]).collect()));
    format!("[{}]", rows.collect::<Vec<_>>().join(", "))
}
