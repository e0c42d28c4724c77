//! How a model wants to be simulated, unless the command line says otherwise.

use crate::described;

described! {
    /// Simulation settings.
    pub struct Simulation {
        /// Time at which the simulation ends.
        t_end: f64 [Kind::Number("s"), range = Range::NonNegative] = 1.0;
        /// Accuracy asked for: relative, and absolute in SI units.
        tol: f64 [Kind::Number(""), range = Range::Positive] = 1e-6;
        /// Time between two frames of the results.
        frame: Option<f64> [Kind::Number("s"), range = Range::Positive] = None;
        /// Greatest step.
        h_max: Option<f64> [Kind::Number("s"), range = Range::Positive] = None;
    }
}
