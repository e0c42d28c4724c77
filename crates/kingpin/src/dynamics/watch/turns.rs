//! Full turns of angles over a step.

use crate::dynamics::instant::Dynamics;
use crate::element::basic::{Angle, Basic, nearest_turn};
use crate::system::System;
use std::f64::consts::PI;

/// Watches the angles of a spatial mechanism, which positions tell up to full turns only: their turns follow from
/// their rates, and steps are short enough for the forces that depend on them. (Planar angles are coordinates.)
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct Turns {
    /// Angles that equations, forces or switches depend on, then all others.
    angles: Vec<Angle>,
    acting: usize,
    /// Rates where the step starts and where it ends, one per angle.
    pub(in crate::dynamics) rates: Vec<f64>,
    ends: Vec<f64>,
    /// Reference angles at the start and at the end of the step.
    pub(in crate::dynamics) before: Vec<f64>,
    pub(in crate::dynamics) after: Vec<f64>,
}

/// How far an angle that something depends on may turn in a step, by its rate at the start.
const LONGEST: f64 = 0.75 * PI;
/// The same where the step has ended.
const TOO_FAR: f64 = 0.95 * PI;

impl Turns {
    /// The angles of a system.
    pub fn new(system: &System) -> Self {
        let mut turns = Turns::default();
        if system.dimensions() == 3 {
            system.visit_acting_angles(|angle| turns.angles.push(*angle));
            turns.acting = turns.angles.len();
            system.visit_seen_angles(|angle| turns.angles.push(*angle));
        }
        turns.rates = vec![0.0; turns.angles.len()];
        turns.ends = turns.rates.clone();
        turns.before = system.given.turns.clone();
        turns.after = system.given.turns.clone();
        turns
    }

    /// Whether forces or equations depend on an angle.
    pub fn bound_steps(&self) -> bool {
        self.acting > 0
    }

    /// A step starts where the mechanism is.
    pub fn start(&mut self, mechanism: &Dynamics) {
        for (angle, rate) in self.angles.iter().zip(&mut self.rates) {
            *rate = mechanism.system.basic_value_and_rate(&Basic::Angle(*angle), &mechanism.work).1;
        }
        self.before.copy_from_slice(&mechanism.work.turns);
        self.after.copy_from_slice(&mechanism.work.turns);
    }

    /// The longest step from there.
    pub fn longest(&self) -> f64 {
        let fastest = self.rates[..self.acting].iter().fold(0.0, |most: f64, rate| most.max(rate.abs()));
        LONGEST / fastest
    }

    /// Counts the turns of a step of size `h` that ends where the mechanism is. False if something depends on an
    /// angle that has turned too far for that: then nothing is counted.
    pub fn count(&mut self, mechanism: &mut Dynamics, h: f64, strict: bool) -> bool {
        if mechanism.system.dimensions() == 2 {
            mechanism.system.count_turns(&mut mechanism.work);
            self.after.copy_from_slice(&mechanism.work.turns);
            return true;
        }
        for (k, angle) in self.angles.iter().enumerate() {
            let (value, rate) = mechanism.system.basic_value_and_rate(&Basic::Angle(*angle), &mechanism.work);
            let Some(before) = self.before.get(angle.slot) else { continue };
            let turned = nearest_turn(value, before + 0.5 * h * (self.rates[k] + rate));
            if strict && k < self.acting && (turned - before).abs() > TOO_FAR {
                return false;
            }
            self.after[angle.slot] = turned;
            self.ends[k] = rate;
        }
        mechanism.work.turns.copy_from_slice(&self.after);
        true
    }

    /// The next step starts where the one counted last has ended.
    pub fn go_on(&mut self) {
        self.rates.copy_from_slice(&self.ends);
        self.before.copy_from_slice(&self.after);
    }

    /// Reference angles inside the step counted last.
    pub fn inside(&self, theta: f64, turns: &mut [f64]) {
        for (turn, (before, after)) in turns.iter_mut().zip(self.before.iter().zip(&self.after)) {
            *turn = before + theta * (after - before);
        }
    }
}
