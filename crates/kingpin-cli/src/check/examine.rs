//! Asks the library all the questions whose answers are reported.

use kingpin::analysis::explain;
use kingpin::analysis::{self, Assembly, Failure, TimeConstant};
use kingpin::model::Model;
use kingpin::system::System;
use kingpin_io::{Diagnostic, Sources};
use std::cmp::Reverse;
use std::collections::HashMap;

/// A model that compiles, and what became of it.
pub struct Examination<'a> {
    /// As described.
    pub model: &'a Model,
    /// As compiled.
    pub system: System,
    /// As assembled, or why that cannot be done.
    pub assembly: Result<Assembly, Failure>,
    /// Time constants of the forces, fastest first; none if the mechanism cannot be assembled.
    pub time_constants: Vec<TimeConstant>,
}

/// Compiles and assembles a model; the messages come along. Nothing to examine if it does not compile.
pub fn examine<'a>(model: &'a Model, sources: &Sources) -> (Option<Examination<'a>>, Vec<Diagnostic>) {
    let (system, warnings) = match System::compile(model) {
        Ok(compiled) => compiled,
        Err(findings) => return (None, Diagnostic::from_findings(&findings, sources)),
    };
    let mut diagnostics = Diagnostic::from_findings(&warnings, sources);
    let mut assembly = analysis::assemble(&system);
    let mut time_constants = Vec::new();
    if let Ok(assembly) = &mut assembly {
        assembly.corrections.sort_by_cached_key(|c| (Reverse(rounded(c.amount)), c.body));
        diagnostics.extend(Diagnostic::from_findings(&analysis::far_moves(&system, assembly), sources));
        time_constants = analysis::time_constants(&system, &assembly.state);
        let order: HashMap<&str, usize> = model.forces.iter().map(|f| f.name.as_str()).zip(0..).collect();
        time_constants.sort_by_cached_key(|c| (rounded(c.seconds), order.get(c.force.as_str()).copied()));
    }
    if let Err(why) = &assembly {
        diagnostics.push(Diagnostic::from_finding(&explain::finding(why), sources));
    }
    (Some(Examination { model, system, assembly, time_constants }), diagnostics)
}

/// A positive number to three digits, as something to sort by. Mechanisms are often symmetric: what differs by
/// round-off only is to come in the order of the model.
fn rounded(x: f64) -> u64 {
    // the bits of positive numbers have the order of the numbers
    format!("{x:.2e}").parse().unwrap_or(x).to_bits()
}

impl Examination<'_> {
    /// The type of a force, as the model file says it.
    pub fn force_type(&self, name: &str) -> &'static str {
        self.model.forces.iter().find(|force| force.name == name).map_or("force", |force| force.kind.tag())
    }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn round_off_does_not_decide_the_order() {
        assert_eq!(rounded(0.0118), rounded(0.0118 + 1e-12));
        assert!(
            rounded(1e-3) < rounded(1.01e-3)
                && rounded(2.0) < rounded(1e10)
                && rounded(0.0) < rounded(1e-300)
        );
    }
}
