//! Values of fields by their names.

use kingpin::model::Vec3;
use kingpin::model::describe::FieldValues;
use kingpin::model::value::Value;

pub(super) fn find<'v>(values: &'v mut FieldValues, key: &str) -> Option<&'v mut Value> {
    values.iter_mut().find(|(name, _)| *name == key).map(|(_, value)| value)
}

pub(super) fn set(values: &mut FieldValues, key: &'static str, value: Value) {
    match find(values, key) {
        Some(old) => *old = value,
        None => values.push((key, value)),
    }
}

/// Changes a vector, if it is given.
pub(super) fn vector(values: &mut FieldValues, key: &str, change: impl Fn(&Vec3) -> Vec3) {
    if let Some(Value::Vector(x)) = find(values, key) {
        *x = change(x);
    }
}

pub(super) fn vector_of(values: &FieldValues, key: &str) -> Option<Vec3> {
    values.iter().find_map(|(name, value)| match value {
        Value::Vector(x) if *name == key => Some(*x),
        _ => None,
    })
}

pub(super) fn number_of(values: &FieldValues, key: &str) -> Option<f64> {
    values.iter().find_map(|(name, value)| match value {
        Value::Number(x) if *name == key => Some(*x),
        _ => None,
    })
}

pub(super) fn text_of(values: &FieldValues, key: &str) -> Option<String> {
    values.iter().find_map(|(name, value)| match value {
        Value::Text(text) if *name == key => Some(text.clone()),
        _ => None,
    })
}

/// Whether a body is a point, which has no attitude.
pub(super) fn is_point(own: &FieldValues) -> bool {
    own.iter().any(|(name, value)| *name == "point" && *value == Value::Flag(true))
}
