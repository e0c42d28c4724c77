//! What happened on the way, one line each.

use serde::{Deserialize, Serialize};

/// A line of `events.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventLine {
    /// When, s.
    pub t: f64,
    /// What, in words.
    pub what: String,
}

/// The events of a text; a torn last line is left out, and so is what cannot be understood.
pub(super) fn parse(text: &[u8]) -> Vec<EventLine> {
    let whole = text.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1);
    text[..whole].split(|&b| b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}
