//! Beams that bend far: a state next to their equilibrium, by a mixed Newton iteration.
//!
//! Where a beam turns, what is linear in the step stretches it, and its axial stiffness answers with forces that have
//! nothing to do with the equilibrium. So resultants are iterates of their own: the part of the stiffness that comes from
//! them is taken with those that the last step predicts, not with those of the strains it has caused
//! [Magisano, Leonetti and Garcea 2017]. Whole steps then take few iterations; the search goes on from where they end.

use super::yardstick::RestYardstick;
use crate::dynamics::forms::whole::{StiffnessSide, Whole};
use crate::dynamics::instant::Dynamics;
use crate::dynamics::instant::projection::Projection;
use crate::system::State;
use nalgebra::DVector;

/// Most iterations with whole steps, and with short ones.
const ITERATIONS: [usize; 2] = [15, 80];
/// The longest way of a body in a short step, in sizes of the mechanism or half radians.
const SHORT: f64 = 0.6;
/// Ways beyond this lead nowhere.
const LOST: f64 = 100.0;
/// Steps below this are at the end.
const STILL: f64 = 1e-9;

/// A state next to the equilibrium of a mechanism with beams, and the steps to it; `None` where the iteration finds nothing.
pub(super) fn bend(mechanism: Dynamics, start: &State) -> Option<(State, usize)> {
    let mut whole = Whole::<false>::new(mechanism, start).ok()?;
    let far = iterate(&mut whole, start, f64::INFINITY, ITERATIONS[0]);
    far.or_else(|| iterate(&mut whole, start, SHORT, ITERATIONS[1]))
}

fn iterate(whole: &mut Whole<'_, false>, start: &State, longest: f64, most: usize) -> Option<(State, usize)> {
    let system = whole.mechanism.system;
    let (yardstick, mut state) = (RestYardstick::new(system, &start.q), start.clone());
    let mut projection = Projection::new(&whole.mechanism);
    system.relax_beams(&mut whole.mechanism.work);
    for steps in 0..most {
        whole.begin(&state);
        whole.solve_again().ok()?;
        let f = DVector::from_column_slice(whole.accelerations());
        let pencil = whole.pencil().ok()?;
        let factor = pencil.factor(0.0, StiffnessSide::Given)?;
        let mut step = pencil.solve(&factor, &pencil.mass_times(&f));
        let way = yardstick.way(step.as_slice());
        if way.is_nan() || way > LOST {
            return None;
        }
        if way <= STILL {
            return Some((state, steps));
        }
        step *= (longest / way).min(1.0);
        let Dynamics { work, .. } = &mut whole.mechanism;
        system.predict_beams(work, step.as_slice());
        system.displace(&mut state.q, step.as_slice());
        projection.apply(&mut whole.mechanism, state.t, &mut state.q, &mut state.v).ok()?;
        system.count_turns(&mut whole.mechanism.work);
        state.turns.copy_from_slice(&whole.mechanism.work.turns);
    }
    None
}
