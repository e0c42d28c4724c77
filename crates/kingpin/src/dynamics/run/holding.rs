//! Impacts on rigid stops, coming to rest on them, sticking and sliding: what becomes of velocities and pieces where a
//! coordinate of a joint meets a stop, comes to rest, or is no longer held.
//!
//! All velocities jump at an impact, with all joints and all that holds kept: a unit impulse along the coordinate and what
//! joints answer change them by A, and Newton's law, rate behind = -restitution times rate before, tells how many units.

use crate::accel::{Problem, Solver};
use crate::dynamics::instant::holds::{Response, size};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::element::friction_law::STICKS;
use crate::element::hold::{HoldKind, JointHold, LEAVES, RESTS, RigidStop};
use crate::system::{State, System};

/// What became of a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::dynamics) struct Settled {
    /// Kinetic energy that impacts took.
    pub lost: f64,
    /// Switches that went from one piece to another.
    pub switched: Vec<(usize, u8, u8)>,
}

/// Impacts of stops that are met together, one after the other, at most.
const ROUNDS: usize = 50;
/// Rates, in m/s or rad/s, that are none.
const AT_REST: f64 = 1e-8;
/// Two that hold the same motion: what they share of it.
const SAME: f64 = 1e-9;

/// Settles all that is said to have come to something at a state: switches of stops that are met or left, of friction that comes to
/// rest or is overcome. Bounces lower than `low`, in m or rad, are none.
pub(in crate::dynamics) fn settle(
    mechanism: &mut Dynamics,
    state: &mut State,
    switches: &[usize],
    low: [f64; 2],
) -> Result<Settled, Trouble> {
    let system = mechanism.system;
    let mut settled = Settled::default();
    let holds: Vec<(usize, &JointHold)> =
        system.holds.iter().enumerate().filter(|(_, hold)| switches.contains(&hold.switch)).collect();
    if holds.is_empty() {
        return Ok(settled);
    }
    system.set_state(&mut mechanism.work, state);
    let before = system.kinetic_energy(&mechanism.work);
    let pieces = state.pieces.clone();
    let loads = loads(mechanism, state, &holds)?;
    let mut responses = Vec::with_capacity(holds.len());
    for (_, hold) in &holds {
        responses.push(mechanism.respond(state, &hold.probe)?);
    }
    let each = || holds.iter().map(|(_, hold)| *hold).zip(&responses);
    strike(mechanism, state, &each().collect::<Vec<_>>());
    turn_back(mechanism, state);
    let mut sticking: Vec<(&JointHold, &Response)> = Vec::new();
    for ((hold, response), load) in each().zip(loads) {
        let piece = match &hold.kind {
            HoldKind::Stop(_) if pieces[hold.switch] == RESTS => LEAVES,
            HoldKind::Stop(stop) => bounce(mechanism, state, (hold, stop), response, low)?,
            HoldKind::Friction(_) if pieces[hold.switch] == STICKS => u8::from(load > 0.0),
            HoldKind::Friction(_) => halt(mechanism, state, hold, response)?,
        };
        state.pieces[hold.switch] = piece;
        if hold.is_active(&state.pieces) {
            apart(&sticking, (hold, response))?;
            sticking.push((hold, response));
            system.set_state(&mut mechanism.work, state);
            state.turns[hold.slot] = system.basic_value(&hold.probe, &mechanism.work);
        }
    }
    for hold in &system.holds {
        let (from, to) = (pieces[hold.switch], state.pieces[hold.switch]);
        if from != to {
            settled.switched.push((hold.switch, from, to));
        }
    }
    system.set_state(&mut mechanism.work, state);
    settled.lost = before - system.kinetic_energy(&mechanism.work);
    Ok(settled)
}

/// What each of them holds with; zero if it does not.
fn loads(
    mechanism: &mut Dynamics,
    state: &State,
    holds: &[(usize, &JointHold)],
) -> Result<Vec<f64>, Trouble> {
    if !holds.iter().any(|(k, _)| mechanism.system.active.contains(k)) {
        return Ok(vec![0.0; holds.len()]);
    }
    mechanism.system.set_state(&mut mechanism.work, state);
    mechanism.evaluate()?;
    let (system, lam) = (mechanism.system, &mechanism.result.lam);
    Ok(holds.iter().map(|(k, _)| system.hold_row(*k).map_or(0.0, |row| lam[row])).collect())
}

/// The rate of a coordinate at a state.
fn rate(mechanism: &mut Dynamics, state: &State, hold: &JointHold) -> f64 {
    mechanism.system.set_state(&mut mechanism.work, state);
    mechanism.system.basic_value_and_rate(&hold.probe, &mechanism.work).1
}

/// Changes velocities by an impulse that changes the rate of a coordinate.
fn push(state: &mut State, response: &Response, by: f64) {
    if response.can_move() {
        let units = by / response.rate;
        state.v.iter_mut().zip(&response.v).for_each(|(v, x)| *v += units * x);
    }
}

/// Impacts on stops that are free, until none is approached.
fn strike(mechanism: &mut Dynamics, state: &mut State, all: &[(&JointHold, &Response)]) {
    for _ in 0..ROUNDS {
        let mut struck = false;
        for (hold, response) in all {
            let HoldKind::Stop(stop) = &hold.kind else { continue };
            let towards = stop.sign() * rate(mechanism, state, hold);
            if state.pieces[hold.switch] == RESTS || towards <= 0.0 || !response.can_move() {
                continue;
            }
            push(state, response, -stop.sign() * (1.0 + stop.restitution) * towards);
            struck = true;
        }
        if !struck {
            return;
        }
    }
}

