//! A mechanism where its simulation starts.

use crate::parameters;
use crate::ready::Ready;
use kingpin::accel::Solver;
use kingpin::results::Channels;
use kingpin_results::report::{Data, Limits, data};
use kingpin_results::store::{Header, scratch};
use kingpin_results::{Error, Reader, Writer};
use std::fs;

/// The page of a mechanism at its start: results of one frame.
pub fn start(ready: &Ready) -> Result<Data, Error> {
    let channels = Channels::new(ready.system());
    let (system, state) = (ready.system(), &ready.start);
    let mechanism = ready.dynamics_at(state, Solver::Auto);
    let mut row = vec![state.t; 1 + channels.len()];
    channels.fill(mechanism.system, &mechanism.work, &mechanism.result, &mut row[1..]);
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
    Ok(shown)
}
