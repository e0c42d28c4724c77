//! What is doubtful about a run that went well otherwise.

use super::journey::Journey;
use crate::words::{number, quantity};
use kingpin::dynamics::{Doubt, Method};

/// All warnings, a few sentences each.
pub fn of(journey: &Journey) -> Vec<String> {
    let mut list = Vec::new();
    if journey.failure.is_none() {
        list.extend(still(journey));
    }
    list.extend(energy(journey));
    list
}

/// A mechanism that cannot move.
fn still(journey: &Journey) -> Option<String> {
    let ready = journey.ready;
    let equations = ready.system.constraints() - ready.redundant().iter().filter(|r| **r).count();
    let freedoms = ready.system.coordinates().saturating_sub(equations);
    if freedoms > 0 || ready.system.is_driven() || ready.system.bodies() == 0 {
        return None;
    }
    Some(
        "the mechanism has no degree of freedom and no driver moves it: nothing can move\n\n  help: a structure has \
         reactions, which `kingpin statics` shows; for a motion leave a joint out, or add a driver"
            .into(),
    )
}

/// A balance of energy that does not add up.
fn energy(journey: &Journey) -> Option<String> {
    let (run, settings) = (&journey.run, &journey.settings);
    let Doubt { drift, missing, turned, grew, grew_t } = run.energy.doubt(settings, run.statistics.steps)?;
    let method = run.methods.last().map_or(settings.method, |m| m.1);
    let part = if drift >= 0.001 { format!("{} %", number(100.0 * drift, 2)) } else { number(drift, 2) };
    let advice = if method.has_fixed_step() {
        format!("a smaller step: `--h {:.0e}`", settings.h.unwrap_or(1e-3) / 4.0)
    } else {
        let other = if matches!(method, Method::Dop853) { Method::ForRosen } else { Method::Dop853 };
        format!("`--tol {:.0e}`, or another method: `--method {}`", settings.position.rtol / 100.0, other.name())
    };
    Some(format!(
        "the balance of energy does not add up: {} of the {} that came and went are missing, {part}, more than the \
         tolerance explains; it grew most at t = {} s, by {} in one step\n\n  help: do not trust this result before \
         it no longer changes with {advice}",
        quantity(missing, "J"),
        quantity(turned, "J"),
        number(grew_t, 6),
        quantity(grew, "J"),
    ))
}
