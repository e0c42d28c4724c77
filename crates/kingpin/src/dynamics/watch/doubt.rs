//! When the balance of energy of a run fails beyond what its tolerance explains.

use super::ledger::Account;
use crate::dynamics::stepping::Settings;

/// A balance that does not add up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Doubt {
    /// The greatest error of the balance over the energy that came and went.
    pub drift: f64,
    /// That error, in joules.
    pub missing: f64,
    /// The energy that came and went, in joules.
    pub turned: f64,
    /// The greatest change of the balance in one step, in joules.
    pub grew: f64,
    /// When that step ended.
    pub grew_t: f64,
}

/// A drift up to this is not worth a word, whatever the tolerance.
const SLIGHT: f64 = 1e-6;
/// A drift beyond this makes a result worthless, whatever the tolerance.
const GROSS: f64 = 0.2;
/// Each step may err by so many tolerances.
const EACH: f64 = 10.0;

impl Account {
    /// What is doubtful about the balance of a run of so many steps, if anything.
    pub fn doubt(&self, settings: &Settings, steps: usize) -> Option<Doubt> {
        let drift = self.drift();
        let tolerance = if settings.method.has_fixed_step() { GROSS } else { settings.rtol };
        let explained = (EACH * tolerance * (steps as f64).sqrt()).clamp(SLIGHT, GROSS);
        (drift > explained || drift.is_nan()).then_some(Doubt {
            drift,
            missing: self.worst,
            turned: self.turned(),
            grew: self.jump,
            grew_t: self.jump_t,
        })
    }
}
