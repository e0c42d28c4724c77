//! The page that shows modes moving.

use crate::page::TEMPLATE;
use crate::parameters;
use crate::ready::Ready;
use kingpin::accel::Solver;
use kingpin::analysis::length_scale;
use kingpin::dynamics::Mode;
use kingpin::results::Channels;
use kingpin::system::{State, System};
use kingpin_results::format::Output;
use kingpin_results::report::{data::Data, embed, modes};
use kingpin_results::store::{Header, scratch};
use kingpin_results::{Error, Reader, Writer};
use std::f64::consts::TAU;
use std::fs;
use std::path::Path;

/// Frames of a period, both ends included.
const FRAMES: usize = 25;
/// Modes to choose from.
pub const MOST: usize = 60;
/// Numbers that all frames of all modes may have.
const NUMBERS: usize = 3_000_000;
/// Amplitudes that are seen well: a part of the size of the mechanism, and a turn in rad.
const SEEN: [f64; 2] = [0.1, 0.3];

/// Writes the page with the slowest of some modes; how many there are.
pub fn write(path: &Path, ready: &Ready, state: &State, found: &[Mode]) -> Result<usize, Error> {
    let Some(template) = TEMPLATE else { return Ok(0) };
    let mut slowest = found.to_vec();
    slowest.sort_by(|a, b| a.magnitude().total_cmp(&b.magnitude()));
    slowest.truncate(MOST.min(NUMBERS / (FRAMES * (1 + state.q.len()))).max(1));
    let dir = scratch()?;
    let shown = shown(&dir, ready, state, &slowest);
    // what is left of a folder for temporary files is for the system to clean up
    let _ = fs::remove_dir_all(&dir);
    let mut out = Output::file(path)?;
    out.text(&embed(template, &shown?))?;
    out.finish()?;
    Ok(slowest.len())
}

/// The data, by way of results in a folder.
fn shown(dir: &Path, ready: &Ready, state: &State, slowest: &[Mode]) -> Result<Data, Error> {
    let system = ready.system();
    let channels = Channels::new(system);
    let header =
        Header { parameters: parameters::recorded(ready), ..Header::new(&ready.model().name, &channels) };
    let mut writer = Writer::create(dir, &header, "", false)?;
    let mut mechanism = ready.dynamics(Solver::Auto);
    // poses are all that is shown
    mechanism.result.acc.fill(f64::NAN);
    mechanism.result.lam.fill(f64::NAN);
    let mut row = vec![0.0; 1 + channels.len()];
    for mode in slowest {
        let size = swing(system, state, mode);
        let rate = if mode.imaginary > 0.0 { mode.imaginary } else { mode.magnitude() };
        for k in 0..FRAMES {
            let part = TAU * k as f64 / (FRAMES - 1) as f64;
            let moved = mode.moved(system, state, size, part);
            system.set_state(&mut mechanism.work, &moved);
            channels.fill(system, &mechanism.work, &mechanism.result, &mut row[1..]);
            row[0] = part / rate;
            writer.frame(&row)?;
        }
    }
    drop(writer);
    let reader = Reader::open(dir)?;
    modes(&reader, ready.model(), system, ready.problem(), slowest, FRAMES)
}

/// What to multiply a mode by, so that it is seen well.
fn swing(system: &System, state: &State, mode: &Mode) -> f64 {
    let mut spread = 0.0;
    for axis in 0..system.dimensions() {
        let each = system.nodes.split_q(&state.q).filter_map(|(place, _)| place.get(axis).copied());
        let (low, high) = each.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
        spread += (high - low) * (high - low);
    }
    let length = f64::sqrt(spread).max(2.0 * length_scale(system));
    let [way, turn] = mode.largest(system);
    let least = f64::MIN_POSITIVE;
    (SEEN[0] * length / way.max(least)).min(SEEN[1] / turn.max(least))
}
