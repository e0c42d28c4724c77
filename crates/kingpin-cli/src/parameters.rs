//! The parameters of a model as results keep them: with which values it was run, and which of them the user set.

use crate::input::ASSIGNMENT;
use crate::ready::Ready;
use kingpin::expr::{Quantity, Unitness};
use kingpin_results::store::Parameter;

/// All parameters, by name.
pub fn recorded(ready: &Ready) -> Vec<Parameter> {
    let given = |name: &str| {
        let files = ready.sources.files().iter().filter(|file| file.name == ASSIGNMENT);
        let assignments = files.filter_map(|file| file.text.split_once('='));
        // the last one counts
        assignments.rev().find(|(other, _)| other.trim() == name).map(|(_, value)| value.trim().into())
    };
    let parameter = |(name, quantity): (&String, &Quantity)| Parameter {
        name: name.clone(),
        value: Some(quantity.value).filter(|value| value.is_finite()),
        unit: match quantity.unit {
            Unitness::Known(dim) => Some(dim.to_string()).filter(|unit| unit != "1").unwrap_or_default(),
            _ => String::new(),
        },
        set: given(name),
    };
    ready.parameters.iter().map(parameter).collect()
}
