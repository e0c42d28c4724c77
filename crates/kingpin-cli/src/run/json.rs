//! The report of `kingpin run --json`. Keys are added, never renamed.

use super::failure_json::{self, Failure};
use super::journey::Journey;
use crate::check::json::text;
use crate::domains::DomainReport;
use kingpin::dynamics::{End, Stabilisation};
use kingpin_results::store::Warning;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    method: &'static str,
    t_end: f64,
    /// Time reached.
    t: f64,
    steps: usize,
    rejected: usize,
    jacobians: usize,
    factorisations: usize,
    accelerations: usize,
    newton_iterations: usize,
    /// Of an iterative solver.
    #[serde(skip_serializing_if = "Option::is_none")]
    solver_iterations: Option<SolverIterations>,
    /// Where explicit methods keep states on the constraints otherwise than by projection.
    #[serde(skip_serializing_if = "Option::is_none")]
    stabilisation: Option<Stabilised>,
    repartitions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    domains: Option<DomainReport>,
    threads: usize,
    wall_s: f64,
    position_residual_max: f64,
    velocity_residual_max: f64,
    /// Greatest error of the balance of energy, over the energy that came and went.
    energy_drift: f64,
    /// Greatest kinetic energy and all that came and went, in joules.
    energy_exchanged: f64,
    /// What is doubtful about the result.
    warnings: &'a [Warning],
    methods: Vec<Method>,
    /// Natural scales that errors were measured against.
    scales: Vec<super::scales::Part<'a>>,
    /// What happened on the way: a tyre met a bump, an event of the model.
    events: Vec<Happening<'a>>,
    /// The event that ended the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_by: Option<&'a str>,
    #[serde(rename = "final")]
    last: Named<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    frames: Option<Vec<Named<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<Failure<'a>>,
}

/// Iterations per solution of the acceleration problem in steps.
#[derive(Serialize)]
struct SolverIterations {
    solves: usize,
    mean: f64,
    most: usize,
    /// New factors of the preconditioner.
    renewals: usize,
    /// Solutions that did not converge and were factored.
    rescues: usize,
}

/// How states were kept on the constraints, and what that took.
#[derive(Serialize)]
struct Stabilised {
    kind: &'static str,
    weights: &'static str,
    moved: usize,
    position_iterations: usize,
    systems: usize,
    factorisations: usize,
    solver_iterations: usize,
}

fn stabilised(journey: &Journey) -> Option<Stabilised> {
    let (settings, done) = (&journey.settings, &journey.run.corrections);
    (settings.stabilisation != Stabilisation::default()).then(|| Stabilised {
        kind: settings.stabilisation.name(),
        weights: settings.stabilisation_weights.name(),
        moved: done.moved,
        position_iterations: done.position_iterations,
        systems: done.systems,
        factorisations: done.factorisations,
        solver_iterations: done.solver_iterations,
    })
}

/// Numbers by name, in the order of the model.
struct Named<'a>(Vec<(&'a str, f64)>);

impl Serialize for Named<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

#[derive(Serialize)]
struct Method {
    t: f64,
    method: &'static str,
}

#[derive(Serialize)]
struct Happening<'a> {
    t: f64,
    what: &'a str,
}

/// The report as text.
pub fn report(journey: &Journey) -> String {
    let run = &journey.run;
    let methods = run.methods.iter().map(|&(t, method)| Method { t, method: method.name() });
    text(&Report {
        model: &journey.ready.model().name,
        method: journey.settings.method.name(),
        t_end: journey.settings.t_end,
        t: run.state.t,
        steps: run.statistics.steps,
        rejected: run.statistics.rejected,
        jacobians: run.statistics.jacobians,
        factorisations: run.statistics.factorisations,
        accelerations: run.accelerations,
        newton_iterations: run.statistics.newton_iterations,
        solver_iterations: run.iterations.map(|all| SolverIterations {
            solves: all.solves,
            mean: all.mean(),
            most: all.most,
            renewals: all.renewals,
            rescues: all.rescues,
        }),
        stabilisation: stabilised(journey),
        repartitions: run.repartitions,
        domains: DomainReport::of(journey.ready.system().subdivision.as_ref()),
        threads: journey.threads,
        wall_s: journey.wall,
        position_residual_max: run.position_residual,
        velocity_residual_max: run.velocity_residual,
        energy_drift: run.energy.drift(),
        energy_exchanged: run.energy.turned(),
        warnings: &journey.warnings,
        methods: methods.collect(),
        scales: super::scales::parts(journey),
        events: run.events.iter().map(|event| Happening { t: event.t, what: &event.what }).collect(),
        ended_by: match &run.end {
            End::Event(event) => Some(&event.what),
            _ => None,
        },
        last: Named(journey.last.iter().enumerate().map(|(k, &x)| (name(journey, k), x)).collect()),
        frames: (!journey.picked.places().is_empty()).then(|| frames(journey)),
        failure: journey.failure.as_ref().map(failure_json::failure),
    })
}

/// One map per frame: `t` and the channels asked for.
fn frames<'a>(journey: &'a Journey) -> Vec<Named<'a>> {
    let (rows, places) = (&journey.rows, journey.picked.places());
    let frame = |(t, values): (&f64, &[f64])| {
        let channels = places.iter().zip(values).map(|(&k, &x)| (name(journey, k), x));
        Named([("t", *t)].into_iter().chain(channels).collect())
    };
    rows.t.iter().zip(rows.values.chunks_exact(places.len())).map(frame).collect()
}

fn name<'a>(journey: &'a Journey, channel: usize) -> &'a str {
    &journey.channels.list()[channel].name
}
