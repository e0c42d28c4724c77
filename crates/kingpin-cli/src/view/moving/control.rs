//! Parameters that a page may change: numbers, perhaps with a unit, by a slider; expressions by a field.

use kingpin::expr::{Scope, parse};
use kingpin_io::{Draft, ParameterRange, ParameterText};
use kingpin_results::report::data::Control;
use kingpin_study::quantity;
use std::collections::BTreeMap;

/// Where a parameter stands, and as what.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub name: String,
    /// The file, as it is opened.
    pub file: String,
    /// The text of the file, as it was read.
    pub text: String,
    /// The bytes of the value, quotes included.
    pub bytes: std::ops::Range<usize>,
}

/// The parameters that can be changed, and where they stand. Those that a command has set keep that value.
pub fn controls(
    draft: &Draft,
    assignments: &[String],
    values: &BTreeMap<String, String>,
) -> (Vec<Control>, Vec<Place>) {
    let fixed = |name: &str| {
        assignments.iter().any(|text| text.split_once('=').is_some_and(|(other, _)| other.trim() == name))
    };
    let (mut controls, mut places) = (Vec::new(), Vec::new());
    for parameter in draft.parameters() {
        // what is no number and no text is no parameter, and is reported
        if fixed(&parameter.name) || parameter.text.is_empty() {
            continue;
        }
        controls.push(control(&parameter, values.get(&parameter.name)));
        let ParameterText { name, file, source, bytes, .. } = parameter;
        places.push(Place { name, file, text: source, bytes });
    }
    (controls, places)
}

/// A parameter as a page sees it, with the value that was chosen for it.
fn control(parameter: &ParameterText, chosen: Option<&String>) -> Control {
    let ParameterText { name, text, range, .. } = parameter;
    let (name, about, changed) = (name.clone(), comment(parameter), chosen.is_some());
    let now = chosen.unwrap_or(text);
    let Some(((own, unit), value)) = quantity(text).and_then(|own| Some((own, quantity(now)?))) else {
        let (text, own_text) = (Some(now.clone()), Some(text.clone()));
        let (unit, value, own, min, max) = (String::new(), 0.0, 0.0, 0.0, 0.0);
        return Control { name, about, unit, value, own, min, max, step: None, text, own_text, changed };
    };
    let value = if value.1 == unit { value.0 } else { value.0 * size(&value.1) / size(&unit) };
    let (min, max, step) = match range {
        Some(ParameterRange { min, max, step }) => {
            let of = |number: f64| rounded(number / size(&unit));
            (of(*min), of(*max), step.map(of))
        }
        None => magnitude(own, &unit),
    };
    Control { name, about, unit, value, own, min, max, step, text: None, own_text: None, changed }
}

/// What the file says behind the value.
fn comment(parameter: &ParameterText) -> Option<String> {
    let line = parameter.source.get(parameter.bytes.end..)?.lines().next()?;
    let text = line.trim_start().strip_prefix('#')?.trim();
    (!text.is_empty()).then(|| text.to_string())
}

/// A range by magnitude: from nothing to twice as much.
fn magnitude(value: f64, unit: &str) -> (f64, f64, Option<f64>) {
    let most = match unit {
        "deg" => 90.0,
        _ => 1.0,
    };
    if value == 0.0 {
        return (-most, most, None);
    }
    (f64::min(0.0, 2.0 * value), f64::max(0.0, 2.0 * value), None)
}

/// What one of a unit is in SI units.
fn size(unit: &str) -> f64 {
    let number = parse(&format!("1 {unit}"), &Scope::new()).ok().and_then(|expr| expr.constant_value());
    number.unwrap_or(1.0)
}

/// Without the last digits, which a change of units has made.
fn rounded(number: f64) -> f64 {
    format!("{number:.12e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, chosen: Option<&str>) -> Control {
        let draft = Draft::of_text("a.toml", text, ".");
        let values = chosen.map(|value| ("k".to_string(), value.to_string())).into_iter().collect();
        controls(&draft, &[], &values).0.remove(0)
    }

    #[test]
    fn a_range_of_the_file_is_in_the_unit_of_the_value() {
        let text = "[parameters]\nk = '20 kN/m'\n[ranges]\nk = [5000, '35 N/mm', '0.5 kN/m']\n";
        let control = one(text, None);
        assert_eq!((control.min, control.max, control.step), (5.0, 35.0, Some(0.5)));
        assert_eq!((control.value, control.own, control.unit.as_str()), (20.0, 20.0, "kN/m"));
        assert_eq!(one(text, Some("30 N/mm")).value, 30.0);
        assert_eq!(one(text, Some("400 N/m")).value, 0.4);
    }

    #[test]
    fn without_a_range_the_magnitude_counts() {
        for (value, ends) in
            [("3", (0.0, 6.0)), ("'-2 mm'", (-4.0, 0.0)), ("0", (-1.0, 1.0)), ("'0 deg'", (-90.0, 90.0))]
        {
            let control = one(&format!("[parameters]\nk = {value}\n"), None);
            assert_eq!((control.min, control.max), ends, "{value}");
        }
    }

    #[test]
    fn comments_say_what_a_parameter_is() {
        let about = |line: &str| one(&format!("[parameters]\n{line}\nc = 1 # other\n"), None).about;
        assert_eq!(about("k = '2 m'   # how long it is "), Some("how long it is".into()));
        assert_eq!((about("k = 2"), about("k = 2 #")), (None, None));
    }

    #[test]
    fn expressions_have_their_text() {
        let text = "[parameters]\nk = '2*c'\nc = 1\n";
        let control = one(text, None);
        assert_eq!((control.text.as_deref(), control.changed), (Some("2*c"), false));
        let control = one(text, Some("3*c"));
        assert_eq!((control.text.as_deref(), control.own_text.as_deref()), (Some("3*c"), Some("2*c")));
        assert_eq!(one("[parameters]\nk = 2\n", Some("1 + 1")).text.as_deref(), Some("1 + 1"));
    }
}
