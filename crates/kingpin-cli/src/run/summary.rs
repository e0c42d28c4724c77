//! What `summary.json` says of a run.

use super::journey::Journey;
use crate::domains::DomainReport;
use crate::words::number;
use kingpin::dynamics::{Bordered, Dynamics, End, Linearising, Reduced, Whole};
use kingpin::integrate::{DenseMatrix, IterationMatrix, SecondOrder};
use kingpin::system::State;
use kingpin_results::store::{Fact, Header, Outcome, Summary};
use std::time::Instant;

/// The summary of a run that began with a header.
pub fn summary(journey: &Journey, header: &Header) -> Summary {
    let (outcome, message) = ending(journey);
    Summary::new(header, outcome, message, facts(journey)).with_warnings(journey.warnings.clone())
}

fn ending(journey: &Journey) -> (Outcome, String) {
    let (t, end) = (number(journey.run.state.t, 6), number(journey.settings.t_end, 6));
    match (&journey.failure, &journey.run.end) {
        (Some(failure), _) => (Outcome::Failed, format!("failed at t = {t} s: {}", failure.what_words())),
        (None, End::Event(event)) => (Outcome::Done, format!("stopped by {} at t = {t} s", event.what)),
        (None, End::Stopped) => (Outcome::Interrupted, format!("interrupted at t = {t} s of {end} s")),
        (None, _) => (Outcome::Done, format!("t = {t} s reached")),
    }
}

fn facts(journey: &Journey) -> Vec<Fact> {
    let (run, counts) = (&journey.run, &journey.run.statistics);
    let methods: Vec<String> = run
        .methods
        .iter()
        .enumerate()
        .map(|(k, (t, method))| match k {
            0 => method.name().into(),
            _ => format!("{} from t = {} s on", method.name(), number(*t, 4)),
        })
        .collect();
    let mut facts = vec![
        Fact::reached(run.state.t),
        Fact::new("methods", methods.join(", "), ""),
        Fact::new("solver", journey.solver.name(), ""),
        Fact::new("threads", journey.threads, ""),
        Fact::new("steps", counts.steps, ""),
        Fact::new("rejected steps", counts.rejected, ""),
        Fact::new("accelerations", run.accelerations, ""),
        Fact::new("Jacobians", counts.jacobians, ""),
        Fact::new("factorisations", counts.factorisations, ""),
        Fact::new("Newton iterations", counts.newton_iterations, ""),
        Fact::new("repartitions", run.repartitions, ""),
        Fact::new("largest position residual", run.position_residual, ""),
        Fact::new("largest velocity residual", run.velocity_residual, ""),
    ];
    if counts.jacobians > 0 {
        facts.push(Fact::new("matrices", if journey.is_sparse() { "sparse" } else { "dense" }, ""));
        facts.push(Fact::new("coordinates", journey.coordinates().name(), ""));
    }
    if let Some(domains) = DomainReport::of(journey.ready.system().subdivision.as_ref()) {
        let (count, remark) = domains.words();
        facts.push(Fact::new("sub-domains", count, ""));
        facts.push(Fact::new("domain solver", remark, ""));
    }
    if let Some(iterations) = &run.iterations {
        facts.push(Fact::new("iterations per solution", iterations.mean(), ""));
        facts.push(Fact::new("most iterations", iterations.most, ""));
        facts.push(Fact::new("refactorisations", iterations.renewals, ""));
        facts.push(Fact::new("solutions without convergence", iterations.rescues, ""));
    }
    facts.push(Fact::new("energy drift", run.energy.drift(), ""));
    facts.push(Fact::new("energy exchanged", run.energy.turned(), "J"));
    facts.push(Fact::new("wall time", journey.wall, "s"));
    facts.extend(split(journey).into_iter().map(|(name, time)| Fact::cost(name, time)));
    facts
}

/// Evaluations that are timed.
const SAMPLES: u32 = 5;

/// Where the time went: files are timed, accelerations and linearisations are counted and timed at the end of the
/// run, and the rest is the method's own.
fn split(journey: &Journey) -> Vec<(&'static str, f64)> {
    let (run, integration) = (&journey.run, journey.wall - journey.output);
    // of several ranks none can factor alone
    let alone = journey.ready.system().subdivision.as_ref().is_none_or(|cut| cut.ranks.ranks() == 1);
    let Some((solve, linearise)) = alone.then(|| costs(journey)).flatten() else {
        return vec![("integration", integration), ("output", journey.output)];
    };
    // a linearisation begins with accelerations; they are counted there
    let linearisations = linearise * run.statistics.jacobians as f64;
    let accelerations = solve * run.accelerations.saturating_sub(run.statistics.jacobians) as f64;
    let scale = (integration / (linearisations + accelerations)).min(1.0);
    let (accelerations, linearisations) = (scale * accelerations, scale * linearisations);
    vec![
        ("accelerations", accelerations),
        ("linearisations", linearisations),
        ("method", integration - accelerations - linearisations),
        ("output", journey.output),
    ]
}

/// Times of one acceleration problem and of one linearisation where the run ended; none if they fail there.
fn costs(journey: &Journey) -> Option<(f64, f64)> {
    let (ready, state) = (journey.ready, &journey.run.state);
    let mut mechanism = ready.dynamics(journey.settings.solver);
    ready.system().set_state(&mut mechanism.work, state);
    let solve = least(|| mechanism.accelerate(state.t, &state.q, &state.v).ok())?;
    if journey.run.statistics.jacobians == 0 {
        return Some((solve, 0.0));
    }
    if journey.settings.is_sparse(&mechanism) {
        return Some((solve, sparse_linearisation(mechanism, state)?));
    }
    let mut reduced = Reduced::in_coordinates(mechanism, state, journey.settings.coordinates).ok()?;
    reduced.linearising = journey.settings.linearising;
    let n = reduced.dim();
    let (mut y, mut out) = (vec![0.0; 2 * n], DenseMatrix::new(n));
    reduced.independent(&mut y);
    let (v, rate) = y.split_at(n);
    let linearise = least(|| reduced.linearise(state.t, v, rate, &mut out).ok())?;
    // differences are made of accelerations, which are counted as such
    let differences = journey.settings.linearising == Linearising::Differences;
    Some((solve, if differences { solve } else { linearise }))
}

/// Time of a linearisation in all coordinates.
fn sparse_linearisation(mechanism: Dynamics, state: &State) -> Option<f64> {
    let mut whole = Whole::<false>::new(mechanism, state).ok()?;
    let n = whole.dim();
    let (mut y, mut out) = (vec![0.0; 2 * n], Bordered::new(n));
    whole.coordinates(&mut y);
    let (v, rate) = y.split_at(n);
    least(|| whole.linearise(state.t, v, rate, &mut out).ok())
}

/// The shortest time that something takes; none if it fails.
fn least(mut what: impl FnMut() -> Option<()>) -> Option<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..SAMPLES {
        let started = Instant::now();
        what()?;
        best = best.min(started.elapsed().as_secs_f64());
    }
    Some(best)
}
