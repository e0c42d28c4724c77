//! A model that moves while it is written: changes of its file and of its parameters run it anew, in the background.

mod control;
mod keep;
mod worker;

use super::source::{Follow, Message, News, PAUSE, Source};
use crate::sweep::again::RunSettings;
use axum::body::Bytes;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Characters of a chosen value at most.
const VALUE: usize = 1_000;

/// A model file that is run whenever something about it changes.
pub struct Moving {
    desk: Arc<Desk>,
    /// The model file, and values of parameters that the command gives: what a new value must fit.
    path: PathBuf,
    assignments: Vec<String>,
}

/// What is to be run.
pub(super) struct Task {
    path: PathBuf,
    /// Values of parameters that the command gives.
    assignments: Vec<String>,
    /// Settings in place of those of the model.
    settings: Option<RunSettings>,
    /// What is to be said beside every picture.
    notice: Option<String>,
}

/// What pages and the one who computes share.
pub(super) struct Desk {
    board: Mutex<Board>,
    /// Something on the board is new.
    changed: Condvar,
}

/// What is wanted, and what there is.
#[derive(Default)]
pub(super) struct Board {
    /// Values of parameters that pages have chosen.
    pub values: BTreeMap<String, String>,
    /// Counts what was wished for.
    pub wished: u64,
    /// The run under way is to end where it is.
    pub stop: bool,
    /// The last good picture, and which one it is.
    pub data: Option<Bytes>,
    pub shown: u64,
    /// What is wrong at the moment, and how often that has changed.
    pub trouble: Option<String>,
    pub troubled: u64,
    /// How far the run under way is: time reached, and its end.
    pub progress: Option<(f64, f64)>,
    /// Where parameters stand in files.
    pub places: Vec<control::Place>,
}

impl Desk {
    pub(super) fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the board and tells everybody.
    pub(super) fn write<T>(&self, change: impl FnOnce(&mut Board) -> T) -> T {
        let done = change(&mut self.board());
        self.changed.notify_all();
        done
    }

    /// Waits a moment, or until the board has changed.
    pub(super) fn wait(&self, until: impl Fn(&Board) -> bool) {
        let waited = self.changed.wait_timeout_while(self.board(), PAUSE, |board| !until(board));
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

impl Moving {
    /// Begins to compute.
    pub fn new(path: &Path, assignments: &[String]) -> Moving {
        Moving::start(Task {
            path: path.into(),
            assignments: assignments.into(),
            settings: None,
            notice: None,
        })
    }

    /// The same with settings of a study; a notice stands beside the picture.
    pub fn again(
        path: &Path,
        assignments: &[String],
        settings: RunSettings,
        notice: Option<String>,
    ) -> Moving {
        let (path, assignments) = (path.into(), assignments.into());
        Moving::start(Task { path, assignments, settings: Some(settings), notice })
    }

    fn start(task: Task) -> Moving {
        let desk = Arc::new(Desk { board: Mutex::default(), changed: Condvar::new() });
        desk.board().wished = 1;
        let (path, assignments) = (task.path.clone(), task.assignments.clone());
        worker::start(desk.clone(), task);
        Moving { desk, path, assignments }
    }
}

impl Source for Moving {
    /// The last good picture; before the first, what is wrong.
    fn data(&self) -> Result<Bytes, String> {
        loop {
            let board = self.desk.board();
            if let Some(data) = &board.data {
                return Ok(data.clone());
            }
            if let Some(trouble) = &board.trouble {
                return Err(trouble.clone());
            }
            drop(board);
            self.desk.wait(|board| board.data.is_some() || board.trouble.is_some());
        }
    }

    fn change(&self, wish: &Value) -> Result<Value, String> {
        if let Some(values) = wish.get("set").and_then(Value::as_object) {
            let mut chosen = BTreeMap::new();
            for (name, value) in values {
                let text = value.as_str().ok_or_else(|| format!("the value of `{name}` is not a string"))?;
                // what is chosen may be written into a file
                if text.chars().any(|c| c.is_control() || matches!(c, '"' | '\'' | '\\')) {
                    return Err(format!(
                        "the value of `{name}` cannot contain quotes, backslashes or line breaks"
                    ));
                }
                if text.len() > VALUE {
                    return Err(format!("the value of `{name}` is longer than {VALUE} characters"));
                }
                chosen.insert(name.clone(), text.to_string());
            }
            return self.desk.write(|board| {
                // only what a slider or a field stands for can be chosen, so there are never more values than parameters
                let known = |name: &String| board.places.iter().any(|place| place.name == *name);
                if let Some(name) = chosen.keys().find(|name| !known(name)) {
                    return Err(format!("there is no parameter `{}` to change", name.escape_debug()));
                }
                board.values.extend(chosen);
                board.wished += 1;
                Ok(Value::Null)
            });
        }
        if let Some(name) = wish.get("back").and_then(Value::as_str) {
            self.desk.write(|board| {
                board.values.remove(name);
                board.wished += 1;
            });
            return Ok(Value::Null);
        }
        if wish.get("stop").is_some() {
            self.desk.write(|board| board.stop = board.progress.is_some());
            return Ok(Value::Null);
        }
        if let Some(name) = wish.get("keep").and_then(Value::as_str) {
            let (place, value) = {
                let board = self.desk.board();
                let place = board.places.iter().find(|place| place.name == name).cloned();
                (place, board.values.get(name).cloned())
            };
            let place = place.ok_or_else(|| format!("there is no parameter `{name}` to write"))?;
            let value = value.ok_or_else(|| format!("`{name}` is unchanged"))?;
            keep::check(&self.path, &self.assignments, name, &value)?;
            keep::write(&place, &value)?;
            self.desk.write(|board| {
                board.values.remove(name);
                board.wished += 1;
            });
            return Ok(json!({ "file": place.file, "value": value }));
        }
        Err("unknown request".into())
    }

    fn follow(&self, _: u64) -> Box<dyn Follow> {
        // the page says what it has when it asks for data; until then everything is news
        Box::new(Follower { desk: self.desk.clone(), shown: 0, troubled: 0, progress: None })
    }
}

/// Tells one page.
struct Follower {
    desk: Arc<Desk>,
    shown: u64,
    troubled: u64,
    progress: Option<(f64, f64)>,
}

impl Follow for Follower {
    fn look(&mut self) -> News {
        let board = self.desk.board();
        let mut messages = Vec::new();
        if board.progress != self.progress {
            self.progress = board.progress;
            let data = board.progress.map_or(Value::Null, |(t, t_end)| json!({ "t": t, "t_end": t_end }));
            messages.push(Message { event: "progress", data: data.to_string() });
        }
        if board.troubled != self.troubled {
            self.troubled = board.troubled;
            let data = board.trouble.as_ref().map_or(Value::Null, |text| json!(text));
            messages.push(Message { event: "trouble", data: data.to_string() });
        }
        if board.shown != self.shown {
            self.shown = board.shown;
            messages.push(Message { event: "update", data: board.shown.to_string() });
        }
        if messages.is_empty() { News::Nothing } else { News::Messages(messages) }
    }

    fn pause(&mut self) {
        let seen = (self.shown, self.troubled);
        self.desk.wait(|board| (board.shown, board.troubled) != seen);
    }
}
