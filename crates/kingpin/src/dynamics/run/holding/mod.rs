//! Impacts on rigid stops, coming to rest on them, sticking and sliding: what becomes of velocities and pieces where a
//! coordinate of a joint meets a stop, comes to rest, or is no longer held.
//!
//! First impacts ([`impacts`]), then what holds of all that is at rest ([`modes`]).

mod bench;
mod impacts;
mod impulses;
mod modes;
mod passing;
mod touch;
mod unseen;

pub(in crate::dynamics) use bench::Bench;
pub(in crate::dynamics) use unseen::Unseen;

use crate::accel::{Problem, Solver};
use crate::dynamics::instant::readings::not_unique;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::element::friction_law::STICKS;
use crate::element::hold::{HoldKind, JointHold, LEAVES, RESTS, TOUCHES};
use crate::system::{State, System};
use touch::Touch;

/// What became of a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::dynamics) struct Settled {
    /// Kinetic energy that impacts took.
    pub lost: f64,
    /// Switches that went from one piece to another.
    pub switched: Vec<(usize, u8, u8)>,
}

/// Times that low bounces are calmed down.
const CALMS: usize = 50;

/// Settles all that holds or may hold at a state, of which some switches have just been crossed.
pub(in crate::dynamics) fn settle(
    bench: &mut Bench,
    state: &mut State,
    met: &[usize],
    unseen: &[Unseen],
) -> Result<Settled, Trouble> {
    let system = bench.base;
    let mut free = bench.dynamics(&[]);
    let slow = slowness(&mut free, state, unseen);
    let mut touches = touching(&mut free, state, met, (unseen, &slow))?;
    loads(bench, state, &mut touches)?;
    system.set_state(&mut free.work, state);
    let before = system.kinetic_energy(&free.work);
    let pieces = state.pieces.clone();
    impacts::halt(&mut free, state, &touches);
    let mut struck = impacts::strike(&mut free, state, &touches);
    impacts::turn_back(&mut free, state, &slow);
    for _ in 0..CALMS {
        // what calms down one stop may be a small impact on another
        if !impacts::calm(bench, &mut free, state, &touches)? {
            break;
        }
        struck.extend(impacts::strike(&mut free, state, &touches));
    }
    let (resting, moving): (Vec<Touch>, Vec<Touch>) =
        touches.into_iter().partition(|touch| touch.is_slow(rate(&mut free, state, touch.hold)));
    for touch in moving {
        let moving = rate(&mut free, state, touch.hold);
        if touch.stop().is_some_and(|stop| touch.response.can_move() && stop.sign() * moving > touch.slow) {
            let why = "the sequence of impacts on it and on other stops does not end".into();
            return Err(Trouble::Held { joint: touch.hold.owner.clone(), why });
        }
        let piece = &mut state.pieces[touch.hold.switch];
        match &touch.hold.kind {
            HoldKind::Friction(_) => *piece = u8::from(moving > 0.0),
            HoldKind::Stop(_) if struck.contains(&touch.number) => *piece = LEAVES,
            HoldKind::Stop(_) if matches!(*piece, RESTS | TOUCHES) => *piece = LEAVES,
            HoldKind::Stop(_) => {}
        }
    }
    bench.solves += free.solves;
    if !resting.is_empty() {
        impacts::still(&mut free, state, &resting);
        modes::find(bench, state, &resting)?;
    }
    keep_values(&mut free, state);
    let changed = |hold: &JointHold| {
        let (from, to) = (pieces[hold.switch], state.pieces[hold.switch]);
        (from != to).then_some((hold.switch, from, to))
    };
    let switched = system.holds.iter().filter_map(changed).collect();
    system.set_state(&mut free.work, state);
    Ok(Settled { lost: before - system.kinetic_energy(&free.work), switched })
}

/// Rates that are none at a state: less than what accelerations make of them at once, or next to nothing of the speed.
fn slowness(free: &mut Dynamics, state: &State, unseen: &[Unseen]) -> Vec<f64> {
    let system = free.system;
    system.set_state(&mut free.work, state);
    // what jams when all is let go need not do so when it is held
    let known = free.evaluate().is_ok();
    let one = |(hold, own): (&JointHold, &Unseen)| {
        let size = if known { free.second_rate_here(hold).1 } else { 0.0 };
        own.slow.max(unseen::STANDING * (size * own.size).sqrt())
    };
    system.holds.iter().zip(unseen).map(one).collect()
}

