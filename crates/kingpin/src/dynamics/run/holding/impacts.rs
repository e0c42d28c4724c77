//! Impacts: velocities jump, with all joints kept.
//!
//! A unit impulse along a coordinate and what joints answer change all velocities, and Newton's law, rate behind =
//! -restitution times rate before, tells how many units. Friction has no part in it: its forces are finite.

use super::bench::Bench;
use super::impulses::impulses;
use super::modes::held;
use super::{Touch, rate};
use crate::dynamics::instant::holds::Response;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::element::friction_law::STICKS;
use crate::element::hold::{HoldKind, LEAVES, RESTS, RigidStop, TOUCHES};
use crate::system::State;
use nalgebra::{DMatrix, DVector};

/// Rounds until all that is at rest is so to rounding errors.
const SWEEPS: usize = 4;

/// Changes velocities by an impulse that changes the rate of a coordinate.
fn push(state: &mut State, response: &Response, by: f64) {
    if response.can_move() {
        let units = by / response.rate;
        state.v.iter_mut().zip(&response.v).for_each(|(v, x)| *v += units * x);
    }
}

/// Friction whose coordinate was found to be at rest is so to rounding errors.
pub(super) fn halt(free: &mut Dynamics, state: &mut State, touches: &[Touch]) {
    for touch in touches.iter().filter(|touch| touch.met && touch.friction()) {
        // what was idle was found to move
        if !touch.hold.is_idle(&state.pieces) {
            let moving = rate(free, state, touch.hold);
            push(state, &touch.response, -moving);
        }
    }
}

/// Impacts on stops, until none is approached; the stops that were met.
pub(super) fn strike(free: &mut Dynamics, state: &mut State, touches: &[Touch]) -> Vec<usize> {
    let movable = |touch: &Touch| touch.response.can_move();
    let stops: Vec<(&Touch, &RigidStop)> = touches
        .iter()
        .filter(|touch| movable(touch))
        .filter_map(|touch| Some((touch, touch.stop()?)))
        .collect();
    let towards = |(touch, stop): &(&Touch, &RigidStop)| stop.sign() * rate(free, state, touch.hold);
    let approach = DVector::from_iterator(stops.len(), stops.iter().map(towards));
    // what rests is not struck by rounding errors
    let rests = |touch: &Touch| matches!(state.pieces[touch.hold.switch], RESTS | TOUCHES);
    let floor: Vec<f64> =
        stops.iter().map(|(touch, _)| if rests(touch) { touch.slow } else { 0.0 }).collect();
    let restitution: Vec<f64> = stops.iter().map(|(_, stop)| stop.restitution).collect();
    let coupling = DMatrix::from_fn(stops.len(), stops.len(), |j, k| {
        let ((a, one), (b, other)) = (stops[j], stops[k]);
        one.sign() * other.sign() * a.response.along(&b.response)
    });
    let all = impulses(&coupling, &approach, &restitution, &floor);
    let mut met = Vec::new();
    for ((touch, stop), impulse) in stops.iter().zip(&all).filter(|(_, impulse)| **impulse > 0.0) {
        let by = -stop.sign() * impulse;
        state.v.iter_mut().zip(&touch.response.v).for_each(|(v, x)| *v += by * x);
        met.push(touch.number);
    }
    met
}

/// Friction that slides does so the way velocities are behind impacts.
pub(super) fn turn_back(free: &mut Dynamics, state: &mut State, slow: &[f64]) {
    let all = free.system.holds.iter().zip(slow);
    for (hold, slow) in all.filter(|(hold, _)| matches!(hold.kind, HoldKind::Friction(_))) {
        let moving = rate(free, state, hold);
        if state.pieces[hold.switch] < STICKS && moving.abs() > *slow {
            state.pieces[hold.switch] = u8::from(moving > 0.0);
        }
    }
}

/// Bounces that would be too low to be seen are none; whether there were any. What presses a coordinate on its stop may do so
/// because others rest on theirs.
pub(super) fn calm(
    bench: &mut Bench,
    free: &mut Dynamics,
    state: &mut State,
    touches: &[Touch],
) -> Result<bool, Trouble> {
    let (mut calmed, mut resting) = (false, state.pieces.clone());
    for touch in touches.iter().filter(|touch| touch.response.can_move()) {
        let Some(stop) = touch.stop() else { continue };
        let away = -stop.sign() * rate(free, state, touch.hold);
        if touch.is_slow(away) {
            resting[touch.hold.switch] = RESTS;
            continue;
        }
        if away <= 0.0 {
            continue;
        }
        resting[touch.hold.switch] = LEAVES;
        let mut here = state.clone();
        here.pieces.copy_from_slice(&resting);
        let pressed = match held(bench, &here) {
            Ok(held) => stop.sign() * held.second_rate_here(touch.hold).0,
            // others hold the same motion
            Err(_) => stop.sign() * free.second_rate(state, touch.hold)?.0,
        };
        if pressed > 0.0 && away * away <= 2.0 * pressed * touch.low {
            push(state, &touch.response, stop.sign() * away);
            resting[touch.hold.switch] = RESTS;
            calmed = true;
        }
    }
    Ok(calmed)
}

/// What is at rest is so to rounding errors.
pub(super) fn still(free: &mut Dynamics, state: &mut State, resting: &[Touch]) {
    for _ in 0..SWEEPS {
        for touch in resting {
            let moving = rate(free, state, touch.hold);
            push(state, &touch.response, -moving);
        }
    }
}
