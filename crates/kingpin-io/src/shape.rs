//! Fields made of numbers: scalars, vectors, inertias, orientations, tables. Their forms in a file are read
//! once into lists of numbers, from which values are put together for each value of the indices.

use crate::context::{Context, Piece};
use crate::diagnostic::Diagnostic;
use crate::lists;
use crate::number::{Placed, expression, number};
use crate::source::Span;
use crate::tree::{Data, Node};
use crate::vectors::Term;
use kingpin::expr::{Curve, CurveError, Ends, Extrapolate, Join};
use kingpin::model::describe::{Field, Range};
use kingpin::model::value::Value;
use kingpin::model::{Function, Mat3, Orientation, Space, Vec3};

/// How a list of numbers makes a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shape {
    Number,
    Count,
    Vector,
    Direction,
    PlanarSpin,
    PlanarInertia,
    Inertia,
    EulerParameters,
    AxisAngle,
    /// Two axes, by number.
    Axes(usize, usize),
    /// A function that does not change.
    Constant,
    /// A function by points: all abscissas, then all ordinates, then two slopes if they are given.
    Table(CurveForm),
    /// A curve by points.
    Curve(CurveForm),
    /// Points of so many numbers each.
    Path(usize),
    /// Numbers, however many.
    List,
    /// Rows of so many numbers each.
    Rows(usize),
    /// Places, whose names are known elsewhere.
    Places,
    /// A matrix of a section by its diagonal or its rows.
    Section(Space),
    /// Such at so many stations, whose places come first.
    Stations(Space, usize),
}

/// How the points of a table make a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CurveForm {
    pub join: Join,
    pub ends: EndSlopes,
}

impl CurveForm {
    /// The form of tables that say nothing of it.
    #[cfg(test)]
    pub const PLAIN: CurveForm = CurveForm { join: Join::Monotone, ends: EndSlopes::Parabola };
}

/// How the slopes at the ends of a table are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndSlopes {
    Parabola,
    Natural,
    NotAKnot,
    Periodic,
    /// Given by the last two numbers.
    Given,
}

/// A field made of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    pub field: &'static str,
    pub range: Range,
    pub span: Span,
    pub shape: Shape,
    pub list: Vec<Placed>,
}

/// What is wrong with a value, and with which of its numbers if it is one.
type Complaint = (Option<usize>, String);

impl Numbers {
    pub fn is_fixed(&self) -> bool {
        self.list.iter().all(|placed| placed.number.is_fixed())
    }

    /// The value for given indices; `None` after a report.
    pub fn eval(&self, context: &Context<'_>, indices: &[f64]) -> Option<Value> {
        // most fields have few numbers
        let mut few = [0.0; 9];
        let mut many = Vec::new();
        let x = match few.get_mut(..self.list.len()) {
            Some(few) => few,
            None => {
                many.resize(self.list.len(), 0.0);
                &mut many[..]
            }
        };
        let mut good = true;
        for (x, placed) in x.iter_mut().zip(&self.list) {
            *x = placed.number.eval(context, indices);
            good &= self.accept(context, placed, *x, indices);
        }
        if !good {
            return None;
        }
        self.warn(context, x, indices);
        match assemble(self.shape, x) {
            Ok(value) => Some(value),
            Err((which, complaint)) => {
                let span = which.and_then(|k| self.list.get(k)).map_or(self.span, |placed| placed.span);
                let which = context.for_indices(indices);
                context.error(span, format!("`{}` {complaint}{which}", self.field));
                None
            }
        }
    }

    /// Warns of Euler parameters that are not quite of unit length.
    fn warn(&self, context: &Context<'_>, x: &[f64], indices: &[f64]) {
        let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let off = (length - 1.0).abs();
        if self.shape == Shape::EulerParameters && off > ROUNDED && off <= NOT_UNIT {
            let which = context.for_indices(indices);
            let message = format!("Euler parameters have length 1, but these have {length:.4}{which}");
            let hint = format!("they are normalised to {}", unit_length(x, length));
            context.push(Diagnostic::warning("not-unit-length", context.at(self.span), message).hint(hint));
        }
    }

    /// Whether a number is in the range of the field; reports it if not.
    fn accept(&self, context: &Context<'_>, placed: &Placed, x: f64, indices: &[f64]) -> bool {
        let Some(complaint) = self.range.complaint(x) else { return true };
        // a parameter without value has been reported already
        if !(x.is_nan() && placed.computed && context.known.faulty) {
            let (field, which) = (self.field, context.for_indices(indices));
            let subject = if self.list.len() > 1 { "one of its numbers is" } else { "is" };
            context.error(placed.span, format!("`{field}` {complaint}, but {subject} {}{which}", plain(x)));
        }
        false
    }
}

/// Reads a field that is a single number.
pub(crate) fn scalar(
    context: &Context<'_>,
    field: &Field,
    unit: &str,
    shape: Shape,
    node: &Node,
) -> Option<Numbers> {
    let list = vec![number(context, field.name, unit, node)?];
    Some(Numbers { field: field.name, range: field.range, span: node.span, shape, list })
}

