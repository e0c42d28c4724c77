//! The part of the package `kingpin` for Python that is written in Rust: what is fast, and what the command says. The rest
//! is in `python/kingpin`. No mechanics here.

mod columns;
mod errors;
mod function;
mod mechanism;
mod numbers;
mod run;
mod settings;
mod simulation;
mod state;
mod watch;

/// What the package `kingpin` is made of.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::mechanism::{Mechanism, command, schema, toml_text};
    #[pymodule_export]
    use crate::run::Recording;
    #[pymodule_export]
    use crate::simulation::Simulation;
    #[pymodule_export]
    use crate::state::State;
}
