//! The report of `kingpin modes --json`. Keys are added, never renamed.

use super::text::{free_motion, maker};
use crate::check::json::text;
use crate::domains::DomainReport;
use crate::ready::Ready;
use kingpin::dynamics::{Mode, Modes, Share};
use serde::Serialize;

/// Shares listed.
const LISTED: usize = 5;

#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    at: &'static str,
    t: f64,
    dof: usize,
    acceleration: f64,
    moving: bool,
    axes: AxesSeen<'a>,
    left_out: &'a [String],
    zero_eigenvalues: usize,
    free: Vec<String>,
    fastest_force: Option<&'a str>,
    matrices: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    domains: Option<DomainReport>,
    all: bool,
    modes: Vec<One<'a>>,
}

/// The axes in which small motions are seen.
#[derive(Serialize)]
struct AxesSeen<'a> {
    turn_with: Option<&'a str>,
    rate: [f64; 3],
}

#[derive(Serialize)]
struct One<'a> {
    real: f64,
    imaginary: f64,
    frequency: f64,
    damping_ratio: f64,
    time_constant: Option<f64>,
    residual: f64,
    bodies: Vec<Part<'a>>,
    coordinates: Vec<Part<'a>>,
    forces: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    name: &'a str,
    share: f64,
}

/// The report as text.
pub fn report(ready: &Ready, at: &'static str, t: f64, modes: &Modes, shown: usize) -> String {
    text(&Report {
        model: &ready.model().name,
        at,
        t,
        dof: modes.dof,
        acceleration: modes.acceleration,
        moving: modes.moving,
        left_out: &modes.left_out,
        axes: AxesSeen { turn_with: modes.axes.body.as_deref(), rate: modes.axes.rate },
        zero_eigenvalues: modes.zeros,
        free: modes.free.iter().map(free_motion).collect(),
        fastest_force: modes
            .modes
            .first()
            .filter(|_| modes.all)
            .and_then(maker)
            .map(|share| share.name.as_str()),
        matrices: if modes.sparse { "sparse" } else { "dense" },
        domains: DomainReport::of(ready.system().subdivision.as_ref()),
        all: modes.all,
        modes: modes.modes.iter().take(shown).map(one).collect(),
    })
}

fn one(mode: &Mode) -> One<'_> {
    One {
        real: mode.real,
        imaginary: mode.imaginary,
        frequency: mode.frequency(),
        damping_ratio: mode.damping_ratio(),
        time_constant: mode.time_constant(),
        residual: mode.residual,
        bodies: parts(&mode.bodies),
        coordinates: parts(&mode.coordinates),
        forces: parts(&mode.forces),
    }
}

fn parts(shares: &[Share]) -> Vec<Part<'_>> {
    shares.iter().take(LISTED).map(|s| Part { name: &s.name, share: s.share }).collect()
}
