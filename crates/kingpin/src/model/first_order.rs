//! First-order states: numbers with a rate, integrated with the mechanism.

use super::function::Function;
use crate::described;

/// What states can be measured in; results show it.
pub const STATE_UNITS: &[&str] = &[
    "", "m", "rad", "m/s", "rad/s", "N", "N*m", "J", "W", "Pa", "m^3", "m^3/s", "kg", "kg/s", "K", "V", "A",
];

described! {
    /// A first-order state: a number whose rate of change is a function of time, measures and states. It is integrated
    /// with the mechanism, by every method and to the same tolerance. Functions of forces, events and other states read it
    /// under its name, results show it, an equilibrium has the value at which its rate is zero.
    pub struct StateVariable {
        /// Its name.
        name: String [Kind::Name];
        /// Its rate of change per second, as a function of time `t`, measures, states, outputs of controllers, switches and inputs.
        rate: Function [Kind::Function { unit: "*", variables: &[("t", "s")], measures: true }];
        /// Its value at the start, in SI units.
        initial: f64 [Kind::Number("*")] = 0.0;
        /// What it is measured in; results show it.
        unit: String [Kind::Choice(STATE_UNITS)] = String::new();
        /// A size below which it does not matter: errors are relative to the largest value so far, and to no less than this.
        scale: f64 [Kind::Number("*"), range = Range::Positive] = 1e-9;
    }
}

impl StateVariable {
    /// The unit as results show it; nothing for one that is not on the list, which is complained about elsewhere.
    pub fn shown_unit(&self) -> &'static str {
        STATE_UNITS.iter().find(|unit| **unit == self.unit).copied().unwrap_or("")
    }
}
