//! What is doubtful about a run that went well otherwise.

use super::journey::Journey;
use crate::words::{number, quantity};
use kingpin::dynamics::{Doubt, Method, lag, tumbling, unresolved};
use kingpin_results::store::Warning;

/// All warnings.
pub fn of(journey: &Journey) -> Vec<Warning> {
    let mut list = Vec::new();
    // a failure says enough
    if journey.failure.is_none() {
        list.extend(still(journey));
        list.extend(energy(journey));
        list.extend(too_small(journey));
        list.extend(flips(journey));
        // a balance that does not add up says more
        if list.is_empty() {
            list.extend(shifted(journey));
        }
    }
    list
}

/// A mechanism that cannot move.
fn still(journey: &Journey) -> Option<Warning> {
    let ready = journey.ready;
    let equations = ready.system.constraints() - ready.redundant().iter().filter(|r| **r).count();
    let freedoms = ready.system.coordinates().saturating_sub(equations);
    if freedoms > 0 || ready.system.is_driven() || ready.system.bodies() == 0 {
        return None;
    }
    Some(Warning {
        what: "the mechanism has no degree of freedom and no driver moves it: nothing can move".into(),
        why: None,
        advice: Some(
            "a structure has reactions, which `kingpin static` shows; for a motion leave a joint out, or add a \
             driver"
                .into(),
        ),
    })
}

/// A balance of energy that does not add up.
fn energy(journey: &Journey) -> Option<Warning> {
    let (run, settings) = (&journey.run, &journey.settings);
    let Doubt { drift, missing, turned, grew, grew_t } = run.energy.doubt(settings, run.statistics.steps)?;
    let method = run.methods.last().map_or(settings.method, |m| m.1);
    let part = if drift >= 0.001 { format!("{} %", number(100.0 * drift, 2)) } else { number(drift, 2) };
    let advice = if method.has_fixed_step() {
        format!("a smaller step: `--h {:.0e}`", settings.h.unwrap_or(1e-3) / 4.0)
    } else {
        let other = if matches!(method, Method::Dop853) { Method::ForRosen } else { Method::Dop853 };
        format!("`--tol {:.0e}`, or another method: `--method {}`", settings.rtol / 100.0, other.name())
    };
    Some(Warning {
        what: format!(
            "the balance of energy does not add up: {} of the {} that came and went are missing, {part}",
            quantity(missing, "J"),
            quantity(turned, "J"),
        ),
        why: Some(format!(
            "that is more than the {} explains; it grew most at t = {} s, by {} in one step",
            if method.has_fixed_step() { "size of the steps" } else { "tolerance" },
            number(grew_t, 6),
            quantity(grew, "J"),
        )),
        advice: Some(format!("do not trust this result before it no longer changes with {advice}")),
    })
}

/// A motion smaller than numbers can tell to the tolerance.
fn too_small(journey: &Journey) -> Option<Warning> {
    let (run, settings, system) = (&journey.run, &journey.settings, &journey.ready.system);
    let lost = unresolved(system, &run.scales, settings.rtol, settings.atol, &run.state.q)?;
    Some(Warning {
        what: format!(
            "the motion of `{}` is too small for the tolerance: {} at a distance of {} from the origin",
            system.body_names[lost.body],
            quantity(lost.motion, "m"),
            quantity(lost.far, "m"),
        ),
        why: Some(format!(
            "numbers have 16 digits, so errors below {} are not measured",
            quantity(lost.floor, "m")
        )),
        advice: Some(format!(
            "put the origin near the motion, ask for `--tol {:.0e}`, or say what is small: `--atol position={:.0e}`",
            10f64.powf((lost.floor / lost.motion).log10().ceil()),
            10f64.powf(lost.floor.log10().ceil()),
        )),
    })
}

/// A free body whose flips the run cannot tell.
fn flips(journey: &Journey) -> Option<Warning> {
    let (run, system) = (&journey.run, &journey.ready.system);
    let found = tumbling(system, &journey.ready.assembly.state, &run.state, journey.settings.rtol)?;
    Some(Warning {
        what: format!(
            "the attitude of `{}` is uncertain by about {} at the end: it flips about the unstable axis of its inertia",
            system.body_names[found.body],
            quantity(found.error, "rad"),
        ),
        why: Some(format!(
            "errors of the steps have changed its distance from that axis, which nothing changes, by {} %, and when \
             it flips depends on that alone",
            number(100.0 * found.change, 2)
        )),
        advice: Some(format!(
            "ask for `--tol {:.0e}`, or for `--method dop853`, which keeps that distance better",
            journey.settings.rtol / 100.0
        )),
    })
}

/// A mechanism that runs on and on at a slightly wrong speed.
fn shifted(journey: &Journey) -> Option<Warning> {
    let (run, settings, system) = (&journey.run, &journey.settings, &journey.ready.system);
    let found = lag(system, &run.energy, &run.scales, settings)?;
    Some(Warning {
        what: format!(
            "the motion of `{}` is about {} {}: at its speed that is {} times the tolerance",
            system.body_names[found.body],
            quantity(found.shift.abs(), "s"),
            if found.shift > 0.0 { "early" } else { "late" },
            number(found.tolerances, 2),
        ),
        why: Some(
            "each step is right to the tolerance, but the mechanism runs on and on without a driver, and the small \
             error of its energy is one of its speed, which adds up"
                .into(),
        ),
        advice: Some(format!(
            "where it counts when something happens, ask for `--tol {:.0e}`, or for `--method dop853`, which keeps \
             energy better",
            settings.rtol / 100.0
        )),
    })
}

/// A warning as text.
pub fn text(warning: &Warning) -> String {
    let mut text = format!("warning: {}\n", warning.what);
    if let Some(why) = &warning.why {
        text += &format!("\n  why: {why}\n");
    }
    if let Some(advice) = &warning.advice {
        text += &format!("\n  help: {advice}\n");
    }
    text
}