/// Friction that slides does so the way velocities are behind impacts.
fn turn_back(mechanism: &mut Dynamics, state: &mut State) {
    for hold in mechanism.system.holds.iter().filter(|hold| matches!(hold.kind, HoldKind::Friction(_))) {
        let moving = rate(mechanism, state, hold);
        if state.pieces[hold.switch] != STICKS && moving.abs() > AT_REST {
            state.pieces[hold.switch] = u8::from(moving > 0.0);
        }
    }
}

/// The piece behind an impact: away from the stop, or at rest on it where the next bounce would be too low to be seen.
fn bounce(
    mechanism: &mut Dynamics,
    state: &mut State,
    (hold, stop): (&JointHold, &RigidStop),
    response: &Response,
    [far, wide]: [f64; 2],
) -> Result<u8, Trouble> {
    let away = -stop.sign() * rate(mechanism, state, hold);
    let pressed = stop.sign() * mechanism.second_rate(state, hold)?;
    let low = if hold.probe.is_angle() { wide } else { far };
    if pressed <= 0.0 || away * away > 2.0 * pressed * low || !response.can_move() {
        return Ok(LEAVES);
    }
    push(state, response, stop.sign() * away);
    Ok(RESTS)
}

/// The piece of friction where a coordinate has come to rest: it sticks if its grip is enough for what would move it, and
/// slides that way if not.
fn halt(
    mechanism: &mut Dynamics,
    state: &mut State,
    hold: &JointHold,
    response: &Response,
) -> Result<u8, Trouble> {
    let HoldKind::Friction(law) = &hold.kind else { return Ok(0) };
    let moving = rate(mechanism, state, hold);
    if moving.abs() > AT_REST {
        // not at rest at all: an impact has turned it back
        return Ok(u8::from(moving > 0.0));
    }
    push(state, response, -moving);
    state.pieces[hold.switch] = STICKS;
    if !response.can_move() {
        return Err(together(hold, None));
    }
    let load = mechanism.second_rate(state, hold)? / response.rate;
    let lam: Vec<f64> =
        mechanism.result.lam.iter().zip(&response.lam).map(|(lam, x)| lam - load * x).collect();
    let reaction = size(mechanism.system.reaction(hold.joint, &mechanism.work, &lam).force);
    let sticks = load.abs() <= law.grip(reaction);
    Ok(if sticks { STICKS } else { u8::from(load > 0.0) })
}

/// An error if two hold the same motion: which of them does is not determined.
fn apart(
    others: &[(&JointHold, &Response)],
    (hold, response): (&JointHold, &Response),
) -> Result<(), Trouble> {
    for (other, own) in others {
        // both in the metric of the mass
        let along = |a: &Response, b: &Response| {
            let norm = |v: &Response| v.v.iter().map(|x| x * x).sum::<f64>().sqrt();
            let dot = a.v.iter().zip(&b.v).map(|(a, b)| a * b).sum::<f64>();
            dot.abs() / (norm(a) * norm(b)).max(f64::MIN_POSITIVE)
        };
        if along(response, own) > 1.0 - SAME {
            return Err(together(hold, Some(other)));
        }
    }
    Ok(())
}

fn together(hold: &JointHold, other: Option<&JointHold>) -> Trouble {
    let with = other.map_or("what rests already".to_string(), |other| format!("joint `{}`", other.owner));
    let why = format!(
        "it comes to rest together with {with}, and both hold the same motion: how they share it is not determined"
    );
    Trouble::Held { joint: hold.owner.clone(), why }
}

/// Where a run starts: coordinates that are at a stop and do not leave it, or have friction and do not move.
pub(in crate::dynamics) fn settle_start(
    mechanism: &mut Dynamics,
    state: &mut State,
    low: [f64; 2],
) -> Result<(), Trouble> {
    let system = mechanism.system;
    let mut switches = Vec::new();
    for hold in &system.holds {
        system.set_state(&mut mechanism.work, state);
        let (value, rate) = system.basic_value_and_rate(&hold.probe, &mechanism.work);
        match &hold.kind {
            HoldKind::Stop(stop) => {
                let clearance = stop.sign() * (stop.limit - value);
                let near = 1e-9 * (1.0 + stop.limit.abs());
                if clearance < -near {
                    let why = format!("it starts beyond its {} stop, by {:.3e}", stop.word(), -clearance);
                    return Err(Trouble::Held { joint: hold.owner.clone(), why });
                }
                state.pieces[hold.switch] = 0;
                if clearance <= near && stop.sign() * rate >= -1e-12 {
                    switches.push(hold.switch);
                }
            }
            HoldKind::Friction(_) => {
                state.pieces[hold.switch] = u8::from(rate > 0.0);
                if rate.abs() <= 1e-12 {
                    switches.push(hold.switch);
                }
            }
        }
    }
    settle(mechanism, state, &switches, low).map(|_| ())
}

/// Accelerations and multipliers at a state, with all that holds there.
pub fn dynamics_at<'a>(
    system: &'a System,
    problem: &Problem,
    state: &State,
    solver: Solver,
) -> Result<Dynamics<'a>, Trouble> {
    let mut mechanism = Dynamics::of(system, problem, solver);
    let mut settled = state.clone();
    if !system.holds.is_empty() {
        settle_start(&mut mechanism, &mut settled, [1e-12; 2])?;
        let active = system.active_holds(&settled.pieces);
        if !active.is_empty() {
            let held = system.holding(&active);
            let mut redundant = problem.redundant();
            redundant.resize(held.layout.rows, false);
            mechanism = Dynamics::of(held, &Problem::new(held, &redundant), solver);
        }
    }
    system.set_state(&mut mechanism.work, &settled);
    mechanism.accelerate(state.t, &settled.q, &settled.v)?;
    Ok(mechanism)
}
