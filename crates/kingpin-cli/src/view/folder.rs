//! A folder of results, finished or under way.

use super::source::{Follow, Message, News, Source};
use crate::ready::{Ready, prepare};
use axum::body::Bytes;
use kingpin_io::{Overrides, read_text};
use kingpin_results::report::{Data, Limits, Live, data, live_solution, other_run};
use kingpin_results::store::{files, labels};
use kingpin_results::{Error, Reader};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Without an end and without growth for so long, a run has been interrupted.
const INTERRUPTED: Duration = Duration::from_secs(60);
/// Time between two messages about the solution.
const HISTORY: Duration = Duration::from_secs(2);
/// Steps of the solution shown while it goes on.
const STEPS: usize = 4_000;
/// Frames in one message.
const FRAMES: u64 = 500;

/// A folder of results.
pub struct Folder {
    dir: PathBuf,
    /// Folders to compare with.
    others: Vec<PathBuf>,
    /// The text of the model and what it means.
    model: Mutex<Option<(String, Arc<Ready>)>>,
}

impl Folder {
    /// Looks whether there is something to show.
    pub fn open(dir: &Path, others: &[PathBuf]) -> Result<Folder, Error> {
        let folder = Folder { dir: dir.into(), others: others.to_vec(), model: Mutex::new(None) };
        let reader = Reader::open(dir)?;
        reader.verify()?;
        folder.ready(&reader)?;
        for other in others {
            Reader::open(other)?.verify()?;
        }
        Ok(folder)
    }

    /// The model of the results, read again if it was written anew.
    fn ready(&self, reader: &Reader) -> Result<Arc<Ready>, Error> {
        let text = reader.model_text()?;
        let mut known = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((same, ready)) = known.as_ref()
            && *same == text
        {
            return Ok(ready.clone());
        }
        let (ready, diagnostics) = prepare(read_text("model.toml", &text, ".", &Overrides::none()));
        let ready = ready.map_err(|sources| {
            let told = kingpin_io::render(&diagnostics, &sources, false);
            Error::damaged(&self.dir, format!("its model has errors\n\n{}", told.trim_end()))
        })?;
        let ready = Arc::new(ready);
        *known = Some((text, ready.clone()));
        Ok(ready)
    }

    fn shown(&self) -> Result<Data, Error> {
        let reader = Reader::open(&self.dir)?;
        let ready = self.ready(&reader)?;
        let (model, system, problem) = (ready.model(), ready.system(), ready.problem());
        let mut shown = if under_way(&reader) {
            Live::new(&reader, live_limits()).data(&reader, model, system, problem)?
        } else {
            data(&reader, model, system, problem, Limits::default())?
        };
        let names =
            labels(std::iter::once(self.dir.as_path()).chain(self.others.iter().map(PathBuf::as_path)));
        for (dir, name) in self.others.iter().zip(names.into_iter().skip(1)) {
            shown.runs.push(other_run(&Reader::open(dir)?, name, Limits::default())?);
        }
        Ok(shown)
    }
}

/// Steps are sent again and again while a run goes on.
fn live_limits() -> Limits {
    Limits { steps: STEPS, ..Limits::default() }
}

/// Whether a run may add to its results.
fn under_way(reader: &Reader) -> bool {
    let written = |path: PathBuf| fs::metadata(path).and_then(|found| found.modified()).ok();
    let last = files(reader.dir()).into_iter().filter_map(written).max();
    let recent = |at: SystemTime| at.elapsed().is_ok_and(|past| past < INTERRUPTED);
    reader.summary().is_none() && last.is_none_or(recent)
}

impl Source for Folder {
    fn data(&self) -> Result<Bytes, String> {
        let shown = self.shown().map_err(|error| error.to_string())?;
        serde_json::to_vec(&shown).map(Bytes::from).map_err(|error| error.to_string())
    }

    fn follow(&self, frames: u64) -> Box<dyn Follow> {
        let live = Reader::open(&self.dir).and_then(|reader| Live::from(&reader, live_limits(), frames));
        Box::new(Follower { dir: self.dir.clone(), live: live.ok().flatten(), told: None, steps: 0 })
    }
}

/// Follows a run for one page.
struct Follower {
    dir: PathBuf,
    /// None if the page must begin anew.
    live: Option<Live>,
    /// When the history was told, and how many steps it had.
    told: Option<Instant>,
    steps: u64,
}

impl Follower {
    fn messages(&mut self) -> Result<News, Error> {
        let reader = Reader::open(&self.dir)?;
        let over = reader.summary().is_some();
        let mut messages = Vec::new();
        loop {
            let next = match &mut self.live {
                Some(live) => live.frames(&reader, FRAMES)?,
                None => None,
            };
            let Some(frames) = next else { return Ok(News::Last(vec![Message::reload()])) };
            if frames.count == 0 {
                break;
            }
            messages.push(Message { event: "frames", data: json(&frames) });
        }
        let due = self.told.is_none_or(|at| at.elapsed() >= HISTORY) && reader.steps() != self.steps;
        if due || over {
            let limits = if over { Limits::default() } else { live_limits() };
            messages.push(Message { event: "solution", data: json(&live_solution(&reader, limits)?) });
            (self.told, self.steps) = (Some(Instant::now()), reader.steps());
        }
        if over {
            messages.push(Message { event: "end", data: "null".into() });
            return Ok(News::Last(messages));
        }
        Ok(if messages.is_empty() { News::Nothing } else { News::Messages(messages) })
    }
}

impl Follow for Follower {
    fn look(&mut self) -> News {
        // results that are being replaced cannot be read for a moment
        self.messages().unwrap_or(News::Nothing)
    }
}

fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
