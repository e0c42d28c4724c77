//! A mechanism where its simulation starts, while its model is written.

use super::source::{Follow, Message, News, Source};
use crate::output::{colour, complain};
use crate::parameters;
use crate::ready::{Ready, prepare};
use kingpin::accel::Solver;
use kingpin::results::Channels;
use kingpin_io::{Diagnostic, Overrides, read_path};
use kingpin_results::report::{Limits, data};
use kingpin_results::store::{Header, scratch};
use kingpin_results::{Error, Reader, Writer};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Every file with the time it was written and its length.
type Stamp = Vec<(PathBuf, Option<(SystemTime, u64)>)>;

/// A model file.
pub struct Assembled {
    path: PathBuf,
    assignments: Vec<String>,
    shown: Arc<Mutex<Shown>>,
}

/// What pages show.
#[derive(Default)]
struct Shown {
    stamp: Stamp,
    data: Option<Result<Vec<u8>, String>>,
}

impl Assembled {
    /// Nothing is read before somebody asks.
    pub fn new(path: &Path, assignments: &[String]) -> Assembled {
        Assembled { path: path.into(), assignments: assignments.into(), shown: Arc::default() }
    }

    /// Reads the model; also the files it was read from.
    fn read(&self) -> (Result<Vec<u8>, String>, Stamp) {
        // what is saved while we read differs from the stamp
        let own = vec![stamp_of(&self.path)];
        let (ready, mut diagnostics) =
            prepare(read_path(&self.path, &Overrides::new(self.assignments.iter().cloned())));
        let mut result = Err(String::new());
        let ready = match ready {
            Ok(mut ready) => {
                if let Err(findings) = ready.move_to_start() {
                    diagnostics.extend(Diagnostic::from_findings(&findings, &ready.sources));
                }
                result = start(&ready).map_err(|error| error.to_string());
                Ok(ready)
            }
            other => other,
        };
        let sources = ready.as_ref().map_or_else(|sources| sources, |ready| &ready.sources);
        complain(&kingpin_io::render(&diagnostics, sources, colour()));
        if ready.is_err() {
            result = Err(kingpin_io::render(&diagnostics, sources, false));
        }
        let mut stamp = own;
        stamp.extend(sources.files().iter().map(|file| stamp_of(Path::new(&file.name))));
        (result, stamp)
    }
}

impl Source for Assembled {
    fn data(&self) -> Result<Vec<u8>, String> {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(data) = &shown.data
            && !changed(&shown.stamp)
        {
            return data.clone();
        }
        let (data, stamp) = self.read();
        *shown = Shown { stamp, data: Some(data.clone()) };
        data
    }

    fn follow(&self, _: u64) -> Box<dyn Follow> {
        let stamp = self.shown.lock().unwrap_or_else(PoisonError::into_inner).stamp.clone();
        Box::new(Follower { seen: now(&stamp), shown: stamp })
    }
}

/// Waits for files to be saved.
struct Follower {
    /// What the page shows.
    shown: Stamp,
    /// What was there when last looked.
    seen: Stamp,
}

impl Follow for Follower {
    fn look(&mut self) -> News {
        let now = now(&self.shown);
        // a file that is being written is left alone until it stays the same
        let calm = now == self.seen;
        self.seen = now;
        if calm && self.seen != self.shown {
            return News::Last(vec![Message::reload()]);
        }
        News::Nothing
    }
}

fn changed(stamp: &Stamp) -> bool {
    now(stamp) != *stamp
}

fn now(stamp: &Stamp) -> Stamp {
    stamp.iter().map(|(path, _)| stamp_of(path)).collect()
}

fn stamp_of(path: &Path) -> (PathBuf, Option<(SystemTime, u64)>) {
    let found = fs::metadata(path).ok();
    (path.into(), found.and_then(|found| Some((found.modified().ok()?, found.len()))))
}

/// The page of a mechanism at its start: results of one frame.
fn start(ready: &Ready) -> Result<Vec<u8>, Error> {
    let channels = Channels::new(ready.system());
    let (system, state) = (ready.system(), &ready.start);
    let mut mechanism = ready.dynamics(Solver::Auto);
    system.set_state(&mut mechanism.work, state);
    if mechanism.accelerate(state.t, &state.q, &state.v).is_err() {
        mechanism.result.acc.fill(f64::NAN);
        mechanism.result.lam.fill(f64::NAN);
    }
    let mut row = vec![state.t; 1 + channels.len()];
    channels.fill(system, &mechanism.work, &mechanism.result, &mut row[1..]);
    let dir = scratch()?;
    let filled = || {
        let header =
            Header { parameters: parameters::recorded(ready), ..Header::new(&ready.model().name, &channels) };
        let mut writer = Writer::create(&dir, &header, "", false)?;
        writer.frame(&row)?;
        drop(writer);
        let reader = Reader::open(&dir)?;
        data(&reader, ready.model(), system, ready.problem(), Limits::default())
    };
    let shown = filled();
    // what is left of a folder for temporary files is for the system to clean up
    let _ = fs::remove_dir_all(&dir);
    let mut shown = shown?;
    (shown.live, shown.solution) = (Some(true), None);
    serde_json::to_vec(&shown).map_err(|error| Error::damaged(&dir, error))
}
