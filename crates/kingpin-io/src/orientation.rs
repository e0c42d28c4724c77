//! Orientations: Euler parameters, axis and angle, or two axes.

use crate::context::Context;
use crate::number::{Placed, number};
use crate::shape::{Numbers, Shape, array, numbers};
use crate::suggest::suggest;
use crate::tree::{Data, Node, Table};
use kingpin::model::describe::Field;

/// The keys of an orientation.
const KEYS: [&str; 6] = ["euler_parameters", "axis", "angle", "x", "y", "z"];

/// The ways to say it, for messages.
const FORMS: &str = "give `euler_parameters`, or `axis` and `angle`, or two of `x`, `y`, `z`";

/// Reads an orientation; `None` after a report.
pub(crate) fn orientation(context: &Context<'_>, field: &Field, node: &Node) -> Option<Numbers> {
    let Data::Table(table) = &node.data else {
        let message = format!("`{}` must be a table, not {}", field.name, node.data.noun());
        context.error_hint(
            node.span,
            message,
            Some(format!("{FORMS}: `{{ axis = [0, 0, 1], angle = 0.5 }}`")),
        );
        return None;
    };
    let mut good = true;
    for entry in table.entries.iter().filter(|entry| !KEYS.contains(&entry.key.as_str())) {
        let message = format!("an orientation has no `{}`", entry.key);
        let hint = suggest(&entry.key, KEYS).unwrap_or(FORMS.into());
        context.error_hint(entry.key_span, message, Some(hint));
        good = false;
    }
    let (shape, list) = if good { form(context, field, table, node)? } else { return None };
    Some(Numbers { field: field.name, range: field.range, span: node.span, shape, list })
}

/// Which form is used, and its numbers.
fn form(context: &Context<'_>, field: &Field, table: &Table, node: &Node) -> Option<(Shape, Vec<Placed>)> {
    let has = |key: &str| table.get(key).is_some();
    let given: Vec<&str> = KEYS.into_iter().filter(|key| has(key)).collect();
    let axis_number = |key: &str| ["x", "y", "z"].into_iter().position(|axis| axis == key);
    match given[..] {
        ["euler_parameters"] => {
            let parameters = table.get("euler_parameters")?;
            let list = numbers(context, "euler_parameters", "", parameters)?;
            if list.len() != 4 {
                let message = format!("`euler_parameters` needs four numbers, but {} are given", list.len());
                context.error(parameters.span, message);
                return None;
            }
            Some((Shape::EulerParameters, list))
        }
        ["axis", "angle"] => {
            let axis = array(context, "axis", "", table.get("axis")?, 3);
            let angle = number(context, "angle", "rad", table.get("angle")?);
            let mut list = axis?;
            list.push(angle?);
            Some((Shape::AxisAngle, list))
        }
        [first, second] if axis_number(first).is_some() && axis_number(second).is_some() => {
            let one = array(context, first, "", table.get(first)?, 3);
            let two = array(context, second, "", table.get(second)?, 3);
            let mut list = one?;
            list.extend(two?);
            Some((Shape::Axes(axis_number(first)?, axis_number(second)?), list))
        }
        _ => {
            let message = format!("`{}` is not in one of the supported forms", field.name);
            context.error_hint(node.span, message, Some(FORMS.into()));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Overrides, read_text};
    use kingpin::model::{Orientation, Vec3};

    fn read(text: &str) -> Orientation {
        let body = "[[body]]\nname = 'a'\nmass = 1\ninertia = [1, 1, 1]\norientation = ";
        let loaded = read_text("a.toml", &format!("{body}{text}\n"), ".", &Overrides::none());
        let said = loaded.render(false);
        loaded.model.expect(&said).bodies[0].orientation
    }

    #[test]
    fn all_forms_are_read() {
        let turn = Orientation::AxisAngle { axis: Vec3::z(), angle: std::f64::consts::FRAC_PI_2 };
        assert_eq!(read("{ axis = [0, 0, 1], angle = '90 deg' }"), turn);
        assert_eq!(
            read("{ euler_parameters = [0.5, '1/2', -0.5, 0.5] }"),
            Orientation::EulerParameters([0.5, 0.5, -0.5, 0.5])
        );
        // the first in the order of letters is exact, however they are written
        let axes = Orientation::Axes { first: (0, Vec3::y()), second: (2, Vec3::x()) };
        assert_eq!(read("{ z = [1, 0, 0], x = [0, 1, 0] }"), axes);
    }
}
