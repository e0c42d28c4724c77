//! Motions too small for the numbers that tell them.

use super::yardstick::GRAIN;
use super::{Four, Parts, Scales};
use crate::system::System;

/// A motion that cannot be followed to its tolerance: places are told to some digits only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unresolved {
    /// A body of the part.
    pub body: usize,
    /// How far the part has moved.
    pub motion: f64,
    /// How far away from the origin it is, its size included.
    pub far: f64,
    /// Errors below this are not measured.
    pub floor: f64,
}

/// Motions below this part of the distance from the origin are taken for rest.
const REST: f64 = 1e-10;

/// The first part whose motion, as far as it has come, is smaller than what `rtol` of it could be told by: errors are
/// then measured against round-off. An `atol` of the user that is larger makes this no matter. O(bodies).
pub fn unresolved(system: &System, scales: &Scales, rtol: f64, atol: Four, q: &[f64]) -> Option<Unresolved> {
    let parts = Parts::new(system);
    let length = |body: usize| {
        let node = &system.nodes[body];
        node.split(&q[node.q()]).0.iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    let bodies = scales.parts.iter().enumerate().filter(|(_, scale)| scale.body < system.masses());
    bodies.into_iter().find_map(|(part, scale)| {
        let far = scale.size + parts.of(part).iter().map(|&body| length(body)).fold(0.0, f64::max);
        let (motion, floor) = (scale.natural().position, GRAIN * far);
        let lost = rtol * motion < floor && atol.position < floor && motion > REST * far;
        lost.then_some(Unresolved { body: scale.body, motion, far, floor })
    })
}
