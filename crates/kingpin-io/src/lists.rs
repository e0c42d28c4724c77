//! Fields of many numbers: paths, named places, matrices of sections.

use crate::context::Context;
use crate::number::number;
use crate::shape::{Numbers, Shape};
use crate::tree::{Data, Node};
use kingpin::model::describe::Field;
use kingpin::model::value::Value;
use kingpin::model::{SectionMatrix, Space, Vec3};

fn gather(field: &Field, node: &Node, shape: Shape, list: Vec<crate::number::Placed>) -> Numbers {
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

/// Reads a table of names with numbers.
pub(crate) fn places(context: &Context<'_>, field: &Field, node: &Node) -> Option<(Vec<String>, Numbers)> {
    let name = field.name;
    let Data::Table(table) = &node.data else {
        let message = format!("`{name}` must be a table of places, not {}", node.data.noun());
        context.error_hint(node.span, message, Some(format!("write `{name} = {{ mid = 0.5 }}`")));
        return None;
    };
    let list: Vec<Option<_>> =
        table.entries.iter().map(|entry| number(context, &entry.key, "", &entry.value)).collect();
    let names = table.entries.iter().map(|entry| entry.key.clone()).collect();
    Some((names, gather(field, node, Shape::Places, list.into_iter().collect::<Option<_>>()?)))
}

/// Reads a matrix of a section: its diagonal, or its rows.
pub(crate) fn section(
    context: &Context<'_>,
    field: &Field,
    units: [&str; 3],
    node: &Node,
) -> Option<Numbers> {
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
        let list = each.collect::<Vec<_>>().into_iter().collect::<Option<_>>()?;
        return Some(gather(field, node, Shape::Section(context.space), list));
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
    Some(gather(field, node, Shape::Section(context.space), list))
}

/// The points that numbers make.
pub(crate) fn points(x: &[f64], count: usize) -> Value {
    let point = |x: &[f64]| Vec3::new(x[0], x[1], x.get(2).copied().unwrap_or(0.0));
    Value::Path(x.chunks_exact(count).map(point).collect())
}

/// The matrix whose diagonal or rows are given.
pub(crate) fn matrix(x: &[f64], space: Space) -> Value {
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
    Value::Section(Box::new(SectionMatrix(rows)))
}

/// A matrix as a model file writes it.
pub(crate) fn matrix_text(matrix: &SectionMatrix, space: Space, list: impl Fn(Vec<f64>) -> String) -> String {
    let used = SectionMatrix::used(space);
    let diagonal: Vec<f64> = used.iter().map(|&k| matrix.0[k][k]).collect();
    let coupled = used.iter().any(|&i| used.iter().any(|&j| i != j && matrix.0[i][j] != 0.0));
    if !coupled {
        return list(diagonal);
    }
    let rows = used.iter().map(|&i| list(used.iter().map(|&j| matrix.0[i][j]).collect()));
    format!("[{}]", rows.collect::<Vec<_>>().join(", "))
}
