//! First-order states: numbers with a rate, integrated with the mechanism.

use super::function::Function;
use crate::described;

/// What states can be measured in; results show it.
pub const STATE_UNITS: &[&str] = &[
    "", "m", "rad", "m/s", "rad/s", "N", "N*m", "J", "W", "Pa", "m^3", "m^3/s", "kg", "kg/s", "K", "V", "A",
];

described! {
    /// A first-order state: a variable whose rate of change is a function of time, measures and states. It is
    /// integrated with the mechanism, by every method and to the same tolerance. Functions of forces, events and
    /// other states read it by name, and it is a channel of the results. At an equilibrium its rate is zero.
    pub struct StateVariable {
        /// Its name.
        name: String [Kind::Name];
        /// Its rate of change per second, as a function of time `t`, measures, states, outputs of controllers, switches and inputs.
        rate: Function [Kind::Function { unit: "*", variables: &[("t", "s")], measures: true }];
        /// Initial value, in SI units.
        initial: f64 [Kind::Number("*")] = 0.0;
        /// Its unit, for the results.
        unit: String [Kind::Choice(STATE_UNITS)] = String::new();
        /// Lower bound of its natural scale: errors are relative to the largest value so far, but at least to this.
        scale: f64 [Kind::Number("*"), range = Range::Positive] = 1e-9;
    }
}

impl StateVariable {
    /// The unit as results show it; nothing for one that is not on the list, which is complained about elsewhere.
    pub fn shown_unit(&self) -> &'static str {
        STATE_UNITS.iter().find(|unit| **unit == self.unit).copied().unwrap_or("")
    }
}
