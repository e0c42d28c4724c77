//! What a page can be given: data at once, and messages as things change.

use axum::body::Bytes;
use serde_json::Value;
use std::time::Duration;

/// Time between two looks at what may have changed.
pub const PAUSE: Duration = Duration::from_millis(250);

/// Something to show.
pub trait Source: Send + Sync {
    /// The data of the page as JSON; or a text that says why there are none.
    fn data(&self) -> Result<Bytes, String>;

    /// Does what a page wishes; what is said to it, or why not.
    fn change(&self, _wish: &Value) -> Result<Value, String> {
        Err("these results cannot be changed".into())
    }

    /// One who follows changes from now on, for a page that has so many frames.
    fn follow(&self, frames: u64) -> Box<dyn Follow>;
}

/// Follows changes for one page.
pub trait Follow {
    /// What has happened since the last call.
    fn look(&mut self) -> News;

    /// Waits a moment before the next look.
    fn pause(&mut self) {
        std::thread::sleep(PAUSE);
    }
}

/// What has happened.
pub enum News {
    /// Nothing.
    Nothing,
    /// These messages are to be sent.
    Messages(Vec<Message>),
    /// These, and nothing will come after them.
    Last(Vec<Message>),
}

/// A message of the live view: see `viewer/FORMAT.md`.
pub struct Message {
    /// Its name.
    pub event: &'static str,
    /// JSON on one line; may be empty.
    pub data: String,
}

impl Message {
    /// The page must load everything anew.
    pub fn reload() -> Message {
        Message { event: "reload", data: "null".into() }
    }
}
