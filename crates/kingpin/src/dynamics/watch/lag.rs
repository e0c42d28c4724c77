//! Mechanisms that run on and on: a small error of their energy is one of their speed, which adds up to a large one of
//! where they are.
//!
//! With one degree of freedom, kinetic energy T and nothing that takes or gives energy, an error e of the energy shifts
//! the motion in time at the rate e / (2 T), exactly. The account of a run adds that up ([`Account::lag`]); it tells the
//! shift wherever the mechanism does not come to rest on its way. With more freedoms the error may be one of any.

use super::ledger::Account;
use crate::dynamics::scales::Scales;
use crate::dynamics::stepping::Settings;
use crate::system::System;

/// A motion that is right in shape but not in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lag {
    /// The fastest body, by the size of its part.
    pub body: usize,
    /// By how much the motion is early, s; late if negative.
    pub shift: f64,
    /// What that makes in the place of the fastest part, in parts of its size or in radians.
    pub error: f64,
    /// The same in tolerances.
    pub tolerances: f64,
}

/// Shifts up to so many tolerances are borne.
const BORNE: f64 = 100.0;
/// Where the kinetic energy falls below this part of its greatest, the mechanism comes to rest on its way.
const RESTS: f64 = 0.05;

/// A shift in time beyond what the tolerance explains, if there is one and the energy tells it. O(parts, equations)
pub fn lag(
    (system, redundant): (&System, &[bool]),
    account: &Account,
    scales: &Scales,
    settings: &Settings,
) -> Option<Lag> {
    let equations = system.constraints() - redundant.iter().filter(|r| **r).count();
    let runs = account.least > RESTS * account.kinetic && account.turned() > 0.0;
    let tells = system.states.is_empty() && system.coordinates() == equations + 1 && system.is_conservative();
    if !runs || !tells || settings.method.has_fixed_step() || account.drift() == 0.0 {
        return None;
    }
    let rate = |part: &crate::dynamics::scales::Scale| {
        let natural = part.natural();
        let over = |speed: f64, reach: f64| if reach > 0.0 { speed / reach } else { 0.0 };
        over(natural.velocity, natural.position).max(over(natural.angular_velocity, natural.angle))
    };
    let fastest = scales.parts.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)))?;
    let error = account.most_lag.abs() * rate(fastest);
    let tolerances = error / settings.rtol;
    (tolerances > BORNE).then_some(Lag { body: fastest.body, shift: account.most_lag, error, tolerances })
}
