//! Parameters that a page may change: those that a file gives as a number, perhaps with a unit.

use kingpin_io::{Draft, ParameterText};
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
        let ParameterText { name, text, file, source, bytes } = parameter;
        let Some((own, unit)) = quantity(&text).filter(|_| !fixed(&name)) else { continue };
        let chosen = values.get(&name).and_then(|text| quantity(text)).map_or(own, |(value, _)| value);
        let (min, max) = range(own, &unit);
        let changed = values.contains_key(&name);
        places.push(Place { name: name.clone(), file, text: source, bytes });
        controls.push(Control { name, unit, value: chosen, own, min, max, changed });
    }
    (controls, places)
}

/// A range by magnitude: from nothing to twice as much.
fn range(value: f64, unit: &str) -> (f64, f64) {
    if value == 0.0 {
        let most = if unit == "deg" { 90.0 } else { 1.0 };
        return (-most, most);
    }
    (f64::min(0.0, 2.0 * value), f64::max(0.0, 2.0 * value))
}