/// All that may hold at a state: stops that are touched, friction at rest.
fn touching<'s>(
    free: &mut Dynamics<'s>,
    state: &State,
    met: &[usize],
    (unseen, slow): (&[Unseen], &[f64]),
) -> Result<Vec<Touch<'s>>, Trouble> {
    let system = free.system;
    let mut all = Vec::new();
    for (number, hold) in system.holds.iter().enumerate() {
        system.set_state(&mut free.work, state);
        let (value, rate) = system.basic_value_and_rate(&hold.probe, &free.work);
        let (met, piece) = (met.contains(&hold.switch), state.pieces[hold.switch]);
        let touches = match &hold.kind {
            HoldKind::Stop(stop) => {
                let clearance = stop.sign() * (stop.limit - value);
                // where a bounce turns back its switch is crossed too, far from the stop
                let meets = met && stop.sign() * rate > slow[number];
                let near = if meets { unseen[number].found } else { unseen[number].near };
                matches!(piece, RESTS | TOUCHES) || clearance <= near
            }
            HoldKind::Friction(_) => met || piece >= STICKS || rate.abs() <= slow[number],
        };
        if touches {
            let response = free.respond(state, &hold.probe)?;
            let (slow, Unseen { low, wander, jolt, .. }) = (slow[number], unseen[number]);
            all.push(Touch { number, hold, response, met, load: 0.0, slow, low, wander, jolt });
        }
    }
    Ok(all)
}

/// Finds what those hold with that have been crossed while they held.
fn loads(bench: &mut Bench, state: &State, touches: &mut [Touch]) -> Result<(), Trouble> {
    if !touches.iter().any(|touch| touch.met && touch.hold.is_active(&state.pieces)) {
        return Ok(());
    }
    let mut held = bench.dynamics(&bench.base.active_holds(&state.pieces));
    held.system.set_state(&mut held.work, state);
    held.evaluate()?;
    bench.solves += held.solves;
    for touch in touches {
        touch.load = held.system.hold_row(touch.number).map_or(0.0, |row| held.result.lam[row]);
    }
    Ok(())
}

/// Notes the values at which coordinates are held from here on.
fn keep_values(free: &mut Dynamics, state: &mut State) {
    let system = free.system;
    system.set_state(&mut free.work, state);
    for hold in system.holds.iter().filter(|hold| hold.is_active(&state.pieces)) {
        state.turns[hold.slot] = system.basic_value(&hold.probe, &free.work);
    }
}

/// The rate of a coordinate at a state.
fn rate(mechanism: &mut Dynamics, state: &State, hold: &JointHold) -> f64 {
    mechanism.system.set_state(&mut mechanism.work, state);
    mechanism.system.basic_value_and_rate(&hold.probe, &mechanism.work).1
}

/// Where a run starts: coordinates that are at a stop and do not leave it, or have friction and do not move.
pub(in crate::dynamics) fn settle_start(
    bench: &mut Bench,
    state: &mut State,
    unseen: &[Unseen],
) -> Result<Settled, Trouble> {
    let system = bench.base;
    let mut work = system.work();
    system.set_state(&mut work, state);
    for (hold, unseen) in system.holds.iter().zip(unseen) {
        let (value, rate) = system.basic_value_and_rate(&hold.probe, &work);
        state.pieces[hold.switch] = match &hold.kind {
            HoldKind::Friction(_) => u8::from(rate > 0.0),
            HoldKind::Stop(stop) => {
                let clearance = stop.sign() * (stop.limit - value);
                if clearance < -unseen.near {
                    let why = format!("it starts beyond its {} stop, by {:.3e}", stop.word(), -clearance);
                    return Err(Trouble::Held { joint: hold.owner.clone(), why });
                }
                // what is at a stop and moves away is not to meet it at once
                if clearance <= unseen.near && stop.sign() * rate < 0.0 { LEAVES } else { 0 }
            }
        };
    }
    settle(bench, state, &[], unseen)
}

/// Accelerations and multipliers at a state, with all that holds there.
pub fn dynamics_at<'a>(
    system: &'a System,
    problem: &Problem,
    state: &State,
    solver: Solver,
) -> Result<Dynamics<'a>, Trouble> {
    if system.forces_read {
        let mut mechanism = Dynamics::of(system, problem, solver);
        system.set_state(&mut mechanism.work, state);
        if let Some(trouble) = not_unique(&mut mechanism) {
            return Err(trouble);
        }
    }
    let mut bench = Bench::new(system, problem.clone(), solver);
    let mut settled = state.clone();
    // what a run has found out it knows better
    let unseen = Unseen::alone(system);
    if !system.holds.is_empty() && !is_held(system, state, &unseen) {
        settle_start(&mut bench, &mut settled, &unseen)?;
    }
    let mut mechanism = bench.dynamics(&system.active_holds(&settled.pieces));
    system.set_state(&mut mechanism.work, &settled);
    mechanism.accelerate(state.t, &settled.q, &settled.v)?;
    Ok(mechanism)
}

/// Whether something holds at a state, and all that does so keeps its coordinate where it was found.
fn is_held(system: &System, state: &State, unseen: &[Unseen]) -> bool {
    let mut work = system.work();
    system.set_state(&mut work, state);
    let all = system.holds.iter().zip(unseen);
    let mut holding = all.filter(|(hold, _)| hold.is_active(&state.pieces)).peekable();
    holding.peek().is_some()
        && holding.all(|(hold, unseen)| {
            let (value, kept) = (system.basic_value(&hold.probe, &work), state.turns[hold.slot]);
            (value - kept).abs() <= unseen.near
        })
}
