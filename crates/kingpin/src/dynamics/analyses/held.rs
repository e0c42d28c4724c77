//! Rigid stops, friction and reactions where nothing is integrated: at rest, about a state, and where motions are given.

use crate::accel::Problem;
use crate::dynamics::instant::readings::{not_sparse, not_unique};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::stepping::Matrices;
use crate::element::equation::Term;
use crate::element::friction_law::IDLE;
use crate::element::hold::HoldKind;
use crate::element::law::Strength;
use crate::system::{State, System, Work};

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
                "it would rest on its rigid {} stop, which this analysis does not support; give the \
                     stop a `stiffness`, or let the mechanism come to rest in a run",
                stop.word()
            ),
        })
    })
}

/// What is wrong with small motions about a state: it is at a rigid stop, or dry friction slides.
pub(in crate::dynamics) fn not_linear(system: &System, state: &State) -> Option<Trouble> {
    let moving = state.v.iter().any(|v| *v != 0.0);
    let rubs = |term: &Term| matches!(&term.strength, Strength::Friction(law) if law.1.is_some());
    let rubbing = system.forces.iter().find(|force| system.terms[force.terms.clone()].iter().any(rubs));
    let why = "dry friction can be linearised only at rest; use `smooth` friction, or a state at rest";
    let friction = rubbing.map(|force| Trouble::Held { joint: force.name.clone(), why: why.into() });
    beyond_stop(system, state, 1.0).or(friction.filter(|_| moving))
}

/// What is wrong with reactions that forces go with: they are not unique at a state, or matrices are to be sparse.
pub(in crate::dynamics) fn without_reactions(
    system: &System,
    problem: &Problem,
    state: &State,
    matrices: Matrices,
) -> Option<Trouble> {
    if !system.forces_read {
        return None;
    }
    let mut mechanism = Dynamics::of(system, problem, problem.brief_method());
    system.set_state(&mut mechanism.work, state);
    not_sparse(system, matrices == Matrices::Sparse).or_else(|| not_unique(&mut mechanism))
}

/// Friction where motions are given: it slides the way they go, and does nothing where they rest.
pub(in crate::dynamics) struct GivenSliding {
    /// The fastest rate of each so far.
    fastest: Vec<f64>,
}

/// Rates below this part of the fastest are none.
const RESTING: f64 = 1e-9;

impl GivenSliding {
    pub fn new(system: &System) -> Self {
        GivenSliding { fastest: vec![0.0; system.holds.len()] }
    }

    /// Makes pieces of friction those of the motion at hand; an error where it goes beyond a rigid stop.
    pub fn follow(&mut self, system: &System, work: &mut Work) -> Result<(), Trouble> {
        for (hold, fastest) in system.holds.iter().zip(&mut self.fastest) {
            let (value, rate) = system.basic_value_and_rate(&hold.probe, work);
            match &hold.kind {
                HoldKind::Friction(_) => {
                    *fastest = fastest.max(rate.abs());
                    let rests = rate.abs() <= RESTING * *fastest;
                    work.pieces[hold.switch] = if rests { IDLE } else { u8::from(rate > 0.0) };
                }
                HoldKind::Stop(stop) => {
                    let clearance = stop.sign() * (stop.limit - value);
                    if clearance < -NEAR * (1.0 + stop.limit.abs()) {
                        let why = format!(
                            "the motions of drivers move it beyond its {} stop, by {:.3e}; change \
                                 the motions, or remove the stop",
                            stop.word(),
                            -clearance
                        );
                        return Err(Trouble::Held { joint: hold.owner.clone(), why });
                    }
                }
            }
        }
        Ok(())
    }
}
