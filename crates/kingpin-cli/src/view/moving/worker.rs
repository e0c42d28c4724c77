//! The one who computes: reads the model, runs it, and puts the picture on the desk. What is wished for meanwhile comes
//! next, and a run that takes long gives way to it.

use super::super::stamp::{Stamp, now, stamp_of};
use super::super::start::start as at_start;
use super::control::controls;
use super::{Desk, Task};
use crate::naming::option;
use crate::output::report;
use crate::ready::{Ready, prepare};
use crate::run::frames::Picked;
use crate::run::progress::{Place, Progress};
use crate::run::{failure, folder, journey};
use kingpin::dynamics::Settings;
use kingpin::results::Channels;
use kingpin_io::{Diagnostic, Draft, Overrides};
use kingpin_results::report::data::Control;
use kingpin_results::report::{Data, Limits, data};
use kingpin_results::store::scratch;
use kingpin_results::{Error, ErrorKind, Reader};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A run that has taken so long gives way to another wish; shorter ones are shown first, so that a hand that does not
/// rest sees something.
const SHORT: Duration = Duration::from_millis(300);

/// Computes on a thread of its own until the process ends.
pub fn start(desk: Arc<Desk>, task: Task) {
    let work = move || {
        let mut worker = Worker { desk, task, draft: None, stamp: Vec::new() };
        let mut done = 0;
        loop {
            done = worker.next(done);
            worker.compute();
        }
    };
    // without a thread nothing can be computed, and pages wait
    let started = std::thread::Builder::new().stack_size(8 << 20).spawn(work);
    drop(started);
}

struct Worker {
    desk: Arc<Desk>,
    task: Task,
    draft: Option<Draft>,
    /// The files as they were read.
    stamp: Stamp,
}

impl Worker {
    /// Waits until something is wished for or saved; the number of the wish.
    fn next(&mut self, done: u64) -> u64 {
        let mut seen = self.stamp.clone();
        loop {
            let wished = self.desk.board().wished;
            if wished != done {
                // the file may have been saved by the same wish
                if now(&self.stamp) != self.stamp {
                    self.draft = None;
                }
                return wished;
            }
            let there = now(&self.stamp);
            // a file that is being written is left alone until it stays the same
            if there != self.stamp && there == seen {
                self.draft = None;
                return wished;
            }
            seen = there;
            self.desk.wait(|board| board.wished != done);
        }
    }

    fn compute(&mut self) {
        let result = self.picture();
        let (data, trouble) = match result {
            Ok((data, trouble)) => (Some(data), trouble.or_else(|| self.task.notice.clone())),
            // another wish has come
            Err(None) => return self.desk.write(|board| board.progress = None),
            Err(Some(trouble)) => (None, Some(trouble)),
        };
        self.desk.write(|board| {
            (board.progress, board.stop) = (None, false);
            if board.trouble != trouble {
                (board.trouble, board.troubled) = (trouble, board.troubled + 1);
            }
            if let Some(data) = data {
                (board.data, board.shown) = (Some(data.into()), board.shown + 1);
            }
        });
    }

