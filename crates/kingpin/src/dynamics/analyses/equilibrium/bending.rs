//! Beams that bend far: a state next to their equilibrium, under loads that grow as fast as iterations converge.

use super::loaded::UnderLoad;
use crate::dynamics::instant::Dynamics;
use crate::system::State;

/// Iterations after which a part of the loads was too much, and up to which the next may be twice as large.
const MOST: usize = 12;
const FEW: usize = 6;
/// The least part of the loads to go on by.
const LEAST: f64 = 1.0 / 128.0;
/// Iterations with short steps, and the longest way of a body in one, in sizes of the mechanism or half radians.
const SHORT: (usize, f64) = (80, 0.6);

/// What became of beams under their loads.
pub(super) enum Bending {
    /// A state next to the equilibrium, and the steps to it.
    Found(State, usize),
    /// They were at rest under no more than this part of them.
    Stuck(f64),
}

/// Loads a mechanism with beams, with all loads at once if it can bear them.
pub(super) fn bend(mechanism: Dynamics, start: &State) -> Bending {
    let Ok(mut beams) = UnderLoad::new(mechanism, start) else { return Bending::Stuck(0.0) };
    let (mut borne, mut at_rest, mut part, mut steps) = (0.0, start.clone(), 1.0, 0);
    while part >= LEAST {
        let load = f64::min(1.0, borne + part);
        beams.state.clone_from(&at_rest);
        if borne == 0.0 {
            beams.relax();
        } else {
            beams.trust();
        }
        let Some(taken) = beams.rest(load, f64::INFINITY, MOST) else {
            part *= 0.5;
            continue;
        };
        (borne, steps) = (load, steps + taken);
        at_rest.clone_from(&beams.state);
        if borne == 1.0 {
            return Bending::Found(at_rest, steps);
        }
        if taken <= FEW {
            part *= 2.0;
        }
    }
    beams.state.clone_from(&at_rest);
    beams.relax();
    match beams.rest(1.0, SHORT.1, SHORT.0) {
        Some(taken) => Bending::Found(beams.state, steps + taken),
        None => Bending::Stuck(borne),
    }
}