/// Reads a field that is an array of as many numbers as space has dimensions.
pub(crate) fn vector(
    context: &Context<'_>,
    field: &Field,
    unit: &str,
    shape: Shape,
    node: &Node,
) -> Option<Numbers> {
    let count = if context.space == Space::Planar { 2 } else { 3 };
    let list = array(context, field.name, unit, node, count)?;
    Some(Numbers { field: field.name, range: field.range, span: node.span, shape, list })
}

/// Reads `count` numbers.
pub(crate) fn array(
    context: &Context<'_>,
    field: &str,
    unit: &str,
    node: &Node,
    count: usize,
) -> Option<Vec<Placed>> {
    if let Data::Text(text) = &node.data {
        return vector_expression(context, field, unit, node.span, text);
    }
    let list = numbers(context, field, unit, node)?;
    if list.len() == count {
        return Some(list);
    }
    let where_ = match context.space {
        Space::Planar => "in a planar model",
        Space::Spatial => "in a spatial model",
    };
    let message = format!("`{field}` needs {count} numbers {where_}, but {} are given", list.len());
    context.error(node.span, message.replace("1 are", "1 is"));
    None
}

/// Reads an expression of points and vectors.
fn vector_expression(
    context: &Context<'_>,
    field: &str,
    unit: &str,
    span: Span,
    text: &str,
) -> Option<Vec<Placed>> {
    context.known.note_uses(text);
    let Some(Term::Vector(components)) = context.in_numbers(span, text).ok()? else {
        let message = match context.known.points().next() {
            Some(_) => format!("`{field}` must be an array of numbers or an expression of points"),
            None => format!("`{field}` must be an array of numbers, not a string"),
        };
        let hint = context.known.point_hint(text);
        context.error_hint(span, message, hint);
        return None;
    };
    // the length of a direction means nothing
    let unit = if unit.is_empty() { "*" } else { unit };
    let number = |own: &String| {
        let number = expression(context, field, unit, Piece::made(span, own))?;
        Some(Placed { number, span, computed: true })
    };
    components.iter().map(number).collect()
}

/// Reads an array of numbers; all faults in it are reported.
pub(crate) fn numbers(context: &Context<'_>, field: &str, unit: &str, node: &Node) -> Option<Vec<Placed>> {
    let Data::Array(items) = &node.data else {
        let found = node.data.noun();
        context.error(node.span, format!("`{field}` must be an array of numbers, not {found}"));
        return None;
    };
    let list: Vec<Option<Placed>> = items.iter().map(|item| number(context, field, unit, item)).collect();
    list.into_iter().collect()
}

/// The unit of inertias.
const INERTIA: &str = "kg*m^2";

/// Reads an inertia: one number in the plane; three, six or three rows of three in space.
pub(crate) fn inertia(context: &Context<'_>, field: &Field, node: &Node) -> Option<Numbers> {
    if context.space == Space::Planar {
        if let Data::Array(_) = node.data {
            let message = format!("`{}` is one number in a planar model", field.name);
            context.error(node.span, message);
            return None;
        }
        return scalar(context, field, INERTIA, Shape::PlanarInertia, node);
    }
    let shapes = "three principal moments, six entries xx, yy, zz, xy, xz, yz, or three rows of three";
    let Data::Array(items) = &node.data else {
        let message = format!("`{}` must be {shapes} in a spatial model", field.name);
        context.error(node.span, message);
        return None;
    };
    let lengths: Vec<Option<usize>> = items.iter().map(row_length).collect();
    let list: Vec<Placed> = match lengths[..] {
        [Some(3), Some(3), Some(3)] => {
            let rows: Vec<_> = items.iter().map(|row| numbers(context, field.name, INERTIA, row)).collect();
            rows.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().collect()
        }
        [None, None, None] | [None, None, None, None, None, None] => {
            numbers(context, field.name, INERTIA, node)?
        }
        _ => {
            context.error(node.span, format!("`{}` must be {shapes}", field.name));
            return None;
        }
    };
    Some(Numbers { field: field.name, range: field.range, span: node.span, shape: Shape::Inertia, list })
}

/// The length of a row of a matrix; `None` if the item is something else.
fn row_length(item: &Node) -> Option<usize> {
    match &item.data {
        Data::Array(row) => Some(row.len()),
        _ => None,
    }
}

/// A number as people write it: with an exponent if it is far from one.
pub(crate) fn plain(x: f64) -> String {
    if x == 0.0 || !x.is_finite() || (1e-5..1e15).contains(&x.abs()) {
        x.to_string()
    } else {
        format!("{x:e}")
    }
}

/// Euler parameters off unit length by no more than this are rounded numbers and taken as they are meant.
const ROUNDED: f64 = 2e-3;
/// Beyond this they are something else.
const NOT_UNIT: f64 = 0.05;

/// Numbers made to have length 1, as a model file writes them.
fn unit_length(x: &[f64], length: f64) -> String {
    let each: Vec<String> = x.iter().map(|x| format!("{}", (x / length * 1e6).round() / 1e6)).collect();
    format!("`[{}]`", each.join(", "))
}

