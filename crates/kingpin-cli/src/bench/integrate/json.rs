//! The list of `kingpin bench integrate --json`. Keys are added, never renamed.

use super::{Accuracy, Comparison, Entry};
use crate::check::json::text;
use serde::Serialize;

#[derive(Serialize)]
struct Record<'a> {
    model: &'a str,
    method: &'static str,
    /// Null for methods with a fixed step.
    tol: Option<f64>,
    /// Largest difference from the reference over the positions and orientations of all bodies, or of the
    /// channel asked for; null if there is no reference.
    error: Option<f64>,
    steps: usize,
    accelerations: usize,
    jacobians: usize,
    wall_s: f64,
    h: Option<f64>,
    velocity_error: Option<f64>,
    channel: Option<&'a str>,
    t: Option<f64>,
    velocity_channel: Option<&'a str>,
    velocity_t: Option<f64>,
    mean_error: Option<f64>,
    rejected: usize,
    factorisations: usize,
    newton_iterations: usize,
    repartitions: usize,
    reference: Option<&'static str>,
    reference_tol: Option<f64>,
    /// Errors below this may be those of the reference.
    reference_error: Option<f64>,
}

/// The list as text.
pub fn report(comparison: &Comparison) -> String {
    let records = comparison.entries.iter().filter_map(|entry| record(comparison, entry));
    text(&records.collect::<Vec<_>>())
}

fn record<'a>(comparison: &'a Comparison, entry: &'a Entry) -> Option<Record<'a>> {
    let (outing, errors) = entry.result.as_ref().ok()?;
    let errors = errors.as_ref();
    // a single channel has no velocities beside it
    let fast = errors.map(|e| &e.velocity).filter(|worst| !worst.channel.is_empty());
    let statistics = &outing.run.statistics;
    let reference = comparison.reference.as_ref().ok();
    let (tol, h) = match entry.accuracy {
        Accuracy::Tolerance(tol) => (Some(tol), None),
        Accuracy::Step(h) => (None, Some(h)),
    };
    Some(Record {
        model: &comparison.ready.model().name,
        method: entry.method.name(),
        tol,
        error: errors.map(|e| e.position.error),
        steps: statistics.steps,
        accelerations: outing.run.accelerations,
        jacobians: statistics.jacobians,
        wall_s: outing.wall,
        h,
        velocity_error: fast.map(|worst| worst.error),
        channel: errors.map(|e| e.position.channel.as_str()),
        t: errors.map(|e| e.position.t),
        velocity_channel: fast.map(|worst| worst.channel.as_str()),
        velocity_t: fast.map(|worst| worst.t),
        mean_error: errors.map(|e| e.mean),
        rejected: statistics.rejected,
        factorisations: statistics.factorisations,
        newton_iterations: statistics.newton_iterations,
        repartitions: outing.run.repartitions,
        reference: reference.map(|r| r.method.name()),
        reference_tol: reference.map(|r| r.tol),
        reference_error: reference.and_then(|r| r.doubt.as_ref()).map(|doubt| doubt.position.error),
    })
}
