//! Inputs: numbers that a program sets while a motion goes on.

use crate::described;

described! {
    /// A number that functions of forces may read under its name. It keeps its value during a run, unless a program
    /// that drives the motion changes it between two steps; the command never does. Motions of drivers cannot read
    /// it, since a motion must not jump.
    pub struct Input {
        /// Its name.
        name: String [Kind::Name];
        /// Its value at the start, in SI units.
        value: f64 [Kind::Number("*")] = 0.0;
    }
}
