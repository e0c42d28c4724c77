//! Why a run failed, for programs.

use crate::naming::option;
use kingpin::dynamics::{FailureReport, What, Why};
use serde::Serialize;

/// A failed run.
#[derive(Serialize)]
pub struct Failure<'a> {
    /// Time of the last good state.
    t: f64,
    /// One word for what was seen.
    kind: &'static str,
    /// One word for what is behind it.
    cause: &'static str,
    what: String,
    why: String,
    suggestions: Vec<String>,
    equations: Vec<Equation>,
    misfits: Vec<Misfit<'a>>,
    stiffest: Option<Stiffest<'a>>,
    steps: Vec<Step>,
}

/// An equation that has become dependent.
#[derive(Serialize)]
struct Equation {
    joint: String,
    equation: usize,
    label: &'static str,
    weight: f64,
}

/// A joint or driver that cannot be closed a little later.
#[derive(Serialize)]
struct Misfit<'a> {
    joint: &'a str,
    t: f64,
    length: f64,
    angle: f64,
}

#[derive(Serialize)]
struct Stiffest<'a> {
    force: &'a str,
    term: &'a str,
    body: &'a str,
    seconds: f64,
}

#[derive(Serialize)]
struct Step {
    t: f64,
    h: f64,
    error: f64,
    rejected: usize,
    newton_iterations: usize,
    method: &'static str,
    position_residual: f64,
    velocity_residual: f64,
}

/// All of a report.
pub fn failure(report: &FailureReport) -> Failure<'_> {
    Failure {
        t: report.t,
        kind: kind(&report.what),
        cause: cause(&report.why),
        what: report.what_words(),
        why: report.why_words(),
        suggestions: report.remedies_in(option),
        equations: report
            .dependent
            .iter()
            .map(|i| Equation {
                joint: i.row.name.clone(),
                equation: i.row.number,
                label: i.row.label,
                weight: i.weight,
            })
            .collect(),
        misfits: report
            .misfits
            .iter()
            .map(|m| Misfit { joint: &m.name, t: report.misfit_t, length: m.length, angle: m.angle })
            .collect(),
        stiffest: report.stiffest.as_ref().map(|fast| Stiffest {
            force: &fast.force,
            term: fast.label,
            body: &fast.body,
            seconds: fast.seconds,
        }),
        steps: report
            .steps
            .iter()
            .map(|step| Step {
                t: step.report.t,
                h: step.report.h(),
                error: step.report.error,
                rejected: step.report.rejected,
                newton_iterations: step.newton_iterations,
                method: step.method.name(),
                position_residual: step.position_residual,
                velocity_residual: step.velocity_residual,
            })
            .collect(),
    }
}

fn kind(what: &What) -> &'static str {
    match what {
        What::StepTooSmall { .. } => "step_too_small",
        What::NotFinite => "not_finite",
        What::NewtonFailed { .. } => "newton_failed",
        What::NoAccelerations { .. } => "no_accelerations",
        What::GaveUp { .. } => "solver_gave_up",
        What::NoPositions => "no_positions",
        What::Turn { .. } => "turn_too_large",
        What::Dependent => "dependent_equations",
        What::TooLarge { .. } => "too_large",
        What::TooManySteps { .. } => "too_many_steps",
        What::Hopeless { .. } => "hopeless",
        What::Jump(_) => "jump",
        What::Chatter(_) => "chatter",
        What::Held(_) => "held",
    }
}

fn cause(why: &Why) -> &'static str {
    match why {
        Why::BadNumber(..) => "bad_number",
        Why::BeyondReach { .. } => "beyond_reach",
        Why::Singular => "singular_position",
        Why::RunsAway { .. } => "runaway_driver",
        Why::Stiff => "stiff",
        Why::StepTooLarge { .. } => "step_too_large",
        Why::Jump(_) => "jump",
        Why::Sticks(_) => "sticking",
        Why::Overbent(_) => "deformed_too_far",
        Why::Limit => "limit",
        Why::Unknown => "unknown",
    }
}
