//! Inputs: numbers that a program sets while a motion goes on.

use crate::described;

described! {
    /// A variable that functions of forces can read by name. It is constant during a run unless a program that uses
    /// the library changes it between two steps. Motions of drivers cannot read it, because a motion must not jump.
    pub struct Input {
        /// Its name.
        name: String [Kind::Name];
        /// Initial value, in SI units.
        value: f64 [Kind::Number("*")] = 0.0;
    }
}
