//! How far forces will move a mechanism.

use super::{Four, Parts, Scales};
use crate::dynamics::instant::Dynamics;
use crate::system::State;

/// Displacement that forces are probed with, as a part of the size.
const PROBE: f64 = 1e-7;

/// Notes how far each part will get, as far as the forces at a state tell: accelerations that change by k per unit
/// of displacement along a motion give it a natural time T = k^-1/2, so it moves by a T^2 and by v T. A part on which
/// no force depends on where it is may move by its size. Forces that are known to change after a time `until` make it
/// no faster than a times that, so it moves by a T times it.
pub fn predict(mechanism: &mut Dynamics, state: &State, until: f64, scales: &mut Scales) {
    let system = mechanism.system;
    let parts = Parts::new(system);
    system.set_state(&mut mechanism.work, state);
    if mechanism.accelerate_only(state.t, &state.q, &state.v).is_err() {
        return;
    }
    let start = mechanism.result.acc.clone();
    for (direction, power, until) in [(&start, 1.0, until), (&state.v, 0.5, f64::INFINITY)] {
        let mut along = direction.clone();
        let lengths: Vec<Four> =
            (0..parts.len()).map(|p| lengths(mechanism, parts.of(p), direction)).collect();
        for (part, length) in lengths.iter().enumerate() {
            let rate = rate(*length, scales.parts[part].size);
            let factor = if rate > 0.0 && rate.is_finite() { PROBE / rate } else { 0.0 };
            for &body in parts.of(part) {
                along[system.nodes.v(body)].iter_mut().for_each(|x| *x *= factor);
            }
        }
        let mut q = state.q.clone();
        system.displace(&mut q, &along);
        if mechanism.accelerate_only(state.t, &q, &state.v).is_err() {
            continue;
        }
        let change: Vec<f64> = mechanism.result.acc.iter().zip(&start).map(|(a, b)| a - b).collect();
        for (part, length) in lengths.into_iter().enumerate() {
            let scale = &mut scales.parts[part];
            let stiffness = rate(self::lengths(mechanism, parts.of(part), &change), scale.size) / PROBE;
            let by = |length: f64, most: f64| match length > 0.0 {
                true => {
                    let natural = length * stiffness.powf(-power);
                    natural.min(length * until * stiffness.powf(-0.5)).min(most)
                }
                false => 0.0,
            };
            scale.reach.position = scale.reach.position.max(by(length.position, scale.size));
            scale.reach.angle = scale.reach.angle.max(by(length.angle, 1.0));
        }
    }
}

/// Speeds that the accelerations at a state make within a time: a motion that begins at rest, without any force, has none to
/// be measured against.
pub fn expect(mechanism: &mut Dynamics, state: &State, by: f64, scales: &mut Scales) {
    let parts = Parts::new(mechanism.system);
    mechanism.system.set_state(&mut mechanism.work, state);
    if mechanism.accelerate_only(state.t, &state.q, &state.v).is_err() {
        return;
    }
    let all: Vec<Four> =
        (0..parts.len()).map(|part| lengths(mechanism, parts.of(part), &mechanism.result.acc)).collect();
    let of = |part: usize| rate(all[part], scales.parts[part].size);
    let rounding = 1e-9 * (0..parts.len()).map(of).fold(0.0, f64::max);
    let moving: Vec<usize> = (0..parts.len()).filter(|&part| of(part) > rounding).collect();
    for part in moving {
        let (length, size) = (all[part], scales.parts[part].size);
        let reach = &mut scales.parts[part].reach;
        if size == 0.0 {
            // a point by itself has no other length
            reach.position = reach.position.max(0.5 * by * by * length.position);
        }
        reach.velocity = reach.velocity.max(0.5 * by * length.position);
        reach.angular_velocity = reach.angular_velocity.max(0.5 * by * length.angle);
    }
}

/// Greatest lengths of the translations and rotations of some bodies.
fn lengths(mechanism: &Dynamics, bodies: &[usize], x: &[f64]) -> Four {
    let nodes = &mechanism.system.nodes;
    let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let mut most = Four::default();
    for &body in bodies {
        let (moves, turns) = nodes[body].split(&x[nodes.v(body)]);
        most.position = most.position.max(length(moves));
        most.angle = most.angle.max(length(turns));
    }
    most
}

/// One number for both, without a unit of length.
fn rate(of: Four, size: f64) -> f64 {
    of.angle.max(if size > 0.0 { of.position / size } else { of.position })
}
