//! The data of the report page, and the page.
//!
//! `viewer/FORMAT.md` describes the format in words; [`mod@data`] mirrors it.

mod beams;
mod charts;
mod choice;
mod column;
pub mod data;
mod embed;
mod frames;
mod live;
mod mechanism;
mod meshes;
mod modes;
mod road;
mod runs;
mod size;
mod solution;
mod tables;
mod topology;

pub use data::Data;
pub use embed::embed;
pub use live::{Live, live_solution};
pub use modes::modes;
pub use runs::other_run;

use crate::error::Error;
use crate::scene::Attachments;
use crate::store::{Of, Reader};
use choice::Chosen;
use kingpin::accel::Problem;
use kingpin::model::Model;
use kingpin::system::System;

/// Bytes of JSON that frames may take.
const FRAMES_LIMIT: usize = 16_000_000;
/// Bytes of JSON in all; the page itself takes less than 1 MB.
const BYTES_LIMIT: usize = 18_500_000;
/// Steps shown at most.
const STEPS_LIMIT: usize = 40_000;

/// How much a report may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of JSON that frames may take; more are thinned. Of large mechanisms, channels are left out first.
    pub frames: usize,
    /// Bytes of JSON in all: frames take what the rest leaves.
    pub bytes: usize,
    /// Steps shown.
    pub steps: usize,
}

impl Default for Limits {
    /// Data that load in a second or two: less than 20 MB in all.
    fn default() -> Self {
        Limits { frames: FRAMES_LIMIT, bytes: BYTES_LIMIT, steps: STEPS_LIMIT }
    }
}

/// Everything a report shows of results. What was found out about the structure of the acceleration `problem` is shown.
pub fn data(
    reader: &Reader,
    model: &Model,
    system: &System,
    problem: &Problem,
    limits: Limits,
) -> Result<Data, Error> {
    let chosen = Chosen::new(reader, limits.frames);
    let mut data = still(reader, model, system, problem, limits, &chosen)?;
    let room = limits.bytes.saturating_sub(size::of(&data)).min(limits.frames);
    data.frames = frames::frames(reader, &chosen, room)?;
    Ok(data)
}

/// Everything but frames.
fn still(
    reader: &Reader,
    model: &Model,
    system: &System,
    problem: &Problem,
    limits: Limits,
    chosen: &Chosen,
) -> Result<Data, Error> {
    let attachments = Attachments::new(model);
    let mut mechanism = mechanism::model(reader, model, system, &attachments)?;
    chosen.renumber(&mut mechanism, reader.header().channels.len());
    let tables = tables::tables(&mechanism, model, system, &problem.redundant());
    Ok(Data {
        format: data::FORMAT,
        version: data::VERSION,
        generator: Some(reader.header().generator.clone()),
        live: None,
        frames: data::Frames::default(),
        modes: Vec::new(),
        runs: Vec::new(),
        channels: channels(reader, chosen),
        charts: Some(charts::charts(reader)?),
        tables: Some(tables),
        topology: Some(topology::topology(system, problem)),
        solution: Some(solution::solution(reader, limits.steps)?),
        controls: None,
        model: mechanism,
    })
}

fn channels(reader: &Reader, chosen: &Chosen) -> Vec<data::Channel> {
    let channel = |info: &crate::store::ChannelInfo| data::Channel {
        name: info.name.clone(),
        unit: info.unit.clone(),
        group: info.group.heading().into(),
        of: match info.of {
            Some(Of::Body(k)) => Some(("body", k)),
            Some(Of::Joint(k)) => Some(("joint", k)),
            Some(Of::Driver(k)) => Some(("driver", k)),
            Some(Of::Force(k)) => Some(("force", k)),
            Some(Of::Measure(_)) | None => None,
        },
    };
    chosen.places.iter().map(|&place| channel(&reader.header().channels[place])).collect()
}
