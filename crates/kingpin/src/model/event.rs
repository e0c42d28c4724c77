//! Events: what a user wants to happen where a function crosses zero.

use super::function::Function;
use crate::described;

described! {
    /// An event occurs when a function of time and measures crosses zero. A `switch` defines a variable of its own
    /// name, which functions can read: 0 before the event, 1 after it. With `direction = "any"` the variable is 1
    /// while the function is positive and 0 while it is negative. Crossings in the opposite direction have no effect.
    pub struct Event {
        /// Its name.
        name: String [Kind::Name];
        /// Function of time `t` and measures whose zero crossing is the event.
        when: Function [Kind::Function { unit: "*", variables: &[("t", "s")], measures: true }];
        /// Direction of the crossing: `rising` from negative to positive, `falling` from positive to negative.
        direction: String [Kind::Choice(&["any", "rising", "falling"])] = "any".to_string();
        /// Effect: `stop` ends the simulation, `note` records the event in the results, `switch` changes its
        /// variable.
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
