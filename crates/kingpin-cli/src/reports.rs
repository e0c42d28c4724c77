//! What other programs that people talk to, such as the package for Python, share with the command: the same reports and
//! the same words.

pub use crate::ready::{Ready, prepare, prepare_produced};

use crate::check::examine::examine;
use crate::{accel, check, modes, page, parameters, run, statics, topology};
use kingpin::accel::Solver;
use kingpin::dynamics::{Equilibrium, FailureReport, Modes};
use kingpin::model::Finding;
use kingpin::results::Channels;
use kingpin::words::Spelling;
use kingpin_results::report::{Data, Limits, data, embed};
use kingpin_results::store::Header;
use kingpin_results::{Error, Reader};
use std::path::Path;

/// What `kingpin check --json` prints.
pub fn examined(ready: &Ready) -> String {
    let (examination, diagnostics) = examine(ready.model().clone(), &ready.sources);
    check::json::report(examination.as_ref(), &diagnostics, &ready.sources)
}

/// What `kingpin topology --json` prints.
pub fn topology(ready: &Ready) -> String {
    topology::json::report(&topology::survey::Survey::new(ready))
}

/// What `kingpin equilibrium --json` prints.
pub fn equilibrium(ready: &Ready, equilibrium: &Equilibrium) -> String {
    statics::json::report(ready, equilibrium)
}

/// What `kingpin modes --json` prints; `at` says where: `start` or `equilibrium`.
pub fn modes(ready: &Ready, at: &'static str, t: f64, modes: &Modes) -> String {
    modes::json::report(ready, at, t, modes, modes.modes.len())
}

/// What `kingpin accelerations --json` prints.
pub fn accelerations(ready: &Ready, solver: Solver) -> Result<String, Box<Finding>> {
    accel::solve::one(ready, solver).map(|solution| accel::json::report(&solution))
}

/// What `kingpin run` says of a run that failed.
pub fn failure(failure: &FailureReport, ready: &Ready, spelling: Spelling) -> String {
    run::failure::report(failure, ready, spelling, false)
}

/// Time between two frames, if nobody says.
pub fn frame(duration: f64, channels: &Channels) -> Option<f64> {
    run::folder::frame(duration, channels)
}

/// The first lines of a folder of results.
pub fn header(ready: &Ready, channels: &Channels) -> Header {
    Header { parameters: parameters::recorded(ready), ..Header::new(&ready.model().name, channels) }
}

/// The data of the page about a folder of results.
pub fn page_data(ready: &Ready, dir: &Path) -> Result<Data, Error> {
    data(&Reader::open(dir)?, ready.model(), ready.system(), ready.problem(), Limits::default())
}

/// The page with data in it; none if there is no page in this build.
pub fn page(data: &Data) -> Option<String> {
    page::TEMPLATE.map(|template| embed(template, data))
}
