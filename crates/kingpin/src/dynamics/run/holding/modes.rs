//! Which of all that is at rest holds, and which way the rest goes.
//!
//! A stop that rests must push, friction that sticks must not need more than its grip, a coordinate that is let go must go
//! where it is let. From a first guess one after the other changes that contradicts this, until none does. Those that hold are
//! independent of each other. Friction that could only hold what others hold already is idle: it takes its turn when one of
//! them is overcome, which then leans with all its grip, so that several joints hold together what they can.

use super::Touch;
use super::bench::Bench;
use super::passing::pass;
use crate::dynamics::instant::holds::size;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::element::friction_law::{IDLE, LEANS, STICKS};
use crate::element::hold::{HoldKind, LEAVES, RESTS, TOUCHES};
use crate::system::State;
use nalgebra::{DMatrix, DVector};
use std::collections::HashSet;

/// What is left of a motion that others hold, in parts of what it is alone.
const SAME: f64 = 1e-9;
/// Contradictions, in parts of what is compared, that are rounding errors.
pub(super) const ROUNDING: f64 = 1e-9;
/// Changes before it is given up, for each that is at rest.
const CHANGES: usize = 40;

/// What one of them does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Doing {
    Holds,
    /// Would hold, but others do.
    Idle,
    /// Lets go, up or down.
    Goes(bool),
}

/// Finds what those do that are at rest, and leaves it in the pieces of the state.
pub(super) fn find(bench: &mut Bench, state: &mut State, resting: &[Touch]) -> Result<(), Trouble> {
    // stops are asked first: friction leans on them
    let mut all: Vec<&Touch> = resting.iter().filter(|touch| touch.response.can_move()).collect();
    all.sort_by_key(|touch| touch.friction());
    for touch in resting.iter().filter(|touch| !touch.response.can_move()) {
        // joints and drivers hold it anyway
        let piece = &mut state.pieces[touch.hold.switch];
        *piece = if touch.friction() { IDLE } else { TOUCHES };
    }
    let mut passing = Vec::new();
    for _ in 0..=resting.len() {
        agree(bench, state, &all, &passing)?;
        if !pass(bench, state, resting, &mut passing)? {
            return Ok(());
        }
    }
    let why = "no set of sticking joints is consistent with its state at rest";
    let joint = resting.first().map_or_else(String::new, |touch| touch.hold.owner.clone());
    Err(Trouble::Held { joint, why: why.into() })
}

/// Finds what those do that others do not hold anyway; some pass a dead centre.
fn agree(
    bench: &mut Bench,
    state: &mut State,
    all: &[&Touch],
    passing: &[(usize, u8)],
) -> Result<(), Trouble> {
    let coupling = coupling(all);
    let mut doings: Vec<Doing> =
        all.iter().map(|touch| first(touch, state.pieces[touch.hold.switch])).collect();
    let mut seen = HashSet::new();
    for change in 0..CHANGES * all.len().max(1) {
        let movable = independent(&coupling, all, &mut doings)?;
        for ((touch, mode), movable) in all.iter().zip(&doings).zip(&movable) {
            let passed = passing.iter().find(|(number, _)| *number == touch.number && !movable);
            state.pieces[touch.hold.switch] = passed.map_or(piece(touch, *mode, *movable), |own| own.1);
        }
        let wrong = contradictions(bench, state, all, &movable)?;
        let fresh = seen.insert(doings.clone());
        // the worst first, and once that goes round in circles the last
        let next = if fresh && change < 4 * all.len() {
            (0..all.len()).filter(|&k| wrong[k].0 > 1.0).max_by(|&a, &b| wrong[a].0.total_cmp(&wrong[b].0))
        } else {
            (0..all.len()).rev().find(|&k| wrong[k].0 > 1.0)
        };
        let Some(k) = next else { return Ok(()) };
        doings[k] = match doings[k] {
            Doing::Holds => Doing::Goes(wrong[k].1),
            Doing::Goes(_) | Doing::Idle => Doing::Holds,
        };
    }
    Err(Trouble::Held {
        joint: all.first().map_or_else(String::new, |touch| touch.hold.owner.clone()),
        why: format!(
            "neither sticking nor sliding is consistent with its friction forces{}",
            if all.len() > 1 { ", nor with those of other joints at rest" } else { " (friction jamming)" }
        ),
    })
}

/// The first guess: what has just been overcome lets go, all else holds, friction that leans goes on to.
fn first(touch: &Touch, piece: u8) -> Doing {
    match &touch.hold.kind {
        HoldKind::Stop(stop) if touch.met && piece == RESTS => Doing::Goes(!stop.upper),
        HoldKind::Stop(_) if piece == TOUCHES => Doing::Goes(true),
        HoldKind::Friction(_) if touch.met && piece == STICKS => Doing::Goes(touch.load > 0.0),
        HoldKind::Friction(_) if piece >= LEANS => Doing::Goes(piece & 1 == 1),
        _ => Doing::Holds,
    }
}

