//! What several tests begin with.

use kingpin::analysis::{Assembly, assemble};
use kingpin::model::Model;
use kingpin::system::{State, System, Work};

/// A model compiled without a warning, and assembled.
pub fn ready(model: &Model) -> (System, Assembly) {
    let (system, warnings) = System::compile(model).unwrap_or_else(|e| panic!("{e:#?}"));
    assert!(warnings.is_empty(), "{warnings:#?}");
    let assembly = assemble(&system).unwrap();
    (system, assembly)
}

/// Constraints and forces at a state.
pub fn evaluated(system: &System, state: &State) -> Work {
    let mut work = system.work();
    system.set_state(&mut work, state);
    system.evaluate_constraints(&mut work);
    system.evaluate_forces(&mut work);
    work
}