/// Euler parameters, unless their length is far from 1.
fn euler_parameters(x: &[f64]) -> Result<Orientation, Complaint> {
    let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 1e-12 && (length - 1.0).abs() > NOT_UNIT {
        let meant = unit_length(x, length);
        let why = format!(
            "is not an orientation: Euler parameters have length 1, but these have {length:.4}; did \
                 you mean {meant}?"
        );
        return Err((None, why));
    }
    Ok(Orientation::EulerParameters([x[0], x[1], x[2], x[3]]))
}

/// The value that a list of finite numbers makes.
fn assemble(shape: Shape, x: &[f64]) -> Result<Value, Complaint> {
    let vector = |x: &[f64]| Vec3::new(x[0], x[1], x.get(2).copied().unwrap_or(0.0));
    let orientation = |o: Orientation| match o.matrix() {
        Ok(_) => Ok(Value::Orientation(o)),
        Err(complaint) => Err((None, format!("is not an orientation: {complaint}"))),
    };
    match shape {
        Shape::Number => Ok(Value::Number(x[0])),
        Shape::Count if x[0].fract() == 0.0 && (1.0..=1e9).contains(&x[0]) => Ok(Value::Count(x[0] as usize)),
        Shape::Count => Err((Some(0), format!("must be an integer of 1 or more, but is {}", x[0]))),
        Shape::Vector => Ok(Value::Vector(vector(x))),
        Shape::Direction if vector(x).norm() < 1e-12 => {
            Err((None, "is a direction and must not be zero".into()))
        }
        Shape::Direction => Ok(Value::Vector(vector(x))),
        Shape::PlanarSpin => Ok(Value::Vector(Vec3::new(0.0, 0.0, x[0]))),
        Shape::PlanarInertia => Ok(Value::Inertia(Mat3::from_diagonal_element(x[0]))),
        Shape::Inertia => tensor(x).map(Value::Inertia),
        Shape::EulerParameters => orientation(euler_parameters(x)?),
        Shape::AxisAngle => orientation(Orientation::AxisAngle { axis: vector(&x[..3]), angle: x[3] }),
        Shape::Axes(i, j) => {
            orientation(Orientation::Axes { first: (i, vector(&x[..3])), second: (j, vector(&x[3..])) })
        }
        Shape::Constant => Ok(Value::Function(Function::Constant(x[0]))),
        Shape::Table(form) => curve(x, Extrapolate::Hold, form).map(|c| Value::Function(Function::Table(c))),
        Shape::Curve(form) => curve(x, Extrapolate::Linear, form).map(Value::Curve),
        Shape::Path(count) => Ok(lists::points(x, count)),
        Shape::List => Ok(Value::Numbers(x.to_vec())),
        Shape::Rows(count) => Ok(lists::rows(x, count)),
        Shape::Places => Ok(Value::Places(x.iter().map(|x| (String::new(), *x)).collect())),
        Shape::Section(space) => Ok(Value::Section(lists::matrix(x, space).into())),
        Shape::Stations(space, count) => Ok(lists::stations(x, space, count)),
    }
}

/// The inertia tensor out of 3, 6 or 9 numbers.
fn tensor(x: &[f64]) -> Result<Mat3, Complaint> {
    Ok(match *x {
        [a, b, c] => Mat3::from_diagonal(&Vec3::new(a, b, c)),
        [a, b, c, xy, xz, yz] => Mat3::new(a, xy, xz, xy, b, yz, xz, yz, c),
        _ => {
            let m = Mat3::from_row_slice(x);
            for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                if (m[(i, j)] - m[(j, i)]).abs() > 1e-9 * m.amax() {
                    let (upper, lower) = (m[(i, j)], m[(j, i)]);
                    return Err((
                        Some(3 * j + i),
                        format!("must be symmetric, but {upper} differs from {lower}"),
                    ));
                }
            }
            m
        }
    })
}

/// A curve; the first half of the numbers are abscissas, but for the slopes at the ends.
fn curve(x: &[f64], outside: Extrapolate, form: CurveForm) -> Result<Curve, Complaint> {
    let (x, ends) = match (form.ends, x) {
        (EndSlopes::Given, [x @ .., first, last]) => (x, Ends::Given([*first, *last])),
        (EndSlopes::Natural, _) => (x, Ends::Natural),
        (EndSlopes::NotAKnot, _) => (x, Ends::NotAKnot),
        (EndSlopes::Periodic, _) => (x, Ends::Periodic),
        _ => (x, Ends::Parabola),
    };
    let (x, y) = x.split_at(x.len() / 2);
    Curve::joined(x.to_vec(), y.to_vec(), outside, form.join, ends).map_err(|error| {
        let (which, why) = match error {
            CurveError::NotIncreasing { index, before, x } => {
                (Some(index), format!("the first column must increase, but {before} is followed by {x}"))
            }
            other => (None, other.to_string()),
        };
        (which, format!("is not a valid curve: {why}"))
    })
}

#[cfg(test)]
mod tests;