fn piece(touch: &Touch, mode: Doing, movable: bool) -> u8 {
    match (touch.friction(), mode, movable) {
        (true, Doing::Holds, _) => STICKS,
        (true, Doing::Idle, _) => IDLE,
        (true, Doing::Goes(up), true) => u8::from(up),
        (true, Doing::Goes(up), false) => LEANS + u8::from(up),
        (false, Doing::Holds, _) => RESTS,
        (false, Doing::Goes(_), true) => LEAVES,
        (false, Doing::Goes(_), false) | (false, Doing::Idle, _) => TOUCHES,
    }
}

/// What a unit force along each does to the rate of each.
fn coupling(all: &[&Touch]) -> DMatrix<f64> {
    DMatrix::from_fn(all.len(), all.len(), |j, k| all[j].response.along(&all[k].response))
}

/// Keeps those that hold independent of each other, and tells which of the others can move. An error if two stops hold the
/// same motion.
fn independent(coupling: &DMatrix<f64>, all: &[&Touch], doings: &mut [Doing]) -> Result<Vec<bool>, Trouble> {
    let mut holding: Vec<usize> = Vec::new();
    for k in 0..all.len() {
        if matches!(doings[k], Doing::Goes(_)) {
            continue;
        }
        if is_movable(coupling, &holding, k) {
            doings[k] = Doing::Holds;
            holding.push(k);
        } else if all[k].friction() {
            doings[k] = Doing::Idle;
        } else {
            let other = holding.iter().find(|&&j| !is_movable(coupling, &[j], k)).or(holding.first());
            return Err(together(all[k], other.map(|&j| all[j])));
        }
    }
    Ok((0..all.len()).map(|k| is_movable(coupling, &holding, k)).collect())
}

/// Whether a coordinate can move while others are held.
fn is_movable(coupling: &DMatrix<f64>, holding: &[usize], k: usize) -> bool {
    let n = holding.len();
    let own = DMatrix::from_fn(n, n, |i, j| coupling[(holding[i], holding[j])]);
    let to = DVector::from_fn(n, |i, _| coupling[(holding[i], k)]);
    let solved = own.cholesky().map(|factor| factor.solve(&to));
    let kept = solved.map_or(0.0, |solved| solved.dot(&to));
    coupling[(k, k)] - kept > SAME * coupling[(k, k)]
}

/// Accelerations at a state with all that holds there.
pub(super) fn held<'a>(bench: &mut Bench<'a>, state: &State) -> Result<Dynamics<'a>, Trouble> {
    let active = bench.base.active_holds(&state.pieces);
    let mut held = bench.dynamics(&active);
    let mut here = state.clone();
    held.system.set_state(&mut held.work, &here);
    for &k in &active {
        let hold = &bench.base.holds[k];
        here.turns[hold.slot] = held.system.basic_value(&hold.probe, &held.work);
    }
    held.system.set_state(&mut held.work, &here);
    held.evaluate()?;
    Ok(held)
}

/// How much each contradicts what it does, in parts of what is a rounding error, and the way it would go.
fn contradictions(
    bench: &mut Bench,
    state: &State,
    all: &[&Touch],
    movable: &[bool],
) -> Result<Vec<(f64, bool)>, Trouble> {
    let held = held(bench, state)?;
    let mut found = Vec::with_capacity(all.len());
    for (touch, movable) in all.iter().zip(movable) {
        let hold = touch.hold;
        if hold.is_active(&state.pieces) {
            let (system, lam) = (held.system, &held.result.lam);
            let load = system.hold_row(touch.number).map_or(0.0, |row| lam[row]);
            let reaction = size(system.reaction(hold.joint, &held.work, lam).force);
            let margin = hold.margin(load, reaction);
            let scale = ROUNDING * (load.abs() + (margin + load.abs()).abs());
            found.push((-margin / scale.max(f64::MIN_POSITIVE), load > 0.0));
        } else if *movable {
            let up = match &hold.kind {
                HoldKind::Stop(stop) => !stop.upper,
                HoldKind::Friction(_) => state.pieces[hold.switch] == 1,
            };
            let (second, scale) = held.second_rate_here(hold);
            let against = if up { -second } else { second };
            found.push((against / (ROUNDING * scale).max(f64::MIN_POSITIVE), !up));
        } else {
            found.push((0.0, false));
        }
    }
    bench.solves += held.solves;
    Ok(found)
}

fn together(touch: &Touch, other: Option<&Touch>) -> Trouble {
    let with = other.map_or("others".to_string(), |other| format!("joint `{}`", other.hold.owner));
    let why = format!(
        "it comes to rest on its stop at the same time as {with}, and both constrain the same \
             motion: the distribution of the force is not determined"
    );
    Trouble::Held { joint: touch.hold.owner.clone(), why }
}
