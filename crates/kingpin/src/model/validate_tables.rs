//! Tables over time that end before the run does.

use super::describe::{Field, FieldValues, Kind};
use super::finding::{Finding, Subject};
use super::value::Value;
use super::{Function, Model};
use crate::expr::{Curve, Join};

/// A slope is one if it would change values by this part of their range over the length of the table.
const STEEP: f64 = 1e-6;

/// Tables that stop short of a time: values do not change any more behind the end, though they still did right before it.
pub fn short_tables(model: &Model, end: f64) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut check = |subject: Subject, what: String, fields: &'static [Field], values: FieldValues| {
        for (name, value) in values {
            let timed = |field: &&Field| match field.kind {
                Kind::Function { variables, .. } => {
                    field.name == name && variables.first().is_some_and(|(variable, _)| *variable == "t")
                }
                _ => false,
            };
            let (Some(field), Value::Function(Function::Table(curve))) = (fields.iter().find(timed), value)
            else {
                continue;
            };
            if let Some(last) = stops_short(&curve, end) {
                let message = format!(
                    "the table of {what} ends at t = {last} s, before the run at {end} s; its last \
                         value is used from there on"
                );
                let hint = "extend the table, end the run earlier, or let the table end with zero slope: \
                         `ends = [..., 0]`";
                findings
                    .push(Finding::warning("short-table", subject.clone(), field.name, message).hint(hint));
            }
        }
    };
    for (k, driver) in model.drivers.iter().enumerate() {
        let what = format!("driver `{}`", driver.name);
        check(Subject::Driver(k), what, driver.kind.fields(), driver.kind.values());
    }
    for (k, force) in model.forces.iter().enumerate() {
        let what = format!("force `{}`", force.name);
        check(Subject::Force(k), what, force.kind.fields(), force.kind.values());
    }
    findings
}

/// Where a table ends, if that is before a time and its values still change there.
fn stops_short(curve: &Curve, end: f64) -> Option<f64> {
    let (first, last) = (*curve.knots().first()?, *curve.knots().last()?);
    let (low, high) =
        curve.points().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), (_, y)| (l.min(y), h.max(y)));
    let changes = curve.end_slopes()[1].abs() * (last - first) > STEEP * (high - low);
    (curve.join() != Join::Step && changes && end - last > 1e-9 * (last - first)).then_some(last)
}
