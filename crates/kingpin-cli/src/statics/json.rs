//! The report of `kingpin equilibrium --json`. Keys are added, never renamed.

use super::text::figures;
use crate::check::json::text;
use crate::domains::DomainReport;
use crate::figures::Figures;
use crate::ready::Ready;
use kingpin::dynamics::Equilibrium;
use kingpin::results::Channels;
use serde::Serialize;

#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    t: f64,
    iterations: usize,
    residual_acceleration: f64,
    stable: bool,
    unstable: Vec<Unstable<'a>>,
    unstable_directions: usize,
    free_directions: usize,
    matrices: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    domains: Option<DomainReport>,
    #[serde(rename = "final")]
    at_rest: Figures<'a>,
}

#[derive(Serialize)]
struct Unstable<'a> {
    rate: f64,
    body: &'a str,
}

/// The report as text.
pub fn report(ready: &Ready, equilibrium: &Equilibrium) -> String {
    let channels = Channels::new(ready.system());
    text(&Report {
        model: &ready.model().name,
        t: equilibrium.state.t,
        iterations: equilibrium.iterations,
        residual_acceleration: equilibrium.residual,
        stable: equilibrium.unstable.is_empty(),
        unstable: equilibrium.unstable.iter().map(|u| Unstable { rate: u.rate, body: &u.body }).collect(),
        unstable_directions: equilibrium.unstable_directions,
        free_directions: equilibrium.free,
        matrices: if equilibrium.sparse { "sparse" } else { "dense" },
        domains: DomainReport::of(ready.system().subdivision.as_ref()),
        at_rest: figures(ready, equilibrium, &channels),
    })
}
