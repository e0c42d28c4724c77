//! Events: what a user wants to happen where a function crosses zero.

use super::function::Function;
use crate::described;

described! {
    /// An event: it happens where a function of time and measures crosses zero. A `switch` gives functions a
    /// variable under its own name: 0 until the event has happened, 1 from then on. With `direction = "any"`
    /// the variable is 1 while the function is positive and 0 while it is negative. Crossings against
    /// the direction do nothing.
    pub struct Event {
        /// Its name.
        name: String [Kind::Name];
        /// The function whose zero it is, of time `t` and measures.
        when: Function [Kind::Function { unit: "*", variables: &[("t", "s")], measures: true }];
        /// Which crossings count: `rising` from negative to positive, `falling` the other way.
        direction: String [Kind::Choice(&["any", "rising", "falling"])] = "any".to_string();
        /// Ends the simulation, is only noted in the results, or switches its variable.
        action: String [Kind::Choice(&["stop", "note", "switch"])] = "stop".to_string();
    }
}

/// Which crossings of zero count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventDirection {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Both.
    Any,
}

/// What an event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventAction {
    /// Ends the simulation.
    Stop,
    /// Is noted and nothing else.
    Note,
    /// Switches a variable.
    Switch,
}

impl Event {
    /// The crossings that count; words that mean nothing count as `any` (they are complained about elsewhere).
    pub fn direction(&self) -> EventDirection {
        match self.direction.as_str() {
            "rising" => EventDirection::Rising,
            "falling" => EventDirection::Falling,
            _ => EventDirection::Any,
        }
    }

    /// What it does.
    pub fn action(&self) -> EventAction {
        match self.action.as_str() {
            "note" => EventAction::Note,
            "switch" => EventAction::Switch,
            _ => EventAction::Stop,
        }
    }
}
