//! A switch that goes to and fro without getting on.

use std::fmt;

/// A switch whose crossings have become too many for the time they cover.
#[derive(Clone, Debug, PartialEq)]
pub struct Chatter {
    /// What switches, such as «event `x`» or «`sign` in `-5*sign(v)` of force `brake`».
    pub what: String,
    /// Name of the event, force, driver or tyre.
    pub name: String,
    /// Whether it is an event of the user.
    pub event: bool,
    /// Whose expression it is, such as «force `brake`»; the switch itself otherwise.
    pub of: String,
    /// How often it has switched.
    pub times: usize,
    /// From when on.
    pub from: f64,
    /// Until when.
    pub to: f64,
}

impl fmt::Display for Chatter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Chatter { what, times, from, to, .. } = self;
        write!(f, "{what} switched {times} times between {from} and {to} s")
    }
}
