//! What is too small to be seen of coordinates that may be held: heights of bounces, rates at rest, distances from stops.
//!
//! All of it is relative to the part of the mechanism that a coordinate belongs to, its size and how fast it has been of late:
//! a watch and a bridge are the same, and other parts do not matter.

use crate::analysis::length_scale;
use crate::dynamics::scales::Yardstick;
use crate::element::hold::{AT_REST, HoldKind, JointHold};
use crate::system::System;

/// Heights of bounces that are none, in parts of the tolerance.
const LOW: f64 = 1e-6;
/// Rates that are none, in parts of the tolerance, between these parts of the speed.
const SLOW: f64 = 1e-2;
const SLOWEST: [f64; 2] = [1e-12, 1e-8];
/// Rates that are none, in parts of what accelerations make of them over the size of a part.
pub(super) const STANDING: f64 = 1e-11;
/// Rates that show that what others hold does move, in parts of the speed, and accelerations that do.
const WANDERS: f64 = 1e-9;
/// Clearances of stops that are none, in parts of sizes, and the same where a crossing was found.
const NEAR: f64 = 1e-9;
const FOUND: f64 = 1e-6;

/// What is none of one coordinate, in its units.
#[derive(Clone, Copy, Debug)]
pub(in crate::dynamics) struct Unseen {
    /// The height of a bounce.
    pub low: f64,
    /// A rate.
    pub slow: f64,
    /// The distance from a stop, and the same where a crossing was found.
    pub near: f64,
    pub found: f64,
    /// The size that accelerations are compared over.
    pub size: f64,
    /// A rate and an acceleration of what others hold.
    pub wander: f64,
    pub jolt: f64,
}

impl Unseen {
    fn new(hold: &JointHold, size: f64, speed: f64, rtol: f64) -> Self {
        let own = if size > 0.0 { size } else { 1.0 };
        let limit = match &hold.kind {
            HoldKind::Stop(stop) => stop.limit.abs(),
            HoldKind::Friction(_) => 0.0,
        };
        let slow = (SLOW * rtol).clamp(SLOWEST[0], SLOWEST[1]) * speed;
        let reach = own + limit;
        Unseen {
            low: (LOW * rtol).max(1e-14) * own,
            slow,
            near: NEAR * reach,
            found: FOUND * reach,
            size: own,
            wander: (WANDERS * speed).max(AT_REST),
            jolt: WANDERS * speed * speed / own,
        }
    }

    /// Of one that may hold in a run.
    pub fn of_hold(system: &System, hold: &JointHold, yardstick: &Yardstick, rtol: f64) -> Unseen {
        let moving = hold.probe.bodies().into_iter().find(|body| *body < system.bodies());
        let scale = yardstick.scale_of(moving.unwrap_or(0));
        let natural = scale.natural();
        match hold.probe.is_angle() {
            true => Unseen::new(hold, 1.0, natural.angular_velocity, rtol),
            false => Unseen::new(hold, scale.size, natural.velocity, rtol),
        }
    }

    /// Of all that may hold in a run.
    pub fn of_run(system: &System, yardstick: &Yardstick, rtol: f64) -> Vec<Unseen> {
        system.holds.iter().map(|hold| Unseen::of_hold(system, hold, yardstick, rtol)).collect()
    }

    /// Of all that may hold at a state that belongs to no run.
    pub fn alone(system: &System) -> Vec<Unseen> {
        let size = length_scale(system);
        let one = |hold: &JointHold| {
            let size = if hold.probe.is_angle() { 1.0 } else { size };
            Unseen::new(hold, size, 0.0, 1e-6)
        };
        system.holds.iter().map(one).collect()
    }
}