    /// Reads and runs. Without a picture: what is wrong, or nothing if something else was wished for meanwhile.
    fn picture(&mut self) -> Result<(Vec<u8>, Option<String>), Option<String>> {
        let values = self.desk.board().values.clone();
        let wished = self.desk.board().wished;
        if self.draft.is_none() {
            self.stamp = vec![stamp_of(&self.task.path)];
            self.draft = Some(Draft::of_path(&self.task.path).map_err(|loaded| Some(loaded.render(false)))?);
        }
        let Some(draft) = &self.draft else { return Err(None) };
        let (controls, places) = controls(draft, &self.task.assignments, &values);
        let mut overrides = Overrides::new(self.task.assignments.iter().cloned());
        for place in &places {
            if let Some(value) = values.get(&place.name) {
                overrides = overrides.set(&place.name, value);
            }
        }
        self.desk.write(|board| {
            // parameters that the file no longer has are forgotten
            board.values.retain(|name, _| places.iter().any(|place| place.name == *name));
            board.places = places;
        });
        let (ready, mut diagnostics) = prepare(draft.load(&overrides));
        let sources = ready.as_ref().map_or_else(|sources| sources, |ready| &ready.sources);
        let files = sources.files().iter().filter(|file| file.name != crate::input::ASSIGNMENT);
        let stamp = files.map(|file| stamp_of(Path::new(&file.name)));
        let before = std::mem::take(&mut self.stamp);
        // what is saved while we read differs from the stamp of the file itself
        self.stamp =
            before.into_iter().take(1).chain(stamp.filter(|(path, _)| *path != self.task.path)).collect();
        let mut ready = ready.map_err(|sources| Some(kingpin_io::render(&diagnostics, &sources, false)))?;
        if let Err(findings) = ready.move_to_start() {
            diagnostics.extend(Diagnostic::from_findings(&findings, &ready.sources));
            self.show_start(&ready, &controls);
            return Err(Some(kingpin_io::render(&diagnostics, &ready.sources, false)));
        }
        report(&diagnostics, &ready.sources);
        if self.desk.board().data.is_none() {
            self.show_start(&ready, &controls);
        }
        let run = self.run(&ready, wished)?;
        let mut shown = run.0;
        shown.controls = Some(controls);
        shown.live = Some(true);
        let data = serde_json::to_vec(&shown).map_err(|error| Some(error.to_string()))?;
        Ok((data, run.1))
    }

    /// A first picture, before the first run is over.
    fn show_start(&self, ready: &Ready, controls: &[Control]) {
        let Ok(mut shown) = at_start(ready) else { return };
        shown.controls = Some(controls.to_vec());
        let Ok(data) = serde_json::to_vec(&shown) else { return };
        self.desk.write(|board| (board.data, board.shown) = (Some(data.into()), board.shown + 1));
    }

    /// The motion, and why it failed if it did.
    fn run(&self, ready: &Ready, wished: u64) -> Result<(Data, Option<String>), Option<String>> {
        let said = |error: Error| Some(error.to_string());
        let dir = scratch().map_err(said)?;
        let made = self.run_into(&dir, ready, wished);
        // what is left of a folder for temporary files is for the system to clean up
        let _ = fs::remove_dir_all(&dir);
        let (data, trouble) = made.map_err(said)?;
        data.map(|data| (data, trouble)).ok_or(None)
    }

    fn run_into(
        &self,
        dir: &Path,
        ready: &Ready,
        wished: u64,
    ) -> Result<(Option<Data>, Option<String>), Error> {
        let channels = Channels::wanted(ready.system(), &[]);
        let mut settings = match &self.task.settings {
            Some(given) => {
                given.settings(ready.model()).map_err(|why| Error::new(ErrorKind::Unfit, dir, why, ""))?
            }
            None => Settings { frame: ready.model().simulation.frame, ..ready.settings() },
        };
        let duration = settings.t_end - ready.start.t;
        settings.frame = settings.frame.or_else(|| folder::frame(duration, &channels));
        let place = folder::begin(dir, ready, &channels, &settings, false)?;
        let desk = self.desk.clone();
        let progress = Progress::told(move |place: &Place| {
            desk.write(|board| {
                // news for pages only where it takes a while
                if place.elapsed > SHORT {
                    board.progress = Some((place.t, place.t_end));
                }
                board.stop || (board.wished != wished && place.elapsed > SHORT)
            })
        });
        let picked = Picked::default();
        let journey = journey::travel(ready, settings, channels, picked, progress, (Some(place), None))?;
        let stopped = self.desk.board().stop;
        if journey.interrupted() && !stopped {
            return Ok((None, None));
        }
        let trouble = journey.failure.as_ref().map(|failure| failure::report(failure, ready, option, false));
        let trouble = trouble.or_else(|| stopped.then(|| "The run was stopped before its end.".to_string()));
        let reader = Reader::open(dir)?;
        let shown = data(&reader, ready.model(), ready.system(), ready.problem(), Limits::default())?;
        Ok((Some(shown), trouble))
    }
}
