//! Rigid stops and friction where nothing moves: equilibria, modes and kinematics know neither.

use crate::dynamics::instant::Trouble;
use crate::element::equation::Term;
use crate::element::hold::HoldKind;
use crate::element::law::Strength;
use crate::system::{State, System};

/// Coordinates nearer to a stop than this, over its limit, are at it.
const NEAR: f64 = 1e-9;

/// What is wrong with a state at a rigid stop: beyond it for a sign of -1, at it or beyond for a sign of 1.
pub(in crate::dynamics) fn beyond_stop(system: &System, state: &State, sign: f64) -> Option<Trouble> {
    let mut work = system.work();
    system.set_state(&mut work, state);
    system.holds.iter().find_map(|hold| {
        let HoldKind::Stop(stop) = &hold.kind else { return None };
        let clearance = stop.sign() * (stop.limit - system.basic_value(&hold.probe, &work));
        let near = sign * NEAR * (1.0 + stop.limit.abs());
        (clearance < near).then(|| Trouble::Held {
            joint: hold.owner.clone(),
            why: format!(
                "its {} stop, which is rigid, would have to hold it; give the stop a `stiffness`, or let the mechanism come \
                 to rest in a run",
                stop.word()
            ),
        })
    })
}

/// What is wrong with small motions about a state: it is at a rigid stop, or slides, or friction that is smooth goes with
/// reactions.
pub(in crate::dynamics) fn not_linear(system: &System, state: &State) -> Option<Trouble> {
    let moving = state.v.iter().any(|v| *v != 0.0);
    let rubs = |term: &Term| match &term.strength {
        Strength::Friction(law) => moving || law.1.is_none() && law.0.reacts,
        _ => false,
    };
    let rubbing = system.forces.iter().find(|force| system.terms[force.terms.clone()].iter().any(rubs));
    let why = "small motions about a state are known of friction at rest alone, which sticks or has a given normal force";
    let friction = rubbing.map(|force| Trouble::Held { joint: force.name.clone(), why: why.into() });
    beyond_stop(system, state, 1.0).or(friction).or_else(|| with_reactions(system))
}

/// The force that goes with a reaction, which statics and small motions do not know.
pub(in crate::dynamics) fn with_reactions(system: &System) -> Option<Trouble> {
    let name = system.force_with_reaction()?;
    Some(Trouble::WithReaction { name: name.into() })
}

/// The joint whose friction a kinematic analysis would leave out.
pub(in crate::dynamics) fn friction(system: &System) -> Option<Trouble> {
    let Some(rubs) = system.holds.iter().find(|hold| matches!(hold.kind, HoldKind::Friction(_))) else {
        return with_reactions(system);
    };
    let why = "forces of drivers would lack its friction, whose direction and size are those of a run; use `kingpin run`";
    Some(Trouble::Held { joint: rubs.owner.clone(), why: why.into() })
}
